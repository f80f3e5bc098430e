//! Positions of standard shogi in 256 bits and moves in 16 bits, as in the community's training data.
//!
//! Two packings are in use ([`Packing`]): YaneuraOu's PackedSfen, in PSV files, and Apery's HuffmanCodedPos, in
//! HCP and hcpe files. Both have the same parts; bits are counted from the lowest bit of the first byte:
//!
//! | bits | |
//! |---|---|
//! | 1 | the side to move: 0 for Sente |
//! | 7, 7 | the squares of Sente's and Gote's king, file by file from the right and from the top of each, from 0 |
//! | 1 to 8 each | what stands on each other square, in the same order: 0 for nothing, else a piece |
//! | 3 to 7 each | the pieces in the hands, then those in the box, which belong to neither player |
//!
//! A piece in hand takes one bit less than on the board, but the empty square takes one bit: with all forty
//! pieces the parts fill exactly 256 bits. `shogi-learn` reads the files that hold such positions.
//!
//! ```
//! use shogi_files::packed::Packing;
//! use shogi_rules::{Rules, Shogi, parse_usi, to_sfen};
//!
//! let start = Shogi::start();
//! let bytes = Packing::PackedSfen.pack(&start)?;
//! assert_eq!(bytes[..4], [0x58, 0xa4, 0x51, 0x22]);
//! assert_eq!(Packing::PackedSfen.unpack::<Shogi>(&bytes)?, start);
//!
//! let mv = parse_usi::<Shogi>("7g7f")?;
//! assert_eq!(Packing::PackedSfen.pack_move(mv), 60 << 7 | 59);
//! assert_eq!(Packing::Hcp.unpack_move::<Shogi>(60 << 7 | 59), Some(mv));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bits;
mod codes;
mod moves;

use shogi_core::{
    Colour, Face, Faults, Geometry, Kind, Piece, Placement, Position, RuleTable, Square,
};

use self::bits::{BitReader, BitWriter};
use self::codes::{CODED, Codes, HCP, PACKED_SFEN};

/// Bytes of a packed position.
pub const BYTES: usize = 32;

/// How a position is packed into bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Packing {
    /// PackedSfen, of YaneuraOu.
    PackedSfen,
    /// HuffmanCodedPos, of Apery.
    Hcp,
}

/// Why a position cannot be packed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PackError {
    /// The game has another board or other pieces than standard shogi.
    #[error("only positions with the board and the pieces of standard shogi can be packed")]
    Variant,
    /// The position is illegal.
    #[error("illegal position: {0}")]
    Illegal(Faults),
}

/// Why bytes are not a packed position, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("at bit {bit}: {reason}")]
pub struct UnpackError {
    /// The bit, from 0, at which reading stopped.
    pub bit: usize,
    /// The fault there.
    pub reason: UnpackReason,
}

/// The faults that a packed position can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UnpackReason {
    /// The game has another board or other pieces than standard shogi.
    #[error("only positions with the board and the pieces of standard shogi are packed")]
    Variant,
    /// A king's square is not on the board.
    #[error("the board has no square {0}")]
    KingSquare(u8),
    /// Both kings stand on one square.
    #[error("both kings stand on one square")]
    SameSquare,
    /// The next bits are not the code of a piece.
    #[error("no piece has this code")]
    Code,
    /// The pieces take more bits than there are.
    #[error("the bits end within a piece")]
    End,
    /// The pieces on the board, in the hands and in the box together are not the set of the game.
    #[error("there are {found} pieces of the kind {letter} in place of {expected}")]
    Count {
        /// The letter of the kind.
        letter: char,
        /// The number found.
        found: u8,
        /// The number in the set.
        expected: u8,
    },
    /// The position breaks the rules.
    #[error("illegal position: {0}")]
    Illegal(Faults),
}

