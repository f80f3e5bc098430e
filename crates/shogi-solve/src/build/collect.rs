//! What the searches of a builder find, for its leaves to learn from.

use super::builder::Builder;
use crate::game::GameGraph;
use crate::harvest::{Harvest, Searched};
use crate::leaf::Leaf;

impl<G: GameGraph, L: Leaf<G>> Builder<'_, G, L> {
    /// Has all searches that there are [collect](Harvest) what they find from now on, with so many of a
    /// thousand open positions, chosen by their keys and a seed.
    pub fn collect(&mut self, open_per_mille: u32, seed: u64) {
        for search in &mut self.searches {
            search.set_harvest(Some(Harvest::new(open_per_mille, seed)));
        }
    }

    /// What the searches have collected since the last call, in the order of the searches.
    pub fn take_collected(&mut self) -> Vec<Searched<G::Position>> {
        let mut collected = Vec::new();
        for search in &mut self.searches {
            if let Some(harvest) = search.harvest_mut() {
                collected.append(&mut harvest.take());
            }
        }
        collected
    }

    /// The leaves of the searches, to be changed between two runs.
    pub fn leaves_mut(&mut self) -> impl Iterator<Item = &mut L> {
        self.searches.iter_mut().map(|search| search.leaf_mut())
    }
}
