//! Doing again what is known of an earlier run.

use std::ops::ControlFlow;

use super::Named;
use super::builder::Builder;
use super::progress::{Event, Observer, State};
use super::proofs::Gap;
use crate::game::GameGraph;
use crate::leaf::Leaf;

impl<'g, G: GameGraph, L: Leaf<G>> Builder<'g, G, L> {
    /// Follows this legal move of a position of the tree and no other; whether the position is there.
    pub(super) fn follow_only(&mut self, position: &G::Position, mv: G::Move) -> bool {
        let Some(number) = self.find(position) else { return false };
        let node = self.tree.node(number);
        if node.state == State::Open && node.is_leaf() {
            let quiet: &mut Observer<'_, 'g, G, L> = &mut |_, _, _| ControlFlow::Continue(());
            self.expand(number, &[Named { mv, factor: 1.0 }]);
            self.tree.node_mut(number).named = u64::MAX;
            self.follow(number, 0, quiet);
        }
        true
    }

    /// Works out what [`Builder::replay`] leaves out: estimates, and the search's ranking of moves.
    pub(super) fn end_replay(&mut self) {
        self.tree.update();
        if let Some(search) = self.searches.first() {
            for number in self.tree.open() {
                if self.tree.node(number).is_ripe() {
                    let place = &mut self.places[number as usize];
                    place.ranked = search.ranked_moves(&place.position);
                }
            }
        }
    }

    /// Does again what an observer received of an earlier run, but for refutations, which are
    /// searched again; proofs are checked.
    pub(super) fn replay(
        &mut self,
        position: &G::Position,
        event: Event<G::Move>,
    ) -> Result<(), &'static str> {
        let quiet: &mut Observer<'_, 'g, G, L> = &mut |_, _, _| ControlFlow::Continue(());
        let found = self.find(position);
        let number = found.ok_or("the position is not in the tree")?;
        match event {
            Event::LeftOpen { cost, proof, disproof } => {
                self.nodes += cost.nodes;
                self.leave(number, cost, (proof, disproof));
            }
            Event::Refuted { cost } => {
                self.nodes += cost.nodes;
                self.count(number, cost);
            }
            Event::Proved { cost, moves } => {
                let mut moves = moves.into_iter();
                let first = self.proofs().len();
                let added = self.proofs_mut().add(None, self.game, position, |_| moves.next());
                added.map_err(|Gap(_)| "the moves are no proof")?;
                self.share_proofs(first);
                self.nodes += cost.nodes;
                self.count(number, cost);
                self.tree.node_mut(number).proved_by = cost.budget;
                self.close(number, State::Proved, Event::NoMoveLeft, quiet);
            }
            Event::Known { .. } => {
                if self.tree.node(number).state == State::Open {
                    let known = self.proofs().find(self.game, self.game.parts(position));
                    let (_, plies) = known.ok_or("no proof holds for the position")?;
                    self.close(number, State::Proved, Event::Known { plies }, quiet);
                }
            }
            Event::Expanded { moves } => {
                let mut legal = Vec::new();
                self.game.moves(position, &mut legal);
                if moves.is_empty() || !moves.iter().all(|named| legal.contains(&named.mv)) {
                    return Err("the moves are not those of the position");
                }
                self.expand(number, &moves);
            }
            Event::Followed { mv } => {
                let (node, place) = (self.tree.node(number), self.place(number));
                let mut candidates = node.candidates.iter();
                let index = candidates.position(|candidate| place.mv(candidate) == mv);
                let index = index.ok_or("the move is no candidate")?;
                if self.tree.node(number).candidates[index].replies.is_none() {
                    self.follow(number, index, quiet);
                }
            }
            Event::NoMoveLeft | Event::MoveFails { .. } => {}
        }
        Ok(())
    }
}
