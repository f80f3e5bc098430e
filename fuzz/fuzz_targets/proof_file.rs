//! Fuzz target: Proof files are read as they are written.
#![no_main]

#[path = "../src/proof_laws.rs"]
mod proof_laws;

libfuzzer_sys::fuzz_target!(|input: &[u8]| proof_laws::proof_file(input));
