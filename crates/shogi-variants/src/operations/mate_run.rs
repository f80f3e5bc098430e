//! Searches for a mate that resume where they stopped, and the proofs of mates.

use std::boxed::Box;
use std::io::{self, Read, Write};
use std::string::ToString as _;
use std::time::Duration;

use shogi_mate::{Budget, MateAnswer, MateRun};
use shogi_proof::Proof;
use shogi_rules::{Dialect, Rules};
use shogi_solve::prove_brink;

use super::Error;
use super::held::Held;
use super::proofs::{AnyProof, held};
use crate::RuleSet;
use crate::tasks::{Mate, MateTask, Session, mate_problem, written};

/// A [`MateRun`] of any variant, or a search for a brinkmate, for [`SolvingTasks::mate_run`](super::SolvingTasks::mate_run).
pub trait AnyMateRun {
    /// Searches until it is known what is wished, or the budget ends. A search for a brinkmate does not resume.
    fn run(&mut self, budget: &mut Budget<'_>);

    /// Whether it is known what is wished.
    fn has_ended(&self) -> bool;

    /// Moves played in all budgets.
    fn nodes(&self) -> u64;

    /// Positions entered in all budgets.
    fn expansions(&self) -> u64;

    /// The time spent in all budgets.
    fn elapsed(&self) -> Duration;

    /// Writes a checkpoint.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to, or the search is one for a brinkmate.
    fn write(&self, out: &mut dyn Write) -> io::Result<()>;

    /// The findings so far, with moves in USI notation.
    fn answer(&mut self, budget: &mut Budget<'_>, dialect: Option<Dialect>) -> Mate;

    /// The proof of what was found, checked by the rules; `None` if nothing was, or the budget ends.
    fn proof(&mut self, budget: &mut Budget<'_>) -> Option<Box<dyn AnyProof>>;
}

/// A search with these settings, or that of its checkpoint.
pub(super) fn mate_run<R: RuleSet>(
    task: &MateTask,
    line: &str,
    session: &Session<'_>,
    checkpoint: Option<&mut dyn Read>,
) -> Result<Box<dyn AnyMateRun>, Error> {
    task.check()?;
    if task.all {
        return Err(Error::Settings("all", "a checkpoint or a proof"));
    }
    if task.defend {
        return Err(Error::Settings("defend", "a checkpoint or a proof"));
    }
    let hash_bytes = session.table_bytes(task.hash);
    Error::check_memory(hash_bytes)?;
    let root = mate_problem::<R>(line)?;
    if task.brink {
        if checkpoint.is_some() {
            return Err(Error::Settings("brink", "a checkpoint"));
        }
        let run = BrinkRun { root, hash_bytes, found: None, elapsed: Duration::ZERO };
        return Ok(Box::new(Held::new(run)));
    }
    Ok(Box::new(Held::new(task.run_from(root, checkpoint, hash_bytes)?)))
}

impl<R: RuleSet> AnyMateRun for Held<MateRun<R>> {
    fn run(&mut self, budget: &mut Budget<'_>) {
        self.with_mut(|run| run.run(budget));
    }

    fn has_ended(&self) -> bool {
        self.get().has_ended()
    }

    fn nodes(&self) -> u64 {
        self.get().nodes()
    }

    fn expansions(&self) -> u64 {
        self.get().expansions()
    }

    fn elapsed(&self) -> Duration {
        self.get().elapsed()
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.with(|run| run.write(out))
    }

    fn answer(&mut self, budget: &mut Budget<'_>, dialect: Option<Dialect>) -> Mate {
        self.with_mut(|run| {
            let answer = run.answer(budget);
            written(*run.root(), &answer, dialect)
        })
    }

    fn proof(&mut self, budget: &mut Budget<'_>) -> Option<Box<dyn AnyProof>> {
        self.with_mut(|run| run.proof(budget)).map(|proof| self.with(|_| held(proof)))
    }
}

/// A search for a brinkmate and what it has found.
struct BrinkRun<R: Rules> {
    root: shogi_rules::shogi_core::Position<R>,
    hash_bytes: usize,
    found: Option<(MateAnswer<R>, Option<Proof<R>>)>,
    elapsed: Duration,
}

impl<R: Rules> BrinkRun<R> {
    fn count(&self, count: impl FnOnce(&MateAnswer<R>) -> u64) -> u64 {
        self.found.as_ref().map_or(0, |(answer, _)| count(answer))
    }
}

impl<R: RuleSet> AnyMateRun for Held<BrinkRun<R>> {
    fn run(&mut self, budget: &mut Budget<'_>) {
        self.with_mut(|run| {
            let begun = shogi_rules::shogi_core::clock::Instant::now();
            run.found = Some(prove_brink(&run.root, run.hash_bytes, budget));
            run.elapsed += begun.elapsed();
        });
    }

    fn has_ended(&self) -> bool {
        self.get().found.is_some()
    }

    fn nodes(&self) -> u64 {
        self.get().count(|answer| answer.nodes)
    }

    fn expansions(&self) -> u64 {
        self.get().count(|answer| answer.expansions)
    }

    fn elapsed(&self) -> Duration {
        self.get().elapsed
    }

    fn write(&self, _out: &mut dyn Write) -> io::Result<()> {
        Err(io::Error::other(Error::Settings("brink", "a checkpoint").to_string()))
    }

    fn answer(&mut self, budget: &mut Budget<'_>, dialect: Option<Dialect>) -> Mate {
        self.with_mut(|BrinkRun { root, hash_bytes, found, .. }| {
            let (answer, _) = found.get_or_insert_with(|| prove_brink(root, *hash_bytes, budget));
            Mate { brink: true, ..written(*root, answer, dialect) }
        })
    }

    fn proof(&mut self, _budget: &mut Budget<'_>) -> Option<Box<dyn AnyProof>> {
        self.with_mut(|run| run.found.as_mut()?.1.take().map(held))
    }
}
