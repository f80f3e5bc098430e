//! The features of a position: a fixed list of statements, of which some fifty hold at a time.
//!
//! Everything is seen from the side of the player to move: for Gote the board is turned by
//! 180 degrees. A position and its mirror image have the same features. On 5x5 with the pieces of
//! Kyoto shogi the list is
//!
//! | statement | features |
//! |---|---:|
//! | always true | 1 |
//! | the player to move is in check | 1 |
//! | this face of this player stands on this square | 18 x 15 |
//! | ... at this offset from this player's king | 18 x 45 x 2 |
//! | this player has so many pieces of this kind in hand | 20 |
//! | this player's king has so many escapes, and the other player so many pieces in hand | 162 |
//! | so many squares beside this king are attacked, and the other player ... | 162 |
//!
//! The last two measure how near a king is to being mated: pieces in hand close escapes.

use std::marker::PhantomData;

use shogi_core::{
    Bitboard, Colour, Face, Geometry, Hand, Kind, MAX_KINDS, Movement, Placement, RuleTable,
    Square, Step, attacks, for_each_face, step_attacks,
};

/// The name of this list of features; evaluations learnt on another list cannot be used.
pub const FEATURE_SET: &str = "king-offsets-1";

/// Numbers of squares beside a king: 0 to 8.
pub(crate) const NEIGHBOURS: usize = 9;

/// Sizes of a hand that are distinguished: 0 to 7, and 8 or more.
pub(crate) const HAND_SIZES: usize = 9;

/// The list of features for a rule table.
///
/// ```
/// use shogi_rules::{KyotoShogi, Rules, parse_position};
/// use shogi_eval::Features;
/// let start = parse_position::<KyotoShogi>(KyotoShogi::START)?;
/// let mut held = 0;
/// Features::<KyotoShogi>::visit(&start, |feature| {
///     assert!(feature < Features::<KyotoShogi>::COUNT);
///     held += 1;
/// });
/// // One always, three for each of ten pieces, two for each king.
/// assert_eq!((held, Features::<KyotoShogi>::COUNT), (1 + 30 + 4, 2236));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Features<R>(PhantomData<R>);

impl<R: RuleTable> Features<R> {
    /// The always true one.
    pub(crate) const BIAS: usize = 0;
    const CHECK: usize = 1;
    const SQUARES: usize = 2;
    const OFFSETS: usize = Self::SQUARES + Self::SLOTS * Self::HALF;
    const HANDS: usize = Self::OFFSETS + 2 * Self::SLOTS * Self::RELATIVE;
    const ESCAPES: usize = Self::HANDS + 2 * R::KINDS.len() * Self::MAX_IN_HAND;
    const ATTACKED: usize = Self::ESCAPES + 2 * NEIGHBOURS * HAND_SIZES;
    /// Number of features.
    pub const COUNT: usize = Self::ATTACKED + 2 * NEIGHBOURS * HAND_SIZES;

    /// Squares of the board up to mirror image.
    const HALF: usize = R::Geometry::WIDTH.div_ceil(2) as usize * R::Geometry::HEIGHT as usize;
    /// Offsets of one square from another up to mirror image.
    const RELATIVE: usize = R::Geometry::WIDTH as usize * Self::RANKS_APART;
    /// From one rank to another.
    const RANKS_APART: usize = 2 * R::Geometry::HEIGHT as usize - 1;

    /// The number of each kind's front among all faces, and behind the kinds the number of faces.
    const FACES: [usize; MAX_KINDS + 1] = {
        let (mut faces, mut k) = ([0; MAX_KINDS + 1], 0);
        while k < MAX_KINDS {
            let of_kind = if k >= R::KINDS.len() {
                0
            } else if R::KINDS[k].back.is_some() {
                2
            } else {
                1
            };
            faces[k + 1] = faces[k] + of_kind;
            k += 1;
        }
        faces
    };
    /// Faces of one player or the other.
    pub(crate) const SLOTS: usize = 2 * Self::FACES[MAX_KINDS];
    /// The most pieces of any kind.
    pub(crate) const MAX_IN_HAND: usize = {
        let (mut most, mut k) = (0, 0);
        while k < R::KINDS.len() {
            if R::KINDS[k].count > most {
                most = R::KINDS[k].count;
            }
            k += 1;
        }
        most as usize
    };

