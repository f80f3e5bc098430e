//! PDS: depth-first proof-number search in which a position is left only when *both* of its numbers
//! have reached their thresholds.
//!
//! Nagai, "A new depth-first search algorithm for AND/OR trees" (1999), in the form in which Shibahara, Tajima
//! & Kotani used it for 3x4 shogi, "A New Method of Dealing with GHI Problem for Proving Draw and Application
//! to 3x4 Boards of Shogi" (2006); and, so that it terminates in graphs with cycles, with the thresholds of
//! Kishimoto, "Dealing with Infinite Loops, Underestimation, and Overestimation of Depth-First Proof-Number
//! Search" (2010). docs/how/pds.md develops it from plain minimax.
//!
//! The [`Goal`] defines the value of a repetition: it fails the prover, and so is a success of the opponent.
//! With [`Goal::win`] that is the paper's search in which "a draw counts as a win" for the prover's opponent.
//!
//! A *proof* never depends on a repetition and holds on every path to the position. A *disproof* may
//! depend on positions before it; the table keeps it all the same, and marks it. The module
//! [`hikiwake`](crate::hikiwake) shows which disproofs hold.

use crate::game::{GameGraph, Goal};
use crate::ghi::Ghi;
use crate::leaf::Leaf;
use crate::proof_number::{
    Assessment, Explorer, Frame, INFINITE, ProofNumbers, Sums, Turn, Walk, search_by_explorer,
};
use crate::search::{FinalValue, Finding, Knowledge, Search};
use shogi_mate::Budget;

/// A search for one goal. It keeps its table, so that it can be resumed after a budget was spent, and used for
/// other positions of the same game.
///
/// ```
/// use shogi_solve::pds::Pds;
/// use shogi_solve::shogi_core::Colour;
/// use shogi_solve::toy::Graph;
/// use shogi_solve::{Budget, Finding, GameGraph, Goal, Knowledge, Search, Unit};
///
/// let game = Graph::parse("(L(WW))")?;
/// let mut search = Pds::new(&game, Goal::win(Colour::Sente), Unit, 1 << 16);
/// let found = search.search(&game.start(), &mut Budget::unlimited());
/// assert_eq!(found, Finding::Proved { plies: 2 });
///
/// // From the inner node, whatever Gote does, one ply is left.
/// let inner = game.play(&game.start(), search.decisive_move().unwrap());
/// assert_eq!(search.knowledge(&inner), Knowledge::Proved { plies: 1 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Pds<'g, G: GameGraph, L> {
    pub(crate) explorer: Explorer<'g, G>,
    leaf: L,
}

impl<'g, G: GameGraph, L: Leaf<G>> Pds<'g, G, L> {
    /// A search that uses this many bytes for its table and everything else; if that is very little, up to half
    /// a megabyte more. The published algorithm gives each leaf the numbers 1 and 1 ([`Unit`](crate::Unit)).
    ///
    /// # Panics
    ///
    /// If the system refuses the memory.
    pub fn new(game: &'g G, goal: Goal, leaf: L, bytes: usize) -> Self {
        Self {
            explorer: Explorer::new(game, goal, Ghi::Provisional, Box::new(SumsByFloor), bytes),
            leaf,
        }
    }

    /// Bytes in use, by the table and everything else.
    pub fn bytes(&self) -> usize {
        self.explorer.walk.bytes()
    }

    /// Searches the current move, unless the table already has enough. The threshold is as seen by the player
    /// who makes the move.
    fn descend(&mut self, threshold: ProofNumbers, budget: &mut Budget) {
        let explorer = &mut self.explorer;
        let by_prover = explorer.walk.path.last().0.prover_moves;
        let position = explorer.position_below();
        let known = explorer.recall(&position).map(|known| known.oriented(by_prover));
        let mut floor = 1;
        if let Some(known) = known {
            if known.numbers.reach_both(threshold) {
                // The move is played, and each turn of the search has its cost.
                budget.spend(1);
                return explorer.walk.set_current(known);
            }
            let same_player = explorer.is_prover(&position) == by_prover;
            floor = known.numbers.oriented(same_player).phi;
        }
        if explorer.walk.path.is_full() {
            return explorer.walk.give_up_current(budget);
        }
        explorer.walk.raised &= known.is_some();
        explorer.enter_below(position, threshold, floor, &mut self.leaf, budget);
    }
}

