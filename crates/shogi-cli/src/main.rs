//! The `shogi` program.

fn main() {}
