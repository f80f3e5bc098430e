//! Fuzz target: Positions are read as they are written.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| testing::laws::sfen_round_trip(input));