impl Packing {
    const fn codes(self) -> &'static Codes {
        match self {
            Self::PackedSfen => &PACKED_SFEN,
            Self::Hcp => &HCP,
        }
    }

    /// Packs a position. The move number is not stored.
    ///
    /// # Errors
    ///
    /// If the position is illegal or not of standard shogi.
    ///
    /// ```
    /// use shogi_files::packed::{PackError, Packing};
    /// use shogi_rules::{Minishogi, Rules};
    /// assert_eq!(Packing::Hcp.pack(&Minishogi::start()), Err(PackError::Variant));
    /// ```
    pub fn pack<R: RuleTable>(self, placement: &Placement<R>) -> Result<[u8; BYTES], PackError> {
        if !is_standard::<R>() {
            return Err(PackError::Variant);
        }
        let faults = placement.faults();
        if !faults.is_empty() {
            return Err(PackError::Illegal(faults));
        }
        let (codes, mut out) = (self.codes(), BitWriter::default());
        out.put(placement.side() as u8, 1);
        // A legal position has two kings.
        for king in Colour::ALL.into_iter().filter_map(|colour| placement.king(colour)) {
            out.put(number(king), 7);
        }
        let kings = placement.royals();
        let mut boxed = codes::COUNTS;
        for square in squares::<R>().filter(|&square| !kings.contains(square)) {
            let Some(Piece { face, colour }) = placement.piece(square) else {
                out.put(0, 1);
                continue;
            };
            codes.put_on_board(&mut out, face.kind.index(), face.promoted, colour);
            boxed[face.kind.index()] -= 1;
        }
        for colour in Colour::ALL {
            for (kind, left) in boxed.iter_mut().enumerate() {
                let count = placement.hand(colour).count(Kind::new(kind as u8));
                (0..count).for_each(|_| codes.put_in_hand(&mut out, kind, colour));
                *left -= count;
            }
        }
        for (kind, &count) in boxed.iter().enumerate() {
            (0..count).for_each(|_| codes.put_in_box(&mut out, kind));
        }
        Ok(out.bytes())
    }

    /// Unpacks a position. Pieces in hand may come in any order.
    ///
    /// # Errors
    ///
    /// If the bytes are not a packed position, with the bit at which reading stopped; if the position is
    /// illegal; for every game but standard shogi.
    ///
    /// ```
    /// use shogi_files::packed::Packing;
    /// use shogi_rules::Shogi;
    /// let error = Packing::Hcp.unpack::<Shogi>(&[0xff; 32]).unwrap_err();
    /// assert_eq!(error.to_string(), "at bit 1: the board has no square 127");
    /// ```
    pub fn unpack<R: RuleTable>(self, bytes: &[u8; BYTES]) -> Result<Position<R>, UnpackError> {
        let mut bits = BitReader::new(bytes);
        self.read(&mut bits).map_err(|reason| UnpackError { bit: bits.at(), reason })
    }

    fn read<R: RuleTable>(self, bits: &mut BitReader<'_>) -> Result<Position<R>, UnpackReason> {
        if !is_standard::<R>() {
            return Err(UnpackReason::Variant);
        }
        let mut placement = Placement::<R>::EMPTY;
        placement.set_side(colour(bits.take(1)?));
        for colour in Colour::ALL {
            let square = bits.peek() & 127;
            let king = square_of(square).ok_or(UnpackReason::KingSquare(square))?;
            if placement.occupied().contains(king) {
                return Err(UnpackReason::SameSquare);
            }
            bits.take(7)?;
            placement.put(king, Piece { face: Face::front(Kind::new(codes::KING)), colour });
        }
        let counts = self.read_pieces(bits, &mut placement)?;
        let sets = codes::COUNTS.into_iter().zip(R::KINDS);
        for ((expected, spec), found) in sets.zip(counts) {
            if found != expected {
                return Err(UnpackReason::Count { letter: spec.letter, found, expected });
            }
        }
        Position::new(placement).map_err(|invalid| UnpackReason::Illegal(invalid.faults))
    }

    /// Reads all pieces but the kings, and returns the number of each kind.
    fn read_pieces<R: RuleTable>(
        self,
        bits: &mut BitReader<'_>,
        placement: &mut Placement<R>,
    ) -> Result<[u8; CODED], UnpackReason> {
        let (codes, kings) = (self.codes(), placement.occupied());
        let mut counts = [0; CODED];
        for square in squares::<R>().filter(|&square| !kings.contains(square)) {
            if let Some((kind, promoted, colour)) = codes.take_on_board(bits)? {
                counts[kind] += 1;
                let face = Face { kind: Kind::new(kind as u8), promoted };
                placement.put(square, Piece { face, colour });
            }
        }
        while !bits.is_over() {
            let (kind, owner) = codes.take_off_board(bits)?;
            counts[kind] += 1;
            if let Some(owner) = owner {
                placement.hand_mut(owner).add(Kind::new(kind as u8));
            }
        }
        Ok(counts)
    }
}

/// Whether a rule table has the board of standard shogi and the same kinds of pieces, in the same order.
const fn is_standard<R: RuleTable>() -> bool {
    const {
        let mut same =
            R::Geometry::WIDTH == 9 && R::Geometry::HEIGHT == 9 && R::KINDS.len() == CODED + 1;
        let mut kind = 0;
        while same && kind < CODED {
            let spec = &R::KINDS[kind];
            same = spec.letter == codes::LETTERS[kind] && spec.count == codes::COUNTS[kind];
            kind += 1;
        }
        same
    }
}

const fn colour(bit: u8) -> Colour {
    if bit == 0 { Colour::Sente } else { Colour::Gote }
}

/// The number of a square, counted file by file from the right, each from the top.
fn number<G: Geometry>(square: Square<G>) -> u8 {
    (square.file() - 1) * G::HEIGHT + square.rank()
}

/// The square with this number; `None` outside the board.
fn square_of<G: Geometry>(number: u8) -> Option<Square<G>> {
    let column = G::WIDTH.checked_sub(1 + number / G::HEIGHT)?;
    Square::new(column, number % G::HEIGHT)
}

/// All squares in the order of these numbers.
fn squares<R: RuleTable>() -> impl Iterator<Item = Square<R::Geometry>> {
    (0..R::Geometry::AREA as u8).filter_map(square_of)
}
