//! `proof shorten`: one proof of several, with the shortest ways that they hold or a search finds.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use indicatif::{HumanCount, HumanDuration};
use serde::Serialize;
use shogi_solve::proof::{Claim, Header};
use shogi_solve::{Budget, SearchProgress, Within};
use shogi_variants::operations::{AnyShortening, WorkOptions};

use crate::building::EvaluationFile;
use crate::common::Common;
use crate::end::{Interrupted, Outcome, Usage};
use crate::interrupt::Interrupt;
use crate::proof_file::{check, colour, open, variant};
use crate::variant::Variant;
use crate::{amount, bar, file, print};

/// Arguments of `proof shorten`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// Proofs that the same player wins.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Prove this position, which stands in one of the proofs or comes one move before positions that do
    /// [default: the first proof's].
    #[arg(long, value_name = "POSITION")]
    sfen: Option<String>,
    /// Leave positions alone that are won in so many plies or fewer.
    #[arg(long, value_name = "PLIES", default_value = "7")]
    above: u32,
    /// Go over the positions so many times, unless nothing changes any more.
    #[arg(long, value_name = "N", default_value = "8")]
    passes: u32,
    /// Then search for a win within so many plies, with the proof as a guide: in rounds, each for about
    /// a sixteenth of the plies less [default: no search].
    #[arg(long, value_name = "N", value_parser = amount::count::<u32>(1..))]
    plies: Option<u32>,
    #[command(flatten)]
    search: ShorteningLimits,
    /// Write the proof to this file.
    #[arg(long, value_name = "FULL")]
    out: PathBuf,
}

/// The limits of a search for fewer plies.
#[derive(clap::Args, Debug)]
struct ShorteningLimits {
    #[command(flatten)]
    evaluation: EvaluationFile,
    /// Most moves for all searches to play [default: no limit].
    #[arg(long, value_name = "N", requires = "plies", value_parser = amount::count::<u64>(..))]
    nodes: Option<u64>,
    /// Limit of time for all searches, such as 90, 10m or 2h [default: no limit].
    #[arg(long, value_name = "T", requires = "plies", value_parser = amount::time)]
    time: Option<Duration>,
    /// Megabytes for the table of a search, beside the proofs.
    #[arg(long, value_name = "MB", default_value = "1024", value_parser = amount::count::<u32>(1..))]
    hash: u32,
}

/// The answer.
#[derive(Serialize)]
struct ShortenAnswer {
    root: String,
    entries: usize,
    plies_at_most: Option<u32>,
    bytes: u64,
    passes: u32,
    /// Positions that have another step than before, once for each pass.
    changed: u64,
    #[serde(flatten)]
    searched: Option<Searched>,
    seconds: f64,
}

/// The result of the search for fewer plies.
#[derive(Clone, Copy, Default, Serialize)]
struct Searched {
    /// Searches that have found a win.
    rounds: u32,
    /// Positions that all searches have looked at the moves of.
    expansions: u64,
    /// So many plies do not suffice, as far as a search knows.
    no_win_within: Option<u32>,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let Arguments { files, sfen, above, out, .. } = arguments;
    file::check_writable(out)?;
    let interrupt = Interrupt::listen()?;
    let started = Instant::now();
    let (variant, shortening, first) = load(files)?;
    let evaluation = arguments.search.evaluation.read(variant)?;
    let root = sfen.clone().unwrap_or(first);
    let mut work =
        ShortenTask { shortening, root, above: *above, interrupt, passes: 0, changed: 0 };
    // A root that cannot be read, or does not follow, is reported before the work.
    work.plies()?;
    for _ in 0..arguments.passes {
        if work.pass(*above) == 0 || work.interrupt.is_set() {
            break;
        }
    }
    let searched = match arguments.plies {
        Some(plies) => Some(work.search(plies, evaluation, &arguments.search)?),
        None => None,
    };
    let ShortenTask { shortening, root, interrupt, passes, changed, .. } = work;
    let proof = shortening.proof(&root)?.ok_or_else(|| missing(&root))?;
    drop(shortening);
    // Never written unchecked, since what was taken in was not.
    let checked = check(&*proof).context("one of the proofs does not hold; see shogi verify")?;
    file::write_by(out, &mut |file| Ok(proof.write(file)?))?;
    if interrupt.is_set() {
        let advice = format!("the proof so far is in {0}; to go on, shorten {0}", out.display());
        return Err(Interrupted { advice }.into());
    }
    let answer = ShortenAnswer {
        root: proof.claimed(common.dialect()).root,
        entries: proof.entries(),
        plies_at_most: checked.plies,
        bytes: file::size(out).unwrap_or_default(),
        passes,
        changed,
        searched,
        seconds: started.elapsed().as_secs_f64(),
    };
    let plies = checked.plies.map_or(String::new(), |plies| format!("at most {plies} plies, "));
    let mut text = format!(
        "{}: {plies}{} entries, {} bytes; {} changes in {}",
        answer.root,
        answer.entries,
        answer.bytes,
        answer.changed,
        print::counted(passes.into(), "pass", "passes"),
    );
    if let Some(Searched { expansions, no_win_within, .. }) = searched {
        text += &format!("; {expansions} expansions");
        if let Some(plies) = no_win_within {
            text += &format!(", no win within {} found", print::plies(plies));
        }
    }
    print::answer(common.json, &answer, text)?;
    Ok(Outcome::Good)
}

