//! The state of a builder's work, and what it reports of its steps.

use std::ops::ControlFlow;

use super::tree::TreeNode;
use super::{Builder, NamedMove};
use crate::game::GameGraph;

/// Whether a position of the tree is proved or refuted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProofState {
    /// Neither proved nor refuted.
    Open,
    /// The prover reaches the goal.
    Proved,
    /// The prover does not.
    Refuted,
}

/// A position that is neither proved nor refuted.
#[derive(Clone, Copy, Debug)]
pub struct OpenPosition<'a, P> {
    /// The position, the prover to move.
    pub position: &'a P,
    /// Its proof number after the last job.
    pub proof: u32,
    /// Its disproof number.
    pub disproof: u32,
    /// Expansions that its proof is expected to take from now on.
    pub estimate: f64,
    /// Whether moves were followed from here, so that the replies to them are what is open.
    pub expanded: bool,
}

/// The positions after the replies to a move, and their states.
pub type Replies<'a, G> = Vec<(&'a <G as GameGraph>::Position, ProofState)>;

/// Receives what a builder does, and where; a break stops it.
pub type Observer<'t, 'g, G, L> = dyn FnMut(
        &Builder<'g, G, L>,
        &<G as GameGraph>::Position,
        &Event<<G as GameGraph>::Move>,
    ) -> ControlFlow<()>
    + 't;

impl<'a, P> OpenPosition<'a, P> {
    pub(super) fn of(position: &'a P, node: &TreeNode) -> Self {
        Self {
            position,
            proof: node.numbers.0,
            disproof: node.numbers.1,
            estimate: node.estimate,
            expanded: !node.is_leaf(),
        }
    }
}

/// What a job was allowed and has taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cost {
    /// Most expansions.
    pub budget: u64,
    /// Moves played.
    pub nodes: u64,
    /// Expansions.
    pub expansions: u64,
}

/// What a builder has just done, or found out about a position.
#[derive(Clone, PartialEq, Debug)]
pub enum Event<M> {
    /// A job has proved it: the prover's moves in all positions of the proof that were in no proof
    /// before, in depth-first order.
    Proved {
        /// What the job took.
        cost: Cost,
        /// The moves.
        moves: Vec<M>,
    },
    /// All replies to a followed move lead to proved positions, or proofs of others hold for it, in
    /// at most so many plies.
    Known {
        /// Plies.
        plies: u32,
    },
    /// The job ended without a result.
    LeftOpen {
        /// What the job took.
        cost: Cost,
        /// The position's proof number.
        proof: u32,
        /// The position's disproof number.
        disproof: u32,
    },
    /// A job has refuted it: the prover does not reach the goal from here.
    Refuted {
        /// What the job took.
        cost: Cost,
    },
    /// All moves are refuted.
    NoMoveLeft,
    /// Moves are named that may be followed from here.
    Expanded {
        /// The moves, the most promising first.
        moves: Vec<NamedMove<M>>,
    },
    /// A move is followed: each reply to it is a position of its own from now on.
    Followed {
        /// The move.
        mv: M,
    },
    /// A followed move does not reach the goal, since a reply refutes it.
    MoveFails {
        /// The move.
        mv: M,
    },
}
