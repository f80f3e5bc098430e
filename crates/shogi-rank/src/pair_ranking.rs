//! All placements around one pair of kings, numbered by the class of their checks.
//!
//! For each class and each set of checkers a walk ([`crate::check_walk`]) fills the rest of the
//! board, and the ways to walk are counted and numbered ([`crate::trellis`]).

use shogi_core::{Colour, Kind, Piece, Placement, RuleTable, Square};

use crate::board::{Board, WordOf};
use crate::check_plan::Coming;
use crate::check_walk::{CheckWalk, Demanded};
use crate::checks::Checks;
use crate::number::Width;
use crate::table::Table;
use crate::trellis::{Section, Trellis, WayCounts, count_ways};
use crate::ways::{Checker, FindWays};

/// The numbered placements around a pair of kings.
#[derive(Debug)]
pub(crate) struct PairRanking {
    royal: Kind,
    kings: [u8; 2],
    trellis: Trellis,
    /// Ordered by class.
    roots: Vec<Root>,
}

/// The placements with certain checkers and a certain plan.
#[derive(Debug)]
struct Root {
    class: Checks,
    checkers: Vec<Checker>,
    /// Numbered within the class.
    section: Section,
}

/// The number of placements around a pair of kings in each class that has any, without the tables that number them.
pub(crate) fn sizes_around(
    table: &'static Table,
    width: Width,
    find_ways: FindWays,
    kings: [u8; 2],
) -> Vec<(Checks, u128)> {
    let mut walk = CheckWalk::new(table, find_ways, kings);
    let mut demands = walk.all(Coming::company_by_difference);
    demands.sort_by_key(|demanded| demanded.class);
    let starts: Vec<_> = demands.iter().map(|demanded| demanded.start).collect();
    let kinds = |demanded: &Demanded| demanded.checkers.iter().map(|(_, face)| face.kind).collect();
    let taken: Vec<Vec<Kind>> = demands.iter().map(kinds).collect();
    let ways = count_ways(table, width, &mut walk, (&starts, &taken));
    let terms: Vec<_> = demands.iter().zip(ways).collect();
    let of_classes = terms.chunk_by(|(a, _), (b, _)| a.class == b.class);
    let sizes = of_classes.map(|terms| {
        // The whole is below 2^128, the parts of the sum need not be.
        let size = terms.iter().fold(0u128, |sum, (term, ways)| match term.sign {
            1 => sum.wrapping_add(*ways),
            _ => sum.wrapping_sub(*ways),
        });
        (terms[0].0.class, size)
    });
    sizes.filter(|&(_, size)| size > 0).collect()
}

impl PairRanking {
    /// Makes the tables for kings on these squares, Sente's first; some 35 MB for Minishogi, in the memory of earlier ones.
    pub(crate) fn new(
        table: &'static Table,
        spare: WayCounts,
        find_ways: FindWays,
        kings: [u8; 2],
    ) -> Self {
        let mut walk = CheckWalk::new(table, find_ways, kings);
        let mut demands = walk.all(Coming::company);
        demands.sort_by_key(|demanded| demanded.class);
        let starts: Vec<_> = demands.iter().map(|demanded| demanded.start).collect();
        let (trellis, nodes) = Trellis::new(table, spare, &mut walk, &starts);
        let mut roots: Vec<Root> = Vec::new();
        let mut start = 0;
        for (Demanded { class, checkers, .. }, node) in demands.into_iter().zip(nodes) {
            if roots.last().is_none_or(|last| last.class != class) {
                start = 0;
            }
            let stock = trellis.without(checkers.iter().map(|(_, face)| face.kind));
            let section = trellis.section(node, stock, start);
            if trellis.end(&section) > start {
                start = trellis.end(&section);
                roots.push(Root { class, checkers, section });
            }
        }
        Self { royal: table.royal, kings, trellis, roots }
    }

    /// The memory of its tables, for those of other kings.
    pub(crate) fn into_spare(self) -> WayCounts {
        self.trellis.into_spare()
    }

    fn of_class(&self, class: Checks) -> &[Root] {
        let start = self.roots.partition_point(|root| root.class < class);
        let end = self.roots.partition_point(|root| root.class <= class);
        &self.roots[start..end]
    }

    /// Member number `rank` of a class, which must be less than its size.
    pub(crate) fn unrank<R: RuleTable>(&self, class: Checks, rank: u128) -> Placement<R> {
        let mut board = Board::<WordOf<R>>::EMPTY;
        let royal = self.royal.index() as u8;
        for (king, owner) in self.kings.into_iter().zip(0..) {
            board.put(king, royal, owner);
        }
        if let Some(root) = Section::of_number(self.of_class(class), rank, |root| &root.section) {
            for &(square, face) in &root.checkers {
                board.put_piece(square, Piece { face, colour: Colour::Gote });
            }
            self.trellis.unrank(&root.section, rank, &mut board);
        }
        board.placement()
    }

    /// The number of a placement in its class, `None` if it is not around these kings or not a
    /// member of any.
    pub(crate) fn rank<R: RuleTable>(
        &self,
        class: Checks,
        placement: &Placement<R>,
    ) -> Option<u128> {
        let king = Square::from_index(usize::from(self.kings[0]))?;
        let mut checkers = Vec::new();
        // To the walk the squares of checkers are empty.
        let mut rest = *placement;
        for square in placement.attackers(king, Colour::Gote, placement.occupied()) {
            checkers.extend(rest.lift(square).map(|piece| (square.index() as u8, piece.face)));
        }
        let is_its = |root: &&Root| {
            root.checkers.len() == checkers.len()
                && root.checkers.iter().all(|checker| checkers.contains(checker))
        };
        let roots = self.of_class(class).iter().filter(is_its);
        roots.filter_map(|root| self.trellis.rank(&root.section, &rest)).next()
    }
}
