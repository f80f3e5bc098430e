//! Proof searches that go on from where they stopped.

use std::boxed::Box;
use std::io::{self, Read, Write};
use std::string::String;
use std::time::Duration;
use std::vec::Vec;

use shogi_proof::Refuted;
use shogi_rules::{Dialect, Rules, Verdict};
use shogi_solve::checkpoint::{CheckpointError, Reader};
use shogi_solve::{Budget, Ended, Finding, Goal, Options, RulesGame, Solved, Solver};

use super::Error;
use super::position::{play_in_usi, position};
use super::proofs::AnyProof;

/// A [`Solver`] of a position of any variant, for [`AnySolving::solver`](super::AnySolving::solver).
pub trait AnySolver {
    /// Goes on until the value is proved, the budget is spent, or the solver is stuck: see
    /// [`Solver::run`].
    ///
    /// # Panics
    ///
    /// If the system refuses the memory for the tables, which it had when the solver was made.
    fn run(&mut self, budget: &mut Budget<'_>);

    /// The value for the player to move, once it is proved.
    fn value(&self) -> Option<Verdict>;

    /// Whether more time is of no use: see [`Solver::is_stuck`].
    fn is_stuck(&self) -> bool;

    /// Moves played in all runs.
    fn nodes(&self) -> u64;

    /// Positions whose moves were looked at, in all runs.
    fn expansions(&self) -> u64;

    /// The time spent in all runs.
    fn elapsed(&self) -> Duration;

    /// Writes a checkpoint: see [`Solver::write`].
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    fn write(&self, out: &mut dyn Write) -> io::Result<()>;

    /// What is known now, proved and checked, with moves in USI notation.
    fn into_solution(self: Box<Self>, dialect: Option<Dialect>) -> Solution;
}

/// What is known of a position: a [`Solved`] of any variant.
pub struct Solution {
    /// The value for the player to move, if a checked proof carries it.
    pub value: Option<Verdict>,
    /// For a win or a loss that needs no repetition: plies to the end at most.
    pub plies: Option<u32>,
    /// The proof, checked; without a value, of what one player has at least, if that is known.
    pub proof: Option<Box<dyn AnyProof>>,
    /// The moves that the proof plans from the root on, in USI notation: see [`Solved::line`].
    pub line: Vec<String>,
    /// Why the search's answer was no proof, if it was none.
    pub refuted: Option<Refuted>,
    /// Moves played in all searches together.
    pub nodes: u64,
    /// Positions entered in all searches together.
    pub expansions: u64,
    /// What ended the work.
    pub ended: Ended,
    /// The numbers of the searches that were left, by goal.
    pub open: Vec<(Goal, Finding)>,
}

/// A new solver.
pub(super) fn solver<R: Rules>(root: &str, options: Options) -> Result<Box<dyn AnySolver>, Error> {
    Error::check_memory(options.hash_bytes)?;
    Ok(Box::new(Solver::of_position(position::<R>(root)?, options)))
}

/// The solver of a checkpoint.
pub(super) fn resume<R: Rules>(
    input: &mut dyn Read,
    root: &str,
    options: Options,
) -> Result<Box<dyn AnySolver>, Error> {
    Error::check_memory(options.hash_bytes)?;
    let root = position::<R>(root)?;
    let read = || -> Result<_, CheckpointError> { Reader::new(input)?.solver(root, options) };
    Ok(Box::new(read().map_err(Error::library)?))
}

impl<R: Rules> AnySolver for Solver<'static, RulesGame<R>> {
    fn run(&mut self, budget: &mut Budget<'_>) {
        self.run(budget);
    }

    fn value(&self) -> Option<Verdict> {
        self.value()
    }

    fn is_stuck(&self) -> bool {
        self.is_stuck()
    }

    fn nodes(&self) -> u64 {
        self.nodes()
    }

    fn expansions(&self) -> u64 {
        self.expansions()
    }

    fn elapsed(&self) -> Duration {
        self.elapsed()
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.write(out)
    }

    fn into_solution(self: Box<Self>, dialect: Option<Dialect>) -> Solution {
        let mut root = *self.root();
        let Solved { value, plies, proof, line, refuted, nodes, expansions, ended, open } =
            self.into_solved();
        let line = play_in_usi(&mut root, &line, dialect);
        let proof = proof.map(|proof| Box::new(proof) as Box<dyn AnyProof>);
        Solution { value, plies, proof, line, refuted, nodes, expansions, ended, open }
    }
}
