//! Room for the deepest search on the stack of the module, and the memory that threads share.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let is = |variable, value: &str| env::var(variable).is_ok_and(|found| found == value);
    if is("CARGO_CFG_TARGET_FAMILY", "wasm") {
        println!("cargo:rustc-link-arg-cdylib=-zstack-size=4194304");
    }
    if is("CARGO_CFG_TARGET_OS", "wasi") {
        // `PAGES` in threads.js.
        println!("cargo:rustc-link-arg-bins=--initial-memory=33554432");
        println!("cargo:rustc-link-arg-bins=--max-memory=1073741824");
    }
}
