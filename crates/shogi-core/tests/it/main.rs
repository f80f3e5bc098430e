//! All tests of the crate's public interface in one program, since each program links the libraries anew.

mod arbitrary;
mod bitboard;
mod serde;
mod usage;
