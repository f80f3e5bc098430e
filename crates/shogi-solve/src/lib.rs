// The example of the README needs proof files.
#![cfg_attr(any(not(doctest), feature = "proof"), doc = include_str!("../README.md"))]
#![cfg_attr(docsrs, feature(doc_cfg))]
// A map of the room; each line builds on those above it.
//
// game, toy, retrograde      GameGraph, Goal: all that a search knows; small games, and their exact values as the oracle
// whole                      a small game, looked at as a whole beside the searches
// memory, path               what a search keeps, in a table of `shogi-mate`, and the path to where it is
// leaf, order                initial numbers; sorts
// search, ghi, harvest       the trait Search with what it finds, what that rests on, and what is collected of it
// proof_number               the walk and the look-up that both searches share
// df_pn, pds                 the searches: each one loop and its sums
// numbered                   positions by number and moves by index, and the trait Prover: a search of them
// certify, plan, hikiwake    from findings to certainty: proofs ordered, disproofs closed, into a plan that the rules alone check
// question, solve, value     win, draw, loss by two searches in turns; what plans show of a value
// builder                    a proof by many jobs of df-pn
// family, within             a variant with its rule on repetition; wins within so many plies, for shorter proofs
// from_plan, checkpoint      a plan or a build as a proof; a solver's state in a file
// tablebase                  proofs drawn from tables
// brink                      mates by checks and one quiet move; those by checks alone are `shogi-mate`

// Searches have parts that only the builder, checkpoints and learning use.
#![cfg_attr(
    not(all(feature = "build", feature = "eval", feature = "proof")),
    allow(dead_code, unused_imports)
)]

mod brink;
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
#[cfg(feature = "tablebase")]
pub mod tablebase;
pub mod toy;
mod value;
mod whole;
#[cfg(feature = "proof")]
mod within;

#[cfg(feature = "proof")]
pub use brink::prove_brink;
pub use brink::solve_brink;
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
pub use shogi_mate::{self as mate, Budget, Limit, SearchProgress, table};
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
