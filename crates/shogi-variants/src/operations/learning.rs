//! Evaluations learnt from games and from searches.

use std::boxed::Box;
use std::io::Read;
use std::ops::ControlFlow;
use std::string::String;
use std::vec::Vec;

use shogi_eval::{Evaluation as LinearEvaluation, FileReason, ProofEvaluation, TrainingSettings};
use shogi_learn::archive::{Archive, ArchiveError};
use shogi_learn::arena::Test;
use shogi_learn::expert::{ExpertError, ExpertIteration, ExpertSettings};
use shogi_learn::learner::{LearnError, Learner, Learning};
use shogi_learn::linear::{Training, TrainingError};
use shogi_learn::self_play::{Effort, SelfPlay};
use shogi_learn::targets::{correct, fit_network, weigh};
use shogi_learn::value::{NetFit, NetProgress};
use shogi_learn::weighted::{WeightedFit, WeightedPass};
use shogi_rules::Rules;
use shogi_search::Evaluation;

use super::expert::{self, AnyExpertIteration, expert_iteration};
use super::learner::{AnyLearner, LearntNetwork, learner};
use super::matches::{AnyMatch, play_match};
use super::playing::{JudgedBy, evaluation};
use super::self_play::{self, AnyArchive, AnySelfPlay, archive, self_play};
use super::training::{AnyTraining, training};
use super::{Error, Of};
use crate::RuleSet;

/// Games of the player against itself, and evaluations learnt from games and from searches.
pub trait AnyLearning: Sync {
    /// Self-play without a game, by an evaluation like that of [`AnyPlaying::evaluation`](super::AnyPlaying::evaluation).
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
    fn self_play(
        &self,
        start: &str,
        settings: SelfPlay,
        judged_by: JudgedBy<'_>,
    ) -> Result<Box<dyn AnySelfPlay>, Error>;

