//! What the examples share.

pub mod tablebases;

pub use shogi_variants_counting_examples::{
    exit_code, parse_count, provenance, reachable, say, say_what_draws, write_whole,
};

/// The front page of the project, whose examples are tested here.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct FrontPage;

/// How moves are generated.
#[cfg(doctest)]
#[doc = include_str!("../docs/how/bitboards.md")]
pub struct Bitboards;

/// How moves are taken back.
#[cfg(doctest)]
#[doc = include_str!("../docs/how/unmoves.md")]
pub struct Unmoves;

/// What a disproof leans on in a game with cycles.
#[cfg(doctest)]
#[doc = include_str!("../docs/how/ghi.md")]
pub struct Ghi;

/// How a game with cycles is solved.
#[cfg(doctest)]
#[doc = include_str!("../docs/how/pds.md")]
pub struct Pds;
