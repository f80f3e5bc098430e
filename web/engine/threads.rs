//! The player for a host of WebAssembly with threads and shared memory: `threads.js` is the host.
//!
//! A program that reads commands and writes answers. The threads are those of the standard library, which on
//! `wasm32-wasip1-threads` are workers of the host. So they search as they do elsewhere, and none is suspended.
#![forbid(unsafe_code)]

use std::io::{self, BufReader};

use shogi_search::usi::run;

mod games;

/// Each thread is a worker of the page.
const THREADS: u32 = 8;

fn main() -> io::Result<()> {
    run(BufReader::new(io::stdin()), io::stdout(), games::config(THREADS))
}
