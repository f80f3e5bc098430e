//! Positions as short strings of bits, and their order.
//!
//! The code is written over any rule table: every field has exactly as many values as can still occur, and a
//! field with n values takes floor(log2 n) or one more bits (truncated binary code). No code is a prefix of
//! another, so a reader finds the end of each without a length. docs/reference/proof-format.md describes it
//! field by field.

use shogi_core::{
    Colour, Face, Faults, Geometry as _, Hand, Kind, KindSpec, MAX_KINDS, Piece, Placement,
    Position, Role, RuleTable, Square,
};
use smallvec::SmallVec;

use crate::canonical::canonical;

/// A position, up to its mirror image, as bytes; on 5x5 about ten.
///
/// The player to move is not in it. Twins, a position and its mirror image, have the same bytes:
/// those of the canonical one. The order is that of a proof file.
///
/// ```
/// use shogi_rules::{Minishogi, Rules, parse_position};
/// use shogi_proof::Packed;
/// let position = parse_position::<Minishogi>("2k2/5/P4/5/2K2 b 2R2B2S2Gp 1")?;
/// let twin = parse_position::<Minishogi>("2k2/5/4P/5/2K2 b 2R2B2S2Gp 1")?;
/// assert_eq!(Packed::of(&position), Packed::of(&twin));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Packed(SmallVec<[u8; 16]>);

impl Packed {
    /// Packs a position; `None` unless each player has a king on the board, without which no game
    /// goes on.
    pub fn of<R: RuleTable>(position: &Position<R>) -> Option<Self> {
        Self::of_canonical(&canonical(position).0, Kings::BOTH)
    }

    /// Packs a canonical placement; `None` unless just these kings are on the board.
    pub(crate) fn of_canonical<R: RuleTable>(
        placement: &Placement<R>,
        kings: Kings,
    ) -> Option<Self> {
        if Kings::of(placement) != kings {
            return None;
        }
        let kings = Colour::ALL.map(|colour| placement.king(colour).map(Square::index));
        Some(Self(write(R::kinds(), &Layout::of(placement), kings)?))
    }

    /// The bytes, ended with zero bits where the code does not fill the last one.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Whose kings are on the board: in all positions of a strategy the same, both but for a problem of mate whose attacker has
/// none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Kings([bool; 2]);

impl Kings {
    /// Both.
    pub(crate) const BOTH: Self = Self([true; 2]);

    /// Those of a placement.
    pub(crate) fn of<R: RuleTable>(placement: &Placement<R>) -> Self {
        Self(Colour::ALL.map(|colour| placement.king(colour).is_some()))
    }

    /// The faults that a position with these kings may have.
    pub(crate) fn faults(self) -> Faults {
        if self == Self::BOTH { Faults::empty() } else { Faults::MISSING_KING }
    }
}

/// A code that fills more squares than there are pieces left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there are more pieces on the board than the set has")]
pub struct TooManyPieces;

/// The canonical placement whose [`Packed::as_bytes`] are given, with this player to move.
pub(crate) fn placement<R: RuleTable>(
    packed: &[u8],
    kings: Kings,
    side: Colour,
) -> Result<Placement<R>, TooManyPieces> {
    let layout = unpack_all(packed, R::kinds(), squares::<R>(), kings).ok_or(TooManyPieces)?;
    Ok(layout.placement(side))
}

/// How many squares there are.
pub(crate) fn squares<R: RuleTable>() -> usize {
    R::Geometry::area()
}

fn unpack_all(packed: &[u8], kinds: &[KindSpec], squares: usize, kings: Kings) -> Option<Layout> {
    // A code that was packed does not end early.
    let mut bytes = packed.iter().copied();
    unpack(kinds, squares, kings, &mut || bytes.next())
}

/// The board, square by square, and the hands, as one type for all rule sets.
pub(crate) struct Layout {
    board: SmallVec<[Option<Piece>; 128]>,
    hands: [Hand; 2],
}

impl Layout {
    fn of<R: RuleTable>(placement: &Placement<R>) -> Self {
        let mut board = SmallVec::new();
        for square in Square::<R::Geometry>::all() {
            board.push(placement.piece(square));
        }
        Self { board, hands: [placement.hand(Colour::Sente), placement.hand(Colour::Gote)] }
    }

