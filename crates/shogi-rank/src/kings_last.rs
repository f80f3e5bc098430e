//! Samples in which the kings are placed last, on all squares that the other pieces leave.
//!
//! The other pieces decide on which squares Gote's king is attacked. So a sample examines all pairs of squares
//! instead of one, and knows exactly the share in which the king is not attacked.

use std::ops::Range;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use shogi_core::{Bitboard, Colour, Face, Piece, Placement, RuleTable, Square, attacks, between};

use crate::constants::Constants;
use crate::pawn_legal::PawnLegal;
use crate::sample::Sampler;

/// The part of the generator's key after the seed.
const DOMAIN: [u8; 24] = *b"shogi-rank squares kings";

/// The pairs of squares that are drawn for each sample.
pub const PAIRS_DRAWN: usize = 4;

/// The 32-bit words that are drawn for each sample.
const WORDS: u128 = 2 * (PAIRS_DRAWN as u128 + 1);

/// Squares for one king, each with those for the other.
type SquarePairs<G> = Vec<(Square<G>, Bitboard<G>)>;

/// The pairs of empty squares on which the kings can stand beside the other pieces of a placement, so that
/// Gote's is not attacked.
///
/// ```
/// use shogi_rank::KingSquares;
/// use shogi_rules::{Minishogi, parse_sfen};
/// // Nothing on the board: the kings must only be no neighbours.
/// let bare = parse_sfen::<Minishogi>("k4/5/5/5/4K b 2R2B2G2S2P 1")?.0;
/// let squares = KingSquares::of(&bare);
/// assert_eq!((squares.pairs(), squares.legal()), (600, 456));
/// assert!(!squares.nth(455).unwrap().in_check(shogi_rules::shogi_core::Colour::Gote));
/// assert!(squares.nth(456).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct KingSquares<R: RuleTable> {
    /// The other pieces.
    rest: Placement<R>,
    empty: u32,
    /// By the square of Gote's king, the squares for Sente's.
    squares: SquarePairs<R::Geometry>,
    legal: u32,
}

impl<R: RuleTable> KingSquares<R> {
    /// The pairs for a placement, whose own kings are taken off the board.
    ///
    /// The rule table must be [countable](shogi_core::check_countable), so that nothing stands between a piece
    /// that attacks from afar and its target.
    pub fn of(placement: &Placement<R>) -> Self {
        let mut rest = *placement;
        rest.remove(placement.royals());
        let occupied = rest.occupied();
        let empties = Bitboard::all() - occupied;
        let table = Constants::<R>::table();
        let mut squares = Vec::new();
        for gote in empties {
            let near = table.movement(Face::front(table.royal)).map_or(Bitboard::EMPTY, |king| {
                attacks::<R::Geometry>(king, Colour::Gote, gote, occupied)
            });
            let mut checkers = rest.attackers(gote, Colour::Sente, occupied).into_iter();
            let sente = match (checkers.next(), checkers.next()) {
                (None, _) => empties - near - Bitboard::of(gote),
                // In the line of a single checker Sente's own king stops the check.
                (Some(checker), None) => between(checker, gote) - near,
                (Some(_), Some(_)) => continue,
            };
            squares.push((gote, sente));
        }
        let legal = squares.iter().map(|(_, sente)| sente.len()).sum();
        Self { rest, empty: empties.len(), squares, legal }
    }

    /// All ordered pairs of different empty squares.
    pub const fn pairs(&self) -> u32 {
        self.empty * (self.empty - 1)
    }

    /// Number of pairs in which Gote's king is not attacked, not even by Sente's.
    pub const fn legal(&self) -> u32 {
        self.legal
    }

    /// The placement with the kings on one of the pairs, numbered from 0, in which Gote's king is not attacked;
    /// `None` if there are not so many.
    pub fn nth(&self, number: u32) -> Option<Placement<R>> {
        let mut left = number;
        for (gote, sente) in &self.squares {
            if left < sente.len() {
                let sente = sente.into_iter().nth(left as usize)?;
                let face = Face::front(Constants::<R>::table().royal);
                let mut placement = self.rest;
                placement.put(sente, Piece { face, colour: Colour::Sente });
                placement.put(*gote, Piece { face, colour: Colour::Gote });
                return Some(placement);
            }
            left -= sente.len();
        }
        None
    }
}

/// Samples of [`PawnLegal`] with the kings put anew.
///
/// A sample stands for all placements of its other pieces. With a weight of one half where both kings of
/// the member that was drawn stand on the middle file (both mirror images of it are members then, and just one
/// of other placements), the mean of the share of pairs with some property, times the size of the
/// set, is half the number of placements that have it, mirror images counted as two.
///
/// ```
/// use shogi_rank::{KingsLast, PAIRS_DRAWN, PawnLegal};
/// use shogi_rules::{Shogi, shogi_core::Colour};
/// let set = PawnLegal::<Shogi>::new().expect("shogi has such a set");
/// for sample in KingsLast::new(&set, 1).samples(0..10) {
///     assert_eq!(sample.drawn.len(), PAIRS_DRAWN);
///     assert!(sample.drawn.iter().all(|placement| !placement.in_check(Colour::Gote)));
/// }
/// ```
#[derive(Debug)]
pub struct KingsLast<'a, R: RuleTable> {
    sampler: Sampler<'a, R, PawnLegal<R>>,
    stream: ChaCha8Rng,
}

/// One sample.
#[derive(Clone, Debug)]
pub struct KingsLastSample<R: RuleTable> {
    /// All pairs of squares.
    pub squares: KingSquares<R>,
    /// Whether it counts half.
    pub is_half: bool,
    /// Pairs in which Gote's king is not attacked, drawn independently, each as likely as any other; none if there
    /// are no such pairs.
    pub drawn: Vec<Placement<R>>,
    /// A uniformly distributed number.
    pub lot: u64,
}

impl<'a, R: RuleTable> KingsLast<'a, R> {
    /// The samples of a set with this seed.
    pub fn new(set: &'a PawnLegal<R>, seed: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..].copy_from_slice(&DOMAIN);
        Self { sampler: Sampler::new(set, seed), stream: ChaCha8Rng::from_seed(key) }
    }

    /// The samples of a range; each depends on the seed and its number alone.
    pub fn samples(&self, range: Range<u64>) -> impl Iterator<Item = KingsLastSample<R>> {
        let mut stream = self.stream.clone();
        stream.set_word_pos(u128::from(range.start) * WORDS);
        self.sampler.placements(range).map(move |placement| {
            let squares = KingSquares::of(&placement);
            let legal = u64::from(squares.legal());
            // A fraction of 32 bits would be enough for a few thousand pairs.
            let words: [u64; PAIRS_DRAWN] = std::array::from_fn(|_| stream.next_u64());
            let number = |word: &u64| ((u128::from(*word) * u128::from(legal)) >> 64) as u32;
            let drawn = words.iter().filter_map(|word| squares.nth(number(word))).collect();
            let is_middle = |king: Square<R::Geometry>| king == king.mirror();
            let is_half = placement.royals().into_iter().all(is_middle);
            KingsLastSample { squares, is_half, drawn, lot: stream.next_u64() }
        })
    }
}
