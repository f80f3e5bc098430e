//! Proofs too large for one search.

use std::boxed::Box;
use std::fs::{self, File};
use std::io::BufRead;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::string::String;
#[cfg(feature = "learn")]
use std::sync::Arc;
use std::vec::Vec;

#[cfg(feature = "learn")]
use shogi_eval::ProofEvaluation;
use shogi_proof::{Claim, Proof};
use shogi_rules::shogi_core::{Colour, Move, Position};
use shogi_rules::{Dialect, Rules, to_sfen_in, to_usi_in};
use shogi_solve::builder::{
    self, AlphaBeta, AsRanked, Builder, DamagedTail, Event, Log, NextMove, ProofState, Refused,
    Settings, Skeleton,
};
use shogi_solve::df_pn::{self, Tuning};
use shogi_solve::{AnyLeaf, Budget, Goal, RulesGame, strategy_from_builder};

use super::Error;
use super::held::Held;
#[cfg(feature = "learn")]
use super::leaves::Judge;
use super::leaves::{Judged, LeafNumbers, MoveOracle, judged};
use super::position::position;
use super::proofs::{AnyProof, held};
#[cfg(feature = "learn")]
use super::retraining::Retraining;

/// The position to be proved, and the settings.
#[derive(Clone, Debug)]
pub struct BuilderOptions {
    /// The player who is to be proved to win.
    pub winner: Colour,
    /// The file of an evaluation for the leaves of the searches, which take [`Tuning::LEARNT`] with it: a
    /// linear one, or one with a network.
    pub evaluation: Option<Vec<u8>>,
    /// The numbers that leaves begin with, for each search in turn; by default the best that the evaluation
    /// has. Without a file it is the network that comes with the crate, for Kyoto shogi; for other variants
    /// all leaves are alike then.
    pub leaves: Vec<LeafNumbers>,
    /// Who names moves; by default alpha-beta with a network, else the searches.
    pub oracle: Option<MoveOracle>,
    /// How the builder works.
    pub settings: Settings,
    /// How many searches work side by side, each in a thread with a table of its own; 1 or more. There is a
    /// search for each of the leaves at least; with one worker they take turns.
    pub workers: usize,
    /// The text of a skeleton whose moves are followed.
    pub skeleton: Option<String>,
    /// A directory with the log of the work, which resumes from there.
    pub checkpoint: Option<PathBuf>,
    /// After how many expansions a new network is fitted to what the searches have found so far, which then
    /// judges new leaves. With a checkpoint the directory keeps the network and what it learnt from, and
    /// a build that resumes there begins with it.
    #[cfg(feature = "learn")]
    pub retrain: Option<u64>,
    /// A directory by which workers on any machine get their jobs, as many at a time as there are to be
    /// `workers`; only what they refute is searched here then: see [`Builder::run_in_folder`].
    pub jobs: Option<PathBuf>,
}

impl BuilderOptions {
    /// One worker with the settings, leaves and oracle that are the default, without files. There is no default
    /// player.
    ///
    /// ```
    /// use shogi_variants::core::Colour;
    /// use shogi_variants::operations::BuilderOptions;
    /// let options = BuilderOptions { workers: 2, ..BuilderOptions::new(Colour::Gote) };
    /// assert!(options.winner == Colour::Gote && options.checkpoint.is_none());
    /// ```
    pub fn new(winner: Colour) -> Self {
        Self {
            winner,
            evaluation: None,
            leaves: Vec::new(),
            oracle: None,
            settings: Settings::default(),
            workers: 1,
            skeleton: None,
            checkpoint: None,
            #[cfg(feature = "learn")]
            retrain: None,
            jobs: None,
        }
    }
}

/// How one search works.
#[derive(Clone, Debug, Default)]
pub struct WorkOptions {
    /// As [`BuilderOptions::evaluation`].
    pub evaluation: Option<Vec<u8>>,
    /// The numbers that leaves begin with, as in [`BuilderOptions::leaves`].
    pub leaf: Option<LeafNumbers>,
    /// Bytes of the search's table.
    pub hash_bytes: usize,
}

