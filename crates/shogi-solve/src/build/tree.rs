//! The prover's positions, what has become of them, and which is next.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{NAMED_AGAIN, Named, State};
use crate::game::GameGraph;

/// The estimate of a position whose moves all run in a circle, in estimates of itself as a leaf.
const CIRCLE_FACTOR: f64 = 27.0;

/// A position with the prover to move.
#[derive(Clone, Debug)]
pub(super) struct Node<G: GameGraph> {
    pub(super) position: G::Position,
    pub(super) state: State,
    /// Most expansions of the last job; 0 before the first.
    pub(super) budget: u64,
    /// Most expansions of a job for a leaf.
    pub(super) limit: u64,
    /// Expansions of all jobs so far.
    pub(super) expansions: u64,
    /// Expansions of all jobs for it and for positions below it.
    pub(super) below: u64,
    /// What these were when moves were named last.
    pub(super) named: u64,
    /// Most expansions of the job that proved it.
    pub(super) proved_by: u64,
    /// Proof and disproof number after the last job.
    pub(super) numbers: (u32, u32),
    /// All moves as the last job has ranked them.
    pub(super) ranked: Vec<G::Move>,
    /// Expansions that a proof is expected to take from now on.
    pub(super) estimate: f64,
    /// The moves that are followed instead of searching the position; none of a leaf.
    pub(super) candidates: Vec<Candidate<G>>,
    /// Positions that have this one after a reply to one of their candidates.
    parents: Vec<u32>,
    /// Jobs that are being done for it or for positions below it.
    pub(super) in_flight: u32,
    /// Whether its estimate waits to be compared with those below it.
    waits: bool,
}

/// A move of the prover that may be followed.
#[derive(Clone, Debug)]
pub(super) struct Candidate<G: GameGraph> {
    pub(super) named: Named<G::Move>,
    /// Whether a reply refutes it.
    pub(super) fails: bool,
    /// The positions after the replies that do not end the game, once the move is followed.
    pub(super) replies: Option<Vec<u32>>,
}

impl<G: GameGraph> Node<G> {
    /// What is expected of the position if it is searched: as many expansions as so far, or what the
    /// proof number tells.
    pub(super) fn leaf_estimate(&self) -> f64 {
        (self.expansions as f64).max(50.0 * f64::from(self.numbers.0).powf(1.3))
    }

    /// What is expected of the position from now on: its estimate, or as much as was spent on it and below
    /// it, since effort has a heavy tail. Without that, what could be tried instead would look worse than
    /// a way on which any number of positions remains.
    fn left(&self) -> f64 {
        match self.state {
            State::Open => self.estimate.max(self.below as f64),
            State::Proved | State::Refuted => self.estimate,
        }
    }

    /// Whether the position is open and is to be followed rather than searched once more.
    pub(super) fn is_ripe(&self) -> bool {
        self.state == State::Open && self.is_leaf() && self.budget >= self.limit
    }

    /// Whether the position is open and was never searched.
    pub(super) fn is_new(&self) -> bool {
        self.state == State::Open && self.is_leaf() && self.budget == 0
    }

    /// Most expansions of the next job: three times as many as of the last one, but no more than the limit
    /// for as long as its moves are not followed.
    pub(super) fn next_budget(&self, first: u64) -> u64 {
        match self.budget {
            0 => first,
            last if self.is_leaf() => last.saturating_mul(3).min(self.limit),
            last => last.saturating_mul(3),
        }
    }

    /// Whether so much was spent since moves were named that they are to be named again.
    fn is_to_be_named_again(&self) -> bool {
        !self.is_leaf() && self.below >= self.named.saturating_mul(NAMED_AGAIN)
    }

    /// Whether the position is searched rather than followed.
    pub(super) fn is_leaf(&self) -> bool {
        self.candidates.is_empty()
    }
}

/// What is to be done next, at the last position of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Choice {
    /// A job.
    Search,
    /// Candidates are to be named.
    Expand,
    /// The candidate of this number is to be followed.
    Follow(usize),
}

