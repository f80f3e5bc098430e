//! Proofs too large for one search.

use std::boxed::Box;
use std::fs::{self, File};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::string::String;
use std::vec::Vec;

use shogi_learn::Evaluation;
use shogi_proof::{Claim, Proof};
use shogi_rules::shogi_core::{Colour, Move, Position};
use shogi_rules::{Dialect, Rules, to_sfen_in, to_usi_in};
use shogi_solve::build::{
    self, AsRanked, Builder, Event, Log, NextMove, Settings, Skeleton, State,
};
use shogi_solve::df_pn::Tuning;
use shogi_solve::{Budget, Goal, Leaf, Learnt, RulesGame, Unit, strategy_from_builder};

use super::Error;
use super::position::position;
use super::proofs::AnyProof;

/// What is proved, and how.
#[derive(Clone, Debug)]
pub struct BuilderOptions {
    /// The player who is to be proved to win.
    pub winner: Colour,
    /// The text of an evaluation file, for the leaves of the searches, which take [`Tuning::LEARNT`]
    /// with it.
    pub evaluation: Option<String>,
    /// How the builder works.
    pub settings: Settings,
    /// How many searches work side by side, each in a thread with a table of its own; 1 or more.
    pub workers: usize,
    /// The text of a skeleton whose moves are followed.
    pub skeleton: Option<String>,
    /// A directory with the log of the work, which goes on from there.
    pub checkpoint: Option<PathBuf>,
}

/// A [`Builder`] for a position of any variant, for
/// [`AnySolving::builder`](super::AnySolving::builder).
pub trait AnyBuilder {
    /// Works until the position is proved or refuted, or the budget is spent: see [`Builder::run`].
    /// `report` is called after each step, with the move that turned out not to win, if one did.
    ///
    /// # Errors
    ///
    /// If the log cannot be written; the work has stopped then.
    fn run(
        &mut self,
        budget: &mut Budget<'_>,
        dialect: Option<Dialect>,
        report: &mut dyn FnMut(&dyn BuilderState, Option<FailedMove>),
    ) -> Result<(), Error>;

    /// The state of the work.
    fn state(&self) -> &dyn BuilderState;

    /// The proof, once there is one; it is not checked yet.
    ///
    /// # Errors
    ///
    /// If the plan is no proof by the rules.
    fn proof(&self) -> Result<Option<Box<dyn AnyProof>>, Error>;

    /// The text of the proof's skeleton, once there is a proof: see [`Skeleton`](build::Skeleton).
    fn skeleton(&self) -> Option<String>;
}

/// How far a [`Builder`] of any variant has come.
pub trait BuilderState {
    /// Whether the position is proved or refuted.
    fn state(&self) -> State;

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
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
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
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
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
    match &options.evaluation {
        None => with_leaf::<R, _, _>(root, options, Unit, AsRanked, Tuning::default()),
        Some(json) => {
            let evaluation = Evaluation::<R>::from_json(json).map_err(Error::library)?;
            let leaf = Learnt::new(evaluation.linear().clone());
            with_leaf::<R, _, _>(root, options, leaf, AsRanked, Tuning::LEARNT)
        }
    }
}

fn with_leaf<R: Rules, L, O>(
    root: &str,
    options: &BuilderOptions,
    leaf: L,
    oracle: O,
    tuning: Tuning,
) -> Result<Box<dyn AnyBuilder>, Error>
where
    L: Leaf<RulesGame<R>> + Clone + Send + 'static,
    O: NextMove<RulesGame<R>> + 'static,
{
    let root = position::<R>(root)?;
    let game = &const { RulesGame::new() };
    let settings = Settings { tuning, ..options.settings };
    let mut builder = Builder::new(game, Goal::win(options.winner), root, leaf.clone(), settings);
    if let Some(text) = &options.skeleton {
        let skeleton = Skeleton::from_json(text).map_err(Error::library)?;
        builder.follow_skeleton(&skeleton).map_err(Error::library)?;
    }
    let log = match &options.checkpoint {
        None => None,
        Some(folder) => Some(open_log(folder, &mut builder)?),
    };
    for _ in 1..options.workers {
        builder.add_search(leaf.clone());
    }
    Ok(Box::new(Logged { builder, oracle, log }))
}

