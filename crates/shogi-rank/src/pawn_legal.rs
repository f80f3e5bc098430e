//! The placements that pass the pawn stage, numbered without gaps.

use std::marker::PhantomData;

use num_bigint::BigUint;
use shogi_core::{Colour, Face, Piece, Placement, RuleTable, check_countable};

use crate::board::Board;
use crate::constants::Constants;
use crate::error::{Outside, RankError};
use crate::file_order::{FileOrder, KingRanks};
use crate::king_pairs::KingPairs;
use crate::number::Number;
use crate::ranking::Ranking;
use crate::remainder::Remainder;
use crate::restricted_faces::restricted;
use crate::space::king_pair;
use crate::table::{Squares, Table, has, one};

/// The members of a [`Space`](crate::Space) without nifu and immobile pieces, where these are
/// illegal, numbered without gaps.
///
/// On 9x9 only 3.7 % of the space passes the pawn stage, so a sample from this set is worth twenty-seven
/// samples from the space. Mirror images are folded by the kings alone, just as in the space: with both kings
/// on the middle file a placement and its mirror image are both members, and the flip stage drops one of them.
/// So the number of positions with some property is the size of this set times the share of members that have
/// the property and pass the flip stage. The size is exact; [`Counts::pawn_candidates`] is the same number,
/// counted in another way.
///
/// A rank is read from the top: the kings, in proportion to the members with each pair of squares;
/// how many restricted faces stand on the board (unpromoted pawns, lances and knights in shogi);
/// how these stand, file by file; then all other faces and the hands, kind by kind.
///
/// ```
/// use shogi_rank::{BigUint, PawnLegal, Ranking};
/// use shogi_rules::{Shogi, to_sfen};
/// let members = PawnLegal::<Shogi>::new().unwrap();
/// let rank = members.size() / 3u8;
/// let placement = members.unrank(&rank)?;
/// assert!(!placement.has_nifu() && !placement.has_immobile());
/// assert_eq!(members.rank(&placement)?, rank);
/// # Ok::<(), shogi_rank::RankError>(())
/// ```
///
/// [`Counts::pawn_candidates`]: crate::Counts::pawn_candidates
#[derive(Debug)]
pub struct PawnLegal<R: RuleTable> {
    tables: PawnLegalTables,
    rules: PhantomData<R>,
}

/// The tables that divide the ranks.
#[derive(Debug)]
struct PawnLegalTables {
    table: &'static Table,
    size: BigUint,
    /// The size if it fits in 64 bits.
    size_u64: Option<u64>,
    kings: KingPairs,
    files: FileOrder,
    numbers: Numbers,
}

/// The tables in the narrowest numbers that hold the ranks.
#[derive(Debug)]
enum Numbers {
    Narrow(Order<u64>),
    Wide(Order<BigUint>),
}

/// Ascending numbers, the first of them 0: where the parts of a whole begin.
#[derive(Debug)]
struct Starts<N>(Vec<N>);

impl Starts<BigUint> {
    /// Where parts of these sizes begin, and the size of the whole.
    fn new(sizes: &[BigUint]) -> (Self, BigUint) {
        let (mut starts, mut whole) = (Vec::new(), BigUint::ZERO);
        for size in sizes {
            starts.push(whole.clone());
            whole += size;
        }
        (Self(starts), whole)
    }

    /// The same numbers in one word, for wholes small enough.
    fn narrow(&self) -> Starts<u64> {
        Starts(self.0.iter().map(u64::narrow).collect())
    }
}

impl<N: Number> Starts<N> {
    /// The part in which a number below the whole lies, and the number inside it.
    #[inline(always)]
    fn split(&self, number: N) -> (usize, N) {
        let part = self.0.partition_point(|start| *start <= number).saturating_sub(1);
        (part, number.minus(&self.0[part]))
    }
}

