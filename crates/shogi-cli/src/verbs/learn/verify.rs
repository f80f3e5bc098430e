//! The checks by `verify` of the networks and checkpoints that `learn` writes.

use std::fmt;
use std::io::Read;

use anyhow::{Context as _, Result};
use serde::Serialize;
use shogi_eval::effort::{FORMAT as EFFORT, read_effort_variant};
use shogi_eval::value::{FORMAT as NETWORK, read_variant};
use shogi_files::sealed::read_bounded;
use shogi_learn::saved::Work;

use crate::common::Common;
use crate::end::Outcome;
use crate::fault::Fault;
use crate::print;
use crate::variant::{Variant, named};

/// Whether a file that begins so is one of those that [`verify`] checks.
pub fn is_known(head: &[u8]) -> bool {
    let is = |magic: &[u8]| head.starts_with(magic);
    Work::of(head).is_some() || is(&EFFORT.magic) || is(&NETWORK.magic)
}

/// How far the work of a checkpoint has come.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
enum Done {
    /// Games played and kept.
    Games(u64),
    /// Searches done.
    Searches(u64),
    /// Steps of a fit.
    Steps(u64),
}

impl fmt::Display for Done {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Games(count) => write!(f, "{count} games"),
            Self::Searches(count) => write!(f, "{count} searches"),
            Self::Steps(count) => write!(f, "{count} steps"),
        }
    }
}

/// The answer for a network or a checkpoint.
#[derive(Serialize)]
struct VerifiedLearning {
    ok: bool,
    variant: Option<String>,
    #[serde(flatten)]
    done: Option<Done>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// The kind of a file, in words, and its variant.
type Checked = Result<(Variant, Option<Done>, String), Fault>;

/// Checks a network or a checkpoint, for `verify`.
pub fn verify(input: &mut dyn Read, common: &Common) -> Result<Outcome> {
    let most = Work::Fit.format().most;
    let bytes = read_bounded(input, most).context("cannot read the file")?;
    let (answer, text) = match check(&bytes) {
        Ok((variant, done, text)) => {
            let variant = Some(variant.to_string());
            (VerifiedLearning { ok: true, variant, done, reason: None }, format!("ok: {text}"))
        }
        Err(fault) => {
            let refuted = fault.refutation()?;
            let (reason, text) = (Some(refuted.to_string()), format!("refuted: {refuted}"));
            (VerifiedLearning { ok: false, variant: None, done: None, reason }, text)
        }
    };
    print::answer(common.json, &answer, text)?;
    Ok(Outcome::good_if(answer.ok))
}

fn check(bytes: &[u8]) -> Checked {
    fn refuted(error: impl fmt::Display) -> Fault {
        Fault::refuted(error.to_string())
    }
    if let Some(work) = Work::of(bytes) {
        let variant = named(&work.read_variant(bytes).map_err(refuted)?)?;
        let count = variant.learning().check_checkpoint(work, bytes).map_err(refuted)?;
        let done = match work {
            Work::Searches => Done::Searches(count),
            Work::Fit => Done::Steps(count),
            _ => Done::Games(count),
        };
        return Ok((variant, Some(done), format!("a checkpoint of learn for {variant}: {done}")));
    }
    if bytes.starts_with(&NETWORK.magic) {
        let variant = named(&read_variant(bytes).map_err(refuted)?)?;
        variant.playing().check_network(bytes).map_err(refuted)?;
        return Ok((variant, None, format!("a network for {variant}")));
    }
    let variant = named(&read_effort_variant(bytes).map_err(refuted)?)?;
    variant.learning().check_proof_evaluation(&mut &bytes[..]).map_err(refuted)?;
    Ok((variant, None, format!("an evaluation for proof searches of {variant}")))
}
