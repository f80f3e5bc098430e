//! Budgets of searches, and progress reports.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use shogi_core::clock::Instant;

/// The limits of a search; it ends without an answer when they are spent.
///
/// ```
/// use shogi_mate::Budget;
/// let mut budget = Budget::nodes(1_000);
/// assert!(budget.spend(999) && !budget.spend(1));
/// assert_eq!(budget.spent(), 1_000);
/// ```
pub struct Budget<'a> {
    nodes: u64,
    deadline: Option<Instant>,
    stop: Option<&'a AtomicBool>,
    /// The shared work, if this is a thread's share of a budget.
    work: Option<&'a SharedWork>,
    /// The nodes and expansions of this share that the shared work has counted.
    counted: (u64, u64),
    report: Option<Reporting<'a>>,
    spent: u64,
    expansions: u64,
    most_expansions: u64,
    /// The node count at which clock, flag and report are checked next.
    next_look: u64,
    over: Option<Limit>,
    report_due: bool,
}

/// The callback for progress and its next due time.
struct Reporting<'a> {
    callback: &'a mut dyn FnMut(SearchProgress),
    next: Instant,
}

/// The limit that ended a search before its answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Limit {
    /// The number of nodes, or of expansions.
    Nodes,
    /// The time.
    Time,
    /// The stop signal.
    Stopped,
}

/// The progress of a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SearchProgress {
    /// Nodes since the budget was made: moves played.
    pub nodes: u64,
    /// Positions entered since the budget was made.
    pub expansions: u64,
    /// Proof number of the root.
    pub proof: u32,
    /// Disproof number of the root.
    pub disproof: u32,
    /// The use of the table, in thousandths.
    pub hashfull: u32,
}

/// The common state of threads that do one piece of work. Each has a share of a budget.
pub(crate) struct SharedWork {
    is_done: AtomicBool,
    /// Nodes spent by all of them and before them; each adds its own when it checks the clock.
    nodes: AtomicU64,
    expansions: AtomicU64,
}

impl SharedWork {
    /// Work that begins with a partly spent budget.
    pub(crate) const fn after(budget: &Budget<'_>) -> Self {
        Self {
            is_done: AtomicBool::new(false),
            nodes: AtomicU64::new(budget.spent),
            expansions: AtomicU64::new(budget.expansions),
        }
    }

    /// Ends the work of all threads.
    pub(crate) fn finish(&self) {
        self.is_done.store(true, Ordering::Relaxed);
    }
}

/// The share of one of several threads that do one piece of work.
#[derive(Clone, Copy)]
pub(crate) struct Share<'a> {
    nodes: u64,
    most_expansions: u64,
    deadline: Option<Instant>,
    stop: Option<&'a AtomicBool>,
    work: &'a SharedWork,
}

impl<'a> Share<'a> {
    /// The share as a budget, which reports nothing.
    pub(crate) const fn budget(self) -> Budget<'a> {
        let Self { nodes, most_expansions, deadline, stop, work } = self;
        Budget { most_expansions, deadline, stop, work: Some(work), ..Budget::nodes(nodes) }
    }
}

/// The budget is spent before the work is done. Work that returns this is resumable: call it again with another budget.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfBudget;

/// Nodes between two checks of the clock.
const LOOK: u64 = 4096;
/// Time between two reports.
const REPORT: Duration = Duration::from_millis(500);

impl<'a> Budget<'a> {
    /// A budget without limits.
    pub const fn unlimited() -> Self {
        Self::nodes(u64::MAX)
    }

    /// At most this many nodes; the same for every machine and every run.
    pub const fn nodes(nodes: u64) -> Self {
        Self {
            nodes,
            deadline: None,
            stop: None,
            work: None,
            counted: (0, 0),
            report: None,
            spent: 0,
            expansions: 0,
            most_expansions: u64::MAX,
            next_look: 0,
            over: None,
            report_due: false,
        }
    }

    /// Adds a limit of time from now.
    #[must_use]
    pub fn time(mut self, time: Duration) -> Self {
        self.deadline = Instant::now().checked_add(time);
        self
    }

    /// Adds a stop signal: the budget ends when the flag is set.
    #[must_use]
    pub const fn stopped_by(mut self, flag: &'a AtomicBool) -> Self {
        self.stop = Some(flag);
        self
    }

