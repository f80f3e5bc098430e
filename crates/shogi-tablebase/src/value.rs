//! Values of positions, and their encoding as bytes.

use std::fmt;

use serde::{Deserialize, Serialize};
use shogi_rules::Verdict;

/// The value of a position for the player to move, where a repetition is a draw.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Value {
    /// Win, loss or draw.
    pub verdict: Verdict,
    /// The fewest plies in which the winner can force the end; `None` for draws, and where only
    /// the verdict is stored.
    ///
    /// The capture of a king and a move after which the game is over count as the last ply. A
    /// position without a move is lost in 0. A position after the end that the player to move has
    /// won counts as won in 1.
    pub plies: Option<u32>,
}

impl fmt::Display for Value {
    /// Writes the value for people.
    ///
    /// ```
    /// use shogi_tablebase::Value;
    /// assert_eq!(Value::DRAW.to_string(), "draw");
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.verdict.name())?;
        match self.plies {
            Some(1) => f.write_str(" in 1 ply"),
            Some(plies) => write!(f, " in {plies} plies"),
            None => Ok(()),
        }
    }
}

impl Value {
    /// A draw.
    pub const DRAW: Self = Self { verdict: Verdict::Draw, plies: None };

    pub(crate) const fn win(plies: u32) -> Self {
        Self { verdict: Verdict::Win, plies: Some(plies) }
    }

    pub(crate) const fn loss(plies: u32) -> Self {
        Self { verdict: Verdict::Loss, plies: Some(plies) }
    }

    /// The value that the position before has by the move that leads here.
    #[must_use]
    pub fn before(self) -> Self {
        let plies = self.plies.map(|plies| plies + 1);
        Self { verdict: self.verdict.for_opponent(), plies }
    }

    /// A key that sorts values from best to worst for the player to move: wins, the sooner the
    /// better, then draws, then losses, the later the better.
    pub fn order(self) -> (u8, i64) {
        let plies = i64::from(self.plies.unwrap_or(0));
        match self.verdict {
            Verdict::Win => (0, plies),
            Verdict::Draw => (1, 0),
            Verdict::Loss => (2, -plies),
        }
    }

    /// The value of a win or loss in this many plies.
    pub(crate) const fn of_plies(plies: u32) -> Self {
        if plies % 2 == 1 { Self::win(plies) } else { Self::loss(plies) }
    }

    /// The value of a byte of a finished table; `None` if the number has no position. The plies are
    /// missing if a byte cannot hold them.
    pub(crate) fn of_byte(byte: u8) -> Option<Self> {
        match byte {
            ILLEGAL => None,
            DRAW => Some(Self::DRAW),
            deep if is_deep(deep) => Some(Self { plies: None, ..Self::of_plies(deep.into()) }),
            plies => Some(Self::of_plies(plies.into())),
        }
    }

    /// The value of two bits of a table of verdicts.
    pub(crate) fn of_bits(bits: u8) -> Option<Self> {
        let verdict = match bits & 3 {
            0 => Verdict::Win,
            1 => Verdict::Loss,
            2 => Verdict::Draw,
            _ => return None,
        };
        Some(Self { verdict, plies: None })
    }
}

// A byte is a number of plies, odd for wins and even for losses. Above are the marks of a win and a
// loss of more plies, which are kept elsewhere, and above these the bytes of unresolved positions,
// which count the moves that may still save them.

/// The most plies that a byte holds.
pub(crate) const LONGEST: u32 = 238;
/// A position that is drawn at once, or was never resolved.
pub(crate) const DRAW: u8 = 254;
/// A number that no legal position has.
pub(crate) const ILLEGAL: u8 = 255;

/// The byte for a win or loss in this many plies.
#[inline]
pub(crate) const fn byte_of(plies: u32) -> u8 {
    if plies <= LONGEST { plies as u8 } else { (LONGEST + 2 - plies % 2) as u8 }
}

/// Whether a byte of a finished table stands for more plies than a byte holds.
#[inline]
pub(crate) const fn is_deep(byte: u8) -> bool {
    byte as u32 > LONGEST && byte as u32 <= LONGEST + 2
}

/// How many byte values count moves; the lower ones are plies.
///
/// Few plies leave room for many moves. As plies grow, counts are narrowed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Counts {
    /// Up to 63 moves, and up to 188 plies.
    Wide,
    /// Up to 13 moves, and the plies that a byte holds.
    Narrow,
    /// Up to 11 moves, and any number of plies.
    Deep,
}

impl Counts {
    /// The byte of a position whose moves are not counted.
    pub(crate) const UNCOUNTED: u8 = DRAW - 1;

    /// The byte of a position with no move left.
    #[inline]
    pub(crate) const fn none(self) -> u8 {
        match self {
            Self::Wide => 189,
            Self::Narrow => LONGEST as u8 + 1,
            Self::Deep => LONGEST as u8 + 3,
        }
    }

    /// The byte of a position with this many moves that may save it, or `UNCOUNTED` if there are
    /// too many.
    #[inline]
    pub(crate) fn byte(self, moves: u32) -> u8 {
        self.none() + moves.min(u32::from(Self::UNCOUNTED - self.none())) as u8
    }

    /// Whether a byte stands for a position that is not resolved.
    #[inline]
    pub(crate) const fn is_open(self, byte: u8) -> bool {
        byte > self.none() && byte < DRAW
    }

    /// The widest encoding that leaves room for this many plies.
    pub(crate) const fn beside(plies: u32) -> Self {
        if plies < Self::Wide.none() as u32 {
            Self::Wide
        } else if plies <= LONGEST {
            Self::Narrow
        } else {
            Self::Deep
        }
    }

    /// Converts a byte from a wider encoding to this one.
    pub(crate) fn cut_down(self, wider: Self, byte: u8) -> u8 {
        if wider.is_open(byte) { self.byte((byte - wider.none()).into()) } else { byte }
    }

    /// Whether a byte stands for a win.
    #[inline]
    pub(crate) const fn is_win(self, byte: u8) -> bool {
        byte < self.none() && byte % 2 == 1
    }
}

/// The two bits for a byte in a table of verdicts.
pub(crate) const fn bits_of(byte: u8) -> u8 {
    match byte {
        ILLEGAL => 3,
        DRAW => 2,
        plies => 1 - plies % 2,
    }
}
