//! The moves of a position, and those that lead to it.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use shogi_rules::shogi_core::Colour;
use shogi_rules::{Dialect, Game, Outcome, Reason, Rules, Verdict, to_usi_in};

use super::Error;
#[cfg(doc)]
use super::RuleTasks;
use super::position::game;

/// [`RuleTasks::moves`] of a rule set, for programs that need no other task: a program that calls one of [`RuleTasks`] has
/// the code of all of them.
///
/// ```
/// use shogi_variants::operations::legal_moves;
/// use shogi_variants::rules::Dobutsu;
/// let moves = legal_moves::<Dobutsu>("startpos moves 2c2b", None)?;
/// assert!(moves.check && moves.end.is_none());
/// # Ok::<(), shogi_variants::Error>(())
/// ```
///
/// # Errors
///
/// If the text stands for no position, in which one player may have no king.
pub fn legal_moves<R: Rules>(text: &str, dialect: Option<Dialect>) -> Result<Moves, Error> {
    Ok(Moves::of(&game::<R>(text)?, dialect))
}

/// The legal moves of a position, for [`RuleTasks::moves`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Moves {
    /// Whether the player to move is in check.
    pub check: bool,
    /// The result for the player to move, if the game is over.
    pub end: Option<Verdict>,
    /// The rule that ended the game, if it is over.
    #[cfg_attr(
        feature = "serde",
        serde(skip_serializing_if = "Option::is_none", serialize_with = "super::serde::reason")
    )]
    pub why: Option<Reason>,
    /// The player who gave the checks, after a perpetual check.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub by: Option<Colour>,
    /// Whether the player to move wins by a declaration on having entered the enemy camp.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "core::ops::Not::not"))]
    pub declaration: bool,
    /// The moves in USI notation, sorted; none at an end.
    pub moves: Vec<String>,
}

/// A position from which a move leads to another, for [`RuleTasks::retractions`].
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Retraction {
    /// The position in SFEN.
    pub sfen: String,
    /// The moves that lead from it, in USI notation, sorted: nearly always one.
    pub moves: Vec<String>,
}

impl Retraction {
    /// Positions with a move each, sorted; two moves can lead from one position.
    pub(super) fn joined(mut retractions: Vec<(String, String)>) -> Vec<Self> {
        retractions.sort_unstable();
        let mut joined: Vec<Self> = Vec::new();
        for (sfen, mv) in retractions {
            match joined.last_mut() {
                Some(last) if last.sfen == sfen => last.moves.push(mv),
                _ => joined.push(Self { sfen, moves: alloc::vec![mv] }),
            }
        }
        joined
    }
}

impl Moves {
    /// The legal moves in a game.
    pub(crate) fn of<R: Rules>(game: &Game<R>, dialect: Option<Dialect>) -> Self {
        let (position, dialect) = (game.position(), dialect.unwrap_or(R::dialect()));
        let mut moves = Vec::new();
        if game.outcome().is_none() {
            for mv in position.legal_moves() {
                moves.push(to_usi_in(mv, position, dialect));
            }
        }
        let (side, check) = (position.side(), position.is_check());
        Self::new(game.outcome(), side, check, game.may_declare(), moves)
    }

    /// The moves of a game with this outcome, if it is over, whose player to move may be in check or win by a
    /// declaration.
    fn new(
        outcome: Option<Outcome>,
        side: Colour,
        check: bool,
        declaration: bool,
        mut moves: Vec<String>,
    ) -> Self {
        moves.sort_unstable();
        let why = outcome.map(|outcome| outcome.reason);
        let winner = outcome.and_then(Outcome::winner);
        Self {
            check,
            end: outcome.map(|outcome| outcome.verdict(side)),
            why,
            by: winner.filter(|_| why == Some(Reason::PerpetualCheck)).map(|winner| !winner),
            declaration,
            moves,
        }
    }
}

impl fmt::Display for Moves {
    /// Writes a line for the state of the game and the moves below it, ten a line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(end) = self.end {
            write!(f, "the game is over: {} for the player to move", end.name())?;
            let by = self.by.map_or("", |colour| match colour {
                Colour::Sente => " by Sente",
                Colour::Gote => " by Gote",
            });
            return self.why.map_or(Ok(()), |why| write!(f, " ({why}{by})"));
        }
        let (check, count) = (if self.check { "in check, " } else { "" }, self.moves.len());
        write!(f, "{check}{count} legal move{}", if count == 1 { "" } else { "s" })?;
        if self.declaration {
            f.write_str(", or a declaration that wins")?;
        }
        self.moves.chunks(10).try_for_each(|line| write!(f, "\n{}", line.join(" ")))
    }
}