    /// A match without a game of two evaluations like that of [`AnyPlaying::evaluation`](super::AnyPlaying::evaluation).
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position, or an evaluation cannot be used.
    fn play_match(
        &self,
        start: &str,
        settings: SelfPlay,
        test: Test,
        players: [JudgedBy<'_>; 2],
    ) -> Result<Box<dyn AnyMatch>, Error>;

    /// Reads an archive of games, and plays them through.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong with it.
    fn archive(&self, bytes: &[u8]) -> Result<Box<dyn AnyArchive>, ArchiveError>;

    /// A learner without a game, whose first games are played with an evaluation like that of
    /// [`AnyPlaying::evaluation`](super::AnyPlaying::evaluation). `command` says in the network what makes it; a start that is not the
    /// variant's own is added to it.
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position, or the evaluation cannot be used.
    fn learner(
        &self,
        start: &str,
        learning: Learning,
        first: JudgedBy<'_>,
        command: &str,
    ) -> Result<Box<dyn AnyLearner>, Error>;

    /// Checks a checkpoint that [`AnyLearner::write`] has written: unchanged, of this variant, and with
    /// games that can be played. Returns their number.
    ///
    /// # Errors
    ///
    /// If it is not.
    fn check_learner(&self, checkpoint: &[u8]) -> Result<usize, LearnError>;

    /// Fits weights to the games of these archives: see [`weigh`]. `command` says in the weights what makes
    /// them; the settings of the games are added to it.
    ///
    /// # Errors
    ///
    /// [`Error::Archive`] if an archive cannot be read.
    fn weigh(
        &self,
        archives: &[&[u8]],
        settings: &WeightedFit,
        command: &str,
        report: &mut dyn FnMut(&WeightedPass),
    ) -> Result<FittedWeights, Error>;

    /// Fits a network to the games of these archives: see [`fit_network`], and [`correct`] for one that corrects the
    /// weighted features of `base`. `command` says in the network what makes it; the settings of the games are added to it.
    ///
    /// # Errors
    ///
    /// [`Error::Archive`] if an archive cannot be read; if the base cannot be, the base is no evaluation of weighted features, or `progress` breaks.
    fn fit_network(
        &self,
        archives: &[&[u8]],
        base: Option<JudgedBy<'_>>,
        settings: &NetFit,
        command: &str,
        progress: &mut dyn FnMut(NetProgress<'_>) -> ControlFlow<()>,
    ) -> Result<LearntNetwork, Error>;

    /// Learning of an evaluation that knows effort, beside a linear one (the text of its file), from
    /// searches of positions of games from `start` on; nothing is searched yet.
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position, or the evaluation cannot be used.
    fn expert_iteration(
        &self,
        start: &str,
        evaluation: &str,
        settings: ExpertSettings,
    ) -> Result<Box<dyn AnyExpertIteration>, Error>;

    /// The same, resumed from a checkpoint of these settings.
    ///
    /// # Errors
    ///
    /// If the checkpoint is damaged, or of another run.
    fn resume_expert_iteration(
        &self,
        checkpoint: &mut dyn Read,
        start: &str,
        settings: &ExpertSettings,
    ) -> Result<Box<dyn AnyExpertIteration>, Error>;

    /// Checks what [`AnyExpertIteration::write`] has written. Returns the number of searches.
    ///
    /// # Errors
    ///
    /// If it is damaged, or of another variant.
    fn check_expert_iteration(&self, checkpoint: &mut dyn Read) -> Result<u64, ExpertError>;

    /// Training without a game.
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position.
    fn training(
        &self,
        start: &str,
        settings: TrainingSettings,
    ) -> Result<Box<dyn AnyTraining>, Error>;

    /// Checks what [`AnyTraining::write`] has written: unchanged, of this variant, and with games that
    /// can be played. Returns their number.
    ///
    /// # Errors
    ///
    /// If it is not.
    fn check_training(&self, checkpoint: &mut dyn Read) -> Result<u64, TrainingError>;

    /// Checks a linear evaluation that `learn proofs` has made: unchanged since it was written, and of this variant.
    ///
    /// # Errors
    ///
    /// If it is not.
    fn check_evaluation(&self, json: &str) -> Result<(), FileReason>;

    /// Checks an evaluation for proof searches that knows effort, as
    /// [`ProofEvaluation::write`] has written it.
    ///
    /// # Errors
    ///
    /// If it is damaged or of another variant.
    fn check_proof_evaluation(&self, file: &mut dyn Read) -> Result<(), FileReason>;
}

/// Weights of features that have been fitted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FittedWeights {
    /// The file of weights.
    pub json: String,
    /// The name that `selfplay` calls the weights by.
    pub name: String,
    /// Games that they were fitted to.
    pub games: usize,
}

impl<R: RuleSet> AnyLearning for Of<R> {
    fn self_play(
        &self,
        start: &str,
        settings: SelfPlay,
        judged_by: JudgedBy<'_>,
    ) -> Result<Box<dyn AnySelfPlay>, Error> {
        self_play::<R>(start, settings, judged_by)
    }

