//! Files that prove the value of a position: what they claim, and whether it holds.

use std::io::Read;

use anyhow::{Result, anyhow};
use serde::Serialize;
use shogi_rules::sealed::Flaw;
use shogi_rules::shogi_core::Colour;
use shogi_solve::proof::{Checked, Header, ReadReason, Reader, Refuted};
use shogi_variants::operations::{AnyReader, Claimed};

use crate::common::Common;
use crate::end::Outcome;
use crate::print;
use crate::variant::Variant;

/// The variant of a proof file.
///
/// # Errors
///
/// If there is none of its name.
pub fn variant(header: &Header) -> Result<Variant> {
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
        plies: Option<u32>,
    },
    Refuted {
        reason: String,
        /// The offending position; null where the fault is in none.
        position: Option<String>,
    },
}

/// Checks a proof file, for `verify`.
///
/// # Errors
///
/// Where it cannot be read.
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
        ReadReason::File(Flaw::Io(error)) => Err(anyhow!(error).context("cannot read the proof")),
        _ => Ok(refuted(error.to_string(), None)),
    }
}
