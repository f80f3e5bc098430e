//! `proof`: files that prove the value of a position.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, ensure};
use clap::Subcommand;
use serde::Serialize;
use shogi_rules::shogi_core::{Colour, Move, Position};
use shogi_rules::{Dialect, Rules, parse_usi, to_sfen_in, to_usi_in};
use shogi_solve::proof::{Checked, Header, Proof, ReadReason, Reader, Refuted, Repetition, Reply};

use crate::common::Common;
use crate::end::Outcome;
use crate::line::in_usi;
use crate::variant::{Variant, dispatch};
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
    /// Build a proof that a player wins, from many searches of limited size.
    Build(build::Arguments),
    /// Check a proof; the same as `shogi verify`.
    Verify(verify::Arguments),
    /// Tell what a proof claims and how large it is.
    Stats(OfFile),
    /// Print the line that lasts longest.
    Line(Line),
    /// Tell what a proof says after each list of moves on standard input.
    ///
    /// A line is moves in USI notation from the root on, of both players, separated by spaces; the
    /// word root before them is optional, and alone it asks for the root.
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
        Verb::Stats(OfFile { file }) => {
            let reader = open(file)?;
            dispatch!(variant(reader.header())?, R => stats::<R>(reader, file, common))
        }
        Verb::Line(Line { file, longest }) => {
            let reader = open(file)?;
            dispatch!(variant(reader.header())?, R => line::<R>(reader, file, *longest, common))
        }
        Verb::Walk(OfFile { file }) => {
            let reader = open(file)?;
            dispatch!(variant(reader.header())?, R => walk::<R>(reader, file, common))
        }
    }
}

fn open(path: &Path) -> Result<Reader<File>> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    Reader::new(file).with_context(|| path.display().to_string())
}

fn variant(header: &Header) -> Result<Variant> {
    let name = &header.variant;
    name.parse::<Variant>().map_err(|_| anyhow!("there is no variant {name:?}"))
}

fn load<R: Rules>(reader: Reader<File>, path: &Path) -> Result<Proof<R>> {
    reader.proof().with_context(|| path.display().to_string())
}

/// The name of a player in answers.
pub const fn colour(colour: Colour) -> &'static str {
    match colour {
        Colour::Sente => "sente",
        Colour::Gote => "gote",
    }
}

/// What a file claims, in every answer about the whole of it.
#[derive(Serialize)]
struct Claimed {
    variant: &'static str,
    root: String,
    claim: &'static str,
    /// The players whose moves are stored.
    provers: Vec<&'static str>,
    /// For the player to move; null where the claim leaves it open.
    value: Option<&'static str>,
}

impl Claimed {
    fn new<R: Rules>(header: &Header, root: &Position<R>, common: &Common) -> Self {
        let claim = header.claim;
        Self {
            variant: R::NAME,
            root: to_sfen_in(root, common.dialect::<R>()),
            claim: claim.name(),
            provers: claim.provers().iter().copied().map(colour).collect(),
            value: claim.value(root.side()).map(|value| value.name()),
        }
    }

