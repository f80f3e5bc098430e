//! Problems of mate, examined by the custom of problem books.

use core::fmt;
use std::format;
use std::string::String;
use std::time::Duration;
use std::vec::Vec;

#[cfg(feature = "record")]
use shogi_records::{Format, Record};
use shogi_rules::shogi_core::{Colour, Face, Position};
use shogi_rules::{Dialect, to_sfen_in, to_usi_in, write_face};
use shogi_solve::mate::{
    Examination, MateSolver, Options, PieceOf, Status, Unknown, Useless, Wanted,
};
use shogi_solve::{Budget, Limit};

use super::mate::{after, mate_problem, write_length, write_others, written_with_others};
use super::{Answer, Mate, OtherMate, OtherMates, Session, Task, grouped};
use crate::operations::status;
use crate::variant::call;
use crate::{Error, RuleSet, Variant};

/// Examines a problem by the custom of problem books: [`MateSolver::examine`].
///
/// ```
/// use shogi_variants::Variant;
/// use shogi_variants::solve::Budget;
/// use shogi_variants::tasks::{Session, Task as _, TsumeTask};
/// let task = TsumeTask { hash: 1, ..TsumeTask::default() };
/// let mut session = Session::new(Budget::unlimited());
/// let found = task.answer(Variant::Minishogi, "4k/5/4P/S4/K4 b G 1", &mut session)?;
/// assert!(found.is_unique && !found.is_sound);
/// assert_eq!(found.unnecessary, ["5d"]);
/// # Ok::<(), shogi_variants::Error>(())
/// ```
///
/// The answer is an error where that of [`MateTask`](super::MateTask) is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct TsumeTask {
    /// Limit of the moves played for a problem; the answer names what is not known then.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value = "2e7",
        value_parser = super::amount::count::<u64>(..)))]
    pub nodes: u64,
    /// Limit of the time spent on a problem, such as 10, 2.5s or 5m; the answer names what is not known then
    /// [default: no limit].
    #[serde(deserialize_with = "super::read::seconds")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "T", value_parser = super::amount::time))]
    pub time: Option<Duration>,
    /// Give each solution as a KIF record, too.
    #[cfg_attr(feature = "clap", arg(long))]
    pub kif: bool,
    /// Megabytes of memory for a problem; as many as there are threads are searched at the same time.
    #[cfg_attr(feature = "clap", arg(long, value_name = "MB", default_value = "64",
        value_parser = super::amount::count::<u32>(1..)))]
    pub hash: u32,
}

impl Default for TsumeTask {
    /// 20 million moves and 64 megabytes for a problem, and no KIF record.
    fn default() -> Self {
        Self { nodes: 20_000_000, time: None, kif: false, hash: 64 }
    }
}

impl Task for TsumeTask {
    const NAME: &'static str = "tsume";
    type Answer = Problem;

    fn answer(&self, variant: Variant, line: &str, session: &mut Session<'_>) -> Answer<Problem> {
        let (options, dialect) = (self.options(session), session.dialect);
        let (problem, ended) = session.budget.part(Some(self.nodes), self.time, |budget| {
            let problem = call!(variant, R => examine::<R>(line, options, budget, dialect));
            (problem, budget.ended_by())
        });
        let mut problem = problem?;
        problem.limit = ended.filter(|_| !problem.complete).map(|limit| self.limit(limit));
        // The line that is answered has it.
        problem.sfen = None;
        Ok(self.wanted(problem))
    }
}

impl TsumeTask {
    /// Makes one attempt at a problem: [`MateSolver::compose`].
    pub fn compose(
        &self,
        attempt: Attempt,
        variant: Variant,
        session: &mut Session<'_>,
    ) -> Option<Problem> {
        let (options, dialect) = (self.options(session), session.dialect);
        let problem = session.budget.part(
            Some(self.nodes),
            self.time,
            |budget| call!(variant, R => compose::<R>(attempt, options, budget, dialect)),
        );
        problem.map(|problem| self.wanted(problem))
    }

