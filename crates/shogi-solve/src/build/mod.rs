//! Building a proof too large for one search from many searches of limited size.
//!
//! After Algorithm 1 of Shioda & Ito, "Kyoto Shogi Is Weakly Solved" (2021): an oracle names the
//! prover's move, all replies are followed, and what is left open waits on a list. Their oracle is a
//! strong player who never errs. Here it may err: a position is first searched by *jobs* of df-pn, each
//! of three times as many expansions as the one before; only what they leave open is *expanded*. Several
//! moves of the prover are then followed side by side, and their replies are searched in their turn.
//!
//! The positions with the prover to move make a graph in which each has an *estimate*, the expansions
//! that its proof is expected to take: of a leaf, as many as it has taken so far, or what its proof number
//! tells; of an expanded position, the least sum over the replies to a move, times the factor that it was
//! named with. The next job is for the leaf that is reached from the root by the prover's move of
//! the least sum and the opponent's reply of the largest estimate: the hardest reply first, since a move
//! is worth nothing if one reply resists.
//!
//! Each proof that a job finds is checked by the rules and kept apart from the tables of the searches, which
//! may overwrite theirs; [`Log`] keeps it in a file. What is kept is closed: each reply to a move of it ends
//! the game well, or is in it with fewer plies, possibly with a worse hand of the prover.
//!
//! ```
//! use std::ops::ControlFlow;
//! use shogi_rules::{Rules as _, Shogi34, to_usi};
//! use shogi_solve::build::{AsRanked, Builder, Settings};
//! use shogi_solve::shogi_core::{Colour, Position};
//! use shogi_solve::{Budget, Goal, RulesGame, Unit};
//!
//! let game = RulesGame::<Shogi34>::new();
//! let root = Position::new(Shogi34::named_start("KGR")?)?;
//! // Jobs too small to prove it in one go.
//! let settings = Settings { job: 20, limit: 200, bytes: 1 << 20, ..Settings::default() };
//! let mut builder = Builder::new(&game, Goal::win(Colour::Sente), root, Unit, settings);
//! builder.run(&mut AsRanked, &mut Budget::unlimited(), &mut |_, _, _| ControlFlow::Continue(()));
//! let plan = builder.plan().expect("KGR is a win");
//! plan.check_reaches(&game, &root, Goal::win(Colour::Sente))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod alpha_beta;
mod builder;
mod collect;
mod coordinator;
mod folder;
mod job;
mod log;
mod oracle;
mod parallel;
mod place;
mod progress;
mod proofs;
mod question;
mod replay;
mod scene;
mod settings;
mod skeleton;
mod text;
mod threads;
mod tree;
mod work;

pub use alpha_beta::AlphaBeta;
pub use builder::Builder;
pub use folder::Refused;
pub use log::{
    Checked, DamagedTail, LOG_BEGINS, Log, LogError, MOST_LINE_BYTES, Replayed, check, log_variant,
    open, replay,
};
pub use oracle::{AsRanked, NAMED_AGAIN, Named, NextMove, by_rank};
pub use progress::{Cost, Event, Observer, Open, Replies, State};
pub use settings::Settings;
pub use skeleton::{SKELETON_FORMAT, Skeleton, SkeletonError, skeleton_variant};
pub use work::{JOB_FORMAT, Job, RESULT_FORMAT, WorkError, job_variant};
