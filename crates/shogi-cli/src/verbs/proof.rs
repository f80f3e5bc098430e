//! `proof`: files that prove the value of a position.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow};
use clap::Subcommand;
use serde::Serialize;
use shogi_rules::shogi_core::Colour;
use shogi_solve::proof::{Checked, Header, ReadReason, Reader, Refuted};
use shogi_variants::operations::{AnyProof, AnyReader, Claimed, ProofStats, SectionStats};

use crate::common::Common;
use crate::end::Outcome;
use crate::input::Lines;
use crate::variant::Variant;
use crate::verbs::{build, verify};
use crate::{batch, print};

/// Arguments of `proof`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand, Debug)]
enum Verb {
    /// Builds a proof that a player wins, from many searches of limited size.
    Build(build::Arguments),
    /// Verifies a proof, like `shogi verify`.
    Verify(verify::Arguments),
    /// Prints what a proof claims and how large it is.
    Stats(OfFile),
    /// Prints the line that lasts longest.
    Line(Line),
    /// Looks up positions of a proof, each given as a list of moves on standard input.
    ///
    /// A line is moves in USI notation from the root on, of both players, separated by spaces; the
    /// word root before them is optional, and alone it stands for the root.
    Walk(OfFile),
}

/// Arguments of the verbs that take a file and nothing else.
#[derive(clap::Args, Debug)]
struct OfFile {
    /// A proof file.
    file: PathBuf,
}

/// Arguments of `proof line`.
#[derive(clap::Args, Debug)]
struct Line {
    /// A proof file.
    file: PathBuf,
    /// Choose replies by how long the game really lasts, rather than by the ranks stored, which
    /// may be larger.
    #[arg(long)]
    longest: bool,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    match &arguments.verb {
        Verb::Build(arguments) => build::run(arguments, common),
        Verb::Verify(arguments) => verify::run(arguments, common),
        Verb::Stats(OfFile { file }) => stats(file, common),
        Verb::Line(Line { file, longest }) => line(file, *longest, common),
        Verb::Walk(OfFile { file }) => walk(file, common),
    }
}

fn open(path: &Path) -> Result<AnyReader<'static>> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    Reader::new(Box::new(file) as Box<dyn Read>).with_context(|| path.display().to_string())
}

fn load(path: &Path) -> Result<Box<dyn AnyProof>> {
    let reader = open(path)?;
    let proofs = variant(reader.header())?.proofs();
    proofs.load(reader).with_context(|| path.display().to_string())
}

fn variant(header: &Header) -> Result<Variant> {
    let name = &header.variant;
    name.parse::<Variant>().map_err(|_| anyhow!("there is no variant {name:?}"))
}

/// The name of a player in answers.
pub const fn colour(colour: Colour) -> &'static str {
    match colour {
        Colour::Sente => "sente",
        Colour::Gote => "gote",
    }
}

fn claim_text(claimed: &Claimed) -> String {
    let Claimed { variant, root, claim, provers, .. } = claimed;
    let provers: Vec<_> = provers.iter().copied().map(colour).collect();
    format!("{} for {} in {variant}, {root}", claim.name(), provers.join(" and "))
}

