//! The lines that begin with `info` and report a line of play.

use std::fmt;
use std::time::Duration;

use shogi_rules::Rules;

use crate::report::SearchReport;
use crate::score::Score;

/// The content of a report line.
pub(super) struct Info<'m> {
    depth: u32,
    selective_depth: u32,
    /// The number of the line of play, if there are several.
    line_number: Option<usize>,
    score: Score,
    nodes: u64,
    time: Duration,
    hashfull: u32,
    /// The line of play in USI notation.
    moves: &'m [String],
}

impl<'m> Info<'m> {
    /// A report of the player, numbered if there are several lines, with its moves in USI notation.
    pub(super) fn new<R: Rules>(
        report: &SearchReport<R>,
        numbered: bool,
        moves: &'m [String],
    ) -> Self {
        let &SearchReport { depth, selective_depth, score, nodes, time, hashfull, .. } = report;
        let line_number = numbered.then_some(report.line_number);
        Self { depth, selective_depth, line_number, score, nodes, time, hashfull, moves }
    }
}

impl fmt::Display for Info<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { depth, selective_depth, nodes, time, hashfull, .. } = self;
        write!(f, "info depth {depth} seldepth {selective_depth}")?;
        if let Some(number) = self.line_number {
            write!(f, " multipv {number}")?;
        }
        match self.score {
            Score::Value(value) => write!(f, " score cp {value}")?,
            Score::WinIn(plies) => write!(f, " score mate {plies}")?,
            Score::LossIn(plies) => write!(f, " score mate -{plies}")?,
        }
        let nodes_per_second = *nodes as f64 / time.as_secs_f64().max(1e-6);
        write!(f, " nodes {nodes} nps {nodes_per_second:.0}")?;
        write!(f, " time {} hashfull {hashfull} pv", time.as_millis())?;
        self.moves.iter().try_for_each(|mv| write!(f, " {mv}"))
    }
}
