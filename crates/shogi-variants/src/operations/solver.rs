//! Proof searches that resume where they stopped.

use std::boxed::Box;
use std::io::{self, Read, Write};
use std::time::Duration;

use shogi_rules::{Dialect, Rules, Verdict};
use shogi_solve::checkpoint::{CheckpointError, Reader};
use shogi_solve::{Budget, Options, RulesGame, Solver};

use super::Error;
use super::held::Held;
use super::position::position;
use crate::tasks::Solution;

/// A [`Solver`] of a position of any variant, for [`SolvingTasks::solver`](super::SolvingTasks::solver).
pub trait AnySolver {
    /// Searches until the value is proved, the budget is spent, or the solver is stuck: see
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
    fn write(&self, out: &mut dyn Write) -> io::Result<()>;

    /// The findings so far, proved and checked, with moves in USI notation.
    fn into_solution(self: Box<Self>, dialect: Option<Dialect>) -> Solution;
}

/// A new solver.
pub(crate) fn solver<R: Rules>(root: &str, options: Options) -> Result<Box<dyn AnySolver>, Error> {
    Error::check_memory(options.hash_bytes)?;
    Ok(Box::new(Held::new(Solver::of_position(position::<R>(root)?, options))))
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
    Ok(Box::new(Held::new(read().map_err(Error::library)?)))
}

impl<R: Rules> AnySolver for Held<Solver<'static, RulesGame<R>>> {
    fn run(&mut self, budget: &mut Budget<'_>) {
        self.with_mut(|solver| solver.run(budget));
    }

    fn value(&self) -> Option<Verdict> {
        self.with(Solver::value)
    }

    fn is_stuck(&self) -> bool {
        self.with(Solver::is_stuck)
    }

    fn nodes(&self) -> u64 {
        self.with(Solver::nodes)
    }

    fn expansions(&self) -> u64 {
        self.with(Solver::expansions)
    }

    fn elapsed(&self) -> Duration {
        self.with(Solver::elapsed)
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.with(|solver| solver.write(out))
    }

    fn into_solution(self: Box<Self>, dialect: Option<Dialect>) -> Solution {
        self.consume(|solver| {
            let root = *solver.root();
            Solution::new(root, solver.into_solved(), dialect)
        })
    }
}
