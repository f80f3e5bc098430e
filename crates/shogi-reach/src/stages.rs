//! The stages of Ishii & Tanaka's funnel that concern a single position.

use shogi_core::{Colour, Placement, RuleTable};

use crate::Stage;

/// Stage 2, pawn: whether no player has two unpromoted pawns on a file and no piece stands where
/// it can never move again (each as far as the variant forbids it).
#[inline]
pub fn passes_pawn<R: RuleTable>(placement: &Placement<R>) -> bool {
    !placement.has_nifu() && !placement.has_immobile()
}

/// Stage 3, king: whether the player *not* to move is out of check; adjacent kings count as check.
#[inline]
pub fn passes_king<R: RuleTable>(placement: &Placement<R>) -> bool {
    !placement.in_check(!placement.side())
}

/// The stage that drops an illegal position, [`Stage::Pawn`] or [`Stage::King`]; `None` for a legal one.
///
/// ```
/// use shogi_reach::{Stage, illegal_stage};
/// use shogi_rules::Minishogi;
/// let two_pawns = "k4/5/1P3/1P3/K4 b 2G2S2B2R 1".parse()?;
/// assert_eq!(illegal_stage::<Minishogi>(&two_pawns), Some(Stage::Pawn));
/// # Ok::<(), shogi_rules::SfenError>(())
/// ```
#[inline]
pub fn illegal_stage<R: RuleTable>(placement: &Placement<R>) -> Option<Stage> {
    if !passes_pawn(placement) {
        Some(Stage::Pawn)
    } else if !passes_king(placement) {
        Some(Stage::King)
    } else {
        None
    }
}

/// Whether this is a KK position: only the two kings on the board, more than two apart in
/// Manhattan distance.
///
/// Every KK position can be reached from the start of the game, see
/// [`Hub`](crate::Hub).
#[inline]
pub fn is_hub<R: RuleTable>(placement: &Placement<R>) -> bool {
    if placement.occupied().len() != 2 {
        return false;
    }
    match (placement.king(Colour::Sente), placement.king(Colour::Gote)) {
        (Some(sente), Some(gote)) => sente.manhattan(gote) > 2,
        _ => false,
    }
}
