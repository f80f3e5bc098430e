//! Piece-square tables for each square of a king.

#[cfg(feature = "files")]
mod file;

use std::fmt;
use std::marker::PhantomData;

use shogi_core::{Colour, Face, Geometry, Kind, MAX_KINDS, Move, Piece, Position, Square};
use shogi_rules::Rules;

use crate::features::Features;
use crate::linear::WeightsError;
use crate::network::{Item, View, exchanged, unmoved_king};
use crate::values::Values;

/// A linear evaluation: each player is credited, for every piece on the board and in a hand, with a
/// number that depends on the piece, its square and where the player's king stands.
///
/// The evaluation is what the player to move is credited with, less what the opponent is. Both see
/// the board from their own side, with the king on the left half or the middle file, so one table
/// serves both; with the king on the middle file tables are
/// symmetrical. Moves change one to three numbers; only a king's move makes its owner's sum anew.
///
/// Earlier versions made such tables; their files are read.
///
/// ```
/// use shogi_rules::{Dobutsu, Rules};
/// use shogi_eval::{KingPiece, Values};
/// let (values, weights) = (Values::standard::<Dobutsu>(), vec![0; KingPiece::<Dobutsu>::COUNT]);
/// let tables = KingPiece::<Dobutsu>::new(values, 7, weights, "by hand".to_owned())?;
/// let start = Dobutsu::start();
/// assert_eq!(tables.evaluate(&tables.start(&start), &start), 7);
/// assert_eq!(KingPiece::<Dobutsu>::from_json(&tables.to_json())?, tables);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct KingPiece<R> {
    values: Values,
    tempo: i32,
    /// By square of the king and feature, in [`UNITS`](Self::UNITS) to the hundredth of a pawn.
    weights: Vec<i16>,
    origin: String,
    rules: PhantomData<R>,
}

impl<R> fmt::Debug for KingPiece<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KingPiece")
            .field("values", &self.values)
            .field("weights", &self.weights.len())
            .field("origin", &self.origin)
            .finish()
    }
}

impl<R: Rules> KingPiece<R> {
    /// Units of a weight to a hundredth of a pawn.
    pub const UNITS: i32 = 4;
    /// Squares of the king, mirror images folded.
    pub const KINGS: usize = View::<R>::KINGS;
    /// The most pieces of one kind in a hand.
    const MAX_IN_HAND: usize = Features::<R>::MAX_IN_HAND;
    /// Where the features of hands begin.
    const HANDS: usize = 2 * Face::MAX * R::Geometry::AREA;
    /// Features for each square of the king: a piece's face, owner and square; and for each kind
    /// and owner, whether there is a first, a second, ... in hand.
    pub const FEATURES: usize = Self::HANDS + 2 * MAX_KINDS * Self::MAX_IN_HAND;
    /// All weights.
    pub const COUNT: usize = Self::KINGS * Self::FEATURES;

    /// Tables from weights, by `king * FEATURES + feature`; see [`KingPiece::visit`].
    ///
    /// # Errors
    ///
    /// [`WeightsError::Count`].
    pub fn new(
        values: Values,
        tempo: i32,
        weights: Vec<i16>,
        origin: String,
    ) -> Result<Self, WeightsError> {
        if weights.len() != Self::COUNT {
            return Err(WeightsError::Count { found: weights.len(), expected: Self::COUNT });
        }
        Ok(Self { values, tempo, weights, origin, rules: PhantomData })
    }

    /// How the tables were made.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Calls `feature` with the number of every weight that a player is credited with, each once.
    /// There is none for a player without a king.
    pub fn visit(position: &Position<R>, player: Colour, mut feature: impl FnMut(usize)) {
        let Some(king) = position.king(player) else { return };
        let view = View::<R>::new(player, king);
        for (square, piece) in position.pieces() {
            feature(Self::of_piece(&view, square, piece));
        }
        for owner in Colour::ALL {
            let hand = position.hand(owner);
            for kind in Kind::all::<R>() {
                for nth in 0..usize::from(hand.count(kind)) {
                    feature(Self::of_hand(&view, owner, kind, nth));
                }
            }
        }
    }

    /// The weight of a piece.
    #[inline(always)]
    fn of_item(view: &View<R>, item: Item<R>) -> usize {
        match item {
            Item::Board(square, piece) => Self::of_piece(view, square, piece),
            Item::Hand(owner, kind, nth) => Self::of_hand(view, owner, kind, nth),
        }
    }

    /// The weight of a piece on the board.
    #[inline(always)]
    fn of_piece(view: &View<R>, square: Square<R::Geometry>, piece: Piece) -> usize {
        let row = view.owner(piece.colour) * Face::MAX + piece.face.index();
        view.king * Self::FEATURES + row * R::Geometry::AREA + view.square(square)
    }

    /// The weight of a piece in a hand.
    #[inline(always)]
    fn of_hand(view: &View<R>, owner: Colour, kind: Kind, nth: usize) -> usize {
        let row = view.owner(owner) * MAX_KINDS + kind.index();
        let nth = nth.min(Self::MAX_IN_HAND - 1);
        view.king * Self::FEATURES + Self::HANDS + row * Self::MAX_IN_HAND + nth
    }

