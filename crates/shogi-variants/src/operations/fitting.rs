//! Evaluations of the player, fitted to games and positions.

use std::boxed::Box;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::string::String;
use std::vec::Vec;

use shogi_eval::nn_bin::{FeatureSet, Inputs};
use shogi_learn::evaluation_fit::{EvaluationFit, Form};
use shogi_learn::targets::Aim;
use shogi_learn::value::NetFit;
use shogi_learn::weighted::WeightedFit;
use shogi_learn::{FitPass, FitProgress};
use shogi_rules::Rules;
use shogi_search::Evaluation;

use super::Error;
use super::playing::{JudgedBy, evaluation};
use super::training_data::{Aims, Examples, aims};

/// The form that is fitted, with its settings; see [`Form`].
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(untagged))]
pub enum FitSettings {
    /// A network, or one that corrects weighted features.
    Network(NetFit),
    /// Weights of features.
    Weighted(WeightedFit),
    /// A network of the form HalfKP, for standard shogi.
    HalfKp(NetFit),
    /// A network of the form K-P.
    Kp(NetFit),
}

/// An [`EvaluationFit`] of any variant, for [`LearningTasks::fit`](super::LearningTasks::fit).
pub trait AnyFit {
    /// How far it has come.
    fn progress(&self) -> FitProgress<'_, FitPass>;

    /// Games that it is fitted to.
    fn games(&self) -> u64;

    /// Fits to the end, or until `report` breaks, which is called after every step; then returns `None`.
    fn run(
        &mut self,
        report: &mut dyn FnMut(&mut dyn AnyFit) -> ControlFlow<()>,
    ) -> Option<LearntEvaluation>;

    /// Resumes from a checkpoint.
    ///
    /// # Errors
    ///
    /// If the file is no checkpoint, or one of another fit.
    fn resume(&mut self, checkpoint: &mut dyn Read) -> Result<(), Error>;

    /// Writes a checkpoint: see [`EvaluationFit::write`].
    fn write(&mut self, out: &mut dyn Write) -> io::Result<()>;
}

/// An evaluation of the player that was learnt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LearntEvaluation {
    /// Its file.
    pub file: Vec<u8>,
    /// The name that `selfplay` calls it by.
    pub name: String,
}

impl LearntEvaluation {
    /// An evaluation with its file and name; `None` if no file is made of it.
    pub(super) fn of<R: Rules>(evaluation: &Evaluation<R>) -> Option<Self> {
        let mut file = Vec::new();
        match evaluation {
            // A vector takes whatever is written.
            Evaluation::Network(net) => net.write(&mut file).ok()?,
            Evaluation::NnBin(net) => net.write(&mut file).ok()?,
            Evaluation::Weighted(weighted) => {
                file.extend(weighted.to_json().bytes());
                file.push(b'\n');
            }
            _ => return None,
        }
        Some(Self { file, name: evaluation.name() })
    }
}

/// A fit to the positions of files, before its first step. What the files are is added to the command.
pub(super) fn fit<R: Rules>(
    files: &mut [Examples<'_>],
    settings: FitSettings,
    base: Option<JudgedBy<'_>>,
    aim: Aim,
    command: &str,
) -> Result<Box<dyn AnyFit>, Error> {
    let form = match (settings, base) {
        (FitSettings::Weighted(settings), _) => Form::Weighted(settings),
        (FitSettings::HalfKp(settings), base) => nn_bin(FeatureSet::HalfKp, settings, base)?,
        (FitSettings::Kp(settings), base) => nn_bin(FeatureSet::Kp, settings, base)?,
        (FitSettings::Network(settings), None) => Form::Network(settings),
        (FitSettings::Network(settings), Some(base)) => match evaluation::<R>(base)? {
            Evaluation::Weighted(base) => Form::Correction(settings, base),
            other => return Err(Error::NotWeighted { name: other.name() }),
        },
    };
    let Aims { targets, games, origin } = aims(files, aim)?;
    if targets.is_empty() {
        return Err(Error::NoPositions);
    }
    let command = std::format!("{command}: {origin}");
    Ok(Box::new(EvaluationFit::new(form, targets, games, &command)))
}

/// A network of the community over these inputs, from the weights of `base` if there is one.
fn nn_bin<R: Rules>(
    set: FeatureSet,
    settings: NetFit,
    base: Option<JudgedBy<'_>>,
) -> Result<Form<R>, Error> {
    if let Some(base) = base {
        return match evaluation::<R>(base)? {
            Evaluation::NnBin(net) if net.feature_set() == set => {
                Ok(Form::Continued(settings, net))
            }
            other => Err(Error::NotOfForm { name: other.name(), wanted: set.name() }),
        };
    }
    let inputs = Inputs::new(set).ok_or_else(|| Error::Unsuited {
        task: "a network of the form HalfKP",
        variant: R::name(),
        reason: "its inputs are the board and the pieces of standard shogi".into(),
    });
    inputs.map(|inputs| Form::NnBin(settings, inputs))
}

impl<R: Rules> AnyFit for EvaluationFit<R> {
    fn progress(&self) -> FitProgress<'_, FitPass> {
        self.progress()
    }

    fn games(&self) -> u64 {
        self.games()
    }

    fn run(
        &mut self,
        report: &mut dyn FnMut(&mut dyn AnyFit) -> ControlFlow<()>,
    ) -> Option<LearntEvaluation> {
        LearntEvaluation::of(&self.run(|fit| report(fit))?)
    }

    fn resume(&mut self, checkpoint: &mut dyn Read) -> Result<(), Error> {
        match self.resume(checkpoint).map_err(Error::library)? {
            None => Ok(()),
            Some(found) => Err(Error::OtherRun { found }),
        }
    }

    fn write(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.write(out)
    }
}
