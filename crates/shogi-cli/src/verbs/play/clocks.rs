//! The clocks of both players.

use std::time::{Duration, Instant};

use shogi_rules::shogi_core::Colour;
use shogi_search::{Clock, Limits};

/// The clocks of a game that is played with some.
pub struct Clocks {
    left: [Duration; 2],
    increment: Duration,
    byoyomi: Duration,
}

impl Clocks {
    /// The clocks as the options say, after each player has thought for so many seconds; `None` if no time is given.
    pub fn new(
        clock: Option<Duration>,
        increment: Option<Duration>,
        byoyomi: Option<Duration>,
        spent: [u32; 2],
    ) -> Option<Self> {
        clock.or(increment).or(byoyomi)?;
        let left =
            |spent| clock.unwrap_or_default().saturating_sub(Duration::from_secs(u64::from(spent)));
        let (increment, byoyomi) = (increment.unwrap_or_default(), byoyomi.unwrap_or_default());
        // Who has not moved yet has the first increment, as servers have it.
        Some(Self { left: spent.map(|spent| left(spent) + increment), increment, byoyomi })
    }

    /// When a player who begins to think now has lost.
    pub fn deadline(&self, player: Colour) -> Option<Instant> {
        Instant::now().checked_add(self.left[player.index()] + self.byoyomi)
    }

    /// Takes the time of a move from the clock of a player. Whether there was enough.
    pub fn spend(&mut self, player: Colour, time: Duration) -> bool {
        let left = &mut self.left[player.index()];
        let is_enough = time <= *left + self.byoyomi;
        *left = left.saturating_sub(time) + if is_enough { self.increment } else { Duration::ZERO };
        is_enough
    }

    /// The limits of a search for a player.
    pub fn limits(&self, player: Colour) -> Limits {
        let Self { left, increment, byoyomi } = *self;
        let remaining = left[player.index()];
        let clock = Clock { remaining, increment, byoyomi, ..Clock::default() };
        Limits { clock: Some(clock), ..Limits::default() }
    }

    /// The time left to a player, in minutes and seconds.
    pub fn shown(&self, player: Colour) -> String {
        let seconds = self.left[player.index()].as_secs();
        format!("{}:{:02}", seconds / 60, seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(number: u64) -> Duration {
        Duration::from_secs(number)
    }

    #[test]
    fn a_clock_runs_down_and_byoyomi_follows() {
        let mut clocks = Clocks::new(Some(seconds(10)), None, Some(seconds(5)), [4, 0]).unwrap();
        assert_eq!([Colour::Sente, Colour::Gote].map(|one| clocks.shown(one)), ["0:06", "0:10"]);
        assert!(clocks.spend(Colour::Sente, seconds(8)));
        assert_eq!(clocks.shown(Colour::Sente), "0:00");
        assert!(clocks.spend(Colour::Sente, seconds(5)));
        assert!(!clocks.spend(Colour::Sente, seconds(6)));
        assert!(Clocks::new(None, None, None, [0; 2]).is_none());
    }

    #[test]
    fn each_move_adds_the_increment() {
        let mut clocks = Clocks::new(Some(seconds(10)), Some(seconds(3)), None, [0; 2]).unwrap();
        assert!(clocks.spend(Colour::Gote, seconds(1)));
        assert_eq!(clocks.shown(Colour::Gote), "0:15");
    }
}
