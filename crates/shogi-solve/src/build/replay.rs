//! Doing again what is known of an earlier run.

use std::ops::ControlFlow;

use shogi_core::Move;
use shogi_rules::Rules;

use super::builder::Builder;
use super::coordinator::Step;
use super::oracle::Named;
use super::progress::{Cost, State};
use super::scene::Watched;
use super::text::{move_from_text, moves_from_texts, position_from_text};
use crate::game::{GameGraph, RulesGame};
use crate::leaf::Leaf;

impl<G: GameGraph, L: Leaf<G>> Builder<'_, G, L> {
    /// Follows this legal move of a position of the tree and no other; whether the position is there.
    pub(super) fn follow_only(&mut self, position: &G::Position, mv: G::Move) -> bool {
        let Some(number) = self.find(position) else { return false };
        let node = self.coordinator.tree.node(number);
        if node.state == State::Open && node.is_leaf() {
            self.expand(number, &[Named { mv, factor: 1.0 }]);
            self.coordinator.tree.node_mut(number).named = u64::MAX;
            let mut observer = |_: &Self, _: &_, _: &_| ControlFlow::Continue(());
            Watched { builder: self, observer: &mut observer }.scene().follow(number, 0);
        }
        true
    }

    /// Works out what a [`Replay`] leaves out: estimates, and the search's ranking of moves.
    pub(super) fn end_replay(&mut self) {
        self.coordinator.tree.update();
        if let Some(search) = self.searches.first() {
            for number in self.coordinator.tree.ripe() {
                let place = &mut self.places[number as usize];
                place.ranked = search.ranked_moves(&place.position);
            }
        }
    }
}

/// Does again what was told of an earlier run, but for refutations, which are searched again; proofs are
/// checked. The moves of a step are read before it is done.
pub(super) trait Replay {
    /// Reads moves in USI notation; how many there are.
    ///
    /// # Errors
    ///
    /// What is wrong with one.
    fn read_moves(&mut self, moves: &str) -> Result<usize, String>;

    /// Reads one move.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    fn read_move(&mut self, mv: &str) -> Result<(), String>;

    /// The number of a position of the tree, in SFEN; nothing outside if it is not there.
    ///
    /// # Errors
    ///
    /// What is wrong with the position.
    fn find(&mut self, sfen: &str) -> Result<Option<u32>, String>;

    /// Follows the moves of a skeleton, as in its file.
    ///
    /// # Errors
    ///
    /// If they do not fit the positions, or others are followed.
    fn follow_skeleton(&mut self, moves: &str) -> Result<(), String>;

    /// A job has proved a position, with the moves that were read last.
    fn prove(&mut self, number: u32, cost: Cost) -> Result<(), &'static str>;

    /// The moves that were read last are named at a position, each with one of these factors.
    fn expand(&mut self, number: u32, factors: &[f64]) -> Result<(), &'static str>;

    /// The move that was read last is followed.
    fn follow(&mut self, number: u32) -> Result<(), &'static str>;

    fn step(&mut self, number: u32, step: &Step) -> Result<(), &'static str>;
}

/// A builder of a rule set that does a run again.
pub(super) struct Replaying<'b, 'g, R: Rules, L> {
    pub(super) builder: &'b mut Builder<'g, RulesGame<R>, L>,
    /// The moves that were read last.
    pub(super) moves: Vec<Move<R>>,
}

impl<'g, R: Rules, L: Leaf<RulesGame<R>>> Replaying<'_, 'g, R, L> {
    /// Calls `done` with the builder, and nobody looks on.
    fn quietly<T>(
        &mut self,
        done: impl FnOnce(&mut Watched<'_, '_, 'g, RulesGame<R>, L>) -> T,
    ) -> T {
        let mut observer =
            |_: &Builder<'g, RulesGame<R>, L>, _: &_, _: &_| ControlFlow::Continue(());
        done(&mut Watched { builder: self.builder, observer: &mut observer })
    }
}

impl<R: Rules, L: Leaf<RulesGame<R>>> Replay for Replaying<'_, '_, R, L> {
    fn read_moves(&mut self, moves: &str) -> Result<usize, String> {
        self.moves = moves_from_texts(&mut moves.split(' '))?;
        Ok(self.moves.len())
    }

    fn read_move(&mut self, mv: &str) -> Result<(), String> {
        self.moves = vec![move_from_text(mv)?];
        Ok(())
    }

    fn find(&mut self, sfen: &str) -> Result<Option<u32>, String> {
        Ok(self.builder.find(&position_from_text(sfen)?))
    }

    fn follow_skeleton(&mut self, moves: &str) -> Result<(), String> {
        self.builder.follow_text(moves)
    }

    fn prove(&mut self, number: u32, cost: Cost) -> Result<(), &'static str> {
        let builder = &mut *self.builder;
        let mut moves = self.moves.iter();
        let first = builder.steps();
        let position = builder.position(number);
        let next = &mut |_: &_| moves.next().copied();
        let added = builder.proofs_mut().add(None, builder.game, position, next);
        added.map_err(|_| "the moves are no proof")?;
        builder.share_proofs(first);
        builder.coordinator.count_nodes(cost);
        self.quietly(|watched| watched.prove_by(number, cost, Vec::new()));
        Ok(())
    }

    fn expand(&mut self, number: u32, factors: &[f64]) -> Result<(), &'static str> {
        let legal = self.builder.legal_moves(number);
        let mut named = Vec::new();
        for (index, &factor) in factors.iter().enumerate() {
            let mv = self.moves[index];
            if !legal.contains(&mv) {
                named.clear();
                break;
            }
            named.push(Named { mv, factor });
        }
        if named.is_empty() {
            return Err("the moves are not those of the position");
        }
        self.builder.expand(number, &named);
        Ok(())
    }

    fn follow(&mut self, number: u32) -> Result<(), &'static str> {
        let mv = self.moves.first().and_then(|&mv| self.builder.place(number).number(mv));
        let mv = mv.ok_or("the move is no candidate")?;
        self.step(number, &Step::Followed { mv })
    }

    fn step(&mut self, number: u32, step: &Step) -> Result<(), &'static str> {
        self.quietly(|watched| watched.scene().replay(number, step))
    }
}
