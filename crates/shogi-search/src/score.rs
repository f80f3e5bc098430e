//! Scores: hundredths of a pawn, or a number of plies to the end.

use std::fmt;

/// The most plies from the root.
pub(crate) const MAX_PLY: usize = 128;

/// The score of a win at the root; with n plies to go a win is worth n less.
pub(crate) const WIN: i32 = 30_000;
/// Scores from here on are wins in a known number of plies.
pub(crate) const MIN_WIN: i32 = WIN - 2 * MAX_PLY as i32;
/// The score of a game decided by a rule on repetition. It depends on the history, so it is worth less than any
/// mate and more than any evaluation.
pub(crate) const WIN_BY_REPETITION: i32 = 25_000;
/// The score of a win of unknown length, more than any evaluation.
pub(crate) const KNOWN_WIN: i32 = 24_000;
/// Evaluations are kept within this bound.
pub(crate) const MAX_EVAL: i32 = 20_000;
/// Above every score.
pub(crate) const INFINITE: i32 = 32_000;

/// The value of a position for the player to move.
///
/// ```
/// use shogi_search::Score;
/// assert_eq!(Score::Value(-35).to_string(), "-0.35");
/// assert_eq!(Score::WinIn(5).to_string(), "win in 5");
/// assert!(Score::LossIn(2) < Score::LossIn(8) && Score::Value(0) < Score::WinIn(99));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// An evaluation in hundredths of a pawn.
    Value(i32),
    /// The player to move wins in this many plies at most.
    WinIn(u32),
    /// The player to move loses in this many plies at the latest.
    LossIn(u32),
}

impl Score {
    /// Orders of at least this magnitude are wins and losses that a search has found, in a number of plies or
    /// by repetition.
    pub const DECIDED: i32 = WIN_BY_REPETITION;

    /// The score with an [order](Self::order), which is the number that the search works with.
    pub const fn from_search(value: i32) -> Self {
        if value >= MIN_WIN {
            Self::WinIn((WIN - value) as u32)
        } else if value <= -MIN_WIN {
            Self::LossIn((WIN + value) as u32)
        } else {
            Self::Value(value)
        }
    }

    /// A number that orders scores: larger is better for the player to move.
    ///
    /// ```
    /// use shogi_search::Score;
    /// assert!(Score::WinIn(1).order() > Score::WinIn(3).order());
    /// ```
    pub const fn order(self) -> i32 {
        match self {
            Self::Value(value) => value,
            Self::WinIn(plies) => WIN - plies as i32,
            Self::LossIn(plies) => plies as i32 - WIN,
        }
    }
}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Score {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.order().cmp(&other.order())
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(value) => write!(f, "{:.2}", f64::from(*value) / 100.0),
            Self::WinIn(plies) => write!(f, "win in {plies}"),
            Self::LossIn(plies) => write!(f, "loss in {plies}"),
        }
    }
}
