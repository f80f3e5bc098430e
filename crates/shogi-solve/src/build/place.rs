//! The positions of a tree, and their moves: the tree itself knows both by their numbers.

use super::builder::Builder;
use super::oracle::Named;
use crate::game::GameGraph;

/// A position of the tree, the prover to move.
pub(super) struct Place<G: GameGraph> {
    pub(super) position: G::Position,
    /// All moves as the last job has ranked them.
    pub(super) ranked: Vec<G::Move>,
    /// The moves that were named.
    named: Vec<G::Move>,
}

impl<G: GameGraph> Place<G> {
    /// The move with a number.
    pub(super) fn mv(&self, number: u32) -> G::Move {
        self.named[number as usize]
    }

    /// The number of a move that was named before.
    pub(super) fn number(&self, mv: G::Move) -> Option<u32> {
        for (number, named) in self.named.iter().enumerate() {
            if *named == mv {
                return Some(number as u32);
            }
        }
        None
    }

    /// The number of a move that is named now, or was before.
    fn name(&mut self, mv: G::Move) -> u32 {
        self.number(mv).unwrap_or_else(|| {
            self.named.push(mv);
            self.named.len() as u32 - 1
        })
    }

    /// Bytes that are taken at most, but for the position.
    fn bytes_of_moves(&self) -> usize {
        (self.ranked.capacity() + self.named.capacity()) * size_of::<G::Move>()
    }
}

impl<G: GameGraph, L> Builder<'_, G, L> {
    pub(super) fn place(&self, number: u32) -> &Place<G> {
        &self.places[number as usize]
    }

    pub(super) fn place_mut(&mut self, number: u32) -> &mut Place<G> {
        &mut self.places[number as usize]
    }

    pub(super) fn position(&self, number: u32) -> &G::Position {
        &self.place(number).position
    }

    /// The move of a candidate of a position.
    pub(super) fn candidate(&self, number: u32, index: usize) -> G::Move {
        self.place(number).mv(self.coordinator.tree.node(number).candidates[index].named.mv)
    }

    /// The number of a position of the tree.
    pub(super) fn find(&self, position: &G::Position) -> Option<u32> {
        self.coordinator.tree.find(self.game.key(position))
    }

    /// The number of a position of the tree, new or not.
    pub(super) fn meet(&mut self, position: &G::Position) -> u32 {
        let number = self.coordinator.tree.meet(self.game.key(position));
        if number as usize == self.places.len() {
            let position = position.clone();
            self.places.push(Place { position, ranked: Vec::new(), named: Vec::new() });
        }
        number
    }

    /// Makes these moves the first candidates of an open position.
    pub(super) fn expand(&mut self, number: u32, moves: &[Named<G::Move>]) {
        let place = self.place_mut(number);
        let mut candidates = Vec::with_capacity(moves.len());
        for &Named { mv, factor } in moves {
            candidates.push(Named { mv: place.name(mv), factor });
        }
        self.coordinator.tree.expand(number, &candidates);
    }

    /// Bytes that the positions and their moves take at most.
    pub(super) fn place_bytes(&self) -> usize {
        let mut bytes = self.places.capacity() * size_of::<Place<G>>();
        for place in &self.places {
            bytes += place.bytes_of_moves();
        }
        bytes
    }
}