    /// Passes the number of each feature of the position to `feature`, in a fixed order; a feature that two
    /// pieces have comes twice.
    ///
    /// Nothing is allocated. A missing king has no features. Other faults of a placement are ignored, except
    /// that a hand counts at most as many of a kind as the commonest kind has.
    #[inline]
    pub fn visit(placement: &Placement<R>, mut feature: impl FnMut(usize)) {
        let kings = Self::kings(placement);
        feature(Self::BIAS);
        let attacked = Self::pieces(placement, |slot, square| {
            Self::piece(kings, slot, square, &mut feature);
        });
        Self::others(placement, attacked, feature);
    }

    /// [`Features::visit`] into any closure, for callers that need not be fast.
    pub fn visit_dyn(placement: &Placement<R>, feature: &mut dyn FnMut(usize)) {
        let kings = Self::kings(placement);
        feature(Self::BIAS);
        let attacked = Self::pieces_dyn(placement, &mut |slot, square| {
            Self::piece(kings, slot, square, feature);
        });
        Self::others(placement, attacked, feature);
    }

    /// Visits the features of a piece, given its slot and square as the player to move sees them.
    #[inline(always)]
    fn piece(
        [own, enemy]: [Option<usize>; 2],
        slot: usize,
        square: usize,
        feature: &mut (impl FnMut(usize) + ?Sized),
    ) {
        feature(Self::on_square(slot, square));
        for (whose, king) in [(0, own), (1, enemy)] {
            if let Some(king) = king {
                feature(Self::at_offset(whose, king, slot, square));
            }
        }
    }

    /// The kings' squares from the side of the player to move, whose king comes first.
    #[inline(always)]
    pub(crate) fn kings(placement: &Placement<R>) -> [Option<usize>; 2] {
        let us = placement.side();
        let king = |colour| placement.king(colour).map(|king| Self::seen(us, king));
        [king(us), king(!us)]
    }

    /// The number of a square from the side of a player.
    #[inline(always)]
    fn seen(us: Colour, square: Square<R::Geometry>) -> usize {
        match us {
            Colour::Sente => square.index(),
            Colour::Gote => R::Geometry::AREA - 1 - square.index(),
        }
    }

    /// Visits slot and square of each piece as the player to move sees them. Returns the squares that each
    /// player attacks, Sente first, sliders looking through the other's king.
    #[inline(always)]
    pub(crate) fn pieces(
        placement: &Placement<R>,
        mut piece: impl FnMut(usize, usize),
    ) -> [Bitboard<R::Geometry>; 2] {
        let (blocking, mut attacked) = (Self::blocking(placement), [Bitboard::EMPTY; 2]);
        for_each_face!(R, |face, movement| {
            Self::pieces_of(face, movement, placement, blocking, &mut attacked, &mut piece);
        });
        attacked
    }

    /// [`Features::pieces`] into any closure, for callers that need not be fast.
    fn pieces_dyn(
        placement: &Placement<R>,
        piece: &mut dyn FnMut(usize, usize),
    ) -> [Bitboard<R::Geometry>; 2] {
        let (blocking, mut attacked) = (Self::blocking(placement), [Bitboard::EMPTY; 2]);
        for face in Face::all::<R>() {
            let Some(movement) = face.movement::<R>() else { continue };
            Self::pieces_of(face, movement, placement, blocking, &mut attacked, piece);
        }
        attacked
    }

    /// The squares that stop each player's sliders, Sente first: the occupied ones without the other's king.
    #[inline(always)]
    fn blocking(placement: &Placement<R>) -> [Bitboard<R::Geometry>; 2] {
        let (occupied, royals) = (placement.occupied(), placement.royals());
        let [sente, gote] = [Colour::Sente, Colour::Gote];
        [occupied - (royals & placement.of(gote)), occupied - (royals & placement.of(sente))]
    }

    /// Visits the pieces with a face and adds the squares that they attack.
    #[inline(always)]
    fn pieces_of(
        face: Face,
        movement: Movement,
        placement: &Placement<R>,
        blocking: [Bitboard<R::Geometry>; 2],
        attacked: &mut [Bitboard<R::Geometry>; 2],
        piece: &mut (impl FnMut(usize, usize) + ?Sized),
    ) {
        let us = placement.side();
        let squares = placement.face(face);
        for colour in Colour::ALL {
            let slot = Self::slot(face, usize::from(colour != us));
            for square in squares & placement.of(colour) {
                piece(slot, Self::seen(us, square));
                attacked[colour.index()] |=
                    attacks(movement, colour, square, blocking[colour.index()]);
            }
        }
    }