/// The positions; one that is met in two ways is one position.
pub(super) struct Tree<G: GameGraph> {
    pub(super) nodes: Vec<Node<G>>,
    index: FxHashMap<u64, u32>,
    /// Most expansions of a job for a leaf.
    limit: u64,
    /// Positions that were expanded, and possibly decided since.
    expanded: Vec<u32>,
}

impl<G: GameGraph> Tree<G> {
    pub(super) fn new(limit: u64) -> Self {
        Self { nodes: Vec::new(), index: FxHashMap::default(), limit, expanded: Vec::new() }
    }

    pub(super) fn node(&self, number: u32) -> &Node<G> {
        &self.nodes[number as usize]
    }

    pub(super) fn node_mut(&mut self, number: u32) -> &mut Node<G> {
        &mut self.nodes[number as usize]
    }

    /// The number of a position that was met.
    pub(super) fn find(&self, game: &G, position: &G::Position) -> Option<u32> {
        self.index.get(&game.key(position)).copied()
    }

    /// The number of a position, new or not.
    pub(super) fn meet(&mut self, game: &G, position: &G::Position) -> u32 {
        let next = self.nodes.len() as u32;
        let number = *self.index.entry(game.key(position)).or_insert(next);
        if number == next {
            let mut node = Node {
                position: position.clone(),
                state: State::Open,
                budget: 0,
                limit: self.limit,
                proved_by: 0,
                expansions: 0,
                below: 0,
                named: 0,
                numbers: (1, 1),
                ranked: Vec::new(),
                estimate: 0.0,
                candidates: Vec::new(),
                parents: Vec::new(),
                in_flight: 0,
                waits: false,
            };
            node.estimate = node.leaf_estimate();
            self.nodes.push(node);
        }
        number
    }

    /// Makes these moves the first candidates of an open position. What was followed of them before stays.
    pub(super) fn expand(&mut self, number: u32, moves: &[Named<G::Move>]) {
        let node = self.node_mut(number);
        node.named = node.below.max(1);
        let is_new = node.is_leaf();
        let mut before = std::mem::take(&mut node.candidates);
        for &named in moves {
            let known = before.iter().position(|candidate| candidate.named.mv == named.mv);
            node.candidates.push(match known {
                Some(known) => Candidate { named, ..before.remove(known) },
                None => Candidate { named, fails: false, replies: None },
            });
        }
        node.candidates.append(&mut before);
        if is_new {
            self.expanded.push(number);
        }
    }

    /// Follows a candidate, with these positions after the replies; `None` if a reply ends the game
    /// badly for the prover.
    pub(super) fn follow(&mut self, number: u32, candidate: usize, replies: Option<Vec<u32>>) {
        for &reply in replies.iter().flatten() {
            self.node_mut(reply).parents.push(number);
        }
        let candidate = &mut self.node_mut(number).candidates[candidate];
        candidate.fails |= replies.is_none();
        candidate.replies = replies;
    }

    /// Notes the expansions of a job for a position, also for all above it.
    pub(super) fn spend(&mut self, number: u32, expansions: u64) {
        let mut met = FxHashSet::default();
        let mut above = vec![number];
        while let Some(number) = above.pop() {
            if met.insert(number) {
                let node = self.node_mut(number);
                node.below += expansions;
                above.extend(&node.parents);
            }
        }
    }

    /// Sets what has become of an open position; returns the positions above it.
    pub(super) fn close(&mut self, number: u32, state: State) -> Vec<u32> {
        let node = self.node_mut(number);
        node.state = state;
        node.estimate = if state == State::Proved { 0.0 } else { f64::INFINITY };
        node.ranked = Vec::new();
        std::mem::take(&mut node.parents)
    }

    /// Marks the candidates of a position of which a reply is refuted as failing, and returns their
    /// moves and the first candidate all replies to which are proved.
    pub(super) fn settle(&mut self, number: u32) -> (Vec<G::Move>, Option<G::Move>) {
        let (mut failing, mut proved) = (Vec::new(), None);
        for index in 0..self.node(number).candidates.len() {
            let &Candidate { named: Named { mv, .. }, fails, ref replies } =
                &self.node(number).candidates[index];
            let Some(replies) = replies.as_ref().filter(|_| !fails) else { continue };
            let mut states = replies.iter().map(|&reply| self.node(reply).state);
            if states.clone().all(|state| state == State::Proved) {
                proved = proved.or(Some(mv));
            } else if states.any(|state| state == State::Refuted) {
                failing.push(mv);
                self.node_mut(number).candidates[index].fails = true;
            }
        }
        (failing, proved)
    }

