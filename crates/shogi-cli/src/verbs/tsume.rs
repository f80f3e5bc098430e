//! `tsume`: problems by the custom of problem books, examined and composed.

use std::fmt;
use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};

use anyhow::Result;
use indicatif::HumanCount;
use serde::Serialize;
use shogi_rules::threads::map;
use shogi_solve::mate::{Options, ProblemSource, Status, Unknown, Wanted};
use shogi_solve::{Budget, Limit};
use shogi_variants::operations::{Attempt, Problem};
use shogi_variants::tasks::{Mate, OtherMate};

use crate::common::Common;
use crate::end::{Interrupted, Outcome, Usage};
use crate::input::PositionSource;
use crate::interrupt::Interrupt;
use crate::limits::{Limits, SearchBars};
use crate::print::{self, counted, note, to_standard_output};
use crate::variant::Game;
use crate::{amount, bar, batch};

/// Attempts made between two looks at what they found.
const BLOCK: u64 = 1 << 6;
/// The longest solution that is composed.
const MAX_PLIES: u64 = 99;

/// Arguments of `tsume`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    verb: TsumeVerb,
}

#[derive(clap::Subcommand, Debug)]
enum TsumeVerb {
    /// Examines problems read from standard input: the length by the book's count, cooks, pieces that are not needed.
    Check(CheckArguments),
    /// Composes problems from random positions, or from random games.
    Generate(GenerateArguments),
}

#[derive(clap::Args, Debug)]
struct CheckArguments {
    #[command(flatten)]
    game: Game,
    /// Limit of the moves played for a problem; the answer names what is not known then.
    #[arg(long, value_name = "N", default_value = "2e7", value_parser = amount::count::<u64>(..))]
    nodes: u64,
    /// Limit of the time spent on a problem, such as 10, 2.5s or 5m; the answer names what is not known then
    /// [default: no limit].
    #[arg(long, value_name = "T", value_parser = amount::time)]
    time: Option<Duration>,
    #[command(flatten)]
    shared: Shared,
    #[command(flatten)]
    source: PositionSource,
}

#[derive(clap::Args, Debug)]
struct GenerateArguments {
    #[command(flatten)]
    game: Game,
    /// Plies of the solutions by the book's count, an odd number.
    #[arg(long, value_name = "N", value_parser = plies)]
    plies: u16,
    /// Number of problems.
    #[arg(long, value_name = "K", default_value = "1", value_parser = amount::count::<u64>(1..))]
    count: u64,
    /// Seed of the attempts: the same seed gives the same problems in the same order.
    #[arg(long, value_name = "S", default_value = "1", value_parser = amount::count::<u64>(..))]
    seed: u64,
    /// What the problems are made of.
    #[arg(long, value_enum, default_value_t = MadeFrom::Pieces)]
    from: MadeFrom,
    /// At most so many pieces on the board and in the attacker's hand, kings included [default: no limit].
    #[arg(long, value_name = "N", value_parser = amount::count::<u32>(2..))]
    pieces: Option<u32>,
    /// At least so many pieces that the attacker gives away in the solution.
    #[arg(long, value_name = "N", default_value = "0", value_parser = amount::count::<u32>(..))]
    sacrifices: u32,
    /// Give up after so many attempts [default: no limit].
    #[arg(long, value_name = "N", value_parser = amount::count::<u64>(1..))]
    attempts: Option<u64>,
    /// Limit of the moves played for an attempt.
    #[arg(long, value_name = "N", default_value = "200000", value_parser = amount::count::<u64>(1..))]
    nodes: u64,
    #[command(flatten)]
    shared: Shared,
}

/// Reads the length of a mate, which ends with a move of the player who begins.
fn plies(text: &str) -> Result<u16, String> {
    let plies = amount::count::<u16>(1..=MAX_PLIES)(text)?;
    if plies % 2 == 1 { Ok(plies) } else { Err("a mate has an odd number of plies".to_owned()) }
}

#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum MadeFrom {
    /// A few pieces drawn at random around a king.
    Pieces,
    /// Games of random moves.
    Games,
}

impl GenerateArguments {
    /// What is looked for.
    ///
    /// # Errors
    ///
    /// [`Usage`] if no problem can be so.
    fn wanted(&self) -> Result<Wanted> {
        // A piece is given away to a move of the other player.
        let &Self { plies, sacrifices, .. } = self;
        if sacrifices > u32::from(plies / 2) {
            let reason = format!("in {plies} plies no {sacrifices} pieces can be given away");
            return Err(Usage(reason).into());
        }
        Ok(Wanted {
            plies: self.plies,
            source: match self.from {
                MadeFrom::Pieces => ProblemSource::Pieces,
                MadeFrom::Games => ProblemSource::Games,
            },
            most_pieces: self.pieces.unwrap_or(u32::MAX),
            least_sacrifices: self.sacrifices,
        })
    }
}

