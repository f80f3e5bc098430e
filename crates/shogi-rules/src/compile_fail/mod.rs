//! Programs that mix two variants and must not compile, one in each file, each below a correct program
//! that differs in nothing else. The folder of the same name in `shogi_core` explains why they are
//! documentation tests.

mod kind_of_another_variant;
mod move_read_in_another_variant;
mod piece_of_another_variant;
mod position_of_another_variant;
