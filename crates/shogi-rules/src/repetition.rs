//! Sennichite, the repetition of positions, and perpetual check.

use shogi_core::{Colour, Position, RuleTable};

use crate::outcome::{GameResult, Outcome, Reason};

/// The result of a game that ends because a position came up too often.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RepetitionResult {
    /// This player has won.
    Win(Colour),
    /// Nobody has won.
    Draw,
    /// The game does not count and is played again with colours changed.
    NoResult,
    /// The player whose move brought the position about once too often has lost, as in Tori shogi.
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

/// What happens when a position comes up again and again.
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
    /// How many times a position comes up before the game ends, the first time included; with 0 it
    /// never ends so.
    pub count: u32,
    /// The result then.
    pub result: RepetitionResult,
    /// Whether a player whose every move since the position first came up was a check has lost
    /// instead.
    ///
    /// The Japan Shogi Association's playing regulations (taikyoku kitei, article 8, paragraph 7)
    /// say so of the series of moves in which the position came up four times, whether check is
    /// being given in that position or was just answered. They do not say what happens if *both*
    /// players gave nothing but checks; here that is an ordinary repetition.
    pub perpetual_check: bool,
}

impl RepetitionRule {
    /// The rule of the Japan Shogi Association: at the fourth occurrence no result, the game is
    /// played again; a player who gave perpetual check has lost.
    pub const SENNICHITE: Self =
        Self { count: 4, result: RepetitionResult::NoResult, perpetual_check: true };

    /// The end of the game with these positions if the last of them has come up too often.
    pub(crate) fn judge<R: RuleTable>(self, positions: &[Position<R>]) -> Option<Outcome> {
        let (first, count) = occurrences(positions)?;
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

/// The first index at which the last position came up, and how often it has, the last time included.
pub(crate) fn occurrences<R: RuleTable>(positions: &[Position<R>]) -> Option<(usize, usize)> {
    let last = positions.last()?;
    let (mut first, mut count) = (None, 0);
    for (index, position) in positions.iter().enumerate() {
        if position == last {
            first = first.or(Some(index));
            count += 1;
        }
    }
    Some((first?, count))
}

/// The player, if just one, whose moves to these positions were all checks.
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
