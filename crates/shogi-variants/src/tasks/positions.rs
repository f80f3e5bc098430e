//! Positions, their moves, and the positions before them.

use std::string::String;
#[cfg(feature = "record")]
use std::vec::Vec;

use super::{Session, Task};
#[cfg(feature = "record")]
use crate::operations::{Diagram, MoveNotation};
use crate::operations::{Moves, Predecessors, PrintedPosition, Retraction};
use crate::{Error, Variant};

/// Defines tasks without settings: for each its name and how it answers.
macro_rules! tasks {
    ($($(#[$about:meta])* $task:ident($name:literal) = |$variant:ident, $line:ident, $session:ident| -> $answer:ty $body:block)*) => {
        $(
            $(#[$about])*
            #[derive(Clone, Copy, PartialEq, Eq, Default, Debug, serde::Deserialize)]
            #[serde(deny_unknown_fields)]
            #[cfg_attr(feature = "clap", derive(clap::Args))]
            pub struct $task {}

            impl Task for $task {
                const NAME: &'static str = $name;
                type Answer = $answer;

                fn answer(
                    &self,
                    $variant: Variant,
                    $line: &str,
                    $session: &mut Session<'_>,
                ) -> Result<$answer, Error> $body
            }
        )*
    };
}

tasks! {
    /// Lists the legal moves of a position: [`RuleTasks::moves`](crate::operations::RuleTasks::moves).
    MovesTask("moves") = |variant, line, session| -> Moves {
        variant.rules().moves(line, session.dialect)
    }

    /// Lists the legal positions from which one legal move leads to a position.
    UnmovesTask("unmoves") = |variant, line, session| -> Predecessors<String> {
        let before = variant.rules().retractions(line, session.dialect)?;
        Ok(Predecessors { predecessors: before.into_iter().map(|one| one.sfen).collect() })
    }

    /// Like [`UnmovesTask`], with the moves that lead here.
    RetractTask("retract") = |variant, line, session| -> Predecessors<Retraction> {
        Ok(Predecessors { predecessors: variant.rules().retractions(line, session.dialect)? })
    }

    /// Writes the start with a name, in variants that have several.
    StartTask("start") = |variant, line, _session| -> PrintedPosition {
        Ok(PrintedPosition { sfen: variant.rules().named_start(line.trim())? })
    }
}

#[cfg(feature = "record")]
tasks! {
    /// Says what stands where in a placement, which may break the rules.
    DiagramTask("diagram") = |variant, line, session| -> Diagram {
        variant.rules().diagram(line, session.dialect)
    }
}

/// Writes moves from a position as people write them: [`RuleTasks::notate`](crate::operations::RuleTasks::notate).
///
/// The answer is an error if the line stands for no position, or a move is not legal.
#[cfg(feature = "record")]
#[derive(Clone, PartialEq, Eq, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NotateTask {
    /// The notation: japanese, western or usi.
    #[serde(deserialize_with = "super::read::text")]
    pub notation: MoveNotation,
    /// The moves in USI notation.
    pub moves: Vec<String>,
}

#[cfg(feature = "record")]
impl Task for NotateTask {
    const NAME: &'static str = "notate";
    type Answer = Vec<String>;

    fn answer(
        &self,
        variant: Variant,
        line: &str,
        session: &mut Session<'_>,
    ) -> Result<Vec<String>, Error> {
        variant.rules().notate(line, &self.moves.join(" "), self.notation, session.dialect)
    }
}
