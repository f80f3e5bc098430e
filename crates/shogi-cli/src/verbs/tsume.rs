//! `tsume`: problems by the custom of problem books, examined and composed.

use std::io::{self, IsTerminal as _};

use anyhow::Result;
use serde::Serialize;
use shogi_rules::Dialect;
use shogi_rules::threads::map;
use shogi_solve::Budget;
use shogi_solve::mate::{ProblemSource, Wanted};
use shogi_variants::Variant;
use shogi_variants::tasks::{Attempt, Problem, Puzzle, Session, Task as _, TsumeTask};

use crate::common::Common;
use crate::end::{Interrupted, Outcome, Usage};
use crate::input::PositionSource;
use crate::interrupt::Interrupt;
use crate::limits::Limits;
use crate::print::{counted, note, to_standard_output};
use crate::variant::Game;
use crate::{amount, bar};

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
    #[command(flatten)]
    task: TsumeTask,
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
    /// The positions that the problems are made of.
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
    /// Give each solution as a KIF record, too.
    #[arg(long)]
    kif: bool,
    /// Give each problem as a document of lishogi's collection of puzzles instead, one a line.
    #[arg(long, conflicts_with = "kif")]
    lishogi: bool,
    /// Megabytes of memory for a problem; as many as there are threads are searched at the same time.
    #[arg(long, value_name = "MB", default_value = "64", value_parser = amount::count::<u32>(1..))]
    hash: u32,
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
    /// The kind of problem that is looked for.
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

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    match &arguments.verb {
        TsumeVerb::Check(arguments) => check(arguments, common),
        TsumeVerb::Generate(arguments) => generate(arguments, common),
    }
}

fn check(arguments: &CheckArguments, common: &Common) -> Result<Outcome> {
    let &CheckArguments { game: Game { variant }, ref task, ref source } = arguments;
    let limits = Limits { nodes: Some(task.nodes), time: task.time };
    limits.search_each("problems", (source, variant), common, |line, session| {
        Ok(task.answer(variant, line, session)?)
    })
}

fn generate(arguments: &GenerateArguments, common: &Common) -> Result<Outcome> {
    let &GenerateArguments { game: Game { variant }, count, seed, nodes, kif, hash, .. } =
        arguments;
    let task = TsumeTask { nodes, time: None, kif, hash };
    let wanted = arguments.wanted()?;
    let attempts = arguments.attempts.unwrap_or(u64::MAX);
    let interrupt = Interrupt::listen()?;
    let compose = |number| {
        let budget = Budget::unlimited().stopped_by(interrupt.flag());
        let dialect = if arguments.lishogi { Some(Dialect::Lishogi) } else { common.dialect() };
        let mut session = Session { dialect, ..Session::new(budget) };
        task.compose(Attempt { seed, number, wanted }, variant, &mut session)
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
            progress.suspend(|| {
                match arguments.lishogi.then(|| puzzle(variant, &problem)).flatten() {
                    Some(puzzle) => print_json(&puzzle),
                    None => print(&problem, common.json),
                }
            })?;
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

/// A composed problem as a document of lishogi's.
fn puzzle(variant: Variant, problem: &Problem) -> Option<Puzzle> {
    Puzzle::new(variant, problem.sfen.as_deref()?, problem)
}

/// Prints a problem as one line of JSON, or for people where standard output is a terminal.
fn print(problem: &Problem, json: bool) -> Result<()> {
    if json || !io::stdout().is_terminal() {
        return print_json(problem);
    }
    to_standard_output(format!("{problem}\n\n").as_bytes())
}

/// Prints one line of JSON.
fn print_json(value: &impl Serialize) -> Result<()> {
    to_standard_output(format!("{}\n", serde_json::to_string(value)?).as_bytes())
}
