//! What a file says of itself.

use serde::{Deserialize, Serialize};
use shogi_rules::{Verdict, rules_hash};

use crate::container::Layout;
use crate::error::FileReason;
use crate::pieces::PieceSet;
use crate::value::{Counts, Value};
use crate::world::World;

/// The name of the numbering; see [`Index`](crate::Index).
const INDEX: &str = "kings, squares, hands";

/// What is stored of each position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stored {
    /// The verdict and the plies, in a byte.
    Plies,
    /// The verdict alone, in two bits.
    Verdict,
}

impl Stored {
    /// How many positions are in a byte.
    pub(crate) const fn positions(self) -> u64 {
        match self {
            Self::Plies => 1,
            Self::Verdict => 4,
        }
    }
}

/// How many positions have each value.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Totals {
    /// Positions won for the player to move.
    pub win: u64,
    /// Positions lost for the player to move.
    pub loss: u64,
    /// Positions drawn.
    pub draw: u64,
    /// The most plies of a win or loss.
    pub longest: u32,
}

impl Totals {
    /// These and one position more.
    pub(crate) fn with(mut self, value: Value) -> Self {
        match value.verdict {
            Verdict::Win => self.win += 1,
            Verdict::Loss => self.loss += 1,
            Verdict::Draw => self.draw += 1,
        }
        self.longest = self.longest.max(value.plies.unwrap_or(0));
        self
    }

    /// The sums of two, and the longest of both.
    pub(crate) fn merged(self, other: &Self) -> Self {
        Self {
            win: self.win + other.win,
            loss: self.loss + other.loss,
            draw: self.draw + other.draw,
            longest: self.longest.max(other.longest),
        }
    }

    /// Number of positions.
    pub const fn positions(&self) -> u64 {
        self.win + self.loss + self.draw
    }
}

/// How far a build has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Stage {
    /// The plies that are being gone through; absent while the moves are being counted.
    pub(crate) plies: Option<u32>,
    /// The first block that is not done, of the index or of the list of positions.
    pub(crate) block: u64,
    /// Positions resolved in this pass so far.
    pub(crate) resolved: u64,
    /// How moves are counted; absent in older files, in which counts may be too low.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) counts: Option<Counts>,
}

/// The header of a tablebase or of a checkpoint.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Header {
    pub(crate) variant: String,
    /// BLAKE3 of the rules, hexadecimal.
    pub(crate) rules: String,
    pub(crate) pieces: String,
    pub(crate) index: String,
    /// Numbers of the index.
    pub(crate) numbers: u64,
    pub(crate) stored: Stored,
    /// Bytes in a block before compression.
    pub(crate) block: u32,
    /// How many positions have more plies than a byte holds; these follow the bytes of their block.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) deep: u64,
    /// In a tablebase, how many positions have each value, mirror images folded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) totals: Option<Totals>,
    /// In a checkpoint, how far it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stage: Option<Stage>,
}

impl Header {
    pub(crate) fn new<R: World>(
        set: &PieceSet<R>,
        numbers: u64,
        stored: Stored,
        block: u32,
    ) -> Self {
        Self {
            variant: R::NAME.to_owned(),
            rules: blake3::Hash::from_bytes(rules_hash::<R>()).to_hex().to_string(),
            pieces: set.to_string(),
            index: INDEX.to_owned(),
            numbers,
            stored,
            block,
            deep: 0,
            totals: None,
            stage: None,
        }
    }

    pub(crate) fn layout(&self) -> Layout {
        Layout {
            size: self.numbers.div_ceil(self.stored.positions()),
            block: self.block,
            has_deep: self.deep > 0,
        }
    }

    /// Whether the file is of these rules and its set one of theirs, which it gives.
    pub(crate) fn set<R: World>(&self) -> Result<PieceSet<R>, FileReason> {
        let own = Self::new(&PieceSet::<R>::full(), self.numbers, self.stored, self.block);
        same("variant", &self.variant, &own.variant)?;
        same("hash of the rules", &self.rules, &own.rules)?;
        same("index", &self.index, &own.index)?;
        let set = PieceSet::parse(&self.pieces);
        set.ok_or_else(|| different("set of pieces", &self.pieces, "a set of the variant"))
    }
}

/// Whether a number is left out of a header, as it was before there was a place for it.
fn is_zero(number: &u64) -> bool {
    *number == 0
}

fn same(field: &'static str, found: &str, expected: &str) -> Result<(), FileReason> {
    if found == expected { Ok(()) } else { Err(different(field, found, expected)) }
}

/// The error for a file that differs from what was asked for.
pub(crate) fn different(field: &'static str, found: &str, expected: &str) -> FileReason {
    FileReason::Different { field, found: found.to_owned(), expected: expected.to_owned() }
}
