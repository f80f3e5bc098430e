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

/// Runs `shogi-usi` with arguments on a script.
fn shogi_usi(arguments: &[&str], script: &str) -> Run {
    let mut engine = Command::new(env!("CARGO_BIN_EXE_shogi-usi"));
    let engine = engine.args(arguments);
    let engine = engine.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = engine.spawn().unwrap();
    // An engine that only prints its help reads nothing.
    let _ = child.stdin.take().unwrap().write_all(script.as_bytes());
    child.wait_with_output().unwrap().into()
}

#[test]
fn the_engine_needs_no_arguments() {
    let script = SCRIPT.replace("isready", "setoption name UCI_Variant value dobutsu\nisready");
    let run = shogi_usi(&[], &(script + "quit\n"));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("readyok") && run.stderr.is_empty());
    assert!(run.stdout.contains("USI_Variant type combo default shogi "), "{}", run.stdout);
}

#[test]
fn the_engine_begins_with_the_variant_of_its_arguments() {
    let run = shogi_usi(&["--variant", "kyotoshogi"], SCRIPT);
    assert!(run.stdout.contains("USI_Variant type combo default kyotoshogi "), "{}", run.stdout);
    // Every first move of Kyoto shogi but the king's turns its piece.
    assert!(best(&run).ends_with('+') || best(&run).starts_with("3e"), "{}", run.stdout);
    let run = shogi_usi(&["--variant", "chess"], SCRIPT);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains("chess"), "{}", run.stderr);
}

#[test]
fn the_engine_describes_itself() {
    let help = shogi_usi(&["--help"], SCRIPT);
    assert_eq!(help.code, Some(0));
    assert!(help.stdout.contains("--variant") && help.stdout.contains("[default: shogi]"));
    let version = shogi_usi(&["--version"], SCRIPT);
    assert_eq!(version.stdout.trim(), concat!("shogi-usi ", env!("CARGO_PKG_VERSION")));
    assert_eq!(shogi_usi(&["--absent"], SCRIPT).code, Some(2));
}
