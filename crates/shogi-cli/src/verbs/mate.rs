//! `mate`: mate by checks, whatever the opponent does.

use std::fmt;
use std::time::{Duration, Instant};

use anyhow::Result;
use indicatif::HumanCount;
use serde::Serialize;
use shogi_solve::mate::{Options, Status};
use shogi_variants::operations::{Mate, MateTask, OtherMate, OtherMates};

use crate::common::{Common, MAX_THREADS};
use crate::end::{Interrupted, Outcome};
use crate::input::PositionSource;
use crate::interrupt::Interrupt;
use crate::limits::{Limits, SearchBars};
use crate::variant::Game;
use crate::{amount, batch, print};

/// Arguments of `mate`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    game: Game,
    /// Limit of the moves played for a position; beyond it the answer is unknown [default: no limit].
    #[arg(long, value_name = "N", value_parser = amount::count::<u64>(..))]
    nodes: Option<u64>,
    /// Limit of the time spent on a position, such as 10, 2.5s or 5m; beyond it the answer is unknown
    /// [default: no limit].
    #[arg(long, value_name = "T", value_parser = amount::time)]
    time: Option<Duration>,
    /// Look for a shortest mate.
    #[arg(long)]
    shortest: bool,
    /// Look for a shortest mate, then list all first moves that mate in as few plies, and all other
    /// moves beside the line that mate (cooks).
    #[arg(long)]
    all: bool,
    /// Look for a shortest mate as problem books count it: useless interpositions are no moves, and the line is the
    /// book's. With --all, other last moves are no cooks.
    #[arg(long)]
    tsume: bool,
    /// Threads that search a position together, for any mate and with one table. Whether there is a mate is the same each
    /// time; which mate is found, its length and the nodes of all threads are not [default: 1].
    #[arg(long, value_name = "N", value_parser = amount::count::<u64>(1..=MAX_THREADS),
        conflicts_with_all = ["shortest", "all", "tsume"])]
    together: Option<u64>,
    /// Megabytes of memory for a position, the program itself included, which takes up to 10; as many
    /// positions as there are threads are searched at the same time.
    #[arg(long, value_name = "MB", default_value = "256", value_parser = amount::count::<u32>(1..))]
    hash: u32,
    #[command(flatten)]
    source: PositionSource,
}

#[derive(Serialize)]
struct MateAnswer {
    #[serde(flatten)]
    mate: Mate,
    seconds: f64,
}

impl fmt::Display for MateAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { mate: Mate { plies, exact, status, line, nodes, others, .. }, seconds } = self;
        match (plies.map(print::plies), status) {
            (Some(plies), _) if *exact => write!(f, "mate in {plies}, the shortest")?,
            (Some(plies), _) => write!(f, "mate in {plies} at most")?,
            (None, Status::NoMate) => f.write_str("no mate by checks")?,
            (None, _) => f.write_str("unknown")?,
        }
        write!(f, ", {} nodes, {seconds:.1} s", HumanCount(*nodes))?;
        if !line.is_empty() {
            write!(f, "\n{}", line.join(" "))?;
        }
        others.as_ref().map_or(Ok(()), |others| write_others(others, f))
    }
}

/// One more line for each kind of other solutions, for people.
fn write_others(others: &OtherMates, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let OtherMates { first_moves, cooks, last_moves, complete } = others;
    if !first_moves.is_empty() {
        write!(f, "\nfirst moves: {}", first_moves.join(" "))?;
    }
    for OtherMate { number, mv, plies } in cooks {
        write!(f, "\ncook: {mv} as move {number}, mate in {plies} at most")?;
    }
    if let Some(last) = last_moves.as_ref().filter(|last| !last.is_empty()) {
        write!(f, "\nother last moves: {}", last.join(" "))?;
    }
    if !complete {
        f.write_str("\nother moves may mate, too: not all are decided")?;
    }
    Ok(())
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let interrupt = Interrupt::listen()?;
    let lines = arguments.source.lines(arguments.game.variant)?;
    let bars = SearchBars::new(common.json, &arguments.source);
    let answer = |line: &str| answer(line, arguments, common, &interrupt, &bars);
    let outcome = batch::run_readable(lines, common.json, answer)?;
    if interrupt.is_set() {
        let advice = "positions that were not finished are answered as unknown".to_owned();
        return Err(Interrupted { advice }.into());
    }
    Ok(outcome)
}

