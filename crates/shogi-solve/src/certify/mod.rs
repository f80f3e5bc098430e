//! From the findings of a search to a [`Plan`](crate::Plan) that can be checked by the rules alone.

mod collection;
mod decide;
mod reach;
mod safe_set;

use rustc_hash::FxHashMap;

use crate::game::GameGraph;
use crate::memory::map_bytes;
use crate::plan::PlanStep;

pub(crate) use collection::{Collection, known_winning_move};
pub(crate) use decide::Deciding;
pub use decide::{Decision, decide};
pub(crate) use reach::Reaching;
pub use reach::reach;
pub(crate) use safe_set::SafeSet;
pub use safe_set::{Prevention, prevent};

/// Nodes that a position of which nothing is known is searched with the first time.
pub const EFFORT: u64 = 1 << 10;

/// Positions with the parts they play in a plan, numbered as they are met.
struct Nodes<G: GameGraph, T> {
    index: FxHashMap<u64, u32>,
    nodes: Vec<(G::Position, T)>,
}

impl<G: GameGraph, T: Default> Nodes<G, T> {
    fn new() -> Self {
        Self { index: FxHashMap::default(), nodes: Vec::new() }
    }

    /// The number of a position, and whether it is new.
    fn number(&mut self, game: &G, position: &G::Position) -> (u32, bool) {
        let next = self.nodes.len() as u32;
        let number = *self.index.entry(game.key(position)).or_insert(next);
        if number == next {
            self.nodes.push((position.clone(), T::default()));
        }
        (number, number == next)
    }

    /// The number of a position that was met.
    fn find(&self, game: &G, position: &G::Position) -> Option<u32> {
        self.index.get(&game.key(position)).copied()
    }

    /// Bytes that are taken, with those that the list keeps for growing, and those of a plan with a
    /// step for each position.
    fn bytes(&self) -> usize {
        let count = self.nodes.len();
        let positions = 2 * count * size_of::<(G::Position, T)>() + map_bytes::<u32>(count);
        positions + map_bytes::<PlanStep<G>>(count)
    }

    fn position(&self, number: u32) -> &G::Position {
        &self.nodes[number as usize].0
    }

    fn part(&mut self, number: u32) -> &mut T {
        &mut self.nodes[number as usize].1
    }
}
