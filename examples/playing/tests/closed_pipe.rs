//! Examples whose standard output is closed: none panics. `cargo test` builds the examples before.

#[path = "../../tests/closed/mod.rs"]
mod closed;

#[test]
fn a_game_in_the_terminal_ends_when_nobody_can_see_it() {
    let output = closed::run("play_in_terminal", &["dobutsu", "--itself", "--nodes", "100"]);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn an_example_runs_on_without_anyone_to_read() {
    let output = closed::run("engine_embedding", &["--games", "0"]);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn an_error_is_printed_in_words_after_the_name_of_the_program() {
    let output = closed::run("play_in_terminal", &["chess"]);
    assert_eq!(output.status.code(), Some(1));
    let words = "play_in_terminal: error: no variant is called \"chess\"\n";
    assert_eq!(String::from_utf8_lossy(&output.stderr), words);
}
