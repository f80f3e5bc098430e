//! Zobrist keys: one random word for each thing a position can hold.
//!
//! Keys are per kind and side up, not per movement, so a promoted pawn, a promoted silver and a
//! gold on the same square have different keys although they move alike.

use crate::colour::Colour;
use crate::geometry::Geometry;
use crate::hand::Hand;
use crate::placement::{Piece, Placement};
use crate::square::Square;
#[cfg(not(target_family = "wasm"))]
use crate::table::MAX_KINDS;
use crate::table::RuleTable;

/// The key of Gote to move.
pub(crate) const GOTE_TO_MOVE: u64 = mix(0x5348_4f47_4921);

/// The random word of a row, which is a kind, a side up and a player, and a square.
#[cfg(not(target_family = "wasm"))]
#[inline(always)]
fn word(row: usize, square: usize) -> u64 {
    /// The words by row and square.
    static WORDS: [[u64; 128]; 4 * MAX_KINDS] = {
        let mut table = [[0; 128]; 4 * MAX_KINDS];
        let mut i = 0;
        while i < 128 * 4 * MAX_KINDS {
            table[i / 128][i % 128] = mix(i as u64 + 1);
            i += 1;
        }
        table
    };
    WORDS[row][square]
}

/// As above without a table: a WebAssembly module is downloaded, and random words cannot be compressed.
#[cfg(target_family = "wasm")]
#[inline(always)]
const fn word(row: usize, square: usize) -> u64 {
    mix((row * 128 + square) as u64 + 1)
}

/// The finalizer of SplitMix64 (Steele, Lea & Flood 2014): a bijection with good avalanche.
const fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The key of a piece on a square.
#[inline(always)]
pub(crate) fn piece<G: Geometry>(square: Square<G>, piece: Piece) -> u64 {
    let Piece { face, colour } = piece;
    let row = face.kind.index() << 2 | (face.promoted as usize) << 1 | colour.index();
    word(row, square.index() & 127)
}

/// The key of a player's hand.
#[inline(always)]
pub(crate) const fn hand(colour: Colour, hand: Hand) -> u64 {
    mix((hand.bits() as u64) << 8 | 0x80 | colour.index() as u64)
}

/// The key of a whole position, from scratch.
pub(crate) fn placement<R: RuleTable>(placement: &Placement<R>) -> u64 {
    let mut key = if placement.side() == Colour::Gote { GOTE_TO_MOVE } else { 0 };
    for colour in Colour::ALL {
        key ^= hand(colour, placement.hand(colour));
    }
    for (square, found) in placement.pieces() {
        key ^= piece(square, found);
    }
    key
}