    fn options(&self, session: &Session<'_>) -> Options {
        Options { hash_bytes: session.table_bytes(self.hash), shortest: true }
    }

    /// A problem with the record if it is wanted.
    fn wanted(&self, problem: Problem) -> Problem {
        Problem { kif: problem.kif.filter(|_| self.kif), ..problem }
    }

    /// A limit in words, with the option that sets it.
    fn limit(&self, ended: Limit) -> String {
        match ended {
            Limit::Nodes => format!("the limit of {} nodes (--nodes)", grouped(self.nodes)),
            Limit::Time => {
                format!("the limit of {} s (--time)", self.time.unwrap_or_default().as_secs_f64())
            }
            Limit::Stopped => "Ctrl-C".into(),
        }
    }
}

/// Which attempt at a problem to make: see [`TsumeTask::compose`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// Draws all attempts.
    pub seed: u64,
    /// The number of the attempt.
    pub number: u64,
    /// The conditions on the problem.
    pub wanted: Wanted,
}

/// A problem, examined: the answer of [`TsumeTask`].
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
#[non_exhaustive]
pub struct Problem {
    /// The position, of a problem that was composed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sfen: Option<String>,
    /// Whether there is one solution, up to its last move.
    #[serde(rename = "unique")]
    pub is_unique: bool,
    /// If there is a mate: in how many plies at most, by the book's count.
    pub plies: Option<u32>,
    /// All other moves beside the line that mate, in order.
    pub cooks: Vec<OtherMate>,
    /// Pieces that are not needed: a square such as `5d`, or a piece in hand such as `G*`.
    pub unnecessary: Vec<String>,
    /// Whether it is a problem as books print them.
    #[serde(rename = "sound")]
    pub is_sound: bool,
    /// Whether all of this is known: the budget did not end before.
    pub complete: bool,
    /// The parts that are not known, since the budget ended before.
    #[serde(serialize_with = "names")]
    pub unknown: Vec<Unknown>,
    /// The limit that ended the examination, if one did.
    pub limit: Option<String>,
    /// Whether there is a mate.
    #[serde(serialize_with = "status")]
    pub status: Status,
    /// Whether no shorter mate exists.
    pub exact: bool,
    /// The solution in USI notation.
    #[serde(rename = "pv")]
    pub line: Vec<String>,
    /// The solution as books print it, with a blank between two moves; `None` if it cannot be a record.
    pub japanese: Option<String>,
    /// All first moves that mate in the least length, in USI notation.
    #[serde(rename = "first")]
    pub first_moves: Vec<String>,
    /// The other last moves that mate, which are no cooks.
    #[serde(rename = "last")]
    pub last_moves: Vec<String>,
    /// Pieces left in the attacker's hand at the end of the line.
    pub left: u32,
    /// Useless interpositions.
    pub useless: Vec<UselessMoves>,
    /// The solution as a KIF record, if it is wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kif: Option<String>,
}

/// The useless interpositions instead of a move of the line, or after its last.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct UselessMoves {
    /// The number of the move, from 1.
    pub number: usize,
    /// The interpositions in USI notation.
    pub moves: Vec<String>,
}

fn names<S: serde::Serializer>(unknown: &[Unknown], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(unknown.iter().map(|unknown| unknown.name()))
}

/// The solution as books print it, and as a KIF record; nothing if it cannot be a record.
#[cfg(feature = "record")]
fn recorded<R: RuleSet>(root: &Position<R>, found: &Examination<R>) -> Option<(String, String)> {
    let mut record = Record::new(*root);
    for &mv in &found.answer.line {
        record.push(mv).ok()?;
    }
    let text = Format::Ki2.write(&record).ok()?;
    let moves = text.lines().filter(|line| line.starts_with(['▲', '△']));
    let moves: Vec<_> = moves.flat_map(str::split_whitespace).collect();
    Some((moves.join(" "), Format::Kif.write(&record).ok()?))
}

