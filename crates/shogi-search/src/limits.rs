//! The limits of a search, and the means to stop it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The limits that end a search; `None` is no limit. Without any limit a search runs until its [`Control`]
/// stops it.
///
/// ```
/// use std::time::Duration;
/// use shogi_search::{Clock, Limits};
/// let clock = Clock { remaining: Duration::from_secs(60), ..Clock::default() };
/// assert!(clock.allotment().optimum < Duration::from_secs(10));
/// let limits = Limits { depth: Some(20), clock: Some(clock), ..Limits::default() };
/// assert_eq!(limits.nodes, None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// The depth of the last iteration.
    pub depth: Option<u32>,
    /// Positions visited, all threads together. A single thread stops at exactly this number.
    pub nodes: Option<u64>,
    /// Time for this move. All of it is used, even with a single legal move, unless another limit comes first
    /// or the search has found the end of the game.
    pub move_time: Option<Duration>,
    /// The player's clock: the search decides how much of it to use, all of it where nothing but
    /// byoyomi is left; with a single legal move a tenth of what a move gets.
    pub clock: Option<Clock>,
}

impl Limits {
    /// A limit on the depth alone.
    pub fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// A limit on the nodes alone.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// A limit on the time alone.
    pub fn time(time: Duration) -> Self {
        Self { move_time: Some(time), ..Self::default() }
    }

    /// The time of a search with these limits.
    pub(crate) fn allotment(&self) -> Allotment {
        let mut allotment = Allotment { optimum: Duration::MAX, maximum: Duration::MAX };
        if let Some(clock) = self.clock {
            allotment = clock.allotment();
        }
        if let Some(time) = self.move_time {
            allotment.maximum = allotment.maximum.min(time);
            if self.clock.is_none() {
                allotment.optimum = time;
            }
        }
        allotment
    }
}

/// A player's clock at the beginning of a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Time added after each move (Fischer).
    pub increment: Duration,
    /// Time that each move may take once nothing is left.
    pub byoyomi: Duration,
    /// Number of moves, this one included, until time is added; `None` if the remaining time must last for the
    /// rest of the game.
    pub moves: Option<u32>,
    /// Time lost in the transmission of a move between clock and search.
    pub overhead: Duration,
}

impl Default for Clock {
    /// Nothing left for the rest of the game, and an overhead of 10 ms.
    fn default() -> Self {
        Self {
            remaining: Duration::ZERO,
            increment: Duration::ZERO,
            byoyomi: Duration::ZERO,
            moves: None,
            overhead: Duration::from_millis(10),
        }
    }
}

/// A move's share of the clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allotment {
    /// No iteration begins that is unlikely to end before this.
    pub optimum: Duration,
    /// The search is stopped at this time.
    pub maximum: Duration,
}

impl Clock {
    /// Number of moves that the remaining time should last for.
    const MOVES: u32 = 25;
    /// Number of overheads kept in reserve.
    const KEPT: u32 = 8;
    /// The share is at least one part in this many of the remaining time; a search stops at four shares, so the reserve
    /// lasts for hundreds of moves.
    const PARTS: u32 = 1024;

    /// The share of a move. `maximum` never exceeds the remaining time less the overhead, nor half of the
    /// remaining time if neither byoyomi nor increment follows.
    pub fn allotment(&self) -> Allotment {
        let left = self.remaining + self.byoyomi;
        let usable = left.saturating_sub(self.overhead);
        // A few overheads are kept for the moves after these, and for the one that takes longer.
        let moves = self.moves.map_or(Self::MOVES, |moves| moves.clamp(1, Self::MOVES));
        let share = self.remaining.saturating_sub(self.overhead * Self::KEPT) / moves;
        let share = share.max(self.remaining / Self::PARTS);
        // Byoyomi alone cannot be saved for another move.
        let saved = !(self.remaining.is_zero() && self.increment.is_zero());
        let of_byoyomi = if saved { self.byoyomi * 9 / 10 } else { self.byoyomi };
        let optimum = (share + self.increment * 3 / 4 + of_byoyomi).min(usable);
        let most = (share * 4 + self.increment + self.byoyomi).min(usable);
        let maximum = if self.byoyomi.is_zero() && self.increment.is_zero() {
            most.min(usable / 2)
        } else {
            most
        };
        Allotment { optimum: optimum.min(maximum), maximum }
    }
}

