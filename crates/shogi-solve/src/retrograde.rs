//! The exact values of a small game, by listing its positions and working back from the ends.

use rustc_hash::FxHashMap;
use shogi_rules::Verdict;
use shogi_rules::shogi_core::Colour;

use crate::game::{GameGraph, Goal};
use crate::plan::{Plan, PlanStep};
use shogi_mate::Budget;
use shogi_mate::map_bytes;

/// All positions that can arise from a root, with their moves.
///
/// ```
/// use shogi_solve::retrograde::Listing;
/// use shogi_solve::toy::Graph;
/// use shogi_solve::{GameGraph, Goal};
/// use shogi_solve::shogi_core::Colour;
/// let game = Graph::parse("a(L(W a))")?;
/// let listing = Listing::new(&game, &game.start(), 1_000)?;
/// assert_eq!(listing.forced(Goal::win(Colour::Sente))[0], None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Listing<G: GameGraph> {
    /// The positions, the root first.
    pub positions: Vec<G::Position>,
    index: FxHashMap<u64, u32>,
    /// The player to move, and the result if the game is over.
    ends: Vec<(Colour, Option<Verdict>)>,
    edges: Edges,
}

/// The numbers of the positions after each move, position by position.
#[derive(Clone, Debug, Default)]
pub(crate) struct Edges {
    /// Where the edges of each position end.
    ends: Vec<usize>,
    targets: Vec<u32>,
}

impl Edges {
    /// Makes edges from the children of each position.
    pub(crate) fn of(children: &[Vec<u32>]) -> Self {
        let mut edges = Self::default();
        for targets in children {
            edges.targets.extend_from_slice(targets);
            edges.ends.push(edges.targets.len());
        }
        edges
    }

    /// Number of positions with edges.
    fn len(&self) -> usize {
        self.ends.len()
    }

    /// The edges of a position.
    fn from(&self, index: usize) -> &[u32] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.targets[start..self.ends[index]]
    }

    /// The reversed edges.
    fn turned(&self) -> Self {
        let mut places = vec![0; self.len() + 1];
        for &target in &self.targets {
            places[target as usize + 1] += 1;
        }
        for index in 1..places.len() {
            places[index] += places[index - 1];
        }
        let mut targets = vec![0; self.targets.len()];
        for source in 0..self.len() {
            for &target in self.from(source) {
                let place = &mut places[target as usize];
                targets[*place] = source as u32;
                *place += 1;
            }
        }
        // Each place has moved to the end of its edges.
        places.pop();
        Self { ends: places, targets }
    }
}

/// The game has more positions than the limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("more than {limit} positions can arise")]
pub struct TooLarge {
    /// The limit.
    pub limit: usize,
}

/// Why not all positions are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unlisted {
    /// There are too many.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// The budget was over before all were listed.
    #[error("the budget is over before all positions are listed")]
    OutOfBudget,
}

impl<G: GameGraph> Listing<G> {
    /// Lists the positions, at most `limit`.
    ///
    /// # Errors
    ///
    /// If there are more positions.
    pub fn new(game: &G, root: &G::Position, limit: usize) -> Result<Self, TooLarge> {
        let mut listing = Self::begin(game, root);
        while listing.extend(game).is_some() {
            if listing.positions.len() > limit {
                return Err(TooLarge { limit });
            }
        }
        Ok(listing)
    }

    /// Lists the positions like [`Listing::new`], until the budget is over: each position and each move counts as a node.
    ///
    /// ```
    /// use shogi_solve::Budget;
    /// use shogi_solve::retrograde::{Listing, Unlisted};
    /// use shogi_solve::toy::Graph;
    /// let game = Graph::parse("a(L(W a))")?;
    /// let listed = |nodes| Listing::within(&game, &game.start(), 10, &mut Budget::nodes(nodes));
    /// let all = Listing::new(&game, &game.start(), 10)?;
    /// assert_eq!(listed(100)?.positions.len(), all.positions.len());
    /// assert_eq!(listed(1).err(), Some(Unlisted::OutOfBudget));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there are more than `limit`, or the budget is over.
    pub fn within(
        game: &G,
        root: &G::Position,
        limit: usize,
        budget: &mut Budget<'_>,
    ) -> Result<Self, Unlisted> {
        let mut listing = Self::begin(game, root);
        while let Some(moves) = listing.extend(game) {
            if listing.positions.len() > limit {
                return Err(TooLarge { limit }.into());
            }
            if !budget.spend(moves as u64 + 1) {
                return Err(Unlisted::OutOfBudget);
            }
        }
        Ok(listing)
    }

    /// The root alone, without its moves.
    pub(crate) fn begin(game: &G, root: &G::Position) -> Self {
        Self {
            positions: vec![root.clone()],
            index: FxHashMap::from_iter([(game.key(root), 0)]),
            ends: Vec::new(),
            edges: Edges::default(),
        }
    }

