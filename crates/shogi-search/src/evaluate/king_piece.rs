//! Tables by the king's square, as an evaluation of the player.

use shogi_core::{Move, Position};
use shogi_eval::{KingPiece, Values};
use shogi_rules::Rules;

use super::{Evaluator, Term};

impl<R: Rules> Evaluator<R> for KingPiece<R> {
    /// What Sente and Gote are credited with.
    type State = [i32; 2];

    fn start(&self, position: &Position<R>) -> [i32; 2] {
        self.start(position)
    }

    #[inline]
    fn after(
        &self,
        state: &[i32; 2],
        before: &Position<R>,
        mv: Move<R>,
        after: &Position<R>,
    ) -> [i32; 2] {
        self.after(state, before, mv, after)
    }

    #[inline]
    fn after_pass(&self, state: &[i32; 2], _: &Position<R>) -> [i32; 2] {
        *state
    }

    #[inline]
    fn evaluate(&self, state: &[i32; 2], position: &Position<R>) -> i32 {
        self.evaluate(state, position)
    }

    fn values(&self) -> &Values {
        self.values()
    }

    fn explain(&self, position: &Position<R>) -> Vec<Term> {
        let [own, other, own_hand, other_hand, to_move] = self.parts(position);
        Term::all(&[
            ("own pieces", own),
            ("opponent's pieces", other),
            ("own hand", own_hand),
            ("opponent's hand", other_hand),
            ("right to move", to_move),
        ])
    }
}

#[cfg(test)]
mod tests {
    use shogi_rules::{Dobutsu, parse_position};

    use super::*;

    #[test]
    fn terms_add_up_to_the_evaluation() {
        let weights = (0..KingPiece::<Dobutsu>::COUNT).map(|number| (number % 701) as i16 - 350);
        let values = Values::standard::<Dobutsu>();
        let tables =
            KingPiece::<Dobutsu>::new(values, 7, weights.collect(), String::new()).unwrap();
        let position = parse_position("gle/3/1C1/EL1 w Gc 1").unwrap();
        let sum: i32 = tables.explain(&position).iter().map(|term| term.value).sum();
        assert_eq!(sum, tables.evaluate(&tables.start(&position), &position));
    }
}
