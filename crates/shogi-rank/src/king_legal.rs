//! The placements that are left after the stages flip, pawn and king, numbered without gaps.
//!
//! With Gote's king on its square, the rest of the board is filled by a walk (see
//! [`crate::trellis`]) on which Sente's king is one more piece. File by file, nifu needs no more
//! than a bit for each player, and Gote's king no more than a bit for each ray
//! (see [`crate::watch`]).
//!
//! Mirror images are folded thus. With Gote's king on the left half each pair has one member. With
//! Gote's king on the middle file and Sente's off it, Sente's is kept on the left half. With both
//! on the middle file the walk goes by pairs of squares that are mirror images of each other, and
//! knows whether the board is symmetric so far; the first pair of squares that differ must differ
//! in one direction. What comes out is one of each two mirror images, and the one that
//! [`passes_flip`] keeps is at most a reflection away.

use std::marker::PhantomData;

use num_bigint::BigUint;
use shogi_core::{Colour, Geometry, Piece, Placement, RuleTable, Square, passes_flip};

use crate::board::{Board, WordOf};
use crate::constants::Constants;
use crate::count::Counts;
use crate::error::{Outside, RankError};
use crate::ranking::Ranking;
use crate::space::check_set;
use crate::table::Table;
use crate::trellis::{Trellis, Walk, stocks};
use crate::watch::{Rays, Wanted, Watch};

/// The most stocks for which tables are made: each node of the trellis has a number for each.
pub(crate) const MAX_STOCKS: u64 = 4096;

/// The placements with Sente to move that pass the stages flip, pawn and king of Ishii & Tanaka,
/// numbered without gaps.
///
/// Of a placement and its mirror image the member is the one that passes [`passes_flip`]; no
/// player has two unpromoted pawns on a file, and no piece can never move again (where these are
/// illegal); Gote's king is not attacked. Every number is a member, so a
/// [`Sampler`](crate::Sampler) draws them uniformly without rejecting any.
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
    trellis: Trellis,
    roots: Vec<Root>,
    size: u64,
}

/// The placements with Gote's king on a square, in one way of walking.
#[derive(Debug)]
struct Root {
    king: u8,
    order: Order,
    node: u32,
    /// The first rank.
    start: u64,
}

/// In which order the squares are filled.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Order {
    /// From file to file, and through each from the top.
    Files,
    /// Square and mirror image in turn, from the edges to the middle file.
    Mirrors,
}

impl<R: RuleTable> KingLegal<R> {
    /// The name of the set in shards and reports.
    pub const NAME: &'static str = "king-legal";

    /// Makes the tables, for Minishogi some 20 MB within a tenth of a second.
    ///
    /// `None` for sets that are too large: where [`Counts::king`] is `None` or the placements,
    /// mirror images counted as two, do not fit in 64 bits.
    pub fn new() -> Option<Self> {
        let walks = Walks::new(Constants::<R>::TABLE)?;
        Some(Self { walks, rules: PhantomData })
    }

    /// The rank of one of two mirror images, if it is the one that the walk makes.
    fn rank_as_made(&self, placement: &Placement<R>) -> Option<u64> {
        let (sente, gote) = (placement.king(Colour::Sente)?, placement.king(Colour::Gote)?);
        let order = if is_middle(sente) && is_middle(gote) { Order::Mirrors } else { Order::Files };
        let root = self.walks.root_of(gote.index() as u8, order)?;
        let trellis = &self.walks.trellis;
        Some(root.start + trellis.rank(root.node, trellis.full(), placement)?)
    }
}

impl Walks {
    fn new(table: &'static Table) -> Option<Self> {
        let total = Counts::of(table).king_distinct?;
        if stocks(table) > MAX_STOCKS || u64::try_from(&total).is_err() {
            return None;
        }
        let walk = Towards::new(table);
        let (trellis, nodes) = Trellis::new(table, &walk, &walk.roots);
        let mut roots = Vec::new();
        let mut size = 0;
        for (around, node) in walk.around.iter().zip(nodes) {
            roots.push(Root { king: around.king, order: around.order, node, start: size });
            size += trellis.ways(node, trellis.full());
        }
        Some(Self { trellis, roots, size })
    }

