//! Ishii and Tanaka.

fn main() {}
