//! What a search reports, and what comes out of it.

use std::time::Duration;

use shogi_core::Move;
use shogi_rules::Rules;

use crate::score::Score;

/// What the player does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action<R: Rules> {
    /// It makes a move.
    Play(Move<R>),
    /// It declares a win by the impasse rule.
    Declare,
    /// There is nothing to play.
    Resign,
}

/// The result of a search: what to do, and the line that is expected.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct BestLine<R: Rules> {
    /// What to do.
    pub action: Action<R>,
    /// The reply that is expected.
    pub ponder: Option<Move<R>>,
    /// How good the position is.
    pub score: Score,
    /// The depth of the last iteration that was completed.
    pub depth: u32,
    /// The line that is expected, beginning with the move.
    pub line: Vec<Move<R>>,
    /// Positions visited, all threads together.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

impl<R: Rules> BestLine<R> {
    /// To resign, without a search.
    pub(crate) fn resignation() -> Self {
        Self::without_search(Action::Resign, Score::LossIn(0))
    }

    /// To declare a win, without a search.
    pub(crate) fn declaration() -> Self {
        Self::without_search(Action::Declare, Score::WinIn(0))
    }

    fn without_search(action: Action<R>, score: Score) -> Self {
        let (ponder, line, time) = (None, Vec::new(), Duration::ZERO);
        Self { action, ponder, score, depth: 0, line, nodes: 0, time }
    }

    /// The line of a report, to be played.
    pub(crate) fn of(report: SearchReport<R>) -> Self {
        let SearchReport { score, depth, line, nodes, time, .. } = report;
        let action = line.first().map_or(Action::Resign, |&mv| Action::Play(mv));
        Self { action, ponder: line.get(1).copied(), score, depth, line, nodes, time }
    }
}

/// What the player reports during a search: a line with what was found of it.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct SearchReport<R: Rules> {
    /// The depth of the iteration.
    pub depth: u32,
    /// The longest line searched.
    pub selective_depth: u32,
    /// The number of the line among those that are searched for, from 1.
    pub line_number: usize,
    /// How good the position is if this line is played.
    pub score: Score,
    /// Positions visited so far.
    pub nodes: u64,
    /// Time taken so far.
    pub time: Duration,
    /// How full the transposition table is, in thousandths.
    pub hashfull: u32,
    /// The line.
    pub line: Vec<Move<R>>,
}

/// Passes reports on to the caller of a search.
pub(crate) struct Reporter<'r, R: Rules> {
    report: &'r mut dyn FnMut(&SearchReport<R>),
    /// Whether the position is known to be drawn: scores of the search say only how good the chances are.
    pub(crate) is_drawn: bool,
    /// The first move of the best line as it was last reported.
    pub(crate) best: Option<Move<R>>,
}

impl<'r, R: Rules> Reporter<'r, R> {
    pub(crate) fn new(report: &'r mut dyn FnMut(&SearchReport<R>)) -> Self {
        Self { report, is_drawn: false, best: None }
    }

    /// Reports a line.
    pub(crate) fn report(&mut self, report: &SearchReport<R>) {
        if report.line_number == 1 {
            self.best = report.line.first().copied();
        }
        if self.is_drawn {
            (self.report)(&SearchReport { score: Score::Value(0), ..report.clone() });
        } else {
            (self.report)(report);
        }
    }
}
