//! A rule set as a plain value.

use alloc::string::String;

use shogi_core::TableSpec;

use crate::impasse::ImpasseRule;
use crate::repetition::RepetitionRule;

/// The result for a player who has no legal move and is not in check.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stalemate {
    /// The player has lost, as in most games of the family (so also on lishogi and in Fairy-Stockfish).
    Loss,
    /// The game is drawn.
    Draw,
}

/// The content of [`Rules`](crate::Rules) as owned data: the rule table with its name, its start and its
/// end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleSpec {
    /// The name in scripts, such as `judkins`.
    pub name: String,
    /// The start position in SFEN.
    pub start: String,
    /// The board, the pieces and the rules of single moves.
    pub table: TableSpec,
    /// The rule on repeated positions.
    pub repetition: RepetitionRule,
    /// The result for a player who has no legal move and is not in check.
    pub stalemate: Stalemate,
    /// How points decide a game that no mate will decide, if they can.
    pub impasse: Option<ImpasseRule>,
}