    /// The placement with this player to move.
    pub(crate) fn placement<R: RuleTable>(&self, side: Colour) -> Placement<R> {
        let mut placement = Placement::EMPTY;
        for square in Square::<R::Geometry>::all() {
            if let Some(piece) = self.board[square.index()] {
                placement.put(square, piece);
            }
        }
        *placement.hand_mut(Colour::Sente) = self.hands[0];
        *placement.hand_mut(Colour::Gote) = self.hands[1];
        placement.set_side(side);
        placement
    }
}

/// How many pieces of each ordinary kind are not yet placed.
#[derive(Clone)]
struct Remaining([u8; MAX_KINDS]);

impl Remaining {
    fn new(kinds: &[KindSpec]) -> Self {
        let mut remaining = [0; MAX_KINDS];
        for kind in ordinary(kinds) {
            remaining[kind.index()] = kinds[kind.index()].count;
        }
        Self(remaining)
    }

    /// The kinds of which there are pieces left.
    fn kinds<'a>(&'a self, kinds: &'a [KindSpec]) -> impl Iterator<Item = Kind> + 'a {
        ordinary(kinds).filter(|kind| self.0[kind.index()] > 0)
    }

    fn count(&self, kind: Kind) -> u8 {
        self.0[kind.index()]
    }

    fn take(&mut self, kind: Kind, pieces: u8) -> Option<()> {
        let left = self.0[kind.index()].checked_sub(pieces)?;
        self.0[kind.index()] = left;
        Some(())
    }
}

/// Kinds that are not royal.
fn ordinary(kinds: &[KindSpec]) -> impl Iterator<Item = Kind> + '_ {
    let all = (0..kinds.len() as u8).map(Kind::new);
    all.filter(|kind| kinds[kind.index()].role != Role::Royal)
}

/// Faces that are royal: nearly always one.
fn royal(kinds: &[KindSpec]) -> impl Iterator<Item = Face> + '_ {
    // By number, half of them for each kind: that costs less than nested iterators.
    let all = (0..2 * kinds.len()).filter(|face| {
        let spec = &kinds[face / 2];
        spec.role == Role::Royal && (face % 2 == 0 || spec.back.is_some())
    });
    all.map(|face| Face { kind: Kind::new(face as u8 / 2), promoted: face % 2 == 1 })
}

/// The index of the one item that is wanted, and how many items there are.
fn index_of<T: PartialEq>(items: impl Iterator<Item = T>, wanted: T) -> Option<(u32, u32)> {
    let (mut index, mut count) = (None, 0);
    for item in items {
        if item == wanted {
            index = Some(count);
        }
        count += 1;
    }
    Some((index?, count))
}

