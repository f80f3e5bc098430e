//! All tests of the crate's public interface in one program, since each program links the libraries anew.

mod batch;
mod bench;
mod build;
mod common;
mod convert;
mod documents;
mod estimate;
#[cfg(feature = "explore")]
mod explore;
mod figures;
mod files;
mod garbage;
mod imports;
mod input;
mod kill;
mod learn;
mod learning;
mod linear;
mod matches;
mod mate;
mod network;
mod own_files;
mod own_variants;
mod proof;
mod rank;
mod reach;
mod rules;
mod schema;
mod selfplay;
mod selftest;
mod solve;
mod tablebase;
mod training_data;
mod usi;
mod variants;
mod words;
