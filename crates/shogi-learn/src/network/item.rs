//! What sums over pieces are made of, and what a move changes of it.

use shogi_core::{Bitboard, Colour, Kind, Move, Piece, Placement, RuleTable, Square};

/// A piece where it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Item<R: RuleTable> {
    /// A piece on the board.
    Board(Square<R::Geometry>, Piece),
    /// The piece of a kind in a hand with this number, from 0.
    Hand(Colour, Kind, usize),
}

/// Whether a move was one of the mover's king, or has no piece where it went.
#[inline(always)]
pub(crate) fn moves_king<R: RuleTable>(mv: Move<R>, after: &Placement<R>) -> bool {
    Bitboard::of(mv.to()).meets(after.royals())
}

/// Gives what a legal move takes away (-1) and what it brings (1).
#[inline(always)]
pub(crate) fn changes<R: RuleTable>(
    before: &Placement<R>,
    mv: Move<R>,
    after: &Placement<R>,
    mut change: impl FnMut(i32, Item<R>),
) {
    let mover = before.side();
    let to = mv.to();
    let in_hand = |kind| usize::from(before.hand(mover).count(kind));
    match mv {
        Move::Drop { face, .. } => {
            change(-1, Item::Hand(mover, face.kind, in_hand(face.kind).saturating_sub(1)));
            change(1, Item::Board(to, Piece { face, colour: mover }));
        }
        Move::Board { from, .. } => {
            if let Some(left) = before.piece(from) {
                change(-1, Item::Board(from, left));
            }
            if let Some(taken) = before.piece(to) {
                let kind = taken.face.kind;
                change(-1, Item::Board(to, taken));
                change(1, Item::Hand(mover, kind, in_hand(kind)));
            }
            if let Some(arrived) = after.piece(to) {
                change(1, Item::Board(to, arrived));
            }
        }
    }
}

/// What a legal move brings, and what it takes away: two items each way if it captures, else one.
#[inline(always)]
pub(crate) fn exchanged<R: RuleTable>(
    before: &Placement<R>,
    mv: Move<R>,
    after: &Placement<R>,
) -> [[Option<Item<R>>; 2]; 2] {
    let (mut brought, mut taken) = ([None; 2], [None; 2]);
    changes(before, mv, after, |sign, item| {
        let items = if sign > 0 { &mut brought } else { &mut taken };
        items[usize::from(items[0].is_some())] = Some(item);
    });
    [brought, taken]
}
