//! Pieces that a player always turns over where it may be done.

use shogi_core::{Batch, Bitboard, Move, Position, RuleTable};
use shogi_rules::{Rules, Stalemate};

/// The kinds whose back moves as their front does and further, such as pawns, bishops and rooks.
///
/// Nothing is gained by keeping the front of such a piece, so the search leaves these moves out, as other programs do. None
/// where more moves may be worse: where captures are forced, or a player without a move is not lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Outgrown {
    /// A bit for each kind.
    kinds: u64,
}

impl Outgrown {
    /// No kinds.
    pub(crate) const NONE: Self = Self { kinds: 0 };

    /// The kinds of a rule set.
    pub(crate) fn of<R: Rules>() -> Self {
        let mut kinds = 0;
        if R::must_capture() || R::stalemate() != Stalemate::Loss {
            return Self { kinds };
        }
        for (number, spec) in R::kinds().iter().enumerate() {
            let back = spec.back.map(|back| back.reach());
            if back.is_some_and(|back| back.union(spec.front.reach()) == back) {
                kinds |= 1 << number;
            }
        }
        Self { kinds }
    }

    /// The targets of moves that keep the face and may be worth searching.
    #[inline]
    pub(crate) fn keep<R: RuleTable>(self, batch: &Batch<R>) -> Bitboard<R::Geometry> {
        let outgrown = !batch.face.promoted && self.kinds >> batch.face.kind.index() & 1 != 0;
        if outgrown { batch.keep - batch.turn } else { batch.keep }
    }

    /// Whether a legal move is left out, since the piece may be turned over as well.
    pub(crate) fn leaves_out<R: Rules>(self, position: &Position<R>, mv: Move<R>) -> bool {
        let Move::Board { from, to, turn: false } = mv else { return false };
        let front = position.piece(from).map(|piece| piece.face).filter(|face| !face.promoted);
        front.is_some_and(|face| self.kinds >> face.kind.index() & 1 != 0)
            && position.is_legal(Move::Board { from, to, turn: true })
    }
}

#[cfg(test)]
mod tests {
    use shogi_core::{Board3x4, KindSpec, Movement};
    use shogi_rules::{KyotoShogi, Minishogi, Shogi, parse_position};

    use super::*;

    fn left_out<R: Rules>(sfen: &str) -> Vec<String> {
        let position = parse_position::<R>(sfen).unwrap();
        let outgrown = Outgrown::of::<R>();
        let moves = position.legal_moves();
        let moves = moves.iter().filter(|&&mv| outgrown.leaves_out(&position, mv));
        let mut moves: Vec<String> = moves.map(ToString::to_string).collect();
        moves.sort_unstable();
        moves
    }

    #[test]
    fn pawns_bishops_and_rooks_turn_where_they_may_and_other_pieces_have_the_choice() {
        // A pawn and a silver may turn; a lance keeps what the promoted one loses.
        let sfen = "4k4/9/9/P1S2L3/9/9/9/9/4K4 b - 1";
        assert_eq!(left_out::<Shogi>(sfen), ["9d9c"]);
        let rook = "4k/5/5/5/R3K b - 1";
        assert_eq!(left_out::<Minishogi>(rook), ["5e5a"]);
        // Every move turns the piece over.
        assert!(left_out::<KyotoShogi>(KyotoShogi::START).is_empty());
    }

    testing::rule_table! {
        /// A rook that turns into a dragon.
        Turning on Board3x4: [
            KindSpec::new('R', 2, Movement::ROOK, Some(Movement::DRAGON)), KindSpec::royal('K')
        ]
    }

    impl Rules for Turning {
        const NAME: &'static str = "turning";
        const START: &'static str = "k1r/3/3/R1K b - 1";
        const STALEMATE: Stalemate = Stalemate::Draw;
    }

    #[test]
    fn a_player_keeps_the_choice_where_a_stalemate_is_drawn() {
        assert_eq!(Outgrown::of::<Turning>(), Outgrown { kinds: 0 });
        assert_ne!(Outgrown::of::<Minishogi>(), Outgrown { kinds: 0 });
    }
}