    /// The stop signal, for work that looks at a flag of its own.
    pub const fn stop_signal(&self) -> Option<&'a AtomicBool> {
        self.stop
    }

    /// Reports the progress to a callback twice a second.
    #[must_use]
    pub fn reporting_to(mut self, callback: &'a mut dyn FnMut(SearchProgress)) -> Self {
        self.report = Some(Reporting { callback, next: Instant::now() + REPORT });
        self
    }

    /// Counts nodes and returns whether there is more to spend.
    #[inline]
    pub fn spend(&mut self, nodes: u64) -> bool {
        self.spent += nodes;
        if self.spent >= self.next_look {
            self.look();
        }
        self.over.is_none()
    }

    /// Counts a position that a search has entered.
    #[inline]
    pub const fn count_expansion(&mut self) {
        self.expansions += 1;
        if self.expansions >= self.most_expansions {
            self.next_look = 0;
        }
    }

    /// Positions that searches have entered so far.
    pub const fn expansions(&self) -> u64 {
        self.expansions
    }

    /// Nodes counted so far.
    pub const fn spent(&self) -> u64 {
        self.spent
    }

    /// Whether the budget is spent.
    pub const fn is_over(&self) -> bool {
        self.over.is_some()
    }

    /// The limit that has ended the budget, if any.
    pub const fn ended_by(&self) -> Option<Limit> {
        self.over
    }

    /// The share of each of `threads` threads in the rest of the budget; all of them also end when the work is
    /// done.
    pub(crate) fn share<'s>(&self, threads: u64, work: &'s SharedWork) -> Share<'s>
    where
        'a: 's,
    {
        let of = |left: u64| left.div_ceil(threads.max(1));
        Share {
            nodes: of(self.nodes.saturating_sub(self.spent)),
            most_expansions: of(self.most_expansions.saturating_sub(self.expansions)),
            deadline: self.deadline,
            stop: self.stop,
            work,
        }
    }

    /// The share of the thread that reports the spending of all to this budget's callback.
    pub(crate) fn reporting_share<'s>(&'s mut self, share: Share<'s>) -> Budget<'s> {
        let report = self.report.as_mut().map(|Reporting { callback, next }| Reporting {
            callback: &mut **callback,
            next: *next,
        });
        Budget { report, ..share.budget() }
    }

    /// Counts the spending of a share.
    pub(crate) fn take(&mut self, nodes: u64, expansions: u64) {
        self.expansions += expansions;
        self.spent += nodes;
        self.look();
    }

    /// Runs a part of the work with at most this many more nodes. Afterwards the earlier limit applies again.
    pub fn slice<T>(&mut self, nodes: u64, work: impl FnOnce(&mut Self) -> T) -> T {
        let whole = self.nodes;
        self.nodes = whole.min(self.spent.saturating_add(nodes));
        self.next_look = self.spent;
        let done = work(self);
        self.nodes = whole;
        self.look();
        done
    }

    /// Runs a part of the work with at most this many more nodes and this much more time, where they are given. Afterwards
    /// the limits are again those from before.
    ///
    /// ```
    /// use shogi_mate::Budget;
    /// let mut budget = Budget::nodes(100);
    /// assert!(budget.part(Some(7), None, |budget| !budget.spend(7)));
    /// assert!(!budget.is_over() && budget.spent() == 7);
    /// ```
    pub fn part<T>(
        &mut self,
        nodes: Option<u64>,
        time: Option<Duration>,
        work: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let whole = self.deadline;
        let end = time.and_then(|time| Instant::now().checked_add(time));
        self.deadline = whole.into_iter().chain(end).min();
        let done = self.slice(nodes.unwrap_or(u64::MAX), work);
        self.deadline = whole;
        self.look();
        done
    }

    /// Like [`Budget::slice`], with a limit of expansions. The last one is completed.
    ///
    /// ```
    /// use shogi_mate::Budget;
    /// let mut budget = Budget::nodes(100);
    /// let ended = budget.slice_expansions(2, |budget| {
    ///     while !budget.is_over() {
    ///         budget.count_expansion();
    ///         budget.spend(7);
    ///     }
    ///     budget.spent()
    /// });
    /// assert_eq!((ended, budget.expansions(), budget.is_over()), (14, 2, false));
    /// ```
    pub fn slice_expansions<T>(&mut self, expansions: u64, work: impl FnOnce(&mut Self) -> T) -> T {
        let whole = self.most_expansions;
        self.most_expansions = whole.min(self.expansions.saturating_add(expansions));
        self.look();
        let done = work(self);
        self.most_expansions = whole;
        self.look();
        done
    }

    /// Takes out what a search has found after `nodes` nodes, such as the line of a mate, even if the budget is over: with at
    /// most a quarter as many nodes, and 4,096, and no other limits.
    pub fn overtime<T>(&mut self, nodes: u64, work: impl FnOnce(&mut Self) -> T) -> T {
        const LEAST: u64 = 1 << 12;
        let beyond = self.spent.saturating_add(nodes / 4 + LEAST);
        let before = (self.nodes, self.most_expansions, self.deadline, self.stop, self.work);
        (self.nodes, self.most_expansions) = (beyond, u64::MAX);
        (self.deadline, self.stop, self.work) = (None, None, None);
        self.look();
        let done = work(self);
        (self.nodes, self.most_expansions, self.deadline, self.stop, self.work) = before;
        self.look();
        done
    }

    /// Whether a report is due; the caller then collects what [`Budget::report`] needs.
    pub const fn wants_report(&self) -> bool {
        self.report_due
    }

    /// Reports the progress, if there is a callback; `hashfull` is in thousandths.
    pub fn report(&mut self, proof: u32, disproof: u32, hashfull: u32) {
        if let Some(report) = &mut self.report {
            let (nodes, expansions) = match self.work {
                Some(work) => {
                    (work.nodes.load(Ordering::Relaxed), work.expansions.load(Ordering::Relaxed))
                }
                None => (self.spent, self.expansions),
            };
            (report.callback)(SearchProgress { nodes, expansions, proof, disproof, hashfull });
            report.next = Instant::now() + REPORT;
            self.report_due = false;
        }
    }

    /// Checks the clock and the stop signal, as [`Budget::spend`] does now and then; for work that spends no
    /// nodes.
    pub fn look(&mut self) {
        let is_set =
            |flag: Option<&AtomicBool>| flag.is_some_and(|flag| flag.load(Ordering::Relaxed));
        if let Some(work) = self.work {
            let (nodes, expansions) = self.counted;
            work.nodes.fetch_add(self.spent - nodes, Ordering::Relaxed);
            work.expansions.fetch_add(self.expansions - expansions, Ordering::Relaxed);
            self.counted = (self.spent, self.expansions);
        }
        self.over = if is_set(self.stop) || is_set(self.work.map(|work| &work.is_done)) {
            Some(Limit::Stopped)
        } else if self.spent >= self.nodes || self.expansions >= self.most_expansions {
            Some(Limit::Nodes)
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some(Limit::Time)
        } else {
            None
        };
        self.report_due = self.report.as_ref().is_some_and(|report| Instant::now() >= report.next);
        self.next_look = self.spent.saturating_add(LOOK).min(self.nodes);
    }
}

