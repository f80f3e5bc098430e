//! Explores a small game as a whole.
//!
//! Proof-number searches visit the positions of a small game again and again, though once would do. So a
//! [`Solver`](crate::Solver) also explores all positions while they are few: first depth first, which visits
//! only what the answer needs, and, once a line returns to one of its positions, by
//! [listing](crate::retrograde) them all.

use rustc_hash::FxHashMap;

use crate::game::{GameGraph, Goal};
use crate::plan::{Plan, PlanStep, reached};
use crate::retrograde::Listing;
use shogi_mate::Budget;
use shogi_mate::map_bytes;

/// Moves played between two checks of the clock.
const LOOK: u64 = 1 << 12;
/// A game counts as large once this many positions are listed, and fewer than one in [`LEAST_SHARE`] of them
/// with its moves.
const EXPLOSION: usize = 100_000;
const LEAST_SHARE: usize = 16;

/// The bounds of the exploration.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    /// Positions.
    pub(crate) positions: usize,
    /// Bytes for their data.
    pub(crate) bytes: usize,
    /// Total moves played.
    pub(crate) moves: u64,
}

/// A position has neither moves nor a verdict.
pub(crate) struct DeadEnd;

/// Whether a goal is reached or prevented, and the plan that does so.
type Answer<G> = (bool, Plan<G>);

/// The positions of a game, as far as they are explored.
pub(crate) struct Whole<G: GameGraph> {
    explored: Explored<G>,
    moves: u64,
}

/// How far they are explored.
enum Explored<G: GameGraph> {
    DepthFirst(DepthFirst<G>),
    Listing(Listing<G>),
    Listed(Listing<G>),
    TooLarge,
}

/// The result of a search or a listing.
enum Seen {
    /// It is complete.
    All,
    /// The moves or the budget are spent.
    Part,
    /// A line returned to one of its positions.
    Cycle,
    /// The bounds are exceeded.
    TooMuch,
    /// A position without moves and verdict.
    DeadEnd,
}

impl<G: GameGraph> Whole<G> {
    /// A new exploration.
    pub(crate) fn new() -> Self {
        Self { explored: Explored::DepthFirst(DepthFirst::new(None)), moves: 0 }
    }

    /// Continues towards the answer to a question about the root, which must always be the same position;
    /// `None` if it is not found within the bounds.
    pub(crate) fn look(
        &mut self,
        game: &G,
        root: &G::Position,
        goal: Goal,
        bounds: Bounds,
        budget: &mut Budget<'_>,
    ) -> Option<Result<Answer<G>, DeadEnd>> {
        loop {
            let seen = match &mut self.explored {
                Explored::DepthFirst(search) => {
                    if search.goal != Some(goal) {
                        *search = DepthFirst::new(Some(goal));
                    }
                    search.run(game, root, goal, bounds, &mut self.moves, budget)
                }
                Explored::Listing(listing) => list(listing, game, bounds, &mut self.moves, budget),
                Explored::Listed(listing) => return Some(Ok(listing.plan(game, goal))),
                Explored::TooLarge => return None,
            };
            match seen {
                Seen::Part => return None,
                Seen::Cycle => self.explored = Explored::Listing(Listing::begin(game, root)),
                Seen::TooMuch => self.explored = Explored::TooLarge,
                Seen::DeadEnd => return Some(Err(DeadEnd)),
                Seen::All => match std::mem::replace(&mut self.explored, Explored::TooLarge) {
                    Explored::Listing(listing) => self.explored = Explored::Listed(listing),
                    Explored::DepthFirst(search) => {
                        self.explored = Explored::DepthFirst(DepthFirst::new(None));
                        return Some(Ok(search.plan(game, root, goal)));
                    }
                    Explored::Listed(_) | Explored::TooLarge => {}
                },
            }
        }
    }
}

/// Whether there is time for one more move; checks the clock now and then.
fn has_time(moves: &mut u64, bounds: Bounds, budget: &mut Budget<'_>) -> bool {
    *moves += 1;
    if (*moves).is_multiple_of(LOOK) {
        budget.look();
    }
    *moves <= bounds.moves && !budget.is_over()
}

/// Lists the positions.
fn list<G: GameGraph>(
    listing: &mut Listing<G>,
    game: &G,
    bounds: Bounds,
    moves: &mut u64,
    budget: &mut Budget<'_>,
) -> Seen {
    loop {
        let Some(children) = listing.extend(game) else { return Seen::All };
        if children == 0 && !listing.last_is_over() {
            return Seen::DeadEnd;
        }
        let (listed, expanded) = (listing.positions.len(), listing.expanded());
        let explodes = listed > EXPLOSION && expanded < listed / LEAST_SHARE;
        if explodes || listed > bounds.positions || listing.bytes() > bounds.bytes {
            return Seen::TooMuch;
        }
        for _ in 0..=children {
            if !has_time(moves, bounds, budget) {
                return Seen::Part;
            }
        }
    }
}

