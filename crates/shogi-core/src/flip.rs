//! Which of a position and its mirror image stands for both.

use crate::bitboard::Bitboard;
use crate::colour::Colour;
use crate::geometry::Geometry;
use crate::placement::Placement;
use crate::table::{Face, RuleTable};

/// Whether the position is not larger than its mirror image.
///
/// Of a position and its mirror image exactly one passes; a position that is its own mirror image
/// passes. Positions are compared by the squares of Sente's king, then Gote's king, then of each
/// face (in the order of the rule table, fronts before backs, Sente's before Gote's): at the first
/// difference, the position with a piece on the lower square number is the smaller one. So Sente's
/// king always stands on the left half or the middle file.
///
/// ```
/// use shogi_core::passes_flip;
/// use shogi_rules::{Minishogi, parse_sfen};
/// let (left, _) = parse_sfen::<Minishogi>("2k2/5/G4/5/2K2 b 2R2B2S2Pg 1")?;
/// assert!(passes_flip(&left) && !passes_flip(&left.mirror()));
/// # Ok::<(), shogi_rules::SfenError>(())
/// ```
#[inline]
pub fn passes_flip<R: RuleTable>(placement: &Placement<R>) -> bool {
    let kings = Colour::ALL.map(|colour| placement.royals() & placement.of(colour));
    for set in kings {
        if let Some(smaller) = smaller_than_mirror(set) {
            return smaller;
        }
    }
    for face in Face::all::<R>() {
        for colour in Colour::ALL {
            if let Some(smaller) = smaller_than_mirror(placement.face(face) & placement.of(colour))
            {
                return smaller;
            }
        }
    }
    true
}

/// The one of a position and its mirror image that [`passes_flip`], and whether it is the mirror
/// image.
pub fn canonical<R: RuleTable>(placement: &Placement<R>) -> (Placement<R>, bool) {
    if passes_flip(placement) { (*placement, false) } else { (placement.mirror(), true) }
}

/// Whether a set of squares comes before its mirror image; `None` if they are the same.
#[inline]
fn smaller_than_mirror<G: Geometry>(set: Bitboard<G>) -> Option<bool> {
    let difference = set ^ set.mirror();
    difference.first().map(|square| set.contains(square))
}