    /// The candidates of a position that have not failed, by number, with what each is expected to take.
    fn expected(&self, number: u32) -> impl Iterator<Item = (f64, usize)> {
        let node = self.node(number);
        let of_leaf = node.leaf_estimate();
        node.candidates.iter().enumerate().filter_map(move |(index, candidate)| {
            let sum = match &candidate.replies {
                None => of_leaf,
                Some(replies) => replies.iter().map(|&reply| self.node(reply).left()).sum(),
            };
            (!candidate.fails).then_some((sum * candidate.named.factor, index))
        })
    }

    /// The candidates of a position that may be gone on with, the one that is expected to take the least
    /// first. Positions on the path count as never proved.
    fn live(&self, number: u32, path: &[u32]) -> Vec<(f64, usize)> {
        let leads_back = |index: usize| {
            let replies = &self.node(number).candidates[index].replies;
            replies.iter().flatten().any(|reply| path.contains(reply))
        };
        let expected = self.expected(number);
        let mut live: Vec<_> = expected
            .filter(|&(expected, index)| expected < f64::INFINITY && !leads_back(index))
            .collect();
        live.sort_by(|a, b| a.0.total_cmp(&b.0));
        live
    }

    /// The least that a position's candidates are expected to take; infinite where none of them has an
    /// estimate.
    fn least(&self, number: u32) -> f64 {
        self.expected(number).map(|(expected, _)| expected).fold(f64::INFINITY, f64::min)
    }

    /// Works all estimates out anew from those of the leaves, as the least that follow from them: so a
    /// position does not count in what it leads to itself.
    pub(super) fn update(&mut self) {
        let mut expanded = std::mem::take(&mut self.expanded);
        expanded.retain(|&number| self.node(number).state == State::Open);
        for &number in &expanded {
            self.node_mut(number).estimate = f64::INFINITY;
        }
        // What was met first is mostly above what was met later.
        self.settle_estimates(expanded.iter().rev().copied().collect());
        let mut in_circles = Vec::new();
        for &number in &expanded {
            let node = self.node_mut(number);
            if node.estimate == f64::INFINITY {
                node.estimate = node.leaf_estimate() * CIRCLE_FACTOR;
                in_circles.push(number);
            }
        }
        let above = in_circles.iter().flat_map(|&number| &self.node(number).parents);
        let above = above.chain(&in_circles).copied().collect();
        self.settle_estimates(above);
        self.expanded = expanded;
    }

    /// Lowers the estimates of these positions, and of all above those that are lowered, until they agree
    /// with those below them. In which order makes no difference.
    fn settle_estimates(&mut self, mut waiting: VecDeque<u32>) {
        for &number in &waiting {
            self.node_mut(number).waits = true;
        }
        while let Some(number) = waiting.pop_front() {
            self.node_mut(number).waits = false;
            if self.node(number).state != State::Open {
                continue;
            }
            let least = self.least(number);
            let node = self.node_mut(number);
            if least < node.estimate {
                node.estimate = least;
                for index in 0..node.parents.len() {
                    let parent = self.node(number).parents[index];
                    if !std::mem::replace(&mut self.node_mut(parent).waits, true) {
                        waiting.push_back(parent);
                    }
                }
            }
        }
    }

    /// The open positions of a list, the one with the largest estimate first. Those that are being
    /// worked on count for less.
    fn hardest(&self, replies: &[u32]) -> Vec<u32> {
        let open = replies.iter().filter(|&&reply| self.node(reply).state == State::Open);
        let weight = |&reply: &u32| {
            let node = self.node(reply);
            // What was never searched comes first: nothing is known of it.
            let estimate = if node.budget == 0 { f64::INFINITY } else { node.estimate };
            estimate / f64::from(1 + node.in_flight)
        };
        let mut open: Vec<_> = open.copied().collect();
        open.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
        open
    }