    /// Lists the targets of the next position's moves. Returns its number of moves; `None` if all positions are
    /// done.
    pub(crate) fn extend(&mut self, game: &G) -> Option<usize> {
        let position = self.positions.get(self.edges.len())?.clone();
        let verdict = game.verdict(&position);
        self.ends.push((game.side(&position), verdict));
        let mut moves = Vec::new();
        if verdict.is_none() {
            game.moves(&position, &mut moves);
        }
        for &mv in &moves {
            let child = game.play(&position, mv);
            let new = self.positions.len() as u32;
            let index = *self.index.entry(game.key(&child)).or_insert(new);
            if index == new {
                self.positions.push(child);
            }
            self.edges.targets.push(index);
        }
        self.edges.ends.push(self.edges.targets.len());
        Some(moves.len())
    }

    /// Number of positions listed with their moves.
    pub(crate) fn expanded(&self) -> usize {
        self.edges.len()
    }

    /// Whether the game is over in the last position whose moves are listed.
    pub(crate) fn last_is_over(&self) -> bool {
        self.ends.last().is_some_and(|(_, verdict)| verdict.is_some())
    }

    /// The most bytes of the list and of the data that [`Listing::forced`] needs.
    pub(crate) fn bytes(&self) -> usize {
        /// Bytes for a position: its end, its places among the edges and the reversed ones, its plies and its
        /// remaining moves.
        const NOTES: usize = 2 + 2 * size_of::<usize>() + 8 + 4;
        let positions = self.positions.len() * (2 * size_of::<G::Position>() + NOTES);
        map_bytes::<u32>(self.positions.len()) + positions + 3 * 4 * self.edges.targets.len()
    }

    /// Whether a goal can be forced from the root, and the plan that forces or prevents it.
    pub(crate) fn plan(&self, game: &G, goal: Goal) -> (bool, Plan<G>) {
        let plies = self.forced(goal);
        let reaches = plies[0].is_some();
        let planner = if reaches { goal.prover } else { !goal.prover };
        let mut plan = Plan::new();
        let (mut seen, mut open) = (vec![false; self.positions.len()], vec![0]);
        while let Some(index) = open.pop() {
            let (side, verdict) = self.ends[index];
            if verdict.is_some() || std::mem::replace(&mut seen[index], true) {
                continue;
            }
            let children = self.edges.from(index);
            if side != planner {
                open.extend(children.iter().map(|&child| child as usize));
                continue;
            }
            // The fewest plies to the goal, or none at all where it is prevented.
            let rank = |&(_, &child): &(usize, &u32)| {
                (plies[child as usize].is_some() != reaches, plies[child as usize])
            };
            let Some((number, &child)) = children.iter().enumerate().min_by_key(rank) else {
                continue;
            };
            let position = &self.positions[index];
            let mut moves = Vec::new();
            game.moves(position, &mut moves);
            let plies = plies[index].unwrap_or(0);
            plan.insert(game, PlanStep { position: position.clone(), mv: moves[number], plies });
            open.push(child as usize);
        }
        (reaches, plan)
    }

    /// The number of a position in [`Listing::positions`], if it can arise.
    pub fn index_of(&self, game: &G, position: &G::Position) -> Option<usize> {
        self.index.get(&game.key(position)).map(|&index| index as usize)
    }

    /// For each position, the fewest plies in which the prover can force the goal against every defence, if
    /// possible. Linear in the number of moves.
    pub fn forced(&self, goal: Goal) -> Vec<Option<u32>> {
        let reached = |&index: &u32| {
            let (side, verdict) = self.ends[index as usize];
            verdict.is_some_and(|verdict| goal.is_reached(verdict, side))
        };
        let ends = (0..self.positions.len() as u32).filter(reached).collect();
        plies_to(&self.edges, ends, &|index| self.ends[index as usize].0 == goal.prover)
    }

    /// The value of each position for the player to move, if a repetition is a draw.
    pub fn values(&self) -> Vec<Verdict> {
        let [sente, gote] = Colour::ALL.map(|prover| self.forced(Goal::win(prover)));
        let value = |index: usize| match (sente[index], gote[index], self.ends[index].0) {
            (None, None, _) => Verdict::Draw,
            (Some(_), _, Colour::Sente) | (_, Some(_), Colour::Gote) => Verdict::Win,
            _ => Verdict::Loss,
        };
        (0..self.positions.len()).map(value).collect()
    }
}

/// The fewest plies from each position of a graph to one of the `ends`. In positions where `choose` is true one
/// move that leads there suffices; in the others all moves must.
pub(crate) fn plies_to(
    edges: &Edges,
    ends: Vec<u32>,
    choose: &dyn Fn(u32) -> bool,
) -> Vec<Option<u32>> {
    let parents = edges.turned();
    let mut plies = vec![None; edges.len()];
    let mut unanswered: Vec<_> =
        (0..edges.len()).map(|index| edges.from(index).len() as u32).collect();
    for &end in &ends {
        plies[end as usize] = Some(0);
    }
    let mut front = ends;
    for distance in 1.. {
        if front.is_empty() {
            break;
        }
        let mut next = Vec::new();
        for &parent in front.iter().flat_map(|&index| parents.from(index as usize)) {
            let left = &mut unanswered[parent as usize];
            *left = left.saturating_sub(1);
            if plies[parent as usize].is_none() && (*left == 0 || choose(parent)) {
                plies[parent as usize] = Some(distance);
                next.push(parent);
            }
        }
        front = next;
    }
    plies
}
