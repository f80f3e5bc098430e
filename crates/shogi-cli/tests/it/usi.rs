//! usi: both programs are engines on standard input and output.

use crate::common;

use std::io::Write;
use std::process::{Command, Stdio};

use common::{Run, shogi, shogi_with};

const SCRIPT: &str = "usi\nisready\nposition startpos\ngo nodes 200\n";

/// The move that was answered.
#[track_caller]
fn best(run: &Run) -> &str {
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let last = run.stdout.lines().last().unwrap();
    last.strip_prefix("bestmove ").unwrap().split(' ').next().unwrap()
}

#[test]
fn the_variant_and_the_dialect_are_chosen_at_the_start() {
    let run = shogi_with("usi", SCRIPT);
    assert!(run.stdout.contains("USI_Variant type combo default shogi var minishogi"));
    assert!(run.stdout.contains("usiok\nreadyok\n"));
    assert_eq!(best(&run).len(), 4);
    // Every first move of Kyoto shogi turns its piece.
    for (dialect, ends) in [("lishogi", ['+', '+']), ("fairy", ['+', '-'])] {
        let run = shogi_with(&format!("usi --variant kyotoshogi --dialect {dialect}"), SCRIPT);
        assert!(best(&run).ends_with(ends) || best(&run).starts_with("3e"), "{}", run.stdout);
        assert!(run.stdout.contains(&format!("Dialect type combo default {dialect}")));
    }
    shogi("usi --variant chess").fails(2, "chess");
}

#[test]
fn the_engine_needs_no_arguments() {
    let mut engine = Command::new(env!("CARGO_BIN_EXE_shogi-usi"));
    let engine = engine.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = engine.spawn().unwrap();
    let script = SCRIPT.replace("isready", "setoption name UCI_Variant value dobutsu\nisready");
    child.stdin.take().unwrap().write_all((script + "quit\n").as_bytes()).unwrap();
    let run: Run = child.wait_with_output().unwrap().into();
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("readyok") && run.stderr.is_empty());
}
