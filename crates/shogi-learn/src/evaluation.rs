//! A trained evaluation on disk: saved with what made it, checked when read.

use std::path::Path;

use serde::{Deserialize, Serialize};
use shogi_rules::Rules;
use shogi_rules::sealed::{JsonFormat, from_json, to_json};

use crate::features::FEATURE_SET;
use crate::file::{FileError, FileReason, load};
use crate::linear::Linear;
use crate::train::Settings;

const FORMAT: JsonFormat = JsonFormat { format: None, version: 1, name: "evaluation" };

/// A linear evaluation with what it was made from: the same start and settings make it again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evaluation<R> {
    start: String,
    settings: Settings,
    linear: Linear<R>,
}

/// The content of a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    variant: String,
    features: String,
    start: String,
    settings: Settings,
    weights: Vec<i32>,
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

    /// The text of a file: sealed JSON on one line, some 20 KB on 5x5.
    pub fn to_json(&self) -> String {
        let content = Content {
            variant: R::NAME.to_owned(),
            features: FEATURE_SET.to_owned(),
            start: self.start.clone(),
            settings: self.settings,
            weights: self.linear.weights().to_vec(),
        };
        to_json(&content, &FORMAT)
    }

    /// An evaluation from the text of a file.
    ///
    /// # Errors
    ///
    /// Where it is not what [`Evaluation::to_json`] makes for this variant.
    pub fn from_json(text: &str) -> Result<Self, FileReason> {
        let content: Content = from_json(text, &FORMAT)?;
        let Content { variant, features, start, settings, weights } = content;
        for (found, expected) in [(variant, R::NAME), (features, FEATURE_SET)] {
            if found != expected {
                return Err(FileReason::Other { found, expected });
            }
        }
        Ok(Self { start, settings, linear: Linear::new(weights)? })
    }

    /// Reads an evaluation file.
    ///
    /// # Errors
    ///
    /// The file, and why it cannot be used.
    pub fn load(path: &Path) -> Result<Self, FileError> {
        load(path, Self::from_json)
    }
}
