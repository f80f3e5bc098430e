//! The answers about tablebases.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use shogi_rules::Verdict;
use shogi_tablebase::Totals;

/// How a tablebase is made, and what that takes, for [`TablebaseTasks::making`](super::TablebaseTasks::making).
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct TablebaseMaking {
    /// The command.
    pub command: String,
    /// The usual name of the file.
    pub file: String,
    /// Seconds, disk space and memory are those of Dobutsu shogi's 167 million positions on two cores (40 s, 56 MB, 168 MB), in
    /// proportion; where other games differ, it is by less than two to one.
    pub seconds: f64,
    /// Megabytes of the file.
    pub megabytes: f64,
    /// Megabytes of memory meanwhile.
    pub memory_megabytes: f64,
}

impl TablebaseMaking {
    pub(crate) fn new(variant: &str, set: &str, file: String, positions: u64) -> Self {
        let only = file.strip_suffix(".tablebase") == Some(variant);
        let class = if only { String::new() } else { format!(" --class {set}") };
        let command = format!("shogi tablebase build {variant}{class} --out {file}");
        let millions = positions as f64 / 1e6;
        let [seconds, megabytes, memory_megabytes] =
            [0.24, 0.335, 1.0].map(|each| (each * millions).max(1.0).round());
        Self { command, file, seconds, megabytes, memory_megabytes }
    }
}

impl fmt::Display for TablebaseMaking {
    /// Writes the command with the time, disk space and memory it takes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { command, seconds, megabytes, memory_megabytes, .. } = self;
        write!(
            f,
            "{command} (about {seconds} s, {megabytes} MB, {memory_megabytes} MB of memory meanwhile)"
        )
    }
}

/// The value of a position with its moves, for [`AnyTablebase::probe`](super::AnyTablebase::probe).
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Probed {
    /// The value for the player to move.
    pub value: Verdict,
    /// The plies to the end; `None` for draws and where plies are not stored.
    pub plies: Option<u32>,
    /// The moves, the best first; none at an end.
    pub moves: Vec<ProbedMove>,
}

/// A move with the value that it leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct ProbedMove {
    /// The move in USI notation.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub mv: String,
    /// The value for the player who makes it.
    pub value: Verdict,
    /// The plies to the end, the move included.
    pub plies: Option<u32>,
}

/// How many positions have each value, for [`AnyTablebase::summary`](super::AnyTablebase::summary).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TablebaseSummary {
    /// The set of pieces, such as `P2G4K2`.
    pub pieces: String,
    /// The totals.
    pub totals: Totals,
    /// The values of the starts by name.
    pub starts: Vec<(String, StartValue)>,
}

/// The value of a start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct StartValue {
    /// The value for Sente, who is to move.
    pub value: Verdict,
    /// The plies to the end.
    pub plies: Option<u32>,
}
