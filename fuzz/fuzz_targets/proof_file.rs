//! Fuzz target: Proof files are read as they are written.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| testing::proof_laws::proof_file(input));