/// The tables that divide ranks.
#[derive(Debug)]
struct Order<N: Number> {
    /// By king pair.
    pairs: Starts<N>,
    /// By king pair: which of the classes it belongs to.
    classes_of: Vec<u16>,
    /// For each class of king pairs, by term of the restricted faces.
    classes: Vec<Starts<N>>,
    /// By term: ways to place what is left. 1 for terms without any, which no rank has.
    followers: Vec<N::Divisor>,
    remainder: Remainder<N>,
}

impl Order<BigUint> {
    /// The tables and the number of members; `None` if numbers become too large.
    fn new(table: &'static Table, kings: &KingPairs, files: &FileOrder) -> Option<(Self, BigUint)> {
        let terms = files.terms();
        let (remainder, ways_left) = Remainder::new(table, &restricted(table), terms);
        // The rest that a term of the restricted faces leaves is the mirrored term.
        let mut followers: Vec<BigUint> =
            (0..terms.len()).map(|term| ways_left[terms.last() - term].clone()).collect();
        let (mut classes, mut sizes, mut known) = (Vec::new(), Vec::new(), Vec::new());
        let (mut classes_of, mut pair_sizes) = (Vec::new(), Vec::new());
        for &pair in kings.pairs() {
            let ranks = KingRanks::of(table, pair);
            let class = match known.iter().position(|&class| class == ranks) {
                Some(class) => class,
                None => {
                    let ways = files.ways(ranks)?;
                    let sizes_by_term: Vec<BigUint> =
                        ways.iter().zip(&followers).map(|(&w, f)| f * w).collect();
                    let (starts, size) = Starts::new(&sizes_by_term);
                    classes.push(starts);
                    sizes.push(size);
                    known.push(ranks);
                    known.len() - 1
                }
            };
            classes_of.push(class as u16);
            pair_sizes.push(sizes[class].clone());
        }
        let (pairs, size) = Starts::new(&pair_sizes);
        for ways in &mut followers {
            if *ways == BigUint::ZERO {
                *ways = BigUint::from(1u8);
            }
        }
        Some((Self { pairs, classes_of, classes, followers, remainder }, size))
    }

    /// The same tables in numbers of one word, for sets small enough.
    fn narrow(self) -> Order<u64> {
        Order {
            pairs: self.pairs.narrow(),
            classes_of: self.classes_of,
            classes: self.classes.iter().map(Starts::narrow).collect(),
            followers: self.followers.iter().map(|ways| u64::narrow(ways).divisor()).collect(),
            remainder: self.remainder.narrow(),
        }
    }
}

impl<R: RuleTable> PawnLegal<R> {
    /// The name of the set in shards and reports.
    pub const NAME: &'static str = "pawn-legal";

    /// Computes the size and the tables, in some 20 milliseconds for 9x9.
    ///
    /// `None` for rule tables whose placements [cannot be counted](check_countable), and for those with so many
    /// restricted pieces that they can be placed in 2^128 ways or more, or that the tables would need millions
    /// of entries. No variant of `shogi-rules` is among them.
    pub fn new() -> Option<Self> {
        check_countable::<R>().ok()?;
        Some(Self { tables: PawnLegalTables::new(Constants::<R>::table())?, rules: PhantomData })
    }
}

impl PawnLegalTables {
    fn new(table: &'static Table) -> Option<Self> {
        let kings = KingPairs::new(table);
        let files = FileOrder::new(table, &restricted(table))?;
        let (order, size) = Order::new(table, &kings, &files)?;
        let size_u64 = u64::try_from(&size).ok();
        let numbers = match size_u64 {
            Some(_) => Numbers::Narrow(order.narrow()),
            None => Numbers::Wide(order),
        };
        Some(Self { table, size, size_u64, kings, files, numbers })
    }