/// Bytes for a search, so that the whole program takes so many megabytes; at least a quarter of them,
/// where the program alone takes more.
const fn hash_bytes(megabytes: usize) -> usize {
    const PROGRAM: usize = 10;
    let (rest, least) = (megabytes.saturating_sub(PROGRAM) << 20, megabytes << 18);
    if rest > least { rest } else { least }
}

fn answer(
    line: &str,
    arguments: &Arguments,
    common: &Common,
    interrupt: &Interrupt,
    bars: &SearchBars,
) -> Result<MateAnswer> {
    let start = Instant::now();
    let limits = Limits { nodes: arguments.nodes, time: arguments.time };
    let options =
        Options { hash_bytes: hash_bytes(arguments.hash as usize), shortest: arguments.shortest };
    let task = MateTask {
        options,
        by_the_book: arguments.tsume,
        with_others: arguments.all,
        threads: arguments.together.map_or(1, |threads| threads as usize),
    };
    let dialect = common.dialect();
    let mate = bars.watch(&limits, start, |report| {
        let budget = limits.budget(0, Duration::ZERO, None);
        let mut budget = budget.stopped_by(interrupt.flag()).reporting_to(report);
        arguments.game.variant.solving().mate(line, task, &mut budget, dialect)
    })?;
    Ok(MateAnswer { mate, seconds: start.elapsed().as_secs_f64() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_reads_what_was_found() {
        let shown = |mate: &Mate| MateAnswer { mate: mate.clone(), seconds: 0.26 }.to_string();
        let mut mate = Mate {
            plies: Some(3),
            exact: true,
            status: Status::Mate,
            line: vec!["1a2b".to_owned(), "3c3d".to_owned()],
            nodes: 12_345,
            expansions: 7,
            others: None,
        };
        assert_eq!(shown(&mate), "mate in 3 plies, the shortest, 12,345 nodes, 0.3 s\n1a2b 3c3d");
        mate.plies = Some(1);
        assert!(shown(&mate).starts_with("mate in 1 ply, the shortest, "));
        mate.plies = Some(3);
        (mate.exact, mate.line) = (false, Vec::new());
        assert_eq!(shown(&mate), "mate in 3 plies at most, 12,345 nodes, 0.3 s");
        (mate.plies, mate.status) = (None, Status::NoMate);
        assert_eq!(shown(&mate), "no mate by checks, 12,345 nodes, 0.3 s");
        mate.status = Status::Unknown;
        assert_eq!(shown(&mate), "unknown, 12,345 nodes, 0.3 s");
        let cooks = vec![OtherMate { number: 3, mv: "2c2b".to_owned(), plies: 1 }];
        let first_moves = vec!["1a2b".to_owned(), "G*2b".to_owned()];
        mate.others = Some(OtherMates { first_moves, cooks, last_moves: None, complete: false });
        assert_eq!(
            shown(&mate),
            "unknown, 12,345 nodes, 0.3 s\nfirst moves: 1a2b G*2b\n\
             cook: 2c2b as move 3, mate in 1 at most\n\
             other moves may mate, too: not all are decided"
        );
    }

    #[test]
    fn the_program_is_within_the_memory_asked_for() {
        assert_eq!(hash_bytes(256), 246 << 20);
        assert_eq!(hash_bytes(64), 54 << 20);
        assert_eq!((hash_bytes(12), hash_bytes(1)), (3 << 20, 1 << 18));
        assert!((1..2000).all(|megabytes| hash_bytes(megabytes) <= hash_bytes(megabytes + 1)));
    }
}
