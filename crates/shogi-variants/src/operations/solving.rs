//! Mates and values of positions.

use std::string::String;
use std::vec::Vec;

use shogi_rules::Dialect;
use shogi_rules::shogi_core::{Faults, Position};
use shogi_solve::Budget;
use shogi_solve::mate::{Answer, Options, Solver, Status};

use super::position::{in_usi, placement};
use super::{Error, Of};
use crate::RuleSet;

/// Tasks that need proof searches.
pub trait AnySolving: Sync {
    /// Whether the player to move mates by checks, whatever the opponent does. The attacker may have no
    /// king, as in problems.
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position, or the defender has no king.
    ///
    /// ```
    /// use shogi_variants::Variant;
    /// use shogi_variants::solve::{Budget, mate::Options};
    /// let options = Options { hash_bytes: 1 << 20, shortest: true };
    /// let position = "4k/5/3PP/5/K4 b G 1";
    /// let mate = Variant::Minishogi.solving().mate(position, options, &mut Budget::unlimited(), None)?;
    /// assert_eq!((mate.plies, mate.line.len()), (Some(3), 3));
    /// # Ok::<(), shogi_variants::Error>(())
    /// ```
    fn mate(
        &self,
        position: &str,
        options: Options,
        budget: &mut Budget<'_>,
        dialect: Option<Dialect>,
    ) -> Result<Mate, Error>;
}

/// The answer of [`AnySolving::mate`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mate {
    /// Whether there is a mate.
    pub status: Status,
    /// If there is one: in how many plies at most.
    pub plies: Option<u32>,
    /// Whether no shorter mate exists.
    pub exact: bool,
    /// A line of that many plies in USI notation.
    pub line: Vec<String>,
    /// Moves played in the search.
    pub nodes: u64,
    /// Positions whose moves were listed.
    pub expansions: u64,
}

impl<R: RuleSet> AnySolving for Of<R> {
    fn mate(
        &self,
        text: &str,
        options: Options,
        budget: &mut Budget<'_>,
        dialect: Option<Dialect>,
    ) -> Result<Mate, Error> {
        let position = Position::<R>::new_allowing(placement(text)?, Faults::MISSING_KING)?;
        if R::ROYAL_SAFETY && position.king(!position.side()).is_none() {
            return Err(Error::NoKing);
        }
        let Answer { status, plies, exact, line, nodes, expansions } =
            Solver::new(options).solve(&position, budget);
        Ok(Mate { status, plies, exact, line: in_usi(position, &line, dialect), nodes, expansions })
    }
}
