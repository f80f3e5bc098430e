//! The terms of sums over pieces, and how a move changes them.

use shogi_core::{Bitboard, Colour, Kind, Move, Piece, Placement, RuleTable, Square};

/// A piece with its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Item<R: RuleTable> {
    /// A piece on the board.
    Board(Square<R::Geometry>, Piece),
    /// The piece of a kind in a hand with this number, from 0.
    Hand(Colour, Kind, usize),
}

/// Where a player's king stands before and after a move; `None` if it moves, comes or goes.
#[inline(always)]
pub(crate) fn unmoved_king<R: RuleTable>(
    (before, mv, after): (&Placement<R>, Move<R>, &Placement<R>),
    player: Colour,
) -> Option<Square<R::Geometry>> {
    let moved = before.side() == player && Bitboard::of(mv.to()).meets(after.royals());
    after.king(player).filter(|_| !moved && before.king(player).is_some())
}

/// The items that a legal move adds and removes: two of each if it captures, otherwise one.
#[inline(always)]
pub(crate) fn exchanged<R: RuleTable>(
    before: &Placement<R>,
    mv: Move<R>,
    after: &Placement<R>,
) -> [[Option<Item<R>>; 2]; 2] {
    let (mover, to) = (before.side(), mv.to());
    let held = |kind| usize::from(before.hand(mover).count(kind));
    match mv {
        Move::Drop { face, .. } => {
            let last = held(face.kind).saturating_sub(1);
            let dropped = Item::Board(to, Piece { face, colour: mover });
            [[Some(dropped), None], [Some(Item::Hand(mover, face.kind, last)), None]]
        }
        Move::Board { from, .. } => {
            let (mut brought, mut taken) = ([None; 2], [None; 2]);
            if let Some(arrived) = after.piece(to) {
                brought[0] = Some(Item::Board(to, arrived));
            }
            if let Some(left) = before.piece(from) {
                taken[0] = Some(Item::Board(from, left));
            }
            if let Some(captured) = before.piece(to) {
                let kind = captured.face.kind;
                brought[1] = Some(Item::Hand(mover, kind, held(kind)));
                taken[1] = Some(Item::Board(to, captured));
            }
            [brought, taken]
        }
    }
}
