//! The placements that are left after the stages flip, pawn and king, numbered without gaps.
//!
//! With Gote's king on its square, the rest of the board is filled by a walk (see
//! [`crate::trellis`]) on which Sente's king is one more piece. File by file, nifu needs no more
//! than a bit for each player, and Gote's king no more than a bit for each ray
//! (see [`crate::king_view`]).
//!
//! `king_walk.rs` explains how mirror images are folded. The walk makes one of each two mirror images;
//! [`passes_flip`] keeps this one or its reflection.

use std::marker::PhantomData;

use num_bigint::BigUint;
use shogi_core::{
    Colour, Geometry, Kind, Placement, RuleTable, Square, check_countable, check_named, passes_flip,
};

use crate::board::{Board, WordOf};
use crate::constants::Constants;
use crate::count::Counts;
use crate::error::{Outside, RankError};
use crate::king_walk::{FillOrder, Images, KingWalk};
use crate::number::Width;
use crate::ranking::Ranking;
use crate::space::check_set;
use crate::table::Table;
use crate::trellis::{Section, Trellis, WayCounts, stocks};

/// The most stocks for which tables are made: each node of the trellis has a number for each.
const MAX_STOCKS: u64 = 4096;

/// Bound of stocks times squares times squares. The number of nodes is a small multiple of squares of Gote's
/// king times layers, so that the tables stay below a gigabyte or two.
const MAX_SIZE: u64 = 1 << 21;

/// The counts of a rule table, and the width of words that hold the number of its king-legal placements; `None` if there
/// is no such width, or tables for a board of this size with so many stocks would be too large.
pub(crate) fn counts_and_width(table: &'static Table) -> Option<(Counts, Width)> {
    let (stocks, area) = (stocks(table), table.area() as u64);
    if stocks > MAX_STOCKS || stocks * area * area > MAX_SIZE {
        return None;
    }
    let counts = Counts::of(table);
    // At least as many placements pass the stage before.
    let width = Width::of(counts.king_distinct.as_ref().unwrap_or(&counts.pawn_distinct))?;
    Some((counts, width))
}

/// The placements with Sente to move that pass the stages flip, pawn and king of Ishii & Tanaka,
/// numbered without gaps.
///
/// In a member no player has two unpromoted pawns on a file and every piece can move again (where the rules
/// demand it), and Gote's king is not attacked. Of a placement and its mirror image the one that passes
/// [`passes_flip`] is the member. Every number below the size has a member, so a [`Sampler`](crate::Sampler)
/// draws uniformly without rejection.
///
/// ```
/// use shogi_rank::{BigUint, KingLegal, Ranking, Sampler};
/// use shogi_rules::{Minishogi, Rules, parse_sfen, shogi_core::Colour};
/// let set = KingLegal::<Minishogi>::new().expect("Minishogi is small enough");
/// assert_eq!(set.size(), BigUint::from(3_444_239_420_851_162_025u64));
/// let start = parse_sfen::<Minishogi>(Minishogi::START)?.0;
/// let rank = set.rank(&start.mirror()).or(set.rank(&start))?;
/// assert!(set.unrank(&rank)? == start || set.unrank(&rank)? == start.mirror());
/// assert!(Sampler::new(&set, 1).placements(0..1000).all(|p| !p.in_check(Colour::Gote)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct KingLegal<R: RuleTable> {
    walks: Walks,
    rules: PhantomData<R>,
}

/// The ways to walk.
#[derive(Debug)]
struct Walks {
    royal: Kind,
    trellis: Trellis,
    roots: Vec<Root>,
    size: u128,
}

/// The placements with Gote's king on a square, in one way of walking.
#[derive(Debug)]
struct Root {
    king: u8,
    order: FillOrder,
    section: Section,
}

impl<R: RuleTable> KingLegal<R> {
    /// The name of the set in shards and reports.
    pub const NAME: &'static str = "king-legal";

    /// Makes the tables, for Minishogi some 20 MB within a tenth of a second.
    ///
    /// `None` for rule tables whose placements [cannot be counted](check_countable) or whose
    /// [checks cannot](check_named), and for sets that are too
    /// large: [`Counts::king_distinct`] or, if it is unknown, [`Counts::pawn_distinct`] does not fit in 128
    /// bits, or the tables would take gigabytes.
    pub fn new() -> Option<Self> {
        check_countable::<R>().ok()?;
        check_named::<R>().ok()?;
        let walks = Walks::new(Constants::<R>::table())?;
        Some(Self { walks, rules: PhantomData })
    }

