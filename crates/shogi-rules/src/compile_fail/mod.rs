//! Misuses of two variants at once that must not compile, one in each file, each below a program
//! that differs in nothing else and runs. Why they are documentation tests is explained in the folder of
//! this name in `shogi_core`.

mod kind_of_another_variant;
mod move_read_in_another_variant;
mod piece_of_another_variant;
mod position_of_another_variant;