#[derive(clap::Args, Debug)]
struct Shared {
    /// Give each solution as a KIF record, too.
    #[arg(long)]
    kif: bool,
    /// Megabytes of memory for a problem; as many as there are threads are searched at the same time.
    #[arg(long, value_name = "MB", default_value = "64", value_parser = amount::count::<u32>(1..))]
    hash: u32,
}

impl Shared {
    const fn options(&self) -> Options {
        Options { hash_bytes: (self.hash as usize) << 20, shortest: true }
    }
}

#[derive(Serialize)]
struct TsumeAnswer {
    #[serde(skip_serializing_if = "Option::is_none")]
    sfen: Option<String>,
    unique: bool,
    plies: Option<u32>,
    cooks: Vec<OtherMate>,
    unnecessary: Vec<String>,
    sound: bool,
    complete: bool,
    unknown: Vec<&'static str>,
    limit: Option<String>,
    status: &'static str,
    exact: bool,
    pv: Vec<String>,
    japanese: Option<String>,
    first: Vec<String>,
    last: Vec<String>,
    left: u32,
    useless: Vec<Useless>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kif: Option<String>,
}

/// The useless interpositions instead of a move of the line, or after its last.
#[derive(Serialize)]
struct Useless {
    /// The number of the move, from 1.
    number: usize,
    moves: Vec<String>,
}

impl TsumeAnswer {
    /// `limit` is what the examination ended by, if not by itself.
    fn new(problem: Problem, limit: Option<String>, kif: bool) -> Self {
        let mut useless: Vec<Useless> = Vec::new();
        for (ply, mv) in problem.useless {
            match useless.last_mut().filter(|last| last.number == ply + 1) {
                Some(last) => last.moves.push(mv),
                None => useless.push(Useless { number: ply + 1, moves: vec![mv] }),
            }
        }
        let Mate { plies, exact, status, line, others, .. } = problem.mate;
        let others = others.unwrap_or_default();
        let (japanese, record) = problem.record.map(|record| (record.moves, record.kif)).unzip();
        Self {
            sfen: None,
            unique: problem.is_unique,
            plies,
            cooks: others.cooks,
            unnecessary: problem.unnecessary,
            sound: problem.is_sound,
            complete: problem.complete,
            unknown: problem.unknown.iter().map(|unknown| unknown.name()).collect(),
            limit: limit.filter(|_| !problem.complete),
            status: status.name(),
            exact,
            pv: line,
            japanese,
            first: others.first_moves,
            last: others.last_moves.unwrap_or_default(),
            left: problem.left,
            useless,
            kif: record.filter(|_| kif),
        }
    }
}

impl TsumeAnswer {
    /// What is not known, in words.
    fn not_known(&self) -> Vec<&'static str> {
        let words = |unknown: &Unknown| match unknown {
            Unknown::Solution => "the solution by the book's count",
            Unknown::Others => "whether other moves mate",
            Unknown::Useless => "which interpositions are useless",
            Unknown::Pieces => "which pieces are not needed",
        };
        let is_unknown = |unknown: &&Unknown| self.unknown.contains(&unknown.name());
        Unknown::ALL.iter().filter(is_unknown).map(words).collect()
    }
}

impl fmt::Display for TsumeAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(sfen) = &self.sfen {
            writeln!(f, "{sfen}")?;
        }
        match self.plies {
            Some(count) if self.exact => write!(f, "mate in {}", print::plies(count))?,
            Some(count) => write!(f, "mate in {} at most", print::plies(count))?,
            None if self.status == Status::NoMate.name() => f.write_str("no mate by checks")?,
            None => f.write_str("unknown")?,
        }
        if self.unique {
            f.write_str(", one solution")?;
        }
        let line = self.japanese.clone().unwrap_or_else(|| self.pv.join(" "));
        if !line.is_empty() {
            write!(f, "\n{line}")?;
        }
        if self.first.len() > 1 {
            write!(f, "\nfirst moves: {}", self.first.join(" "))?;
        }
        for OtherMate { number, mv, plies } in &self.cooks {
            write!(f, "\ncook: {mv} as move {number}, mate in {plies} at most")?;
        }
        if !self.last.is_empty() {
            write!(f, "\nother last moves: {}", self.last.join(" "))?;
        }
        for Useless { number, moves } in &self.useless {
            write!(f, "\nuseless as move {number}: {}", moves.join(" "))?;
        }
        if !self.unnecessary.is_empty() {
            write!(f, "\nnot needed: {}", self.unnecessary.join(" "))?;
        }
        if self.left > 0 {
            write!(f, "\npieces left in hand: {}", self.left)?;
        }
        if !self.unknown.is_empty() {
            write!(f, "\nnot known: {}", self.not_known().join(", "))?;
        }
        if let Some(limit) = &self.limit {
            write!(f, "; ended by {limit}")?;
        }
        self.kif.as_ref().map_or(Ok(()), |kif| write!(f, "\n{kif}"))
    }
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    match &arguments.verb {
        TsumeVerb::Check(arguments) => check(arguments, common),
        TsumeVerb::Generate(arguments) => generate(arguments, common),
    }
}

