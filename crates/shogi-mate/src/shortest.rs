//! Mates of least length.
//!
//! Two searches share the budget and the table. One looks for a mate within one ply, then within the next
//! length, and so on: each refuted limit is a lower bound, and the first proved one is the least length. The
//! other looks for any mate: it finds mates far longer than the first could reach, and refutes positions in
//! which the first would not end. Its mate is then [shortened](super::shorten) in its turns, by searches that
//! may also find the least length. It is unknown which ends sooner, so they take turns of equal and growing
//! size: together they play at most about twice the moves of the faster one alone. While a mate far longer than
//! the limit reached upwards is being shortened, or a known line is being walked, the turns [upwards](upward_turn) are
//! smaller: then the factor may be five.

use shogi_core::{Move, Position};
use shogi_rules::Rules;

use super::interposition::Count;
use super::known_line::{KnownLine, any_mate};
use super::line::line;
use super::memory::{Known, LONGEST, UNLIMITED};
use super::search::{MateSearch, step};
use super::shorten::{EFFORT_TO_NOTE, Shortening};
use crate::budget::Budget;
use crate::numbers::ProofNumbers;

/// Moves played in the first turn. Most problems of up to 13 plies are solved in it.
const FIRST_TURN: u64 = 1 << 12;
/// Moves played in the first turn of shortening. The least length is often found upwards before that.
const FIRST_SHORTENING: u64 = 1 << 18;
/// The greatest divisor of a turn upwards, and that of shortening where the book's length is searched upwards.
const MOST_DIVISOR: u64 = 4;

/// The result of a search for a mate of least length.
pub struct Shortest<R: Rules> {
    /// The knowledge about the root. An exact length is by the wanted count; any other length counts every
    /// move.
    pub known: Known,
    /// Whether the length is proved to be the least, which needs a sufficient budget.
    pub exact: bool,
    /// The line of the first mate found, made while the table has its proof; `None` if the search ends early.
    /// It may be longer than the known length.
    pub first: Option<Vec<Move<R>>>,
}

/// Searches for a mate of least length by the given count.
pub fn shortest<R: Rules>(
    search: &mut MateSearch<'_, R>,
    root: &Position<R>,
    count: Count,
    budget: &mut Budget<'_>,
) -> Shortest<R> {
    let mut turns = Turns::new();
    turns.run(search, root, count, budget);
    turns.result()
}

/// The two searches and their turns, between two budgets.
#[derive(Debug)]
pub struct Turns<R: Rules> {
    /// Moves played in a turn.
    pub turn: u64,
    /// The least length that is not refuted.
    pub limit: u16,
    /// The findings about any mate.
    pub any: Known,
    /// The line of the first mate.
    pub first: Option<Vec<Move<R>>>,
    /// The guide of the search for any mate, if there is one.
    pub guide: Option<KnownLine<R>>,
    shortening: Shortening,
    /// Moves played of each part of a turn that a budget has ended.
    played: Parts,
    /// The findings with the least length, once it is known.
    least: Option<Known>,
}

/// Moves played of the parts of a turn.
#[derive(Clone, Copy, Default, Debug)]
struct Parts {
    upward: u64,
    any: u64,
    shortening: u64,
}

/// Does a part of a turn of at most so many moves, of which some may have been played.
pub fn part<'b, T>(
    played: &mut u64,
    most: u64,
    budget: &mut Budget<'b>,
    work: impl FnOnce(&mut Budget<'b>) -> T,
) -> T {
    let before = budget.spent();
    let done = budget.slice(most.saturating_sub(*played), work);
    *played += budget.spent() - before;
    done
}

impl<R: Rules> Turns<R> {
    /// No turn is taken yet.
    pub fn new() -> Self {
        Self {
            turn: FIRST_TURN,
            limit: next_length::<R>(0),
            any: Known::open(ProofNumbers::UNIT),
            first: None,
            guide: None,
            shortening: Shortening::new(),
            played: Parts::default(),
            least: None,
        }
    }

