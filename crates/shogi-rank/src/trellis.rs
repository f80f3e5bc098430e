//! Boards filled square by square, counted by dynamic programming and numbered by the counts.
//!
//! A *walk* visits the squares in some order and keeps in its state exactly the information that decides which
//! pieces may still be put where. States are nodes; each possible content of the next square leads from a node
//! to a node of the next layer, and several may lead to the same one. For each node and each number of pieces
//! left of every kind, the number of ways to the end is a sum of products over the branches, computed from the
//! last layer backwards. At the end the players share the remaining pieces. Nodes with the same future are
//! merged before it is counted, whatever their past.
//!
//! Numbering is walking: at each node the branches divide the numbers among themselves in order, in
//! runs as long as the ways that follow.

use std::hash::Hash;

use shogi_core::{Kind, Piece, Placement, RuleTable, Word};

use crate::board::Board;
use crate::graph::Graph;
use crate::number::Width;
use crate::table::Table;

/// One step of a walk.
#[derive(Clone, Copy)]
pub(crate) struct Filling {
    /// How many squares have been filled before.
    pub(crate) layer: usize,
    pub(crate) square: u8,
    pub(crate) content: Option<Piece>,
}

/// How the players share what is left in the end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum End {
    /// In any way.
    Any,
    /// So that Gote gets something.
    GoteHasSome,
    /// So that Gote gets nothing.
    GoteHasNone,
}

impl End {
    pub(crate) const ALL: [Self; 3] = [Self::Any, Self::GoteHasSome, Self::GoteHasNone];

    /// The number of ways, of so many.
    pub(crate) const fn of_ways(self, all: u128) -> u128 {
        match self {
            Self::Any => all,
            Self::GoteHasSome => all - 1,
            Self::GoteHasNone => 1,
        }
    }
}

/// How boards are filled.
pub(crate) trait Walk {
    /// The part of the past that matters to the future.
    type State: Copy + Eq + Hash;

    /// The square that is filled at a layer; `None` behind the last one.
    fn square(&self, layer: usize, state: &Self::State) -> Option<u8>;

    /// The state after filling that square so, `None` if it must not be filled so.
    ///
    /// A king that the walk puts on the board is a piece like any other here: whether there is one
    /// in the end is for the state to remember.
    fn fill(&mut self, state: &Self::State, filling: Filling) -> Option<Self::State>;

    /// A state with the same future as this one after this many layers, the same for as many states as
    /// possible. Different states lead to different branches even if they are simplified to the same one.
    fn simplified(&self, _layers: usize, state: &Self::State) -> Self::State {
        *state
    }

    /// A number for a possible content of the square of a layer; `None` for contents that no state allows.
    /// Contents with the same number lead from any state to the same one.
    fn likeness(&self, layer: usize, content: Option<Piece>) -> Option<u8>;

    /// How a walk that ends in this state shares the remaining pieces; `None` if it must not end here.
    fn end(&self, state: &Self::State) -> Option<End>;
}

/// The placements counted from one node with one stock, as part of a numbering.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Section {
    pub(crate) node: u32,
    pub(crate) stock: u16,
    /// The first number.
    start: u128,
}

impl Section {
    /// The section that a number belongs to, of sections that follow one another; `None` if it is
    /// before the first.
    #[inline]
    pub(crate) fn of_number<T>(
        all: &[T],
        number: u128,
        section: impl Fn(&T) -> &Self,
    ) -> Option<&T> {
        all[..all.partition_point(|one| section(one).start <= number)].last()
    }
}

/// All ways to fill boards by a walk, counted.
#[derive(Debug)]
pub(crate) struct Trellis {
    graph: Graph,
    ways: WayCounts,
}

/// For each node and stock the number of ways, modulo 2^64 or 2^128.
#[derive(Debug)]
pub(crate) enum WayCounts {
    Narrow(Vec<u64>),
    Wide(Vec<u128>),
}

