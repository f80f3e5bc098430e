//! Backward search where the descent fails: best-first for reachable positions, exhaustive for
//! unreachable ones.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashSet;
use shogi_core::{Move, Placement, RuleTable};

use crate::descent::{Distances, descend};

/// Whether a search may put captured pieces back.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Uncaptures {
    With,
    Without,
}

/// How a backward search ended.
pub(crate) enum SearchEnd<R: RuleTable> {
    Path(Path<R>),
    /// No KK position can be reached backwards: every position that can be reached was searched.
    Exhausted,
    /// The node limit was reached first.
    Limit,
}

/// A line that leads to a position.
pub(crate) struct Path<R: RuleTable> {
    /// The first position: a KK position, or another one that is known to be reachable.
    pub(crate) hub: Placement<R>,
    /// The moves from there on.
    pub(crate) moves: Vec<Move<R>>,
}

/// A position met, the index of the node next to it on the way to the first, and the move between the two
/// (none for the first).
struct MetPosition<R: RuleTable> {
    placement: Placement<R>,
    towards: Option<(usize, Move<R>)>,
}

/// All positions met, in order, each once.
pub(crate) struct MetPositions<R: RuleTable> {
    list: Vec<MetPosition<R>>,
    seen: FxHashSet<Placement<R>>,
}

impl<R: RuleTable> MetPositions<R> {
    pub(crate) fn new(start: &Placement<R>) -> Self {
        let mut seen = FxHashSet::default();
        seen.insert(*start);
        Self { list: vec![MetPosition { placement: *start, towards: None }], seen }
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn placement(&self, index: usize) -> &Placement<R> {
        &self.list[index].placement
    }

    /// Adds a position and returns its index, or `None` if it was met before.
    pub(crate) fn add(
        &mut self,
        placement: &Placement<R>,
        towards: (usize, Move<R>),
    ) -> Option<usize> {
        if !self.seen.insert(*placement) {
            return None;
        }
        self.list.push(MetPosition { placement: *placement, towards: Some(towards) });
        Some(self.list.len() - 1)
    }

    /// The moves between a node and the first one.
    pub(crate) fn moves(&self, mut index: usize) -> Vec<Move<R>> {
        let mut moves = Vec::new();
        while let Some((next, mv)) = self.list[index].towards {
            moves.push(mv);
            index = next;
        }
        moves
    }
}

/// Greedy best-first search for a KK position or a quiet one that is known to be reachable, with a descent from each
/// expanded node.
pub(crate) fn best_first<R: RuleTable>(
    distances: &Distances<R>,
    start: &Placement<R>,
    is_reachable: &dyn Fn(&Placement<R>) -> bool,
    uncaptures: Uncaptures,
    limit: usize,
) -> SearchEnd<R> {
    let mut nodes = MetPositions::new(start);
    let mut queue = BinaryHeap::from([(Reverse(distances.score(start)), Reverse(0))]);
    while let Some((_, Reverse(index))) = queue.pop() {
        let placement = *nodes.placement(index);
        let mut rest = Vec::new();
        let arrived = descend(distances, &placement, 1, is_reachable, |taken| match taken {
            Some(unmove) => rest.push(unmove),
            None => rest.clear(),
        });
        if arrived {
            let (mut hub, mut moves) = (placement, Vec::new());
            for &unmove in &rest {
                hub = hub.unmake_unchecked(unmove);
            }
            while let Some(unmove) = rest.pop() {
                moves.push(unmove.mv);
            }
            moves.append(&mut nodes.moves(index));
            return SearchEnd::Path(Path { hub, moves });
        }
        if nodes.len() >= limit {
            return SearchEnd::Limit;
        }
        let predecessors = match uncaptures {
            Uncaptures::With => placement.predecessors(),
            Uncaptures::Without => placement.quiet_predecessors(),
        };
        for (unmove, before) in predecessors {
            if let Some(new) = nodes.add(&before, (index, unmove.mv)) {
                queue.push((Reverse(distances.score(&before)), Reverse(new)));
            }
        }
    }
    SearchEnd::Exhausted
}

/// Positions by plies from the first one.
pub(crate) struct Layers<R: RuleTable> {
    pub(crate) positions: Vec<Placement<R>>,
    /// Where each layer ends.
    pub(crate) ends: Vec<usize>,
}

/// Breadth-first backwards until nothing new is found: layer i holds the positions first met i
/// plies back. `None` if there are more than the limit.
pub(crate) fn close<R: RuleTable>(start: &Placement<R>, limit: usize) -> Option<Layers<R>> {
    let mut seen = FxHashSet::default();
    seen.insert(*start);
    let (mut positions, mut ends) = (vec![*start], Vec::new());
    let mut next = 0;
    while next < positions.len() {
        let end = positions.len();
        ends.push(end);
        while next < end {
            for (_, before) in positions[next].predecessors() {
                if seen.insert(before) {
                    positions.push(before);
                }
            }
            if seen.len() > limit {
                return None;
            }
            next += 1;
        }
    }
    Some(Layers { positions, ends })
}
