//! `proof`: files that prove the value of a position. Verbs under it that have more to them than a file
//! stand in modules of their own.

pub mod build;
mod expand;
mod shorten;
mod work;

use std::cell::Cell;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::{Context as _, Result};
use clap::Subcommand;
use serde::Serialize;
use shogi_solve::proof::Reader;
use shogi_variants::operations::{
    AnyProof, Claimed, EXPLORER_PAGE, ProofStats, SectionStats, proof_link,
};

use crate::common::Common;
use crate::end::{Outcome, Usage};
use crate::input::MoveListSource;
use crate::proof_file::{claim_text, open, variant};
use crate::verbs::verify;
use crate::{batch, file, print};

/// Arguments of `proof`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    verb: ProofVerb,
}

#[derive(Subcommand, Debug)]
enum ProofVerb {
    /// Builds a proof that a player wins, from many searches of limited size.
    Build(build::Arguments),
    /// Does a job of a proof that is built elsewhere, as `proof build --jobs` writes it.
    Work(work::Arguments),
    /// Makes a whole proof from its skeleton: proves again what was left out.
    Expand(expand::Arguments),
    /// Makes one proof of several, with the shortest ways that they hold.
    ///
    /// Of a position in several proofs the shorter win is kept; and where another move leads into positions
    /// that the proofs have, and wins sooner, it is made instead.
    Shorten(shorten::Arguments),
    /// Verifies a proof, like `shogi verify`.
    Verify(verify::Arguments),
    /// Prints what a proof claims and how large it is.
    Stats(FileArguments),
    /// Prints the line that lasts longest.
    Line(LineArguments),
    /// Prints an address with a small proof in it: whoever opens it has the proof checked by the own browser.
    ///
    /// The proof stands behind the `#` of the address, with its rules if its game is not built in. The page is the
    /// explorer without a server, or one that `shogi explore` serves.
    Link(LinkArguments),
    /// Looks up positions of a proof, each given as a list of moves on standard input.
    ///
    /// A line is moves in USI notation from the root on, of both players, separated by spaces; the
    /// word root before them is optional, and alone it stands for the root.
    Walk(WalkArguments),
}

/// Arguments of the verbs that take a file and nothing else.
#[derive(clap::Args, Debug)]
struct FileArguments {
    /// A proof file, or - for standard input.
    file: PathBuf,
}

/// Arguments of `proof line`.
#[derive(clap::Args, Debug)]
struct LineArguments {
    /// A proof file, or - for standard input.
    file: PathBuf,
    /// Choose replies by how long the game really lasts, rather than by the ranks stored, which
    /// may be larger.
    #[arg(long)]
    longest: bool,
}

/// Arguments of `proof link`.
#[derive(clap::Args, Debug)]
struct LinkArguments {
    /// A proof file, or - for standard input.
    file: PathBuf,
    /// The address of the page; by default as the book has it.
    #[arg(long, value_name = "URL", default_value = EXPLORER_PAGE)]
    page: String,
}

/// Arguments of `proof walk`.
#[derive(clap::Args, Debug)]
struct WalkArguments {
    /// A proof file.
    file: PathBuf,
    #[command(flatten)]
    source: MoveListSource,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    match &arguments.verb {
        ProofVerb::Build(arguments) => build::run(arguments, common),
        ProofVerb::Work(arguments) => work::run(arguments, common),
        ProofVerb::Expand(arguments) => expand::run(arguments, common),
        ProofVerb::Shorten(arguments) => shorten::run(arguments, common),
        ProofVerb::Verify(arguments) => verify::run(arguments, common),
        ProofVerb::Stats(FileArguments { file }) => stats(file, common),
        ProofVerb::Line(LineArguments { file, longest }) => line(file, *longest, common),
        ProofVerb::Link(LinkArguments { file, page }) => link(file, page, common),
        ProofVerb::Walk(WalkArguments { file, source }) => walk(file, source, common),
    }
}

fn load(path: &Path) -> Result<Box<dyn AnyProof>> {
    let reader = open(path)?;
    let name = || path.display().to_string();
    let proofs = variant(reader.header()).with_context(name)?.proofs();
    proofs.load(reader).with_context(name)
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

/// Input that counts the bytes read from it.
struct Counted<I> {
    input: I,
    bytes: Rc<Cell<u64>>,
}

impl<I: Read> Read for Counted<I> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.bytes.set(self.bytes.get() + read as u64);
        Ok(read)
    }
}

fn stats(path: &Path, common: &Common) -> Result<Outcome> {
    let name = || path.display().to_string();
    let bytes = Rc::new(Cell::new(0));
    let input = Counted { input: file::open(path)?, bytes: Rc::clone(&bytes) };
    let reader = Reader::new(Box::new(input) as Box<dyn Read>).with_context(name)?;
    let proofs = variant(reader.header()).with_context(name)?.proofs();
    let stats = proofs.stats(reader, common.dialect()).with_context(name)?;
    let ProofStats { claimed, entries, longest, sections, .. } = stats;
    let bytes = bytes.get();
    let bytes_per_entry = (entries > 0).then(|| bytes as f64 / entries as f64);
    let plies = longest.map_or(String::new(), |longest| format!(", greatest rank {longest}"));
    let each = bytes_per_entry.map_or(String::new(), |each| format!(" ({each:.2} an entry)"));
    let text = format!("{}: {entries} entries{plies}, {bytes} bytes{each}", claim_text(&claimed));
    let stats = Stats { claimed, entries, longest, bytes, bytes_per_entry, sections };
    print::answer(common.json, &stats, text)?;
    Ok(Outcome::Good)
}

fn line(path: &Path, longest: bool, common: &Common) -> Result<Outcome> {
    let line = load(path)?.line(longest, common.dialect());
    print::answer(common.json, &line, line.moves.join(" "))?;
    Ok(Outcome::Good)
}

/// The answer of `proof link`.
#[derive(Serialize)]
struct Link {
    link: String,
}

fn link(path: &Path, page: &str, common: &Common) -> Result<Outcome> {
    let link = proof_link(&*load(path)?, page).with_context(|| path.display().to_string())?;
    print::answer(common.json, &Link { link: link.clone() }, link)?;
    Ok(Outcome::Good)
}

fn walk(path: &Path, source: &MoveListSource, common: &Common) -> Result<Outcome> {
    if file::is_standard(path) {
        let reason = "standard input holds the moves, and the proof must be in a file";
        return Err(Usage(reason.to_owned()).into());
    }
    let proof = load(path)?;
    let dialect = common.dialect();
    batch::run(source.lines(), |line| {
        let moves = line.trim_start_matches(['\u{feff}', ' ', '\t']);
        Ok(proof.step(moves.strip_prefix("root").unwrap_or(moves), dialect)?)
    })
}
