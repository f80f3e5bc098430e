//! Material alone.

use std::fmt;
use std::marker::PhantomData;

use shogi_core::{Colour, Face, Kind, Placement, Position};
use shogi_eval::Values;
use shogi_rules::{Rules, Shogi};

use super::{Evaluator, Term};

/// The sum of the values of a player's pieces less that of the opponent's.
///
/// ```
/// use shogi_rules::{Shogi, parse_position};
/// use shogi_search::{Evaluator, Material};
/// let tanigawa = Material::<Shogi>::tanigawa();
/// // A rook on the board against a pawn in hand, and a knight beside the lance.
/// let position = parse_position::<Shogi>("4k4/9/9/9/9/9/9/9/3RK4 b p 1")?;
/// assert_eq!(tanigawa.evaluate(&(), &position), 1500 - 130);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Material<R> {
    values: Values,
    rules: PhantomData<R>,
}

impl<R> fmt::Debug for Material<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Material").field("values", &self.values).finish()
    }
}

impl Material<Shogi> {
    /// The values of Tanigawa Koji, as "AI for playing shogi" quotes them: P 1, L 5,
    /// N 6, S 8, G 9, +S 9, +L 10, +N 10, +P 12, B 13, R 15, +B 15, +R 17; in hand 30 % more.
    pub fn tanigawa() -> Self {
        Self::new(Values::standard::<Shogi>())
    }
}

impl<R: Rules> Material<R> {
    /// Material by these values.
    pub fn new(values: Values) -> Self {
        Self { values, rules: PhantomData }
    }

    fn of(&self, placement: &Placement<R>, colour: Colour) -> i32 {
        let squares = placement.of(colour);
        let mut sum = 0;
        for face in Face::all::<R>() {
            sum += (placement.face(face) & squares).len() as i32 * self.values.board(face);
        }
        let hand = placement.hand(colour);
        for kind in Kind::all::<R>() {
            sum += i32::from(hand.count(kind)) * self.values.hand(kind);
        }
        sum
    }
}

impl<R: Rules> Evaluator<R> for Material<R> {
    type State = ();

    #[inline]
    fn evaluate(&self, _: &(), position: &Position<R>) -> i32 {
        self.of(position, position.side()) - self.of(position, !position.side())
    }

    fn values(&self) -> &Values {
        &self.values
    }

    fn explain(&self, position: &Position<R>) -> Vec<Term> {
        vec![Term { name: "material", value: self.evaluate(&(), position) }]
    }
}
