//! The prover's positions, their states, and the choice of the next one.

mod estimate;

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{NAMED_AGAIN, NamedMove, ProofState};
use crate::order::sort_rising;

/// A position with the prover to move.
#[derive(Clone, Debug)]
pub(super) struct TreeNode {
    pub(super) state: ProofState,
    /// The budget of the last job in expansions; 0 before the first.
    pub(super) last_budget: u64,
    /// The greatest budget of a job for a leaf, in expansions.
    pub(super) limit: u64,
    /// Expansions of all jobs so far.
    pub(super) expansions: u64,
    /// Expansions of all jobs for it and for positions below it.
    pub(super) total_expansions: u64,
    /// The value of `total_expansions` when moves were last named.
    pub(super) total_when_named: u64,
    /// The budget of the job that proved it, in expansions.
    pub(super) proved_by: u64,
    /// Proof and disproof number after the last job.
    pub(super) numbers: (u32, u32),
    /// Expected expansions of its proof from now on.
    pub(super) estimate: f64,
    /// The moves that are followed instead of searching the position; empty for a leaf.
    pub(super) candidates: Vec<Candidate>,
    /// Positions that have this one after a reply to one of their candidates.
    parents: Vec<u32>,
    /// Number of tasks under way for it or for positions below it.
    pub(super) in_flight: u32,
    /// Whether an oracle is naming its moves.
    pub(super) is_being_named: bool,
    /// Whether its estimate is queued for comparison with those below it.
    waits: bool,
}

/// A move of the prover that may be followed.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// The move by its number among those named at the position.
    pub(super) named: NamedMove<u32>,
    /// Whether a reply refutes it.
    pub(super) fails: bool,
    /// The positions after the replies that do not end the game, once the move is followed.
    pub(super) replies: Option<Vec<u32>>,
}

impl TreeNode {
    /// Whether the position is open and should be followed rather than searched again.
    pub(super) fn is_ripe(&self) -> bool {
        self.state == ProofState::Open && self.is_leaf() && self.last_budget >= self.limit
    }

    /// Whether the position is open and was never searched.
    pub(super) fn is_new(&self) -> bool {
        self.state == ProofState::Open && self.is_leaf() && self.last_budget == 0
    }

    /// The budget of the next job: three times that of the last one, but no more than the limit as long as its
    /// moves are not followed.
    pub(super) fn next_budget(&self, first: u64) -> u64 {
        match self.last_budget {
            0 => first,
            last if self.is_leaf() => last.saturating_mul(3).min(self.limit),
            last => last.saturating_mul(3),
        }
    }

    /// Whether enough was spent since moves were named that they should be named again.
    fn is_to_be_named_again(&self) -> bool {
        let again = self.total_when_named.saturating_mul(NAMED_AGAIN);
        !self.is_leaf() && !self.is_being_named && self.total_expansions >= again
    }

    /// Whether the position is searched rather than followed.
    pub(super) fn is_leaf(&self) -> bool {
        self.candidates.is_empty()
    }
}

/// The next step at the last position of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TreeChoice {
    /// A job.
    Search,
    /// Name candidates.
    Expand,
    /// Follow the candidate with this number.
    Follow(usize),
}

/// The positions; a transposition is one position.
pub(super) struct Tree {
    pub(super) nodes: Vec<TreeNode>,
    index: FxHashMap<u64, u32>,
    /// The greatest budget of a job for a leaf, in expansions.
    limit: u64,
    /// Positions that were expanded, and possibly decided since.
    expanded: Vec<u32>,
}

impl Tree {
    pub(super) fn new(limit: u64) -> Self {
        Self { nodes: Vec::new(), index: FxHashMap::default(), limit, expanded: Vec::new() }
    }

    pub(super) fn node(&self, number: u32) -> &TreeNode {
        &self.nodes[number as usize]
    }

