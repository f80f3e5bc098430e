//! An example whose standard output is closed does not panic. `cargo test` builds the examples before.

mod closed;

#[test]
fn a_variant_of_ones_own_is_played_without_anyone_to_read() {
    let output = closed::run("custom_variant", &["--depth", "1"]);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}
