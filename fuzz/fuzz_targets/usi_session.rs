//! Fuzz target: An engine answers whatever is said to it.
#![no_main]

#[path = "../src/usi_laws.rs"]
mod usi_laws;

libfuzzer_sys::fuzz_target!(|input: &[u8]| usi_laws::usi_session(input));
