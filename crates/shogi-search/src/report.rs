//! The reports and the result of a search.

use std::time::Duration;

use shogi_core::Move;
use shogi_rules::Rules;

use crate::score::Score;

/// An action of the player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action<R: Rules> {
    /// It makes a move.
    Play(Move<R>),
    /// It declares a win by the impasse rule.
    Declare,
    /// It resigns, since there is nothing to play.
    Resign,
}

/// The result of a search: the action and the expected line.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct BestLine<R: Rules> {
    /// The action.
    pub action: Action<R>,
    /// The expected reply.
    pub ponder: Option<Move<R>>,
    /// The score of the position.
    pub score: Score,
    /// The depth of the last completed iteration.
    pub depth: u32,
    /// The expected line, beginning with the move.
    pub line: Vec<Move<R>>,
    /// Positions visited, all threads together.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

impl<R: Rules> BestLine<R> {
    /// Resigns without a search.
    pub(crate) fn resignation() -> Self {
        Self::without_search(Action::Resign, Score::LossIn(0))
    }

    /// Declares a win without a search.
    pub(crate) fn declaration() -> Self {
        Self::without_search(Action::Declare, Score::WinIn(0))
    }

    fn without_search(action: Action<R>, score: Score) -> Self {
        let (ponder, line, time) = (None, Vec::new(), Duration::ZERO);
        Self { action, ponder, score, depth: 0, line, nodes: 0, time }
    }

    /// Plays the line of a report.
    pub(crate) fn of(report: SearchReport<R>) -> Self {
        let SearchReport { score, depth, line, nodes, time, .. } = report;
        let action = line.first().map_or(Action::Resign, |&mv| Action::Play(mv));
        Self { action, ponder: line.get(1).copied(), score, depth, line, nodes, time }
    }
}

/// A report during a search: a line with its score.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct SearchReport<R: Rules> {
    /// The depth of the iteration.
    pub depth: u32,
    /// The longest line searched.
    pub selective_depth: u32,
    /// The number of the line, from 1.
    pub line_number: usize,
    /// The score of the position if this line is played.
    pub score: Score,
    /// Positions visited so far.
    pub nodes: u64,
    /// Time taken so far.
    pub time: Duration,
    /// The use of the transposition table, in thousandths.
    pub hashfull: u32,
    /// The line.
    pub line: Vec<Move<R>>,
}

/// Passes reports on to the caller of a search.
pub(crate) struct Reporter<'r, R: Rules> {
    report: &'r mut dyn FnMut(&SearchReport<R>),
    /// Whether the position is known to be drawn, so that scores only measure the chances.
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