fn check(arguments: &CheckArguments, common: &Common) -> Result<Outcome> {
    let interrupt = Interrupt::listen()?;
    let bars = SearchBars::new(common.json, &arguments.source);
    let lines = arguments.source.lines(arguments.game.variant)?;
    let outcome = batch::run_readable(lines, common.json, |line| {
        examine(line, arguments, common, &interrupt, &bars)
    })?;
    if interrupt.is_set() {
        let advice = "problems that were not finished are answered as unknown".to_owned();
        return Err(Interrupted { advice }.into());
    }
    Ok(outcome)
}

fn examine(
    line: &str,
    arguments: &CheckArguments,
    common: &Common,
    interrupt: &Interrupt,
    bars: &SearchBars,
) -> Result<TsumeAnswer> {
    let &CheckArguments { game: Game { variant }, nodes, time, ref shared, .. } = arguments;
    let limits = Limits { nodes: Some(nodes), time };
    let (dialect, start) = (common.dialect(), Instant::now());
    let (problem, ended) = bars.watch(&limits, start, |report| {
        let budget = limits.budget(0, Duration::ZERO, None);
        let mut budget = budget.stopped_by(interrupt.flag()).reporting_to(report);
        let solving = variant.solving();
        let problem = solving.examine_problem(line, shared.options(), &mut budget, dialect);
        (problem, budget.ended_by())
    });
    Ok(TsumeAnswer::new(problem?, ended.map(|ended| limit(ended, nodes, time)), shared.kif))
}

/// A limit in words, with the option that sets it.
fn limit(ended: Limit, nodes: u64, time: Option<Duration>) -> String {
    match ended {
        Limit::Nodes => format!("the limit of {} nodes (--nodes)", HumanCount(nodes)),
        Limit::Time => {
            format!("the limit of {} s (--time)", time.unwrap_or_default().as_secs_f64())
        }
        Limit::Stopped => "Ctrl-C".to_owned(),
    }
}

fn generate(arguments: &GenerateArguments, common: &Common) -> Result<Outcome> {
    let &GenerateArguments { game: Game { variant }, count, seed, nodes, ref shared, .. } =
        arguments;
    let wanted = arguments.wanted()?;
    let attempts = arguments.attempts.unwrap_or(u64::MAX);
    let interrupt = Interrupt::listen()?;
    let compose = |number| {
        let mut budget = Budget::nodes(nodes).stopped_by(interrupt.flag());
        let attempt = Attempt { seed, number, wanted };
        let dialect = common.dialect();
        variant.solving().compose_problem(attempt, shared.options(), &mut budget, dialect)
    };
    let progress = bar::count(count, 0, "problems");
    let (mut made, mut next) = (0, 0);
    while made < count && next < attempts {
        let block = next..next.saturating_add(BLOCK).min(attempts);
        next = block.end;
        // In the order of their numbers, whichever thread finds them.
        let found: Vec<_> = map(block.collect(), &compose).into_iter().flatten().collect();
        if interrupt.is_set() {
            let advice = format!("{made} problems are printed");
            return Err(Interrupted { advice }.into());
        }
        for problem in found.into_iter().take((count - made) as usize) {
            made += 1;
            progress.suspend(|| print(problem, shared.kif, common.json))?;
        }
        progress.set_position(made);
        progress.set_message(format!(", {next} attempts"));
    }
    progress.finish_and_clear();
    if made < count {
        let problems = counted(made, "problem was", "problems were");
        note(format_args!("{problems} found in {next} attempts"));
    }
    Ok(Outcome::good_if(made == count))
}

/// Prints a problem as one line of JSON, or for people where standard output is a terminal.
fn print(problem: Problem, kif: bool, json: bool) -> Result<()> {
    let sfen = Some(problem.sfen.clone());
    let answer = TsumeAnswer { sfen, ..TsumeAnswer::new(problem, None, kif) };
    let mut text = if json || !io::stdout().is_terminal() {
        serde_json::to_string(&answer)?
    } else {
        format!("{answer}\n")
    };
    text.push('\n');
    to_standard_output(text.as_bytes())
}
