//! Links the programs of `release` without an index of the tables for unwinding.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let set = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    // Nothing unwinds where a panic aborts, and the index takes 1 % of the program.
    if set("PROFILE", "release") && set("CARGO_CFG_TARGET_OS", "linux") {
        println!("cargo:rustc-link-arg-bins=-Wl,--no-eh-frame-hdr");
    }
}
