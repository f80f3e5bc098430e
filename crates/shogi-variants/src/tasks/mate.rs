//! Mate by checks, whatever the opponent does.

use core::fmt;
use std::io::Read;
use std::string::String;
use std::time::Duration;
use std::vec::Vec;

use shogi_mate::saved::CheckpointError;
use shogi_mate::{
    Alternatives, Budget, Cook, Defence, DefendUntil, MateAnswer, MateReader, MateRun, MateSolver,
    Options, Reply, Status, Wish,
};
use shogi_rules::shogi_core::{Colour, Move, Position};
use shogi_rules::{Dialect, to_usi_in};
use shogi_solve::solve_brink;

use super::solve::PrintedProof;
use super::{Answer, Session, Task, counted, grouped};
use crate::operations::status;
use crate::operations::{moves_of, play_in_usi, read_problem};
use crate::variant::call;
use crate::{Error, RuleSet, Variant};

/// Searches for a mate: whether the player to move mates by checks, whatever the opponent does. The attacker may have no
/// king, as in problems.
///
/// ```
/// use shogi_variants::Variant;
/// use shogi_variants::solve::Budget;
/// use shogi_variants::tasks::{MateTask, Session, Task as _};
/// let task = MateTask { shortest: true, hash: 1, ..MateTask::default() };
/// let mut session = Session::new(Budget::nodes(100_000));
/// let mate = task.answer(Variant::Minishogi, "4k/5/3PP/5/K4 b G 1", &mut session)?;
/// assert_eq!((mate.plies, mate.line.len()), (Some(1), 1));
/// // Whatever is interposed on the rook's file, the rook takes it.
/// let task = MateTask { tsume: true, hash: 1, ..MateTask::default() };
/// let mate = task.answer(Variant::Minishogi, "4k/2S2/4G/5/R4 b rbgsp 1", &mut session)?;
/// assert_eq!((mate.plies, mate.line), (Some(1), vec!["5e5a".to_owned()]));
/// # Ok::<(), shogi_variants::Error>(())
/// ```
///
/// The answer is an error if the text stands for no legal position, the defender has no king, the system refuses the memory
/// for the table, settings exclude each other, or a move of the known line is not legal or gives no check.
#[derive(Clone, PartialEq, Eq, Debug, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct MateTask {
    /// Limit of the moves played for a position; beyond it the answer is unknown [default: no limit].
    #[cfg_attr(feature = "clap", arg(long, value_name = "N",
        value_parser = super::amount::count::<u64>(..)))]
    pub nodes: Option<u64>,
    /// Limit of the time spent on a position, such as 10, 2.5s or 5m; beyond it the answer is unknown
    /// [default: no limit].
    #[serde(deserialize_with = "super::read::seconds")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "T", value_parser = super::amount::time))]
    pub time: Option<Duration>,
    /// Look for a shortest mate.
    #[cfg_attr(feature = "clap", arg(long))]
    pub shortest: bool,
    /// Look for a shortest mate, then list all first moves that mate in as few plies, and all other
    /// moves beside the line that mate (cooks).
    #[cfg_attr(feature = "clap", arg(long))]
    pub all: bool,
    /// Look for a shortest mate as problem books count it: useless interpositions are no moves, and the line is the
    /// book's. With --all, other last moves are no cooks.
    #[cfg_attr(feature = "clap", arg(long))]
    pub tsume: bool,
    /// Look for a brinkmate (hisshi): mate by checks and one quiet move, at whatever place, against every defence.
    #[cfg_attr(feature = "clap", arg(long, conflicts_with_all = ["shortest", "all", "tsume"]))]
    pub brink: bool,
    /// Look for what the player to move can do against mate by the opponent's checks: the moves after which there is no mate,
    /// and for each other one the mate that refutes it; with --shortest, a shortest one.
    #[cfg_attr(feature = "clap", arg(long, conflicts_with_all = ["all", "tsume", "brink"]))]
    pub defend: bool,
    /// Threads that search a position together, for any mate and with one table. Whether there is a mate is the same each
    /// time; which mate is found, its length and the nodes of all threads are not.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value = "1",
        value_parser = super::amount::count::<usize>(1..=super::MAX_THREADS),
        conflicts_with_all = ["shortest", "all", "tsume", "brink", "defend"]))]
    pub together: usize,
    /// A line of play to a mate that is known, by the author or from an earlier answer, as moves in USI notation: the search
    /// goes along it from its end to its start, and finds such a mate far sooner. It is a guide alone; where it is no
    /// mate, the answer is no less true. It has to be legal, with checks by the attacker.
    #[cfg_attr(feature = "clap", arg(long, value_name = "MOVES",
        conflicts_with_all = ["all", "brink", "defend", "together"]))]
    pub line: Option<String>,
    /// Megabytes of memory for a position, the program itself included, which takes up to 10; as many
    /// positions as there are threads are searched at the same time.
    #[cfg_attr(feature = "clap", arg(long, value_name = "MB", default_value = "256",
        value_parser = super::amount::count::<u32>(1..)))]
    pub hash: u32,
}

