//! What the tests, fuzz targets and benchmarks of the family share.

pub mod damage;
pub mod laws;
#[cfg(feature = "paper")]
pub mod paper;
#[cfg(feature = "proof")]
pub mod proof_laws;
pub mod sample;
#[cfg(feature = "search")]
pub mod usi_laws;
