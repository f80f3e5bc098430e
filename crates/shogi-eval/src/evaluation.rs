//! A trained evaluation on disk, saved with its origin and checked when read.

use std::path::Path;

use serde::{Deserialize, Serialize};
use shogi_files::sealed::{JsonFormat, from_json, to_json};
use shogi_rules::Rules;

use crate::features::FEATURE_SET;
use crate::file::{FileError, FileReason, load};
use crate::linear::Linear;

const FORMAT: JsonFormat = JsonFormat { format: None, version: 1, name: "evaluation" };

/// Settings of training. The default makes a useful evaluation of Kyoto shogi in about two minutes on
/// one core.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingSettings {
    /// The seed: the same seed makes the same evaluation, on any number of threads.
    pub seed: u64,
    /// Number of generations of games. The first one plays with an evaluation that judges every
    /// position even, and so at random except for mates.
    pub generations: u32,
    /// Games of each generation.
    pub games: u32,
    /// The most random moves at the beginning of a game; their positions are not learnt from.
    pub opening: u32,
    /// Random moves per thousand, so that games differ and lost positions arise.
    pub random_per_mille: u32,
    /// A game is a draw after this many plies.
    pub plies: u32,
    /// Passes of the regression over the positions of a generation.
    pub epochs: u32,
}

impl Default for TrainingSettings {
    fn default() -> Self {
        Self {
            seed: 1,
            generations: 4,
            games: 40_000,
            opening: 4,
            random_per_mille: 80,
            plies: 200,
            epochs: 4,
        }
    }
}

/// A linear evaluation with its origin: the same start and settings make it again.
///
/// ```
/// use shogi_eval::{Evaluation, ProofEvaluation};
/// use shogi_rules::{KyotoShogi, Rules};
///
/// let trained = ProofEvaluation::<KyotoShogi>::trained().ok_or("Kyoto shogi has one")?;
/// let text = trained.evaluation().to_json();
/// let evaluation = Evaluation::<KyotoShogi>::from_json(&text)?;
/// assert_eq!(&evaluation, trained.evaluation());
/// println!("{}", evaluation.linear().logit(&KyotoShogi::start()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evaluation<R> {
    start: String,
    settings: TrainingSettings,
    linear: Linear<R>,
}

/// The content of a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LinearFile {
    variant: String,
    features: String,
    start: String,
    settings: TrainingSettings,
    weights: Vec<i32>,
}

impl<R: Rules> Evaluation<R> {
    /// A linear evaluation that was made with these settings by games from a start position, in SFEN.
    pub const fn new(start: String, settings: TrainingSettings, linear: Linear<R>) -> Self {
        Self { start, settings, linear }
    }

    /// The start position of the games, in SFEN.
    pub fn start(&self) -> &str {
        &self.start
    }

    /// The settings of its training.
    pub const fn settings(&self) -> &TrainingSettings {
        &self.settings
    }

    /// The evaluation itself.
    pub const fn linear(&self) -> &Linear<R> {
        &self.linear
    }

    /// The text of a file: sealed JSON on one line, some 20 KB on 5x5.
    pub fn to_json(&self) -> String {
        let content = LinearFile {
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
    /// If the text is not one that [`Evaluation::to_json`] makes for this variant.
    pub fn from_json(text: &str) -> Result<Self, FileReason> {
        let read = || {
            let content: LinearFile = from_json(text, &FORMAT)?;
            let LinearFile { variant, features, start, settings, weights } = content;
            FileReason::check_names([(variant, R::NAME), (features, FEATURE_SET)])?;
            Ok(Self { start, settings, linear: Linear::new(weights)? })
        };
        R::compiled_or_loaded(read, || Err(FileReason::Uncompiled))
    }

    /// Reads an evaluation file.
    ///
    /// # Errors
    ///
    /// If the file cannot be used; the error names it.
    pub fn load(path: &Path) -> Result<Self, FileError> {
        load(path, Self::from_json)
    }
}
