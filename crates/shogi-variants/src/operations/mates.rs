//! Mates, and problems of mate.

use std::format;
use std::string::String;
use std::vec::Vec;

#[cfg(feature = "record")]
use shogi_rules::record::{Format, Record};
use shogi_rules::shogi_core::{Colour, Face, Move, Position};
use shogi_rules::{Dialect, to_sfen_in, to_usi_in, write_face};
use shogi_solve::Budget;
use shogi_solve::mate::{
    Alternatives, Cook, Examination, MateAnswer, MateSolver, Options, PieceOf, Status, Unknown,
    Useless, Wanted,
};

use super::Error;
#[cfg(doc)]
use super::SolvingTasks;
use super::position::{play_in_usi, problem};
use crate::RuleSet;

/// What to look for in a position: see [`SolvingTasks::mate`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct MateTask {
    /// Memory, and whether a mate has to be a shortest one.
    pub options: Options,
    /// Count as problem books do: useless interpositions are no moves, and the mate is a shortest one
    /// ([`MateSolver::solve_by_the_book`]).
    pub by_the_book: bool,
    /// Find a shortest mate and what mates beside its line ([`Mate::others`]).
    pub with_others: bool,
    /// Threads that search for any mate together ([`MateSolver::solve_together`]); 0 is one thread, too. A shortest mate is
    /// searched by one in any case.
    pub threads: usize,
}

impl From<Options> for MateTask {
    fn from(options: Options) -> Self {
        Self { options, by_the_book: false, with_others: false, threads: 1 }
    }
}

/// The answer of [`SolvingTasks::mate`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Mate {
    /// If there is a mate: in how many plies at most.
    #[cfg_attr(feature = "serde", serde(rename = "mate"))]
    pub plies: Option<u32>,
    /// Whether no shorter mate exists.
    pub exact: bool,
    /// Whether there is a mate.
    #[cfg_attr(feature = "serde", serde(serialize_with = "super::serde::status"))]
    pub status: Status,
    /// A line of that many plies in USI notation; a mate always has one.
    #[cfg_attr(feature = "serde", serde(rename = "pv"))]
    pub line: Vec<String>,
    /// Moves played in the search.
    pub nodes: u64,
    /// Positions entered: how often the moves of a position were generated to search it.
    pub expansions: u64,
    /// What mates beside the line, if the task was to find that.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub others: Option<OtherMates>,
}

/// What mates beside the line of a shortest mate.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct OtherMates {
    /// All first moves that mate in the least length, in USI notation; the line's own is one of them.
    #[cfg_attr(feature = "serde", serde(rename = "first"))]
    pub first_moves: Vec<String>,
    /// All other moves beside the line that mate, in order.
    pub cooks: Vec<OtherMate>,
    /// By the book's count the other last moves that mate, which are no cooks; none beside a line of one
    /// ply. `None` by any other count.
    #[cfg_attr(feature = "serde", serde(rename = "last", skip_serializing_if = "Option::is_none"))]
    pub last_moves: Option<Vec<String>>,
    /// Whether all other moves are known not to mate.
    pub complete: bool,
}

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
#[derive(Clone, PartialEq, Eq, Debug)]
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

/// A move that mates beside the one in the line.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct OtherMate {
    /// The number of the line's move that it stands beside, from 1.
    pub number: usize,
    /// The move in USI notation.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub mv: String,
    /// Plies to the mate at most, this move included.
    #[cfg_attr(feature = "serde", serde(rename = "mate"))]
    pub plies: u32,
}

/// A mate, and what mates beside it if the task says so.
pub(super) fn mate<R: RuleSet>(
    text: &str,
    MateTask { options, by_the_book, with_others, threads }: MateTask,
    budget: &mut Budget<'_>,
    dialect: Option<Dialect>,
) -> Result<Mate, Error> {
    Error::check_memory(options.hash_bytes)?;
    let root = mate_problem::<R>(text)?;
    // The book's count has a shortest mate in any case.
    let shortest = options.shortest || with_others && !by_the_book;
    let mut solver = MateSolver::new(Options { shortest, ..options });
    let answer = match by_the_book {
        true => solver.solve_by_the_book(&root, budget),
        false if shortest => solver.solve(&root, budget),
        false => solver.solve_together(&root, threads, budget),
    };
    if !with_others {
        return Ok(written(root, &answer, dialect));
    }
    let others = match by_the_book {
        true => solver.alternatives_by_the_book(&root, &answer, budget),
        false => solver.alternatives(&root, &answer, budget),
    };
    Ok(written_with_others(root, &answer, &others, by_the_book, dialect))
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

/// The position of a mate problem, whose attacker may have no king.
fn mate_problem<R: RuleSet>(text: &str) -> Result<Position<R>, Error> {
    let position = problem::<R>(text)?;
    let defender = !position.side();
    if R::royal_safety() && position.king(defender).is_none() {
        return Err(Error::NoKing(defender));
    }
    Ok(position)
}

fn after<R: RuleSet>(mut position: Position<R>, moves: &[Move<R>]) -> Position<R> {
    for &mv in moves {
        position = position.play_unchecked(mv);
    }
    position
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

/// An answer in text.
fn written<R: RuleSet>(
    mut position: Position<R>,
    answer: &MateAnswer<R>,
    dialect: Option<Dialect>,
) -> Mate {
    let &MateAnswer { status, plies, exact, ref line, nodes, expansions } = answer;
    let line = play_in_usi(&mut position, line, dialect);
    Mate { plies, exact, status, line, nodes, expansions, others: None }
}

/// An answer and what mates beside its line, in text.
fn written_with_others<R: RuleSet>(
    root: Position<R>,
    answer: &MateAnswer<R>,
    others: &Alternatives<R>,
    by_the_book: bool,
    dialect: Option<Dialect>,
) -> Mate {
    let mut mate = written(root, answer, dialect);
    mate.nodes += others.nodes;
    mate.expansions += others.expansions;
    let dialect = dialect.unwrap_or(R::dialect());
    let usi = |moves: &[Move<R>], position: &Position<R>| -> Vec<String> {
        moves.iter().map(|&mv| to_usi_in(mv, position, dialect)).collect()
    };
    let before_last = after(root, &answer.line[..answer.line.len().saturating_sub(1)]);
    let mut cooks = Vec::new();
    for &Cook { ply, mv, plies } in &others.cooks {
        let position = after(root, &answer.line[..ply]);
        cooks.push(OtherMate { number: ply + 1, mv: to_usi_in(mv, &position, dialect), plies });
    }
    mate.others = Some(OtherMates {
        first_moves: usi(&others.first_moves, &root),
        cooks,
        last_moves: by_the_book.then(|| usi(&others.last_moves, &before_last)),
        complete: others.complete,
    });
    mate
}
