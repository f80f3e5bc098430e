//! Sennichite, the repetition of positions, and perpetual check.

use alloc::vec;
use alloc::vec::Vec;

use shogi_core::{Colour, Position, RuleTable};

use crate::outcome::{GameResult, Outcome, Reason};

/// The result of a game that ends because a position occurred too often.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RepetitionResult {
    /// This player has won.
    Win(Colour),
    /// Nobody has won.
    Draw,
    /// The game does not count and is played again with colours changed.
    NoResult,
    /// The player whose move repeated the position once too often has lost, as in Tori shogi.
    RepeaterLoses,
}

impl RepetitionResult {
    /// The result where this player made the last move.
    ///
    /// ```
    /// use shogi_rules::shogi_core::Colour;
    /// use shogi_rules::{GameResult, RepetitionResult};
    /// let result = RepetitionResult::RepeaterLoses.for_repeater(Colour::Sente);
    /// assert_eq!(result, GameResult::Win(Colour::Gote));
    /// ```
    pub fn for_repeater(self, repeater: Colour) -> GameResult {
        match self {
            Self::Win(winner) => GameResult::Win(winner),
            Self::Draw => GameResult::Draw,
            Self::NoResult => GameResult::NoResult,
            Self::RepeaterLoses => GameResult::Win(!repeater),
        }
    }
}

/// The rule on repeated positions.
///
/// A position is the same if the board, both hands and the side to move are. Each variant has its
/// own rule, [`Rules::REPETITION`](crate::Rules::REPETITION); a game can be played by another:
///
/// ```
/// use shogi_rules::{Game, KyotoShogi, RepetitionResult, RepetitionRule, Rules, parse_position};
/// let start = parse_position::<KyotoShogi>(KyotoShogi::START)?;
/// // As lishogi and PyChess play Kyoto shogi.
/// let thrice =
///     RepetitionRule { count: 3, result: RepetitionResult::Draw, perpetual_check: false };
/// let game = Game::with_rules(start, thrice, None);
/// assert_eq!(game.repetition_rule(), thrice);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RepetitionRule {
    /// The number of occurrences, the first included, that ends the game; with 0 repetition never ends it.
    pub count: u32,
    /// The result of that end.
    pub result: RepetitionResult,
    /// Whether instead a player loses whose every move since the first occurrence was a check.
    ///
    /// The Japan Shogi Association's playing regulations (taikyoku kitei, article 8, paragraph 7) apply this to
    /// the moves in which the position occurred four times, whether the position itself is a check or the
    /// answer to one. They do not say what happens if *both* players gave nothing but checks; here that is an
    /// ordinary repetition.
    pub perpetual_check: bool,
}

impl RepetitionRule {
    /// The rule of the Japan Shogi Association: at the fourth occurrence the game has no result and is played
    /// again; a player who gave perpetual check has lost.
    pub const SENNICHITE: Self =
        Self { count: 4, result: RepetitionResult::NoResult, perpetual_check: true };

    /// The end of a game by repetition, if its last position has occurred too often.
    pub(crate) fn judge<R: RuleTable>(
        self,
        positions: &[Position<R>],
        Occurrence { first, count }: Occurrence,
    ) -> Option<Outcome> {
        if count != self.count as usize {
            return None;
        }
        let repeater = !positions.last()?.side();
        let result = self.result.for_repeater(repeater);
        let repeated = Outcome { result, reason: Reason::Repetition };
        if !self.perpetual_check {
            return Some(repeated);
        }
        Some(match perpetual_checker(&positions[first + 1..]) {
            Some(checker) => Outcome::win(!checker, Reason::PerpetualCheck),
            None => repeated,
        })
    }
}

/// The place of a position's first occurrence in a game, and the number of its occurrences up to some move,
/// inclusive.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Occurrence {
    pub(crate) first: usize,
    pub(crate) count: usize,
}

/// How often each position of a game has occurred. Counting one more position takes the same time at any length
/// of the game, however often positions repeat.
#[derive(Clone, Default, Debug)]
pub(crate) struct Occurrences {
    /// One entry for each position of the game, in order.
    seen: Vec<Seen>,
    /// A hash table with the last place of each different position, counted from 1; 0 marks a free slot. A
    /// position is in the first matching slot from the low bits of its key on. The number of slots is a power
    /// of two and at least twice that of the positions.
    slots: Vec<usize>,
}

/// A position of a game, and the place of its previous occurrence, in the form of a slot.
#[derive(Clone, Copy, Debug)]
struct Seen {
    occurrence: Occurrence,
    before: usize,
}

impl PartialEq for Occurrences {
    /// Always true: the counts follow from the positions, which the game compares itself.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Occurrences {}

impl Occurrences {
    /// Counts the last of these positions; the others are already counted.
    pub(crate) fn push<R: RuleTable>(&mut self, positions: &[Position<R>]) {
        if self.slots.len() < 2 * positions.len() {
            self.grow(positions);
        }
        self.count(positions);
    }

    /// Does that once there are enough slots.
    fn count<R: RuleTable>(&mut self, positions: &[Position<R>]) {
        let Some(slot) = self.slot(positions) else { return };
        let place = positions.len();
        let before = self.slots[slot];
        let first_time = Occurrence { first: place - 1, count: 0 };
        let last = before.checked_sub(1).map_or(first_time, |last| self.seen[last].occurrence);
        let occurrence = Occurrence { count: last.count + 1, ..last };
        self.seen.push(Seen { occurrence, before });
        self.slots[slot] = place;
    }

    /// Forgets the last of these positions.
    pub(crate) fn pop<R: RuleTable>(&mut self, positions: &[Position<R>]) {
        // Positions are forgotten in the opposite order, so that no other was put behind its slot since.
        if let (Some(slot), Some(seen)) = (self.slot(positions), self.seen.pop()) {
            self.slots[slot] = seen.before;
        }
    }

    /// The last position, if any.
    pub(crate) fn last(&self) -> Option<Occurrence> {
        self.seen.last().map(|seen| seen.occurrence)
    }

    /// The slot for the last of these positions.
    fn slot<R: RuleTable>(&self, positions: &[Position<R>]) -> Option<usize> {
        let last = positions.last()?;
        let mask = self.slots.len() - 1;
        let mut slot = last.key() as usize & mask;
        while self.slots[slot] != 0 && positions[self.slots[slot] - 1] != *last {
            slot = (slot + 1) & mask;
        }
        Some(slot)
    }

    /// Makes room for twice as many positions, and counts all but the last again.
    #[cold]
    fn grow<R: RuleTable>(&mut self, positions: &[Position<R>]) {
        self.slots = vec![0; (4 * positions.len()).next_power_of_two().max(64)];
        self.seen.clear();
        for place in 1..positions.len() {
            self.count(&positions[..place]);
        }
    }
}

/// The player whose moves to these positions were all checks, if exactly one player's were.
fn perpetual_checker<R: RuleTable>(reached: &[Position<R>]) -> Option<Colour> {
    let mut only_checks = [true; 2];
    for position in reached {
        let all_before = &mut only_checks[(!position.side()).index()];
        *all_before = *all_before && position.is_check();
    }
    match only_checks {
        [true, false] => Some(Colour::Sente),
        [false, true] => Some(Colour::Gote),
        _ => None,
    }
}
