//! Weights of simple features, fitted to games.

mod features;
#[cfg(feature = "files")]
mod file;
mod layout;
mod surroundings;

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use shogi_core::{Geometry as _, Position, RuleTable};

use crate::linear::WeightsError;
use crate::values::Values;
use features::visit;
pub use features::{Visitor, visit_dyn};
use layout::GROUPS;
pub use layout::Layout;
pub use surroundings::Surroundings;

/// Hundredths of a pawn for which the odds of winning grow by a factor of e.
pub const HUNDREDTHS: i64 = 600;

/// An evaluation of features with weights: pieces on the board by where the two kings are and by how many squares
/// they attack, hands, threatened pieces, the right to move, and the danger that each king is in.
///
/// Danger is the square of a weighted sum: of attacked squares around the king by how often they are attacked
/// and protected, of attackers, of the other hand and where it can give check, and of squares to flee to. Every
/// other feature counts as often as a player has it, less how often the opponent has it.
///
/// ```
/// use shogi_rules::{Rules, Shogi, parse_position};
/// use shogi_eval::Weighted;
/// let weighted = Weighted::<Shogi>::fitted().expect("shogi has weights");
/// let start = parse_position::<Shogi>(Shogi::START)?;
/// let without_rook = "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
/// let without_rook = parse_position::<Shogi>(without_rook)?;
/// assert!(weighted.evaluate(&without_rook) > weighted.evaluate(&start) + 400);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Weighted<R: RuleTable> {
    /// The values of pieces for exchanges.
    values: Values,
    /// Weights of values, [`UNITS`](Self::UNITS) to the hundredth of a pawn, by [`Layout`].
    weights: Vec<i16>,
    /// Weights of danger, [`DANGER_UNITS`](Self::DANGER_UNITS) to the root of a pawn.
    dangers: Vec<i16>,
    surroundings: Arc<[Surroundings<R::Geometry>]>,
    origin: String,
}

/// The weighted sum up to which danger grows, in roots of a pawn: 5.6, which is 31 pawns.
pub const MAX_DANGER: f32 = 5.6;
/// Units of a weight of danger to the root of a pawn.
const DANGER_UNITS: i32 = 64;

impl<R: RuleTable> Weighted<R> {
    /// Units of the weight of a value to a hundredth of a pawn.
    pub const UNITS: i32 = 16;
    /// Units of a weight of danger to the root of a pawn.
    pub const DANGER_UNITS: i32 = DANGER_UNITS;
    /// Weights of values.
    pub const VALUES: usize = Layout::<R>::VALUES;
    /// Weights of danger.
    pub const DANGERS: usize = Layout::<R>::DANGERS;

    /// An evaluation from its weights, values and dangers in the order of [`Layout`].
    ///
    /// # Errors
    ///
    /// [`WeightsError::Count`] if the number of weights is wrong.
    pub fn new(
        values: Values,
        weights: Vec<i16>,
        dangers: Vec<i16>,
        origin: String,
    ) -> Result<Self, WeightsError> {
        check_counts([weights.len(), dangers.len()], [Self::VALUES, Self::DANGERS])?;
        Ok(Self { values, weights, dangers, surroundings: Surroundings::all(), origin })
    }

    /// How the weights were made.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The values of pieces for exchanges: their average values, with the contributions of place and mobility.
    pub const fn values(&self) -> &Values {
        &self.values
    }

    /// The value of the position for the player to move, in hundredths of a pawn.
    pub fn evaluate(&self, position: &Position<R>) -> i32 {
        let mut sums = Sums { weighted: self, value: 0, dangers: [0; 2] };
        // Written out for standard shogi alone, whose network corrects these sums at every leaf.
        if const { R::Geometry::AREA > 64 } {
            visit::<R, true>(&self.surroundings, position, &mut sums);
        } else {
            visit_dyn(&self.surroundings, position, &mut sums);
        }
        sums.value / Self::UNITS + net_danger(sums.dangers)
    }

    /// The named terms that add up to the evaluation, in hundredths of a pawn for the player to move.
    pub fn terms(&self, position: &Position<R>) -> Vec<(&'static str, i32)> {
        let mut parts =
            Parts { sums: Sums { weighted: self, value: 0, dangers: [0; 2] }, groups: [0; GROUPS] };
        visit_dyn(&self.surroundings, position, &mut parts);
        let Parts { sums, groups } = parts;
        named(&Layout::<R>::GROUPS, groups, sums.value, Self::UNITS, net_danger(sums.dangers))
    }
}

/// The terms by name, from values in these units.
fn named(
    groups: &[(&'static str, Range<usize>); GROUPS],
    values: [i32; GROUPS],
    total: i32,
    units: i32,
    danger: i32,
) -> Vec<(&'static str, i32)> {
    let mut terms = Vec::with_capacity(GROUPS + 2);
    let mut rounding = total / units;
    for ((name, _), value) in groups.iter().zip(values) {
        terms.push((*name, value / units));
        rounding -= value / units;
    }
    terms.push(("danger of kings", danger));
    terms.push(("rounding", rounding));
    terms
}

/// Checks the numbers of weights of values and of danger.
fn check_counts(found: [usize; 2], expected: [usize; 2]) -> Result<(), WeightsError> {
    for (found, expected) in found.into_iter().zip(expected) {
        if found != expected {
            return Err(WeightsError::Count { found, expected });
        }
    }
    Ok(())
}

impl<R: RuleTable> PartialEq for Weighted<R> {
    fn eq(&self, other: &Self) -> bool {
        (&self.values, &self.weights, &self.dangers, &self.origin)
            == (&other.values, &other.weights, &other.dangers, &other.origin)
    }
}

impl<R: RuleTable> Eq for Weighted<R> {}

impl<R: RuleTable> fmt::Debug for Weighted<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Weighted")
            .field("values", &self.values)
            .field("weights", &self.weights.len())
            .field("dangers", &self.dangers)
            .field("origin", &self.origin)
            .finish()
    }
}

