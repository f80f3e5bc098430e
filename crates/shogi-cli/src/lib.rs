#![doc = include_str!("../README.md")]
//!
//! # The library
//!
//! Each verb reads its arguments, calls a library of the family, and prints the answer. It is a library only so that
//! it compiles while the libraries under it are still being optimised, which a program has to wait for. Other programs
//! use [`shogi_variants`] and the libraries under it.

mod arguments;
mod bar;
mod batch;
mod board;
mod building;
mod common;
mod end;
mod evaluation;
mod examples;
mod fault;
mod file;
mod input;
mod interrupt;
mod job;
pub mod large_pages;
mod limits;
mod lock;
mod plot;
mod print;
mod proof_file;
mod queue;
mod start;
mod stray;
mod tablebase_file;
mod variant;
mod verbs;

use std::env;
use std::process::ExitCode;

use shogi_variants::tasks::{amount, choice};

use crate::arguments::Arguments;

/// Does what the command line of this process says, and returns the exit code: 0 good, 1 some input was bad or
/// a claim was refuted, 2 usage, 130 interrupted. A command line that cannot be meant, `--help` and `--version`
/// end the process.
///
/// ```no_run
/// fn main() -> std::process::ExitCode {
///     shogi_cli::run()
/// }
/// ```
pub fn run() -> ExitCode {
    // Before any file is read, which may be a pipe. In the place of a value, the word does no harm.
    if env::args_os().skip(1).any(|argument| argument == "usi") {
        large_pages::claim();
    }
    end::exit_code(Arguments::from_command_line().run())
}
