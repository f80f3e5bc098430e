//! How long a search may take, and what it tells meanwhile.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a search may spend before it has to say that it does not know.
///
/// ```
/// use shogi_solve::Budget;
/// let mut budget = Budget::nodes(1_000);
/// assert!(budget.spend(999) && !budget.spend(1));
/// assert_eq!(budget.spent(), 1_000);
/// ```
pub struct Budget<'a> {
    nodes: u64,
    deadline: Option<Instant>,
    stop: Option<&'a AtomicBool>,
    report: Option<Report<'a>>,
    spent: u64,
    /// When the clock, the flag and the report are looked at next.
    next_look: u64,
    over: bool,
    report_due: bool,
}

/// Somebody who wants to know how a search is going, and how often.
struct Report<'a> {
    tell: &'a mut dyn FnMut(Progress),
    next: Instant,
}

/// How far a search has come.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// Nodes since the budget was made.
    pub nodes: u64,
    /// Proof number of the root.
    pub proof: u32,
    /// Disproof number of the root.
    pub disproof: u32,
    /// How full the table is, from 0 to 1.
    pub fill: f64,
}

/// Nodes between two looks at the clock.
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
            report: None,
            spent: 0,
            next_look: 0,
            over: false,
            report_due: false,
        }
    }

    /// Also at most this much time from now.
    #[must_use]
    pub fn time(mut self, time: Duration) -> Self {
        self.deadline = Instant::now().checked_add(time);
        self
    }

    /// Also until somebody sets the flag.
    #[must_use]
    pub const fn stopped_by(mut self, flag: &'a AtomicBool) -> Self {
        self.stop = Some(flag);
        self
    }

    /// Tells of the progress twice a second.
    #[must_use]
    pub fn reporting_to(mut self, tell: &'a mut dyn FnMut(Progress)) -> Self {
        self.report = Some(Report { tell, next: Instant::now() + REPORT });
        self
    }

    /// Counts nodes; whether the search may go on.
    #[inline]
    pub fn spend(&mut self, nodes: u64) -> bool {
        self.spent += nodes;
        if self.spent >= self.next_look {
            self.look();
        }
        !self.over
    }

    /// Nodes counted so far.
    pub const fn spent(&self) -> u64 {
        self.spent
    }

    /// Whether nothing is left.
    pub const fn is_over(&self) -> bool {
        self.over
    }

    /// Lets at most this many more nodes through, runs a part of the work, and takes the narrower
    /// limit away again.
    pub fn slice<T>(&mut self, nodes: u64, work: impl FnOnce(&mut Self) -> T) -> T {
        let whole = self.nodes;
        self.nodes = whole.min(self.spent.saturating_add(nodes));
        self.next_look = self.spent;
        let done = work(self);
        self.nodes = whole;
        self.over = false;
        self.look();
        done
    }

    /// Whether a report is due; the caller then collects what [`Budget::tell`] needs.
    pub const fn wants_report(&self) -> bool {
        self.report_due
    }

    /// Tells of the progress, if anybody listens.
    pub fn tell(&mut self, proof: u32, disproof: u32, fill: f64) {
        if let Some(report) = &mut self.report {
            (report.tell)(Progress { nodes: self.spent, proof, disproof, fill });
            report.next = Instant::now() + REPORT;
            self.report_due = false;
        }
    }

    fn look(&mut self) {
        self.over = self.spent >= self.nodes
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
            || self.stop.is_some_and(|flag| flag.load(Ordering::Relaxed));
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
