//! All tests of the crate's public interface in one program, since each program links the libraries anew.

mod answers;
mod common;
mod corpus;
mod golden;
mod limits;
mod page;
mod problems;
mod remote;
mod search;
mod service;
