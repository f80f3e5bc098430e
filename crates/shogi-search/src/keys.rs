//! Keys of parts of a position, by which histories and corrections know positions that are alike.

use shogi_core::{Bitboard, Colour, Geometry, Kind, Position, RuleTable, Word};

/// The golden ratio spreads keys that lie side by side.
const GOLDEN_RATIO: u64 = 0x9e37_79b9_7f4a_7c15;

/// A key of the pawns of both players.
#[inline]
pub(crate) fn pawn_key<R: RuleTable>(position: &Position<R>) -> u64 {
    let pawns = position.pawns();
    let [sente, gote] = Colour::ALL.map(|player| pawns & position.of(player));
    with(with(0, sente), gote)
}

/// A key of the pieces on these squares, by their kinds and faces.
#[inline]
pub(crate) fn piece_key<R: RuleTable>(
    position: &Position<R>,
    squares: Bitboard<R::Geometry>,
) -> u64 {
    let mut key = with(0, position.promoted() & squares);
    for kind in Kind::all::<R>() {
        key = with(key, position.kind(kind) & squares);
    }
    key
}

/// The place of a key among `1 << bits` slots.
#[inline]
pub(crate) const fn slot(key: u64, bits: u32) -> usize {
    ((key ^ (key >> 29)).wrapping_mul(GOLDEN_RATIO) >> (u64::BITS - bits)) as usize
}

/// A key of the sets that `key` is of, and of one more.
#[inline]
fn with<G: Geometry>(key: u64, set: Bitboard<G>) -> u64 {
    let word = set.word().widen();
    let first = mixed(key ^ word as u64);
    match G::Word::BITS > u64::BITS {
        true => mixed(first ^ (word >> u64::BITS) as u64),
        false => first,
    }
}

/// Spreads each bit over others.
#[inline]
const fn mixed(key: u64) -> u64 {
    key.wrapping_mul(GOLDEN_RATIO).rotate_left(32)
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use shogi_rules::{Game, Rules};
    use testing::for_every_variant;
    use testing::random::Random;

    use super::*;

    /// The pieces of a position on some squares, which its key stands for.
    fn pieces<R: Rules>(position: &Position<R>, squares: Bitboard<R::Geometry>) -> Vec<String> {
        let of =
            |square| format!("{square:?} {:?}", position.piece(square).map(|piece| piece.face));
        squares.iter().map(of).collect()
    }

    /// Positions share a key if, and only if, they share what it is of.
    fn compare<R: Rules>(games: u64) {
        let mut random = Random::new(5);
        let (mut pawns, mut others) = (HashMap::new(), HashMap::new());
        let mut slots = HashSet::new();
        for _ in 0..games {
            let mut game = Game::<R>::from_start();
            while game.outcome().is_none() && game.moves().len() < 80 {
                let position = game.position();
                let (own, all) = (position.of(position.side()), position.pawns());
                let sides = Colour::ALL.map(|player| pieces(position, all & position.of(player)));
                let rest = pieces(position, own - all);
                let known = pawns.entry(pawn_key(position)).or_insert_with(|| sides.clone());
                assert_eq!(*known, sides);
                let key = piece_key(position, own - all);
                let known = others.entry(key).or_insert_with(|| rest.clone());
                assert_eq!(*known, rest);
                slots.insert(slot(key, 9));
                let mv = random.pick(&position.legal_moves());
                game.play(mv).unwrap();
            }
        }
        let (of_pawns, of_others): (HashSet<_>, HashSet<_>) =
            (pawns.values().collect(), others.values().collect());
        assert_eq!([of_pawns.len(), of_others.len()], [pawns.len(), others.len()]);
        assert!(slots.len() > 60 && slots.iter().all(|&slot| slot < 512), "{}", slots.len());
    }

    for_every_variant!(keys_stand_for_what_they_are_of: compare(30));
}
