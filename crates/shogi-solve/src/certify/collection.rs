//! Collecting the positions of a proof.

use super::Nodes;
use crate::budget::Budget;
use crate::game::GameGraph;
use crate::search::{Knowledge, Search};

/// The positions of a proof: with one move of the prover in each, and all moves of the opponent. A call of
/// [`Collection::collect`] that the budget ends is gone on with by the next one.
pub(crate) struct Collection<G: GameGraph> {
    /// The positions so far, the root first, and those whose moves are to be looked at.
    pub(super) nodes: Nodes<G, ()>,
    open: Vec<u32>,
    /// Moves between them. Where they lead, and where they come from, is put into lists later.
    edges: usize,
}

impl<G: GameGraph> Collection<G> {
    /// The root alone, in which the game is not over.
    pub(crate) fn new(game: &G, root: &G::Position) -> Self {
        let mut nodes = Nodes::new();
        nodes.number(game, root);
        Self { nodes, open: vec![0], edges: 0 }
    }

    /// Collects the positions. `winning_move` gives the prover's move, if there is one, and nothing outside if
    /// the budget is spent before. `None` if it is, and whether there were moves and memory for all.
    pub(crate) fn collect(
        &mut self,
        search: &mut dyn Search<G>,
        budget: &mut Budget,
        winning_move: &mut WinningMove<'_, G>,
    ) -> Option<bool> {
        let mut moves = Vec::new();
        while let Some(&number) = self.open.last() {
            let bytes = self.nodes.bytes() + order_bytes(self.nodes.nodes.len(), self.edges);
            if bytes > search.spare_bytes() {
                return Some(false);
            }
            if budget.is_over() {
                return None;
            }
            let position = self.nodes.position(number).clone();
            moves.clear();
            if search.game().side(&position) == search.goal().prover {
                match winning_move(search, &position, budget)? {
                    Some(mv) => moves.push(mv),
                    None => return Some(false),
                }
            } else {
                search.game().moves(&position, &mut moves);
            }
            budget.spend(moves.len() as u64);
            self.open.pop();
            self.edges += moves.len();
            for &mv in &moves {
                let child = search.game().play(&position, mv);
                if search.game().verdict(&child).is_none() {
                    let (below, new) = self.nodes.number(search.game(), &child);
                    self.open.extend(new.then_some(below));
                }
            }
        }
        Some(true)
    }
}

/// Gives the prover's move in a position of a proof, if the search finds one; `None` outside if the budget is
/// spent before.
pub(crate) type WinningMove<'w, G> = dyn FnMut(
        &mut dyn Search<G>,
        &<G as GameGraph>::Position,
        &mut Budget<'_>,
    ) -> Option<Option<<G as GameGraph>::Move>>
    + 'w;

/// The prover's move of the shortest proof that the search remembers.
pub(crate) fn known_winning_move<G: GameGraph>(
    search: &dyn Search<G>,
    position: &G::Position,
) -> Option<G::Move> {
    let (game, goal) = (search.game(), search.goal());
    let (mut moves, mut below) = (Vec::new(), Vec::new());
    game.moves(position, &mut moves);
    for &mv in &moves {
        below.push(game.play(position, mv));
    }
    search.bring(&below);
    let mut best: Option<(u32, G::Move)> = None;
    for (index, child) in below.iter().enumerate() {
        let plies = match game.verdict(child) {
            Some(verdict) if goal.is_reached(verdict, game.side(child)) => 0,
            Some(_) => continue,
            None => match search.knowledge(child) {
                Knowledge::Proved { plies } => plies,
                _ => continue,
            },
        };
        if best.is_none_or(|(least, _)| plies < least) {
            best = Some((plies, moves[index]));
        }
    }
    Some(best?.1)
}

/// Bytes that the order of a proof takes while it is made, and the lists of where moves come from.
const fn order_bytes(positions: usize, edges: usize) -> usize {
    let lists = 2 * (size_of::<Vec<u32>>() + ALLOCATION) + size_of::<(usize, Option<u32>)>();
    positions * lists + 4 * edges * size_of::<u32>()
}

/// Bytes that an allocation of memory costs by itself.
const ALLOCATION: usize = 16;
