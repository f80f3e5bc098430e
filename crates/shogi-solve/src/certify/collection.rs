//! Collects the positions of a proof.

use std::ops::Range;

use crate::game::GameGraph;
use crate::numbered::{Numbered, Positions, Prover, ROOT};
use crate::search::{Knowledge, Search};
use shogi_mate::{Budget, OutOfBudget};

/// The positions of a proof: with one move of the prover in each, and all moves of the opponent.
pub(crate) struct Collection {
    /// Positions whose moves must be examined.
    open: Vec<u32>,
    /// Whether the moves of a position are done or need not be examined, by its number.
    collected: Vec<bool>,
    /// Number of moves between them; lists of targets and origins are made later.
    edges: usize,
}

impl Collection {
    /// The root alone, in which the game is not over.
    pub(crate) fn new() -> Self {
        Self { open: vec![ROOT], collected: vec![true], edges: 0 }
    }

    /// Begins at the root again. Known positions stay; the moves of those that have an order, with these plies,
    /// are not examined again.
    pub(crate) fn again(&mut self, plies: &[Option<u32>]) {
        let mut collected: Vec<_> = plies.iter().map(Option::is_some).collect();
        collected[ROOT as usize] = true;
        *self = Self { collected, edges: self.edges, ..Self::new() };
    }

    /// Collects the positions by the prover's winning moves. Returns whether moves and memory sufficed.
    pub(crate) fn collect(
        &mut self,
        prover: &mut dyn Prover,
        budget: &mut Budget<'_>,
        winning_moves: &mut WinningMoves<'_>,
    ) -> Result<bool, OutOfBudget> {
        while let Some(&number) = self.open.last() {
            if prover.bytes(0) + order_bytes(prover.len(), self.edges) > prover.spare_bytes() {
                return Ok(false);
            }
            if budget.is_over() {
                return Err(OutOfBudget);
            }
            let moves = if prover.is_provers_turn(number) {
                match winning_moves(prover, number, budget)? {
                    Some(moves) => moves,
                    None => return Ok(false),
                }
            } else {
                0..prover.list(number)
            };
            budget.spend(moves.len() as u64);
            self.open.pop();
            self.edges += moves.len();
            prover.list(number);
            for index in moves {
                if prover.end(index).is_none() {
                    let (below, _) = prover.meet(index);
                    if below as usize >= self.collected.len() {
                        self.collected.resize(below as usize + 1, false);
                    }
                    if !std::mem::replace(&mut self.collected[below as usize], true) {
                        self.open.push(below);
                    }
                }
            }
        }
        Ok(true)
    }
}

/// Returns the indices of the prover's moves to follow in a position of a proof, if there are any.
pub(crate) type WinningMoves<'w> = dyn FnMut(&mut dyn Prover, u32, &mut Budget<'_>) -> Result<Option<Range<usize>>, OutOfBudget>
    + 'w;

/// The prover's move of the shortest proof that the search remembers.
pub(crate) fn known_winning_move<G: GameGraph>(
    search: &mut dyn Search<G>,
    position: &G::Position,
) -> Option<G::Move> {
    let mut positions = Positions::new(search.game(), position);
    let index = known_move(&mut Numbered::new(search, &mut positions, &mut None), ROOT)?;
    Some(positions.mv(search.game(), (ROOT, index)))
}

/// The prover's move of the shortest proof of a position that the search remembers.
pub(crate) fn known_move(prover: &mut dyn Prover, number: u32) -> Option<usize> {
    let moves = prover.list(number);
    prover.prefetch();
    let mut best: Option<(u32, usize)> = None;
    for index in 0..moves {
        let plies = match prover.end(index) {
            Some(true) => 0,
            Some(false) => continue,
            None => match prover.knowledge_after(index) {
                Knowledge::Proved { plies } => plies,
                _ => continue,
            },
        };
        if best.is_none_or(|(least, _)| plies < least) {
            best = Some((plies, index));
        }
    }
    Some(best?.1)
}

/// Bytes for ordering a proof, with the lists of moves and their origins.
const fn order_bytes(positions: usize, edges: usize) -> usize {
    let before = size_of::<(bool, Option<u32>)>();
    let lists =
        2 * (size_of::<Vec<u32>>() + ALLOCATION) + size_of::<(usize, Option<u32>)>() + before;
    positions * lists + 4 * edges * size_of::<u32>()
}

/// The overhead of an allocation in bytes.
const ALLOCATION: usize = 16;