    /// The squares that each player attacks, Sente first, sliders looking through the other's king.
    pub fn attacked(placement: &Placement<R>) -> [Bitboard<R::Geometry>; 2] {
        Self::pieces_dyn(placement, &mut |_, _| {})
    }

    /// The number of a face of a player, who is 0 or 1, below [`Features::SLOTS`].
    #[inline(always)]
    pub(crate) const fn slot(face: Face, owner: usize) -> usize {
        2 * (Self::FACES[face.kind.index()] + face.promoted as usize) + owner
    }

    /// The feature of a piece on a square.
    #[inline(always)]
    pub(crate) fn on_square(slot: usize, square: usize) -> usize {
        let (column, rank) = Self::column_and_rank(square);
        let column = column.min(R::Geometry::WIDTH as usize - 1 - column);
        Self::SQUARES + slot * Self::HALF + column * R::Geometry::HEIGHT as usize + rank
    }

    /// The feature of a piece at its offset from a king, of the player to move if `whose` is 0.
    #[inline(always)]
    pub(crate) fn at_offset(whose: usize, king: usize, slot: usize, square: usize) -> usize {
        let ((column, rank), king) = (Self::column_and_rank(square), Self::column_and_rank(king));
        let ranks = rank + R::Geometry::HEIGHT as usize - 1 - king.1;
        let relative = column.abs_diff(king.0) * Self::RANKS_APART + ranks;
        Self::OFFSETS + (whose * Self::SLOTS + slot) * Self::RELATIVE + relative
    }

    #[inline(always)]
    const fn column_and_rank(square: usize) -> (usize, usize) {
        (square / R::Geometry::HEIGHT as usize, square % R::Geometry::HEIGHT as usize)
    }

    /// Visits the features of hands, kings and check. `attacked` is the result of [`Features::pieces`].
    #[inline(always)]
    pub(crate) fn others(
        placement: &Placement<R>,
        attacked: [Bitboard<R::Geometry>; 2],
        mut feature: impl FnMut(usize),
    ) {
        let us = placement.side();
        for (whose, colour) in [(0, us), (1, !us)] {
            let hand = placement.hand(colour);
            if !hand.is_empty() {
                for kind in Kind::all::<R>() {
                    let count = usize::from(hand.count(kind)).min(Self::MAX_IN_HAND);
                    if count > 0 {
                        let kind = whose * R::KINDS.len() + kind.index();
                        feature(Self::HANDS + kind * Self::MAX_IN_HAND + count - 1);
                    }
                }
            }
            let Some(king) = placement.king(colour) else { continue };
            let attacked = attacked[(!colour).index()];
            let beside = step_attacks(Step::King, colour, king);
            let escapes = (beside - placement.of(colour) - attacked).len() as usize;
            let unsafe_squares = (beside & attacked).len() as usize;
            let hand = Self::hand_size(placement.hand(!colour));
            feature(Self::ESCAPES + (whose * NEIGHBOURS + escapes) * HAND_SIZES + hand);
            feature(Self::ATTACKED + (whose * NEIGHBOURS + unsafe_squares) * HAND_SIZES + hand);
            if whose == 0 && attacked.contains(king) {
                feature(Self::CHECK);
            }
        }
    }

