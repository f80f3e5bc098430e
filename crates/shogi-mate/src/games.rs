//! Positions of random games for problems.

use rand_chacha::ChaCha8Rng;
use shogi_core::{Colour, Faults, Position, has_check};
use shogi_rules::Rules;

use super::compose::below;

/// The longest game, in plies.
const MAX_PLIES: usize = 400;

/// The positions of a game of random moves in which Sente can give check, without Sente's king, which no
/// problem needs. If kings may be left in attack it stays, since then a side without a king has lost.
pub fn positions<R: Rules>(random: &mut ChaCha8Rng) -> Vec<Position<R>> {
    let (mut position, mut found) = (R::start(), Vec::new());
    for _ in 0..MAX_PLIES {
        let moves = position.legal_moves();
        if R::verdict(&position).is_some() || moves.is_empty() {
            break;
        }
        if position.side() == Colour::Sente && has_check(&position) {
            found.extend(without_attacking_king(&position));
        }
        position = position.play_unchecked(moves[below(random, moves.len())]);
    }
    found
}

fn without_attacking_king<R: Rules>(position: &Position<R>) -> Option<Position<R>> {
    let mut placement = *position.placement();
    if let Some(king) = position.king(position.side()).filter(|_| R::royal_safety()) {
        placement.lift(king);
    }
    Position::new_allowing(placement, Faults::MISSING_KING).ok()
}
