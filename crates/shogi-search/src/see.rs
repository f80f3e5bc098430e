//! Static exchange evaluation: exchanges on one square.

use shogi_core::{Bitboard, Face, Move, Position, Promotion, Square};
use shogi_eval::Values;
use shogi_rules::Rules;

/// Whether a move gains at least `threshold` if both players keep capturing on its target square,
/// each with the least valuable piece, as long as it pays (static exchange evaluation).
///
/// A captured piece counts twice, since it changes hands. Pins are ignored, and so are promotions
/// except that of the move itself.
pub(crate) fn see_ge<R: Rules>(
    position: &Position<R>,
    values: &Values,
    mv: Move<R>,
    threshold: i32,
) -> bool {
    let (to, us) = (mv.to(), position.side());
    let mut occupied = position.occupied();
    let (gain, standing) = match mv {
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
    if gain < threshold {
        return false;
    }
    occupied.insert(to);
    // The gain that the next capture needs to change the answer.
    let mut balance = standing - (gain - threshold);
    if balance <= 0 {
        return true;
    }
    let (mut side, mut result) = (us, true);
    loop {
        side = !side;
        let attackers = position.attackers(to, side, occupied) & occupied;
        let Some((square, face)) = least_valuable(position, values, attackers) else {
            return result;
        };
        result = !result;
        if Bitboard::of(square).meets(position.royals()) {
            // The king captures last, and not where the piece is protected.
            let protectors = position.attackers(to, !side, occupied) & occupied;
            return result == protectors.is_empty();
        }
        occupied.remove(square);
        let turned = Face { promoted: !face.promoted, ..face };
        let stands = if R::promotion() == Promotion::EveryMove { turned } else { face };
        balance = values.capture(stands) - balance;
        if balance < i32::from(result) {
            return result;
        }
    }
}

/// The least valuable attacker and its face; the first of several.
fn least_valuable<R: Rules>(
    position: &Position<R>,
    values: &Values,
    attackers: Bitboard<R::Geometry>,
) -> Option<(Square<R::Geometry>, Face)> {
    let mut least = None;
    let mut least_value = i32::MAX;
    for square in attackers {
        let Some(piece) = position.piece(square) else { continue };
        let value = values.capture(piece.face);
        if least.is_none() || value < least_value {
            (least, least_value) = (Some((square, piece.face)), value);
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use shogi_core::Colour;
    use shogi_rules::Game;
    use testing::for_every_variant;
    use testing::random::Random;

    use super::*;

    /// The best gain of the player to capture: nothing, or the captured piece less the best reply.
    fn taking<R: Rules>(
        position: &Position<R>,
        values: &Values,
        to: Square<R::Geometry>,
        standing: Face,
        side: Colour,
        occupied: Bitboard<R::Geometry>,
    ) -> i32 {
        let attackers = position.attackers(to, side, occupied) & occupied;
        let Some((from, face)) = least_valuable(position, values, attackers) else { return 0 };
        let mut left = occupied;
        left.remove(from);
        if position.royals().contains(from) {
            let guarded = position.attacked(to, !side, left)
                && !(position.attackers(to, !side, left) & left).is_empty();
            return if guarded { 0 } else { values.capture(standing) };
        }
        let turned = R::promotion() == Promotion::EveryMove;
        let face = Face { promoted: face.promoted ^ turned, ..face };
        let rest = taking(position, values, to, face, !side, left);
        (values.capture(standing) - rest).max(0)
    }

    /// The whole exchange that a move begins, by recursion.
    fn exchange<R: Rules>(position: &Position<R>, values: &Values, mv: Move<R>) -> i32 {
        let (us, to) = (position.side(), mv.to());
        let mut occupied = position.occupied();
        let (gain, face) = match mv {
            Move::Drop { face, .. } => (values.board(face) - values.hand(face.kind), face),
            Move::Board { from, turn, .. } => {
                occupied.remove(from);
                let moved = position.piece(from).unwrap().face;
                let face = Face { promoted: moved.promoted ^ turn, ..moved };
                let taken = position.piece(to).map_or(0, |piece| values.capture(piece.face));
                let growth = if turn { values.board(face) - values.board(moved) } else { 0 };
                (taken + growth, face)
            }
        };
        occupied.insert(to);
        gain - taking(position, values, to, face, !us, occupied)
    }

    fn compare<R: Rules>(games: u64) {
        let values = Values::by_freedom::<R>();
        let mut random = Random::new(1);
        for _ in 0..games {
            let mut game = Game::<R>::from_start();
            while game.outcome().is_none() && game.moves().len() < 60 {
                let position = *game.position();
                let moves = position.legal_moves();
                for &mv in &moves {
                    // Legality, not values, decides exchanges with kings.
                    let standing = position.play_unchecked(mv).piece(mv.to()).unwrap();
                    if standing.face.kind.spec::<R>().role == shogi_core::Role::Royal {
                        continue;
                    }
                    let exact = exchange(&position, &values, mv);
                    for least in [exact - 700, exact - 1, exact, exact + 1, 0] {
                        let found = see_ge(&position, &values, mv, least);
                        assert_eq!(found, exact >= least, "{mv:?} {exact} {least}");
                    }
                }
                game.play(random.pick(&moves)).unwrap();
            }
        }
    }

    for_every_variant!(the_loop_agrees_with_recursion: compare(60; shogi: 12));
}