    /// Takes turns until the least length is known, or that there is no mate, or the budget ends. A turn that it ends is resumed
    /// with the next budget, so that no part of it waits for ever where budgets are small.
    pub fn run(
        &mut self,
        search: &mut MateSearch<'_, R>,
        root: &Position<R>,
        count: Count,
        budget: &mut Budget<'_>,
    ) {
        while !self.has_ended() {
            self.take_turn(search, root, count, budget);
            if budget.is_over() {
                break;
            }
            self.played = Parts::default();
            self.turn = self.turn.saturating_mul(2);
        }
    }

    fn take_turn(
        &mut self,
        search: &mut MateSearch<'_, R>,
        root: &Position<R>,
        count: Count,
        budget: &mut Budget<'_>,
    ) {
        let turn = self.turn;
        let shortens = turn >= FIRST_SHORTENING;
        let upward = match count {
            // A mate whose line is known is rarely short.
            _ if self.guide.is_some() && !self.any.is_final() => turn / MOST_DIVISOR,
            Count::Moves if shortens && self.any.is_proved() => {
                upward_turn(turn, self.limit, self.any.length)
            }
            _ => turn,
        };
        let (limit, guide, played) = (&mut self.limit, &mut self.guide, &mut self.played);
        let climbing = |budget: &mut Budget<'_>| climb(search, root, count, limit, budget);
        self.least = part(&mut played.upward, upward, budget, climbing);
        if self.least.is_some() {
            return;
        }
        if !self.any.is_final() {
            let guide = guide.as_mut();
            let searching = |budget: &mut Budget<'_>| any_mate(guide, search, root, budget);
            self.any = part(&mut played.any, turn, budget, searching);
        }
        // The upward search mostly finds short mates soon, and findings from so early are still in the table at
        // the end.
        if self.any.is_proved() && self.first.is_none() && turn >= FIRST_SHORTENING {
            self.first = line(search, root, self.any.length, false, budget);
            if let Some(line) = self.first.as_ref().filter(|_| shortens) {
                note(search, root, line, budget);
            }
        }
        if shortens && self.any.is_proved() {
            let shortening = &mut self.shortening;
            let walking = |budget: &mut Budget<'_>| shortening.go_on(search, root, budget);
            // By the book's count the search upwards alone finds the least length: a shorter mate only serves as
            // the answer if the budget ends before that.
            let most = if count == Count::Moves { turn } else { turn / MOST_DIVISOR };
            let least = part(&mut played.shortening, most, budget, walking);
            let length = least.or_else(|| search.known_length(root));
            self.any.length = length.map_or(self.any.length, |length| length.min(self.any.length));
            self.least = least.filter(|_| count == Count::Moves).map(|_| self.any);
        }
    }

    /// Whether the least length is known, or that there is no mate.
    pub const fn has_ended(&self) -> bool {
        self.least.is_some() || self.any.is_refuted()
    }

    /// The result so far.
    pub fn result(&self) -> Shortest<R> {
        let first = self.first.clone();
        Shortest { known: self.least.unwrap_or(self.any), exact: self.least.is_some(), first }
    }
}

/// Stores the lengths along a line from its end to the root in the table, which are often less than those of
/// the proof, so that shortening starts from them.
fn note<R: Rules>(
    search: &mut MateSearch<'_, R>,
    root: &Position<R>,
    line: &[Move<R>],
    budget: &mut Budget<'_>,
) {
    let mut positions = vec![*root];
    for (index, &mv) in line.iter().enumerate() {
        positions.push(positions[index].play_unchecked(mv));
    }
    for (left, position) in (0..).zip(positions.iter().rev()) {
        if search.known_length(position).is_some_and(|known| known > left) {
            budget.slice(EFFORT_TO_NOTE, |budget| search.run(position, left, budget));
        }
    }
}