impl<G: GameGraph, L: Leaf<G>> Search<G> for Pds<'_, G, L> {
    search_by_explorer!();

    fn search(&mut self, root: &G::Position, budget: &mut Budget) -> Finding {
        let Self { explorer, leaf } = self;
        if let Some(found) = explorer.take_up(root, ProofNumbers::UNIT, leaf, budget) {
            return found;
        }
        loop {
            match self.explorer.walk.pds(budget) {
                Turn::Leave(numbers) => {
                    let known = self.explorer.leave(numbers);
                    if !self.explorer.walk.is_at_work() {
                        return known.finding();
                    }
                }
                Turn::Stop => return self.explorer.walk.unknown(),
                Turn::Enter(threshold) => self.descend(threshold, budget),
            }
        }
    }

    /// The position may count as disproved again after another search: if its disproofs were separated for
    /// good, there would soon be as much to search as there are paths.
    fn invalidate(&mut self, position: &G::Position) {
        let parts = self.explorer.game.parts(position);
        self.explorer.walk.invalidate_once(parts);
    }
}

impl Walk {
    /// The next step of a search.
    fn pds(&mut self, budget: &mut Budget<'_>) -> Turn {
        loop {
            self.report(budget);
            let is_root = self.path.depth() == 0;
            let (frame, children) = self.path.last_mut();
            let (numbers, best) = totals_by_floor(frame, children);
            let threshold = match self.raised {
                true => frame.threshold.above(numbers),
                false => frame.threshold,
            };
            let ends = numbers.is_final() || numbers == ProofNumbers::GIVEN_UP;
            let reached = numbers.reach_both(threshold);
            if ends || reached && !is_root {
                return Turn::Leave(numbers);
            } else if budget.is_over() {
                return Turn::Stop;
            } else if reached {
                // The next iteration begins here, instead of leaving the position and returning to it at once:
                // the smaller number must grow.
                frame.threshold = match numbers.phi <= numbers.delta {
                    true => numbers.with_greater_phi(),
                    false => numbers.with_greater_delta(),
                };
                frame.floor = numbers.phi;
            } else {
                frame.floor = frame.floor.max(numbers.phi);
                frame.current = best;
                return Turn::Enter(child_threshold(threshold, numbers, children[best].numbers));
            }
        }
    }
}

/// The sums of PDS: [`totals_by_floor`].
struct SumsByFloor;

impl Sums for SumsByFloor {
    fn numbers(&self, frame: &Frame, children: &[Assessment]) -> ProofNumbers {
        totals_by_floor(frame, children).0
    }
}

/// The combined numbers of the moves, and the move to search: the one with the least phi, where all up to the
/// floor count as equal, and among those the least delta. A given-up move is not searched again while there is
/// another.
fn totals_by_floor(frame: &Frame, children: &[Assessment]) -> (ProofNumbers, usize) {
    let mut best = (true, u32::MAX, u32::MAX, 0);
    let (mut phi, mut delta, mut greatest) = (INFINITE, 0_u64, 0);
    for (index, child) in children.iter().enumerate() {
        let child = child.numbers;
        phi = phi.min(child.phi);
        delta += u64::from(child.delta);
        greatest = greatest.max(child.delta);
        let given_up = child == ProofNumbers::GIVEN_UP;
        best = best.min((given_up, child.phi.max(frame.floor), child.delta, index));
    }
    (ProofNumbers::of_moves(phi, delta, greatest), best.3)
}

