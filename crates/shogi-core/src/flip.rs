//! Which of a position and its mirror image stands for both.

use crate::bitboard::Bitboard;
use crate::colour::Colour;
use crate::geometry::Geometry;
use crate::placement::Placement;
use crate::table::{Face, RuleTable};

/// Whether the position represents itself and its mirror image: whether it is not after the image in the order
/// of [`precedes_mirror_image`], with the faces in the rule table's [`RuleTable::flip_order`].
///
/// Exactly one of a position and its mirror image passes; a position that is its own mirror image passes.
/// Sente's king then stands on the left half or the middle file. Both positions are worth the same if
/// [`RuleTable::is_mirror_symmetric`] holds.
///
/// ```
/// use shogi_core::*;
///
/// /// King and pawn on the board of Dobutsu shogi.
/// #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
/// struct PawnGame;
/// impl RuleTable for PawnGame {
///     type Geometry = Board3x4;
///     const KINDS: &'static [KindSpec] =
///         &[KindSpec::pawn('P', 2, Some(Movement::GOLD)), KindSpec::royal('K')];
/// }
/// let faces: Vec<Face> = Kind::all::<PawnGame>().map(Face::front).collect();
/// let mut left = Placement::<PawnGame>::EMPTY;
/// left.put("2a".parse()?, Piece { face: faces[1], colour: Colour::Gote });
/// left.put("2d".parse()?, Piece { face: faces[1], colour: Colour::Sente });
/// left.put("3c".parse()?, Piece { face: faces[0], colour: Colour::Sente });
/// assert!(passes_flip(&left) && !passes_flip(&left.mirror()));
/// # Ok::<(), ParseSquareError>(())
/// ```
#[inline]
pub fn passes_flip<R: RuleTable>(placement: &Placement<R>) -> bool {
    precedes_mirror_image(placement, R::flip_order())
}

/// Whether the position is its own mirror image or comes before it in an order of positions.
///
/// Positions are compared by the squares of Sente's king, then Gote's king, then of each face in the
/// order given, Sente's before Gote's. At the first set of squares in which position and mirror image
/// differ, the one with a piece on the lower square number comes first; squares are numbered column
/// by column from the left of the printed board, and downwards.
#[inline]
pub fn precedes_mirror_image<R: RuleTable>(
    placement: &Placement<R>,
    faces: impl IntoIterator<Item = Face>,
) -> bool {
    for colour in Colour::ALL {
        if let Some(precedes) = precedes_mirrored(placement.royals() & placement.of(colour)) {
            return precedes;
        }
    }
    for face in faces {
        for colour in Colour::ALL {
            if let Some(precedes) = precedes_mirrored(placement.face(face) & placement.of(colour)) {
                return precedes;
            }
        }
    }
    true
}

/// Whether a set of squares comes before its mirror image; `None` if they are the same.
#[inline]
fn precedes_mirrored<G: Geometry>(set: Bitboard<G>) -> Option<bool> {
    let difference = set ^ set.mirror();
    difference.first().map(|square| set.contains(square))
}
