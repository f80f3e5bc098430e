//! All tests of the crate's public interface in one program, since each program links the libraries anew.

mod certificates;
mod hub;
mod loaded;
mod pacing;
mod predecessors;
mod reach;
mod reach_variants;
mod shards;
mod whole;