fn write(
    kinds: &[KindSpec],
    Layout { board, hands }: &Layout,
    kings: [Option<usize>; 2],
) -> Option<SmallVec<[u8; 16]>> {
    let mut writer = BitWriter::default();
    let mut remaining = Remaining::new(kinds);
    for (square, piece) in board.iter().enumerate() {
        if let Some(piece) = piece.filter(|_| !kings.contains(&Some(square))) {
            remaining.take(piece.face.kind, 1)?;
        }
    }
    let held = |kind| [hands[0].count(kind), hands[1].count(kind)];
    let complete =
        ordinary(kinds).all(|kind| held(kind).iter().sum::<u8>() == remaining.count(kind));
    writer.digit(u32::from(complete), 2);

    let mut before: Option<usize> = None;
    for king in kings.into_iter().flatten() {
        // The second one's square is one of those that are left.
        let index = king - usize::from(before.is_some_and(|before| before < king));
        writer.digit(index as u32, (board.len() - usize::from(before.is_some())) as u32);
        before = Some(king);
        let (face, faces) = index_of(royal(kinds), board[king]?.face)?;
        writer.digit(face, faces);
    }
    let left = remaining;
    let mut remaining = Remaining::new(kinds);
    for square in 0..board.len() {
        if kings.contains(&Some(square)) {
            continue;
        }
        let piece = board[square];
        writer.digit(u32::from(piece.is_some()), 2);
        let Some(Piece { face, colour }) = piece else { continue };
        let (index, count) = index_of(remaining.kinds(kinds), face.kind)?;
        writer.digit(index, count);
        remaining.take(face.kind, 1)?;
        if kinds[face.kind.index()].back.is_some() {
            writer.digit(u32::from(face.promoted), 2);
        }
        writer.digit(colour as u32, 2);
    }
    for kind in ordinary(kinds) {
        let [sente, gote] = held(kind);
        let count = left.count(kind);
        writer.digit(u32::from(sente), u32::from(count) + 1);
        let left = count.checked_sub(sente)?;
        if !complete {
            writer.digit(u32::from(gote), u32::from(left) + 1);
        }
    }
    Some(writer.finish())
}

/// Reads one code, taking bytes from `next` as they are needed.
///
/// The position need be neither legal nor canonical, and its proper code may be another one; pack it again to
/// find out.
pub(crate) fn unpack(
    kinds: &[KindSpec],
    squares: usize,
    kings: Kings,
    next: &mut dyn FnMut() -> Option<u8>,
) -> Option<Layout> {
    let mut reader = BitReader { next, word: 0, left: 0 };
    let mut board = SmallVec::from_elem(None, squares);
    let mut hands = [Hand::EMPTY; 2];
    let complete = reader.digit(2)? == 1;
    let mut squares: SmallVec<[usize; 128]> = (0..squares).collect();
    for colour in Colour::ALL.into_iter().filter(|colour| kings.0[colour.index()]) {
        let square = squares.remove(reader.digit(squares.len() as u32)? as usize);
        let face = reader.digit(royal(kinds).count() as u32)? as usize;
        let face = royal(kinds).nth(face)?;
        board[square] = Some(Piece { face, colour });
    }
    let mut remaining = Remaining::new(kinds);
    for square in squares {
        if reader.digit(2)? == 0 {
            continue;
        }
        let index = reader.digit(remaining.kinds(kinds).count() as u32)? as usize;
        let kind = remaining.kinds(kinds).nth(index)?;
        remaining.take(kind, 1)?;
        let promoted = kinds[kind.index()].back.is_some() && reader.digit(2)? == 1;
        let colour = if reader.digit(2)? == 0 { Colour::Sente } else { Colour::Gote };
        board[square] = Some(Piece { face: Face { kind, promoted }, colour });
    }
    for kind in ordinary(kinds) {
        let count = u32::from(remaining.count(kind));
        let sente = reader.digit(count + 1)?;
        let left = count - sente;
        let gote = if complete { left } else { reader.digit(left + 1)? };
        hands[0].set(kind, sente as u8);
        hands[1].set(kind, gote as u8);
    }
    Some(Layout { board, hands })
}

/// The truncated binary code of n values: its shorter length in bits, and how many values have that length. A
/// damaged file may need a code of no values; it gets 0, which the list of values then lacks.
fn code(values: u32) -> (u32, u32) {
    let values = values.max(1);
    let bits = values.ilog2();
    (bits, (2 << bits) - values)
}

/// Packs bits into bytes, the first bit the highest.
#[derive(Default)]
struct BitWriter {
    bytes: SmallVec<[u8; 16]>,
    /// Bits not yet written, the last `pending` ones.
    word: u64,
    pending: u32,
}

impl BitWriter {
    /// Writes one of `values` values.
    fn digit(&mut self, value: u32, values: u32) {
        let (bits, short) = code(values);
        let (value, bits) = if value < short { (value, bits) } else { (value + short, bits + 1) };
        self.word = self.word << bits | u64::from(value);
        self.pending += bits;
        while self.pending >= 8 {
            self.pending -= 8;
            self.bytes.push((self.word >> self.pending) as u8);
        }
    }

