// The example of the README needs proof files.
#![cfg_attr(any(not(doctest), feature = "proof"), doc = include_str!("../README.md"))]
#![cfg_attr(docsrs, feature(doc_cfg))]
// A map of the room: "Inside `shogi-solve`" in docs/architecture.md.

// Searches have parts that only the builder, checkpoints and learning use.
#![cfg_attr(
    not(all(feature = "build", feature = "eval", feature = "proof")),
    allow(dead_code, unused_imports)
)]

mod budget;
#[cfg(feature = "build")]
pub mod builder;
mod certify;
#[cfg(feature = "proof")]
pub mod checkpoint;
pub mod df_pn;
#[cfg(feature = "proof")]
mod family;
#[cfg(feature = "proof")]
mod from_plan;
mod game;
mod ghi;
mod harvest;
pub mod hikiwake;
mod leaf;
pub mod mate;
mod memory;
mod numbered;
mod order;
mod path;
pub mod pds;
mod plan;
mod proof_number;
mod question;
pub mod retrograde;
mod search;
mod solve;
pub mod table;
#[cfg(feature = "tablebase")]
pub mod tablebase;
pub mod toy;
mod value;
mod whole;
#[cfg(feature = "proof")]
mod within;

pub use budget::{Budget, Limit, SearchProgress};
pub use certify::{Decision, EFFORT, Prevention, decide, prevent, reach_plan};
#[cfg(feature = "proof")]
pub use family::{Solved, solve_position};
#[cfg(feature = "build")]
pub use from_plan::strategy_from_builder;
#[cfg(feature = "proof")]
pub use from_plan::strategy_from_plan;
pub use game::{GameGraph, Goal, Parts, RulesGame};
pub use ghi::Ghi;
pub use harvest::{Harvest, SearchOutcome, Searched};
#[cfg(feature = "eval")]
pub use leaf::{AnyLeaf, Blend, Effort, Learnt};
pub use leaf::{
    Leaf, MAX_NUMBER, Mobility, SCALE, SLOPE, StartLeaf, Unit, effort_pn_dn, mean_pn_dn, pn_dn,
    pn_in_check,
};
pub use plan::{Plan, PlanError, PlanStep};
pub use proof_number::{INFINITE, ProofNumbers};
pub use search::{FinalValue, Finding, Knowledge, Search};
pub use shogi_rules::Verdict;
pub use solve::{
    Algorithm, Ended, GoalPlan, Method, Options, RepetitionValue, Solution, Solver, solve,
    solve_within,
};
#[cfg(feature = "proof")]
pub use within::{Within, win_within};

pub use shogi_core;
#[cfg(feature = "eval")]
pub use shogi_eval;
#[cfg(feature = "proof")]
pub use shogi_proof as proof;
#[cfg(feature = "reach")]
pub use shogi_reach as reach;
