//! Files that prove the value of a position: what they claim, and whether it holds.

use std::io::{BufReader, Read};
use std::path::Path;

use anyhow::{Context as _, Result, anyhow};
use indicatif::ProgressBar;
use shogi_files::sealed::Flaw;
use shogi_rules::shogi_core::Colour;
use shogi_solve::proof::{Checked, Header, ReadError, ReadReason, Reader, RefutedProof};
use shogi_variants::UnknownVariant;
use shogi_variants::operations::{
    AnyProof, AnyReader, AnyTablebase, CheckFinding, Claimed, VerifiedProof,
};

use crate::common::Common;
use crate::end::{Outcome, chain_text};
use crate::fault::Fault;
use crate::tablebase_file::MAX_DRAWN;
use crate::variant::{self, Variant};
use crate::{bar, file, print};

/// The variant of a proof file.
pub fn variant(header: &Header) -> Result<Variant> {
    if let Some(text) = &header.text {
        return Variant::from_text(text).context("the rules in the file");
    }
    Variant::built_in_named(&header.variant).map_err(|UnknownVariant(name)| {
        anyhow!(
            "there is no variant {name:?} among those that are built in, and this file does not hold its rules: only \
             `shogi verify --game` takes the file that does"
        )
    })
}

/// The variant of a proof file to be checked, whose rules may be [given](variant::GameFile).
fn variant_to_check(header: &Header) -> Result<Variant, Fault> {
    if header.text.is_none() {
        return Ok(variant::named(&header.variant)?);
    }
    variant(header).map_err(|error| Fault::refuted(chain_text(&error)))
}

/// Opens a proof file, with a bar for reading it.
pub fn open(path: &Path) -> Result<AnyReader<'static>> {
    let bar = bar::reading(file::size(path));
    let input = BufReader::new(bar.wrap_read(file::open(path)?));
    Reader::new(Box::new(input) as Box<dyn Read>).with_context(|| path.display().to_string())
}

/// The name of a player in answers.
pub const fn colour(colour: Colour) -> &'static str {
    match colour {
        Colour::Sente => "sente",
        Colour::Gote => "gote",
    }
}

/// The claim of a proof, in words.
pub fn claim_text(claimed: &Claimed) -> String {
    let Claimed { variant, root, claim, provers, .. } = claimed;
    let provers: Vec<_> = provers.iter().copied().map(colour).collect();
    format!("{} for {} in {variant}, {root}", claim.name(), provers.join(" and "))
}

/// Checks a proof file of a size, if that is known; for `verify`.
pub fn verify(input: Box<dyn Read>, size: Option<u64>, common: &Common) -> Result<Outcome> {
    let bar = bar::reading(size);
    let input = BufReader::new(bar.wrap_read(input));
    let answer = match Reader::new(Box::new(input) as Box<dyn Read>) {
        Ok(reader) => match variant_to_check(reader.header()) {
            Ok(variant) => verified(variant, reader, &bar, common)?,
            Err(fault) => VerifiedProof::unreadable(fault.refutation()?.to_string()),
        },
        Err(error) => unreadable(error)?,
    };
    let text = match &answer.found {
        CheckFinding::Holds { entries, plies, .. } => {
            let claim = answer.claimed.as_ref().map_or(String::new(), claim_text);
            let entries = print::counted(*entries, "entry", "entries");
            let most =
                plies.map_or(String::new(), |count| format!(", at most {}", print::plies(count)));
            format!("ok: {claim}: {entries}{most}")
        }
        CheckFinding::Refuted { reason, position: Some(position) } => {
            format!("refuted: {reason}, at {position}")
        }
        CheckFinding::Refuted { reason, position: None } => format!("refuted: {reason}"),
    };
    print::answer(common.json, &answer, text)?;
    Ok(Outcome::good_if(answer.ok))
}

fn verified(
    variant: Variant,
    reader: AnyReader<'_>,
    reading: &ProgressBar,
    common: &Common,
) -> Result<VerifiedProof> {
    let loaded = variant.proofs().load(reader);
    reading.finish_and_clear();
    let proof = match loaded {
        Ok(proof) => proof,
        Err(error) => return unreadable(error),
    };
    Ok(with_bar(&*proof, |report| proof.verify(common.dialect(), report)))
}

/// Draws the proof of a position's value from the tablebase in a file, and checks it: a table may be false, and its
/// checksums right all the same.
pub fn draw(
    path: &Path,
    table: &dyn AnyTablebase,
    position: &str,
) -> Result<(Box<dyn AnyProof>, Checked)> {
    let name = || path.display().to_string();
    let proof = table.proof(position, MAX_DRAWN).with_context(name)?;
    let checked = check(&*proof).map_err(|RefutedProof { fault, sfen }| {
        anyhow!("{}: the tablebase is false: its proof is refuted: {fault}, at {sfen}", name())
    })?;
    Ok((proof, checked))
}

/// Checks a proof in memory, with a bar.
pub fn check(proof: &dyn AnyProof) -> Result<Checked, RefutedProof> {
    with_bar(proof, |report| proof.check_with(report))
}

/// Runs a check that reports the entries visited, with a bar.
fn with_bar<T>(proof: &dyn AnyProof, check: impl FnOnce(&mut dyn FnMut(u64)) -> T) -> T {
    let bar = bar::count(proof.entries() as u64, 0, "positions checked");
    let checked = check(&mut |entries| bar.set_position(entries));
    bar.finish_and_clear();
    checked
}

/// A file that is no proof is refuted; one that cannot be read is an error.
fn unreadable(error: ReadError) -> Result<VerifiedProof> {
    match error.reason {
        ReadReason::File(Flaw::Io(error)) => Err(anyhow!(error).context("cannot read the proof")),
        _ => Ok(VerifiedProof::unreadable(error.to_string())),
    }
}