    fn text(&self) -> String {
        let Self { variant, root, claim, provers, .. } = self;
        format!("{claim} for {} in {variant}, {root}", provers.join(" and "))
    }
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
    let answer = match Reader::new(input) {
        Ok(reader) => match variant(reader.header()) {
            Ok(variant) => dispatch!(variant, R => check::<R>(reader, common))?,
            Err(error) => refuted(error.to_string(), None),
        },
        Err(error) => unreadable(error)?,
    };
    let text = match &answer {
        Verified { claimed: Some(claimed), found: Found::Holds { entries, plies, .. }, .. } => {
            let plies = plies.map_or(String::new(), |plies| format!(", at most {plies} plies"));
            format!("ok: {}: {entries} entries{plies}", claimed.text())
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

fn check<R: Rules>(reader: Reader<impl Read>, common: &Common) -> Result<Verified> {
    let header = reader.header().clone();
    let proof = match reader.proof::<R>() {
        Ok(proof) => proof,
        Err(error) => return unreadable(error),
    };
    let claimed = Some(Claimed::new(&header, proof.root(), common));
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
    /// The greatest rank; null where a strategy may run in cycles.
    longest: Option<u32>,
    bytes: u64,
    bytes_per_entry: Option<f64>,
    sections: Vec<SectionStats>,
}

#[derive(Serialize)]
struct SectionStats {
    prover: &'static str,
    repetition: &'static str,
    entries: u64,
    longest: Option<u32>,
}

fn stats<R: Rules>(reader: Reader<File>, path: &Path, common: &Common) -> Result<Outcome> {
    let mut entries = reader.entries::<R>().with_context(|| path.display().to_string())?;
    let header = entries.header().clone();
    let provers = header.claim.provers().iter().zip(&header.sections);
    let mut sections: Vec<_> = provers
        .map(|(&prover, section)| SectionStats {
            prover: colour(prover),
            repetition: section.repetition.name(),
            entries: section.entries,
            longest: (section.repetition == Repetition::Absent).then_some(0),
        })
        .collect();
    let claimed = Claimed::new(&header, entries.root(), common);
    for entry in entries.by_ref() {
        let entry = entry.with_context(|| path.display().to_string())?;
        let longest = &mut sections[entry.section].longest;
        *longest = longest.map(|longest| longest.max(entry.step.rank));
    }
    let bytes = path.metadata().with_context(|| path.display().to_string())?.len();
    let entries = sections.iter().map(|section| section.entries).sum();
    let ranks = sections.iter().map(|section| section.longest);
    let longest = ranks.reduce(|a, b| Some(a?.max(b?))).flatten();
    let bytes_per_entry = (entries > 0).then(|| bytes as f64 / entries as f64);
    let stats = Stats { claimed, entries, longest, bytes, bytes_per_entry, sections };
    let plies = longest.map_or(String::new(), |longest| format!(", greatest rank {longest}"));
    let each = bytes_per_entry.map_or(String::new(), |each| format!(" ({each:.2} an entry)"));
    let text = format!("{}: {entries} entries{plies}, {bytes} bytes{each}", stats.claimed.text());
    print::answer(common.json, &stats, text)?;
    Ok(Outcome::Good)
}

/// The answer of `proof line`.
#[derive(Serialize)]
struct LineAnswer {
    #[serde(flatten)]
    claimed: Claimed,
    moves: Vec<String>,
    plies: usize,
    /// The result for the player to move at the end of the line; null where it runs into a cycle.
    end: Option<&'static str>,
}

fn line<R: Rules>(
    reader: Reader<File>,
    path: &Path,
    longest: bool,
    common: &Common,
) -> Result<Outcome> {
    let header = reader.header().clone();
    let proof = load::<R>(reader, path)?;
    let line = if longest { proof.longest_line() } else { proof.line() };
    let last = line.iter().fold(*proof.root(), |position, &made| position.play(made));
    let moves = in_usi(*proof.root(), &line, common);
    let claimed = Claimed::new(&header, proof.root(), common);
    let end = R::verdict(&last).map(|verdict| verdict.name());
    let text = moves.join(" ");
    print::answer(common.json, &LineAnswer { claimed, plies: moves.len(), moves, end }, text)?;
    Ok(Outcome::Good)
}

/// The answer of `proof walk` to one line.
#[derive(Serialize)]
struct Step {
    sfen: String,
    /// How the game has ended for the player to move, if it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<&'static str>,
    /// The move stored for the player to move; null where only the opponent's are.
    #[serde(rename = "move")]
    made: Option<String>,
    /// The most plies to the end; null where the strategy may run in cycles.
    rank: Option<u32>,
    /// The opponent's replies, after the stored move if there is one.
    replies: Vec<ReplyAnswer>,
}

#[derive(Serialize)]
struct ReplyAnswer {
    #[serde(rename = "move")]
    made: String,
    /// The result for the prover to move, where the reply has ended the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<&'static str>,
    rank: Option<u32>,
}

fn walk<R: Rules>(reader: Reader<File>, path: &Path, common: &Common) -> Result<Outcome> {
    let proof = load::<R>(reader, path)?;
    batch::run(|line| step(&proof, line, common.dialect::<R>()))
}

fn step<R: Rules>(proof: &Proof<R>, line: &str, dialect: Dialect) -> Result<Step> {
    let mut position = *proof.root();
    let moves = line.strip_prefix("root").unwrap_or(line);
    for usi in moves.split_whitespace() {
        let made = parse_usi(usi).with_context(|| format!("in {usi:?}"))?;
        ensure!(R::verdict(&position).is_none(), "{usi}: the game has ended before");
        position = position.try_play(made).with_context(|| format!("{usi}: not a legal move"))?;
    }
    let sfen = to_sfen_in(&position, dialect);
    if let Some(verdict) = R::verdict(&position) {
        let end = Some(verdict.name());
        return Ok(Step { sfen, end, made: None, rank: Some(0), replies: Vec::new() });
    }
    let (made, rank, replied) = match proof.strategy(position.side()) {
        None => (None, None, position),
        Some(strategy) => {
            let step = strategy.get(&position).context("the proof has no move here")?;
            let ranked = strategy.repetition() == Repetition::Absent;
            (Some(step.made), ranked.then_some(step.rank), position.play(step.made))
        }
    };
    let replies = proof.replies(&replied);
    let covered = made.is_some() || replies.iter().all(|reply| reply.rank.is_some());
    ensure!(covered, "the proof has no move here");
    let rank = rank.or_else(|| rank_of(proof, position.side(), &replies));
    let write = |made: Move<R>, position: &Position<R>| to_usi_in(made, position, dialect);
    let ranked = proof
        .strategy(!replied.side())
        .is_some_and(|strategy| strategy.repetition() == Repetition::Absent);
    let answer = |reply: &Reply<R>| ReplyAnswer {
        made: write(reply.made, &replied),
        end: R::verdict(&reply.position).map(|verdict| verdict.name()),
        rank: reply.rank.filter(|_| ranked),
    };
    let made = made.map(|made| write(made, &position));
    Ok(Step { sfen, end: None, made, rank, replies: replies.iter().map(answer).collect() })
}

/// The most plies to the end where the opponent of the only prover is to move.
fn rank_of<R: Rules>(proof: &Proof<R>, side: Colour, replies: &[Reply<R>]) -> Option<u32> {
    let strategy = proof.strategy(!side).filter(|_| proof.strategy(side).is_none())?;
    let ranked = strategy.repetition() == Repetition::Absent;
    let longest = replies.iter().filter_map(|reply| reply.rank).max()?;
    ranked.then(|| longest.saturating_add(1))
}