/// The answer of `verify` for a proof.
#[derive(Serialize)]
struct Verified {
    ok: bool,
    #[serde(flatten)]
    claimed: Option<Claimed>,
    #[serde(flatten)]
    found: Found,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Found {
    Holds {
        entries: u64,
        replies: u64,
        ends: u64,
        /// The most plies to the end; null where the strategy may run in cycles.
        plies: Option<u64>,
    },
    Refuted {
        reason: String,
        /// The offending position; null where the fault is in none.
        position: Option<String>,
    },
}

/// Checks a proof file, for `verify`.
pub fn verify(input: impl Read, common: &Common) -> Result<Outcome> {
    let answer = match Reader::new(Box::new(input) as Box<dyn Read>) {
        Ok(reader) => match variant(reader.header()) {
            Ok(variant) => check(variant, reader, common)?,
            Err(error) => refuted(error.to_string(), None),
        },
        Err(error) => unreadable(error)?,
    };
    let text = match &answer {
        Verified { claimed: Some(claimed), found: Found::Holds { entries, plies, .. }, .. } => {
            let plies = plies.map_or(String::new(), |plies| format!(", at most {plies} plies"));
            format!("ok: {}: {entries} entries{plies}", claim_text(claimed))
        }
        Verified { found: Found::Refuted { reason, position: Some(position) }, .. } => {
            format!("refuted: {reason}, at {position}")
        }
        Verified { found: Found::Refuted { reason, .. }, .. } => format!("refuted: {reason}"),
        Verified { .. } => "ok".to_owned(),
    };
    print::answer(common.json, &answer, text)?;
    Ok(Outcome::good_if(answer.ok))
}

fn check(variant: Variant, reader: AnyReader<'_>, common: &Common) -> Result<Verified> {
    let proof = match variant.proofs().load(reader) {
        Ok(proof) => proof,
        Err(error) => return unreadable(error),
    };
    let claimed = Some(proof.claimed(common.dialect_asked_for()));
    Ok(match proof.check() {
        Ok(Checked { entries, replies, ends, plies }) => {
            Verified { ok: true, claimed, found: Found::Holds { entries, replies, ends, plies } }
        }
        Err(Refuted { fault, sfen }) => {
            Verified { claimed, ..refuted(fault.to_string(), Some(sfen)) }
        }
    })
}

fn refuted(reason: String, position: Option<String>) -> Verified {
    Verified { ok: false, claimed: None, found: Found::Refuted { reason, position } }
}

/// A file that is no proof is refuted; one that cannot be read is an error.
fn unreadable(error: shogi_solve::proof::ReadError) -> Result<Verified> {
    match error.reason {
        ReadReason::Io(error) => Err(anyhow!(error).context("cannot read the proof")),
        _ => Ok(refuted(error.to_string(), None)),
    }
}

/// The answer of `proof stats`.
#[derive(Serialize)]
struct Stats {
    #[serde(flatten)]
    claimed: Claimed,
    entries: u64,
    longest: Option<u32>,
    bytes: u64,
    bytes_per_entry: Option<f64>,
    sections: Vec<SectionStats>,
}

fn stats(path: &Path, common: &Common) -> Result<Outcome> {
    let name = || path.display().to_string();
    let reader = open(path)?;
    let proofs = variant(reader.header())?.proofs();
    let stats = proofs.stats(reader, common.dialect_asked_for()).with_context(name)?;
    let ProofStats { claimed, entries, longest, sections } = stats;
    let bytes = path.metadata().with_context(name)?.len();
    let bytes_per_entry = (entries > 0).then(|| bytes as f64 / entries as f64);
    let plies = longest.map_or(String::new(), |longest| format!(", greatest rank {longest}"));
    let each = bytes_per_entry.map_or(String::new(), |each| format!(" ({each:.2} an entry)"));
    let text = format!("{}: {entries} entries{plies}, {bytes} bytes{each}", claim_text(&claimed));
    let stats = Stats { claimed, entries, longest, bytes, bytes_per_entry, sections };
    print::answer(common.json, &stats, text)?;
    Ok(Outcome::Good)
}

fn line(path: &Path, longest: bool, common: &Common) -> Result<Outcome> {
    let line = load(path)?.line(longest, common.dialect_asked_for());
    print::answer(common.json, &line, line.moves.join(" "))?;
    Ok(Outcome::Good)
}

fn walk(path: &Path, common: &Common) -> Result<Outcome> {
    let proof = load(path)?;
    let dialect = common.dialect_asked_for();
    batch::run(Lines::of("lists of moves"), |line| {
        let moves = line.trim_start_matches(['\u{feff}', ' ', '\t']);
        Ok(proof.step(moves.strip_prefix("root").unwrap_or(moves), dialect)?)
    })
}
