//! Fuzz target: An engine answers whatever is said to it.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| testing::usi_laws::usi_session(input));