fn missing(root: &str) -> anyhow::Error {
    anyhow!("the proofs do not show that {root} is won")
}

/// In passes between two searches only positions that are won in more plies are looked at: few, but those
/// that the longest lines go through.
const LONG: u32 = 31;

/// The work under way.
struct ShortenTask {
    shortening: Box<dyn AnyShortening>,
    root: String,
    above: u32,
    interrupt: Interrupt,
    passes: u32,
    changed: u64,
}

impl ShortenTask {
    /// Plies to the end from the root at most.
    fn plies(&self) -> Result<u32> {
        self.shortening.plies(&self.root)?.ok_or_else(|| missing(&self.root))
    }

    /// Goes over the positions won in more plies than `above` once; how many have changed.
    fn pass(&mut self, above: u32) -> u64 {
        let bar = bar::count(0, 0, "positions");
        bar.set_message(format!(", pass {}", self.passes + 1));
        let changes = self.shortening.pass(above, &mut |position, all| {
            bar.set_length(all);
            bar.set_position(position);
            if self.interrupt.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        bar.finish_and_clear();
        self.passes += 1;
        self.changed += changes;
        changes
    }

    /// Searches for a win within so many plies, until it is found, there is none, the budget is spent, or
    /// Ctrl-C.
    fn search(
        &mut self,
        plies: u32,
        evaluation: Option<Vec<u8>>,
        limits: &ShorteningLimits,
    ) -> Result<Searched> {
        let hash_bytes = (limits.hash as usize) << 20;
        let options = WorkOptions { evaluation, leaf: None, hash_bytes };
        let mut searched = Searched::default();
        let (target, begun) = (Cell::new(0), Instant::now());
        let spinner = bar::spinner("{spinner} {msg}");
        let mut show = |progress: SearchProgress| {
            spinner.set_message(format!(
                "within {} plies: {} expansions, proof number {}, table {} % full, {}",
                target.get(),
                HumanCount(progress.expansions),
                HumanCount(progress.proof.into()),
                progress.hashfull / 10,
                HumanDuration(begun.elapsed()),
            ));
            spinner.tick();
        };
        let interrupt = self.interrupt.clone();
        let mut budget = Budget::nodes(limits.nodes.unwrap_or(u64::MAX))
            .stopped_by(interrupt.flag())
            .reporting_to(&mut show);
        if let Some(time) = limits.time {
            budget = budget.time(time);
        }
        let mut part = 16;
        loop {
            let now = self.plies()?;
            budget.look();
            if now <= plies || budget.is_over() {
                break;
            }
            let less = (now / part).max(1);
            target.set((now - less).max(plies));
            let found = self.shortening.win_within(&self.root, target.get(), &options, &mut budget);
            let found = limits.evaluation.name(found, || self.root.clone())?;
            match found {
                Within::Won => {
                    searched.rounds += 1;
                    self.pass(self.above.max(LONG));
                }
                Within::NotWon => {
                    searched.no_win_within = Some(target.get());
                    if now - target.get() <= 2 {
                        break;
                    }
                    part *= 2;
                }
                Within::Open => break,
            }
        }
        spinner.finish_and_clear();
        if !budget.is_over() && searched.no_win_within.is_none() && self.plies()? > plies {
            print::note("the table has no room for a shorter proof: give it more with --hash");
        }
        searched.expansions = budget.expansions();
        Ok(searched)
    }
}

/// Reads the proofs; gives their variant and the root of the first.
fn load(files: &[PathBuf]) -> Result<(Variant, Box<dyn AnyShortening>, String)> {
    let mut loaded: Option<(Box<dyn AnyShortening>, String, Header)> = None;
    for path in files {
        let name = || path.display().to_string();
        let reader = open(path)?;
        let header = reader.header().clone();
        let Claim::Win { prover } = header.claim else {
            bail!("{}: the proof is not one of a win", path.display());
        };
        match &mut loaded {
            None => {
                let mut shortening =
                    variant(&header).with_context(name)?.proofs().shortening(prover);
                let root = shortening.add(reader).with_context(name)?;
                loaded = Some((shortening, root, header));
            }
            Some((shortening, _, first)) => {
                ensure!(
                    (&first.variant, first.claim) == (&header.variant, header.claim),
                    "{}: a win for {} in {}, while {} has one for another player or variant",
                    path.display(),
                    colour(prover),
                    header.variant,
                    files[0].display(),
                );
                shortening.add(reader).with_context(name)?;
            }
        }
    }
    let (shortening, root, first) = loaded.ok_or_else(|| Usage("a proof is needed".to_owned()))?;
    Ok((variant(&first)?, shortening, root))
}
