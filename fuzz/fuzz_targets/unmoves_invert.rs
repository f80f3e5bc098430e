//! Fuzz target: Unmoves are the inverse of moves.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| testing::laws::unmoves_invert(input));