    /// Notes that a job at the end of a path has begun, or ended.
    pub(super) fn fly(&mut self, path: &[u32], begins: bool) {
        for &number in path {
            let in_flight = &mut self.node_mut(number).in_flight;
            *in_flight = if begins { *in_flight + 1 } else { in_flight.saturating_sub(1) };
        }
    }

    /// Chooses what is to be done next below one of these positions, all of which have to be proved;
    /// `None` if all that could be done is being done. The path leads to where it is to be done.
    pub(super) fn choose(
        &self,
        replies: &[u32],
        names_again: bool,
        path: &mut Vec<u32>,
    ) -> Option<Choice> {
        self.hardest(replies).into_iter().find_map(|reply| self.choose_at(reply, names_again, path))
    }

    fn choose_at(&self, number: u32, names_again: bool, path: &mut Vec<u32>) -> Option<Choice> {
        let node = self.node(number);
        path.push(number);
        if names_again && node.is_to_be_named_again() {
            return Some(Choice::Expand);
        }
        if !node.is_leaf() {
            for (_, index) in self.live(number, path) {
                let chosen = match &node.candidates[index].replies {
                    None => Some(Choice::Follow(index)),
                    Some(replies) => self.choose(replies, names_again, path),
                };
                if chosen.is_some() {
                    return chosen;
                }
            }
        }
        if node.in_flight > 0 {
            path.pop();
            return None;
        }
        // A position whose moves all run in a circle or fail is searched like a leaf, without limit.
        Some(if node.is_ripe() { Choice::Expand } else { Choice::Search })
    }

    /// The path to the leaf that is expected to take the most, from one of these positions on.
    pub(super) fn path_of_hardest(&self, replies: &[u32]) -> Vec<u32> {
        let mut path = Vec::new();
        let mut below = self.hardest(replies).first().copied();
        while let Some(number) = below.filter(|number| !path.contains(number)) {
            path.push(number);
            let best = self.live(number, &path).first().map(|&(_, index)| index);
            let replies =
                best.and_then(|index| self.node(number).candidates[index].replies.as_ref());
            below = replies.and_then(|replies| self.hardest(replies).first().copied());
        }
        path
    }

    /// The candidate all replies to which are proved, if there is one.
    pub(super) fn proving_move(&self, number: u32) -> Option<G::Move> {
        let is_proved = |&reply: &u32| self.node(reply).state == State::Proved;
        let proves = |candidate: &&Candidate<G>| {
            let replies = candidate.replies.as_ref();
            !candidate.fails && replies.is_some_and(|replies| replies.iter().all(is_proved))
        };
        Some(self.node(number).candidates.iter().find(proves)?.named.mv)
    }

    /// The candidate of a position that is followed first.
    pub(super) fn best(&self, number: u32) -> Option<&Candidate<G>> {
        let (_, index) = *self.live(number, &[number]).first()?;
        Some(&self.node(number).candidates[index])
    }

    /// Bytes that the positions take at most.
    pub(super) fn bytes(&self) -> usize {
        let candidates = |node: &Node<G>| {
            let replies = node.candidates.iter().flat_map(|candidate| &candidate.replies);
            node.candidates.capacity() * size_of::<Candidate<G>>()
                + replies.map(|replies| 4 * replies.capacity()).sum::<usize>()
                + 4 * node.parents.capacity()
                + node.ranked.capacity() * size_of::<G::Move>()
        };
        self.nodes.capacity() * size_of::<Node<G>>()
            + self.nodes.iter().map(candidates).sum::<usize>()
            + crate::memory::map_bytes::<u32>(self.index.len())
    }
}

#[cfg(test)]
mod tests {
    use shogi_rules::Verdict;
    use shogi_rules::shogi_core::Colour;
    use testing::random::Random;

    use super::super::by_rank;
    use super::*;

    /// Numbers without moves: the tree knows what leads where.
    #[derive(Clone)]
    struct Numbers;

    impl GameGraph for Numbers {
        type Position = u64;
        type Move = u64;

