//! The squares around each king, computed once for all positions.

use std::sync::Arc;

use shogi_core::{Bitboard, Colour, Geometry, Square};

use super::layout::DISTANCES;

/// The squares around a king that [`visit_dyn`](super::visit_dyn) uses.
pub struct Surroundings<G: Geometry> {
    /// The king's square and those next to it.
    pub(super) zone: Bitboard<G>,
    /// All squares by their distance in steps.
    pub(super) rings: [Bitboard<G>; DISTANCES],
    /// As each player sees it, Sente first, the way from the king to each square; see [`displacement`].
    displacements: [[u8; MAX_AREA]; 2],
}

/// Numbers of squares are below this power of two.
const MAX_AREA: usize = 128;

impl<G: Geometry> Surroundings<G> {
    /// The surroundings of every square.
    pub fn all() -> Arc<[Self]> {
        let mut all = Vec::with_capacity(G::AREA);
        for king in Square::all() {
            let mut rings = [Bitboard::EMPTY; DISTANCES];
            let mut displacements = [[0; MAX_AREA]; 2];
            for square in Square::all() {
                let columns = square.column().abs_diff(king.column());
                let steps = usize::from(columns.max(square.rank().abs_diff(king.rank())));
                rings[steps.min(DISTANCES - 1)] |= Bitboard::of(square);
                for colour in Colour::ALL {
                    displacements[colour.index()][square.index()] =
                        displacement(colour, king, square);
                }
            }
            all.push(Self { zone: rings[0] | rings[1], rings, displacements });
        }
        all.into()
    }

    /// The way from the king to a square, as a player sees it.
    #[inline(always)]
    pub(super) fn displacement(&self, colour: Colour, square: Square<G>) -> usize {
        usize::from(self.displacements[colour.index()][square.index() % MAX_AREA])
    }
}

/// From a king to a square: columns apart, and ranks as a player sees them.
fn displacement<G: Geometry>(colour: Colour, king: Square<G>, square: Square<G>) -> u8 {
    let columns = square.column().abs_diff(king.column());
    let (near, far) = if colour == Colour::Sente { (king, square) } else { (square, king) };
    columns * (2 * G::HEIGHT - 1) + far.rank() + G::HEIGHT - 1 - near.rank()
}
