//! All tests of the crate's public interface in one program, since each program links the libraries anew.

mod archive;
mod effort;
mod evaluation_fit;
mod expert;
mod linear;
mod nn_bin;
mod pinned;
mod saved;
mod training_data;