/// The mark of a position from which the prover cannot reach the goal.
const FAILS: u32 = 0;
/// The mark of a position on the path from the root.
const ON_PATH: u32 = u32::MAX;

/// A search that notes for each position, by its key, whether the goal is reached from it: [`FAILS`], or one
/// more than the plies that it takes. It tries the moves of a position until one decides it.
struct DepthFirst<G: GameGraph> {
    /// Its goal; another goal restarts the search.
    goal: Option<Goal>,
    known: FxHashMap<u64, u32>,
    path: Vec<PathPosition<G>>,
    /// The moves of all these positions, one after the other.
    moves: Vec<G::Move>,
}

/// A position on the path.
struct PathPosition<G: GameGraph> {
    position: G::Position,
    key: u64,
    prover_moves: bool,
    /// Its first move and the next one to try.
    first: usize,
    next: usize,
    /// The greatest value noted after a move.
    most: u32,
}

impl<G: GameGraph> DepthFirst<G> {
    fn new(goal: Option<Goal>) -> Self {
        Self { goal, known: FxHashMap::default(), path: Vec::new(), moves: Vec::new() }
    }

    fn run(
        &mut self,
        game: &G,
        root: &G::Position,
        goal: Goal,
        bounds: Bounds,
        moves: &mut u64,
        budget: &mut Budget<'_>,
    ) -> Seen {
        if self.path.is_empty() {
            if reached(game, goal, root).is_some() {
                return Seen::All;
            }
            if !self.enter(game, root.clone(), game.key(root), goal) {
                return Seen::DeadEnd;
            }
        }
        while let Some(last) = self.path.last_mut() {
            let Some(&mv) = self.moves.get(last.next) else {
                // No move has decided it.
                let value = if last.prover_moves { FAILS } else { last.most + 1 };
                self.leave(value);
                continue;
            };
            if !has_time(moves, bounds, budget) {
                return Seen::Part;
            }
            last.next += 1;
            let child = game.play(&last.position, mv);
            let key = game.key(&child);
            let known = match reached(game, goal, &child) {
                Some(is_reached) => Some(u32::from(is_reached)),
                None => self.known.get(&key).copied(),
            };
            match known {
                Some(ON_PATH) => return Seen::Cycle,
                Some(value) => self.learn(value),
                None if self.is_full(bounds) => return Seen::TooMuch,
                None if self.enter(game, child, key, goal) => {}
                None => return Seen::DeadEnd,
            }
        }
        Seen::All
    }

    fn is_full(&self, bounds: Bounds) -> bool {
        let path = self.path.capacity() * size_of::<PathPosition<G>>();
        let moves = self.moves.capacity() * size_of::<G::Move>();
        let items = self.known.len() + 1;
        items > bounds.positions || map_bytes::<u32>(items) + path + moves > bounds.bytes
    }

    /// Puts a position on the path; false if it has no moves.
    fn enter(&mut self, game: &G, position: G::Position, key: u64, goal: Goal) -> bool {
        let first = self.moves.len();
        game.moves(&position, &mut self.moves);
        self.known.insert(key, ON_PATH);
        let prover_moves = game.side(&position) == goal.prover;
        self.path.push(PathPosition { position, key, prover_moves, first, next: first, most: 0 });
        self.moves.len() > first
    }

    /// Removes the last position from the path, and all positions above that this decides.
    fn leave(&mut self, mut value: u32) {
        while let Some(last) = self.path.pop() {
            self.known.insert(last.key, value);
            self.moves.truncate(last.first);
            match self.after(value) {
                Some(decided) => value = decided,
                None => return,
            }
        }
    }

    /// Notes the value of the position after a move of the last one.
    fn learn(&mut self, value: u32) {
        if let Some(decided) = self.after(value) {
            self.leave(decided);
        }
    }

    /// The value of the last position on the path, if a move to a position of this value decides it.
    fn after(&mut self, value: u32) -> Option<u32> {
        let last = self.path.last_mut()?;
        last.most = last.most.max(value);
        match (last.prover_moves, value) {
            (true, FAILS) => None,
            (true, plies) => Some(plies + 1),
            (false, FAILS) => Some(FAILS),
            (false, _) => None,
        }
    }

