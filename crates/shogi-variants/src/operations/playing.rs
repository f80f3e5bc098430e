//! What the player judges positions by.

use std::boxed::Box;
use std::fmt;
use std::ops::ControlFlow;
use std::string::String;
use std::vec::Vec;

use shogi_rules::{Game, Rules};
use shogi_search::archive::{Archive, ArchiveError};
use shogi_search::learn::{LearnError, Learner, Learning};
use shogi_search::self_play::{Effort, SelfPlay};
use shogi_search::weigh::{
    NetFit, NetProgress, WeightedFit, WeightedPass, correct, fit_network, weigh,
};
use shogi_search::{
    Bench, Evaluation, Evaluator as _, FileReason, NetError, Player, Settings, Term, ValueNet,
    bench,
};

use super::learner::{AnyLearner, LearntNetwork, learner};
use super::position::position;
use super::self_play::{self, AnyArchive, AnySelfPlay, archive, self_play};
use super::{Error, Of};
use crate::RuleSet;

/// Tasks that need the player.
pub trait AnyPlaying: Sync {
    /// An evaluation.
    ///
    /// # Errors
    ///
    /// If the variant has no evaluation of this name, or the file is none of the variant.
    ///
    /// ```
    /// use shogi_variants::Variant;
    /// use shogi_variants::operations::JudgedBy;
    /// let evaluation = Variant::Shogi.playing().evaluation(JudgedBy::Name("material"))?;
    /// assert_eq!(evaluation.explain("startpos")?.value, 0);
    /// # Ok::<(), shogi_variants::Error>(())
    /// ```
    fn evaluation(&self, judged_by: JudgedBy<'_>) -> Result<Box<dyn AnyEvaluation>, Error>;

    /// Self-play without a game, by an evaluation like that of [`AnyPlaying::evaluation`].
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position, or the evaluation cannot be used.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use shogi_variants::Variant;
    /// use shogi_variants::operations::JudgedBy;
    /// use shogi_variants::search::self_play::{Effort, SelfPlay};
    /// let settings = SelfPlay { effort: Effort::Nodes(50), ..SelfPlay::default() };
    /// let playing = Variant::Dobutsu.playing();
    /// let mut run = playing.self_play("startpos", settings, JudgedBy::Name("material"))?;
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

    /// The player's bench, with the standard evaluation and one thread: see
    /// [`bench`](shogi_search::bench()).
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use shogi_variants::Variant;
    /// let playing = Variant::Dobutsu.playing();
    /// let bench = playing.bench("startpos", 3, 5, &mut |_| ControlFlow::Continue(()))?;
    /// assert_eq!(bench.searches, 5);
    /// # Ok::<(), shogi_variants::Error>(())
    /// ```
    fn bench(
        &self,
        start: &str,
        depth: u32,
        searches: u32,
        watch: &mut dyn FnMut(&Bench) -> ControlFlow<()>,
    ) -> Result<Bench, Error>;

    /// Reads an archive of games, and plays them through.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong with it.
    fn archive(&self, bytes: &[u8]) -> Result<Box<dyn AnyArchive>, ArchiveError>;

    /// A learner without a game, whose first games are played with an evaluation like that of
    /// [`AnyPlaying::evaluation`]. `command` says in the network what makes it; a start that is not the
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

    /// Checks a network that [`AnyLearner::run`] has made: unchanged since it was written, and of this
    /// variant.
    ///
    /// # Errors
    ///
    /// If it is not.
    fn check_network(&self, file: &[u8]) -> Result<(), NetError>;

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

    /// Checks tables, or weights that [`AnyPlaying::weigh`] has made: unchanged since they
    /// were written, and of this variant.
    ///
    /// # Errors
    ///
    /// If they are not.
    fn check_tables(&self, json: &str) -> Result<(), FileReason>;
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

/// What a player judges positions by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JudgedBy<'a> {
    /// The evaluation of this name, see [`EVALUATIONS`](shogi_search::EVALUATIONS).
    Name(&'a str),
    /// A network, tables or weights, given as the bytes of a file that `learn` has made.
    File(&'a [u8]),
}

/// An evaluation, for [`AnyPlaying::evaluation`].
pub trait AnyEvaluation: Sync {
    /// Its name: see [`Evaluation::name`].
    fn name(&self) -> String;

    /// What its value of a position is made of.
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position.
    fn explain(&self, position: &str) -> Result<Explanation, Error>;
}

/// The value of a position, for [`AnyEvaluation::explain`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Explanation {
    /// For the player to move, in hundredths of a pawn.
    pub value: i32,
    /// What adds up to it.
    #[cfg_attr(feature = "serde", serde(serialize_with = "super::serde::terms"))]
    pub terms: Vec<Term>,
}

impl fmt::Display for Explanation {
    /// Writes a line for each term and one for the value, in pawns.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.terms.iter().try_for_each(|term| writeln!(f, "{term}"))?;
        write!(f, "{}", Term { name: "value", value: self.value })
    }
}

impl<R: RuleSet> AnyPlaying for Of<R> {
    fn evaluation(&self, judged_by: JudgedBy<'_>) -> Result<Box<dyn AnyEvaluation>, Error> {
        Ok(Box::new(evaluation::<R>(judged_by)?))
    }

    fn self_play(
        &self,
        start: &str,
        settings: SelfPlay,
        judged_by: JudgedBy<'_>,
    ) -> Result<Box<dyn AnySelfPlay>, Error> {
        self_play::<R>(start, settings, judged_by)
    }

    fn bench(
        &self,
        start: &str,
        depth: u32,
        searches: u32,
        watch: &mut dyn FnMut(&Bench) -> ControlFlow<()>,
    ) -> Result<Bench, Error> {
        let game = Game::new(position::<R>(start)?);
        let mut player = Player::new(Evaluation::<R>::standard(), Settings::default());
        Ok(bench(&mut player, game, depth, searches, watch))
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
        learner::<R>(start, learning, first, command)
    }

    fn check_network(&self, file: &[u8]) -> Result<(), NetError> {
        ValueNet::<R>::read(file).map(drop)
    }

    fn check_learner(&self, checkpoint: &[u8]) -> Result<usize, LearnError> {
        let found = Learner::<R>::read(checkpoint, Evaluation::standard())?;
        Ok(found.archive().games.len())
    }

    fn check_tables(&self, json: &str) -> Result<(), FileReason> {
        Evaluation::<R>::read(json.as_bytes()).map(drop)
    }

    fn weigh(
        &self,
        archives: &[&[u8]],
        settings: &WeightedFit,
        command: &str,
        report: &mut dyn FnMut(&WeightedPass),
    ) -> Result<FittedWeights, Error> {
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

/// An evaluation by its name or tables.
pub(super) fn evaluation<R: Rules>(judged_by: JudgedBy<'_>) -> Result<Evaluation<R>, Error> {
    match judged_by {
        JudgedBy::Name(name) => match Evaluation::named(name) {
            Some(evaluation) => Ok(evaluation),
            None => Err(Error::NoEvaluation { variant: R::name(), name: name.into() }),
        },
        JudgedBy::File(file) => Evaluation::read(file).map_err(Error::library),
    }
}

impl<R: Rules> AnyEvaluation for Evaluation<R> {
    fn name(&self) -> String {
        self.name()
    }

    fn explain(&self, text: &str) -> Result<Explanation, Error> {
        let position = position::<R>(text)?;
        let value = self.evaluate(&self.start(&position), &position);
        let terms = shogi_search::Evaluator::explain(self, &position);
        Ok(Explanation { value, terms })
    }
}