/// A [`Builder`] for a position of any variant, for
/// [`SolvingTasks::builder`](super::SolvingTasks::builder).
pub trait AnyBuilder {
    /// Works until the position is proved or refuted, or the budget is spent: see [`Builder::run`].
    /// `report` is called after each step, with the move that turned out not to win, if one did; `refused`
    /// for each result of a worker that cannot be used: see [`Builder::run_in_folder`].
    ///
    /// # Errors
    ///
    /// If the log or the files of jobs cannot be written; the work has stopped then.
    fn run(
        &mut self,
        budget: &mut Budget<'_>,
        dialect: Option<Dialect>,
        report: &mut dyn FnMut(&dyn BuilderState, Option<FailedMove>),
        refused: &mut Refused<'_>,
    ) -> Result<(), Error>;

    /// The state of the work.
    fn state(&self) -> &dyn BuilderState;

    /// The end of the log that could not be used, if a line of it was damaged.
    fn damaged(&self) -> Option<&DamagedTail>;

    /// The proof, once there is one; it is not checked yet.
    ///
    /// # Errors
    ///
    /// If the plan is no proof by the rules.
    fn proof(&self) -> Result<Option<Box<dyn AnyProof>>, Error>;

    /// The text of the proof's skeleton, once there is a proof: see [`Skeleton`](builder::Skeleton).
    fn skeleton(&self) -> Option<String>;
}

/// How far a [`Builder`] of any variant has come.
pub trait BuilderState {
    /// Whether the position is proved or refuted.
    fn state(&self) -> ProofState;

    /// How much was done, and what is left.
    fn frontier(&self, dialect: Option<Dialect>) -> Frontier;

    /// At most so many of the positions that are neither proved nor refuted and whose replies are not
    /// listed in their place.
    fn open(&self, most: usize, dialect: Option<Dialect>) -> Vec<OpenPosition>;
}

/// A move of the prover that does not win.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FailedMove {
    /// The position, in SFEN.
    pub sfen: String,
    /// The move, in USI notation.
    pub mv: String,
}

/// A position that is neither proved nor refuted, with the numbers of its last search.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
#[non_exhaustive]
pub struct OpenPosition {
    /// The position, in SFEN.
    pub sfen: String,
    /// Its proof number.
    pub proof: u32,
    /// Its disproof number.
    pub disproof: u32,
    /// Expansions that its proof is expected to take from now on.
    pub estimate: f64,
}

/// How much a builder has done, and what is left.
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
#[non_exhaustive]
pub struct Frontier {
    /// Moves played.
    pub nodes: u64,
    /// Positions whose moves were looked at.
    pub expansions: u64,
    /// Searches of one position.
    pub jobs: u64,
    /// Positions that proofs have entries for.
    pub proved: usize,
    /// Open positions that are not expanded.
    pub open: usize,
    /// Expansions that the whole proof is expected to take from now on.
    pub estimate: f64,
    /// Megabytes of the tree and the proofs.
    pub megabytes: usize,
    /// The open positions from the root to the one that is expected to take most.
    pub hardest: Vec<OpenPosition>,
}

/// A builder of a proof from `root` on.
pub(super) fn builder<R: Rules>(
    root: &str,
    options: &BuilderOptions,
) -> Result<Box<dyn AnyBuilder>, Error> {
    let root = position::<R>(root)?;
    let judged = judged::<R>(options.evaluation.as_deref(), &options.leaves)?;
    let tuning = judged.tuning();
    let settings = Settings { tuning, root_epsilon: root_epsilon(tuning), ..options.settings };
    let searches = match options.jobs {
        Some(_) => 1,
        None => options.workers.max(judged.blends.len()),
    };
    let goal = Goal::win(options.winner);
    let mut logged = Logged {
        builder: Builder::new(&const { RulesGame::new() }, goal, root, judged.leaf(0), settings),
        workers: options.workers,
        jobs: options.jobs.clone(),
        asked: options.oracle.unwrap_or(judged.oracle()),
        judged,
        oracles: Vec::new(),
        log: None,
        damaged: None,
        #[cfg(feature = "learn")]
        retraining: None,
    };
    logged.begin(options, searches)?;
    Ok(Box::new(Held::new(logged)))
}

fn oracle<R: Rules>(asked: MoveOracle, judged: &Judged<R>) -> BoxedOracle<R> {
    match asked {
        MoveOracle::Ranked => Box::new(AsRanked),
        MoveOracle::AlphaBeta => Box::new(AlphaBeta::new(judged.ranks())),
        #[cfg(feature = "search")]
        MoveOracle::Player => player(),
    }
}

