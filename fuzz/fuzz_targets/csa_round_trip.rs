//! Fuzz target: Records in CSA are read as they are written.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| testing::laws::csa_round_trip(input));
