//! What a proof or a disproof rests on: positions by their numbers, so that what is made of them is compiled
//! once for all games.

use rustc_hash::FxHashMap;

use super::decide::{Deciding, Decision};
use crate::budget::Budget;
use crate::game::GameGraph;
use crate::memory::map_bytes;
use crate::plan::{Plan, PlanStep, after_each, reached};
use crate::search::{FinalValue, Finding, Knowledge, Search};

/// The number of the root.
pub(super) const ROOT: u32 = 0;

/// A move of a plan: in the position of this number, the move of this index.
pub(crate) type Step = (u32, usize);

/// A search, and positions that are numbered as they are met. The positions after the moves of one are listed
/// first and then asked about by the index of the move.
pub(crate) trait Ground {
    /// Whether the prover is to move.
    fn is_prover(&self, number: u32) -> bool;

    /// Whether the goal is reached in the root if the game is over there; `None` if it is not over.
    fn root_end(&self) -> Option<bool>;

    /// Lists the positions after the moves; how many there are.
    fn list(&mut self, number: u32) -> usize;

    /// Has memory bring what is remembered of the listed positions.
    fn bring(&self);

    /// Whether the goal is reached in a listed position if the game is over there; `None` if it is not over.
    fn end(&self, index: usize) -> Option<bool>;

    /// The number of a listed position that was met.
    fn find(&self, index: usize) -> Option<u32>;

    /// The number of a listed position, and whether it is new.
    fn meet(&mut self, index: usize) -> (u32, bool);

    /// What the search knows of a listed position in which the game is not over.
    fn knowledge_after(&self, index: usize) -> Knowledge;

    fn knowledge(&self, number: u32) -> Knowledge;

    fn search(&mut self, number: u32, budget: &mut Budget<'_>) -> Finding;

    /// Whether the budget has ended the last search, which can go on.
    fn is_at_work(&self) -> bool;

    fn unwind(&mut self);

    /// The move that decides a position, which was searched last.
    fn decisive_move(&mut self, number: u32) -> Option<usize>;

    /// Whether a position is being decided, which is gone on with.
    fn is_deciding(&self) -> bool;

    /// Decides a position; whether it is proved, or `None` if the budget is spent before.
    fn decide(&mut self, number: u32, budget: &mut Budget<'_>) -> Option<bool>;

    fn set_final(&mut self, number: u32, value: FinalValue);

    fn invalidate(&mut self, number: u32);

    /// Has the search forget everything.
    fn forget(&mut self);

    /// Forgets all positions but the root.
    fn restart(&mut self);

    /// How many positions were met.
    fn len(&self) -> usize;

    /// Bytes that the positions take with so many more for each, with those that a list keeps for growing, and
    /// those of a plan with a step for each.
    fn bytes(&self, more: usize) -> usize;

    fn spare_bytes(&self) -> usize;
}

/// Positions, numbered as they are met.
pub(crate) struct Nodes<G: GameGraph> {
    index: FxHashMap<u64, u32>,
    positions: Vec<G::Position>,
}

impl<G: GameGraph> Nodes<G> {
    /// The root alone.
    pub(crate) fn new(game: &G, root: &G::Position) -> Self {
        let mut nodes = Self { index: FxHashMap::default(), positions: Vec::new() };
        nodes.number(game.key(root), root);
        nodes
    }

    /// The number of a position with this key, and whether it is new.
    fn number(&mut self, key: u64, position: &G::Position) -> (u32, bool) {
        let next = self.positions.len() as u32;
        let number = *self.index.entry(key).or_insert(next);
        if number == next {
            self.positions.push(position.clone());
        }
        (number, number == next)
    }

    pub(crate) fn position(&self, number: u32) -> &G::Position {
        &self.positions[number as usize]
    }

    /// The move of a step.
    pub(crate) fn mv(&self, game: &G, (number, index): Step) -> G::Move {
        let mut moves = Vec::new();
        game.moves(self.position(number), &mut moves);
        moves[index]
    }

    /// A plan of these steps, with the plies that are left.
    pub(super) fn plan(&self, game: &G, steps: &[(Step, u32)]) -> Plan<G> {
        let mut plan = Plan::new();
        for &(step, plies) in steps {
            let position = self.position(step.0).clone();
            plan.insert(game, PlanStep { position, mv: self.mv(game, step), plies });
        }
        plan
    }
}

/// A search with positions that were met.
pub(crate) struct Grounds<'s, G: GameGraph> {
    search: &'s mut dyn Search<G>,
    nodes: &'s mut Nodes<G>,
    /// The position that is being decided, if one is.
    deciding: &'s mut Option<Deciding<G>>,
    /// Bytes that each position takes elsewhere.
    elsewhere: usize,
    /// The position whose moves are listed, the moves, and the positions after them.
    listed: Option<u32>,
    moves: Vec<G::Move>,
    after: Vec<G::Position>,
}

impl<'s, G: GameGraph> Grounds<'s, G> {
    pub(crate) fn new(
        search: &'s mut dyn Search<G>,
        nodes: &'s mut Nodes<G>,
        deciding: &'s mut Option<Deciding<G>>,
    ) -> Self {
        let (moves, after) = (Vec::new(), Vec::new());
        Self { search, nodes, deciding, elsewhere: 0, listed: None, moves, after }
    }

