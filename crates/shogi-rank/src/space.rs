//! The space of candidate positions, declared from a rule table.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use num_bigint::BigUint;
use shogi_core::{
    Bitboard, Colour, Kind, NotClassic, Placement, RuleTable, Square, check_countable,
};

use crate::board::Board;
use crate::constants::Constants;
use crate::error::{Outside, ParseOrderError, RankError};
use crate::ishii_tanaka::IshiiTanaka;
use crate::king_pairs::KingPairs;
use crate::native::{Native, size};
use crate::table::Table;
use crate::trellis::stocks;

/// A numbering of the placements of a space. All orders number the same set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Order {
    /// The order that is unranked fastest; every space has it.
    #[default]
    Native,
    /// The order of the program published with Ishii & Tanaka, "Estimating the number of reachable
    /// positions in Minishogi", for replaying its ranks. Only for spaces of less than 2^64
    /// placements with the kinds of Minishogi.
    IshiiTanaka,
}

impl Order {
    /// All orders.
    pub const ALL: [Self; 2] = [Self::Native, Self::IshiiTanaka];

    /// `native` or `ishii-tanaka`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::IshiiTanaka => "ishii-tanaka",
        }
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Order {
    type Err = ParseOrderError;

    fn from_str(name: &str) -> Result<Self, ParseOrderError> {
        let found = Self::ALL.into_iter().find(|order| order.name() == name);
        found.ok_or_else(|| ParseOrderError(name.to_owned()))
    }
}

/// All placements of the pieces of a rule table with Sente to move, mirror images folded by the
/// kings, numbered.
///
/// Both kings stand on the board; every other piece belongs to either player and stands on the board with
/// either face up or lies in hand. Nothing else has to be legal. Of a placement and its mirror image the member
/// has Sente's king on the left half, or Sente's king on the middle file and Gote's king not to the right of
/// it; with both kings on the middle file both are members. This is S_all of Ishii & Tanaka.
///
/// A rule table without exactly one royal kind of two pieces does not compile. A rule table loaded at run time
/// must be entered by each thread that works with its space.
///
/// ```
/// use shogi_rank::{Order, Space};
/// use shogi_rules::{Minishogi, to_sfen};
/// let space = Space::<Minishogi>::new()?;
/// assert_eq!(space.size_u64(), Some(16_014_219_505_238_849_250));
/// let placement = space.unrank(1u64, Order::IshiiTanaka)?;
/// assert_eq!(to_sfen(&placement), "kpb2/Ksb2/gs3/gr3/pr3 b - 1");
/// assert_eq!(space.rank::<u64>(&placement, Order::IshiiTanaka)?, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Space<R: RuleTable> {
    tables: OrderTables,
    rules: PhantomData<R>,
}

/// The tables of the orders.
#[derive(Debug)]
struct OrderTables {
    size: BigUint,
    /// The size if it fits in 64 bits.
    size_u64: Option<u64>,
    kings: KingPairs,
    native: Numbers,
    ishii_tanaka: Option<IshiiTanaka>,
}

/// The native order in the narrowest numbers that hold its ranks.
#[derive(Debug)]
enum Numbers {
    Narrow(Native<u64>),
    Wide(Native<BigUint>),
}

impl OrderTables {
    fn new(table: &'static Table) -> Self {
        let size = size(table);
        let size_u64 = u64::try_from(&size).ok();
        let native = match size_u64 {
            Some(_) => Numbers::Narrow(Native::new(table)),
            None => Numbers::Wide(Native::new(table)),
        };
        let ishii_tanaka = size_u64.and_then(|_| IshiiTanaka::new(table));
        Self { size, size_u64, kings: KingPairs::new(table), native, ishii_tanaka }
    }

    #[cold]
    fn out_of_range(&self, rank: BigUint) -> RankError {
        RankError::OutOfRange { rank, size: self.size.clone() }
    }

    fn published(&self) -> Result<&IshiiTanaka, RankError> {
        self.ishii_tanaka.as_ref().ok_or(RankError::NoSuchOrder)
    }
}

impl<R: RuleTable> Space<R> {
    /// The space of a rule table: computes its size and the tables of its orders, in about a
    /// millisecond for boards up to 9x9.
    ///
    /// # Errors
    ///
    /// If placements of the table cannot be counted; the error says why. See [`check_countable`].
    pub fn new() -> Result<Self, NotClassic> {
        check_countable::<R>()?;
        Ok(Self { tables: OrderTables::new(Constants::<R>::table()), rules: PhantomData })
    }

    /// The number of placements.
    pub fn size(&self) -> BigUint {
        self.tables.size.clone()
    }

    /// The number of placements, if it fits in 64 bits.
    #[inline]
    pub const fn size_u64(&self) -> Option<u64> {
        self.tables.size_u64
    }

    /// The number of king pairs.
    pub fn king_pairs(&self) -> usize {
        self.tables.kings.len()
    }

