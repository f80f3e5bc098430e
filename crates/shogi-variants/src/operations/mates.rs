//! Problems of mate.

use std::format;
use std::string::String;
use std::vec::Vec;

#[cfg(feature = "record")]
use shogi_rules::record::{Format, Record};
#[cfg(feature = "record")]
use shogi_rules::shogi_core::Move;
use shogi_rules::shogi_core::{Colour, Face, Position};
use shogi_rules::{Dialect, to_sfen_in, to_usi_in, write_face};
use shogi_solve::Budget;
use shogi_solve::mate::{Examination, MateSolver, Options, PieceOf, Unknown, Useless, Wanted};

use super::Error;
#[cfg(doc)]
use super::SolvingTasks;
use crate::RuleSet;
use crate::tasks::{Mate, after, mate_problem, written_with_others};

/// Which attempt at a problem to make: see [`SolvingTasks::compose_problem`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// Draws all attempts.
    pub seed: u64,
    /// The number of the attempt.
    pub number: u64,
    /// What the problem has to be like.
    pub wanted: Wanted,
}

/// A problem, examined: the answer of [`SolvingTasks::examine_problem`].
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Problem {
    /// The position.
    pub sfen: String,
    /// The solution by the book's count, with what mates beside it.
    pub mate: Mate,
    /// Pieces left in the attacker's hand at the end of the line.
    pub left: u32,
    /// Useless interpositions: the plies of the line before each, and the move in USI notation.
    pub useless: Vec<(usize, String)>,
    /// Pieces that are not needed: a square such as `5d`, or a piece in hand such as `G*`.
    pub unnecessary: Vec<String>,
    /// Whether there is one solution, up to its last move.
    pub is_unique: bool,
    /// Whether it is a problem as books print them.
    pub is_sound: bool,
    /// What of this is not known, since the budget ended before.
    pub unknown: Vec<Unknown>,
    /// Whether all of this is known: the budget did not end before.
    pub complete: bool,
    /// The solution as a record; `None` if it cannot be one.
    #[cfg(feature = "record")]
    pub record: Option<ProblemRecord>,
}

/// A solution in Japanese.
#[cfg(feature = "record")]
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ProblemRecord {
    /// The moves as books print them, with a blank between two.
    pub moves: String,
    /// A KIF record.
    pub kif: String,
}

#[cfg(feature = "record")]
impl ProblemRecord {
    fn new<R: RuleSet>(root: &Position<R>, line: &[Move<R>]) -> Option<Self> {
        let mut record = Record::new(*root);
        for &mv in line {
            record.push(mv).ok()?;
        }
        let moves = moves_of_ki2(&Format::Ki2.write(&record).ok()?);
        Some(Self { moves, kif: Format::Kif.write(&record).ok()? })
    }
}

/// The moves of a record in KI2, on one line.
#[cfg(feature = "record")]
fn moves_of_ki2(text: &str) -> String {
    let moves = text.lines().filter(|line| line.starts_with(['▲', '△']));
    let moves: Vec<_> = moves.flat_map(str::split_whitespace).collect();
    moves.join(" ")
}

/// Examines a problem.
pub(super) fn examine<R: RuleSet>(
    text: &str,
    options: Options,
    budget: &mut Budget<'_>,
    dialect: Option<Dialect>,
) -> Result<Problem, Error> {
    let root = mate_problem::<R>(text)?;
    let found = MateSolver::new(options).examine(&root, budget);
    Ok(examined(root, &found, dialect))
}

/// Makes one attempt at a problem.
pub(super) fn compose<R: RuleSet>(
    Attempt { seed, number, wanted }: Attempt,
    options: Options,
    budget: &mut Budget<'_>,
    dialect: Option<Dialect>,
) -> Option<Problem> {
    let found = MateSolver::<R>::new(options).compose(seed, number, &wanted, budget)?;
    Some(examined(found.position, &found.examination, dialect))
}

/// A problem and what was found out about it, in text.
fn examined<R: RuleSet>(
    root: Position<R>,
    found: &Examination<R>,
    dialect: Option<Dialect>,
) -> Problem {
    let line = &found.answer.line;
    let mate = written_with_others(root, &found.answer, &found.others, true, dialect);
    let written_in = dialect.unwrap_or(R::dialect());
    let useless = found
        .useless
        .iter()
        .map(|&Useless { ply, mv }| (ply, to_usi_in(mv, &after(root, &line[..ply]), written_in)));
    let unnecessary = found.unnecessary.iter().map(|piece| match piece {
        PieceOf::OnBoard(square) => format!("{square}"),
        PieceOf::InHand(kind) => {
            let mut text = String::new();
            write_face::<R>(Face::front(*kind), Colour::Sente, written_in, &mut text);
            text + "*"
        }
    });
    Problem {
        sfen: to_sfen_in(root.placement(), written_in),
        mate,
        left: found.left,
        useless: useless.collect(),
        unnecessary: unnecessary.collect(),
        is_unique: found.is_unique(),
        is_sound: found.is_sound(),
        unknown: found.unknown.clone(),
        complete: found.complete,
        #[cfg(feature = "record")]
        record: ProblemRecord::new(&root, line),
    }
}