/// Positions that the player visits for each position it names moves for: about as long as a job takes.
#[cfg(feature = "search")]
const PLAYER_NODES: u64 = 300_000;

/// The player as an oracle.
#[cfg(feature = "search")]
fn player<R: Rules>() -> BoxedOracle<R> {
    use shogi_search::{Evaluation, Oracle, Player, Settings};
    let player = Player::new(Evaluation::standard(), Settings::default());
    Box::new(Oracle::new(player, PLAYER_NODES))
}

/// Does a [`Job`](builder::Job) of a rule set.
pub(super) fn work<R: Rules>(
    job: &str,
    work: &WorkOptions,
    budget: &mut Budget<'_>,
) -> Result<Option<String>, Error> {
    let job = builder::Job::<R>::from_json(job).map_err(Error::library)?;
    let hash_bytes = work.hash_bytes;
    let (leaf, tuning) = one_leaf(work)?;
    let root_epsilon = root_epsilon(tuning);
    let options = df_pn::Options { tuning, root_epsilon, hash_bytes, ..df_pn::Options::default() };
    Ok(job.run(leaf, options, budget))
}

/// The start of one search.
pub(super) fn one_leaf<R: Rules>(work: &WorkOptions) -> Result<(AnyLeaf<R>, Tuning), Error> {
    let judged = judged::<R>(work.evaluation.as_deref(), work.leaf.as_slice())?;
    Ok((judged.leaf(0), judged.tuning()))
}

/// The thresholds of a job's root. Numbers that estimate an effort are large, and rise in steps of a quarter;
/// with leaves that are all alike, rounds of so small numbers do much of the work again.
fn root_epsilon(tuning: Tuning) -> Option<u32> {
    (tuning == Tuning::LEARNT).then_some(tuning.epsilon)
}

/// The name of the log in its directory.
const LOG: &str = "log";

fn open_log<R: Rules>(
    folder: &Path,
    builder: &mut Builder<'_, RulesGame<R>, AnyLeaf<R>>,
) -> Result<(Log<File>, Option<DamagedTail>), Error> {
    fs::create_dir_all(folder).map_err(Error::kept(folder))?;
    let path = folder.join(LOG);
    builder::open(&path, builder).map_err(Error::kept(&path))
}

/// Who names moves.
type BoxedOracle<R> = Box<dyn NextMove<RulesGame<R>> + Send>;

/// A builder with its oracles and its log.
struct Logged<R: Rules> {
    builder: Builder<'static, RulesGame<R>, AnyLeaf<R>>,
    judged: Judged<R>,
    workers: usize,
    jobs: Option<PathBuf>,
    asked: MoveOracle,
    /// One for each thread that uses it.
    oracles: Vec<BoxedOracle<R>>,
    log: Option<(PathBuf, Log<File>)>,
    damaged: Option<DamagedTail>,
    #[cfg(feature = "learn")]
    retraining: Option<Retraining<R>>,
}

impl<R: Rules> Logged<R> {
    /// Makes the builder follow its skeleton and resume from its checkpoint, with so many searches.
    fn begin(&mut self, options: &BuilderOptions, searches: usize) -> Result<(), Error> {
        if let Some(text) = &options.skeleton {
            let skeleton = Skeleton::from_json(text).map_err(Error::library)?;
            self.builder.follow_skeleton(&skeleton).map_err(Error::library)?;
        }
        let folder = options.checkpoint.as_deref();
        if let Some(folder) = folder {
            let (log, damaged) = open_log(folder, &mut self.builder)?;
            (self.log, self.damaged) = (Some((folder.join(LOG), log)), damaged);
        }
        for number in 1..searches {
            self.builder.add_search(self.judged.leaf(number));
        }
        // Searches that take turns, and jobs of a folder, have one oracle.
        let askers = if self.workers > 1 { searches } else { 1 };
        for _ in 0..askers {
            self.oracles.push(oracle(self.asked, &self.judged));
        }
        #[cfg(feature = "learn")]
        if let Some(every) = options.retrain {
            let Judge::Network(evaluation) = &self.judged.by else { return Err(Error::NoNetwork) };
            let retraining = Retraining::open(every, &mut self.builder, evaluation, folder)?;
            let learnt = retraining.learnt();
            self.retraining = Some(retraining);
            if let Some(evaluation) = learnt {
                self.judge_by(evaluation);
            }
        }
        Ok(())
    }