    fn unrank(&self, rank: &BigUint) -> Result<Board<Squares>, RankError> {
        if *rank >= self.size {
            return Err(self.out_of_range(rank.clone()));
        }
        Ok(match &self.numbers {
            Numbers::Narrow(order) => self.unrank_by(order, u64::narrow(rank)),
            Numbers::Wide(order) => self.unrank_by(order, rank.clone()),
        })
    }

    fn unrank_u64(&self, rank: u64) -> Result<Board<Squares>, RankError> {
        if self.size_u64.is_some_and(|size| rank >= size) {
            return Err(self.out_of_range(rank.into()));
        }
        Ok(match &self.numbers {
            Numbers::Narrow(order) => self.unrank_by(order, rank),
            Numbers::Wide(order) => self.unrank_by(order, rank.into()),
        })
    }

    #[cold]
    fn out_of_range(&self, rank: BigUint) -> RankError {
        RankError::OutOfRange { rank, size: self.size.clone() }
    }

    fn rank(&self, pair: usize, board: &Board<Squares>) -> BigUint {
        match &self.numbers {
            Numbers::Narrow(order) => self.rank_by(order, pair, board).into(),
            Numbers::Wide(order) => self.rank_by(order, pair, board),
        }
    }

    #[inline]
    fn unrank_by<N: Number>(&self, order: &Order<N>, rank: N) -> Board<Squares> {
        let (pair, rest) = order.pairs.split(rank);
        let kings = self.kings.pair(pair);
        let class = usize::from(order.classes_of[pair]);
        let (term, rest) = order.classes[class].split(rest);
        let (number, rest) = rest.divide(&order.followers[term]);
        let mut board = Board::EMPTY;
        for (king, colour) in [kings.0, kings.1].into_iter().zip(Colour::ALL) {
            board.put_piece(king, Piece { face: Face::front(self.table.royal), colour });
        }
        self.files.unrank(kings, term, number.split(0).0, |square, stone| {
            board.put_piece(square, Piece { face: stone.restricted.face, colour: stone.colour });
        });
        order.remainder.unrank(&mut board, self.files.terms().last() - term, rest);
        board
    }

    fn rank_by<N: Number>(&self, order: &Order<N>, pair: usize, board: &Board<Squares>) -> N {
        let class = usize::from(order.classes_of[pair]);
        let kings = self.kings.pair(pair);
        let mut taken = one(kings.0) | one(kings.1);
        for restricted in restricted(self.table) {
            for colour in Colour::ALL {
                taken |= board.piece(Piece { face: restricted.face, colour });
            }
        }
        let (term, number) = self.files.rank(kings, |square, stone| {
            let piece = Piece { face: stone.restricted.face, colour: stone.colour };
            has(board.piece(piece), square)
        });
        let left = self.files.terms().last() - term;
        let rest = order.remainder.rank(board, taken, left);
        let number = N::join(number, 0, 0).times(&order.followers[term]);
        let start = order.pairs.0[pair].clone().plus(&order.classes[class].0[term]);
        start.plus(&number).plus(&rest)
    }
}

impl<R: RuleTable> Ranking<R> for PawnLegal<R> {
    fn size(&self) -> BigUint {
        self.tables.size.clone()
    }

    #[inline]
    fn size_u64(&self) -> Option<u64> {
        self.tables.size_u64
    }

    fn unrank(&self, rank: &BigUint) -> Result<Placement<R>, RankError> {
        Ok(self.tables.unrank(rank)?.placement())
    }

    #[inline]
    fn unrank_u64(&self, rank: u64) -> Result<Placement<R>, RankError> {
        Ok(self.tables.unrank_u64(rank)?.placement())
    }

    fn rank(&self, placement: &Placement<R>) -> Result<BigUint, RankError> {
        let pair = king_pair(&self.tables.kings, placement)?;
        if placement.has_nifu() {
            return Err(Outside::Nifu.into());
        }
        if placement.has_immobile() {
            return Err(Outside::Immobile.into());
        }
        Ok(self.tables.rank(pair, &Board::of(placement)))
    }
}
