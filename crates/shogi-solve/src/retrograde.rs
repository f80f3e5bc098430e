//! The exact values of a small game, by listing its positions and working back from the ends.

use rustc_hash::FxHashMap;
use shogi_rules::Verdict;
use shogi_rules::shogi_core::Colour;

use crate::game::{GameGraph, Goal};

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
    /// Who is to move, and the result if the game is over.
    ends: Vec<(Colour, Option<Verdict>)>,
    children: Vec<Vec<u32>>,
}

/// The game has more positions than the limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("more than {limit} positions can arise")]
pub struct TooLarge {
    /// The limit.
    pub limit: usize,
}

impl<G: GameGraph> Listing<G> {
    /// Lists the positions, at most `limit`.
    ///
    /// # Errors
    ///
    /// If there are more.
    pub fn new(game: &G, root: &G::Position, limit: usize) -> Result<Self, TooLarge> {
        let mut listing = Self {
            positions: vec![root.clone()],
            index: FxHashMap::from_iter([(game.key(root), 0)]),
            ends: Vec::new(),
            children: Vec::new(),
        };
        let mut moves = Vec::new();
        while let Some(position) = listing.positions.get(listing.children.len()).cloned() {
            let verdict = game.verdict(&position);
            listing.ends.push((game.side(&position), verdict));
            if verdict.is_none() {
                game.moves(&position, &mut moves);
            }
            let children = moves.drain(..).map(|mv| {
                let child = game.play(&position, mv);
                let new = listing.positions.len() as u32;
                let index = *listing.index.entry(game.key(&child)).or_insert(new);
                if index == new {
                    listing.positions.push(child);
                }
                index
            });
            let children = children.collect();
            listing.children.push(children);
            if listing.positions.len() > limit {
                return Err(TooLarge { limit });
            }
        }
        Ok(listing)
    }

    /// The number of a position in [`Listing::positions`], if it can arise.
    pub fn index_of(&self, game: &G, position: &G::Position) -> Option<usize> {
        self.index.get(&game.key(position)).map(|&index| index as usize)
    }

    /// For each position, the fewest plies in which the prover can force the goal against every
    /// defence, if at all. Linear in the number of moves.
    pub fn forced(&self, goal: Goal) -> Vec<Option<u32>> {
        let reached = |&index: &u32| {
            let (side, verdict) = self.ends[index as usize];
            verdict.is_some_and(|verdict| goal.is_reached(verdict, side))
        };
        let ends = (0..self.positions.len() as u32).filter(reached).collect();
        plies_to(&self.children, ends, &|index| self.ends[index as usize].0 == goal.prover)
    }

    /// The value of each position for the player to move where a repetition is a draw.
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

/// The fewest plies from each position of a graph to one of the `ends`, where `choose` says in which
/// positions any one move that leads there is enough; in the others all have to.
pub(crate) fn plies_to(
    children: &[Vec<u32>],
    ends: Vec<u32>,
    choose: &dyn Fn(u32) -> bool,
) -> Vec<Option<u32>> {
    let mut parents = vec![Vec::new(); children.len()];
    for (parent, children) in children.iter().enumerate() {
        for &child in children {
            parents[child as usize].push(parent as u32);
        }
    }
    let mut plies = vec![None; children.len()];
    let mut unanswered: Vec<_> = children.iter().map(Vec::len).collect();
    for &end in &ends {
        plies[end as usize] = Some(0);
    }
    let mut front = ends;
    for distance in 1.. {
        if front.is_empty() {
            break;
        }
        let mut next = Vec::new();
        for &parent in front.iter().flat_map(|&index| &parents[index as usize]) {
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
