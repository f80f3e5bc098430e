//! The codes of pieces. The codes of both packings have the same lengths; a few of them differ.

use shogi_core::Colour;

use super::bits::{BitReader, BitWriter};
use super::{UnpackReason, colour};

/// The number of kinds with codes: all but the king.
pub(super) const CODED: usize = 7;
/// Their letters, in the order of the codes and of the rule table.
pub(super) const LETTERS: [char; CODED] = ['P', 'L', 'N', 'S', 'G', 'B', 'R'];
/// The number of pieces of each kind in a set.
pub(super) const COUNTS: [u8; CODED] = [18, 4, 4, 4, 4, 2, 2];
/// The number of the king, which has no code.
pub(super) const KING: u8 = 7;
/// The number of the gold general, which has no back.
const GOLD: usize = 4;

/// The bits of a code, from the lowest, and their number.
type Code = (u8, u8);

/// The codes of one packing, by kind.
pub(super) struct Codes {
    /// On the board. A bit for promotion follows (except for gold generals), and a bit for the
    /// owner.
    board: [Code; CODED],
    /// In a hand. A bit for the owner follows.
    hand: [Code; CODED],
    /// In the box.
    boxed: [Code; CODED],
    /// Whether on the board the owner comes before the promotion.
    owner_first: bool,
}

/// The codes of PackedSfen.
pub(super) const PACKED_SFEN: Codes = Codes {
    board: [
        (0b01, 2),
        (0b0011, 4),
        (0b1011, 4),
        (0b0111, 4),
        (0b01111, 5),
        (0b01_1111, 6),
        (0b11_1111, 6),
    ],
    hand: [
        (0b00, 2),
        (0b0001, 4),
        (0b0101, 4),
        (0b0011, 4),
        (0b0111, 4),
        (0b00_1111, 6),
        (0b01_1111, 6),
    ],
    boxed: [
        (0b010, 3),
        (0b01001, 5),
        (0b01101, 5),
        (0b01011, 5),
        (0b11011, 5),
        (0b010_1111, 7),
        (0b011_1111, 7),
    ],
    owner_first: false,
};

/// The codes of HuffmanCodedPos.
pub(super) const HCP: Codes = Codes {
    board: [
        (0b01, 2),
        (0b0011, 4),
        (0b0111, 4),
        (0b1011, 4),
        (0b01111, 5),
        (0b01_1111, 6),
        (0b11_1111, 6),
    ],
    hand: [
        (0b00, 2),
        (0b0001, 4),
        (0b0011, 4),
        (0b0101, 4),
        (0b0111, 4),
        (0b01_1111, 6),
        (0b11_1111, 6),
    ],
    boxed: [
        (0b010, 3),
        (0b01001, 5),
        (0b01011, 5),
        (0b01101, 5),
        (0b11101, 5),
        (0b000_1111, 7),
        (0b010_1111, 7),
    ],
    owner_first: true,
};

impl Codes {
    pub(super) fn put_on_board(
        &self,
        out: &mut BitWriter,
        kind: usize,
        promoted: bool,
        owner: Colour,
    ) {
        let (code, length) = self.board[kind];
        out.put(code, length);
        let (owner, promoted) = (owner as u8, u8::from(promoted));
        match (kind, self.owner_first) {
            (GOLD, _) => out.put(owner, 1),
            (_, true) => out.put(owner | promoted << 1, 2),
            (_, false) => out.put(promoted | owner << 1, 2),
        }
    }

    pub(super) fn put_in_hand(&self, out: &mut BitWriter, kind: usize, owner: Colour) {
        let (code, length) = self.hand[kind];
        out.put(code | (owner as u8) << length, length + 1);
    }

    pub(super) fn put_in_box(&self, out: &mut BitWriter, kind: usize) {
        let (code, length) = self.boxed[kind];
        out.put(code, length);
    }

    /// Reads the content of a square: the kind, whether it is promoted, and the owner.
    pub(super) fn take_on_board(
        &self,
        bits: &mut BitReader<'_>,
    ) -> Result<Option<(usize, bool, Colour)>, UnpackReason> {
        if bits.peek() & 1 == 0 {
            return bits.take(1).map(|_| None);
        }
        let kind = take_code(&self.board, bits)?.ok_or(UnpackReason::Code)?;
        let (first, second) = match kind {
            GOLD => (bits.take(1)?, 0),
            _ => (bits.take(1)?, bits.take(1)?),
        };
        let is_owner_first = self.owner_first || kind == GOLD;
        let (owner, promoted) = if is_owner_first { (first, second) } else { (second, first) };
        Ok(Some((kind, promoted == 1, colour(owner))))
    }

    /// Reads the kind of a piece in a hand, with its owner, or in the box.
    pub(super) fn take_off_board(
        &self,
        bits: &mut BitReader<'_>,
    ) -> Result<(usize, Option<Colour>), UnpackReason> {
        if let Some(kind) = take_code(&self.hand, bits)? {
            return Ok((kind, Some(colour(bits.take(1)?))));
        }
        let kind = take_code(&self.boxed, bits)?.ok_or(UnpackReason::Code)?;
        Ok((kind, None))
    }
}

/// Takes the next code if it is one of `codes`, and returns its kind.
fn take_code(
    codes: &[Code; CODED],
    bits: &mut BitReader<'_>,
) -> Result<Option<usize>, UnpackReason> {
    let next = bits.peek();
    for (kind, &(code, length)) in codes.iter().enumerate() {
        if next & (0xff >> (8 - length)) == code {
            return bits.take(length).map(|_| Some(kind));
        }
    }
    Ok(None)
}
