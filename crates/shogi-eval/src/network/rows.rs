//! The rows of weights of a network's first layer, and the rows that a position adds up.
//!
//! Each player sees the board from the own side, with the own king on the left half or the middle
//! file. For that player the rows are
//!
//! | row | how many on 5x5 with the pieces of Kyoto shogi |
//! |---|---:|
//! | own king's zone, and a face of a player on a square | 15 x 18 x 25 |
//! | own king's zone, and the first, second, ... piece of a kind in a hand | 15 x 20 |
//! | this king has so many escapes, and its enemy so many pieces in hand | 162 |
//! | so many squares beside this king are attacked, and its enemy ... | 162 |
//! | this king is in check | 2 |
//! | this face of a player is attacked, and guarded or not | 36 |
//!
//! The first two change with a move by a few rows, unless the own king moves. The others, the *state* of the
//! position, are recomputed for each position.
//!
//! A *zone* of the king is one square on boards of up to 30 squares. On larger boards, where games would teach
//! too little about each square, a zone is two files wide and consists of the two home ranks or of all others:
//! six zones on 9x9.

use std::marker::PhantomData;

use shogi_core::{Bitboard, Colour, Face, Geometry, Kind, Placement, RuleTable, Square, Step};
use shogi_core::{Piece, step_attacks};

use super::view::View;
use crate::features::{Features, HAND_SIZES, NEIGHBOURS};

/// The name of this list of rows; networks learnt on another list cannot be used.
pub const ROW_SET: &str = "king-rows-1";

/// The rows for a rule table.
///
/// ```
/// use shogi_eval::network::Rows;
/// use shogi_rules::KyotoShogi;
/// assert_eq!(Rows::<KyotoShogi>::COUNT, 15 * 470 + 162 + 162 + 2 + 36);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Rows<R>(PhantomData<R>);

impl<R: RuleTable> Rows<R> {
    const SLOTS: usize = Features::<R>::SLOTS;
    const MAX_IN_HAND: usize = Features::<R>::MAX_IN_HAND;
    const HANDS: usize = Self::SLOTS * R::Geometry::AREA;
    /// Rows for each zone of the own king.
    pub(crate) const BY_KING: usize = Self::HANDS + 2 * R::KINDS.len() * Self::MAX_IN_HAND;
    const SQUARES_ARE_ZONES: bool = R::Geometry::AREA <= 30;
    /// Zones of the own king.
    const ZONES: usize = if Self::SQUARES_ARE_ZONES {
        View::<R>::KINGS
    } else {
        2 * R::Geometry::WIDTH.div_ceil(2).div_ceil(2) as usize
    };
    /// Rows of pieces, which come first.
    pub(crate) const PIECES: usize = Self::ZONES * Self::BY_KING;
    const ESCAPES: usize = Self::PIECES;
    const ATTACKED: usize = Self::ESCAPES + 2 * NEIGHBOURS * HAND_SIZES;
    const CHECK: usize = Self::ATTACKED + 2 * NEIGHBOURS * HAND_SIZES;
    const HANGING: usize = Self::CHECK + 2;
    /// Number of rows.
    pub const COUNT: usize = Self::HANGING + 2 * Self::SLOTS;

    /// The first row of the zone that a player's king stands in.
    #[inline(always)]
    const fn first(view: &View<R>) -> usize {
        let zone = if Self::SQUARES_ARE_ZONES {
            view.king
        } else {
            let height = R::Geometry::HEIGHT as usize;
            let (file, rank) = (view.king / height, view.king % height);
            2 * (file / 2) + (rank + 2 < height) as usize
        };
        zone * Self::BY_KING
    }

    /// Numbers of rows by kind.
    pub const COUNTS: RowCounts =
        RowCounts { all: Self::COUNT, pieces: Self::PIECES, by_king: Self::BY_KING };

    /// The rows of pieces that a position may have. The numbering also has rows for more pieces of a kind in
    /// hand than exist; these are left out.
    pub fn met() -> Vec<usize> {
        let mut rows = Vec::with_capacity(Self::PIECES);
        for row in 0..Self::PIECES {
            if Self::is_met(row) {
                rows.push(row);
            }
        }
        rows
    }

    /// Whether the pieces of the game can make this row of a piece appear in a position.
    pub(crate) fn is_met(row: usize) -> bool {
        let Some(in_hand) = (row % Self::BY_KING).checked_sub(Self::HANDS) else { return true };
        let (kind, nth) = (in_hand / Self::MAX_IN_HAND, in_hand % Self::MAX_IN_HAND);
        nth < usize::from(R::KINDS[kind % R::KINDS.len()].count)
    }

