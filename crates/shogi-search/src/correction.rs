//! Correction history: the errors of the evaluation in similar positions.

use shogi_core::{Colour, Position, RuleTable};

use crate::keys::{pawn_key, piece_key, slot};

/// The errors of the evaluation that searches have found, for all positions with the same player to move and
///
/// 1. the same hands,
/// 2. the same squares of the kings and the same hand of the mover,
/// 3. the same last move, by its piece and target,
/// 4. the same pawns of both players,
/// 5. the same other pieces of the mover on the board,
/// 6. the same other pieces of the opponent there.
#[derive(Clone)]
pub(crate) struct Corrections {
    /// `SLOTS` errors for each of these `KEYS` and each player, as fractions of [`MAX_ERROR`].
    errors: Vec<i16>,
}

const KEYS: usize = 6;
/// Few positions share a slot, and they do little harm.
const SLOTS: usize = 1 << SLOT_BITS;
const SLOT_BITS: u32 = 14;
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
        let [hand, other_hand] = [us, !us].map(|player| u64::from(position.hand(player).bits()));
        let kings = king(position, us) << 8 | king(position, !us);
        let pawns = position.pawns();
        let keys = [
            hand << 32 | other_hand,
            hand << 16 | kings,
            previous.map_or(u64::from(u16::MAX), u64::from),
            pawn_key(position),
            piece_key(position, position.of(us) - pawns),
            piece_key(position, position.of(!us) - pawns),
        ];
        std::array::from_fn(|number| {
            let block = Colour::ALL.len() * number + us.index();
            block * SLOTS + slot(keys[number], SLOT_BITS)
        })
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
            // The step shrinks towards the bound, which is never exceeded.
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
        // The same hands, kings and officers with other pawns after another move: four errors of six.
        let alike = parse_position::<Minishogi>("rbsgk/4p/P4/5/KGSB1 b r 1").unwrap();
        let of_alike = corrections.of(Corrections::places(&alike, Some(8)), 100);
        assert!((of_alike * 6 - learnt * 4).abs() <= 12, "{of_alike}");
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
                assert!(corrections.of(places, MAX_ERROR).abs() <= KEYS as i32 * MAX_ERROR);
            }
            assert_eq!(corrections.of(places, 100).signum(), better.signum());
        }
    }

    #[test]
    fn positions_that_are_alike_share_places() {
        let start = parse_position::<Shogi>(Shogi::START).unwrap();
        let same = |sfen: &str| {
            let position = parse_position::<Shogi>(sfen).unwrap();
            let places = Corrections::places(&position, None).into_iter();
            places.zip(Corrections::places(&start, None)).map(|(a, b)| a == b).collect::<Vec<_>>()
        };
        let pawn_moved = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 1";
        assert_eq!(same(pawn_moved), [true, true, true, false, true, true]);
        let king_moved = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B2K2R1/LNSG1GSNL b - 1";
        assert_eq!(same(king_moved), [true, false, true, true, false, true]);
        assert_eq!(same(&Shogi::START.replace(" b ", " w ")), [false; KEYS]);
    }
}
