//! The state of a builder's work and the events that it reports.

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
    /// Expected expansions of its proof from now on.
    pub estimate: f64,
    /// Whether moves were followed from here, so that the open part is the replies to them.
    pub expanded: bool,
}

/// The positions after the replies to a move, and their states.
pub type Replies<'a, G> = Vec<(&'a <G as GameGraph>::Position, ProofState)>;

/// Receives each event of a builder with its position; a break stops the builder.
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

/// The budget and the cost of a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cost {
    /// The most expansions.
    pub budget: u64,
    /// Moves played.
    pub nodes: u64,
    /// Expansions.
    pub expansions: u64,
}

/// An event: a step of the builder or a finding about a position.
#[derive(Clone, PartialEq, Debug)]
pub enum Event<M> {
    /// A job has proved the position.
    Proved {
        /// The cost of the job.
        cost: Cost,
        /// The prover's moves in all positions that were in no proof before, in depth-first order.
        moves: Vec<M>,
    },
    /// The position is proved without a job: all replies to a followed move lead to proved
    /// positions, or a proof of another position holds for it.
    Known {
        /// The most plies to the end.
        plies: u32,
    },
    /// The job ended without a result.
    LeftOpen {
        /// The cost of the job.
        cost: Cost,
        /// The position's proof number.
        proof: u32,
        /// The position's disproof number.
        disproof: u32,
    },
    /// A job has refuted the position: the prover does not reach the goal from here.
    Refuted {
        /// The cost of the job.
        cost: Cost,
    },
    /// All moves are refuted.
    NoMoveLeft,
    /// Moves were named that may be followed from here.
    Expanded {
        /// The moves, the most promising first.
        moves: Vec<NamedMove<M>>,
    },
    /// A move is followed: each reply to it is a position of the tree from now on.
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