        fn side(&self, _: &u64) -> Colour {
            Colour::Sente
        }
        fn verdict(&self, _: &u64) -> Option<Verdict> {
            None
        }
        fn moves(&self, _: &u64, _: &mut Vec<u64>) {}
        fn play(&self, &position: &u64, _: u64) -> u64 {
            position
        }
        fn key(&self, &position: &u64) -> u64 {
            position
        }
    }

    /// A tree of these leaves, each searched for so many expansions, and of positions with the replies to
    /// their candidates.
    fn tree(leaves: &[(u64, u64)], expanded: &[(u64, &[&[u64]])]) -> Tree<Numbers> {
        let mut tree = Tree::new(40_000);
        for &(position, expansions) in leaves {
            let number = tree.meet(&Numbers, &position);
            let node = tree.node_mut(number);
            (node.budget, node.expansions) = (expansions, expansions);
            node.estimate = node.leaf_estimate();
        }
        for &(position, candidates) in expanded {
            let number = tree.meet(&Numbers, &position);
            tree.expand(number, &by_rank(0..candidates.len() as u64));
            for (index, replies) in candidates.iter().enumerate() {
                let replies = replies.iter().map(|reply| tree.meet(&Numbers, reply)).collect();
                tree.follow(number, index, Some(replies));
            }
        }
        tree.update();
        tree
    }

    fn estimate(tree: &Tree<Numbers>, position: u64) -> f64 {
        tree.node(tree.find(&Numbers, &position).unwrap()).estimate
    }

    #[test]
    fn what_becomes_of_a_position_counts_wherever_it_is_met() {
        let leaves = [(10, 1_000), (11, 3_000), (12, 9_000)];
        let above: [(u64, &[&[u64]]); 3] =
            [(1, &[&[2, 11]]), (2, &[&[10], &[12]]), (3, &[&[10, 2], &[12]])];
        let mut tree = tree(&leaves, &above);
        assert_eq!(
            [1, 2, 3].map(|position| estimate(&tree, position)),
            [4_000.0, 1_000.0, 2_000.0]
        );
        let shared = tree.find(&Numbers, &10).unwrap();
        tree.node_mut(shared).estimate = 50_000.0;
        tree.update();
        // The second candidate counts three times.
        assert_eq!(
            [1, 2, 3].map(|position| estimate(&tree, position)),
            [30_000.0, 27_000.0, 27_000.0]
        );
        tree.close(shared, State::Proved);
        tree.update();
        assert_eq!([1, 2, 3].map(|position| estimate(&tree, position)), [3_000.0, 0.0, 0.0]);
    }

    #[test]
    fn a_move_that_has_taken_long_gives_way_to_the_next() {
        let leaves = [(10, 1_000), (11, 900), (12, 500)];
        let mut tree = tree(&leaves, &[(1, &[&[2], &[12]]), (2, &[&[10], &[11]])]);
        let [above, below] = [1, 2].map(|position| tree.find(&Numbers, &position).unwrap());
        assert_eq!([1, 2].map(|position| estimate(&tree, position)), [1_000.0, 1_000.0]);
        let searched = tree.find(&Numbers, &10).unwrap();
        for (spent, first, expected) in [(1_400, 0, 1_400.0), (2_600, 1, 1_500.0)] {
            tree.spend(searched, spent);
            tree.update();
            assert_eq!(tree.node(above).below, tree.node(searched).below);
            assert_eq!(tree.live(above, &[])[0], (expected, first));
            assert_eq!(estimate(&tree, 1), expected);
        }
        // All that was spent below counts at each position above, and nothing once it is proved.
        assert_eq!(tree.node(below).left(), 4_000.0);
        tree.close(below, State::Proved);
        assert_eq!(tree.node(below).left(), 0.0);
    }

    #[test]
    fn moves_that_are_named_again_keep_what_was_followed() {
        let mut tree = tree(&[(10, 1_000), (11, 400)], &[(1, &[&[10], &[11]])]);
        let root = tree.find(&Numbers, &1).unwrap();
        assert_eq!(tree.live(root, &[]), [(1_000.0, 0), (1_200.0, 1)]);
        // The other order, and a move that is new.
        let named = |mv, factor| Named { mv, factor };
        tree.expand(root, &[named(1, 2.0), named(7, 9.0), named(0, 5.0)]);
        tree.update();
        assert_eq!(tree.node(root).candidates.len(), 3);
        assert_eq!(tree.live(root, &[])[0], (9.0 * 50.0, 1));
        assert_eq!(tree.live(root, &[])[1..], [(800.0, 0), (5_000.0, 2)]);
    }

