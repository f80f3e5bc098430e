//! What `verify` says of the files that `learn` writes.

use std::error::Error;
use std::io::Read;

use anyhow::{Context as _, Result};
use serde::Serialize;
use shogi_rules::sealed::read_bounded;

use crate::common::Common;
use crate::end::Outcome;
use crate::print;
use crate::variant::Variant;

/// What such a file is.
pub enum Content {
    /// An evaluation, in words with "for" or "of" at their end.
    Evaluation(&'static str),
    /// The checkpoint of a verb, and how far that has come.
    Checkpoint(&'static str, Done),
}

/// How far a verb has come.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Done {
    /// Searches done.
    Searches(u64),
    /// Games played and kept.
    Games(u64),
}

#[derive(Serialize)]
struct VerifiedEvaluation {
    ok: bool,
    variant: Option<String>,
    #[serde(flatten)]
    done: Option<Done>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// What a file holds, or what is wrong with it.
type Checked = Result<(Variant, Content), Box<dyn Error>>;

/// Checks a file of at most so many bytes for `verify`: `check` says what it is, or what is wrong with it.
pub fn verify(
    input: &mut dyn Read,
    most: u64,
    common: &Common,
    check: &dyn Fn(&[u8]) -> Checked,
) -> Result<Outcome> {
    let bytes = read_bounded(input, most).context("cannot read the file")?;
    let (answer, text) = match check(&bytes) {
        Ok((variant, content)) => {
            let (text, done) = match content {
                Content::Evaluation(words) => (format!("ok: {words} {variant}"), None),
                Content::Checkpoint(verb, done) => {
                    let (count, unit) = match done {
                        Done::Searches(count) => (count, "searches"),
                        Done::Games(count) => (count, "games"),
                    };
                    let text = format!("ok: a checkpoint of {verb} for {variant}: {count} {unit}");
                    (text, Some(done))
                }
            };
            (
                VerifiedEvaluation {
                    ok: true,
                    variant: Some(variant.to_string()),
                    done,
                    reason: None,
                },
                text,
            )
        }
        Err(error) => {
            let (reason, text) = (error.to_string(), format!("refuted: {error}"));
            (
                VerifiedEvaluation { ok: false, variant: None, done: None, reason: Some(reason) },
                text,
            )
        }
    };
    print::answer(common.json, &answer, text)?;
    Ok(Outcome::good_if(answer.ok))
}
