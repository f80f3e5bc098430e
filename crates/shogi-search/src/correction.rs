//! Correction history: the errors of the evaluation in similar positions.

use shogi_core::{Colour, Position, RuleTable};

/// The errors of the evaluation that searches have found, for all positions with the same player to move and
///
/// 1. the same hands,
/// 2. the same squares of the kings and the same hand of the mover,
/// 3. the same last move, by its piece and target.
#[derive(Clone)]
pub(crate) struct Corrections {
    /// `SLOTS` errors for each of these `KEYS` and each player, as fractions of [`MAX_ERROR`].
    errors: Vec<i16>,
}

const KEYS: usize = 3;
/// Few positions share a slot, and they do little harm.
const SLOTS: usize = 1 << 14;
/// The bound of the magnitude of errors.
const MAX_ERROR: i32 = 1024;

/// The places of the errors of a position.
pub(crate) type Places = [usize; KEYS];

impl Corrections {
    pub(crate) fn new() -> Self {
        Self { errors: vec![0; KEYS * Colour::ALL.len() * SLOTS] }
    }

    pub(crate) fn clear(&mut self) {
        self.errors.fill(0);
    }

    /// The places of the errors of a position after an opponent's move with this piece-to index.
    #[inline]
    pub(crate) fn places<R: RuleTable>(position: &Position<R>, previous: Option<u16>) -> Places {
        let us = position.side();
        let hands = [u64::from(position.hand(us).bits()), u64::from(position.hand(!us).bits())];
        let kings = [king(position, us), king(position, !us)];
        places_of(us, hands, kings, previous)
    }

    /// The correction of the evaluation, where the greatest error is worth `most`.
    #[inline]
    pub(crate) fn of(&self, places: Places, most: i32) -> i32 {
        let mut errors = 0;
        for &place in &places {
            errors += i32::from(self.errors[place]);
        }
        errors * most / MAX_ERROR
    }

    /// Updates the errors: a search of this depth found the position better by `better` than its corrected
    /// evaluation.
    pub(crate) fn learn(&mut self, places: Places, better: i32, depth: i32) {
        let step = (better * depth / 8).clamp(-MAX_ERROR / 4, MAX_ERROR / 4);
        for place in places {
            let error = &mut self.errors[place];
            let old = i32::from(*error);
            // By less the nearer the bound is, which is never passed.
            *error = (old + step - old * step.abs() / MAX_ERROR) as i16;
        }
    }
}

/// A number for the square of a player's king, or for no king.
#[inline]
fn king<R: RuleTable>(position: &Position<R>, side: Colour) -> u64 {
    match position.king(side) {
        Some(square) => square.index() as u64,
        None => u64::from(u8::MAX),
    }
}

/// [`Corrections::places`] for the player to move, from the hands and kings, those of the player to move first.
#[inline]
fn places_of(
    us: Colour,
    [own, other]: [u64; 2],
    [king, other_king]: [u64; 2],
    previous: Option<u16>,
) -> Places {
    let kings = king << 8 | other_king;
    let last = previous.map_or(u64::from(u16::MAX), u64::from);
    let keys = [own << 32 | other, own << 16 | kings, last];
    let mut places = [0; KEYS];
    for (number, place) in places.iter_mut().enumerate() {
        // The golden ratio spreads keys that lie side by side over all slots.
        let key = (keys[number] ^ (keys[number] >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let slot = (key >> (u64::BITS - SLOTS.ilog2())) as usize;
        *place = (Colour::ALL.len() * number + us.index()) * SLOTS + slot;
    }
    places
}

#[cfg(test)]
mod tests {
    use shogi_rules::{KyotoShogi, Minishogi, Rules, Shogi, parse_position};

    use super::*;

    #[test]
    fn a_repeated_error_is_corrected_in_similar_positions() {
        let mut corrections = Corrections::new();
        let position = parse_position::<Minishogi>("rbsgk/4p/5/P4/KGSB1 b r 1").unwrap();
        let places = Corrections::places(&position, Some(7));
        for _ in 0..1000 {
            // The position is worth 120 more than the evaluation says.
            let better = 120 - corrections.of(places, 100);
            corrections.learn(places, better, 6);
        }
        let learnt = corrections.of(places, 100);
        assert!((110..=120).contains(&learnt), "{learnt}");
        // The same hands and kings after another move: two errors of three.
        let alike = parse_position::<Minishogi>("rbsgk/4p/P4/5/KGSB1 b r 1").unwrap();
        let of_alike = corrections.of(Corrections::places(&alike, Some(8)), 100);
        assert!((of_alike * 3 - learnt * 2).abs() <= 6, "{of_alike}");
        // Nothing is known of positions of the other player.
        let other = parse_position::<Minishogi>("rbsgk/4p/5/P4/KGSB1 w r 1").unwrap();
        assert_eq!(corrections.of(Corrections::places(&other, Some(7)), 100), 0);
        corrections.clear();
        assert_eq!(corrections.of(places, 100), 0);
    }

    #[test]
    fn errors_stay_within_their_bound() {
        let mut corrections = Corrections::new();
        let places = Corrections::places(&KyotoShogi::start(), None);
        for better in [50_000, -50_000, 50_000, -50_000] {
            for _ in 0..100 {
                corrections.learn(places, better, 127);
                assert!(corrections.of(places, MAX_ERROR).abs() <= 3 * MAX_ERROR);
            }
            assert_eq!(corrections.of(places, 100).signum(), better.signum());
        }
    }

    #[test]
    fn positions_with_the_same_pawns_or_kings_share_places() {
        let of = |sfen: &str| Corrections::places(&parse_position::<Shogi>(sfen).unwrap(), None);
        let start = of(Shogi::START);
        // A pawn has moved: all the same. A king has: other kings. Sides exchanged: nothing.
        let pawn = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 1";
        let king = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B2K2R1/LNSG1GSNL b - 1";
        assert_eq!(of(pawn), start);
        let same = |other: Places| [0, 1, 2].map(|key| other[key] == start[key]);
        assert_eq!(same(of(king)), [true, false, true]);
        assert_eq!(same(of(&Shogi::START.replace(" b ", " w "))), [false; 3]);
    }
}
