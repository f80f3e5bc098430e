//! How a game has ended: its result, and the reason.

use core::fmt;

use shogi_core::{Colour, Violations};

use crate::rules::Verdict;

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameResult {
    /// This player has won.
    Win(Colour),
    /// Nobody has won.
    Draw,
    /// The game does not count and is played again with colours changed (mushobu).
    NoResult,
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win(colour) => write!(f, "{colour} wins"),
            Self::Draw => f.write_str("draw"),
            Self::NoResult => f.write_str("no result"),
        }
    }
}

/// Why a game has ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// A king is in check and no move saves it.
    Checkmate,
    /// A player who is not in check has no legal move; see [`Stalemate`](crate::Stalemate).
    Stalemate,
    /// A lion was captured.
    LionCaptured,
    /// A lion stands on the last rank, not attacked; or a king stands where the other king stood at
    /// the start, by [`EnteringKingRule::Try`](crate::EnteringKingRule::Try).
    Try,
    /// Both lions stand on their last ranks, not attacked.
    BothTries,
    /// The same position occurred too often; see [`RepetitionRule`](crate::RepetitionRule).
    Repetition,
    /// The same position occurred too often, and the player whose moves were all checks has lost.
    PerpetualCheck,
    /// The players agreed on impasse and counted points; see [`ImpasseRule`](crate::ImpasseRule).
    Impasse,
    /// A player declared a win by an entered king, and all conditions held.
    Declaration,
    /// A player declared although a condition failed, and has lost.
    FailedDeclaration,
    /// A player made an illegal move and has lost.
    IllegalMove(Violations),
    /// A player resigned.
    Resignation,
}

impl Reason {
    /// Whether the last move ended the game, rather than a player or a referee.
    pub const fn is_on_the_board(self) -> bool {
        match self {
            Self::Checkmate
            | Self::Stalemate
            | Self::LionCaptured
            | Self::Try
            | Self::BothTries
            | Self::Repetition
            | Self::PerpetualCheck => true,
            Self::Impasse
            | Self::Declaration
            | Self::FailedDeclaration
            | Self::IllegalMove(_)
            | Self::Resignation => false,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::LionCaptured => "lion captured",
            Self::Try => "try",
            Self::BothTries => "both tries",
            Self::Repetition => "repetition",
            Self::PerpetualCheck => "perpetual check",
            Self::Impasse => "impasse",
            Self::Declaration => "declaration",
            Self::FailedDeclaration => "failed declaration",
            Self::IllegalMove(violations) => return write!(f, "illegal move: {violations}"),
            Self::Resignation => "resignation",
        })
    }
}

/// The end of a game.
///
/// ```
/// use shogi_rules::shogi_core::Colour;
/// use shogi_rules::{GameResult, Outcome, Reason};
/// let outcome = Outcome::win(Colour::Gote, Reason::PerpetualCheck);
/// assert_eq!(outcome.winner(), Some(Colour::Gote));
/// assert_eq!(outcome.to_string(), "Gote wins (perpetual check)");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// The result.
    pub result: GameResult,
    /// The reason for it.
    pub reason: Reason,
}

impl Outcome {
    /// A win for this player.
    pub const fn win(winner: Colour, reason: Reason) -> Self {
        Self { result: GameResult::Win(winner), reason }
    }

    /// A draw.
    pub const fn draw(reason: Reason) -> Self {
        Self { result: GameResult::Draw, reason }
    }

    /// The player who has won, if one has.
    pub const fn winner(self) -> Option<Colour> {
        match self.result {
            GameResult::Win(winner) => Some(winner),
            GameResult::Draw | GameResult::NoResult => None,
        }
    }

    /// The result for a player; a game without a result is a draw.
    ///
    /// ```
    /// use shogi_rules::shogi_core::Colour;
    /// use shogi_rules::{Outcome, Reason, Verdict};
    /// let outcome = Outcome::win(Colour::Gote, Reason::Checkmate);
    /// assert_eq!(outcome.verdict(Colour::Sente), Verdict::Loss);
    /// ```
    pub fn verdict(self, player: Colour) -> Verdict {
        match self.winner() {
            Some(winner) if winner == player => Verdict::Win,
            Some(_) => Verdict::Loss,
            None => Verdict::Draw,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.result, self.reason)
    }
}