/// The name of the log in its directory.
const LOG: &str = "log";

fn open_log<R: Rules, L: Leaf<RulesGame<R>>>(
    folder: &Path,
    builder: &mut Builder<'_, RulesGame<R>, L>,
) -> Result<Log<File>, Error> {
    fs::create_dir_all(folder).map_err(Error::library)?;
    build::open(&folder.join(LOG), builder).map_err(Error::library)
}

/// A builder with its oracle and its log.
struct Logged<R: Rules, L, O> {
    builder: Builder<'static, RulesGame<R>, L>,
    oracle: O,
    log: Option<Log<File>>,
}

impl<R: Rules, L, O> AnyBuilder for Logged<R, L, O>
where
    L: Leaf<RulesGame<R>> + Send,
    O: NextMove<RulesGame<R>>,
{
    fn run(
        &mut self,
        budget: &mut Budget<'_>,
        dialect: Option<Dialect>,
        report: &mut dyn FnMut(&dyn BuilderState, Option<FailedMove>),
    ) -> Result<(), Error> {
        let Self { builder, oracle, log } = self;
        let mut written = Ok(());
        builder.run_parallel(oracle, budget, &mut |builder, position, event| {
            if let Some(log) = log {
                written = log.append(position, event);
            }
            report(builder, failed_move(position, event, dialect));
            if written.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        written.map_err(Error::library)
    }

    fn state(&self) -> &dyn BuilderState {
        &self.builder
    }

    fn proof(&self) -> Result<Option<Box<dyn AnyProof>>, Error> {
        let strategy = strategy_from_builder(&self.builder).map_err(Error::library)?;
        let Some(strategy) = strategy else { return Ok(None) };
        let prover = strategy.prover();
        let proof = Proof::new(*self.builder.root(), Claim::Win { prover }, std::vec![strategy]);
        Ok(Some(Box::new(proof.map_err(Error::library)?)))
    }

    fn skeleton(&self) -> Option<String> {
        Some(self.builder.skeleton()?.to_json())
    }
}

/// What a skeleton is of.
#[derive(Clone, PartialEq, Eq, Debug)]
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
    let dialect = dialect.unwrap_or(R::DIALECT);
    match *event {
        Event::MoveFails { mv } => Some(FailedMove {
            sfen: to_sfen_in(position, dialect),
            mv: to_usi_in(mv, position, dialect),
        }),
        _ => None,
    }
}

impl<R: Rules, L: Leaf<RulesGame<R>>> BuilderState for Builder<'_, RulesGame<R>, L> {
    fn state(&self) -> State {
        self.state()
    }

    fn frontier(&self, dialect: Option<Dialect>) -> Frontier {
        Frontier {
            nodes: self.spent(),
            expansions: self.expansions(),
            jobs: self.jobs(),
            proved: self.steps(),
            open: self.open().filter(|open| !open.expanded).count(),
            estimate: self.estimate(),
            megabytes: self.bytes() >> 20,
            hardest: self.hardest().into_iter().map(|open| written(open, dialect)).collect(),
        }
    }

    fn open(&self, most: usize, dialect: Option<Dialect>) -> Vec<OpenPosition> {
        let leaves = self.open().filter(|open| !open.expanded).take(most);
        leaves.map(|open| written(open, dialect)).collect()
    }
}

fn written<R: Rules>(open: build::Open<'_, Position<R>>, dialect: Option<Dialect>) -> OpenPosition {
    OpenPosition {
        sfen: to_sfen_in(open.position, dialect.unwrap_or(R::DIALECT)),
        proof: open.proof,
        disproof: open.disproof,
        estimate: open.estimate,
    }
}