    /// The same where each position takes so many more bytes elsewhere.
    pub(crate) fn with_bytes_elsewhere(self, elsewhere: usize) -> Self {
        Self { elsewhere, ..self }
    }
}

impl<G: GameGraph> Ground for Grounds<'_, G> {
    fn is_prover(&self, number: u32) -> bool {
        self.search.game().side(self.nodes.position(number)) == self.search.goal().prover
    }

    fn root_end(&self) -> Option<bool> {
        reached(self.search.game(), self.search.goal(), self.nodes.position(ROOT))
    }

    fn list(&mut self, number: u32) -> usize {
        if self.listed != Some(number) {
            let (game, position) = (self.search.game(), self.nodes.position(number));
            self.moves.clear();
            game.moves(position, &mut self.moves);
            self.after = after_each(game, position, &self.moves);
            self.listed = Some(number);
        }
        self.moves.len()
    }

    fn bring(&self) {
        self.search.bring(&self.after);
    }

    fn end(&self, index: usize) -> Option<bool> {
        reached(self.search.game(), self.search.goal(), &self.after[index])
    }

    fn find(&self, index: usize) -> Option<u32> {
        self.nodes.index.get(&self.search.game().key(&self.after[index])).copied()
    }

    fn meet(&mut self, index: usize) -> (u32, bool) {
        let position = &self.after[index];
        self.nodes.number(self.search.game().key(position), position)
    }

    fn knowledge_after(&self, index: usize) -> Knowledge {
        self.search.knowledge(&self.after[index])
    }

    fn knowledge(&self, number: u32) -> Knowledge {
        self.search.knowledge(self.nodes.position(number))
    }

    fn search(&mut self, number: u32, budget: &mut Budget<'_>) -> Finding {
        self.search.search(self.nodes.position(number), budget)
    }

    fn is_at_work(&self) -> bool {
        self.search.is_at_work()
    }

    fn unwind(&mut self) {
        self.search.unwind();
    }

    fn decisive_move(&mut self, number: u32) -> Option<usize> {
        let mv = self.search.decisive_move()?;
        self.list(number);
        for (index, listed) in self.moves.iter().enumerate() {
            if *listed == mv {
                return Some(index);
            }
        }
        None
    }

    fn is_deciding(&self) -> bool {
        self.deciding.is_some()
    }

    fn decide(&mut self, number: u32, budget: &mut Budget<'_>) -> Option<bool> {
        let Self { search, nodes, deciding, .. } = self;
        let mut under_way = match deciding.take() {
            Some(under_way) => under_way,
            None => Deciding::new(search.game(), nodes.position(number)),
        };
        match under_way.run(*search, budget) {
            Some(decision) => Some(matches!(decision, Decision::Proved { .. })),
            None => {
                **deciding = Some(under_way);
                None
            }
        }
    }

    fn set_final(&mut self, number: u32, value: FinalValue) {
        self.search.set_final(self.nodes.position(number), value);
    }

    fn invalidate(&mut self, number: u32) {
        self.search.invalidate(self.nodes.position(number));
    }

    fn forget(&mut self) {
        self.search.forget();
    }

    fn restart(&mut self) {
        *self.nodes = Nodes::new(self.search.game(), self.nodes.position(ROOT));
        self.listed = None;
    }

    fn len(&self) -> usize {
        self.nodes.positions.len()
    }

    fn bytes(&self, more: usize) -> usize {
        let count = self.len();
        let size = size_of::<G::Position>() + more;
        let size = 2 * size.next_multiple_of(align_of::<G::Position>()) + self.elsewhere;
        let positions = count * size;
        positions + map_bytes::<u32>(count) + map_bytes::<PlanStep<G>>(count)
    }

    fn spare_bytes(&self) -> usize {
        self.search.spare_bytes()
    }
}
