//! Links the programs of `release` without tables for unwinding.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/no-unwinding.ld");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    // Nothing unwinds where a panic aborts, and the tables take a twelfth of the program. Profilers follow calls by them.
    let needs_tables = !is("PROFILE", "release") || !is("DEBUG", "false");
    if !needs_tables && is("CARGO_CFG_TARGET_OS", "linux") && !names_linker() {
        let folder = env::var("CARGO_MANIFEST_DIR").expect("Cargo sets it");
        println!("cargo:rustc-link-arg-bins=-Wl,--no-eh-frame-hdr");
        println!("cargo:rustc-link-arg-bins=-T{folder}/src/no-unwinding.ld");
    }
}

/// Whether a linker is named in place of the compiler's own or the system's: mold and gold do not take the script.
fn names_linker() -> bool {
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    let preloaded = env::var("LD_PRELOAD").unwrap_or_default();
    env::var_os("RUSTC_LINKER").is_some() || flags.contains("ld=") || preloaded.contains("mold")
}
