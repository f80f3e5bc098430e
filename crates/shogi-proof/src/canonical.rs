//! A proof file holds only the canonical one of a position and its mirror image, or both if the rules do not
//! treat left and right alike.

use shogi_core::{Face, Placement, RuleTable, precedes_mirror_image};

/// The canonical one of a position and its mirror image, and whether it is the mirror image. If the two are not
/// equivalent, each is canonical.
pub fn canonical<R: RuleTable>(placement: &Placement<R>) -> (Placement<R>, bool) {
    if is_canonical(placement) { (*placement, false) } else { (placement.mirror(), true) }
}

/// Whether a position is the canonical one: faces are compared in the order of the rule table, fronts
/// before backs. The order is part of the format and independent of
/// [`RuleTable::flip_order`](shogi_core::RuleTable::flip_order).
pub fn is_canonical<R: RuleTable>(placement: &Placement<R>) -> bool {
    !R::is_mirror_symmetric() || precedes_mirror_image(placement, Face::all::<R>())
}
