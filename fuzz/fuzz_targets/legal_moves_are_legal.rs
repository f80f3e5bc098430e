//! Fuzz target: Legal moves are legal.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| testing::laws::legal_moves_are_legal(input));
