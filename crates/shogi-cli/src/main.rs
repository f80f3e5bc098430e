//! The `shogi` program: reads its arguments, calls a library of the family, prints the answer.

mod amount;
mod arguments;
mod bar;
mod batch;
mod building;
mod common;
mod end;
mod evaluation;
mod file;
mod input;
mod interrupt;
mod job;
mod known;
mod learnt;
mod print;
mod proof_file;
mod report_table;
mod start;
mod variant;
mod verbs;

use std::process::ExitCode;

use crate::arguments::Arguments;

fn main() -> ExitCode {
    end::exit_code(Arguments::from_command_line().run())
}