    /// The most rows that a player adds up in a position with the pieces of the game: each piece once
    /// on the board or in a hand, once as attacked, and five for kings and check.
    pub(crate) const MAX_ADDED: usize = {
        let (mut pieces, mut k) = (0, 0);
        while k < R::KINDS.len() {
            pieces += R::KINDS[k].count as usize;
            k += 1;
        }
        2 * pieces + 6
    };

    /// The row of a piece on the board.
    #[inline(always)]
    pub(crate) fn of_piece(view: &View<R>, square: Square<R::Geometry>, piece: Piece) -> usize {
        let slot = Features::<R>::slot(piece.face, view.owner(piece.colour));
        Self::first(view) + slot * R::Geometry::AREA + view.square(square)
    }

    /// The row of the piece number `nth`, from 0, of a kind in a hand.
    #[inline(always)]
    pub(crate) fn of_hand(view: &View<R>, owner: Colour, kind: Kind, nth: usize) -> usize {
        let kind = view.owner(owner) * R::KINDS.len() + kind.index();
        let nth = nth.min(Self::MAX_IN_HAND - 1);
        Self::first(view) + Self::HANDS + kind * Self::MAX_IN_HAND + nth
    }

    /// Visits the rows of the pieces on the board and in the hands, as a player sees them; none for a player
    /// without a king.
    #[inline]
    pub fn visit_pieces(placement: &Placement<R>, player: Colour, mut row: impl FnMut(usize)) {
        let Some(king) = placement.king(player) else { return };
        let view = View::<R>::new(player, king);
        for kind in Kind::all::<R>() {
            for face in [Face::front(kind), Face::back(kind)] {
                let squares = placement.face(face);
                for colour in Colour::ALL {
                    for square in squares & placement.of(colour) {
                        row(Self::of_piece(&view, square, Piece { face, colour }));
                    }
                }
            }
            for owner in Colour::ALL {
                for nth in 0..usize::from(placement.hand(owner).count(kind)) {
                    row(Self::of_hand(&view, owner, kind, nth));
                }
            }
        }
    }

    /// Visits the rows of the state, each with the player who sees it. `attacked` is the result of
    /// [`Features::attacked`].
    #[inline]
    pub fn visit_state(
        placement: &Placement<R>,
        attacked: &[Bitboard<R::Geometry>; 2],
        mut row: impl FnMut(Colour, usize),
    ) {
        for colour in Colour::ALL {
            let (ours, theirs) = (placement.of(colour), attacked[(!colour).index()]);
            for square in (ours & theirs) - placement.royals() {
                let Some(piece) = placement.piece(square) else { continue };
                let guarded = usize::from(attacked[colour.index()].contains(square));
                for player in Colour::ALL {
                    let slot = Features::<R>::slot(piece.face, usize::from(player != colour));
                    row(player, Self::HANGING + 2 * slot + guarded);
                }
            }
            let Some(king) = placement.king(colour) else { continue };
            let beside = step_attacks(Step::King, colour, king);
            let escapes = (beside - ours - theirs).len() as usize;
            let unsafe_squares = (beside & theirs).len() as usize;
            let hand = Features::<R>::hand_size(placement.hand(!colour));
            let check = theirs.contains(king);
            for player in Colour::ALL {
                let whose = usize::from(player != colour);
                let first = whose * NEIGHBOURS;
                row(player, Self::ESCAPES + (first + escapes) * HAND_SIZES + hand);
                row(player, Self::ATTACKED + (first + unsafe_squares) * HAND_SIZES + hand);
                if check {
                    row(player, Self::CHECK + whose);
                }
            }
        }
    }
}

/// Numbers of rows of a rule table.
#[derive(Clone, Copy, Debug)]
pub struct RowCounts {
    /// All.
    pub all: usize,
    /// Rows of pieces, which come first.
    pub pieces: usize,
    /// Rows for each zone of the own king.
    pub by_king: usize,
}

impl RowCounts {
    /// The row's piece without the own king's zone: the number of a row among those that do not depend on it, below
    /// `by_king`; `None` for rows of the state.
    #[inline(always)]
    pub fn without_king(self, row: usize) -> Option<usize> {
        (row < self.pieces).then(|| row % self.by_king)
    }
}
