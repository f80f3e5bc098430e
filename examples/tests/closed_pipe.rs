//! Examples whose standard output is closed: none panics. `cargo test` builds the examples before.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// Runs an example with standard output closed from the start.
fn run(example: &str, arguments: &[&str]) -> Output {
    // This test lies in `deps`, beside the folder of the examples.
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    let path: PathBuf = path.join("examples").join(example);
    let mut command = Command::new(&path);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|error| {
        panic!("{}: {error}; cargo build -p shogi-variants-examples --examples", path.display())
    });
    drop(child.stdout.take());
    child.wait_with_output().unwrap()
}

#[test]
fn a_game_in_the_terminal_ends_when_nobody_can_see_it() {
    let output = run("play_in_terminal", &["dobutsu", "--itself", "--nodes", "100"]);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn examples_run_on_without_anyone_to_read() {
    for (example, arguments) in
        [("custom_variant", ["--depth", "1"]), ("engine_embedding", ["--games", "0"])]
    {
        let output = run(example, &arguments);
        assert!(output.status.success() && output.stderr.is_empty(), "{example}: {output:?}");
    }
}
