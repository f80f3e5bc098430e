//! Numbers of move sequences.

use core::fmt;
use core::ops::ControlFlow;
use core::sync::atomic::Ordering;
use std::collections::BTreeMap;
use std::string::String;
use std::vec::Vec;

use shogi_rules::Dialect;
use shogi_rules::shogi_core::clock::Instant;

use super::{Answer, Session, Task};
use crate::Variant;
use crate::operations::Divided;

/// Counts the sequences of legal moves from a position, in which one player may have no king, by all threads of the
/// current rayon pool.
///
/// ```
/// use shogi_variants::Variant;
/// use shogi_variants::solve::Budget;
/// use shogi_variants::tasks::{PerftTask, Session, Task as _};
/// let task = PerftTask { depth: 3, divide: false };
/// let counted = task.answer(Variant::Minishogi, "startpos", &mut Session::new(Budget::unlimited()))?;
/// assert_eq!((counted.nodes, counted.is_complete()), (2_512, true));
/// # Ok::<(), shogi_variants::Error>(())
/// ```
///
/// The answer is an error if the line stands for no such position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct PerftTask {
    /// Length of the move sequences in plies.
    #[cfg_attr(feature = "clap", arg(value_parser = super::amount::count::<u8>(..=255)))]
    pub depth: u8,
    /// Print the count behind each move too.
    #[serde(default)]
    #[cfg_attr(feature = "clap", arg(long))]
    pub divide: bool,
}

/// The answer of [`PerftTask`].
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct Perft {
    /// The sequences that were counted.
    pub nodes: u64,
    /// The seconds that it took.
    pub seconds: f64,
    /// `Some(false)` if the count was stopped before its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complete: Option<bool>,
    /// The sequences by their first moves, if they are wanted or not all are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub divide: Option<BTreeMap<String, u64>>,
    /// The first moves of which not all sequences are counted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unfinished: Vec<String>,
}

impl Perft {
    /// Whether all sequences are counted.
    pub const fn is_complete(&self) -> bool {
        self.complete.is_none()
    }
}

impl Task for PerftTask {
    const NAME: &'static str = "perft";
    type Answer = Perft;

    fn answer(&self, variant: Variant, line: &str, session: &mut Session<'_>) -> Answer<Perft> {
        let stop = session.budget.stop_signal();
        self.count(variant, line, session.dialect, &|_| match stop
            .is_some_and(|stop| stop.load(Ordering::Relaxed))
        {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        })
    }
}

impl PerftTask {
    /// The answer, for programs that show how far the count is: `report` is called as in
    /// [`RuleTasks::divide`](crate::operations::RuleTasks::divide), and can end the count.
    ///
    /// # Errors
    ///
    /// If the line stands for no position, or one without any king.
    pub fn count(
        &self,
        variant: Variant,
        line: &str,
        dialect: Option<Dialect>,
        report: &(dyn Fn(u64) -> ControlFlow<()> + Sync),
    ) -> Answer<Perft> {
        let started = Instant::now();
        let moves = variant.rules().divide(line, self.depth, dialect, report)?;
        let seconds = started.elapsed().as_secs_f64();
        // At depth 0 there is one sequence, the empty one.
        let nodes = if self.depth == 0 { 1 } else { moves.iter().map(|first| first.nodes).sum() };
        let unfinished = moves.iter().filter(|first| !first.complete);
        let unfinished: Vec<_> = unfinished.map(|first| first.mv.clone()).collect();
        let complete = if unfinished.is_empty() { None } else { Some(false) };
        let by_move = |moves: Vec<Divided>| moves.into_iter().map(|d| (d.mv, d.nodes)).collect();
        let divided = (self.divide || complete.is_some()) && self.depth > 0;
        let divide = divided.then(|| by_move(moves));
        Ok(Perft { nodes, seconds, complete, divide, unfinished })
    }
}

impl fmt::Display for Perft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Self { nodes, seconds, .. } = self;
        for (mv, nodes) in self.divide.iter().flatten() {
            let so_far = if self.unfinished.contains(mv) { " so far" } else { "" };
            writeln!(f, "{mv}: {nodes}{so_far}")?;
        }
        let rate = nodes as f64 / seconds.max(1e-9) / 1e6;
        write!(f, "{nodes} nodes in {seconds:.3} s ({rate:.1} M nodes/s)")
    }
}