    pub(super) fn node_mut(&mut self, number: u32) -> &mut TreeNode {
        &mut self.nodes[number as usize]
    }

    /// The number of a known position, by its key.
    pub(super) fn find(&self, key: u64) -> Option<u32> {
        self.index.get(&key).copied()
    }

    /// The number of a position with this key, new or not.
    pub(super) fn meet(&mut self, key: u64) -> u32 {
        let next = self.nodes.len() as u32;
        let number = *self.index.entry(key).or_insert(next);
        if number == next {
            let mut node = TreeNode {
                state: ProofState::Open,
                last_budget: 0,
                limit: self.limit,
                proved_by: 0,
                expansions: 0,
                total_expansions: 0,
                total_when_named: 0,
                numbers: (1, 1),
                estimate: 0.0,
                candidates: Vec::new(),
                parents: Vec::new(),
                in_flight: 0,
                is_being_named: false,
                waits: false,
            };
            node.estimate = node.leaf_estimate();
            self.nodes.push(node);
        }
        number
    }

    /// The open positions.
    pub(super) fn open(&self) -> Vec<u32> {
        let numbers = 0..self.nodes.len() as u32;
        numbers.filter(|&number| self.node(number).state == ProofState::Open).collect()
    }

    /// The open positions that should be followed rather than searched again.
    pub(super) fn ripe(&self) -> Vec<u32> {
        let mut ripe = self.open();
        ripe.retain(|&number| self.node(number).is_ripe());
        ripe
    }

    /// Whether one of these positions has this state.
    pub(super) fn has_any(&self, numbers: &[u32], state: ProofState) -> bool {
        numbers.iter().any(|&number| self.node(number).state == state)
    }

    /// The sum of the estimates of these positions.
    pub(super) fn estimate(&self, numbers: &[u32]) -> f64 {
        numbers.iter().map(|&number| self.node(number).estimate).sum()
    }

    /// Adds the paths to the positions after a candidate of the last position of a path.
    pub(super) fn paths_to_replies(
        &self,
        path: &[u32],
        candidate: usize,
        paths: &mut VecDeque<Vec<u32>>,
    ) {
        let Some(&number) = path.last() else { return };
        for &reply in self.node(number).candidates[candidate].replies.iter().flatten() {
            paths.push_back([path, &[reply]].concat());
        }
    }

