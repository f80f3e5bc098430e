//! Why `verify` does not say of a file that all in it holds.

use std::fmt;

use anyhow::{Error, Result};
use serde::Serialize;

use crate::common::Common;
use crate::end::Outcome;
use crate::print;
use crate::variant::UnknownGame;

/// Why not all in a file is found to hold.
#[derive(Debug)]
pub enum Fault {
    /// A claim in it does not hold, or it is no whole file of its kind: the answer says so.
    Refuted(Refutation),
    /// Nothing can be said of it, since it cannot be read or is of an unknown game: an error.
    Unchecked(Error),
}

/// The claim that does not hold.
#[derive(Serialize, Debug)]
pub struct Refutation {
    pub reason: String,
    /// The offending position; null where the fault is in none.
    pub position: Option<String>,
}

impl Fault {
    /// A refutation for a reason that is in no position.
    pub fn refuted(reason: impl Into<String>) -> Self {
        Self::Refuted(Refutation { reason: reason.into(), position: None })
    }

    /// A refutation for a reason that is in a position.
    pub fn refuted_at(reason: impl Into<String>, position: impl Into<String>) -> Self {
        Self::Refuted(Refutation { reason: reason.into(), position: Some(position.into()) })
    }

    /// The refuted claim, for the answer.
    pub fn refutation(self) -> Result<Refutation> {
        match self {
            Self::Refuted(refutation) => Ok(refutation),
            Self::Unchecked(error) => Err(error),
        }
    }
}

/// The answer of `verify` for a file: that it holds, with its contents, or the claim that does not hold.
#[derive(Serialize)]
struct Verified<T> {
    ok: bool,
    #[serde(flatten)]
    found: T,
}

/// Prints the answer of `verify` for a file with these contents, or this fault.
pub fn print_verified(
    checked: Result<impl Serialize + fmt::Display, Fault>,
    common: &Common,
) -> Result<Outcome> {
    match checked {
        Ok(found) => {
            let text = format!("ok: {found}");
            print::answer(common.json, &Verified { ok: true, found }, text)?;
            Ok(Outcome::Good)
        }
        Err(fault) => {
            let found = fault.refutation()?;
            let text = format!("refuted: {found}");
            print::answer(common.json, &Verified { ok: false, found }, text)?;
            Ok(Outcome::good_if(false))
        }
    }
}

impl From<UnknownGame> for Fault {
    fn from(unknown: UnknownGame) -> Self {
        Self::Unchecked(unknown.into())
    }
}

impl fmt::Display for Refutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)?;
        self.position.as_ref().map_or(Ok(()), |position| write!(f, ", at {position}"))
    }
}
