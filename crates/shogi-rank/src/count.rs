//! Exact numbers of placements.

use num_bigint::BigUint;
use shogi_core::{Colour, MAX_KINDS, NotClassic, Placement, RuleTable, check_countable};

use crate::census::{Census, Kings};
use crate::combinations::binomial;
use crate::constants::Constants;
use crate::native::size;
use crate::out_of_check::OutOfCheck;
use crate::restricted_faces::restricted;
use crate::table::Table;

/// Exact numbers of placements with Sente to move.
///
/// The numbers named `distinct` count a position and its mirror image as two. The numbers named
/// `flip`, `pawn` and `king` count the candidates left after the stage of that name, a position and
/// its mirror image as one.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Counts {
    /// The candidates: the size of the [`Space`](crate::Space).
    pub candidates: BigUint,
    /// Candidates whose mirror image is not the smaller of the two.
    pub flip: BigUint,
    /// Candidates counted in [`Counts::flip`] without nifu and immobile pieces, where these are
    /// illegal.
    pub pawn: BigUint,
    /// Candidates without nifu and immobile pieces, where these are illegal: the size of
    /// [`PawnLegal`](crate::PawnLegal), which is folded by the kings alone, as the candidates are.
    pub pawn_candidates: BigUint,
    /// All placements.
    pub distinct: BigUint,
    /// Placements that are their own mirror image.
    pub self_mirror: BigUint,
    /// Placements without nifu and immobile pieces, where these are illegal.
    pub pawn_distinct: BigUint,
    /// Placements counted in [`Counts::pawn_distinct`] whose kings are not neighbours.
    pub kings_apart_distinct: BigUint,
    /// Candidates counted in [`Counts::pawn`] in which the player not to move is not in check.
    ///
    /// `None` where nifu is illegal and the set has more than two pawns, where there are 2^120
    /// placements or more, and for boards and sets too large to be counted within a second.
    pub king: Option<BigUint>,
    /// Placements counted in [`Counts::pawn_distinct`] in which the player not to move is not in
    /// check; `None` where [`Counts::king`] is.
    pub king_distinct: Option<BigUint>,
}

impl Counts {
    /// The counts for a rule table, in about a tenth of a second for shogi and Minishogi.
    ///
    /// After the flip stage every mirror pair is counted once, so the result is the mean of the
    /// number of placements and the number of those that are their own mirror image.
    ///
    /// ```
    /// use shogi_rank::{BigUint, Counts};
    /// use shogi_rules::Minishogi;
    /// let counts = Counts::new::<Minishogi>()?;
    /// assert_eq!(counts.distinct, BigUint::from(30_995_263_558_526_805_000u128));
    /// assert_eq!(counts.pawn_distinct, BigUint::from(24_917_722_146_793_660_410u128));
    /// # Ok::<(), shogi_core::NotClassic>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If placements of the table cannot be counted; the error says why. See [`check_countable`].
    pub fn new<R: RuleTable>() -> Result<Self, NotClassic> {
        check_countable::<R>()?;
        Ok(Self::of(Constants::<R>::table()))
    }

    pub(crate) fn of(table: &'static Table) -> Self {
        let mut all = Census::new(table, Vec::new());
        let mut legal = Census::new(table, restricted(table));
        let (distinct, self_mirror) = (all.distinct(Kings::Anywhere), all.self_mirror());
        let pawn_distinct = legal.distinct(Kings::Anywhere);
        let out_of_check = if table.is_named { OutOfCheck::new(table, &distinct) } else { None };
        let in_the_middle = legal.kings_in_the_middle();
        Self {
            pawn_candidates: (&pawn_distinct + in_the_middle) >> 1,
            candidates: size(table),
            flip: (&distinct + &self_mirror) >> 1,
            pawn: (&pawn_distinct + legal.self_mirror()) >> 1,
            distinct,
            self_mirror,
            pawn_distinct,
            kings_apart_distinct: legal.distinct(Kings::Apart),
            king: out_of_check.as_ref().map(|n| (&n.distinct + &n.self_mirror) >> 1),
            king_distinct: out_of_check.map(|n| n.distinct),
        }
    }
}

/// The number of all placements, mirror images counted as two, by the number of pieces in hand.
///
/// For Kyoto shogi this is Table 1 of Shioda & Ito, "Kyoto Shogi Is Weakly Solved".
///
/// ```
/// use shogi_rank::{BigUint, Counts, by_hand};
/// use shogi_rules::Minishogi;
/// let counts = by_hand::<Minishogi>();
/// assert_eq!(counts.len(), 11);
/// assert_eq!(counts.into_iter().sum::<BigUint>(), Counts::new::<Minishogi>()?.distinct);
/// # Ok::<(), shogi_core::NotClassic>(())
/// ```
pub fn by_hand<R: RuleTable>() -> Vec<BigUint> {
    let table = Constants::<R>::table();
    let mut counts = [0; MAX_KINDS];
    for kind in table.kinds() {
        counts[kind.index()] = table.count(kind);
    }
    placements_by_hand(table, &counts)
}

/// The number of all placements of two kings and the other pieces of a position, on its board and
/// in its hands, mirror images counted as two, by the number of pieces in hand.
///
/// This differs from the whole rule table where games use a part of the pieces, as in 3x4 shogi.
///
/// ```
/// use shogi_rank::{BigUint, by_hand_of};
/// use shogi_rules::{Rules as _, Shogi34};
/// let counts = by_hand_of(&Shogi34::named_start("RKB")?);
/// assert_eq!(counts.len(), 7);
/// assert_eq!(counts[6], BigUint::from(12u32 * 11 * 3 * 3 * 3));
/// # Ok::<(), shogi_rules::StartError>(())
/// ```
pub fn by_hand_of<R: RuleTable>(position: &Placement<R>) -> Vec<BigUint> {
    let table = Constants::<R>::table();
    let mut counts = [0; MAX_KINDS];
    for kind in table.kinds() {
        let in_hand = |colour| u32::from(position.hand(colour).count(kind));
        let in_hands = in_hand(Colour::Sente) + in_hand(Colour::Gote);
        counts[kind.index()] = position.kind(kind).len() + in_hands;
    }
    placements_by_hand(table, &counts)
}

/// The numbers for a set with so many pieces of each kind.
fn placements_by_hand(table: &Table, counts: &[u32; MAX_KINDS]) -> Vec<BigUint> {
    let kings = table.area() * (table.area() - 1);
    let mut by_hand = vec![BigUint::from(kings)];
    let mut placed = 0;
    for kind in table.kinds() {
        let count = counts[kind.index()];
        let mut longer = vec![BigUint::ZERO; by_hand.len() + count as usize];
        for (in_hand, ways) in by_hand.iter().enumerate() {
            let empty = (table.left_by_kings() + in_hand).saturating_sub(placed);
            for kept in 0..=count {
                let on_board = count - kept;
                let faces = BigUint::from(1u8) << (on_board * table.face_bits(kind));
                longer[in_hand + kept as usize] +=
                    ways * binomial(empty, on_board as usize) * (kept + 1) * faces;
            }
        }
        placed += count as usize;
        by_hand = longer;
    }
    by_hand
}
