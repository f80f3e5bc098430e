//! Proofs too large for one search.

use std::boxed::Box;
use std::io::{self, Write};
use std::string::String;
use std::vec::Vec;

use shogi_learn::Evaluation;
use shogi_proof::{Claim, Proof, Repetition};
use shogi_rules::shogi_core::Colour;
use shogi_rules::{Dialect, Rules, to_sfen_in, to_usi_in};
use shogi_solve::build::{AsRanked, Builder, Event, Settings, State, load, save};
use shogi_solve::df_pn::Tuning;
use shogi_solve::{Budget, Goal, Leaf, Learnt, RulesGame, Unit, strategy_from_plan};

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
}

/// A [`Builder`] for a position of any variant, for
/// [`AnySolving::builder`](super::AnySolving::builder).
pub trait AnyBuilder {
    /// Works until the position is proved or refuted, or the budget is spent: see [`Builder::run`].
    /// `report` is called after each step, with the move that turned out not to win, if one did.
    fn run(
        &mut self,
        budget: &mut Budget<'_>,
        dialect: Option<Dialect>,
        report: &mut dyn FnMut(&dyn AnyBuilder, Option<FailedMove>),
    );

    /// Whether the position is proved or refuted.
    fn state(&self) -> State;

    /// Nodes of all runs so far.
    fn nodes(&self) -> u64;

    /// Number of positions in the proofs found so far.
    fn proved(&self) -> usize;

    /// Number of open positions: see [`AnyBuilder::open`].
    fn open_count(&self) -> usize;

    /// At most so many of the positions that are neither proved nor refuted and whose replies are not
    /// listed in their place.
    fn open(&self, most: usize, dialect: Option<Dialect>) -> Vec<OpenPosition>;

    /// Writes the state: see [`save`].
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    fn write(&self, out: &mut dyn Write) -> io::Result<()>;

    /// The proof, once there is one; it is not checked yet.
    ///
    /// # Errors
    ///
    /// If the plan is no proof by the rules.
    fn proof(&self) -> Result<Option<Box<dyn AnyProof>>, Error>;
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
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct OpenPosition {
    /// The position, in SFEN.
    pub sfen: String,
    /// Its proof number.
    pub proof: u32,
    /// Its disproof number.
    pub disproof: u32,
}

/// A builder of a proof from `root` on, at the `saved` state if there is one.
pub(super) fn builder<R: Rules>(
    root: &str,
    options: &BuilderOptions,
    saved: Option<&[u8]>,
) -> Result<Box<dyn AnyBuilder>, Error> {
    match &options.evaluation {
        None => with_leaf::<R, _>(root, options, saved, Unit, Tuning::default()),
        Some(json) => {
            let evaluation = Evaluation::<R>::from_json(json).map_err(Error::library)?;
            let leaf = Learnt::new(evaluation.linear().clone());
            with_leaf::<R, _>(root, options, saved, leaf, Tuning::LEARNT)
        }
    }
}

fn with_leaf<R: Rules, L: Leaf<RulesGame<R>> + 'static>(
    root: &str,
    options: &BuilderOptions,
    saved: Option<&[u8]>,
    leaf: L,
    tuning: Tuning,
) -> Result<Box<dyn AnyBuilder>, Error> {
    let root = position::<R>(root)?;
    let game = &const { RulesGame::new() };
    let goal = Goal::win(options.winner);
    let settings = Settings { tuning, ..options.settings };
    Ok(Box::new(match saved {
        None => Builder::new(game, goal, root, leaf, settings),
        Some(file) => {
            let text = std::str::from_utf8(file).map_err(Error::library)?;
            load(text, game, goal, root, leaf, settings).map_err(Error::library)?
        }
    }))
}

impl<R: Rules, L: Leaf<RulesGame<R>>> AnyBuilder for Builder<'static, RulesGame<R>, L> {
    fn run(
        &mut self,
        budget: &mut Budget<'_>,
        dialect: Option<Dialect>,
        report: &mut dyn FnMut(&dyn AnyBuilder, Option<FailedMove>),
    ) {
        let dialect = dialect.unwrap_or(R::DIALECT);
        self.run(&mut AsRanked, budget, &mut |builder, position, event| {
            let failed = match event {
                Event::MoveFails { mv } => Some(FailedMove {
                    sfen: to_sfen_in(position, dialect),
                    mv: to_usi_in(mv, position, dialect),
                }),
                _ => None,
            };
            report(builder, failed);
        });
    }

    fn state(&self) -> State {
        self.state()
    }

    fn nodes(&self) -> u64 {
        self.spent()
    }

    fn proved(&self) -> usize {
        self.steps()
    }

    fn open_count(&self) -> usize {
        self.open().filter(|open| !open.expanded).count()
    }

    fn open(&self, most: usize, dialect: Option<Dialect>) -> Vec<OpenPosition> {
        let dialect = dialect.unwrap_or(R::DIALECT);
        let leaves = self.open().filter(|open| !open.expanded).take(most);
        let open = leaves.map(|open| OpenPosition {
            sfen: to_sfen_in(open.position, dialect),
            proof: open.proof,
            disproof: open.disproof,
        });
        open.collect()
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(save(self).as_bytes())
    }

    fn proof(&self) -> Result<Option<Box<dyn AnyProof>>, Error> {
        let Some(plan) = self.plan() else { return Ok(None) };
        let (root, prover) = (*self.root(), self.goal().prover);
        let strategy = strategy_from_plan(&root, &plan, prover, Repetition::Absent);
        let strategy = strategy.map_err(Error::library)?;
        let proof = Proof::new(root, Claim::Win { prover }, std::vec![strategy]);
        Ok(Some(Box::new(proof.map_err(Error::library)?)))
    }
}