/// The weighted observations in a position so far.
struct Sums<'w, R: RuleTable> {
    weighted: &'w Weighted<R>,
    value: i32,
    dangers: [i32; 2],
}

/// The danger of the opponent's king less that of the own king, in hundredths of a pawn, from sums in
/// [`Weighted::DANGER_UNITS`].
#[inline(always)]
fn net_danger([own, other]: [i32; 2]) -> i32 {
    let most = (MAX_DANGER * DANGER_UNITS as f32) as i32;
    let (own, other) = (own.clamp(0, most).pow(2), other.clamp(0, most).pow(2));
    (other - own) * 100 / DANGER_UNITS.pow(2)
}

impl<R: RuleTable> Visitor for Sums<'_, R> {
    #[inline(always)]
    fn value(&mut self, player: usize, weight: usize, times: i32) {
        let value = i32::from(self.weighted.weights[weight]) * times;
        self.value += if player == 0 { value } else { -value };
    }

    #[inline(always)]
    fn danger(&mut self, player: usize, weight: usize, times: i32) {
        self.dangers[player] += i32::from(self.weighted.dangers[weight]) * times;
    }
}

/// The weighted observations by group.
struct Parts<'w, R: RuleTable> {
    sums: Sums<'w, R>,
    groups: [i32; GROUPS],
}

impl<R: RuleTable> Visitor for Parts<'_, R> {
    fn value(&mut self, player: usize, weight: usize, times: i32) {
        let before = self.sums.value;
        self.sums.value(player, weight, times);
        if let Some(group) = group_of(&Layout::<R>::GROUPS, weight) {
            self.groups[group] += self.sums.value - before;
        }
    }

    fn danger(&mut self, player: usize, weight: usize, times: i32) {
        self.sums.danger(player, weight, times);
    }
}

/// The number of the group that a weight of values is in.
fn group_of(groups: &[(&str, Range<usize>)], weight: usize) -> Option<usize> {
    groups.iter().position(|(_, range)| range.contains(&weight))
}

#[cfg(test)]
mod tests {
    use shogi_core::Faults;
    use shogi_rules::{Game, Rules, Shogi, parse_position};
    use testing::for_every_variant;
    use testing::random::Random;

    use super::*;

    /// Weights that are all different.
    pub(super) fn random<R: Rules>() -> Weighted<R> {
        let mut random = Random::new(5);
        let mut weight = |most: usize| random.below(2 * most) as i16 - most as i16;
        let weights = (0..Weighted::<R>::VALUES).map(|_| weight(1_000)).collect();
        let dangers = (0..Weighted::<R>::DANGERS).map(|_| weight(30)).collect();
        let values = Values::by_freedom::<R>();
        Weighted::new(values, weights, dangers, "random".to_owned()).unwrap()
    }

    fn follow<R: Rules>(games: u64) {
        let weighted = random::<R>();
        let mut random = Random::new(7);
        for _ in 0..games {
            let mut game = Game::<R>::from_start();
            while game.outcome().is_none() && game.moves().len() < 80 {
                let position = *game.position();
                let value = weighted.evaluate(&position);
                let terms = weighted.terms(&position);
                assert_eq!(terms.iter().map(|(_, value)| value).sum::<i32>(), value);
                // The same position with the colours exchanged, and in a mirror, is as good.
                for same in [position.exchange_colours(), position.mirror()] {
                    let same = Position::new_allowing(same, Faults::all()).unwrap();
                    assert_eq!(weighted.evaluate(&same), value);
                }
                let moves = position.legal_moves();
                game.play(random.pick(&moves)).unwrap();
            }
        }
    }

    for_every_variant!(colours_and_sides_are_alike: follow(20; shogi: 6));

    #[test]
    fn danger_grows_with_the_square_of_what_adds_up() {
        // Nothing counts but attackers, each with the root of a pawn.
        let mut dangers = vec![0; Weighted::<Shogi>::DANGERS];
        let one = Weighted::<Shogi>::DANGER_UNITS as i16;
        dangers[Layout::<Shogi>::ATTACKER..Layout::<Shogi>::HELD].fill(one);
        let zero = vec![0; Weighted::<Shogi>::VALUES];
        let values = Values::standard::<Shogi>();
        let weighted = Weighted::new(values, zero, dangers, String::new()).unwrap();
        let value = |sfen| weighted.evaluate(&parse_position::<Shogi>(sfen).unwrap());
        assert_eq!(value("4k4/9/9/9/9/9/9/9/4K4 b GS 1"), 0);
        assert_eq!(value("4k4/9/4G4/9/9/9/9/9/4K4 b - 1"), 100);
        assert_eq!(value("4k4/9/4G4/5R3/9/9/9/9/4K4 b - 1"), 400);
        assert_eq!(value("4k4/9/4G4/3R1R3/9/9/9/9/4K4 b - 1"), 900);
        // The other player's, and both together.
        assert_eq!(value("4k4/9/9/9/9/9/4g4/9/4K4 b - 1"), -100);
        assert_eq!(value("4k4/9/4G4/5R3/9/9/4g4/9/4K4 w - 1"), -300);
    }
}