    /// The noted value of a position after a move.
    fn value(&self, game: &G, goal: Goal, position: &G::Position) -> Option<u32> {
        match reached(game, goal, position) {
            Some(is_reached) => Some(u32::from(is_reached)),
            None => self.known.get(&game.key(position)).copied(),
        }
    }

    /// The plan of the player for whom the question is decided.
    fn plan(&self, game: &G, root: &G::Position, goal: Goal) -> Answer<G> {
        let reaches = self.value(game, goal, root).is_some_and(|value| value != FAILS);
        let planner = if reaches { goal.prover } else { !goal.prover };
        let (mut plan, mut open, mut moves) = (Plan::new(), vec![root.clone()], Vec::new());
        while let Some(position) = open.pop() {
            if game.verdict(&position).is_some() || plan.get(game, &position).is_some() {
                continue;
            }
            game.moves(&position, &mut moves);
            let after = moves.drain(..).map(|mv| (mv, game.play(&position, mv)));
            if game.side(&position) != planner {
                open.extend(after.map(|(_, child)| child));
                continue;
            }
            let value = self.value(game, goal, &position).unwrap_or(FAILS);
            let found = after.map(|(mv, child)| (mv, self.value(game, goal, &child), child)).find(
                |(_, after, _)| match after {
                    Some(FAILS) => !reaches,
                    Some(after) => reaches && *after < value,
                    None => false,
                },
            );
            if let Some((mv, _, child)) = found {
                let plies = value.saturating_sub(1);
                plan.insert(game, PlanStep { position, mv, plies });
                open.push(child);
            }
        }
        (reaches, plan)
    }
}

#[cfg(test)]
mod tests {
    use shogi_rules::shogi_core::Colour;

    use super::*;
    use crate::toy::Graph;

    const UNBOUND: Bounds = Bounds { positions: usize::MAX, bytes: usize::MAX, moves: u64::MAX };

    fn goals() -> impl Iterator<Item = Goal> {
        let of = |prover| [false, true].map(|draw_suffices| Goal { prover, draw_suffices });
        Colour::ALL.into_iter().flat_map(of)
    }

    #[test]
    fn plans_hold_and_are_those_of_the_list_for_every_goal() {
        let (mut cyclic, mut reached) = (0, 0);
        for seed in 0..3_000 {
            let game = Graph::random(seed, 3 + seed as u32 % 40, 2 + seed as u32 % 3, 60);
            let root = game.start();
            let listing = Listing::new(&game, &root, 1_000).unwrap();
            let mut whole = Whole::new();
            for goal in goals() {
                let found = whole.look(&game, &root, goal, UNBOUND, &mut Budget::unlimited());
                let Some(Ok((reaches, plan))) = found else { panic!("{seed}: no answer") };
                let forced = listing.forced(goal)[0];
                assert_eq!(reaches, forced.is_some(), "{seed} {goal:?}");
                plan.check(&game, &root, goal, reaches).unwrap();
                if reaches {
                    assert!(plan.plies(&game, &root, goal) >= forced);
                    reached += 1;
                }
            }
            cyclic += usize::from(matches!(whole.explored, Explored::Listed(_)));
        }
        assert!(cyclic > 1_000 && cyclic < 2_900 && reached > 1_000, "{cyclic} {reached}");
    }

    #[test]
    fn a_look_in_parts_finds_the_same_and_ends_at_its_bounds() {
        let mut answered = 0;
        for seed in 0..40 {
            let game = Graph::random(seed, 200, 3, 10);
            let (root, goal) = (game.start(), Goal::win(Colour::Sente));
            let look = |whole: &mut Whole<Graph>, bounds| {
                let found = whole.look(&game, &root, goal, bounds, &mut Budget::unlimited());
                found.map(|found| found.is_ok_and(|(reaches, _)| reaches))
            };
            let at_once = look(&mut Whole::new(), UNBOUND);
            let mut whole = Whole::new();
            let found =
                (1..).step_by(7).find_map(|moves| look(&mut whole, Bounds { moves, ..UNBOUND }));
            assert_eq!((found, found.is_some()), (at_once, true));
            for bounds in [Bounds { positions: 3, ..UNBOUND }, Bounds { bytes: 100, ..UNBOUND }] {
                let mut whole = Whole::new();
                match look(&mut whole, bounds) {
                    None => assert!(matches!(whole.explored, Explored::TooLarge)),
                    found => {
                        assert_eq!(found, at_once);
                        answered += 1;
                    }
                }
            }
        }
        assert!(answered < 20, "{answered}");
    }
}