impl WayCounts {
    /// None yet.
    pub(crate) const fn none(width: Width) -> Self {
        match width {
            Width::Narrow => Self::Narrow(Vec::new()),
            Width::Wide => Self::Wide(Vec::new()),
        }
    }
}

/// The number of stocks of a rule table.
pub(crate) fn stocks(table: &Table) -> u64 {
    table.kinds().map(|kind| u64::from(table.count(kind)) + 1).product()
}

impl Trellis {
    /// Everything that can be reached from some states, with the nodes of these states.
    ///
    /// There must be fewer than 2^16 stocks. Numbers of ways that exceed the width keep only their lowest bits;
    /// if the ways from a node and stock fit, so do those of everything that follows. The numbers are as wide
    /// as those of `spare`, whose memory they reuse.
    pub(crate) fn new<W: Walk>(
        table: &Table,
        spare: WayCounts,
        walk: &mut W,
        roots: &[W::State],
    ) -> (Self, Vec<u32>) {
        let (graph, nodes) = Graph::new(table, walk, roots);
        let ways = match spare {
            WayCounts::Narrow(spare) => WayCounts::Narrow(graph.count(spare)),
            WayCounts::Wide(spare) => WayCounts::Wide(graph.count(spare)),
        };
        (Self { graph, ways }, nodes)
    }

    /// The memory of its largest part, for another one.
    pub(crate) fn into_spare(self) -> WayCounts {
        self.ways
    }

    /// The number of the full stock.
    pub(crate) fn full(&self) -> u16 {
        self.graph.full()
    }

    /// The number of the full stock without some pieces, which it must have.
    pub(crate) fn without(&self, kinds: impl Iterator<Item = Kind>) -> u16 {
        self.graph.without(kinds)
    }

    /// The section from a node with a stock on, with its first number.
    pub(crate) fn section(&self, node: u32, stock: u16, start: u128) -> Section {
        Section { node, stock, start }
    }

    /// The number behind the last one of a section.
    pub(crate) fn end(&self, section: &Section) -> u128 {
        let Section { node, stock, start } = *section;
        let place = node as usize * self.graph.stocks() + usize::from(stock);
        start
            + match &self.ways {
                WayCounts::Narrow(ways) => u128::from(ways[place]),
                WayCounts::Wide(ways) => ways[place],
            }
    }

    /// Fills a board as the number says, which must be one of the section.
    #[inline]
    pub(crate) fn unrank<W: Word>(&self, section: &Section, number: u128, board: &mut Board<W>) {
        let rank = number - section.start;
        match &self.ways {
            WayCounts::Narrow(ways) => self.graph.unrank(ways, section, rank as u64, board),
            WayCounts::Wide(ways) => self.graph.unrank(ways, section, rank, board),
        }
    }

    /// The number of a placement, `None` if it is not in the section.
    pub(crate) fn rank<R: RuleTable>(
        &self,
        section: &Section,
        placement: &Placement<R>,
    ) -> Option<u128> {
        let rank = match &self.ways {
            WayCounts::Narrow(ways) => self.graph.rank(ways, section, placement)?.into(),
            WayCounts::Wide(ways) => self.graph.rank(ways, section, placement)?,
        };
        Some(section.start + rank)
    }
}

/// The number of ways to fill boards from some states, each with the full stock less some pieces: the ends of
/// the sections from there, without the tables. The stock must have those pieces.
///
/// All states of a layer must fill the same square, and two layers that follow one another different ones.
pub(crate) fn count_ways<W: Walk>(
    table: &Table,
    width: Width,
    walk: &mut W,
    (roots, taken): (&[W::State], &[Vec<Kind>]),
) -> Vec<u128> {
    let (graph, nodes) = Graph::new(table, walk, roots);
    let stocks = taken.iter().map(|kinds| graph.without(kinds.iter().copied()));
    let sections: Vec<_> = nodes.into_iter().zip(stocks).collect();
    match width {
        Width::Narrow => graph.count_of::<u64>(&sections),
        Width::Wide => graph.count_of::<u128>(&sections),
    }
}
