//! Nifu while the board is filled file by file.

use shogi_core::{Colour, Piece};

use crate::table::Table;

/// The players with an unpromoted pawn on the file that is being filled, and, where its mirror
/// image is filled along with it, on that one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub(crate) struct PawnFiles(u8);

impl PawnFiles {
    /// The players after one more square, `None` where that is nifu.
    pub(crate) fn with(
        self,
        table: &Table,
        content: Option<Piece>,
        on_image: bool,
    ) -> Option<Self> {
        match content {
            Some(Piece { face, colour }) if table.is_pawn(face) => {
                self.with_pawn_of(table, colour, on_image)
            }
            _ => Some(self),
        }
    }

    /// The players after an unpromoted pawn, `None` where that is nifu.
    pub(crate) fn with_pawn_of(
        self,
        table: &Table,
        colour: Colour,
        on_image: bool,
    ) -> Option<Self> {
        if table.allows_nifu {
            return Some(self);
        }
        let bit = 1 << (2 * u8::from(on_image) + colour.index() as u8);
        (self.0 & bit == 0).then_some(Self(self.0 | bit))
    }

    /// Without the pawns of those players who can have no more on the file.
    pub(crate) fn without(self, players: [bool; 2]) -> Self {
        let bits =
            players.into_iter().zip(0..).map(|(is_without, bit)| u8::from(is_without) << bit);
        Self(self.0 & !bits.sum::<u8>())
    }
}
