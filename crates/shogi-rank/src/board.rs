//! A placement under construction.

use shogi_core::{
    Bitboard, Colour, Geometry, Hand, Kind, MAX_KINDS, Piece, Placement, RuleTable, Word,
};

use crate::table::Squares;

/// A placement with Sente to move, in bare words: words of its own board, or words that hold every
/// board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Board<W> {
    pub(crate) kinds: [W; MAX_KINDS],
    pub(crate) promoted: W,
    pub(crate) gote: W,
    pub(crate) hands: [Hand; 2],
}

/// The words of a rule table's board.
pub(crate) type WordOf<R> = <<R as RuleTable>::Geometry as Geometry>::Word;

impl<W: Word> Board<W> {
    pub(crate) const EMPTY: Self = Self {
        kinds: [W::ZERO; MAX_KINDS],
        promoted: W::ZERO,
        gote: W::ZERO,
        hands: [Hand::EMPTY; 2],
    };

    /// Puts a piece on an empty square; bit 0 of `face` is the owner, bit 1 the side up.
    #[inline(always)]
    pub(crate) fn put(&mut self, square: u8, kind: u8, face: u8) {
        let at_square = |bit: u8| W::truncate(u128::from(bit)) << u32::from(square);
        self.kinds[usize::from(kind) & (MAX_KINDS - 1)] |= at_square(1);
        self.gote |= at_square(face & 1);
        self.promoted |= at_square(face >> 1);
    }

    /// Puts a piece on an empty square.
    pub(crate) fn put_piece(&mut self, square: u8, Piece { face, colour }: Piece) {
        let face_bits = colour.index() as u8 | u8::from(face.promoted) << 1;
        self.put(square, face.kind.index() as u8, face_bits);
    }

    /// All squares with a piece.
    #[inline(always)]
    pub(crate) fn occupied(&self) -> W {
        let mut occupied = W::ZERO;
        for &squares in &self.kinds {
            occupied |= squares;
        }
        occupied
    }

    /// The placement.
    #[inline(always)]
    pub(crate) fn placement<R: RuleTable>(&self) -> Placement<R> {
        let set = |squares: W| Bitboard::from_word(WordOf::<R>::truncate(squares.widen()));
        let mut kinds = [Bitboard::EMPTY; MAX_KINDS];
        for (kind, &squares) in self.kinds.iter().enumerate() {
            kinds[kind] = set(squares);
        }
        let gote = set(self.gote);
        let colours = [set(self.occupied()) - gote, gote];
        Placement::from_parts(kinds, set(self.promoted), colours, self.hands, Colour::Sente)
    }
    /// The board and the hands of a placement.
    #[inline(always)]
    pub(crate) fn of<R: RuleTable>(placement: &Placement<R>) -> Self {
        let word = |squares: Bitboard<R::Geometry>| W::truncate(squares.word().widen());
        let mut board = Self::EMPTY;
        for kind in Kind::all::<R>() {
            board.kinds[kind.index()] = word(placement.kind(kind));
        }
        board.promoted = word(placement.promoted());
        board.gote = word(placement.of(Colour::Gote));
        board.hands = [placement.hand(Colour::Sente), placement.hand(Colour::Gote)];
        board
    }
}

impl Board<Squares> {
    /// Squares with this piece.
    pub(crate) fn piece(&self, Piece { face, colour }: Piece) -> Squares {
        let owned = if colour == Colour::Gote { self.gote } else { !self.gote };
        let facing = if face.promoted { self.promoted } else { !self.promoted };
        self.kinds[face.kind.index()] & owned & facing
    }
}