/// The threshold of a move: until one of its numbers has grown, which is the move's delta if this position's
/// delta must grow and the move's phi need not. All numbers are as the player to move sees them.
fn child_threshold(
    threshold: ProofNumbers,
    totals: ProofNumbers,
    child: ProofNumbers,
) -> ProofNumbers {
    let delta =
        threshold.delta > totals.delta && (child.delta <= child.phi || threshold.phi <= totals.phi);
    if delta { child.with_greater_delta() } else { child.with_greater_phi() }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use shogi_rules::Verdict;
    use shogi_rules::shogi_core::Colour;

    use super::*;
    use crate::leaf::Mobility;
    use crate::path::Path;
    use crate::toy::{Graph, Token};

    /// Numbers of a move that has not been searched.
    fn child(phi: u32, delta: u32) -> Assessment {
        Assessment::open(ProofNumbers { phi, delta }, 0)
    }

    #[test]
    fn a_move_that_is_given_up_is_not_searched_while_there_is_another() {
        let largest = ProofNumbers::GIVEN_UP.phi;
        let frame = Frame {
            path_key: 0,
            prover_moves: true,
            threshold: ProofNumbers::UNLIMITED,
            floor: largest,
            current: 0,
            entered: 0,
        };
        let (numbers, best) =
            totals_by_floor(&frame, &[child(largest, largest), child(3, largest)]);
        assert_eq!((numbers.phi, numbers.delta, best), (3, largest, 1));
    }

    #[test]
    fn sums_that_grow_without_bound_are_not_taken_for_given_up() {
        let large = child(INFINITE - 2, INFINITE - 2);
        let frame = Frame {
            path_key: 0,
            prover_moves: true,
            threshold: ProofNumbers::UNIT,
            floor: 1,
            current: 0,
            entered: 0,
        };
        let (numbers, _) = totals_by_floor(&frame, &[large, child(INFINITE - 2, INFINITE - 2)]);
        assert!(!numbers.is_partly_given_up(), "{numbers:?}");
    }

    /// A graph that panics when too many moves have been played.
    struct Watched(Graph, Cell<u64>);

    impl GameGraph for Watched {
        type Position = Token;
        type Move = u32;

        fn side(&self, token: &Token) -> Colour {
            token.side
        }
        fn verdict(&self, token: &Token) -> Option<Verdict> {
            self.0.verdict(token)
        }
        fn moves(&self, token: &Token, moves: &mut Vec<u32>) {
            self.0.moves(token, moves);
        }
        fn play(&self, token: &Token, target: u32) -> Token {
            assert!(self.1.get() > 0, "a loop that spends nothing");
            self.1.set(self.1.get() - 1);
            self.0.play(token, target)
        }
        fn key(&self, token: &Token) -> u64 {
            self.0.key(token)
        }
    }

    /// Searches graphs with these seeds, the larger the larger the seed. A path has room for a few dozen positions, so
    /// that nearly all lines are given up.
    fn run_where_all_lines_are_too_long(seeds: impl Iterator<Item = u64>) {
        for seed in seeds {
            let graph = Graph::random(seed, 200 + 5 * seed as u32, 2 + (seed % 3) as u32, 10);
            let root = graph.start();
            let game = Watched(graph, Cell::new(0));
            for goal in Colour::ALL.map(Goal::win) {
                let mut search = Pds::new(&game, goal, Mobility, 0);
                search.explorer.walk.path = Path::within::<Token, u32>(12_000 << (seed % 4));
                for _ in 0..4 {
                    game.1.set(500_000);
                    search.search(&root, &mut Budget::nodes(20_000));
                    search.unwind();
                }
            }
        }
    }

    #[test]
    fn a_search_returns_if_all_lines_are_too_long() {
        run_where_all_lines_are_too_long((0..400).step_by(5));
    }

    #[test]
    #[ignore = "long, see docs/contributing.md"]
    fn a_search_returns_if_all_lines_are_too_long_from_every_seed() {
        run_where_all_lines_are_too_long(0..400);
    }
}