    /// The expansions of the builder after which the next network is fitted.
    #[cfg(feature = "learn")]
    fn next_network(&self) -> u64 {
        self.retraining.as_ref().map_or(u64::MAX, |retraining| retraining.next(&self.builder))
    }

    #[cfg(not(feature = "learn"))]
    const fn next_network(&self) -> u64 {
        u64::MAX
    }

    /// Fits the next network to what the searches have found, and has it judge from now on; whether networks are fitted
    /// at all.
    #[cfg(feature = "learn")]
    fn retrain(&mut self, budget: &mut Budget<'_>) -> Result<bool, Error> {
        let Some(retraining) = &mut self.retraining else { return Ok(false) };
        if let Some(evaluation) = retraining.learn(&mut self.builder, budget)? {
            self.judge_by(evaluation);
        }
        Ok(true)
    }

    #[cfg(not(feature = "learn"))]
    const fn retrain(&mut self, _: &mut Budget<'_>) -> Result<bool, Error> {
        Ok(false)
    }

    /// Has new leaves, and the oracles if they look at leaves, judged by a network from now on.
    #[cfg(feature = "learn")]
    fn judge_by(&mut self, evaluation: Arc<ProofEvaluation<R>>) {
        self.judged.by = Judge::Network(evaluation);
        for (number, leaf) in self.builder.leaves_mut().enumerate() {
            *leaf = self.judged.leaf(number);
        }
        if self.asked == MoveOracle::AlphaBeta {
            for old in &mut self.oracles {
                *old = oracle(self.asked, &self.judged);
            }
        }
    }

    /// Works until the position is decided, the budget is spent or it is time for the next network.
    fn run_on(
        &mut self,
        budget: &mut Budget<'_>,
        dialect: Option<Dialect>,
        report: &mut dyn FnMut(&dyn BuilderState, Option<FailedMove>),
        refused: &mut Refused<'_>,
    ) -> Result<(), Error> {
        let end = self.next_network();
        let Self { builder, workers, jobs, oracles, log, .. } = self;
        let mut written = Ok(());
        let mut observer = |builder: &Builder<'_, _, _>, position: &_, event: &Event<_>| {
            // After a line that could not be written no other would follow.
            if let (Some((path, log)), Ok(())) = (&mut *log, &written) {
                written = log.append(position, event).map_err(Error::kept(path));
            }
            report(builder, failed_move(position, event, dialect));
            let ends = written.is_err() || builder.expansions() >= end;
            if ends { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        match jobs {
            Some(folder) => {
                let (oracle, observer) = (&mut oracles[0], &mut observer);
                let done =
                    builder.run_in_folder(folder, *workers, oracle, budget, observer, refused);
                done.map_err(Error::library)?;
            }
            None if *workers > 1 => builder.run_parallel(oracles, budget, &mut observer),
            None => builder.run(&mut oracles[0], budget, &mut observer),
        }
        written
    }
}

impl<R: Rules> AnyBuilder for Held<Logged<R>> {
    fn run(
        &mut self,
        budget: &mut Budget<'_>,
        dialect: Option<Dialect>,
        report: &mut dyn FnMut(&dyn BuilderState, Option<FailedMove>),
        refused: &mut Refused<'_>,
    ) -> Result<(), Error> {
        self.with_mut(|logged| {
            loop {
                logged.run_on(budget, dialect, report, refused)?;
                if logged.builder.state() != ProofState::Open
                    || budget.is_over()
                    || !logged.retrain(budget)?
                {
                    return Ok(());
                }
            }
        })
    }

    fn state(&self) -> &dyn BuilderState {
        self
    }

    fn damaged(&self) -> Option<&DamagedTail> {
        self.get().damaged.as_ref()
    }

    fn proof(&self) -> Result<Option<Box<dyn AnyProof>>, Error> {
        self.with(|Logged { builder, .. }| {
            let strategy = strategy_from_builder(builder).map_err(Error::library)?;
            let Some(strategy) = strategy else { return Ok(None) };
            let prover = strategy.prover();
            let proof = Proof::new(*builder.root(), Claim::Win { prover }, std::vec![strategy]);
            Ok(Some(held(proof.map_err(Error::library)?)))
        })
    }

