//! Examples whose standard output is closed: none panics. `cargo test` builds the examples before.

#[path = "../../tests/closed/mod.rs"]
mod closed;

#[test]
fn an_example_runs_on_without_anyone_to_read() {
    let output = closed::run("engine_embedding", &["--games", "0"]);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}
