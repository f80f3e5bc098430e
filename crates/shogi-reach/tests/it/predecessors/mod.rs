//! Predecessors by trying everything, judged by the forward rules alone.

use shogi_rules::Rules;
use shogi_rules::shogi_core::{Face, Kind, Move, Placement, Square, Unmove};

/// Every legal position with a legal move to this one.
///
/// Each piece of the player who moved last is taken back to the hand and to every empty square,
/// turned over and not, with every piece in the hand put back in its place and with none. What
/// stands then must be a legal position in which the move is legal and leads here.
pub fn naive_predecessors<R: Rules>(placement: &Placement<R>) -> Vec<Placement<R>> {
    let mover = !placement.side();
    let in_hand = |kind: Kind| placement.hand(mover).has(kind);
    let captured: Vec<Option<Face>> = std::iter::once(None)
        .chain(Face::all::<R>().filter(|face| in_hand(face.kind)).map(Some))
        .collect();
    let mut found = Vec::new();
    let mut judge = |unmove: Unmove<R>| {
        let before = placement.unmake_unchecked(unmove);
        let leads_here =
            || before.is_legal(unmove.mv) && before.play_unchecked(unmove.mv) == *placement;
        if before.faults().is_empty() && !R::is_over(&before) && leads_here() {
            found.push(before);
        }
    };
    for to in placement.of(mover) {
        let Some(piece) = placement.piece(to) else { continue };
        judge(Unmove { mv: Move::Drop { face: piece.face, to }, captured: None });
        for from in Square::all().filter(|&from| !placement.occupied().contains(from)) {
            for turn in [false, true] {
                let mv = Move::Board { from, to, turn };
                captured.iter().for_each(|&captured| judge(Unmove { mv, captured }));
            }
        }
    }
    found
}
