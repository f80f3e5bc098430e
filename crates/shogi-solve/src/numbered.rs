//! Positions by number, moves by index, and a search of them.
//!
//! [`certify`](crate::certify) knows a game only by the trait [`Prover`].

use rustc_hash::FxHashMap;

use crate::certify::{Deciding, Decision};
use crate::game::GameGraph;
use crate::plan::{Plan, PlanStep, after_each, reached};
use crate::search::{FinalValue, Finding, Knowledge, Search};
use shogi_mate::map_bytes;
use shogi_mate::{Budget, OutOfBudget};

/// The number of the root.
pub(crate) const ROOT: u32 = 0;

/// A move: the number of its position and its index there.
pub(crate) type NumberedMove = (u32, usize);

/// Positions, numbered as they are met.
pub(crate) struct Positions<G: GameGraph> {
    numbers: FxHashMap<u64, u32>,
    positions: Vec<G::Position>,
}

impl<G: GameGraph> Positions<G> {
    /// The root alone.
    pub(crate) fn new(game: &G, root: &G::Position) -> Self {
        let mut positions = Self { numbers: FxHashMap::default(), positions: Vec::new() };
        positions.meet(game.key(root), root);
        positions
    }

    /// The number of a position with this key, and whether it is new.
    fn meet(&mut self, key: u64, position: &G::Position) -> (u32, bool) {
        let next = self.positions.len() as u32;
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.positions.push(position.clone());
        }
        (number, number == next)
    }

    pub(crate) fn position(&self, number: u32) -> &G::Position {
        &self.positions[number as usize]
    }

    /// The move with this number and index.
    pub(crate) fn mv(&self, game: &G, (number, index): NumberedMove) -> G::Move {
        let mut moves = Vec::new();
        game.moves(self.position(number), &mut moves);
        moves[index]
    }

    /// A plan of these moves with their remaining plies.
    pub(crate) fn plan(&self, game: &G, moves: &[(NumberedMove, u32)]) -> Plan<G> {
        let mut plan = Plan::new();
        for &(numbered, plies) in moves {
            let position = self.position(numbered.0).clone();
            plan.insert(game, PlanStep { position, mv: self.mv(game, numbered), plies });
        }
        plan
    }
}

/// A search of positions that are numbered as they are met.
///
/// [`Prover::list`] lists the positions after the moves of a position. Functions with an `index` refer to the
/// position after the move with this index in that list.
pub(crate) trait Prover {
    /// Number of positions met.
    fn len(&self) -> usize;

    /// Whether the prover is to move.
    fn is_provers_turn(&self, number: u32) -> bool;

    /// Whether the goal is reached in the root if the game is over there; `None` if it is not over.
    fn root_end(&self) -> Option<bool>;

    /// Lists the positions after the moves; returns their number.
    fn list(&mut self, number: u32) -> usize;

    /// Whether the goal is reached in a listed position if the game is over there; `None` if it is not over.
    fn end(&self, index: usize) -> Option<bool>;

    /// The number of a listed position that was met.
    fn find(&self, index: usize) -> Option<u32>;

    /// The number of a listed position, and whether it is new.
    fn meet(&mut self, index: usize) -> (u32, bool);

    /// Forgets all positions but the root.
    fn restart(&mut self);

    /// Bytes that the positions and a plan with a step for each take at most, with `more` for each position. A list
    /// that grows has room for twice its items.
    fn bytes(&self, more: usize) -> usize;

    /// [`Search::prefetch`] of the listed positions.
    fn prefetch(&self);

    /// The search's knowledge of a listed position in which the game is not over.
    fn knowledge_after(&self, index: usize) -> Knowledge;

    /// [`Search::knowledge`].
    fn knowledge(&self, number: u32) -> Knowledge;

