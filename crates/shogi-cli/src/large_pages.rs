//! Large pages for the tables of the engine.

#[cfg(all(target_os = "linux", target_env = "gnu"))]
use std::{env, os::unix::process::CommandExt, process::Command};

/// Starts this process anew with large pages for all memory that it will take, unless `GLIBC_TUNABLES` is set already.
///
/// The search reads its tables at random; with pages of 4 kB it waits for the address of nearly every entry. Where the
/// kernel gives large pages on request alone, the C library requests them if that variable says so when a program
/// starts. A process that cannot be started anew keeps small pages.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn claim() {
    const VARIABLE: &str = "GLIBC_TUNABLES";
    if env::var_os(VARIABLE).is_some() {
        return;
    }
    let mut arguments = env::args_os();
    if let (Ok(program), Some(name)) = (env::current_exe(), arguments.next()) {
        let mut anew = Command::new(program);
        anew.arg0(name).args(arguments).env(VARIABLE, "glibc.malloc.hugetlb=1");
        // Returns only where that fails.
        let _ = anew.exec();
    }
}

/// There is nothing to claim: this system gives large pages by itself, or not at all.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub const fn claim() {}
