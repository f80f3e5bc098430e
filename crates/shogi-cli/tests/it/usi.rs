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

/// The setting of the C library in a running engine that was started with this one, if any.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn tunables(mut engine: Command, set: Option<&str>) -> String {
    const VARIABLE: &str = "GLIBC_TUNABLES";
    match set {
        Some(set) => engine.env(VARIABLE, set),
        None => engine.env_remove(VARIABLE),
    };
    let mut engine = engine.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    writeln!(engine.stdin.as_mut().unwrap(), "usi").unwrap();
    let mut output = BufReader::new(engine.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(output.any(|line| line == "usiok"));
    let environment = std::fs::read(format!("/proc/{}/environ", engine.id())).unwrap();
    drop(engine.stdin.take());
    assert!(engine.wait().unwrap().success());
    let environment = String::from_utf8_lossy(&environment);
    let set = environment.split('\0').find_map(|line| line.strip_prefix(VARIABLE));
    set.unwrap_or_default().to_owned()
}

#[test]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn engines_claim_large_pages_unless_the_user_says_otherwise() {
    let engine = || Command::new(env!("CARGO_BIN_EXE_shogi-usi"));
    let verb = || {
        let mut program = Command::new(env!("CARGO_BIN_EXE_shogi"));
        program.args(["usi", "--variant", "minishogi"]);
        program
    };
    for program in [&engine as &dyn Fn() -> Command, &verb] {
        assert_eq!(tunables(program(), None), "=glibc.malloc.hugetlb=1");
        assert_eq!(tunables(program(), Some("")), "=");
        let other = "glibc.malloc.check=0";
        assert_eq!(tunables(program(), Some(other)), format!("={other}"));
    }
}

/// The games that are built in.
const GAMES: [&str; 10] = [
    "minishogi",
    "kyotoshogi",
    "shogi",
    "shogi34",
    "dobutsu",
    "gorogoro",
    "gorogoroplus",
    "judkins",
    "micro",
    "torishogi",
];

#[test]
fn every_game_that_is_built_in_is_played_by_the_option_in_both_programs() {
    for game in GAMES {
        let script = format!(
            "setoption name USI_Variant value {game}\nisready\nposition startpos\ngo nodes 200\n"
        );
        let moves = shogi_with(&format!("moves {game}"), "startpos").json();
        for run in [shogi_with("usi", &script), shogi_usi(&[], &script)] {
            assert!(!run.stdout.contains("error"), "{game}: {}", run.stdout);
            let legal = moves["moves"].as_array().unwrap();
            assert!(legal.iter().any(|mv| mv == best(&run)), "{game}: {}", run.stdout);
        }
    }
    for game in GAMES {
        let listed = shogi_with("usi", "usi\n").stdout;
        assert!(listed.contains(&format!(" var {game}")), "{game}: {listed}");
    }
}

#[test]
fn one_session_plays_one_game_after_another() {
    let mut script = "setoption name USI_Hash value 1\n".to_owned();
    // Two on small boards, which share a type, and one on a large board, there and back.
    let games = ["gorogoro", "judkins", "torishogi", "shogi", "micro", "gorogoro", "minishogi"];
    for game in games {
        script += &format!(
            "setoption name USI_Variant value {game}\nisready\nusinewgame\n\
             position startpos\ngo nodes 100\n"
        );
    }
    let run = shogi_usi(&[], &script);
    assert!(!run.stdout.contains("error"), "{}", run.stdout);
    let answers: Vec<_> =
        run.stdout.lines().filter_map(|line| line.strip_prefix("bestmove ")).collect();
    assert_eq!(answers.len(), games.len());
    for (game, answer) in games.iter().zip(answers) {
        let moves = shogi_with(&format!("moves {game}"), "startpos").json();
        let mv = answer.split(' ').next().unwrap();
        assert!(moves["moves"].as_array().unwrap().iter().any(|legal| legal == mv), "{game} {mv}");
    }
}

#[test]
fn where_the_name_of_the_game_is_unknown_no_other_game_is_played() {
    for name in ["chess", "gorogoro2", "5x5 shogi", "xiangqi"] {
        let script = format!(
            "setoption name USI_Variant value {name}\nisready\nusinewgame\nposition startpos\n\
             go nodes 100\nposition startpos moves 7g7f\ngo infinite\nstop\ngo ponder\nponderhit\n\
             go mate infinite\nsetoption name USI_Variant value minishogi\nposition startpos\n\
             go nodes 100\n"
        );
        for run in [shogi_with("usi", &script), shogi_usi(&[], &script)] {
            let error = run.stdout.lines().next().unwrap();
            assert!(error.starts_with("info string error: ") && error.contains(name), "{error}");
            assert!(error.contains("torishogi"), "the games are named: {error}");
            let answers: Vec<_> = run
                .stdout
                .lines()
                .filter(|line| line.starts_with("bestmove") || line.starts_with("checkmate"))
                .collect();
            let nothing = ["bestmove resign"; 3];
            assert_eq!(answers[..3], nothing, "{}", run.stdout);
            assert_eq!(answers[3], "checkmate timeout");
            assert_eq!(answers.len(), 5);
            // A game that is known is played as ever.
            let moves = shogi_with("moves minishogi", "startpos").json();
            let moves = moves["moves"].as_array().unwrap();
            assert!(moves.iter().any(|mv| mv == best(&run)), "{}", run.stdout);
        }
    }
}

#[test]
fn a_game_of_ones_own_comes_back_after_another() {
    let own = common::folder("own-engine").join("gorogoro.toml");
    let text = shogi("variant show gorogoro").stdout;
    // A name that is built in as well: the engine's own game goes before it.
    fs::write(&own, text.replace("Goro-goro shogi", "Own game")).unwrap();
    let script = "setoption name USI_Variant value shogi\nposition startpos\ngo nodes 100\n\
                  setoption name USI_Variant value gorogoro\nposition startpos\ngo nodes 100\n";
    let run = shogi_with(&format!("usi --variant {}", own.display()), script);
    let moves = shogi_with("moves gorogoro", "startpos").json();
    assert!(moves["moves"].as_array().unwrap().iter().any(|mv| mv == best(&run)), "{}", run.stdout);
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
        ("mute", "cat >/dev/null", "was to search 100000 nodes, and reported 0"),
        ("failing", "exit 3", "has failed"),
        (
            "uncounted",
            "unset LD_PRELOAD\ncat >/dev/null\necho info nodes 100000\necho bestmove a",
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
