//! Fuzz target: Records in KIF are read as they are written.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| testing::laws::kif_round_trip(input));