    fn skeleton(&self) -> Option<String> {
        self.with(|logged| Some(logged.builder.skeleton()?.to_json()))
    }
}

impl<R: Rules> BuilderState for Held<Logged<R>> {
    fn state(&self) -> ProofState {
        self.with(|logged| logged.builder.state())
    }

    fn frontier(&self, dialect: Option<Dialect>) -> Frontier {
        self.with(|logged| logged.builder.frontier(dialect))
    }

    fn open(&self, most: usize, dialect: Option<Dialect>) -> Vec<OpenPosition> {
        self.with(|logged| BuilderState::open(&logged.builder, most, dialect))
    }
}

/// The contents of a builder's log, its proofs checked.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
#[non_exhaustive]
pub struct CheckedBuild {
    /// The position that is to be proved, in SFEN.
    pub root: String,
    /// Whether all of it is proved by now.
    pub proved: bool,
    /// Searches of one position.
    pub jobs: u64,
    /// Positions whose moves were looked at.
    pub expansions: u64,
    /// Positions that have proofs, each checked by the rules.
    pub entries: usize,
    /// Bytes of all whole lines; a run that is killed leaves a part of a line after them.
    pub bytes: u64,
}

/// Checks the log of a builder of a rule set.
pub(super) fn check_build<R: Rules>(log: &mut dyn BufRead) -> Result<CheckedBuild, Error> {
    let checked = builder::check::<R>(log).map_err(Error::library)?;
    Ok(CheckedBuild {
        root: to_sfen_in(&checked.root, Dialect::Lishogi),
        proved: checked.state == ProofState::Proved,
        jobs: checked.jobs,
        expansions: checked.expansions,
        entries: checked.steps,
        bytes: checked.bytes,
    })
}

/// The game and the claim of a skeleton.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SkeletonOf {
    /// The position that is proved, in SFEN.
    pub root: String,
    /// The player who wins.
    pub winner: Colour,
    /// Expansions of the largest job that proved a position which is left out.
    pub expansions: u64,
    /// Positions with a move, and positions that are left out.
    pub positions: [usize; 2],
}

/// Reads the text of a skeleton of a rule set.
pub(super) fn skeleton<R: Rules>(text: &str) -> Result<SkeletonOf, Error> {
    let skeleton = Skeleton::<R>::from_json(text).map_err(Error::library)?;
    let left_out = skeleton.moves.iter().filter(|mv| mv.is_none()).count();
    Ok(SkeletonOf {
        root: to_sfen_in(&skeleton.root, Dialect::Lishogi),
        winner: skeleton.winner,
        expansions: skeleton.expansions,
        positions: [skeleton.moves.len() - left_out, left_out],
    })
}

fn failed_move<R: Rules>(
    position: &Position<R>,
    event: &Event<Move<R>>,
    dialect: Option<Dialect>,
) -> Option<FailedMove> {
    let dialect = dialect.unwrap_or(R::dialect());
    match *event {
        Event::MoveFails { mv } => Some(FailedMove {
            sfen: to_sfen_in(position, dialect),
            mv: to_usi_in(mv, position, dialect),
        }),
        _ => None,
    }
}

impl<R: Rules> BuilderState for Builder<'_, RulesGame<R>, AnyLeaf<R>> {
    fn state(&self) -> ProofState {
        self.state()
    }

    fn frontier(&self, dialect: Option<Dialect>) -> Frontier {
        Frontier {
            nodes: self.spent(),
            expansions: self.expansions(),
            jobs: self.jobs(),
            proved: self.steps(),
            open: self.open().filter(|position| !position.expanded).count(),
            estimate: self.estimate(),
            megabytes: self.bytes() >> 20,
            hardest: self
                .hardest()
                .into_iter()
                .map(|position| written(position, dialect))
                .collect(),
        }
    }

    fn open(&self, most: usize, dialect: Option<Dialect>) -> Vec<OpenPosition> {
        let leaves = self.open().filter(|position| !position.expanded).take(most);
        leaves.map(|position| written(position, dialect)).collect()
    }
}

fn written<R: Rules>(
    open: builder::OpenPosition<'_, Position<R>>,
    dialect: Option<Dialect>,
) -> OpenPosition {
    OpenPosition {
        sfen: to_sfen_in(open.position, dialect.unwrap_or(R::dialect())),
        proof: open.proof,
        disproof: open.disproof,
        estimate: open.estimate,
    }
}
