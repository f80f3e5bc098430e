//! What the solutions of whole games share: the record of a tablebase, kept in JSON with those of
//! others, and the page that is written from it.

mod compare;
mod page;

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use shogi_core::Position;
use shogi_rules::{to_sfen, to_usi};
use shogi_solve::tablebase::{
    BuildProgress, Builder, DrawError, PieceSet, Stored, Tablebase, World, draw_proof,
};

use crate::provenance::Provenance;
use crate::write_whole;

pub use compare::{Compared, compare};

/// The records by name: `dobutsu`, or two officers of 3x4 shogi.
pub type Records = BTreeMap<String, Record>;

/// What a tablebase says.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The variant.
    pub variant: String,
    /// The set of pieces.
    pub pieces: String,
    /// Numbers of the index.
    pub numbers: u64,
    /// Bytes of the file.
    pub bytes: u64,
    /// Seconds of processor time that building took, all threads together; none if the file was there, or
    /// a checkpoint of it.
    #[serde(default)]
    pub seconds: Option<f64>,
    /// Where and on which day it was built.
    #[serde(default)]
    pub built: String,
    /// Positions, mirror images folded.
    pub positions: u64,
    /// Positions won for the player to move.
    pub win: u64,
    /// Positions lost.
    pub loss: u64,
    /// Positions drawn.
    pub draw: u64,
    /// The most plies of a win or loss.
    pub longest: u32,
    /// By plies, the positions lost in an even number of them and won in an odd one.
    pub plies: Vec<u64>,
    /// A position of the most plies, with a line of best play.
    pub longest_position: String,
    /// The line.
    pub longest_line: Vec<String>,
    /// The values of the starts by name.
    pub starts: BTreeMap<String, Start>,
    /// What can arise from the start.
    #[serde(default)]
    pub reachable: Option<ReachableCounts>,
    /// Random positions that were given to proof search.
    #[serde(default)]
    pub compared: Option<Compared>,
}

/// The value of a start.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Start {
    /// Win, loss or draw for Sente.
    pub value: String,
    /// Plies to the end.
    pub plies: Option<u32>,
    /// Entries of a proof that was drawn from the tablebase and checked by the rules; none if it was
    /// not wanted or is too large.
    #[serde(default)]
    pub proof: Option<usize>,
}

/// Positions that can arise from the start.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReachableCounts {
    /// Positions in which a lion can be captured.
    pub capture: u64,
    /// Positions decided by a try.
    #[serde(rename = "try")]
    pub tried: u64,
    /// Others won for the player to move.
    pub win: u64,
    /// Others lost.
    pub loss: u64,
    /// Others drawn.
    pub draw: u64,
    /// The others by plies.
    pub plies: Vec<u64>,
}

impl Record {
    /// The record of a tablebase that took so many seconds; takes memory for the whole of it.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn of<R: World>(table: &Tablebase<R>, seconds: Option<f64>) -> Result<Self> {
        let totals = table.totals();
        let longest = table.longest()?.context("nothing is won")?;
        let mut longest_line = Vec::new();
        for mv in table.line(&longest, totals.longest)? {
            longest_line.push(to_usi(mv).to_string());
        }
        let mut starts = BTreeMap::new();
        for (name, start) in R::starts(table.set()) {
            let value = table.probe(&start)?;
            let start =
                Start { value: value.verdict.name().to_owned(), plies: value.plies, proof: None };
            starts.insert(name, start);
        }
        Ok(Self {
            variant: R::NAME.to_owned(),
            pieces: table.set().to_string(),
            numbers: table.index().size(),
            bytes: table.path().metadata()?.len(),
            seconds,
            built: Provenance::of("").to_string(),
            positions: totals.positions(),
            win: totals.win,
            loss: totals.loss,
            draw: totals.draw,
            longest: totals.longest,
            plies: table.statistics()?.decided,
            longest_position: to_sfen(&longest),
            longest_line,
            starts,
            reachable: None,
            compared: None,
        })
    }

    /// Draws a proof of each start of at most so many positions, and checks it by the rules.
    ///
    /// # Errors
    ///
    /// If the tablebase cannot be read, or a proof does not hold.
    pub fn prove<R: World>(&mut self, table: &Tablebase<R>, most: usize) -> Result<()> {
        for (name, start) in R::starts(table.set()) {
            let proof = match draw_proof(table, &Position::new(start)?, most) {
                Err(DrawError::TooLarge(_)) => continue,
                proof => proof?,
            };
            let checked = proof.check().with_context(|| name.clone())?;
            if let Some(record) = self.starts.get_mut(&name) {
                anyhow::ensure!(
                    checked.plies == record.plies,
                    "{name}: the proof is of other plies"
                );
                record.proof = Some(proof.strategies().iter().map(|strategy| strategy.len()).sum());
            }
        }
        Ok(())
    }
}