    /// [`Tree::update`] by its definition: each estimate is lowered for as long as any can be.
    fn naive_estimates(tree: &Tree<Numbers>) -> Vec<f64> {
        let mut naive = Tree { nodes: tree.nodes.clone(), ..Tree::new(tree.limit) };
        let is_expanded = |node: &Node<_>| node.state == State::Open && !node.is_leaf();
        let expanded: Vec<u32> = (0..naive.nodes.len() as u32)
            .filter(|&number| is_expanded(naive.node(number)))
            .collect();
        for &number in &expanded {
            naive.node_mut(number).estimate = f64::INFINITY;
        }
        for _ in 0..2 {
            let mut changes = true;
            while std::mem::take(&mut changes) {
                for &number in &expanded {
                    let least = naive.least(number);
                    if least < naive.node(number).estimate {
                        naive.node_mut(number).estimate = least;
                        changes = true;
                    }
                }
            }
            for &number in &expanded {
                let node = naive.node_mut(number);
                if node.estimate == f64::INFINITY {
                    node.estimate = node.leaf_estimate() * CIRCLE_FACTOR;
                }
            }
        }
        naive.nodes.iter().map(|node| node.estimate).collect()
    }

    #[test]
    fn estimates_are_those_of_the_definition() {
        for seed in 0..500 {
            let mut random = Random::new(seed);
            let mut below = |most: u64| random.below(most as usize) as u64;
            let positions = 2 + below(40);
            let mut tree = tree(&[], &[]);
            for position in 0..positions {
                tree.meet(&Numbers, &position);
            }
            for _ in 0..3 {
                for number in 0..positions as u32 {
                    match below(8) {
                        // Replies of all kinds: shared, in circles, none at all.
                        0..3 if tree.node(number).is_leaf() => {
                            tree.expand(number, &by_rank(0..1 + below(4)));
                            for candidate in 0..tree.node(number).candidates.len() {
                                let replies = (0..below(4)).map(|_| below(positions) as u32);
                                let replies = replies.collect();
                                if below(3) > 0 {
                                    let refuted = below(10) == 0;
                                    tree.follow(number, candidate, (!refuted).then_some(replies));
                                }
                            }
                        }
                        3..6 => {
                            let expansions = below(10_000);
                            tree.spend(number, expansions);
                            let node = tree.node_mut(number);
                            node.expansions += expansions;
                            if node.state == State::Open && node.is_leaf() {
                                node.estimate = node.leaf_estimate();
                            }
                        }
                        6 if tree.node(number).state == State::Open && below(4) == 0 => {
                            let state = [State::Proved, State::Refuted][below(2) as usize];
                            tree.close(number, state);
                        }
                        _ => {}
                    }
                }
                let naive = naive_estimates(&tree);
                tree.update();
                let estimates: Vec<f64> = tree.nodes.iter().map(|node| node.estimate).collect();
                assert_eq!(estimates, naive, "seed {seed}");
                assert!(tree.nodes.iter().all(|node| !node.waits));
            }
        }
    }

    #[test]
    fn a_circle_is_no_way_to_a_proof() {
        let ways: [(u64, &[&[u64]]); 2] = [(1, &[&[2]]), (2, &[&[1], &[10]])];
        let tree_with_a_way_out = tree(&[(10, 1_000)], &ways);
        assert_eq!(estimate(&tree_with_a_way_out, 1), 3_000.0);
        assert_eq!(estimate(&tree_with_a_way_out, 2), 3_000.0);
        let tree_without = tree(&[], &[(1, &[&[2]]), (2, &[&[1]])]);
        assert_eq!(estimate(&tree_without, 1), 50.0 * CIRCLE_FACTOR);
        assert_eq!(estimate(&tree_without, 2), 50.0 * CIRCLE_FACTOR);
    }
}
