//! Evaluations learnt from games and from searches.

use std::boxed::Box;
use std::io::{Read, Write};

use shogi_eval::{Evaluation as LinearEvaluation, FileReason, ProofEvaluation, TrainingSettings};
use shogi_learn::LearnError;
use shogi_learn::arena::Test;
use shogi_learn::evaluation_fit;
use shogi_learn::expert::{ExpertIteration, ExpertSettings};
use shogi_learn::linear::Training;
use shogi_learn::matches::check_checkpoint;
use shogi_learn::saved::Work;
use shogi_learn::self_play::SelfPlay;
use shogi_learn::targets::Aim;
use shogi_learn::training_data::DataFormat;

use super::Error;
use super::expert::{self, AnyExpertIteration, expert_iteration};
use super::fitting::{self, AnyFit, FitSettings};
use super::matches::{AnyMatch, play_match};
use super::playing::JudgedBy;
use super::self_play::{AnyArchive, AnySelfPlay, archive, self_play};
use super::training::{AnyTraining, training};
use super::training_data::{self, ConvertedData, Examples};
use crate::variant::call;
use crate::{RuleSet, Variant};

/// Games of the player against itself, and evaluations learnt from games and from searches: [`Variant::learning`].
#[derive(Clone, Copy, Debug)]
pub struct LearningTasks(pub(super) Variant);

impl LearningTasks {
    /// Self-play without a game, by an evaluation like that of [`PlayingTasks::evaluation`](super::PlayingTasks::evaluation).
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position, or the evaluation cannot be used.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use shogi_variants::Variant;
    /// use shogi_variants::operations::JudgedBy;
    /// use shogi_variants::learn::self_play::{Effort, SelfPlay};
    /// let settings = SelfPlay { effort: Effort::Nodes(50), ..SelfPlay::default() };
    /// let learning = Variant::Dobutsu.learning();
    /// let mut run = learning.self_play("startpos", settings, JudgedBy::Name("material"))?;
    /// run.play(3, 2, &mut |_| ControlFlow::Continue(()));
    /// let summary = run.archive().summary();
    /// assert_eq!(summary.sente_wins + summary.gote_wins + summary.draws, 3);
    /// # Ok::<(), shogi_variants::Error>(())
    /// ```
    pub fn self_play(
        self,
        start: &str,
        settings: SelfPlay,
        judged_by: JudgedBy<'_>,
    ) -> Result<Box<dyn AnySelfPlay>, Error> {
        call!(self.0, R => self_play::<R>(start, settings, judged_by))
    }

