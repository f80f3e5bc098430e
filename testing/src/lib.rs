//! What the tests, fuzz targets and benchmarks of the family share.
//!
//! A unit test of a library sees types of that library through this crate as types of another copy; types of
//! the libraries below it, and numbers, are the same.

pub mod book_oracle;
pub mod damage;
#[cfg(feature = "explore")]
pub mod explore_laws;
pub mod games;
pub mod laws;
pub mod naive;
pub mod problem_judge;
#[cfg(feature = "proof")]
pub mod proof_laws;
pub mod random;
pub mod sample;
pub mod tables;
#[cfg(feature = "texts")]
pub mod texts;
#[cfg(feature = "search")]
pub mod usi_laws;
mod variants;

pub use shogi_rules;