    /// The number of hand classes: vectors that say how many pieces of each kind are in hand.
    pub fn hand_classes(&self) -> u64 {
        stocks(Constants::<R>::table())
    }

    /// The placement with this rank, a `u64` or a [`BigUint`]; in 64 bits it is found faster.
    ///
    /// # Errors
    ///
    /// [`RankError::OutOfRange`] if the rank is not below the size, [`RankError::NoSuchOrder`] if the space
    /// lacks the order.
    #[inline]
    pub fn unrank<N: RankNumber>(&self, rank: N, order: Order) -> Result<Placement<R>, RankError> {
        rank.unrank_in(self, order)
    }

    /// The rank of a placement, as a `u64` or a [`BigUint`]; in 64 bits it is found faster.
    ///
    /// ```
    /// use shogi_rank::{BigUint, Order, Space};
    /// use shogi_rules::{Rules as _, Shogi34};
    /// let space = Space::<Shogi34>::new()?;
    /// let placement = space.unrank(2026u64, Order::Native)?;
    /// assert_eq!(space.rank::<u64>(&placement, Order::Native)?, 2026);
    /// let rank: BigUint = space.rank(&placement, Order::Native)?;
    /// assert_eq!(space.unrank(rank, Order::Native)?, placement);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`RankError::Outside`] if the placement is not a member, with the reason; [`RankError::NoSuchOrder`] if
    /// the space lacks the order; [`RankError::TooWide`] if the rank does not fit in the number.
    #[inline]
    pub fn rank<N: RankNumber>(
        &self,
        placement: &Placement<R>,
        order: Order,
    ) -> Result<N, RankError> {
        N::rank_in(self, placement, order)
    }

    fn unrank_big(&self, order: Order, rank: &BigUint) -> Result<Placement<R>, RankError> {
        let tables = &self.tables;
        match (u64::try_from(rank), &tables.native) {
            (Ok(rank), _) => self.unrank_word(order, rank),
            (Err(_), Numbers::Wide(native)) if *rank < tables.size => match order {
                Order::Native => {
                    let table = tables.kings.table();
                    Ok(native.unrank(table, &tables.kings, rank.clone()).placement())
                }
                Order::IshiiTanaka => Err(RankError::NoSuchOrder),
            },
            _ => Err(tables.out_of_range(rank.clone())),
        }
    }

    #[inline]
    fn unrank_word(&self, order: Order, rank: u64) -> Result<Placement<R>, RankError> {
        let tables = &self.tables;
        if tables.size_u64.is_some_and(|size| rank >= size) {
            return Err(tables.out_of_range(rank.into()));
        }
        match order {
            Order::Native => Ok(match &tables.native {
                Numbers::Narrow(native) => native.unrank(&tables.kings, rank),
                Numbers::Wide(native) => {
                    native.unrank(tables.kings.table(), &tables.kings, rank.into()).placement()
                }
            }),
            Order::IshiiTanaka => Ok(tables.published()?.unrank(rank).placement()),
        }
    }

    fn rank_big(&self, order: Order, placement: &Placement<R>) -> Result<BigUint, RankError> {
        match (&self.tables.native, order) {
            (Numbers::Wide(native), Order::Native) => self.wide_rank(native, placement),
            _ => Ok(self.rank_word(order, placement)?.into()),
        }
    }

    fn wide_rank(
        &self,
        native: &Native<BigUint>,
        placement: &Placement<R>,
    ) -> Result<BigUint, RankError> {
        let kings = &self.tables.kings;
        let pair = king_pair(kings, placement)?;
        Ok(native.rank(kings.table(), kings, pair, &Board::of(placement)))
    }

    fn rank_word(&self, order: Order, placement: &Placement<R>) -> Result<u64, RankError> {
        match (order, &self.tables.native) {
            (Order::IshiiTanaka, _) => {
                self.check(placement)?;
                Ok(self.tables.published()?.rank(&Board::of(placement)))
            }
            (Order::Native, Numbers::Narrow(native)) => {
                let kings = &self.tables.kings;
                Ok(native.rank(kings, king_pair(kings, placement)?, placement))
            }
            (Order::Native, Numbers::Wide(native)) => narrow(self.wide_rank(native, placement)?),
        }
    }

    /// Whether the placement is a member.
    ///
    /// # Errors
    ///
    /// The reason why it is not.
    ///
    /// ```
    /// use shogi_rank::{Outside, Space};
    /// use shogi_rules::{Minishogi, Rules, parse_sfen};
    /// let space = Space::<Minishogi>::new()?;
    /// let (start, _) = parse_sfen::<Minishogi>(Minishogi::START)?;
    /// assert_eq!(space.check(&start), Ok(()));
    /// assert_eq!(space.check(&start.mirror()), Err(Outside::SenteKingOnTheRight));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check(&self, placement: &Placement<R>) -> Result<(), Outside> {
        king_pair(&self.tables.kings, placement).map(drop)
    }
}