    /// What a player is credited with.
    fn sum(&self, position: &Position<R>, player: Colour) -> i32 {
        let mut sum = 0;
        Self::visit(position, player, |feature| sum += self.weight(feature));
        sum
    }

    #[inline(always)]
    fn weight(&self, feature: usize) -> i32 {
        i32::from(self.weights[feature])
    }

    /// The values of pieces that the tables were fitted with.
    pub const fn values(&self) -> &Values {
        &self.values
    }

    /// What Sente and Gote are credited with in a position.
    pub fn start(&self, position: &Position<R>) -> [i32; 2] {
        [self.sum(position, Colour::Sente), self.sum(position, Colour::Gote)]
    }

    /// What they are credited with after a move, from what they were before it: the same as
    /// [`KingPiece::start`] of the position after it.
    #[inline]
    pub fn after(
        &self,
        sums: &[i32; 2],
        before: &Position<R>,
        mv: Move<R>,
        after: &Position<R>,
    ) -> [i32; 2] {
        let [brought, taken] = exchanged(before, mv, after);
        let mut next = *sums;
        for player in Colour::ALL {
            let sum = &mut next[player.index()];
            let Some(king) = unmoved_king((before, mv, after), player) else {
                *sum = self.sum(after, player);
                continue;
            };
            let view = View::<R>::new(player, king);
            for (items, sign) in [(brought, 1), (taken, -1)] {
                for item in items {
                    let Some(item) = item else { continue };
                    *sum += sign * self.weight(Self::of_item(&view, item));
                }
            }
        }
        next
    }

    /// How good the position is for the player to move, in hundredths of a pawn.
    #[inline]
    pub fn evaluate(&self, sums: &[i32; 2], position: &Position<R>) -> i32 {
        let us = position.side();
        (sums[us.index()] - sums[(!us).index()]) / Self::UNITS + self.tempo
    }

    /// What the evaluation is made of, in hundredths of a pawn: the pieces on the board of the player
    /// to move, the opponent's, their hands, and the right to move with what rounding leaves.
    pub fn parts(&self, position: &Position<R>) -> [i32; 5] {
        let us = position.side();
        let mut parts = [0; 4];
        for player in Colour::ALL {
            let sign = if player == us { 1 } else { -1 };
            Self::visit(position, player, |weight| {
                let feature = weight % Self::FEATURES;
                let (hand, row) = match feature.checked_sub(Self::HANDS) {
                    None => (0, feature / (Face::MAX * R::Geometry::AREA)),
                    Some(in_hand) => (2, in_hand / (MAX_KINDS * Self::MAX_IN_HAND)),
                };
                let own = (row == 0) == (player == us);
                parts[hand + usize::from(!own)] += sign * self.weight(weight);
            });
        }
        with_rest(parts, Self::UNITS, self.evaluate(&self.start(position), position))
    }
}

/// Parts in whole numbers of so many units each, and what they leave of the total.
fn with_rest([own, theirs, own_hand, their_hand]: [i32; 4], units: i32, total: i32) -> [i32; 5] {
    let (own, theirs) = (own / units, theirs / units);
    let (own_hand, their_hand) = (own_hand / units, their_hand / units);
    [own, theirs, own_hand, their_hand, total - own - theirs - own_hand - their_hand]
}

#[cfg(test)]
pub(crate) mod tests {
    use shogi_rules::Game;
    use testing::for_every_variant;
    use testing::random::Random;

    use super::*;

    /// Tables without any pattern.
    pub(super) fn random<R: Rules>() -> KingPiece<R> {
        let weight = |n: usize| ((n as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52) as i16;
        let weights = (0..KingPiece::<R>::COUNT).map(|n| weight(n) - 2048).collect();
        let values = Values::by_freedom::<R>();
        KingPiece::new(values, 7, weights, "random".to_owned()).unwrap()
    }

    fn follow<R: Rules>(games: u64) {
        let tables = random::<R>();
        let mut random = Random::new(7);
        for _ in 0..games {
            let mut game = Game::<R>::from_start();
            let mut state = tables.start(game.position());
            while game.outcome().is_none() && game.moves().len() < 80 {
                let before = *game.position();
                let moves = before.legal_moves();
                let mv = random.pick(&moves);
                game.play(mv).unwrap();
                state = tables.after(&state, &before, mv, game.position());
                assert_eq!(state, tables.start(game.position()));
                let value = tables.evaluate(&state, game.position());
                // The same position with the colours changed is as good.
                let exchanged = game.position().exchange_colours();
                let same = Position::new_allowing(exchanged, shogi_core::Faults::all()).unwrap();
                assert_eq!(tables.evaluate(&tables.start(&same), &same), value);
                assert_eq!(tables.parts(game.position()).iter().sum::<i32>(), value);
            }
        }
    }

    for_every_variant!(sums_are_kept_up_to_date: follow(60; shogi: 6));
}