#[cfg(not(feature = "record"))]
const fn recorded<R: RuleSet>(_: &Position<R>, _: &Examination<R>) -> Option<(String, String)> {
    None
}

fn examine<R: RuleSet>(
    text: &str,
    options: Options,
    budget: &mut Budget<'_>,
    dialect: Option<Dialect>,
) -> Result<Problem, Error> {
    let root = mate_problem::<R>(text)?;
    let found = MateSolver::new(options).examine(&root, budget);
    Ok(examined(root, &found, dialect))
}

fn compose<R: RuleSet>(
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
    let mate = written_with_others(root, &found.answer, &found.others, true, dialect);
    let Mate { plies, exact, status, line, others, .. } = mate;
    let OtherMates { first_moves, cooks, last_moves, .. } = others.unwrap_or_default();
    let written_in = dialect.unwrap_or(R::dialect());
    let mut useless: Vec<UselessMoves> = Vec::new();
    for &Useless { ply, mv } in &found.useless {
        let mv = to_usi_in(mv, &after(root, &found.answer.line[..ply]), written_in);
        match useless.last_mut().filter(|last| last.number == ply + 1) {
            Some(last) => last.moves.push(mv),
            None => useless.push(UselessMoves { number: ply + 1, moves: [mv].into() }),
        }
    }
    let unnecessary = found.unnecessary.iter().map(|piece| match piece {
        PieceOf::OnBoard(square) => format!("{square}"),
        PieceOf::InHand(kind) => {
            let mut text = String::new();
            write_face::<R>(Face::front(*kind), Colour::Sente, written_in, &mut text);
            text + "*"
        }
    });
    let (japanese, kif) = recorded(&root, found).unzip();
    Problem {
        sfen: Some(to_sfen_in(root.placement(), written_in)),
        is_unique: found.is_unique(),
        plies,
        cooks,
        unnecessary: unnecessary.collect(),
        is_sound: found.is_sound(),
        complete: found.complete,
        unknown: found.unknown.clone(),
        limit: None,
        status,
        exact,
        line,
        japanese,
        first_moves,
        last_moves: last_moves.unwrap_or_default(),
        left: found.left,
        useless,
        kif,
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(sfen) = &self.sfen {
            writeln!(f, "{sfen}")?;
        }
        write_length(f, self.plies, self.exact, self.status, false)?;
        if self.is_unique {
            f.write_str(", one solution")?;
        }
        let line = self.japanese.clone().unwrap_or_else(|| self.line.join(" "));
        if !line.is_empty() {
            write!(f, "\n{line}")?;
        }
        let first_moves = if self.first_moves.len() > 1 { &self.first_moves[..] } else { &[] };
        write_others(f, first_moves, &self.cooks, &self.last_moves)?;
        for UselessMoves { number, moves } in &self.useless {
            write!(f, "\nuseless as move {number}: {}", moves.join(" "))?;
        }
        if !self.unnecessary.is_empty() {
            write!(f, "\nnot needed: {}", self.unnecessary.join(" "))?;
        }
        if self.left > 0 {
            write!(f, "\npieces left in hand: {}", self.left)?;
        }
        if !self.unknown.is_empty() {
            let unknown: Vec<_> = self.unknown.iter().map(|unknown| words(*unknown)).collect();
            write!(f, "\nnot known: {}", unknown.join(", "))?;
        }
        if let Some(limit) = &self.limit {
            write!(f, "; ended by {limit}")?;
        }
        self.kif.as_ref().map_or(Ok(()), |kif| write!(f, "\n{kif}"))
    }
}

/// The unknown parts, in words.
const fn words(unknown: Unknown) -> &'static str {
    match unknown {
        Unknown::Solution => "the solution by the book's count",
        Unknown::Others => "whether other moves mate",
        Unknown::Useless => "which interpositions are useless",
        Unknown::Pieces => "which pieces are not needed",
    }
}