/// A number of placements: `u64`, the fast way where it suffices, or [`BigUint`].
pub trait RankNumber: number::Sealed {}

impl RankNumber for u64 {}
impl RankNumber for BigUint {}

mod number {
    use super::{BigUint, Order, Placement, RankError, RuleTable, Space};

    /// How a space numbers placements in this type.
    pub trait Sealed: Sized {
        fn unrank_in<R: RuleTable>(
            self,
            space: &Space<R>,
            order: Order,
        ) -> Result<Placement<R>, RankError>;

        fn rank_in<R: RuleTable>(
            space: &Space<R>,
            placement: &Placement<R>,
            order: Order,
        ) -> Result<Self, RankError>;
    }

    impl Sealed for u64 {
        #[inline]
        fn unrank_in<R: RuleTable>(
            self,
            space: &Space<R>,
            order: Order,
        ) -> Result<Placement<R>, RankError> {
            space.unrank_word(order, self)
        }

        #[inline]
        fn rank_in<R: RuleTable>(
            space: &Space<R>,
            placement: &Placement<R>,
            order: Order,
        ) -> Result<Self, RankError> {
            space.rank_word(order, placement)
        }
    }

    impl Sealed for BigUint {
        fn unrank_in<R: RuleTable>(
            self,
            space: &Space<R>,
            order: Order,
        ) -> Result<Placement<R>, RankError> {
            space.unrank_big(order, &self)
        }

        fn rank_in<R: RuleTable>(
            space: &Space<R>,
            placement: &Placement<R>,
            order: Order,
        ) -> Result<Self, RankError> {
            space.rank_big(order, placement)
        }
    }
}

/// A rank as one word.
pub(crate) fn narrow(rank: BigUint) -> Result<u64, RankError> {
    u64::try_from(&rank).map_err(|_| RankError::TooWide(rank))
}

/// The number of the king pair of a member.
pub(crate) fn king_pair<R: RuleTable>(
    kings: &KingPairs,
    placement: &Placement<R>,
) -> Result<usize, Outside> {
    let [sente, gote] = check_set(placement)?;
    kings.number(sente.index() as u8, gote.index() as u8)
}

/// Whether Sente is to move and the set is complete, with one king for each player: the squares of
/// Sente's and Gote's king.
pub(crate) fn check_set<R: RuleTable>(
    placement: &Placement<R>,
) -> Result<[Square<R::Geometry>; 2], Outside> {
    if placement.side() == Colour::Gote {
        return Err(Outside::GoteToMove);
    }
    check_squares(placement)?;
    for colour in Colour::ALL {
        if (placement.royals() & placement.of(colour)).has_many() {
            return Err(Outside::TwoKings(colour));
        }
    }
    let king = |colour| placement.king(colour).ok_or(Outside::KingMissing(colour));
    let kings = [king(Colour::Sente)?, king(Colour::Gote)?];
    check_pieces(placement)?;
    Ok(kings)
}

/// Whether each occupied square has one piece with one owner, and no other square has anything.
fn check_squares<R: RuleTable>(placement: &Placement<R>) -> Result<(), Outside> {
    let mut seen = Bitboard::EMPTY;
    let mut shared = Bitboard::EMPTY;
    for kind in Kind::all::<R>() {
        shared |= seen & placement.kind(kind);
        seen |= placement.kind(kind);
    }
    let (sente, gote) = (placement.of(Colour::Sente), placement.of(Colour::Gote));
    let odd = shared | (sente & gote) | ((sente | gote) ^ seen) | (placement.promoted() - seen);
    if odd.is_empty() { Ok(()) } else { Err(Outside::Inconsistent) }
}

/// Checks that the number of pieces of a kind is as expected.
#[inline]
fn check_count(letter: char, found: u32, expected: u32) -> Result<(), Outside> {
    if found > expected {
        return Err(Outside::TooMany { letter, found, expected });
    }
    if found < expected {
        return Err(Outside::Missing { letter, found, expected });
    }
    Ok(())
}

/// Whether the set is complete, and backs up only where there are backs.
fn check_pieces<R: RuleTable>(placement: &Placement<R>) -> Result<(), Outside> {
    let table = Constants::<R>::table();
    for kind in Kind::all::<R>() {
        let letter = kind.spec::<R>().letter;
        let expected = table.count(kind);
        let in_hand = |colour| u32::from(placement.hand(colour).count(kind));
        let in_hands = in_hand(Colour::Sente) + in_hand(Colour::Gote);
        check_count(letter, placement.kind(kind).len() + in_hands, expected)?;
        if kind.spec::<R>().back.is_none() && placement.kind(kind).meets(placement.promoted()) {
            return Err(Outside::NoBack(letter));
        }
    }
    Ok(())
}
