//! usi: both programs are engines on standard input and output.

use crate::common;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

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
    assert!(run.stdout.contains("USI_Variant type combo default shogi var shogi var minishogi"));
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

/// The processor time that a process has taken so far, in steps of a hundredth of a second.
fn processor_time(process: &Child) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{}/stat", process.id())).unwrap();
    // The name of the program, in parentheses, may hold blanks; user and system time come later.
    let (_, fields) = stat.rsplit_once(')').unwrap();
    let ticks = fields.split_whitespace().skip(11).take(2);
    let ticks: u64 = ticks.map(|ticks| ticks.parse::<u64>().unwrap()).sum();
    Duration::from_millis(ticks * 10)
}

/// The full size is a game of 100 ms for every move of a thousand; here a few. The clock counts
/// processor time, so that the test does not depend on what else the machine does: the engine,
/// which goes by the time of day, never takes more of it than that.
#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "reads processor time from /proc")]
fn no_game_is_lost_on_time() {
    let mut engine = Command::new(env!("CARGO_BIN_EXE_shogi-usi"));
    let engine = engine.args(["--variant", "minishogi"]);
    let mut engine = engine.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = engine.stdin.take().unwrap();
    let mut output = BufReader::new(engine.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut answer = |line: String, begins: &str| {
        writeln!(input, "{line}").unwrap();
        output.find(|line| line.starts_with(begins)).unwrap()
    };
    answer("setoption name Hash value 1\nisready".into(), "readyok");
    for _ in 0..3 {
        let mut left = [Duration::from_millis(1000); 2];
        let mut moves = String::new();
        for ply in 0..80 {
            let before = processor_time(&engine);
            let [sente, gote] = left.map(|time| time.as_millis());
            let position = format!("position startpos moves{moves}");
            let best = answer(format!("{position}\ngo btime {sente} wtime {gote}"), "bestmove ");
            let used = processor_time(&engine) - before;
            assert!(used < left[ply % 2], "{used:?} of {left:?}");
            left[ply % 2] -= used;
            let mv = best.split(' ').nth(1).unwrap();
            if mv == "resign" {
                break;
            }
            moves += &format!(" {mv}");
        }
        assert!(!moves.is_empty());
    }
    drop(input);
    assert!(engine.wait().unwrap().success());
}

/// A check that passes whatever the engine does would say nothing.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn the_count_of_allocations_needs_an_engine_that_searches() {
    use std::os::unix::fs::PermissionsExt as _;

    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tools/allocations.sh");
    let folder = common::folder("allocations");
    for (name, engine, reason) in [
        ("mute", "cat >/dev/null", "was to search 50000 nodes, and reported 0"),
        ("failing", "exit 3", "has failed"),
        (
            "uncounted",
            "unset LD_PRELOAD\ncat >/dev/null\necho info nodes 50000\necho bestmove a",
            "has not counted",
        ),
    ] {
        let path = folder.join(name);
        fs::write(&path, format!("#!/bin/sh\n{engine}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        let run = Command::new("bash").arg(script).env("ENGINE", &path).output();
        Run::from(run.unwrap()).fails(1, reason);
    }
}
