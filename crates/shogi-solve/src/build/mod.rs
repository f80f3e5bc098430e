//! Building a proof too large for one search, piece by piece.
//!
//! After Algorithm 1 of Shioda & Ito, "Kyoto Shogi Is Weakly Solved" (2021): an oracle names the
//! prover's move, all replies are followed, and what is left open waits on a list. Their oracle is a
//! strong player who never errs. Here it may: every leaf is a *job* of df-pn, which proves it,
//! refutes it or gives up after a number of nodes; only what jobs leave open is expanded by the
//! oracle's moves, one move at first, more in later rounds, each round with twice the nodes a job.
//! A move of which one reply is refuted is given up, and the next is tried.
//!
//! ```
//! use shogi_rules::{Rules as _, Shogi34, to_usi};
//! use shogi_solve::build::{AsRanked, Builder, Settings};
//! use shogi_solve::shogi_core::{Colour, Position};
//! use shogi_solve::{Budget, Goal, RulesGame, Unit};
//!
//! let game = RulesGame::<Shogi34>::new();
//! let root = Position::new(Shogi34::named_start("KGR")?)?;
//! // Jobs too small to prove it in one go.
//! let settings = Settings { nodes: 500, bytes: 1 << 20, ..Settings::default() };
//! let mut builder = Builder::new(&game, Goal::win(Colour::Sente), root, Unit, settings);
//! builder.run(&mut AsRanked, &mut Budget::unlimited(), &mut |_, _, _| {});
//! let plan = builder.plan().expect("KGR is a win");
//! plan.check_reaches(&game, &root, Goal::win(Colour::Sente))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod builder;
mod frontier;

use crate::game::{GameGraph, Goal};

pub use builder::{Builder, OnEvent, Open, Replies, Settings, State};
pub use frontier::{FrontierError, load, save};

/// Names moves for the prover: a player, a table, or a search.
pub trait NextMove<G: GameGraph> {
    /// Moves of the prover, who is to move, the most promising first. What is left out is never
    /// tried; what is illegal, or named before, is passed over. `ranked` holds all moves as df-pn has ranked them within its last job.
    fn moves(
        &mut self,
        game: &G,
        goal: Goal,
        position: &G::Position,
        ranked: &[G::Move],
    ) -> Vec<G::Move>;
}

/// Takes the moves in the order of their proof numbers after the last job.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AsRanked;

impl<G: GameGraph> NextMove<G> for AsRanked {
    fn moves(&mut self, _: &G, _: Goal, _: &G::Position, ranked: &[G::Move]) -> Vec<G::Move> {
        ranked.to_vec()
    }
}

/// What a builder has just found out about a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Event<M> {
    /// A job or all replies to a move have proved it, in at most so many plies.
    Proved {
        /// Plies.
        plies: u32,
    },
    /// The job ended without a result.
    LeftOpen {
        /// Nodes of the job.
        nodes: u64,
        /// The position's proof number.
        proof: u32,
        /// The position's disproof number.
        disproof: u32,
    },
    /// It is refuted: the prover does not reach the goal from here.
    Refuted,
    /// The oracle's move is followed.
    Expanded {
        /// The move.
        mv: M,
        /// The number of replies that do not end the game.
        replies: usize,
    },
    /// The oracle's move does not reach the goal, since a reply refutes it.
    MoveFails {
        /// The move.
        mv: M,
    },
}
