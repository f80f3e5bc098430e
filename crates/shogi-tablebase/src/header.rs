//! The headers of files.

use std::fmt;

use serde::{Deserialize, Serialize};
use shogi_rules::{Verdict, hash_digits, rules_hash};

use crate::container::Layout;
use crate::error::FileReason;
use crate::pieces::PieceSet;
use crate::value::{Counts, Value};
use crate::work::{CHECKPOINT_BLOCK, FILE_BLOCK};
use crate::world::World;

/// The name of the numbering; see [`Index`](crate::Index).
const INDEX: &str = "kings, squares, hands";

/// The stored part of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stored {
    /// The verdict and the plies, in a byte.
    Plies,
    /// The verdict alone, in two bits.
    Verdict,
}

impl Stored {
    /// Number of positions in a byte.
    pub(crate) const fn positions(self) -> u64 {
        match self {
            Self::Plies => 1,
            Self::Verdict => 4,
        }
    }
}

/// Numbers of positions by value.
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

impl fmt::Display for Totals {
    /// Writes the totals for people.
    ///
    /// ```
    /// use shogi_tablebase::Totals;
    /// let totals = Totals { win: 40, loss: 2, draw: 2, longest: 1 };
    /// assert_eq!(totals.to_string(), "40 won, 2 lost, 2 drawn, the longest in 1 ply");
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { win, loss, draw, longest } = self;
        let plies = if *longest == 1 { "ply" } else { "plies" };
        write!(f, "{win} won, {loss} lost, {draw} drawn, the longest in {longest} {plies}")
    }
}

impl Totals {
    /// Adds one position.
    pub(crate) fn with(mut self, value: Value) -> Self {
        match value.verdict {
            Verdict::Win => self.win += 1,
            Verdict::Loss => self.loss += 1,
            Verdict::Draw => self.draw += 1,
        }
        self.longest = self.longest.max(value.plies.unwrap_or(0));
        self
    }

    /// The sum of two totals, with the longest of both.
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

/// The stage of a build.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Stage {
    /// The plies of this pass; absent while moves are being counted.
    pub(crate) plies: Option<u32>,
    /// The first block that is not done, in the index or in the list of positions.
    pub(crate) block: u64,
    /// Positions resolved in this pass so far.
    pub(crate) resolved: u64,
    /// The way of counting moves; absent in older files, whose counts may be too low.
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
    /// Number of positions with more plies than a byte holds; these follow the bytes of their block.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) deep: u64,
    /// In a tablebase, the numbers of positions by value, mirror images folded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) totals: Option<Totals>,
    /// In a checkpoint, its stage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stage: Option<Stage>,
}

/// The rules and the pieces of a file.
pub(crate) struct Subject {
    variant: &'static str,
    /// BLAKE3 of the rules.
    rules: [u8; 32],
    pieces: String,
}

impl Subject {
    pub(crate) fn of<R: World>(set: &PieceSet<R>) -> Self {
        Self { variant: R::name(), rules: rules_hash::<R>(), pieces: set.to_string() }
    }

    /// The usual name of the checkpoint of a build.
    pub(crate) fn checkpoint(&self) -> String {
        format!("{}-{}.checkpoint", self.variant, self.pieces)
    }
}

impl Header {
    pub(crate) fn new(subject: &Subject, numbers: u64, stored: Stored, block: u32) -> Self {
        Self {
            variant: subject.variant.to_owned(),
            rules: hash_digits(subject.rules),
            pieces: subject.pieces.clone(),
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

    /// The layout, if its blocks are no larger than this crate writes them, since a block takes that
    /// much memory.
    pub(crate) fn checked_layout(&self) -> Result<Layout, FileReason> {
        let most = if self.stage.is_some() { CHECKPOINT_BLOCK } else { FILE_BLOCK };
        if (1..=most).contains(&self.block) {
            return Ok(self.layout());
        }
        let expected = format!("at most {most} and not 0");
        Err(different("number of bytes in a block", &self.block.to_string(), &expected))
    }

    /// Checks that the file is of these rules and returns its set of pieces.
    pub(crate) fn set<R: World>(&self) -> Result<PieceSet<R>, FileReason> {
        self.check_rules(&Subject::of(&PieceSet::<R>::full()))?;
        let set = PieceSet::parse(&self.pieces);
        set.ok_or_else(|| different("set of pieces", &self.pieces, "a set of the variant"))
    }

    fn check_rules(&self, subject: &Subject) -> Result<(), FileReason> {
        let own = Self::new(subject, self.numbers, self.stored, self.block);
        same("variant", &self.variant, &own.variant)?;
        same("hash of the rules", &self.rules, &own.rules)?;
        same("index", &self.index, &own.index)
    }

    /// The totals, if the file is a finished tablebase with this many numbers.
    pub(crate) fn totals_of(&self, numbers: u64) -> Result<Totals, FileReason> {
        if numbers != self.numbers {
            let [found, expected] = [self.numbers, numbers].map(|number| number.to_string());
            return Err(different("number of positions", &found, &expected));
        }
        let missing = || different("content", "a checkpoint", "a finished tablebase");
        self.totals.ok_or_else(missing)
    }
}

/// Whether a number is omitted from a header; older headers lack the field.
fn is_zero(number: &u64) -> bool {
    *number == 0
}

fn same(field: &'static str, found: &str, expected: &str) -> Result<(), FileReason> {
    if found == expected { Ok(()) } else { Err(different(field, found, expected)) }
}

/// The error for a file that differs from what was expected.
pub(crate) fn different(field: &'static str, found: &str, expected: &str) -> FileReason {
    FileReason::Different { field, found: found.to_owned(), expected: expected.to_owned() }
}
