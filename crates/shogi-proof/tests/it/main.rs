//! All tests of the crate's public interface in one program, since each program links the libraries anew.

mod corpus;
mod naive;
mod proof;
mod proof_file;
mod shorten;
