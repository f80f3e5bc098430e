//! Exchanges on one square.

use shogi_core::{Bitboard, Face, Move, Position, Promotion};
use shogi_rules::Rules;

use crate::evaluate::Values;

/// Whether a move gains at least `least` when both players go on taking on its target square, each
/// with the piece that is worth least, as long as it pays (static exchange evaluation).
///
/// A captured piece counts twice, since it comes to the other hand. Pins are not seen, and of
/// promotions only that of the move itself.
pub(crate) fn gains<R: Rules>(
    position: &Position<R>,
    values: &Values,
    made: Move<R>,
    least: i32,
) -> bool {
    let (to, us) = (made.to(), position.side());
    let mut occupied = position.occupied();
    let (gain, standing) = match made {
        Move::Drop { face, .. } => {
            (values.board(face) - values.hand(face.kind), values.capture(face))
        }
        Move::Board { from, turn, .. } => {
            let taken = position.piece(to).map_or(0, |piece| values.capture(piece.face));
            let Some(piece) = position.piece(from) else { return false };
            let face = Face { promoted: piece.face.promoted ^ turn, ..piece.face };
            occupied.remove(from);
            let growth = if turn { values.board(face) - values.board(piece.face) } else { 0 };
            (taken + growth, values.capture(face))
        }
    };
    if gain < least {
        return false;
    }
    occupied.insert(to);
    // What the player to take has to gain by taking, for the answer to change.
    let mut stake = standing - (gain - least);
    if stake <= 0 {
        return true;
    }
    let (mut side, mut gains) = (us, true);
    loop {
        side = !side;
        let attackers = position.attackers(to, side, occupied) & occupied;
        let Some((square, face)) = cheapest(position, values, attackers) else { return gains };
        gains = !gains;
        if Bitboard::of(square).meets(position.royals()) {
            // A king is taken last, and must not take what is guarded.
            let guards = position.attackers(to, !side, occupied) & occupied;
            return gains == guards.is_empty();
        }
        occupied.remove(square);
        let turned = Face { promoted: !face.promoted, ..face };
        let lies = if R::PROMOTION == Promotion::EveryMove { turned } else { face };
        stake = values.capture(lies) - stake;
        if stake < i32::from(gains) {
            return gains;
        }
    }
}

/// The attacker that is worth least, and what it shows.
fn cheapest<R: Rules>(
    position: &Position<R>,
    values: &Values,
    attackers: Bitboard<R::Geometry>,
) -> Option<(shogi_core::Square<R::Geometry>, Face)> {
    let seen = attackers.iter().filter_map(|square| Some((square, position.piece(square)?.face)));
    seen.min_by_key(|&(_, face)| values.capture(face))
}