    fn out_of_range(&self, rank: BigUint) -> RankError {
        RankError::OutOfRange { rank, size: self.size.into() }
    }

    /// The root with Gote's king on a square.
    fn root_of(&self, king: u8, order: Order) -> Option<&Root> {
        self.roots.iter().find(|root| root.king == king && root.order == order)
    }
}

/// The root that a rank belongs to.
#[inline]
fn root_at(roots: &[Root], rank: u64) -> &Root {
    &roots[roots.partition_point(|root| root.start <= rank) - 1]
}

impl<R: RuleTable> Ranking<R> for KingLegal<R> {
    fn size(&self) -> BigUint {
        self.walks.size.into()
    }

    #[inline]
    fn size_u64(&self) -> Option<u64> {
        Some(self.walks.size)
    }

    fn unrank(&self, rank: &BigUint) -> Result<Placement<R>, RankError> {
        let narrow = u64::try_from(rank).map_err(|_| self.walks.out_of_range(rank.clone()))?;
        self.unrank_u64(narrow)
    }

    fn unrank_u64(&self, rank: u64) -> Result<Placement<R>, RankError> {
        let Walks { trellis, roots, size } = &self.walks;
        if rank >= *size {
            return Err(self.walks.out_of_range(rank.into()));
        }
        let root = root_at(roots, rank);
        let mut board = Board::<WordOf<R>>::EMPTY;
        let king = Constants::<R>::ROYAL.index() as u8;
        board.put(root.king, king, Colour::Gote.index() as u8);
        trellis.unrank(root.node, trellis.full(), rank - root.start, &mut board);
        let placement = board.placement();
        Ok(if passes_flip(&placement) { placement } else { placement.mirror() })
    }

    fn rank(&self, placement: &Placement<R>) -> Result<BigUint, RankError> {
        Ok(self.rank_u64(placement)?.into())
    }

