#![doc = include_str!("../README.md")]

mod budget;
pub mod build;
mod certify;
pub mod checkpoint;
pub mod df_pn;
pub mod expert;
mod family;
mod from_plan;
mod game;
mod ghi;
mod harvest;
pub mod hikiwake;
mod leaf;
pub mod mate;
mod memory;
mod order;
mod path;
pub mod pds;
mod plan;
mod proof_number;
pub mod retrograde;
mod search;
mod solve;
pub mod table;
#[cfg(feature = "tablebase")]
pub mod tablebase;
pub mod toy;
mod value;
mod within;

pub use budget::{Budget, Limit, Progress};
pub use certify::{Decision, EFFORT, Prevention, decide, prevent, reach as reach_plan};
pub use family::{Solved, solve_position};
pub use from_plan::{strategy_from_builder, strategy_from_plan};
pub use game::{GameGraph, Goal, Parts, RulesGame};
pub use ghi::Ghi;
pub use harvest::{Harvest, Searched, to_records};
pub use leaf::{
    AnyLeaf, Blend, Effort, Leaf, Learnt, MAX_NUMBER, Mobility, SCALE, SLOPE, Unit, effort_pn_dn,
    mean_pn_dn, pn_dn, pn_in_check,
};
pub use plan::{Plan, PlanError, PlanStep};
pub use proof_number::{INFINITE, ProofNumbers};
pub use search::{FinalValue, Finding, Knowledge, Search};
pub use shogi_rules::Verdict;
pub use solve::{
    Algorithm, Answer, Ended, GoalPlan, Options, RepetitionValue, Solver, solve, solve_within,
};
pub use within::{Within, win_within};

pub use shogi_core;
pub use shogi_learn as learn;
pub use shogi_proof as proof;
#[cfg(feature = "reach")]
pub use shogi_reach as reach;