impl Default for MateTask {
    /// Any mate, by one thread, without a limit, in 256 megabytes.
    fn default() -> Self {
        let (nodes, time) = (None, None);
        let (shortest, all, tsume, brink, defend) = (false, false, false, false, false);
        let (together, line, hash) = (1, None, 256);
        Self { nodes, time, shortest, all, tsume, brink, defend, together, line, hash }
    }
}

impl Task for MateTask {
    const NAME: &'static str = "mate";
    type Answer = Mate;

    fn answer(&self, variant: Variant, line: &str, session: &mut Session<'_>) -> Answer<Mate> {
        let (hash_bytes, dialect) = (session.table_bytes(self.hash), session.dialect);
        session.budget.part(
            self.nodes,
            self.time,
            |budget| call!(variant, R => mate::<R>(self, line, hash_bytes, budget, dialect)),
        )
    }
}

impl MateTask {
    /// That no settings exclude each other.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.brink && (self.shortest || self.all || self.tsume || self.together > 1) {
            return Err(Error::Settings("brink", "shortest, all, tsume or several threads"));
        }
        if self.defend && (self.all || self.tsume || self.brink || self.together > 1) {
            return Err(Error::Settings("defend", "all, tsume, brink or several threads"));
        }
        if self.line.is_some() && (self.all || self.brink || self.defend || self.together > 1) {
            return Err(Error::Settings("line", "all, brink, defend or several threads"));
        }
        Ok(())
    }

    /// A search that resumes, or that of its checkpoint.
    pub(crate) fn run_from<R: RuleSet>(
        &self,
        root: Position<R>,
        checkpoint: Option<&mut dyn Read>,
        hash_bytes: usize,
    ) -> Result<MateRun<R>, Error> {
        let options = Options { hash_bytes, shortest: self.shortest };
        let wish = match (self.tsume, self.shortest) {
            (true, _) => Wish::Book,
            (false, true) => Wish::Shortest,
            (false, false) => Wish::Any,
        };
        let run = match checkpoint {
            None => MateRun::new(root, wish, self.together, options),
            Some(input) => {
                let read = || -> Result<_, CheckpointError> {
                    MateReader::new(input)?.run(root, wish, self.together, options)
                };
                read().map_err(Error::library)?
            }
        };
        let Some(line) = &self.line else { return Ok(run) };
        let moves = moves_of(root, line).map_err(|error| Error::InLine(error.into()))?;
        run.along(&moves).map_err(Error::library)
    }
}

/// The answer of [`MateTask`].
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct Mate {
    /// If there is a mate: in how many plies at most.
    #[serde(rename = "mate")]
    pub plies: Option<u32>,
    /// Whether no shorter mate exists.
    pub exact: bool,
    /// Whether there is a mate, or a brinkmate if that was the task; if it was to defend, whether the player to move is mated
    /// whatever they play.
    #[serde(serialize_with = "status")]
    pub status: Status,
    /// A line of that many plies in USI notation; a mate always has one.
    #[serde(rename = "pv")]
    pub line: Vec<String>,
    /// Moves played in the search.
    pub nodes: u64,
    /// Positions entered: how often the moves of a position were generated to search it.
    pub expansions: u64,
    /// The mates beside the line, if the task was to find them.
    #[serde(flatten)]
    pub others: Option<OtherMates>,
    /// The moves of a player who is threatened with mate, if the task was to defend.
    #[serde(flatten)]
    pub replies: Option<Replies>,
    /// The seconds that it took, for programs that print them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// The proof in a file, if the program wrote one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<PrintedProof>,
    /// Whether it is about a brinkmate, which people read.
    #[serde(skip)]
    pub brink: bool,
}

/// Mates beside the line of a shortest mate.
#[derive(Clone, PartialEq, Eq, Default, Debug, serde::Serialize)]
pub struct OtherMates {
    /// All first moves that mate in the least length, in USI notation; the line's own is one of them.
    #[serde(rename = "first")]
    pub first_moves: Vec<String>,
    /// All other moves beside the line that mate, in order.
    pub cooks: Vec<OtherMate>,
    /// By the book's count the other last moves that mate, which are no cooks; none beside a line of one
    /// ply. `None` by any other count.
    #[serde(rename = "last", skip_serializing_if = "Option::is_none")]
    pub last_moves: Option<Vec<String>>,
    /// Whether all other moves are known not to mate.
    pub complete: bool,
}

