//! The two players.

use core::fmt;
use core::ops::Not;

/// A player: Sente moves first and up the board, Gote moves down.
///
/// In SFEN Sente is `b` (Black) with upper-case pieces, Gote `w` (White) with lower-case ones.
///
/// ```
/// use shogi_core::Colour;
/// assert_eq!(!Colour::Sente, Colour::Gote);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(::serde::Serialize, ::serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[repr(u8)]
pub enum Colour {
    /// The first player, moving towards rank a (the top).
    Sente = 0,
    /// The second player, moving towards the bottom rank.
    Gote = 1,
}

impl Colour {
    /// Both players, Sente first.
    pub const ALL: [Self; 2] = [Self::Sente, Self::Gote];

    /// 0 for Sente, 1 for Gote.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Colour {
    /// `Sente` or `Gote`.
    ///
    /// ```
    /// use shogi_core::Colour;
    /// assert_eq!(format!("{} to move", Colour::Gote), "Gote to move");
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Sente => "Sente",
            Self::Gote => "Gote",
        })
    }
}

impl Not for Colour {
    type Output = Self;

    /// The opponent.
    #[inline(always)]
    fn not(self) -> Self {
        match self {
            Self::Sente => Self::Gote,
            Self::Gote => Self::Sente,
        }
    }
}
