//! The limits that `go` sets to a search.

use std::time::Duration;

use shogi_mate::Budget;

use super::command::{Go, Mate};
use crate::limits::{Clock, Control, Limits};

/// The time of a search whose `go` has no limit that binds the player to move.
pub(super) const FALLBACK: Duration = Duration::from_secs(1);

/// The limits of a search that begins `waited` after `go`.
pub(super) fn limits(go: &Go, side: usize, overhead: Duration, waited: Duration) -> Limits {
    if go.infinite {
        return Limits::default();
    }
    let overhead = kept_back(go, side, overhead) + waited;
    let increment = go.increment[side];
    let timed = go.remaining[side].is_some() || go.byoyomi.is_some() || increment > Duration::ZERO;
    let clock = timed.then(|| Clock {
        remaining: go.remaining[side].unwrap_or_default(),
        increment,
        byoyomi: go.byoyomi.unwrap_or_default(),
        moves: go.moves_to_go,
        overhead,
    });
    // The other player's clock alone sets no limit.
    let unlimited = clock.is_none() && go.nodes.is_none() && go.depth.is_none();
    let fallback = (go.has_clock() && unlimited).then_some(FALLBACK);
    let move_time = go.move_time.or(fallback);
    let move_time =
        move_time.map(|time| time.saturating_sub(overhead).max(Duration::from_millis(1)));
    Limits { depth: go.depth, nodes: go.nodes, move_time, clock }
}

/// The time reserved for the transmission of a move: the overhead, unless it has its default and would be a
/// large part of a fixed time for each move.
fn kept_back(go: &Go, side: usize, overhead: Duration) -> Duration {
    /// The reserved part of a fixed time, and the least, since a search stops about a millisecond late.
    const PART: u32 = 32;
    const LEAST: Duration = Duration::from_millis(2);
    let usual = Clock::default().overhead;
    if overhead != usual {
        return overhead;
    }
    let counted = go.remaining[side].is_some_and(|left| !left.is_zero());
    let fixed = go.move_time.or(go.byoyomi).filter(|_| !counted && go.increment[side].is_zero());
    fixed.map_or(usual, |time| (time / PART).clamp(LEAST, usual))
}

/// The budget of a search for a mate.
pub(super) fn mate_budget(time: Mate, max_nodes: u64, control: &Control) -> Budget<'_> {
    /// A century. A limit of time makes the search read the clock, which is where a host without threads takes
    /// its turn.
    const ENDLESS: Duration = Duration::from_secs(3_155_760_000);
    let time = match time {
        Mate::Within(time) => time,
        Mate::Infinite => ENDLESS,
    };
    Budget::nodes(max_nodes).stopped_by(control.flag()).time(time)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::usi::command::parse_go;

    const MS: Duration = Duration::from_millis(1);

    fn limits_of(line: &str, overhead: Duration) -> Limits {
        let (go, mistake) = parse_go(line);
        assert_eq!(mistake, None);
        limits(&go, 0, overhead, MS)
    }

    #[test]
    fn little_of_a_short_fixed_time_is_kept_back_unless_another_overhead_is_set() {
        let fixed = |milliseconds, overhead| {
            let searched = limits_of(&format!("go movetime {milliseconds}"), overhead).move_time;
            for clock in ["", "btime 0 wtime 0 "] {
                let line = format!("go {clock}byoyomi {milliseconds}");
                let clock = limits_of(&line, overhead).clock.unwrap();
                assert_eq!(Some(clock.byoyomi - clock.overhead), searched, "{line}");
            }
            searched.unwrap()
        };
        assert_eq!(fixed(3200, 10 * MS), 3189 * MS);
        assert_eq!(fixed(96, 10 * MS), 92 * MS);
        assert_eq!(fixed(20, 10 * MS), 17 * MS);
        assert_eq!(fixed(96, 20 * MS), 75 * MS);
        assert_eq!(fixed(96, Duration::ZERO), 95 * MS);
    }

    #[test]
    fn a_clock_that_is_used_up_move_by_move_keeps_the_usual_overhead() {
        for line in ["go btime 100 wtime 0 byoyomi 96", "go btime 0 wtime 0 binc 96", "go btime 96"]
        {
            assert_eq!(limits_of(line, 10 * MS).clock.unwrap().overhead, 11 * MS, "{line}");
        }
    }
}
