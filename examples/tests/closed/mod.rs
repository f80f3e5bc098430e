//! Examples whose standard output is closed.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// Runs an example with standard output closed from the start.
pub fn run(example: &str, arguments: &[&str]) -> Output {
    // This test lies in `deps`, beside the folder of the examples.
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    let path: PathBuf = path.join("examples").join(example);
    let mut command = Command::new(&path);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|error| {
        panic!("{}: {error}; cargo build -p PACKAGE --examples", path.display())
    });
    drop(child.stdout.take());
    child.wait_with_output().unwrap()
}
