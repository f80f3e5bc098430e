//! Fuzz target: Variants as text are read as they are written, or refused with a place.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| testing::laws::variant_text_round_trip(input));
