//! What a caller's numbers may be: every count has bounds, and the error names them.

use std::ops::RangeInclusive;
use std::time::Duration;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use shogi_variants::search::{MAX_LINES, MAX_THREADS};

use crate::error::{out_of_range, value_error};

/// The most ranks that one call draws where they fit in 64 bits: 2 GiB of them.
pub const MOST_SAMPLES: u64 = 1 << 28;
/// The most ranks that one call draws where each is a whole number of Python, of about a hundred bytes.
pub const MOST_WIDE_SAMPLES: u64 = 1 << 24;
/// The most megabytes of a table: a tebibyte.
const MOST_MEGABYTES: u64 = 1 << 20;

/// Defines for each argument how it is read: as a whole number within its bounds, or `None` where it may be.
macro_rules! counts {
    ($($(#[$doc:meta])* $name:ident($argument:literal): $type:ty = $range:expr;)*) => {
        $(
            $(#[$doc])*
            pub fn $name(value: &Bound<'_, PyAny>) -> PyResult<$type> {
                within(value, $argument, $range)
            }
        )*
    };
}
macro_rules! optional_counts {
    ($($(#[$doc:meta])* $name:ident($argument:literal): $type:ty = $range:expr;)*) => {
        $(
            $(#[$doc])*
            pub fn $name(value: &Bound<'_, PyAny>) -> PyResult<Option<$type>> {
                if value.is_none() {
                    return Ok(None);
                }
                within(value, $argument, $range).map(Some)
            }
        )*
    };
}

counts! {
    /// Plies of sequences of moves: what is counted by recursion goes no deeper.
    plies("depth"): u8 = 0..=255;
    /// Games side by side.
    boards("boards"): usize = 1..=1 << 16;
    /// Plies after which a game is broken off.
    game_plies("max_plies"): u32 = 1..=u16::MAX.into();
    /// Random moves that begin a game.
    random_plies("random_plies"): u32 = 0..=u16::MAX.into();
    /// The seed of random numbers.
    seed("seed"): u64 = 0..=u64::MAX;
    /// The number of the first sample.
    first("first"): u64 = 0..=u64::MAX;
    /// Samples of an estimate.
    samples("samples"): u64 = 1..=u64::MAX;
    /// Megabytes of a table.
    hash_mb("hash_mb"): u32 = 1..=MOST_MEGABYTES;
    /// Threads of a player.
    threads("threads"): usize = 1..=MAX_THREADS as u64;
    /// Threads that search for a mate together.
    together("together"): usize = 1..=shogi_variants::tasks::MAX_THREADS;
    /// Positions of a game that is looked at as a whole.
    small_game("small_game"): u32 = 0..=u32::MAX.into();
    /// First moves that a player looks for.
    lines("lines"): usize = 1..=MAX_LINES as u64;
    /// Positions that a backward search keeps.
    max_positions("max_positions"): usize = 0..=u32::MAX.into();
    /// Plies of a line.
    max_plies("max_plies"): u32 = 0..=u16::MAX.into();
    /// Games of a report.
    games("games"): u32 = 1..=1_000_000;
    /// Nodes for each move of the games of a report.
    move_nodes("move_nodes"): u64 = 1..=u64::MAX;
    /// Random moves that the games of a report begin with.
    opening("opening"): u32 = 0..=400;
    /// Moves played for the value in a report.
    value_nodes("nodes"): u64 = 0..=u64::MAX;
    /// Positions of a small game that a report lists.
    listed("positions"): u32 = 0..=u32::MAX.into();
}
optional_counts! {
    /// Positions of a tablebase that are checked; `None` stands for all.
    checked_positions("samples"): u64 = 0..=u64::MAX;
    /// Moves played in a search.
    nodes("nodes"): u64 = 0..=u64::MAX;
    /// The depth of a search in plies.
    depth("depth"): u32 = 0..=u32::MAX.into();
    /// Megabytes that a build may take.
    memory_mb("memory_mb"): u64 = 0..=MOST_MEGABYTES;
}

/// The value of the argument `name`: a whole number within a range.
pub fn within<T: TryFrom<u64>>(
    value: &Bound<'_, PyAny>,
    name: &'static str,
    range: RangeInclusive<u64>,
) -> PyResult<T> {
    let number = match value.extract::<u64>() {
        Err(error) if error.is_instance_of::<PyTypeError>(value.py()) => return Err(error),
        number => number.ok().filter(|number| range.contains(number)),
    };
    let number = number.and_then(|number| T::try_from(number).ok());
    number.ok_or_else(|| out_of_range(name, value, &range))
}

/// A time in seconds.
pub fn time(seconds: Option<f64>) -> PyResult<Option<Duration>> {
    let time = seconds.map(Duration::try_from_secs_f64).transpose();
    time.map_err(|error| value_error(format!("seconds: {}: {error}", seconds.unwrap_or_default())))
}