    /// [`Search::search`].
    fn search(&mut self, number: u32, budget: &mut Budget<'_>) -> Finding;

    /// [`Search::is_at_work`].
    fn is_at_work(&self) -> bool;

    /// [`Search::unwind`].
    fn unwind(&mut self);

    /// The move that decides a position, which was searched last.
    fn decisive_move(&mut self, number: u32) -> Option<usize>;

    /// Whether a paused decision exists, which [`Prover::decide`] resumes.
    fn is_deciding(&self) -> bool;

    /// [Decides](crate::decide) a position and returns whether it is proved.
    fn decide(&mut self, number: u32, budget: &mut Budget<'_>) -> Result<bool, OutOfBudget>;

    /// [`Search::set_final`].
    fn set_final(&mut self, number: u32, value: FinalValue);

    /// [`Search::invalidate`].
    fn invalidate(&mut self, number: u32);

    /// [`Search::forget`].
    fn forget(&mut self);

    /// [`Search::spare_bytes`].
    fn spare_bytes(&self) -> usize;
}

/// The [`Prover`] of any game.
pub(crate) struct Numbered<'s, G: GameGraph> {
    search: &'s mut dyn Search<G>,
    positions: &'s mut Positions<G>,
    /// The paused decision, if any.
    deciding: &'s mut Option<Deciding<G>>,
    /// The position whose moves are listed, the moves, and the positions after them.
    listed: Option<u32>,
    moves: Vec<G::Move>,
    after: Vec<G::Position>,
}

impl<'s, G: GameGraph> Numbered<'s, G> {
    pub(crate) fn new(
        search: &'s mut dyn Search<G>,
        positions: &'s mut Positions<G>,
        deciding: &'s mut Option<Deciding<G>>,
    ) -> Self {
        Self { search, positions, deciding, listed: None, moves: Vec::new(), after: Vec::new() }
    }
}

impl<G: GameGraph> Prover for Numbered<'_, G> {
    fn is_provers_turn(&self, number: u32) -> bool {
        self.search.game().side(self.positions.position(number)) == self.search.goal().prover
    }

    fn root_end(&self) -> Option<bool> {
        reached(self.search.game(), self.search.goal(), self.positions.position(ROOT))
    }

    fn list(&mut self, number: u32) -> usize {
        if self.listed != Some(number) {
            let (game, position) = (self.search.game(), self.positions.position(number));
            self.moves.clear();
            game.moves(position, &mut self.moves);
            self.after = after_each(game, position, &self.moves);
            self.listed = Some(number);
        }
        self.moves.len()
    }

    fn prefetch(&self) {
        self.search.prefetch(&self.after);
    }

    fn end(&self, index: usize) -> Option<bool> {
        reached(self.search.game(), self.search.goal(), &self.after[index])
    }

    fn find(&self, index: usize) -> Option<u32> {
        self.positions.numbers.get(&self.search.game().key(&self.after[index])).copied()
    }

    fn meet(&mut self, index: usize) -> (u32, bool) {
        let position = &self.after[index];
        self.positions.meet(self.search.game().key(position), position)
    }

    fn knowledge_after(&self, index: usize) -> Knowledge {
        self.search.knowledge(&self.after[index])
    }

    fn knowledge(&self, number: u32) -> Knowledge {
        self.search.knowledge(self.positions.position(number))
    }

    fn search(&mut self, number: u32, budget: &mut Budget<'_>) -> Finding {
        self.search.search(self.positions.position(number), budget)
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

    fn decide(&mut self, number: u32, budget: &mut Budget<'_>) -> Result<bool, OutOfBudget> {
        let Self { search, positions, deciding, .. } = self;
        let mut under_way = match deciding.take() {
            Some(under_way) => under_way,
            None => Deciding::new(search.game(), positions.position(number)),
        };
        let decided = under_way.run(*search, budget);
        if decided.is_err() {
            **deciding = Some(under_way);
        }
        decided.map(|decision| matches!(decision, Decision::Proved { .. }))
    }

    fn set_final(&mut self, number: u32, value: FinalValue) {
        self.search.set_final(self.positions.position(number), value);
    }

    fn invalidate(&mut self, number: u32) {
        self.search.invalidate(self.positions.position(number));
    }

    fn forget(&mut self) {
        self.search.forget();
    }

    fn restart(&mut self) {
        *self.positions = Positions::new(self.search.game(), self.positions.position(ROOT));
        self.listed = None;
    }

    fn len(&self) -> usize {
        self.positions.positions.len()
    }

    fn bytes(&self, more: usize) -> usize {
        let count = self.len();
        let size = size_of::<G::Position>() + more;
        let positions = count * 2 * size.next_multiple_of(align_of::<G::Position>());
        positions + map_bytes::<u32>(count) + map_bytes::<PlanStep<G>>(count)
    }

    fn spare_bytes(&self) -> usize {
        self.search.spare_bytes()
    }
}
