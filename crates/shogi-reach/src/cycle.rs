//! Cycles of moves among unreachable positions.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use shogi_core::{Move, Placement, RuleTable};

use crate::search::Layers;
use crate::{CertifyError, Reach, Traced};

/// A position and legal moves that lead from it to itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cycle<R: RuleTable> {
    /// Where the moves begin and end.
    pub position: Placement<R>,
    /// The moves: at least four, and as few as any cycle in the set has.
    pub moves: Vec<Move<R>>,
}

impl<R: RuleTable> Reach<R> {
    /// The shortest cycle among an unreachable position and all positions behind it, if there is one. Such a
    /// position can be traced back for ever, although no game leads to it. `None` for a position that can be
    /// reached.
    ///
    /// Takes a time that grows with the square of the number of positions in the set.
    ///
    /// # Errors
    ///
    /// If the node limit is met.
    ///
    /// ```
    /// use shogi_reach::{Reach, SearchLimit};
    /// use shogi_rules::{Minishogi, to_usi};
    /// let reach = Reach::<Minishogi>::new(SearchLimit::default());
    /// let cycle = reach.cycle(&"K2gk/+p1r1r/1p+bg1/1s1+s+b/5 b - 1".parse()?)?;
    /// let moves: Vec<_> = cycle.unwrap().moves.into_iter().map(to_usi).collect();
    /// assert_eq!(moves, ["5a4a", "5b4b", "4a5a", "4b5b"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cycle(&self, placement: &Placement<R>) -> Result<Option<Cycle<R>>, CertifyError> {
        match self.search(placement, &|_| false) {
            Traced::Path(_) => Ok(None),
            Traced::Closed(layers) => Ok(shortest(&layers)),
            Traced::Limit => Err(CertifyError::Limit(self.limit.nodes)),
        }
    }
}

/// For each position the positions before it, each with the move from there.
type Before<R> = Vec<Vec<(usize, Move<R>)>>;

/// The shortest cycle of a closed set; of equally short ones the first met.
fn shortest<R: RuleTable>(layers: &Layers<R>) -> Option<Cycle<R>> {
    let positions = &layers.positions;
    let numbers: FxHashMap<_, _> = positions.iter().enumerate().map(|(i, p)| (*p, i)).collect();
    let before = positions.iter().map(|position| {
        let before = position.predecessors().into_iter();
        before.map(|(unmove, before)| (numbers[&before], unmove.mv)).collect()
    });
    let before: Before<R> = before.collect();
    let mut best: Option<Cycle<R>> = None;
    for (from, position) in positions.iter().enumerate() {
        let shorter_than = best.as_ref().map_or(usize::MAX, |cycle| cycle.moves.len());
        if let Some(moves) = around(&before, from, shorter_than) {
            best = Some(Cycle { position: *position, moves });
        }
    }
    best
}

/// The fewest moves from a position to itself, if they are fewer than a bound: breadth first, backwards.
fn around<R: RuleTable>(
    before: &Before<R>,
    from: usize,
    shorter_than: usize,
) -> Option<Vec<Move<R>>> {
    // By position: the plies to `from`, the next position on the way there, and the move to it.
    let mut ways = FxHashMap::default();
    let mut queue = VecDeque::from([(from, 0)]);
    while let Some((after, plies)) = queue.pop_front() {
        if plies + 1 >= shorter_than {
            return None;
        }
        for &(position, mv) in &before[after] {
            if position == from {
                let (mut moves, mut next) = (vec![mv], after);
                while next != from {
                    let (after, mv) = ways[&next];
                    moves.push(mv);
                    next = after;
                }
                return Some(moves);
            }
            ways.entry(position).or_insert_with(|| {
                queue.push_back((position, plies + 1));
                (after, mv)
            });
        }
    }
    None
}
