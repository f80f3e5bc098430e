//! Fuzz target: Every request to the explorer is answered, and none by a mistake of the server.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    testing::explore_laws::explore_routes(input);
});
