//! Mates in one move.

use core::ops::ControlFlow;

use shogi_core::{
    Batch, Bitboard, Face, Move, Position, RuleTable, Square, attacks, generate_checks,
};

use crate::rules::{Rules, Verdict};

/// A check that ends the game at once with a loss of the player who is checked: the first in the
/// order of generation.
///
/// Where a royal piece may be left to capture, as in Dobutsu shogi, its capture is such a move, and
/// a mate is not.
///
/// ```
/// use shogi_rules::{Dobutsu, Minishogi, mate_in_one, parse_position, to_usi};
/// // The rook is dropped behind the king, whose other squares the gold attacks.
/// let position = parse_position::<Minishogi>("4k/5/4G/5/K4 b R 1")?;
/// let mate = mate_in_one(&position).expect("there is one");
/// assert!(position.play(mate).is_mate());
/// let capture = mate_in_one(&parse_position::<Dobutsu>("2l/2C/3/L2 b - 1")?);
/// assert_eq!(capture.map(|mv| to_usi(mv).to_string()).as_deref(), Some("1b1a+"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub fn mate_in_one<R: Rules>(position: &Position<R>) -> Option<Move<R>> {
    let king = position.king(!position.side())?;
    let flights = R::ROYAL_SAFETY.then(|| Flights::new(position, king));
    let found = generate_checks(position, |batch| {
        let batch = flights.as_ref().map_or(batch, |flights| flights.closing(batch));
        position.play_batch(batch, |mv, next| {
            // A player without a legal move has lost, in every game of the family.
            let lost = if R::ROYAL_SAFETY {
                next.has_no_move()
            } else {
                R::verdict(next) == Some(Verdict::Loss)
            };
            if lost { ControlFlow::Break(mv) } else { ControlFlow::Continue(()) }
        })
    });
    found.break_value()
}

/// Where the king to be mated could go at present. A check that leaves one of these squares
/// unattacked is no mate, which is found out without making the move.
struct Flights<R: RuleTable> {
    free: Bitboard<R::Geometry>,
    /// The squares that the attacker's sliders see. A piece that leaves one of them may uncover more.
    lines: Bitboard<R::Geometry>,
    /// The occupied squares but for the king's, since sliders see through it.
    occupied: Bitboard<R::Geometry>,
}

impl<R: RuleTable> Flights<R> {
    #[inline]
    fn new(position: &Position<R>, king: Square<R::Geometry>) -> Self {
        let us = position.side();
        let occupied = position.occupied() - Bitboard::of(king);
        let (attacked, lines) = position.attacked_squares(us, occupied);
        let movement = position.piece(king).and_then(|piece| piece.face.movement::<R>());
        let beside = movement.map_or(Bitboard::EMPTY, |m| attacks(m, !us, king, occupied));
        Self { free: beside - position.of(!us) - attacked, lines, occupied }
    }

    /// The moves of a batch that may leave the king nowhere to go.
    #[inline]
    fn closing(&self, mut batch: Batch<R>) -> Batch<R> {
        if self.free.is_empty() {
            return batch;
        }
        let mut kept = [Bitboard::EMPTY; 2];
        for mv in batch.moves() {
            let (from, turn) = match mv {
                Move::Board { from, turn, .. } => (Bitboard::of(from), turn),
                Move::Drop { .. } => (Bitboard::EMPTY, false),
            };
            let face = Face { promoted: batch.face.promoted ^ turn, ..batch.face };
            let covers = |movement| {
                let covered = attacks(movement, batch.colour, mv.to(), self.occupied - from);
                (self.free - covered).is_empty()
            };
            if from.meets(self.lines) || face.movement::<R>().is_some_and(covers) {
                kept[usize::from(turn)].insert(mv.to());
            }
        }
        [batch.keep, batch.turn] = kept;
        batch
    }
}