    fn play_match(
        &self,
        start: &str,
        settings: SelfPlay,
        test: Test,
        players: [JudgedBy<'_>; 2],
    ) -> Result<Box<dyn AnyMatch>, Error> {
        play_match::<R>(start, settings, test, players)
    }

    fn archive(&self, bytes: &[u8]) -> Result<Box<dyn AnyArchive>, ArchiveError> {
        archive::<R>(bytes)
    }

    fn learner(
        &self,
        start: &str,
        learning: Learning,
        first: JudgedBy<'_>,
        command: &str,
    ) -> Result<Box<dyn AnyLearner>, Error> {
        compiled::<R>()?;
        learner::<R>(start, learning, first, command)
    }

    fn check_learner(&self, checkpoint: &[u8]) -> Result<usize, LearnError> {
        let found = Learner::<R>::read(checkpoint, Evaluation::standard())?;
        Ok(found.archive().games.len())
    }

    fn weigh(
        &self,
        archives: &[&[u8]],
        settings: &WeightedFit,
        command: &str,
        report: &mut dyn FnMut(&WeightedPass),
    ) -> Result<FittedWeights, Error> {
        compiled::<R>()?;
        let Fitted { archives, games, origin } = read_all::<R>(archives, command)?;
        let weighted =
            weigh(&archives, settings, &origin, |pass| report(pass)).map_err(Error::library)?;
        Ok(FittedWeights {
            json: weighted.to_json(),
            name: Evaluation::Weighted(weighted).name(),
            games,
        })
    }

    fn fit_network(
        &self,
        archives: &[&[u8]],
        base: Option<JudgedBy<'_>>,
        settings: &NetFit,
        command: &str,
        progress: &mut dyn FnMut(NetProgress<'_>) -> ControlFlow<()>,
    ) -> Result<LearntNetwork, Error> {
        compiled::<R>()?;
        let base = match base {
            Some(base) => match evaluation::<R>(base)? {
                Evaluation::Weighted(base) => Some(base),
                other => return Err(Error::NotWeighted { name: other.name() }),
            },
            None => None,
        };
        let Fitted { archives, origin, .. } = read_all::<R>(archives, command)?;
        let net = match base {
            Some(base) => correct(&archives, base, settings, &origin, progress),
            None => fit_network(&archives, settings, &origin, progress),
        };
        net.and_then(LearntNetwork::of).ok_or(Error::Stopped)
    }

    fn expert_iteration(
        &self,
        start: &str,
        evaluation: &str,
        settings: ExpertSettings,
    ) -> Result<Box<dyn AnyExpertIteration>, Error> {
        compiled::<R>()?;
        expert_iteration::<R>(start, evaluation, settings)
    }

    fn resume_expert_iteration(
        &self,
        checkpoint: &mut dyn Read,
        start: &str,
        settings: &ExpertSettings,
    ) -> Result<Box<dyn AnyExpertIteration>, Error> {
        compiled::<R>()?;
        expert::resume::<R>(checkpoint, start, settings)
    }

    fn check_expert_iteration(&self, checkpoint: &mut dyn Read) -> Result<u64, ExpertError> {
        Ok(ExpertIteration::<R>::read(checkpoint)?.searches())
    }

    fn training(
        &self,
        start: &str,
        settings: TrainingSettings,
    ) -> Result<Box<dyn AnyTraining>, Error> {
        compiled::<R>()?;
        training::<R>(start, settings)
    }

    fn check_training(&self, checkpoint: &mut dyn Read) -> Result<u64, TrainingError> {
        Ok(Training::<R>::read(checkpoint)?.games())
    }

    fn check_evaluation(&self, json: &str) -> Result<(), FileReason> {
        LinearEvaluation::<R>::from_json(json).map(drop)
    }

    fn check_proof_evaluation(&self, file: &mut dyn Read) -> Result<(), FileReason> {
        ProofEvaluation::<R>::read(file).map(drop)
    }
}

/// Features and networks have their sizes as constants: there are none for rules that are read at run time.
fn compiled<R: RuleSet>() -> Result<(), Error> {
    if R::RUNTIME { Err(Error::Uncompiled("learning")) } else { Ok(()) }
}

/// What something is fitted to.
struct Fitted<R: Rules> {
    archives: Vec<Archive<R>>,
    games: usize,
    /// The command, with which games it was given and how they were played.
    origin: String,
}

fn read_all<R: RuleSet>(archives: &[&[u8]], command: &str) -> Result<Fitted<R>, Error> {
    let (mut read, mut games, mut all) = (Vec::new(), 0, Vec::new());
    for (index, bytes) in archives.iter().enumerate() {
        let archive = self_play::read::<R>(bytes);
        let archive = archive.map_err(|error| Error::Archive { index, reason: Box::new(error) })?;
        games += archive.games.len();
        all.push(played(archive.games.len(), archive.evaluation(), archive.settings()));
        read.push(archive);
    }
    let origin = std::format!("{command}: {}", all.join("; "));
    Ok(Fitted { archives: read, games, origin })
}

/// How games of an archive were played.
fn played(games: usize, evaluation: &str, settings: &SelfPlay) -> String {
    let SelfPlay { seed, effort, .. } = settings;
    let effort = match effort {
        Effort::Nodes(nodes) => std::format!("{nodes} nodes"),
        Effort::Milliseconds(time) => std::format!("{time} ms"),
    };
    std::format!("{games} games by {evaluation}, seed {seed}, {effort} a move")
}
