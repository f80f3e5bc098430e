//! The proofs so far: the prover's moves, closed under all replies.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::game::{GameGraph, Goal, Parts};
use crate::plan::{children_for_files, reached};
use shogi_mate::map_bytes;

/// The end of a list of entries.
const NONE: u32 = u32::MAX;

/// The prover's moves in proved positions.
///
/// Every move was checked by the rules of the game when it was added: each reply to it ends the game
/// well for the prover, or leads to a position with an entry of fewer plies. An entry holds for every
/// position with the same board and an equal or better hand of the prover, so a proof needs no entries
/// where a proof with a worse hand is known.
///
/// Positions are distinguished by 64-bit keys of their boards, so the set is exact unless keys collide.
#[derive(Debug)]
pub(super) struct Proofs<G: GameGraph> {
    goal: Goal,
    /// The last entry of each board.
    last: FxHashMap<u64, u32>,
    entries: Vec<ProofEntry<G::Move>>,
}

#[derive(Debug)]
struct ProofEntry<M> {
    board: u64,
    /// Sente's hand.
    hand: u32,
    /// Plies to the end at most.
    plies: u32,
    mv: M,
    /// The entry of the same board added before.
    before: u32,
}

/// A position of a proof without a move, or with a move that does not hold.
#[derive(Debug)]
pub(super) struct Gap;

/// A position on the path of [`Proofs::add`], with the positions after the replies to its move.
struct ProofFrame<G: GameGraph> {
    position: G::Position,
    mv: G::Move,
    replies: Vec<G::Position>,
    /// The most plies after one of the replies examined.
    plies: u32,
}

impl<G: GameGraph> Proofs<G> {
    pub(super) fn new(goal: Goal) -> Self {
        Self { goal, last: FxHashMap::default(), entries: Vec::new() }
    }

    /// The number of entries.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Bytes that the entries take at most.
    pub(super) fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<ProofEntry<G::Move>>()
            + map_bytes::<u32>(self.last.len())
    }

    /// The move and the plies of the shortest known proof of a position with the prover to move.
    pub(super) fn find(&self, game: &G, Parts { board, hand }: Parts) -> Option<(G::Move, u32)> {
        let mut best = None;
        let mut next = self.last.get(&board).copied().unwrap_or(NONE);
        while let Some(entry) = self.entries.get(next as usize) {
            let holds = game.dominates_for(self.goal.prover, hand, entry.hand);
            if holds && best.is_none_or(|(_, plies)| entry.plies < plies) {
                best = Some((entry.mv, entry.plies));
            }
            next = entry.before;
        }
        best
    }

    /// The plies of the shortest known proof of a position with the prover to move.
    pub(super) fn plies(&self, game: &G, parts: Parts) -> Option<u32> {
        Some(self.find(game, parts)?.1)
    }

    /// All entries from this one on, in order of addition.
    pub(super) fn since(&self, first: usize) -> Vec<(Parts, u32)> {
        let mut added = Vec::with_capacity(self.entries.len() - first);
        for &ProofEntry { board, hand, plies, .. } in &self.entries[first..] {
            added.push((Parts { board, hand }, plies));
        }
        added
    }

    /// Adds the proof of a position with the prover to move: `next_move` returns the prover's move in
    /// every position that has no proof here or in `base`, in depth-first order, and all replies are
    /// followed. Returns the moves in that order; passed in again one by one, they add the same proof
    /// to the same set.
    ///
    /// # Errors
    ///
    /// If a move is missing or illegal or ends the game badly, or the moves run in a cycle. Then
    /// nothing is added.
    pub(super) fn add(
        &mut self,
        base: Option<&Self>,
        game: &G,
        root: &G::Position,
        next_move: &mut dyn FnMut(&G::Position) -> Option<G::Move>,
    ) -> Result<Vec<G::Move>, Gap> {
        let first = self.entries.len();
        let added = self.add_or_leave_part(base, game, root, next_move);
        if added.is_err() {
            self.undo(first);
        }
        added
    }

    /// As [`Proofs::add`], but keeps the entries added before an error.
    fn add_or_leave_part(
        &mut self,
        base: Option<&Self>,
        game: &G,
        root: &G::Position,
        next_move: &mut dyn FnMut(&G::Position) -> Option<G::Move>,
    ) -> Result<Vec<G::Move>, Gap> {
        let mut moves = Vec::new();
        let mut on_path = FxHashSet::default();
        let mut path: Vec<ProofFrame<G>> = Vec::new();
        let mut below = Some(root.clone());
        loop {
            if let Some(position) = below.take() {
                if !on_path.insert(game.key(&position)) {
                    return Err(Gap);
                }
                let Some(mv) = next_move(&position) else { return Err(Gap) };
                moves.push(mv);
                path.push(self.frame(game, position, mv)?);
            }
            let Some(frame) = path.last_mut() else { return Ok(moves) };
            match frame.replies.pop() {
                Some(reply) => {
                    let parts = game.parts(&reply);
                    let known = base.and_then(|base| base.plies(game, parts));
                    match self.plies(game, parts).into_iter().chain(known).min() {
                        Some(plies) => frame.plies = frame.plies.max(plies + 1),
                        None => below = Some(reply),
                    }
                }
                None => {
                    let plies = frame.plies + 1;
                    on_path.remove(&game.key(&frame.position));
                    self.insert(game.parts(&frame.position), frame.mv, plies);
                    path.pop();
                    if let Some(above) = path.last_mut() {
                        above.plies = above.plies.max(plies + 1);
                    }
                }
            }
        }
    }

    /// A position with the move and the replies that do not end the game.
    fn frame(&self, game: &G, position: G::Position, mv: G::Move) -> Result<ProofFrame<G>, Gap> {
        let mut legal = Vec::new();
        if game.side(&position) == self.goal.prover && game.verdict(&position).is_none() {
            game.moves(&position, &mut legal);
        }
        if !legal.contains(&mv) {
            return Err(Gap);
        }
        let after = game.play(&position, mv);
        let (mut replies, mut plies) = (Vec::new(), 0);
        match reached(game, self.goal, &after) {
            Some(true) => {}
            Some(false) => return Err(Gap),
            None => {
                plies = 1;
                for reply in children_for_files(game, &after) {
                    match reached(game, self.goal, &reply) {
                        Some(true) => {}
                        Some(false) => return Err(Gap),
                        None => replies.push(reply),
                    }
                }
                // The first is looked at first.
                replies.reverse();
            }
        }
        Ok(ProofFrame { position, mv, replies, plies })
    }

    fn insert(&mut self, Parts { board, hand }: Parts, mv: G::Move, plies: u32) {
        let number = self.entries.len() as u32;
        let before = self.last.insert(board, number).unwrap_or(NONE);
        self.entries.push(ProofEntry { board, hand, plies, mv, before });
    }

    /// Removes the entries from this one on.
    fn undo(&mut self, first: usize) {
        while self.entries.len() > first {
            let Some(ProofEntry { board, before, .. }) = self.entries.pop() else { return };
            match before {
                NONE => self.last.remove(&board),
                before => self.last.insert(board, before),
            };
        }
    }
}
