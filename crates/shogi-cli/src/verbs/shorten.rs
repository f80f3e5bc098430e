//! `proof shorten`: one proof of several, with the shortest ways that they hold.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use serde::Serialize;
use shogi_solve::proof::{Claim, Header};
use shogi_variants::operations::AnyShortening;

use crate::common::Common;
use crate::end::{Interrupted, Outcome, Usage};
use crate::interrupt::Interrupt;
use crate::proof_file::{check, colour, open, variant};
use crate::{bar, file, print};

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
    #[arg(long, value_name = "PLIES", default_value_t = 7)]
    above: u32,
    /// Go over the positions so many times, unless nothing changes any more.
    #[arg(long, value_name = "N", default_value_t = 8)]
    passes: u32,
    /// Write the proof to this file.
    #[arg(long, value_name = "FULL")]
    out: PathBuf,
}

/// The answer.
#[derive(Serialize)]
struct Answer {
    root: String,
    entries: usize,
    plies_at_most: Option<u32>,
    bytes: u64,
    passes: u32,
    /// Positions that have another step than before, once for each pass.
    changed: u64,
    seconds: f64,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let Arguments { files, sfen, above, passes, out } = arguments;
    file::check_writable(out)?;
    let interrupt = Interrupt::listen()?;
    let started = Instant::now();
    let (mut shortening, first) = load(files)?;
    let root = sfen.as_ref().unwrap_or(&first);
    // A root that cannot be read, or does not follow, is told of before the work.
    let missing = || anyhow!("the proofs do not show that {root} is won");
    shortening.proof(root)?.ok_or_else(missing)?;
    let (mut done, mut changed) = (0, 0);
    while done < *passes && !interrupt.is_set() {
        let bar = bar::count(0, 0, "positions");
        bar.set_message(format!(", pass {}", done + 1));
        let changes = shortening.pass(*above, &mut |position, all| {
            bar.set_length(all);
            bar.set_position(position);
            if interrupt.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        bar.finish_and_clear();
        (done, changed) = (done + 1, changed + changes);
        if changes == 0 {
            break;
        }
    }
    let proof = shortening.proof(root)?.ok_or_else(missing)?;
    drop(shortening);
    // Never written unchecked, since what was taken in was not.
    let checked = check(&*proof).context("one of the proofs does not hold; see shogi verify")?;
    file::write_by(out, |file| Ok(proof.write(file)?))?;
    if interrupt.is_set() {
        let advice = format!("the proof so far is in {0}; to go on, shorten {0}", out.display());
        return Err(Interrupted { advice }.into());
    }
    let answer = Answer {
        root: proof.claimed(common.dialect_asked_for()).root,
        entries: proof.entries(),
        plies_at_most: checked.plies,
        bytes: file::size(out).unwrap_or_default(),
        passes: done,
        changed,
        seconds: started.elapsed().as_secs_f64(),
    };
    let plies = checked.plies.map_or(String::new(), |plies| format!("at most {plies} plies, "));
    let text = format!(
        "{}: {plies}{} entries, {} bytes; {} changes in {}",
        answer.root,
        answer.entries,
        answer.bytes,
        answer.changed,
        print::counted(done.into(), "pass", "passes"),
    );
    print::answer(common.json, &answer, text)?;
    Ok(Outcome::Good)
}

/// Reads the proofs; gives the root of the first.
fn load(files: &[PathBuf]) -> Result<(Box<dyn AnyShortening>, String)> {
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
    let (shortening, root, _) = loaded.ok_or_else(|| Usage("a proof is needed".to_owned()))?;
    Ok((shortening, root))
}
