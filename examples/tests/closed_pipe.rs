//! An example whose standard output is closed does not panic. `cargo test` builds the examples before.

mod closed;

#[test]
fn a_variant_of_ones_own_is_played_without_anyone_to_read() {
    let output = closed::run("custom_variant", &["--depth", "1"]);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn an_error_is_printed_in_words_after_the_name_of_the_program() {
    let output = closed::run("dobutsu_solved", &["--out", "/dev/null/folder"]);
    assert_eq!(output.status.code(), Some(1));
    let words =
        "dobutsu_solved: error: cannot make /dev/null/folder: Not a directory (os error 20)\n";
    assert_eq!(String::from_utf8_lossy(&output.stderr), words);
}