/// Builds and writes the tablebase of a set, with a checkpoint in a directory; the processor time that it
/// took, if it was built from the beginning.
///
/// # Errors
///
/// If there is no index for the set, or a file cannot be read or written.
pub fn build<R: World>(set: PieceSet<R>, path: &Path, checkpoint: &Path) -> Result<Option<f64>> {
    let before = processor_seconds();
    let mut builder = Builder::new(set, None)?.with_checkpoint(checkpoint)?;
    let mut is_whole = None;
    let watch = |progress: &BuildProgress| {
        is_whole.get_or_insert(progress.plies.is_none());
        ControlFlow::Continue(())
    };
    let finished = builder.run(watch)?.context("stopped")?;
    finished.write(path, Stored::Plies)?;
    let seconds = before.and_then(|before| Some(processor_seconds()? - before));
    Ok(seconds.filter(|_| is_whole == Some(true)))
}

/// The processor time that this process has taken, all threads together, in seconds; `None` where the
/// system does not say it as Linux does.
fn processor_seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // After the name of the program, which may have blanks, these are the 12th and 13th field, in
    // hundredths of seconds.
    let mut fields = stat.rsplit(')').next()?.split_whitespace().skip(11);
    let mut next = || fields.next()?.parse::<f64>().ok();
    Some((next()? + next()?) / 100.0)
}

/// Puts a record in the place of an older one into `tablebases.json` of a folder, and writes
/// `tablebases.md` anew, with the values of `shogi34.json` beside those of the starts. Seconds and
/// counts that the new record lacks are kept.
///
/// # Errors
///
/// If a file cannot be read or written.
pub fn publish(folder: &Path, name: &str, mut record: Record) -> Result<()> {
    let path = folder.join("tablebases.json");
    let text = if path.exists() { fs::read_to_string(&path)? } else { "{}".to_owned() };
    let mut records: Records = serde_json::from_str(&text)?;
    if let Some(old) = records.get(name) {
        record.seconds = record.seconds.or(old.seconds);
        record.reachable = record.reachable.or_else(|| old.reachable.clone());
        record.compared = record.compared.or(old.compared);
        for (name, start) in &mut record.starts {
            start.proof = start.proof.or_else(|| old.starts.get(name)?.proof);
        }
    }
    records.insert(name.to_owned(), record);
    write_whole(&path, serde_json::to_string(&records)? + "\n")?;
    Ok(write_whole(&folder.join("tablebases.md"), page(folder)?)?)
}

/// The page that `tablebases.md` holds, made from `tablebases.json` and `shogi34.json` of a folder. The values
/// of the starts stand alone where there is no `shogi34.json`.
///
/// # Errors
///
/// If `tablebases.json` cannot be read.
pub fn page(folder: &Path) -> Result<String> {
    let path = folder.join("tablebases.json");
    let text =
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let records: Records = serde_json::from_str(&text)?;
    let searched = fs::read_to_string(folder.join("shogi34.json")).unwrap_or_default();
    Ok(page::page(&records, &page::searched(&searched)))
}