    /// The rank of one of two mirror images, if it is the one that the walk makes.
    fn rank_as_made(&self, placement: &Placement<R>) -> Option<u128> {
        let (sente, gote) = (placement.king(Colour::Sente)?, placement.king(Colour::Gote)?);
        let order =
            if is_middle(sente) && is_middle(gote) { FillOrder::Mirrors } else { FillOrder::Files };
        let root = self.walks.root_of(gote.index() as u8, order)?;
        self.walks.trellis.rank(&root.section, placement)
    }

    #[inline]
    fn unrank_u128(&self, rank: u128) -> Result<Placement<R>, RankError> {
        let Walks { trellis, roots, size, .. } = &self.walks;
        let root = Section::of_number(roots, rank, |root| &root.section);
        let Some(root) = root.filter(|_| rank < *size) else {
            return Err(self.walks.out_of_range(rank.into()));
        };
        let mut board = Board::<WordOf<R>>::EMPTY;
        let king = self.walks.royal.index() as u8;
        board.put(root.king, king, Colour::Gote.index() as u8);
        trellis.unrank(&root.section, rank, &mut board);
        let placement = board.placement();
        Ok(if passes_flip(&placement) { placement } else { placement.mirror() })
    }
}

impl Walks {
    fn new(table: &'static Table) -> Option<Self> {
        let (_, width) = counts_and_width(table)?;
        let mut walk = KingWalk::new(table, Images::One);
        let starts = walk.starts();
        let (trellis, nodes) = Trellis::new(table, WayCounts::none(width), &mut walk, &starts);
        let mut roots = Vec::new();
        let mut size = 0;
        for ((king, order), node) in walk.kings().zip(nodes) {
            let section = trellis.section(node, trellis.full(), size);
            size = trellis.end(&section);
            roots.push(Root { king, order, section });
        }
        Some(Self { royal: table.royal, trellis, roots, size })
    }

    fn out_of_range(&self, rank: BigUint) -> RankError {
        RankError::OutOfRange { rank, size: self.size.into() }
    }

    /// The root with Gote's king on a square.
    fn root_of(&self, king: u8, order: FillOrder) -> Option<&Root> {
        self.roots.iter().find(|root| root.king == king && root.order == order)
    }
}

impl<R: RuleTable> Ranking<R> for KingLegal<R> {
    fn size(&self) -> BigUint {
        self.walks.size.into()
    }

    #[inline]
    fn size_u64(&self) -> Option<u64> {
        u64::try_from(self.walks.size).ok()
    }

    fn unrank(&self, rank: &BigUint) -> Result<Placement<R>, RankError> {
        let narrow = u128::try_from(rank).map_err(|_| self.walks.out_of_range(rank.clone()))?;
        self.unrank_u128(narrow)
    }

    fn unrank_u64(&self, rank: u64) -> Result<Placement<R>, RankError> {
        self.unrank_u128(rank.into())
    }

    fn rank(&self, placement: &Placement<R>) -> Result<BigUint, RankError> {
        let [sente, gote] = check_set(placement)?;
        let is_right = |square: Square<R::Geometry>| square.column() > square.mirror().column();
        if !passes_flip(placement) {
            return Err(RankError::Outside(if is_right(sente) {
                Outside::SenteKingOnTheRight
            } else if is_right(gote) {
                Outside::GoteKingOnTheRight
            } else {
                Outside::MirrorSmaller
            }));
        }
        let rank = self.rank_as_made(placement).or_else(|| self.rank_as_made(&placement.mirror()));
        rank.map(BigUint::from).ok_or_else(|| {
            RankError::Outside(if placement.has_nifu() {
                Outside::Nifu
            } else if placement.has_immobile() {
                Outside::Immobile
            } else {
                Outside::GoteInCheck
            })
        })
    }
}

/// How many placements there are, mirror images counted as two, by walking. There must be less than 2^128, and
/// tables of that [width](counts_and_width) must be possible.
pub(crate) fn walked_distinct(table: &'static Table) -> u128 {
    let mut walk = KingWalk::new(table, Images::Both);
    let starts = walk.starts();
    let (trellis, nodes) = Trellis::new(table, WayCounts::none(Width::Wide), &mut walk, &starts);
    nodes.iter().map(|&node| trellis.end(&trellis.section(node, trellis.full(), 0))).sum()
}

/// Whether a square is its own mirror image.
fn is_middle<G: Geometry>(square: Square<G>) -> bool {
    square == square.mirror()
}

#[cfg(test)]
mod tests {
    use shogi_rules::Minishogi;

    use super::*;

    #[test]
    fn walking_counts_both_images() {
        let table = Constants::<Minishogi>::table();
        assert_eq!(Counts::of(table).king_distinct, Some(walked_distinct(table).into()));
    }
}