/// A move that mates beside the one in the line.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct OtherMate {
    /// The number of the line's move that it stands beside, from 1.
    pub number: usize,
    /// The move in USI notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// Plies to the mate at most, this move included.
    #[serde(rename = "mate")]
    pub plies: u32,
}

/// The moves of a player who is threatened with mate, by their outcome.
#[derive(Clone, PartialEq, Eq, Default, Debug, serde::Serialize)]
pub struct Replies {
    /// The moves after which the opponent does not mate by checks, in USI notation.
    pub defences: Vec<String>,
    /// The moves after which the opponent does.
    pub refuted: Vec<Refuted>,
    /// The moves of which neither is known.
    pub undecided: Vec<String>,
}

/// A move that does not help against mate.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Refuted {
    /// The move in USI notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// Plies to the mate at most, after this move.
    #[serde(rename = "mate")]
    pub plies: u32,
    /// Whether no shorter mate exists.
    pub exact: bool,
    /// A line of that many plies, after this move.
    #[serde(rename = "pv")]
    pub line: Vec<String>,
}

impl fmt::Display for Mate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.replies {
            Some(replies) => write_defence(f, self, replies)?,
            None => write_length(f, self.plies, self.exact, self.status, self.brink)?,
        }
        if self.plies.is_some() && self.exact {
            f.write_str(", the shortest")?;
        }
        write!(f, ", {} nodes", grouped(self.nodes))?;
        if let Some(seconds) = self.seconds {
            write!(f, ", {seconds:.1} s")?;
        }
        if !self.line.is_empty() {
            write!(f, "\n{}", self.line.join(" "))?;
        }
        if let Some(PrintedProof { entries, .. }) = &self.proof {
            write!(f, "\nproved, in {}", counted(*entries as u64, "entry", "entries"))?;
        }
        self.replies.as_ref().map_or(Ok(()), |replies| replies.fmt(f))?;
        self.others.as_ref().map_or(Ok(()), |others| others.fmt(f))
    }
}

impl fmt::Display for Replies {
    /// Writes one more line for each kind of moves, and for each that is refuted.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { defences, refuted, undecided } = self;
        if !defences.is_empty() {
            write!(f, "\ndefences: {}", defences.join(" "))?;
        }
        for Refuted { mv, plies, exact, line } in refuted {
            write!(f, "\n{mv}: mate in {}, {}", length(*plies, *exact), line.join(" "))?;
        }
        if !undecided.is_empty() {
            write!(f, "\nundecided: {}", undecided.join(" "))?;
        }
        Ok(())
    }
}

/// Writes whether the player to move is mated whatever they play.
fn write_defence(f: &mut fmt::Formatter<'_>, mate: &Mate, replies: &Replies) -> fmt::Result {
    let Replies { defences, refuted, undecided } = replies;
    let moves = defences.len() + refuted.len() + undecided.len();
    match (mate.status, mate.plies) {
        (Status::Mate, Some(plies)) => {
            write!(f, "nothing helps: mated in {}", length(plies, mate.exact))
        }
        (Status::NoMate, _) if moves > 0 => {
            let moves = counted(moves as u64, "move", "moves");
            write!(f, "not mated: {} of {moves} help", defences.len())
        }
        (Status::NoMate, _) => f.write_str("not mated: the game is over"),
        _ => f.write_str("unknown"),
    }
}

impl fmt::Display for OtherMates {
    /// Writes one more line for each kind of other solutions.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { first_moves, cooks, last_moves, complete } = self;
        write_others(f, first_moves, cooks, last_moves.as_deref().unwrap_or_default())?;
        f.write_str(if *complete { "" } else { "\nother moves may mate, too: not all are decided" })
    }
}

/// The length of a mate in words: exactly so many plies, or at most.
fn length(plies: u32, exact: bool) -> String {
    counted(plies.into(), "ply", "plies") + if exact { "" } else { " at most" }
}

/// Writes whether there is a mate, and its length.
pub(super) fn write_length(
    f: &mut fmt::Formatter<'_>,
    plies: Option<u32>,
    exact: bool,
    status: Status,
    brink: bool,
) -> fmt::Result {
    let (mate, none) = match brink {
        true => ("brinkmate", "no brinkmate"),
        false => ("mate", "no mate by checks"),
    };
    match (plies, status) {
        (Some(plies), _) => write!(f, "{mate} in {}", length(plies, exact)),
        (None, Status::NoMate) => f.write_str(none),
        (None, _) => f.write_str("unknown"),
    }
}

