//! All tests of the crate's public interface in one program, since each program links the libraries anew.

mod counts;
mod coverage;
mod king_legal;
mod kings_last;
mod loaded;
mod pawn_legal;
mod samples;
mod spaces;
mod strata;
mod tables;