    /// The size of a hand, capped at the largest that is distinguished.
    #[inline(always)]
    pub(crate) fn hand_size(hand: Hand) -> usize {
        if hand.is_empty() {
            return 0;
        }
        let mut size = 0;
        for kind in Kind::all::<R>() {
            size += usize::from(hand.count(kind));
        }
        size.min(HAND_SIZES - 1)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use shogi_rules::{Dobutsu, KyotoShogi, Minishogi, Rules, Shogi, Shogi34};
    use testing::random::Random;

    use super::*;

    /// Positions of random games, a few hundred.
    fn random_positions<R: Rules>() -> Vec<Placement<R>> {
        let start = R::start();
        let mut random = Random::new(5);
        let (mut positions, mut position) = (Vec::new(), start);
        for _ in 0..600 {
            positions.push(*position.placement());
            let moves = position.legal_moves();
            let goes_on = R::verdict(&position).is_none() && !moves.is_empty();
            position = if goes_on { position.play_unchecked(random.pick(&moves)) } else { start };
        }
        positions
    }

    /// The features by the table at the head of this file, one square at a time.
    fn naive<R: Rules>(placement: &Placement<R>) -> Vec<usize> {
        type F<R> = Features<R>;
        // Whoever moves is Sente after this.
        let seen = match placement.side() {
            Colour::Sente => *placement,
            Colour::Gote => placement.exchange_colours(),
        };
        let mut features = vec![F::<R>::BIAS];
        if seen.in_check(Colour::Sente) {
            features.push(F::<R>::CHECK);
        }
        for (square, piece) in seen.pieces() {
            let face = Face::all::<R>().position(|face| face == piece.face).unwrap();
            let slot = 2 * face + piece.colour.index();
            features.push(F::<R>::on_square(slot, square.index()));
            for (whose, colour) in Colour::ALL.into_iter().enumerate() {
                features.extend(
                    seen.king(colour)
                        .map(|king| F::<R>::at_offset(whose, king.index(), slot, square.index())),
                );
            }
        }
        for (whose, colour) in Colour::ALL.into_iter().enumerate() {
            let mut enemy_hand = 0;
            for kind in Kind::all::<R>() {
                enemy_hand += seen.hand(!colour).count(kind) as usize;
                if seen.hand(colour).has(kind) {
                    let kind_of_player = whose * R::KINDS.len() + kind.index();
                    let count = seen.hand(colour).count(kind) as usize;
                    features.push(F::<R>::HANDS + kind_of_player * F::<R>::MAX_IN_HAND + count - 1);
                }
            }
            let Some(king) = seen.king(colour) else { continue };
            let seen_through = seen.occupied() - Bitboard::of(king);
            let (mut escapes, mut unsafe_squares) = (0, 0);
            for square in Square::all() {
                let apart =
                    [square.column().abs_diff(king.column()), square.rank().abs_diff(king.rank())];
                if apart.into_iter().max() == Some(1) {
                    let attacked = seen.attacked(square, !colour, seen_through);
                    unsafe_squares += usize::from(attacked);
                    escapes += usize::from(!attacked && !seen.of(colour).contains(square));
                }
            }
            for (start, count) in [(F::<R>::ESCAPES, escapes), (F::<R>::ATTACKED, unsafe_squares)] {
                features.push(start + (whose * 9 + count) * 9 + enemy_hand.min(8));
            }
        }
        features.sort_unstable();
        features
    }

    fn sorted<R: RuleTable>(placement: &Placement<R>) -> Vec<usize> {
        let mut features = Vec::new();
        Features::visit(placement, |feature| features.push(feature));
        features.sort_unstable();
        features
    }

    fn agrees_with_naive<R: Rules>() {
        for placement in random_positions::<R>() {
            let features = sorted(&placement);
            assert_eq!(features, naive(&placement), "{placement:?}");
            assert!(features.iter().all(|&feature| feature < Features::<R>::COUNT));
            assert_eq!(features, sorted(&placement.mirror()));
            assert_eq!(features, sorted(&placement.exchange_colours()));
        }
    }

    #[test]
    fn features_are_those_of_the_table() {
        agrees_with_naive::<Minishogi>();
        agrees_with_naive::<KyotoShogi>();
        agrees_with_naive::<Shogi>();
        agrees_with_naive::<Shogi34>();
        agrees_with_naive::<Dobutsu>();
    }

    fn numbers_without_gaps<R: RuleTable>() {
        type F<R> = Features<R>;
        let area = R::Geometry::AREA;
        let (mut squares, mut offsets) = (BTreeSet::new(), BTreeSet::new());
        for slot in 0..F::<R>::SLOTS {
            for square in 0..area {
                squares.insert(F::<R>::on_square(slot, square));
                for (king, whose) in (0..area).flat_map(|king| [(king, 0), (king, 1)]) {
                    offsets.insert(F::<R>::at_offset(whose, king, slot, square));
                }
            }
        }
        assert!(squares.into_iter().eq(F::<R>::SQUARES..F::<R>::OFFSETS));
        assert!(offsets.into_iter().eq(F::<R>::OFFSETS..F::<R>::HANDS));
    }

    #[test]
    fn pieces_use_their_numbers_without_gaps() {
        numbers_without_gaps::<Minishogi>();
        numbers_without_gaps::<KyotoShogi>();
        numbers_without_gaps::<Shogi>();
        numbers_without_gaps::<Dobutsu>();
    }
}
