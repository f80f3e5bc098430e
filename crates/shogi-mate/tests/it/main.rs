//! All tests of the crate's public interface in one program, since each program links the libraries anew.

mod compose;
mod mate;
mod mate_book;
mod mate_defence;
mod mate_problems;
mod mate_run;