    /// Makes these moves the first candidates of an open position. Moves followed before stay followed.
    pub(super) fn expand(&mut self, number: u32, moves: &[NamedMove<u32>]) {
        let node = self.node_mut(number);
        node.total_when_named = node.total_expansions.max(1);
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
                node.total_expansions = node.total_expansions.saturating_add(expansions);
                above.extend(&node.parents);
            }
        }
    }

    /// Sets the state of an open position; returns the positions above it.
    pub(super) fn close(&mut self, number: u32, state: ProofState) -> Vec<u32> {
        let node = self.node_mut(number);
        node.state = state;
        node.estimate = if state == ProofState::Proved { 0.0 } else { f64::INFINITY };
        std::mem::take(&mut node.parents)
    }

    /// Marks the candidates of a position of which a reply is refuted as failing, and returns those that did not
    /// fail before.
    pub(super) fn mark_failing(&mut self, number: u32) -> Vec<usize> {
        let mut failing = Vec::new();
        for index in 0..self.node(number).candidates.len() {
            let Candidate { fails, replies, .. } = &self.node(number).candidates[index];
            let replies = replies.as_deref().unwrap_or_default();
            if !fails && self.has_any(replies, ProofState::Refuted) {
                failing.push(index);
                self.node_mut(number).candidates[index].fails = true;
            }
        }
        failing
    }

    /// The candidates of a position that may be followed further, the one with the least expected expansions
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
        sort_rising(&mut live);
        live
    }

    /// The open positions of a list, the one with the largest estimate first. Positions with tasks under way
    /// count for less.
    fn hardest(&self, replies: &[u32]) -> Vec<u32> {
        let open = replies.iter().filter(|&&reply| self.node(reply).state == ProofState::Open);
        let weighted = |&reply: &u32| {
            let node = self.node(reply);
            // Positions that were never searched come first: nothing is known about them.
            let estimate = if node.last_budget == 0 { f64::INFINITY } else { node.estimate };
            (-estimate / f64::from(1 + node.in_flight), reply as usize)
        };
        let mut open: Vec<_> = open.map(weighted).collect();
        sort_rising(&mut open);
        open.into_iter().map(|(_, reply)| reply as u32).collect()
    }

    /// Notes that a task at the end of a path has begun.
    pub(super) fn begin_task(&mut self, path: &[u32]) {
        for &number in path {
            self.node_mut(number).in_flight += 1;
        }
    }

    /// Notes that a task at the end of a path has ended.
    pub(super) fn end_task(&mut self, path: &[u32]) {
        for &number in path {
            let node = self.node_mut(number);
            node.in_flight = node.in_flight.saturating_sub(1);
        }
    }

    /// Chooses the next step below one of these positions, all of which have to be proved, with the path to it;
    /// `None` if every possible task is under way.
    pub(super) fn choose(
        &self,
        replies: &[u32],
        names_again: bool,
        path: &mut Vec<u32>,
    ) -> Option<TreeChoice> {
        self.hardest(replies).into_iter().find_map(|reply| self.choose_at(reply, names_again, path))
    }

    fn choose_at(&self, number: u32, names_again: bool, path: &mut Vec<u32>) -> Option<TreeChoice> {
        let node = self.node(number);
        path.push(number);
        if names_again && node.is_to_be_named_again() {
            return Some(TreeChoice::Expand);
        }
        if !node.is_leaf() {
            for (_, index) in self.live(number, path) {
                let chosen = match &node.candidates[index].replies {
                    None => Some(TreeChoice::Follow(index)),
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
        Some(if node.is_ripe() { TreeChoice::Expand } else { TreeChoice::Search })
    }

    /// The path to the leaf with the most expected expansions, from one of these positions on.
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

    /// The candidate whose replies are all proved, if there is one.
    pub(super) fn proving_candidate(&self, number: u32) -> Option<usize> {
        let is_proved = |&reply: &u32| self.node(reply).state == ProofState::Proved;
        let proves = |candidate: &Candidate| {
            let replies = candidate.replies.as_ref();
            !candidate.fails && replies.is_some_and(|replies| replies.iter().all(is_proved))
        };
        self.node(number).candidates.iter().position(proves)
    }

    /// The candidate of a position that is followed first.
    pub(super) fn best(&self, number: u32) -> Option<&Candidate> {
        let (_, index) = *self.live(number, &[number]).first()?;
        Some(&self.node(number).candidates[index])
    }

    /// Bytes that the positions take at most.
    pub(super) fn bytes(&self) -> usize {
        let candidates = |node: &TreeNode| {
            let replies = node.candidates.iter().flat_map(|candidate| &candidate.replies);
            node.candidates.capacity() * size_of::<Candidate>()
                + replies.map(|replies| 4 * replies.capacity()).sum::<usize>()
                + 4 * node.parents.capacity()
        };
        self.nodes.capacity() * size_of::<TreeNode>()
            + self.nodes.iter().map(candidates).sum::<usize>()
            + shogi_mate::map_bytes::<u32>(self.index.len())
    }
}

#[cfg(test)]
mod tests {
    use super::super::by_rank;
    use super::*;

    /// A tree of these leaves, each searched for so many expansions, and of positions with the replies to
    /// their candidates.
    pub(super) fn tree(leaves: &[(u64, u64)], expanded: &[(u64, &[&[u64]])]) -> Tree {
        let mut tree = Tree::new(40_000);
        for &(position, expansions) in leaves {
            let number = tree.meet(position);
            let node = tree.node_mut(number);
            (node.last_budget, node.expansions) = (expansions, expansions);
            node.estimate = node.leaf_estimate();
        }
        for &(position, candidates) in expanded {
            let number = tree.meet(position);
            tree.expand(number, &by_rank(0..candidates.len() as u32));
            for (index, replies) in candidates.iter().enumerate() {
                let replies = replies.iter().map(|reply| tree.meet(*reply)).collect();
                tree.follow(number, index, Some(replies));
            }
        }
        tree.update();
        tree
    }

    pub(super) fn estimate(tree: &Tree, position: u64) -> f64 {
        tree.node(tree.find(position).unwrap()).estimate
    }

    #[test]
    fn the_fate_of_a_position_counts_wherever_it_occurs() {
        let leaves = [(10, 1_000), (11, 3_000), (12, 9_000)];
        let above: [(u64, &[&[u64]]); 3] =
            [(1, &[&[2, 11]]), (2, &[&[10], &[12]]), (3, &[&[10, 2], &[12]])];
        let mut tree = tree(&leaves, &above);
        assert_eq!(
            [1, 2, 3].map(|position| estimate(&tree, position)),
            [4_000.0, 1_000.0, 2_000.0]
        );
        let shared = tree.find(10).unwrap();
        tree.node_mut(shared).estimate = 50_000.0;
        tree.update();
        // The second candidate counts three times.
        assert_eq!(
            [1, 2, 3].map(|position| estimate(&tree, position)),
            [30_000.0, 27_000.0, 27_000.0]
        );
        tree.close(shared, ProofState::Proved);
        tree.update();
        assert_eq!([1, 2, 3].map(|position| estimate(&tree, position)), [3_000.0, 0.0, 0.0]);
    }

    #[test]
    fn a_move_that_has_taken_long_gives_way_to_the_next() {
        let leaves = [(10, 1_000), (11, 900), (12, 500)];
        let mut tree = tree(&leaves, &[(1, &[&[2], &[12]]), (2, &[&[10], &[11]])]);
        let [above, below] = [1, 2].map(|position| tree.find(position).unwrap());
        assert_eq!([1, 2].map(|position| estimate(&tree, position)), [1_000.0, 1_000.0]);
        let searched = tree.find(10).unwrap();
        let mean = |estimate: f64, spent: f64| (estimate * spent).sqrt();
        let goes_on = mean(mean(1_000.0, 1_440.0), 1_440.0);
        for (spent, first, expected) in [(1_440, 0, goes_on), (2_560, 1, 1_500.0)] {
            tree.spend(searched, spent);
            tree.update();
            assert_eq!(tree.node(above).total_expansions, tree.node(searched).total_expansions);
            assert_eq!(tree.live(above, &[])[0], (expected, first));
            assert_eq!(estimate(&tree, 1), expected);
        }
        // The effort below counts at each position above, and 0 once the position is proved.
        assert_eq!(tree.node(below).left(), mean(2_000.0, 4_000.0));
        tree.close(below, ProofState::Proved);
        assert_eq!(tree.node(below).left(), 0.0);
    }

    #[test]
    fn moves_that_are_named_again_keep_what_was_followed() {
        let mut tree = tree(&[(10, 1_000), (11, 400)], &[(1, &[&[10], &[11]])]);
        let root = tree.find(1).unwrap();
        assert_eq!(tree.live(root, &[]), [(1_000.0, 0), (1_200.0, 1)]);
        // The other order, and a move that is new.
        let named = |mv, factor| NamedMove { mv, factor };
        tree.expand(root, &[named(1, 2.0), named(7, 9.0), named(0, 5.0)]);
        tree.update();
        assert_eq!(tree.node(root).candidates.len(), 3);
        assert_eq!(tree.live(root, &[])[0], (9.0 * 50.0, 1));
        assert_eq!(tree.live(root, &[])[1..], [(800.0, 0), (5_000.0, 2)]);
    }
}
