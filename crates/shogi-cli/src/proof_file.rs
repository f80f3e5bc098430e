//! Files that prove the value of a position: what they claim, and whether it holds.

use std::io::{BufReader, Read};
use std::path::Path;

use anyhow::{Context as _, Result, anyhow};
use indicatif::ProgressBar;
use serde::Serialize;
use shogi_rules::sealed::Flaw;
use shogi_rules::shogi_core::Colour;
use shogi_solve::proof::{Checked, Header, ReadReason, Reader, Refuted};
use shogi_variants::operations::{AnyProof, AnyReader, AnyTablebase, Claimed};

use crate::common::Common;
use crate::end::Outcome;
use crate::tablebase_file::MAX_DRAWN;
use crate::variant::Variant;
use crate::{bar, file, print};

/// The variant of a proof file.
///
/// # Errors
///
/// If there is none of its name.
pub fn variant(header: &Header) -> Result<Variant> {
    if let Some(text) = &header.text {
        return Variant::from_text(text).context("the rules in the file");
    }
    let name = &header.variant;
    name.parse::<Variant>().map_err(|_| anyhow!("there is no variant {name:?}"))
}

/// Opens a proof file, with a bar for reading it.
///
/// # Errors
///
/// Where it cannot be read or has not the head of a proof file, with its name.
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

/// What a proof claims, in words.
pub fn claim_text(claimed: &Claimed) -> String {
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
    found: CheckResult,
}

#[derive(Serialize)]
#[serde(untagged)]
enum CheckResult {
    Holds {
        entries: u64,
        replies: u64,
        ends: u64,
        /// The most plies to the end; null where the strategy may run in cycles.
        plies: Option<u32>,
    },
    Refuted {
        reason: String,
        /// The offending position; null where the fault is in none.
        position: Option<String>,
    },
}

/// Checks a proof file of a size, if that is known; for `verify`.
///
/// # Errors
///
/// Where it cannot be read.
pub fn verify(input: Box<dyn Read>, size: Option<u64>, common: &Common) -> Result<Outcome> {
    let bar = bar::reading(size);
    let input = BufReader::new(bar.wrap_read(input));
    let answer = match Reader::new(Box::new(input) as Box<dyn Read>) {
        Ok(reader) => match variant(reader.header()) {
            Ok(variant) => verified(variant, reader, &bar, common)?,
            Err(error) => refuted(error.to_string(), None),
        },
        Err(error) => unreadable(error)?,
    };
    let text = match &answer {
        Verified {
            claimed: Some(claimed),
            found: CheckResult::Holds { entries, plies, .. },
            ..
        } => {
            let plies = plies.map_or(String::new(), |plies| format!(", at most {plies} plies"));
            format!("ok: {}: {entries} entries{plies}", claim_text(claimed))
        }
        Verified { found: CheckResult::Refuted { reason, position: Some(position) }, .. } => {
            format!("refuted: {reason}, at {position}")
        }
        Verified { found: CheckResult::Refuted { reason, .. }, .. } => format!("refuted: {reason}"),
        Verified { .. } => "ok".to_owned(),
    };
    print::answer(common.json, &answer, text)?;
    Ok(Outcome::good_if(answer.ok))
}

fn verified(
    variant: Variant,
    reader: AnyReader<'_>,
    bar: &ProgressBar,
    common: &Common,
) -> Result<Verified> {
    let loaded = variant.proofs().load(reader);
    bar.finish_and_clear();
    let proof = match loaded {
        Ok(proof) => proof,
        Err(error) => return unreadable(error),
    };
    let claimed = Some(proof.claimed(common.dialect()));
    Ok(match check(&*proof) {
        Ok(Checked { entries, replies, ends, plies }) => Verified {
            ok: true,
            claimed,
            found: CheckResult::Holds { entries, replies, ends, plies },
        },
        Err(Refuted { fault, sfen }) => {
            Verified { claimed, ..refuted(fault.to_string(), Some(sfen)) }
        }
    })
}

/// Draws the proof of a position's value from the tablebase in a file, and checks it: a table may be false, and its
/// checksums right all the same.
///
/// # Errors
///
/// With the name of the file: if the tablebase has no proof, or one that does not hold.
pub fn draw(
    path: &Path,
    table: &dyn AnyTablebase,
    position: &str,
) -> Result<(Box<dyn AnyProof>, Checked)> {
    let name = || path.display().to_string();
    let proof = table.proof(position, MAX_DRAWN).with_context(name)?;
    let checked = check(&*proof).map_err(|Refuted { fault, sfen }| {
        anyhow!("{}: the tablebase is false: its proof is refuted: {fault}, at {sfen}", name())
    })?;
    Ok((proof, checked))
}

/// Checks a proof in memory, with a bar.
///
/// # Errors
///
/// If it does not hold.
pub fn check(proof: &dyn AnyProof) -> Result<Checked, Refuted> {
    let bar = bar::count(proof.entries() as u64, 0, "positions checked");
    let checked = proof.check_with(&mut |entries| bar.set_position(entries));
    bar.finish_and_clear();
    checked
}

fn refuted(reason: String, position: Option<String>) -> Verified {
    Verified { ok: false, claimed: None, found: CheckResult::Refuted { reason, position } }
}

/// A file that is no proof is refuted; one that cannot be read is an error.
fn unreadable(error: shogi_solve::proof::ReadError) -> Result<Verified> {
    match error.reason {
        ReadReason::File(Flaw::Io(error)) => Err(anyhow!(error).context("cannot read the proof")),
        _ => Ok(refuted(error.to_string(), None)),
    }
}
