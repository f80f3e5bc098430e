//! How much danger a king is in: what aims at the squares around it, what protects them, and what the
//! opponent has in hand.

use shogi_core::{
    Bitboard, Colour, Face, Geometry, Kind, Placement, RuleTable, Slide, Square, Step, step_attacks,
};

use super::strategic::is_general;

/// A square of the zone that the opponent's pieces aim at.
const AIMED_AT: i32 = 2;
/// The same by two pieces or more, on top of it.
const DOUBLY: i32 = 3;
/// The same where no piece but the king protects it, on top of it.
const WEAK: i32 = 3;
/// A piece that aims at the zone.
const ATTACKER: i32 = 3;
/// An empty square that no piece but the king protects: a piece can be dropped there.
const OPEN: i32 = 1;
/// A pawn in the opponent's hand, a general, and any other piece; at most two of a kind count.
const IN_HAND: [i32; 3] = [1, 4, 3];
/// Hundredths of a pawn for the square of the sum, in sixteenths.
const SLOPE: i32 = 21;
/// The greatest danger, in hundredths of a pawn.
const MOST: i32 = 2_000;

/// What aims at the zone of a king.
#[derive(Clone, Copy)]
pub(super) struct Attack<G: Geometry> {
    /// The king's square and those around it; none without a king.
    zone: Bitboard<G>,
    once: Bitboard<G>,
    doubly: Bitboard<G>,
    pieces: i32,
}

impl<G: Geometry> Attack<G> {
    /// The attack on a king that nothing aims at yet.
    pub(super) fn on(king: Option<Square<G>>) -> Self {
        let zone = match king {
            Some(king) => step_attacks(Step::King, Colour::Sente, king) | Bitboard::of(king),
            None => Bitboard::EMPTY,
        };
        Self { zone, once: Bitboard::EMPTY, doubly: Bitboard::EMPTY, pieces: 0 }
    }

    /// Adds one of the opponent's pieces other than the king, which attacks these squares.
    #[inline]
    pub(super) fn add(&mut self, targets: Bitboard<G>) {
        let aimed = targets & self.zone;
        if !aimed.is_empty() {
            self.pieces += 1;
            self.doubly |= self.once & aimed;
            self.once |= aimed;
        }
    }

    /// The danger for the king of `colour`, in hundredths of a pawn, from 0 to 2,000. `protected` has
    /// the squares that its side's other pieces protect.
    ///
    /// It grows with the square of what adds up: one attacker alone is harmless.
    pub(super) fn danger<R: RuleTable<Geometry = G>>(
        &self,
        placement: &Placement<R>,
        colour: Colour,
        protected: Bitboard<G>,
    ) -> i32 {
        if self.zone.is_empty() {
            return 0;
        }
        let count = |squares: Bitboard<G>| squares.len() as i32;
        let sum = AIMED_AT * count(self.once)
            + DOUBLY * count(self.doubly)
            + WEAK * count(self.once - protected)
            + ATTACKER * self.pieces
            + OPEN * count(self.zone - placement.occupied() - protected)
            + in_hand(placement, !colour);
        (sum * sum * SLOPE / 16).min(MOST)
    }
}

/// What the pieces in a hand add to the danger for the other king.
fn in_hand<R: RuleTable>(placement: &Placement<R>, colour: Colour) -> i32 {
    let hand = placement.hand(colour);
    let [pawn, general, other] = IN_HAND;
    let mut danger = 0;
    for kind in Kind::all::<R>() {
        if !hand.has(kind) {
            continue;
        }
        let weight = match Face::front(kind).movement::<R>() {
            Some(movement) if is_general(movement) => general,
            Some(movement) if movement.step == Step::Pawn && movement.slide == Slide::None => pawn,
            _ => other,
        };
        danger += weight * i32::from(hand.count(kind).min(2));
    }
    danger
}

#[cfg(test)]
mod tests {
    use shogi_rules::{Shogi, parse_position};

    use super::super::{Evaluator, Strategic, Term};
    use super::*;

    /// The term for Sente, who is to move.
    fn safety(sfen: &str) -> i32 {
        let position = parse_position::<Shogi>(sfen).unwrap();
        let evaluation = Strategic::<Shogi>::tanigawa().with_king_safety();
        let terms = evaluation.explain(&position);
        let total: i32 = terms.iter().map(|term| term.value).sum();
        assert_eq!(total, evaluation.evaluate(&(), &position), "{sfen}");
        let is_it = |term: &&Term| term.name == "king safety";
        terms.iter().find(is_it).map(|term| term.value).unwrap()
    }

    #[test]
    fn danger_grows_faster_than_what_adds_up() {
        // Both kings have as many open squares.
        assert_eq!(safety("9/4k4/9/9/9/9/9/4K4/9 b - 1"), 0);
        // A gold before the king of Gote: alone, with a rook beside it, and with a piece in hand.
        let one = safety("4k4/9/4G4/9/9/9/9/9/4K4 b - 1");
        let two = safety("4k4/9/4G4/5R3/9/9/9/9/4K4 b - 1");
        let three = safety("4k4/9/4G4/5R3/9/9/9/9/4K4 b G 1");
        assert!(0 < one && 2 * one < two && two < three, "{one} {two} {three}");
        // The other side's attack counts as much, and a piece that protects the squares helps.
        assert_eq!(safety("4k4/9/9/9/9/9/4g4/9/4K4 b - 1"), -one);
        assert!(safety("4k4/3g5/4G4/9/9/9/9/9/4K4 b - 1") < one);
        // The most that there is; the rooks protect all but one square around the other king.
        let worst = "4k4/9/3RGR3/9/9/9/9/9/4K4 b 2B3G4S4N4L9P 1";
        assert_eq!(safety(worst), MOST - SLOPE / 16);
    }

    #[test]
    fn many_pawns_in_hand_count_as_two() {
        let two = safety("4k4/9/9/9/9/9/9/9/4K4 b 2P 1");
        assert!(two > 0);
        assert_eq!(safety("4k4/9/9/9/9/9/9/9/4K4 b 9P 1"), two);
        assert!(safety("4k4/9/9/9/9/9/9/9/4K4 b 2G 1") > two);
    }
}
