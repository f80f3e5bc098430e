//! Backward search where the descent fails: best-first for reachable positions, exhaustive for
//! unreachable ones.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use rustc_hash::FxHashSet;
use shogi_core::{Placement, RuleTable, Unmove};

use crate::descent::{Distances, descend};

/// Whether a search may put captured pieces back.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Uncaptures {
    With,
    Without,
}

/// How a backward search ended.
pub(crate) enum Found<R: RuleTable> {
    /// The unmoves from the position to a KK position.
    Path(Vec<Unmove<R>>),
    /// No KK position can be reached backwards: all positions that can be were searched.
    Exhausted,
    /// The node limit was met first.
    Limit,
}

/// A position met backwards: the position, the index of the node it leads to, and the unmove that
/// led from that node here (none for the first).
struct Node<R: RuleTable> {
    placement: Placement<R>,
    towards: Option<(u32, Unmove<R>)>,
}

/// All positions met, in order, each once.
struct Nodes<R: RuleTable> {
    list: Vec<Node<R>>,
    seen: FxHashSet<Placement<R>>,
}

impl<R: RuleTable> Nodes<R> {
    fn new(start: &Placement<R>) -> Self {
        let list = vec![Node { placement: *start, towards: None }];
        Self { list, seen: FxHashSet::from_iter([*start]) }
    }

    /// Adds a position unless it was met before; its index if it is new.
    fn add(&mut self, placement: &Placement<R>, towards: (u32, Unmove<R>)) -> Option<u32> {
        if !self.seen.insert(*placement) {
            return None;
        }
        self.list.push(Node { placement: *placement, towards: Some(towards) });
        Some(self.list.len() as u32 - 1)
    }

    /// The unmoves from the first node to this one.
    fn path_to(&self, mut index: u32) -> Vec<Unmove<R>> {
        let mut path = Vec::new();
        while let Some((next, unmove)) = self.list[index as usize].towards {
            path.push(unmove);
            index = next;
        }
        path.reverse();
        path
    }
}

/// Greedy best-first search for a KK position, with a descent from each expanded node.
pub(crate) fn best_first<R: RuleTable>(
    distances: &Distances<R>,
    start: &Placement<R>,
    uncaptures: Uncaptures,
    limit: usize,
) -> Found<R> {
    let mut nodes = Nodes::new(start);
    let mut queue = BinaryHeap::from([(Reverse(distances.score(start)), Reverse(0))]);
    while let Some((_, Reverse(index))) = queue.pop() {
        let placement = nodes.list[index as usize].placement;
        let mut rest = Vec::new();
        let arrived = descend(distances, &placement, 1, |taken| match taken {
            Some(unmove) => rest.push(unmove),
            None => rest.clear(),
        });
        if arrived {
            let mut path = nodes.path_to(index);
            path.append(&mut rest);
            return Found::Path(path);
        }
        if nodes.list.len() >= limit {
            return Found::Limit;
        }
        let expand = |unmove, before: &Placement<R>| {
            if let Some(new) = nodes.add(before, (index, unmove)) {
                queue.push((Reverse(distances.score(before)), Reverse(new)));
            }
            ControlFlow::<()>::Continue(())
        };
        let _ = match uncaptures {
            Uncaptures::With => placement.generate_unmoves(expand),
            Uncaptures::Without => placement.generate_quiet_unmoves(expand),
        };
    }
    Found::Exhausted
}

/// Breadth-first backwards until nothing new is found: layer i holds the positions first met i
/// plies back. `None` if there are more than the limit.
pub(crate) fn close<R: RuleTable>(
    start: &Placement<R>,
    limit: usize,
) -> Option<Vec<Vec<Placement<R>>>> {
    let mut seen = FxHashSet::from_iter([*start]);
    let mut layers = vec![vec![*start]];
    loop {
        let mut next = Vec::new();
        for placement in layers.last().into_iter().flatten() {
            let _ = placement.generate_unmoves(|_, before| {
                if seen.insert(*before) {
                    next.push(*before);
                }
                ControlFlow::<()>::Continue(())
            });
            if seen.len() > limit {
                return None;
            }
        }
        if next.is_empty() {
            return Some(layers);
        }
        layers.push(next);
    }
}