impl std::fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Budget")
            .field("nodes", &self.nodes)
            .field("deadline", &self.deadline)
            .field("spent", &self.spent)
            .field("over", &self.over)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thread_reports_what_all_have_spent() {
        let mut reports = Vec::new();
        let mut report = |progress: SearchProgress| reports.push(progress);
        let mut budget = Budget::nodes(100_000).reporting_to(&mut report);
        budget.spend(1_000);
        let work = SharedWork::after(&budget);
        let share = budget.share(2, &work);
        let mut other = share.budget();
        let mut lead = budget.reporting_share(share);
        for thread in [&mut lead, &mut other] {
            for _ in 0..2 {
                thread.count_expansion();
                assert!(thread.spend(3 * LOOK));
            }
        }
        lead.report(5, 7, 9);
        // The share is half of what was left.
        assert!(!other.spend(49_500) && other.ended_by() == Some(Limit::Nodes));
        work.finish();
        lead.look();
        assert_eq!(lead.ended_by(), Some(Limit::Stopped));
        lead.report(5, 7, 9);
        let (first, last) = (1_000 + 12 * LOOK, 1_000 + 12 * LOOK + 49_500);
        assert_eq!(reports.iter().map(|report| report.nodes).collect::<Vec<_>>(), [first, last]);
        assert!(reports.iter().all(|report| (report.expansions, report.proof) == (4, 5)));
    }
}