    fn finish(mut self) -> SmallVec<[u8; 16]> {
        if self.pending > 0 {
            self.bytes.push((self.word << (8 - self.pending)) as u8);
        }
        self.bytes
    }
}

/// Takes bytes as they are needed and returns their bits, the highest first.
struct BitReader<'n> {
    next: &'n mut dyn FnMut() -> Option<u8>,
    /// The lowest bits are the remaining ones.
    word: u64,
    left: u32,
}

impl BitReader<'_> {
    /// Reads one of `values` values; whatever the bits are, the value is below that.
    fn digit(&mut self, values: u32) -> Option<u32> {
        let (bits, short) = code(values);
        let value = self.bits(bits)?;
        Some(if value < short { value } else { (value << 1 | self.bits(1)?) - short })
    }

    /// The next bits as a number. A byte is read only once one of its bits is needed.
    fn bits(&mut self, count: u32) -> Option<u32> {
        while self.left < count {
            self.word = self.word << 8 | u64::from((self.next)()?);
            self.left += 8;
        }
        self.left -= count;
        Some((self.word >> self.left) as u32 & ((1 << count) - 1))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shogi_rules::{Dobutsu, KyotoShogi, Minishogi, Rules, Shogi, Shogi34, parse_position};

    use super::*;

    #[test]
    fn digits_are_read_as_they_are_written_in_order() {
        for values in 1..200 {
            let codes: Vec<_> = (0..values)
                .map(|value| {
                    let mut writer = BitWriter::default();
                    writer.digit(value, values);
                    writer.finish()
                })
                .collect();
            for (value, code) in (0..).zip(&codes) {
                let mut bytes = code.iter().copied();
                let next = &mut || bytes.next();
                let mut reader = BitReader { next, word: 0, left: 0 };
                assert_eq!(reader.digit(values), Some(value));
            }
            assert!(codes.is_sorted());
        }
    }

    /// Plays random moves and packs every position on the way; the longest code in bytes.
    fn round_trips<R: Rules>(choices: &[u16]) -> usize {
        let mut position = R::start();
        let mut longest = 0;
        for &choice in choices {
            if R::verdict(&position).is_some() {
                break;
            }
            let packed = Packed::of(&position).unwrap();
            let placement =
                placement::<R>(packed.as_bytes(), Kings::BOTH, position.side()).unwrap();
            assert_eq!(placement, canonical(&position).0);
            let twin = Position::new(position.mirror()).unwrap();
            assert_eq!(Packed::of(&twin).as_ref(), Some(&packed));
            longest = longest.max(packed.as_bytes().len());
            let moves = position.legal_moves();
            position = position.play_unchecked(moves[usize::from(choice) % moves.len()]);
        }
        longest
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..Default::default() })]

        #[test]
        fn positions_are_unpacked_as_they_were(choices in prop::collection::vec(any::<u16>(), 100)) {
            prop_assert!(round_trips::<Dobutsu>(&choices) <= 5);
            prop_assert!(round_trips::<Shogi34>(&choices) <= 10);
            prop_assert!(round_trips::<Minishogi>(&choices) <= 10);
            prop_assert!(round_trips::<KyotoShogi>(&choices) <= 10);
            prop_assert!(round_trips::<Shogi>(&choices) <= 36);
        }
    }

    #[test]
    fn fewer_pieces_than_the_set_has_are_packed_too() {
        for sfen in ["4k/5/5/5/K4 b - 1", "4k/5/5/5/K4 b P 1", "4k/5/5/5/K4 b p 1"] {
            let position = parse_position::<Minishogi>(sfen).unwrap();
            let packed = Packed::of(&position).unwrap();
            let placement = placement::<Minishogi>(packed.as_bytes(), Kings::BOTH, Colour::Sente);
            assert_eq!(placement, Ok(canonical(&position).0));
        }
    }
}