/// Stops a running search, or ends its pondering, from another thread.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    pondering: AtomicBool,
}

impl Control {
    /// For a search that runs until its limits.
    pub const fn new() -> Self {
        Self { stop: AtomicBool::new(false), pondering: AtomicBool::new(false) }
    }

    /// For a search on the opponent's time: no limit of time ends it before [`Control::ponder_hit`].
    pub const fn pondering() -> Self {
        Self { stop: AtomicBool::new(false), pondering: AtomicBool::new(true) }
    }

    /// Ends the search, within about a millisecond.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Reports that the opponent has played the expected move: the clock runs from now on.
    pub fn ponder_hit(&self) {
        self.pondering.store(false, Ordering::Relaxed);
    }

    /// The stop signal, which [`Control::stop`] sets.
    pub(crate) const fn flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// Whether [`Control::stop`] was called.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub(crate) fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Relaxed)
    }
}

/// Whole microseconds, at most `u64::MAX`.
pub(crate) fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn a_game_never_uses_up_its_clock() {
        for (start, increment, byoyomi, overhead) in [
            (100, 0, 0, 10),
            (100, 0, 0, 1),
            (60_000, 0, 0, 10),
            (1000, 100, 0, 10),
            (500, 0, 50, 10),
        ] {
            let mut remaining = ms(start);
            for _ in 0..500 {
                let clock = Clock {
                    remaining,
                    increment: ms(increment),
                    byoyomi: ms(byoyomi),
                    overhead: ms(overhead),
                    ..Clock::default()
                };
                let Allotment { optimum, maximum } = clock.allotment();
                assert!(optimum <= maximum);
                assert!(maximum < remaining + ms(byoyomi), "{clock:?}");
                remaining = remaining.saturating_sub(maximum) + ms(increment);
            }
        }
    }

    #[test]
    fn the_reserve_lasts_for_hundreds_of_moves() {
        let mut remaining = ms(80);
        for _ in 0..250 {
            let Allotment { optimum, maximum } =
                Clock { remaining, ..Clock::default() }.allotment();
            assert!(optimum > Duration::ZERO, "{remaining:?}");
            remaining -= maximum;
        }
        assert!(remaining > ms(20), "{remaining:?}");
    }

    #[test]
    fn time_lasts_until_more_is_added() {
        let mut remaining = ms(60_000);
        for moves in (1..=40).rev() {
            let clock = Clock { remaining, moves: Some(moves), ..Clock::default() };
            let Allotment { optimum, maximum } = clock.allotment();
            assert!(optimum <= maximum && maximum < remaining, "{clock:?}");
            remaining -= optimum;
        }
        // Before the last move half of what is left may be used, and more than by a clock without end.
        let clock = Clock { remaining: ms(10_000), moves: Some(1), ..Clock::default() };
        assert_eq!(clock.allotment().optimum, ms(4_995));
        assert!(Clock { moves: None, ..clock }.allotment().optimum < ms(500));
        // Some programs send 0 as the number of moves at the last one.
        assert_eq!(Clock { moves: Some(0), ..clock }.allotment(), clock.allotment());
    }

    #[test]
    fn byoyomi_is_used_well() {
        let clock = Clock { byoyomi: ms(1000), ..Clock::default() };
        assert_eq!(clock.allotment().maximum, ms(990));
        assert_eq!(clock.allotment().optimum, ms(990));
        let clock = Clock { remaining: ms(2000), ..clock };
        assert!(clock.allotment().optimum >= ms(950));
        assert!(clock.allotment().optimum < clock.allotment().maximum);
    }
}