    /// A match without a game of two evaluations like that of [`PlayingTasks::evaluation`](super::PlayingTasks::evaluation).
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position, or an evaluation cannot be used.
    pub fn play_match(
        self,
        start: &str,
        settings: SelfPlay,
        test: Test,
        players: [JudgedBy<'_>; 2],
    ) -> Result<Box<dyn AnyMatch>, Error> {
        call!(self.0, R => play_match::<R>(start, settings, test, players))
    }

    /// Reads an archive of games, and plays them through.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong with it.
    pub fn archive(self, bytes: &[u8]) -> Result<Box<dyn AnyArchive>, LearnError> {
        call!(self.0, R => archive::<R>(bytes))
    }

    /// A fit to the positions of these files, before its first step: see
    /// [`EvaluationFit`](evaluation_fit::EvaluationFit); `aim` says to what. With a `base` a network corrects that, which has
    /// to be an evaluation of weighted features; a network of the community begins from its weights, and it has to be
    /// another one of the same form. `command` says in the evaluation what makes it; the
    /// settings of the games are added to it.
    ///
    /// # Errors
    ///
    /// [`Error::Archive`] if a file cannot be read; [`Error::NoPositions`] if none of them has a position to learn from;
    /// another error if the base cannot be read, or is an evaluation of another kind.
    pub fn fit(
        self,
        files: &mut [Examples<'_>],
        settings: FitSettings,
        base: Option<JudgedBy<'_>>,
        aim: Aim,
        command: &str,
    ) -> Result<Box<dyn AnyFit>, Error> {
        call!(self.0, R => compiled::<R, _>(|| fitting::fit::<R>(files, settings, base, aim, command)))
    }

    /// Writes the positions of files to `out` in a format of the community's training data, one file after the other and
    /// entry by entry. Of an archive these are the positions in which the player chose a move.
    ///
    /// # Errors
    ///
    /// [`Error::Archive`] if a file cannot be read, or has no results where the format needs them; another error if
    /// `out` cannot be written to, and for every game but standard shogi.
    pub fn convert(
        self,
        files: &mut [Examples<'_>],
        to: DataFormat,
        out: &mut dyn Write,
    ) -> Result<ConvertedData, Error> {
        call!(self.0, R => compiled::<R, _>(|| training_data::convert::<R>(files, to, out)))
    }

    /// Checks a checkpoint of some work: unchanged since it was written, of this variant, and with nothing in it that
    /// the variant does not have. Returns how far the work has come: games, searches, or the steps of a fit.
    ///
    /// # Errors
    ///
    /// If it is not.
    pub fn check_checkpoint(self, work: Work, checkpoint: &[u8]) -> Result<u64, Error> {
        call!(self.0, R => check_work::<R>(work, checkpoint))
    }

    /// Learning of an evaluation that knows effort, beside a linear one (the text of its file), from
    /// searches of positions of games from `start` on; nothing is searched yet.
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position, or the evaluation cannot be used.
    pub fn expert_iteration(
        self,
        start: &str,
        evaluation: &str,
        settings: ExpertSettings,
    ) -> Result<Box<dyn AnyExpertIteration>, Error> {
        call!(self.0, R => compiled::<R, _>(|| expert_iteration::<R>(start, evaluation, settings)))
    }

    /// The same, resumed from a checkpoint of these settings.
    ///
    /// # Errors
    ///
    /// If the checkpoint is damaged, or of another run.
    pub fn resume_expert_iteration(
        self,
        checkpoint: &mut dyn Read,
        start: &str,
        settings: &ExpertSettings,
    ) -> Result<Box<dyn AnyExpertIteration>, Error> {
        call!(self.0, R => compiled::<R, _>(|| expert::resume::<R>(checkpoint, start, settings)))
    }

    /// Training without a game.
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position.
    pub fn training(
        self,
        start: &str,
        settings: TrainingSettings,
    ) -> Result<Box<dyn AnyTraining>, Error> {
        call!(self.0, R => compiled::<R, _>(|| training::<R>(start, settings)))
    }

    /// Checks a linear evaluation that `learn proofs` has made: unchanged since it was written, and of this variant.
    ///
    /// # Errors
    ///
    /// If it is not.
    pub fn check_evaluation(self, json: &str) -> Result<(), FileReason> {
        call!(self.0, R => LinearEvaluation::<R>::from_json(json).map(drop))
    }

    /// Checks an evaluation for proof searches that knows effort, as
    /// [`ProofEvaluation::write`] has written it.
    ///
    /// # Errors
    ///
    /// If it is damaged or of another variant.
    pub fn check_proof_evaluation(self, file: &mut dyn Read) -> Result<(), FileReason> {
        call!(self.0, R => ProofEvaluation::<R>::read(file).map(drop))
    }
}

fn check_work<R: RuleSet>(work: Work, checkpoint: &[u8]) -> Result<u64, Error> {
    match work {
        Work::Match => {
            let checked = check_checkpoint::<R>(checkpoint).map_err(Error::library);
            checked.map(|score| score.games().into())
        }
        _ => compiled::<R, _>(|| learnt::<R>(work, checkpoint).map_err(Error::library)),
    }
}

/// How much of the work is done by a checkpoint of something else than a match.
fn learnt<R: RuleSet>(work: Work, checkpoint: &[u8]) -> Result<u64, LearnError> {
    // As others read it, so that the compiler does not do it again.
    let input: &mut dyn Read = &mut &*checkpoint;
    Ok(match work {
        Work::Training => Training::<R>::read(input)?.games(),
        Work::Searches => ExpertIteration::<R>::read(input)?.searches(),
        _ => evaluation_fit::check::<R>(input)?,
    })
}

/// Features and networks have their sizes as constants: there are none for rules that are read at run time. Nor is
/// the task compiled for these.
fn compiled<R: RuleSet, T>(task: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    R::compiled_or_loaded(task, || Err(Error::Uncompiled("learning")))
}
