//! The limits of a search, and its progress.

use std::fmt::Display;
use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};

use anyhow::Result;
use indicatif::{HumanCount, MultiProgress, ProgressBar, ProgressDrawTarget};
use serde::Serialize;
use shogi_solve::{Budget, SearchProgress};
use shogi_variants::tasks::Session;

use crate::bar::{bar, spinner};
use crate::batch;
use crate::common::Common;
use crate::end::{Interrupted, Outcome};
use crate::input::PositionSource;
use crate::interrupt::Interrupt;
use crate::variant::Variant;

/// The parts of the limits that the bar distinguishes.
const STEPS: u64 = 1000;

/// The most nodes and the most time.
pub struct Limits {
    pub nodes: Option<u64>,
    pub time: Option<Duration>,
}

impl Limits {
    /// Whether so many nodes or so much time reach a limit.
    pub fn are_spent(&self, nodes: u64, time: Duration) -> bool {
        self.share(nodes, time) == Some(STEPS)
    }

    /// How much is spent, in thousandths of the limit that is nearest; `None` without a limit.
    fn share(&self, nodes: u64, time: Duration) -> Option<u64> {
        let share = |part: f64, whole: f64| {
            if part < whole { (part / whole * STEPS as f64) as u64 } else { STEPS }
        };
        let of_nodes = self.nodes.map(|limit| share(nodes as f64, limit as f64));
        let of_time = self.time.map(|limit| share(time.as_secs_f64(), limit.as_secs_f64()));
        of_nodes.max(of_time)
    }

    /// A budget for what is left after so many nodes and so much time, and at most the time `part`.
    pub fn budget<'a>(&self, nodes: u64, time: Duration, part: Option<Duration>) -> Budget<'a> {
        let budget =
            Budget::nodes(self.nodes.map_or(u64::MAX, |limit| limit.saturating_sub(nodes)));
        let left = self.time.map(|limit| limit.saturating_sub(time));
        match left.into_iter().chain(part).min() {
            Some(time) => budget.time(time),
            None => budget,
        }
    }

    /// A bar for what is spent, or a spinner where there is no limit.
    pub fn bar(&self, nodes: u64, time: Duration) -> ProgressBar {
        match self.share(nodes, time) {
            Some(done) => bar(STEPS, done, "{bar:10} {elapsed}, {left} left, {wide_msg}"),
            None => spinner("{spinner} {elapsed}, {wide_msg}"),
        }
    }

    /// Answers positions by searches within the limits, each until Ctrl-C; `things` is what they are.
    pub fn search_each<T: Serialize + Display>(
        &self,
        things: &str,
        (source, variant): (&PositionSource, Variant),
        common: &Common,
        search: impl Fn(&str, &mut Session<'_>) -> Result<T> + Sync,
    ) -> Result<Outcome> {
        let interrupt = Interrupt::listen()?;
        let bars = SearchBars::new(common.json, source);
        let outcome = batch::run_readable(source.lines(variant)?, common.json, |line| {
            bars.watch(self, |report| {
                let budget = Budget::unlimited().stopped_by(interrupt.flag()).reporting_to(report);
                let dialect = common.dialect();
                search(line, &mut Session { dialect, ..Session::new(budget) })
            })
        })?;
        if interrupt.is_set() {
            let advice = format!("{things} that were not finished are answered as unknown");
            return Err(Interrupted { advice }.into());
        }
        Ok(outcome)
    }

    /// Shows on such a bar how far a search is after so much time, where so many of its nodes were played before the bar
    /// was made.
    pub fn show(&self, bar: &ProgressBar, progress: SearchProgress, before: u64, time: Duration) {
        if let Some(share) = self.share(progress.nodes, time) {
            bar.set_position(share);
        }
        let rate = (progress.nodes - before) as f64 / bar.elapsed().as_secs_f64();
        bar.set_message(text(progress, rate));
        bar.tick();
    }
}

/// The work of a search before the budget that it has now.
#[derive(Clone, Copy)]
pub struct Done {
    pub nodes: u64,
    pub expansions: u64,
    pub elapsed: Duration,
}

impl Limits {
    /// A report that shows on a bar how far a search is that begins now, after what is done; so many nodes were played before the
    /// bar was made.
    pub fn report<'b>(
        &'b self,
        bar: &'b ProgressBar,
        before: u64,
        done: Done,
    ) -> impl FnMut(SearchProgress) + 'b {
        let started = Instant::now();
        move |progress| {
            let nodes = done.nodes + progress.nodes;
            let expansions = done.expansions + progress.expansions;
            let progress = SearchProgress { nodes, expansions, ..progress };
            self.show(bar, progress, before, done.elapsed + started.elapsed());
        }
    }
}

/// Bars for the searches of a batch that run, one each.
struct SearchBars(MultiProgress);

impl SearchBars {
    /// No search runs yet. Bars are hidden where the answers of several threads go to a terminal, since these would be
    /// printed among the bars of other searches.
    fn new(json: bool, source: &PositionSource) -> Self {
        if json && source.is_standard() && io::stdout().is_terminal() {
            return Self(MultiProgress::with_draw_target(ProgressDrawTarget::hidden()));
        }
        Self(MultiProgress::new())
    }

    /// Does a search that shows on a bar of its own what it reports.
    fn watch<T>(
        &self,
        limits: &Limits,
        search: impl FnOnce(&mut dyn FnMut(SearchProgress)) -> T,
    ) -> T {
        let start = Instant::now();
        // Most searches end before the first report, and a bar takes longer than many of them.
        let mut bar = None;
        let found = search(&mut |progress| {
            let new = || self.0.add(limits.bar(0, Duration::ZERO).with_elapsed(start.elapsed()));
            limits.show(bar.get_or_insert_with(new), progress, 0, start.elapsed());
        });
        if let Some(bar) = bar {
            bar.finish_and_clear();
            self.0.remove(&bar);
        }
        found
    }
}

/// The progress of a search in words, at so many nodes a second.
fn text(progress: SearchProgress, rate: f64) -> String {
    let SearchProgress { nodes, expansions, proof, disproof, hashfull } = progress;
    format!(
        "{} nodes, {} expansions, {} nodes/s, pn {proof}, dn {disproof}, table {:.0} % full",
        HumanCount(nodes),
        HumanCount(expansions),
        HumanCount(rate as u64),
        f64::from(hashfull) / 10.0
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearer_limit_counts() {
        let limits = Limits { nodes: Some(1_000), time: Some(Duration::from_secs(10)) };
        assert_eq!(limits.share(500, Duration::from_secs(1)), Some(500));
        assert_eq!(limits.share(100, Duration::from_secs(9)), Some(900));
        assert!(limits.are_spent(1_000, Duration::ZERO));
        assert!(!limits.are_spent(999, Duration::from_secs(9)));
        let without = Limits { nodes: None, time: None };
        assert_eq!(without.share(u64::MAX, Duration::MAX), None);
    }

    #[test]
    fn a_bar_says_how_far_a_search_is() {
        let limits = Limits { nodes: Some(2_000_000), time: None };
        let bar = limits.bar(500_000, Duration::ZERO);
        assert_eq!(bar.position(), 250);
        let progress = SearchProgress {
            nodes: 1_500_000,
            expansions: 300_000,
            proof: 23,
            disproof: 1412,
            hashfull: 340,
        };
        limits.show(&bar, progress, 500_000, Duration::ZERO);
        assert_eq!(bar.position(), 750);
        assert!(bar.message().starts_with("1,500,000 nodes, 300,000 expansions, "));
        assert!(bar.message().ends_with(" nodes/s, pn 23, dn 1412, table 34 % full"));
    }
}
