//! Questions about a line of text (a position, a problem), each said once for every program: a request with its settings,
//! an answer, and one generic function.
//!
//! A request is read from JSON or, with the feature `clap`, from the command line; an answer is shown to people and
//! written as JSON. A new setting is a field of the request and reaches every program from there.

#[cfg(feature = "clap")]
pub mod amount;
pub mod choice;
#[cfg(feature = "reach")]
mod classify;
#[cfg(feature = "record")]
mod convert;
#[cfg(feature = "rank")]
mod count;
#[cfg(all(feature = "reach", feature = "tablebase", feature = "text"))]
mod estimate;
#[cfg(all(feature = "rank", feature = "search"))]
mod explain;
mod mate;
#[cfg(feature = "rank")]
mod numbers;
#[cfg(feature = "parallel")]
mod perft;
mod positions;
#[cfg(all(feature = "rank", feature = "tablebase"))]
mod probe;
mod puzzle;
pub mod read;
#[cfg(all(feature = "learn", feature = "reach", feature = "tablebase", feature = "text"))]
pub mod report;
mod solve;
#[cfg(feature = "rank")]
mod tables;
mod tsume;
#[cfg(feature = "search")]
mod turn;

use std::format;
use std::string::{String, ToString as _};

use shogi_rules::Dialect;
use shogi_solve::Budget;

#[cfg(feature = "reach")]
pub use classify::{ClassifyTask, DrawTask};
#[cfg(feature = "record")]
pub use convert::ConvertTask;
#[cfg(feature = "rank")]
pub use count::{CountTask, Counted, Mirror, StageCounts};
#[cfg(all(feature = "reach", feature = "tablebase", feature = "text"))]
pub use estimate::{EstimateTask, Estimated, Listed};
#[cfg(all(feature = "rank", feature = "search"))]
pub use explain::ExplainTask;
pub use mate::{Mate, MateTask, OtherMate, OtherMates, Refuted, Replies};
#[cfg(feature = "rank")]
pub use numbers::{NumberedBy, Orders, OrdersTask, RankTask, UnrankTask};
#[cfg(feature = "parallel")]
pub use perft::{Perft, PerftTask};
#[cfg(feature = "record")]
pub use positions::{DiagramTask, NotateTask};
pub use positions::{MovesTask, RetractTask, StartTask, UnmovesTask};
#[cfg(all(feature = "rank", feature = "tablebase"))]
pub use probe::ProbeTask;
#[cfg(all(feature = "rank", feature = "tablebase", feature = "text"))]
pub use probe::{Known, KnownTask};
pub use puzzle::{Glicko, Puzzle};
#[cfg(all(feature = "learn", feature = "reach", feature = "tablebase", feature = "text"))]
pub use report::{Report, ReportTask};
pub use solve::{OpenGoal, PrintedProof, Refutation, Solution, SolveTask};
#[cfg(feature = "rank")]
pub use tables::Tables;
pub use tsume::{Attempt, Problem, TsumeTask, UselessMoves};
#[cfg(feature = "search")]
pub use turn::{ChooseTask, Chosen, HintScore, HintTask, Hinted, TurnClock};

pub(crate) use mate::{mate_problem, written};

use crate::{Error, Variant};

/// Most threads that search together.
pub const MAX_THREADS: u64 = 256;

/// The answer of a task, or why there is none.
pub type Answer<T> = Result<T, Error>;

/// A question about lines of text.
pub trait Task {
    /// Its name: the verb of the program, and the question of the explorer.
    const NAME: &'static str;
    /// The answer.
    type Answer: serde::Serialize;

    /// Makes what the answers about all lines need and the session keeps, so that it is known before the first line whether
    /// it is there for the variant.
    ///
    /// # Errors
    ///
    /// If it is not.
    fn prepare(&self, _variant: Variant, _session: &Session<'_>) -> Result<(), Error> {
        Ok(())
    }

    /// Answers the question about a line, by the rules of a variant.
    ///
    /// # Errors
    ///
    /// If the line is not what the question is about, or the session does not have what the answer takes.
    fn answer(
        &self,
        variant: Variant,
        line: &str,
        session: &mut Session<'_>,
    ) -> Answer<Self::Answer>;
}

/// The limits of an answer, and how it is written.
#[derive(Debug)]
pub struct Session<'a> {
    /// The limits of a search, its stop signal, and its report.
    pub budget: Budget<'a>,
    /// Whose notation moves and positions are written in; `None` for the variant's own.
    pub dialect: Option<Dialect>,
    /// Megabytes of each limit on memory that the program takes beside the tables.
    pub program_megabytes: u32,
    /// Tables that other sessions use, too.
    #[cfg(feature = "rank")]
    pub tables: std::sync::Arc<Tables>,
}

impl<'a> Session<'a> {
    /// A session with this budget, the variant's own notation, all memory for tables, and none made.
    #[cfg_attr(
        not(feature = "rank"),
        expect(clippy::missing_const_for_fn, reason = "tables are allocated")
    )]
    pub fn new(budget: Budget<'a>) -> Self {
        Self {
            budget,
            dialect: None,
            program_megabytes: 0,
            #[cfg(feature = "rank")]
            tables: std::sync::Arc::default(),
        }
    }

    /// Bytes of tables where the whole program is to take so many megabytes; at least a quarter of them, where the program
    /// alone takes more.
    pub fn table_bytes(&self, megabytes: u32) -> usize {
        let bytes = |megabytes: u32, shift| (megabytes as usize).saturating_mul(1_usize << shift);
        bytes(megabytes.saturating_sub(self.program_megabytes), 20).max(bytes(megabytes, 18))
    }
}

/// So many things, in the singular or the plural.
fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// A number with commas between groups of three digits, as people read it.
fn grouped(number: u64) -> String {
    grouped_digits(&number.to_string())
}

/// A number in decimal digits, which may be a large one, with such commas.
fn grouped_digits(digits: &str) -> String {
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
