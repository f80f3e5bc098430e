//! Estimates of the expansions that the positions of a tree still need.

use std::collections::VecDeque;

use super::{ProofState, Tree, TreeNode};

/// The estimate of a position whose moves all run in a cycle, relative to its estimate as a leaf.
const CIRCLE_FACTOR: f64 = 27.0;

impl TreeNode {
    /// The expected expansions of searching the position: as many as so far, or a number derived from the proof
    /// number.
    pub(in crate::builder) fn leaf_estimate(&self) -> f64 {
        (self.expansions as f64).max(50.0 * f64::from(self.numbers.0).powf(1.3))
    }

    /// The expected expansions from now on: the geometric mean of the estimate and of the expansions spent on
    /// the position and below it, if those are more, since effort has a heavy tail. By the estimate alone,
    /// alternatives would look worse than a line on which any number of positions remains; by the spending
    /// alone, a line that is nearly finished would be left.
    pub(super) fn left(&self) -> f64 {
        match self.state {
            ProofState::Open => {
                (self.estimate * self.estimate.max(self.total_expansions as f64)).sqrt()
            }
            ProofState::Proved | ProofState::Refuted => self.estimate,
        }
    }
}

impl Tree {
    /// The candidates of a position that have not failed, by number, with their expected expansions.
    pub(super) fn expected(&self, number: u32) -> impl Iterator<Item = (f64, usize)> {
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

    /// The least expected expansions of a position's candidates; infinite if none has an estimate.
    fn least(&self, number: u32) -> f64 {
        self.expected(number).map(|(expected, _)| expected).fold(f64::INFINITY, f64::min)
    }

    /// Recomputes all estimates from those of the leaves as the least solution, so that a position does not
    /// count in its own estimate.
    pub(in crate::builder) fn update(&mut self) {
        let mut expanded = std::mem::take(&mut self.expanded);
        expanded.retain(|&number| self.node(number).state == ProofState::Open);
        for &number in &expanded {
            self.node_mut(number).estimate = f64::INFINITY;
        }
        // Positions met first are mostly above those met later.
        let mut waiting = VecDeque::with_capacity(expanded.len());
        for &number in &expanded {
            waiting.push_front(number);
        }
        self.settle_estimates(waiting);
        let mut in_circles = Vec::new();
        for &number in &expanded {
            let node = self.node_mut(number);
            if node.estimate == f64::INFINITY {
                node.estimate = node.leaf_estimate() * CIRCLE_FACTOR;
                in_circles.push(number);
            }
        }
        let mut above = VecDeque::new();
        for &number in &in_circles {
            above.extend(&self.node(number).parents);
        }
        above.extend(&in_circles);
        self.settle_estimates(above);
        self.expanded = expanded;
    }

    /// Lowers the estimates of these positions, and of all positions above lowered ones, until they agree with
    /// those below them. The order makes no difference.
    fn settle_estimates(&mut self, mut waiting: VecDeque<u32>) {
        for &number in &waiting {
            self.node_mut(number).waits = true;
        }
        while let Some(number) = waiting.pop_front() {
            self.node_mut(number).waits = false;
            if self.node(number).state != ProofState::Open {
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
}

#[cfg(test)]
mod tests {
    use testing::random::Random;

    use super::*;
    use crate::builder::by_rank;
    use crate::builder::tree::tests::{estimate, tree};

    /// [`Tree::update`] by its definition: lowers estimates as long as any can be lowered.
    fn naive_estimates(tree: &Tree) -> Vec<f64> {
        let mut naive = Tree { nodes: tree.nodes.clone(), ..Tree::new(tree.limit) };
        let is_expanded = |node: &TreeNode| node.state == ProofState::Open && !node.is_leaf();
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
                tree.meet(position);
            }
            for _ in 0..3 {
                for number in 0..positions as u32 {
                    match below(8) {
                        // Replies of all kinds: shared, in circles, none at all.
                        0..3 if tree.node(number).is_leaf() => {
                            tree.expand(number, &by_rank(0..1 + below(4) as u32));
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
                            if node.state == ProofState::Open && node.is_leaf() {
                                node.estimate = node.leaf_estimate();
                            }
                        }
                        6 if tree.node(number).state == ProofState::Open && below(4) == 0 => {
                            let state =
                                [ProofState::Proved, ProofState::Refuted][below(2) as usize];
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
    fn a_cycle_does_not_lead_to_a_proof() {
        let ways: [(u64, &[&[u64]]); 2] = [(1, &[&[2]]), (2, &[&[1], &[10]])];
        let tree_with_a_way_out = tree(&[(10, 1_000)], &ways);
        assert_eq!(estimate(&tree_with_a_way_out, 1), 3_000.0);
        assert_eq!(estimate(&tree_with_a_way_out, 2), 3_000.0);
        let tree_without = tree(&[], &[(1, &[&[2]]), (2, &[&[1]])]);
        assert_eq!(estimate(&tree_without, 1), 50.0 * CIRCLE_FACTOR);
        assert_eq!(estimate(&tree_without, 2), 50.0 * CIRCLE_FACTOR);
    }
}
