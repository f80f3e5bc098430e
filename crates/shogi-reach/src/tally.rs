//! Counts of the stages at which candidates drop out.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The stage at which a candidate drops out of the funnel, or that it is reachable.
///
/// Each stage examines only candidates that pass the stages before it, in the order of this list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stage {
    /// The mirror image is the smaller of the two and represents both.
    Flip,
    /// Two unpromoted pawns of a player on a file, or a piece that can never move.
    Pawn,
    /// The player not to move is in check.
    King,
    /// No game leads here.
    Unreachable {
        /// Plies backwards until nothing new is found.
        plies: u32,
    },
    /// A game leads here.
    Ok,
    /// Undecided within the limits.
    Unknown,
}

impl Stage {
    /// `flip`, `pawn`, `king`, `unreachable`, `ok` or `unknown`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Flip => "flip",
            Self::Pawn => "pawn",
            Self::King => "king",
            Self::Unreachable { .. } => "unreachable",
            Self::Ok => "ok",
            Self::Unknown => "unknown",
        }
    }

    /// Whether a game leads to the position, if the stage decides it; [`Stage::Flip`] does not.
    ///
    /// ```
    /// use shogi_reach::Stage;
    /// assert_eq!(Stage::Ok.is_reachable(), Some(true));
    /// assert_eq!(Stage::Unreachable { plies: 2 }.is_reachable(), Some(false));
    /// assert_eq!(Stage::Flip.is_reachable(), None);
    /// ```
    pub const fn is_reachable(self) -> Option<bool> {
        match self {
            Self::Ok => Some(true),
            Self::Pawn | Self::King | Self::Unreachable { .. } => Some(false),
            Self::Flip | Self::Unknown => None,
        }
    }

    /// Plies backwards from an unreachable position until nothing new is found.
    pub const fn plies(self) -> Option<u32> {
        match self {
            Self::Unreachable { plies } => Some(plies),
            _ => None,
        }
    }
}

/// Numbers of samples that dropped out at each stage.
///
/// Tallies of disjoint samples are added by [`StageTally::merge`], in any order and grouping.
///
/// ```
/// use shogi_reach::{Stage, StageTally};
/// let mut tally = StageTally::default();
/// for stage in [Stage::Ok, Stage::King, Stage::Unreachable { plies: 2 }, Stage::Ok] {
///     tally.record(stage);
/// }
/// assert_eq!((tally.samples, tally.after_pawn(), tally.after_king(), tally.ok), (4, 4, 3, 2));
/// assert_eq!(tally.unreachable[&2], 1);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StageTally {
    /// Samples recorded.
    pub samples: u64,
    /// Dropped as the larger of two mirror images.
    pub flip: u64,
    /// Dropped for nifu or immobile pieces.
    pub pawn: u64,
    /// Dropped because the player not to move is in check.
    pub king: u64,
    /// Unreachable, by the plies backwards until nothing new is found.
    pub unreachable: BTreeMap<u32, u64>,
    /// Reachable.
    pub ok: u64,
    /// Undecided.
    pub unknown: u64,
}

impl StageTally {
    /// Counts one sample.
    #[inline]
    pub fn record(&mut self, stage: Stage) {
        self.samples += 1;
        match stage {
            Stage::Flip => self.flip += 1,
            Stage::Pawn => self.pawn += 1,
            Stage::King => self.king += 1,
            Stage::Unreachable { plies } => self.add_unreachable(plies, 1),
            Stage::Ok => self.ok += 1,
            Stage::Unknown => self.unknown += 1,
        }
    }

    /// Adds the counts of other samples.
    pub fn merge(&mut self, other: &Self) {
        self.samples += other.samples;
        self.flip += other.flip;
        self.pawn += other.pawn;
        self.king += other.king;
        for (&plies, &count) in &other.unreachable {
            self.add_unreachable(plies, count);
        }
        self.ok += other.ok;
        self.unknown += other.unknown;
    }

    fn add_unreachable(&mut self, plies: u32, count: u64) {
        *self.unreachable.entry(plies).or_default() += count;
    }

    /// Samples left after the flip stage.
    pub const fn after_flip(&self) -> u64 {
        self.samples.saturating_sub(self.flip)
    }

    /// Samples left after the flip and pawn stages.
    pub const fn after_pawn(&self) -> u64 {
        self.after_flip().saturating_sub(self.pawn)
    }

    /// Samples left after the flip, pawn and king stages: those that the reach stage decides.
    pub const fn after_king(&self) -> u64 {
        self.after_pawn().saturating_sub(self.king)
    }

    /// Whether every sample is in exactly one count, and no count of unreachable ones is zero.
    pub fn is_consistent(&self) -> bool {
        let unreachable = self.unreachable.values().copied();
        let parts = [self.flip, self.pawn, self.king, self.ok, self.unknown];
        let sum = parts.into_iter().chain(unreachable).try_fold(0u64, u64::checked_add);
        sum == Some(self.samples) && self.unreachable.values().all(|&count| count > 0)
    }
}