/// Moves of a turn upwards from `limit`, beside shortening a mate of `length` plies: the turn times `limit` /
/// `length`, but at least a quarter of it.
fn upward_turn(turn: u64, limit: u16, length: u16) -> u64 {
    let part = u128::from(turn) * u128::from(limit.min(length)) / u128::from(length.max(1));
    // No more than the turn.
    (part as u64).max(turn / MOST_DIVISOR)
}

/// Raises the limit until there is a mate within it, or no mate at all; `None` if the budget ends.
fn climb<R: Rules>(
    search: &mut MateSearch<'_, R>,
    root: &Position<R>,
    count: Count,
    limit: &mut u16,
    budget: &mut Budget<'_>,
) -> Option<Known> {
    while *limit < LONGEST {
        let known = search.run_counting(count, root, *limit, budget);
        if known.is_proved() || known.length == UNLIMITED {
            return Some(known);
        }
        if !known.is_refuted() {
            return None;
        }
        *limit = next_length::<R>(known.length);
    }
    None
}

/// The least possible length of a mate longer than this.
fn next_length<R: Rules>(length: u16) -> u16 {
    let next = length.saturating_add(1);
    // Checks and replies take turns up to a checkmate, so its length is odd.
    if step::<R>() == 2 { next | 1 } else { next }
}

#[cfg(test)]
mod tests {
    use shogi_rules::{Minishogi, Shogi, parse_problem};

    use super::*;
    use crate::table::TranspositionTable;

    /// Each budget is smaller than a part of a turn, as where a checkpoint is saved in the middle of it.
    #[test]
    fn a_turn_that_a_budget_ends_is_resumed_with_the_next_one() {
        let root = parse_problem::<Minishogi>("+R3K/5/+S1G2/+p3B/1Bkrs b Gp 1").unwrap();
        let mut table = TranspositionTable::growing_to(16 << 20);
        let mut search = MateSearch::new(&mut table, root.side());
        let mut turns = Turns { turn: 1 << 14, ..Turns::new() };
        while !turns.has_ended() {
            turns.run(&mut search, &root, Count::Moves, &mut Budget::nodes(1 << 13));
        }
        let Shortest { known, exact, .. } = turns.result();
        assert_eq!((known.length, exact), (21, true));
        assert!(turns.any.is_proved(), "the search for any mate has had its part");
    }

    /// The naked king of Zuko 98: the first mate has 45 plies, and by the book's count the search upwards takes far longer.
    #[test]
    fn a_first_mate_becomes_shorter_while_the_books_length_is_searched() {
        let sfen = "8k/9/9/9/9/9/9/9/9 b R2GSr2b2g3s4n4l18p 1";
        let root = parse_problem::<Shogi>(sfen).unwrap();
        let mut table = TranspositionTable::growing_to(256 << 20);
        let mut search = MateSearch::new(&mut table, root.side());
        let mut turns = Turns { turn: FIRST_SHORTENING, ..Turns::new() };
        turns.run(&mut search, &root, Count::Book, &mut Budget::nodes(3_400_000));
        let Shortest { known, exact, first } = turns.result();
        assert_eq!((known.length, exact), (37, false));
        assert!(first.is_some_and(|first| first.len() > 40));
    }

    #[test]
    fn turns_upwards_are_shorter_where_the_mate_is_far() {
        assert_eq!(upward_turn(1 << 20, 19, 25), (1 << 20) * 19 / 25);
        assert_eq!(upward_turn(1 << 20, 19, 1577), 1 << 18);
        // A mate that the limit has reached, and a game that is won before the first move.
        assert_eq!(upward_turn(1 << 20, 25, 25), 1 << 20);
        assert_eq!(upward_turn(1 << 20, 1, 0), 1 << 18);
        assert_eq!(upward_turn(u64::MAX, u16::MAX, 1), u64::MAX);
    }
}
