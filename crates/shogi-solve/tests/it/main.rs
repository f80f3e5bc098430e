//! All tests of the crate's public interface in one program, since each program links the libraries anew.

mod brink;
mod build;
mod build_log;
mod df_pn;
mod game;
mod graphs;
mod memory;
mod pds;
mod pinned;
mod repetition;
mod slices;
mod small_games;
mod solve;
#[cfg(feature = "tablebase")]
mod tablebase;
mod watchdog;
mod within;
mod workers;
