#![doc = include_str!("../README.md")]

mod budget;
pub mod build;
mod certify;
pub mod checkpoint;
pub mod df_pn;
mod family;
mod game;
mod ghi;
pub mod hikiwake;
mod leaf;
pub mod learn;
pub mod mate;
mod memory;
mod path;
pub mod pds;
mod plan;
pub mod proof;
pub mod reach;
pub mod retrograde;
mod search;
mod solve;
pub mod table;
pub mod toy;

pub use budget::{Budget, Progress};
pub use certify::{Decision, EFFORT, Prevention, decide, prevent, reach as reach_plan};
pub use family::{Solved, solve_position};
pub use game::{Game, Goal, Parts, RulesGame};
pub use ghi::Ghi;
pub use leaf::{Leaf, Mobility, Unit};
pub use plan::{Flaw, Plan, Step};
pub use search::{Finding, Knowledge, Search, Settled};
pub use shogi_rules::Verdict;
pub use solve::{Algorithm, Answer, Certificate, Options, Repetition, Solver, solve, solve_within};

pub use shogi_core;