/// Writes a line for each kind of other solutions.
pub(super) fn write_others(
    f: &mut fmt::Formatter<'_>,
    first_moves: &[String],
    cooks: &[OtherMate],
    last_moves: &[String],
) -> fmt::Result {
    if !first_moves.is_empty() {
        write!(f, "\nfirst moves: {}", first_moves.join(" "))?;
    }
    for OtherMate { number, mv, plies } in cooks {
        write!(f, "\ncook: {mv} as move {number}, mate in {plies} at most")?;
    }
    if !last_moves.is_empty() {
        write!(f, "\nother last moves: {}", last_moves.join(" "))?;
    }
    Ok(())
}

/// A mate, and what mates beside it if the task says so.
fn mate<R: RuleSet>(
    task: &MateTask,
    line: &str,
    hash_bytes: usize,
    budget: &mut Budget<'_>,
    dialect: Option<Dialect>,
) -> Result<Mate, Error> {
    task.check()?;
    Error::check_memory(hash_bytes)?;
    if task.defend {
        return defended::<R>(task, line, hash_bytes, budget, dialect);
    }
    let root = mate_problem::<R>(line)?;
    if task.brink {
        let answer = solve_brink(&root, hash_bytes, budget);
        return Ok(Mate { brink: true, ..written(root, &answer, dialect) });
    }
    if task.line.is_some() {
        let mut run = task.run_from(root, None, hash_bytes)?;
        run.run(budget);
        return Ok(written(root, &run.answer(budget), dialect));
    }
    // The book's count has a shortest mate in any case.
    let shortest = task.shortest || task.all && !task.tsume;
    let mut solver = MateSolver::new(Options { hash_bytes, shortest });
    let answer = match task.tsume {
        true => solver.solve_by_the_book(&root, budget),
        false if shortest => solver.solve(&root, budget),
        false => solver.solve_together(&root, task.together, budget),
    };
    if !task.all {
        return Ok(written(root, &answer, dialect));
    }
    let others = match task.tsume {
        true => solver.alternatives_by_the_book(&root, &answer, budget),
        false => solver.alternatives(&root, &answer, budget),
    };
    Ok(written_with_others(root, &answer, &others, task.tsume, dialect))
}

/// A defence against mate by the opponent.
fn defended<R: RuleSet>(
    task: &MateTask,
    line: &str,
    hash_bytes: usize,
    budget: &mut Budget<'_>,
    dialect: Option<Dialect>,
) -> Result<Mate, Error> {
    let root = read_problem::<R>(line)?;
    let root = with_king(root, root.side())?;
    let mut solver = MateSolver::new(Options { hash_bytes, shortest: task.shortest });
    let defence = solver.defend(&root, DefendUntil::EachIsDecided, budget);
    Ok(written_defence(root, &defence, dialect))
}

/// The position of a mate problem, whose attacker may have no king.
pub(crate) fn mate_problem<R: RuleSet>(text: &str) -> Result<Position<R>, Error> {
    let position = read_problem::<R>(text)?;
    with_king(position, !position.side())
}

/// A position in which this player, who is to be mated, has a king.
fn with_king<R: RuleSet>(position: Position<R>, defender: Colour) -> Result<Position<R>, Error> {
    match R::royal_safety() && position.king(defender).is_none() {
        true => Err(Error::NoKing(defender)),
        false => Ok(position),
    }
}

pub(super) fn after<R: RuleSet>(mut position: Position<R>, moves: &[Move<R>]) -> Position<R> {
    for &mv in moves {
        position = position.play_unchecked(mv);
    }
    position
}

/// An answer in text.
pub(crate) fn written<R: RuleSet>(
    mut position: Position<R>,
    answer: &MateAnswer<R>,
    dialect: Option<Dialect>,
) -> Mate {
    let &MateAnswer { status, plies, exact, ref line, nodes, expansions } = answer;
    let line = play_in_usi(&mut position, line, dialect);
    Mate {
        plies,
        exact,
        status,
        line,
        nodes,
        expansions,
        others: None,
        replies: None,
        seconds: None,
        proof: None,
        brink: false,
    }
}

/// A defence in text.
fn written_defence<R: RuleSet>(
    root: Position<R>,
    defence: &Defence<R>,
    dialect: Option<Dialect>,
) -> Mate {
    let mut replies = Replies::default();
    for Reply { mv, attack } in &defence.replies {
        let mut position = root;
        let mv = play_in_usi(&mut position, &[*mv], dialect).concat();
        match (attack.status, attack.plies) {
            (Status::Mate, Some(plies)) => {
                let line = play_in_usi(&mut position, &attack.line, dialect);
                replies.refuted.push(Refuted { mv, plies, exact: attack.exact, line });
            }
            (Status::NoMate, _) => replies.defences.push(mv),
            _ => replies.undecided.push(mv),
        }
    }
    Mate { replies: Some(replies), ..written(root, &defence.answer, dialect) }
}

/// An answer and what mates beside its line, in text.
pub(super) fn written_with_others<R: RuleSet>(
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
