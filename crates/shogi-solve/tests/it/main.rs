//! All tests of the crate's public interface in one program, since each program links the libraries anew.

mod build;
mod build_log;
mod compose;
mod df_pn;
mod game;
mod graphs;
mod mate;
mod mate_book;
mod mate_defence;
mod mate_problems;
mod mate_run;
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
