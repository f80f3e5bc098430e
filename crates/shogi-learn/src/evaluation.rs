//! A trained evaluation on disk: saved with what made it, checked when read.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use shogi_rules::Rules;

use crate::features::FEATURE_SET;
use crate::linear::{Linear, WeightsError};
use crate::train::Settings;

/// The version of the format; other versions are refused.
const VERSION: u32 = 1;

/// A linear evaluation with what it was made from: the same start and settings make it again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evaluation<R> {
    start: String,
    settings: Settings,
    linear: Linear<R>,
}

/// An evaluation file that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", path.display())]
pub struct EvaluationError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub reason: EvaluationReason,
}

/// What can be wrong with an evaluation file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvaluationReason {
    /// Reading failed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file is no evaluation.
    #[error("not an evaluation: {0}")]
    Json(#[from] serde_json::Error),
    /// The file has another version of the format.
    #[error("version {found} of the format, but only {VERSION} is known")]
    Version {
        /// The version of the file.
        found: u32,
    },
    /// The content is not what was written.
    #[error("the checksum does not match: the file was changed or damaged")]
    Checksum,
    /// It was learnt for another variant or with other features.
    #[error("it is for {found}, but {expected} is wanted")]
    Other {
        /// Variant or feature set of the file.
        found: String,
        /// Variant or feature set that is wanted.
        expected: &'static str,
    },
    /// The weights do not fit the features.
    #[error("{0}")]
    Weights(#[from] WeightsError),
}

/// The file, field by field.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    version: u32,
    variant: String,
    features: String,
    start: String,
    settings: Settings,
    weights: Vec<i32>,
    /// Blake3 over the JSON without this field, which is empty then.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    checksum: String,
}

impl Content {
    fn to_json(&self) -> String {
        // Strings and whole numbers under string keys: this cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The checksum; the field must be empty.
    fn checksum(&self) -> String {
        blake3::hash(self.to_json().as_bytes()).to_hex().to_string()
    }
}

impl<R: Rules> Evaluation<R> {
    /// What training from a start position (in SFEN) has come to.
    pub(crate) const fn new(start: String, settings: Settings, linear: Linear<R>) -> Self {
        Self { start, settings, linear }
    }

    /// The position, in SFEN, from which the games were played.
    pub fn start(&self) -> &str {
        &self.start
    }

    /// How it was trained.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The evaluation itself.
    pub const fn linear(&self) -> &Linear<R> {
        &self.linear
    }

    /// The evaluation with its checksum in JSON, one line; some 20 KB on 5x5.
    pub fn to_json(&self) -> String {
        let mut content = Content {
            version: VERSION,
            variant: R::NAME.to_owned(),
            features: FEATURE_SET.to_owned(),
            start: self.start.clone(),
            settings: self.settings,
            weights: self.linear.weights().to_vec(),
            checksum: String::new(),
        };
        content.checksum = content.checksum();
        content.to_json()
    }

    /// Reads an evaluation from its JSON.
    ///
    /// # Errors
    ///
    /// If it is not what [`Evaluation::to_json`] makes: JSON, version, checksum, variant, features
    /// or weights.
    pub fn from_json(text: &str) -> Result<Self, EvaluationReason> {
        let mut content: Content = serde_json::from_str(text)?;
        if content.version != VERSION {
            return Err(EvaluationReason::Version { found: content.version });
        }
        let checksum = std::mem::take(&mut content.checksum);
        if checksum != content.checksum() {
            return Err(EvaluationReason::Checksum);
        }
        let Content { variant, features, start, settings, weights, .. } = content;
        for (found, expected) in [(variant, R::NAME), (features, FEATURE_SET)] {
            if found != expected {
                return Err(EvaluationReason::Other { found, expected });
            }
        }
        Ok(Self { start, settings, linear: Linear::new(weights)? })
    }

    /// Reads an evaluation file.
    ///
    /// # Errors
    ///
    /// The file, and why it cannot be used.
    pub fn load(path: &Path) -> Result<Self, EvaluationError> {
        let read = || Self::from_json(&fs::read_to_string(path)?);
        read().map_err(|reason| EvaluationError { path: path.to_owned(), reason })
    }
}