    fn rank_u64(&self, placement: &Placement<R>) -> Result<u64, RankError> {
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
        rank.ok_or_else(|| {
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

/// Whether a square is its own mirror image.
fn is_middle<G: Geometry>(square: Square<G>) -> bool {
    square == square.mirror()
}

/// The walk towards all members.
struct Towards {
    table: &'static Table,
    around: Vec<Around>,
    roots: Vec<State>,
}

/// What the walk knows of one root.
struct Around {
    king: u8,
    order: Order,
    squares: Vec<u8>,
    watch: Watch,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct State {
    /// The number of the root; that of a representative where Gote's king is out of it.
    root: u8,
    /// What Gote's king sees; `None` where nothing that is still to come can attack it.
    rays: Option<Rays>,
    has_sente_king: bool,
    /// Players with an unpromoted pawn on the file that is being filled, and, two bits higher, on
    /// its mirror image.
    pawns: u8,
    symmetry: Symmetry,
}

/// What is known of the symmetry of the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Symmetry {
    /// It is asymmetric, or does not matter.
    Free,
    /// So far each square is like its mirror image.
    Kept,
    /// So far it was, and now the mirror image of what this numbers is to follow, or something
    /// with a higher number.
    Owed(u8),
}

/// A number for what is on a square.
fn number(content: Option<Piece>) -> u8 {
    content.map_or(0, |Piece { face, colour }| {
        1 + 4 * face.kind.index() as u8 + 2 * u8::from(face.promoted) + colour.index() as u8
    })
}

impl Towards {
    fn new(table: &'static Table) -> Self {
        let mut around = Vec::new();
        for king in table.squares().filter(|&king| !table.is_right(king)) {
            around.push(Around::new(table, king, Order::Files));
            if table.is_middle(king) {
                around.push(Around::new(table, king, Order::Mirrors));
            }
        }
        let root = |(number, around): (usize, &Around)| State {
            root: number as u8,
            rays: Some(0),
            has_sente_king: false,
            pawns: 0,
            symmetry: match around.order {
                Order::Files => Symmetry::Free,
                Order::Mirrors => Symmetry::Kept,
            },
        };
        let roots = around.iter().enumerate().map(root).collect();
        Self { table, around, roots }
    }

    /// The root that stands for all with this order where Gote's king does not matter any more: all
    /// its squares are filled then that are not squares of the others too.
    fn representative(&self, order: Order) -> u8 {
        self.around.iter().position(|around| around.order == order).unwrap_or(0) as u8
    }
}

impl Around {
    fn new(table: &Table, king: u8, order: Order) -> Self {
        let mut squares: Vec<u8> = table.squares().collect();
        if order == Order::Mirrors {
            squares.clear();
            for square in table.squares().filter(|&square| !table.is_right(square)) {
                squares.push(square);
                if !table.is_middle(square) {
                    squares.push(table.mirror(square));
                }
            }
        }
        squares.retain(|&square| square != king);
        let watch = Watch::new(table, king, Colour::Sente, &squares);
        Self { king, order, squares, watch }
    }

    /// Whether Sente's king may stand on a square.
    fn admits_sente_king(&self, table: &Table, square: u8) -> bool {
        match self.order {
            Order::Mirrors => table.is_middle(square),
            Order::Files => {
                !table.is_middle(self.king) || !table.is_middle(square) && !table.is_right(square)
            }
        }
    }
}

/// The pawns on the files under way after one more piece, `None` where that is nifu.
pub(crate) fn with_pawn(table: &Table, pawns: u8, content: Option<Piece>, file: u8) -> Option<u8> {
    let Some(Piece { face, colour }) = content else { return Some(pawns) };
    if table.allows_nifu || !table.is_pawn(face) {
        return Some(pawns);
    }
    let bit = 1 << (2 * file + colour.index() as u8);
    (pawns & bit == 0).then_some(pawns | bit)
}

impl Walk for Towards {
    type State = State;

    fn square(&self, layer: usize, state: &State) -> Option<u8> {
        self.around[usize::from(state.root)].squares.get(layer).copied()
    }

    fn fill(
        &self,
        layer: usize,
        state: &State,
        square: u8,
        content: Option<Piece>,
    ) -> Option<State> {
        let (table, around) = (self.table, &self.around[usize::from(state.root)]);
        let mut next = *state;
        if let Some(piece) = content {
            if table.is_dead(piece, square) {
                return None;
            }
            if piece.face.kind == table.royal {
                if state.has_sente_king || !around.admits_sente_king(table, square) {
                    return None;
                }
                next.has_sente_king = true;
            }
        }
        if let Some(rays) = state.rays {
            next.rays = Some(around.watch.fill(rays, square, content, |_| Wanted::NoAttack)?);
        }
        let mirrored = around.order == Order::Mirrors;
        let on_image = u8::from(mirrored && table.is_right(square));
        next.pawns = with_pawn(table, state.pawns, content, on_image)?;
        if let Symmetry::Owed(owed) = state.symmetry {
            next.symmetry = match number(content).cmp(&owed) {
                std::cmp::Ordering::Less => return None,
                std::cmp::Ordering::Equal => Symmetry::Kept,
                std::cmp::Ordering::Greater => Symmetry::Free,
            };
        } else if state.symmetry == Symmetry::Kept {
            next.symmetry = Symmetry::Owed(number(content));
        }
        if let Some(&following) = around.squares.get(layer + 1) {
            let file = |square| {
                let column = table.column(square);
                if mirrored { column.min(table.width - 1 - column) } else { column }
            };
            if file(following) != file(square) {
                next.pawns = 0;
                if mirrored && table.is_middle(following) {
                    next.symmetry = Symmetry::Free;
                }
            }
            let king_is_late =
                !mirrored && table.is_middle(around.king) && table.is_middle(following);
            if king_is_late && !next.has_sente_king {
                return None;
            }
            if !next.rays.is_some_and(|rays| around.watch.is_open(rays, layer)) {
                (next.root, next.rays) = (self.representative(around.order), None);
            }
        }
        Some(next)
    }

    /// The roots' kings see different pieces, and symmetry compares numbers: none is like another.
    fn likeness(&self, _: usize, content: Option<Piece>) -> u8 {
        number(content)
    }

    fn accepts(&self, state: &State) -> bool {
        state.has_sente_king
    }
}
