//! The contract of the line engine, with `moves` as the verb.

use crate::common;

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use common::{START, command, shogi_with};

#[test]
fn a_bad_line_is_answered_on_its_line_and_the_rest_goes_on() {
    let input = format!("{START}\nnonsense\n\n{START}\r\n");
    let run = shogi_with("moves minishogi", input);
    assert_eq!(run.code, Some(1));
    let lines = run.lines();
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[0]["in"], START);
    assert_eq!(lines[1]["in"], "nonsense");
    assert!(lines[1]["error"].as_str().unwrap().contains("no piece has the letter"));
    assert_eq!(lines[2]["in"], "");
    assert_eq!(lines[2]["error"], "empty line");
    assert_eq!(lines[3], lines[0], "the end of a line is not part of it");
}

#[test]
fn a_line_of_blanks_is_an_empty_line() {
    for verb in ["moves minishogi", "unrank minishogi", "classify minishogi", "mate minishogi"] {
        let run = shogi_with(verb, "  \n\t\r\n");
        assert_eq!(run.code, Some(1));
        let lines = run.lines();
        assert_eq!([&lines[0]["in"], &lines[1]["in"]], ["  ", "\t"]);
        assert!(lines.iter().all(|line| line["error"] == "empty line"), "{}", run.stdout);
    }
}

#[test]
fn no_input_is_good() {
    let run = shogi_with("moves minishogi", "");
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""));
}

#[test]
fn the_last_line_needs_no_end() {
    let run = shogi_with("moves minishogi", START);
    assert_eq!(run.json()["moves"].as_array().unwrap().len(), 14);
}

#[test]
fn bytes_that_are_no_text_are_an_error_on_their_line() {
    let run = shogi_with("moves minishogi", b"rb\xffsgk\n\x00\n");
    assert_eq!(run.code, Some(1));
    let lines = run.lines();
    assert_eq!(lines[0]["in"], "rb\u{fffd}sgk");
    assert_eq!(lines[0]["error"], "not UTF-8 from byte 3");
    assert_eq!(lines[1]["in"], "\0");
    assert!(lines[1]["error"].is_string());
}

#[test]
fn a_line_that_is_too_long_is_an_error_on_its_line() {
    let most = 1 << 20;
    let padded =
        |bytes: usize, end: &str| format!("{START}{}{end}", " ".repeat(bytes - START.len()));
    for (bytes, end, is_good) in
        [(most, "\n", true), (most, "\r\n", true), (most + 1, "\n", false), (7 * most, "\n", false)]
    {
        let run = shogi_with("rank minishogi", format!("{START}\n{}{START}", padded(bytes, end)));
        assert_eq!(run.code, Some(i32::from(!is_good)), "{bytes}");
        let lines = run.lines();
        assert_eq!(lines.len(), 3);
        assert_eq!((&lines[0], lines[1]["error"].is_null()), (&lines[2], is_good), "{bytes}");
        if !is_good {
            assert_eq!(lines[1]["error"], "more than 1048576 bytes");
        }
    }
}

#[test]
fn the_order_and_the_bytes_are_those_of_one_thread() {
    let mut input = String::new();
    for i in 0..30_000 {
        let side = if i % 3 == 0 { 'w' } else { 'b' };
        let junk = if i % 7 == 0 { "!" } else { "" };
        writeln!(input, "rbsgk/4p/5/P4/KGSBR {side} - {}{junk}", i + 1).unwrap();
    }
    let one = shogi_with("moves minishogi --threads 1", &input);
    assert_eq!(one.code, Some(1));
    let lines = one.lines();
    assert_eq!(lines.len(), 30_000);
    for (answer, line) in lines.iter().zip(input.lines()) {
        assert_eq!(answer["in"], line);
        assert_eq!(answer["error"].is_string(), line.ends_with('!'));
    }
    for threads in ["--threads 2", "--threads 5", ""] {
        let more = shogi_with(&format!("moves minishogi {threads}"), &input);
        assert!(more.stdout == one.stdout, "{threads}");
    }
}

#[test]
fn answers_come_line_by_line_on_an_open_pipe() {
    let mut child = command("moves minishogi").stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..3 {
        writeln!(stdin, "{START}").unwrap();
        let mut answer = String::new();
        stdout.read_line(&mut answer).unwrap();
        assert!(answer.starts_with("{\"in\":\"rbsgk"), "{answer}");
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    let mut child = command("moves minishogi").stdin(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    while writeln!(stdin, "{START}").is_ok() {}
    drop(stdin);
    let run: common::Run = child.wait_with_output().unwrap().into();
    assert_eq!(run.code, Some(0));
    assert_eq!(run.stderr, "");
}

#[test]
fn remarks_that_nobody_reads_end_no_conversion() {
    let mut command = command("convert minishogi --to usi -");
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    drop(child.stderr.take());
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all("手合割：5五将棋\n1 ５三歩(54)\n*a comment\n".as_bytes()).unwrap();
    drop(stdin);
    let run: common::Run = child.wait_with_output().unwrap().into();
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "position startpos moves 5d5c\n"));
}

#[test]
fn a_full_disk_is_an_error() {
    for arguments in [
        "perft minishogi 2",
        "moves minishogi --sfen startpos",
        "show minishogi --sfen startpos",
        "show minishogi --sfen startpos --svg -",
        "selfplay dobutsu --games 1 --nodes 5 --out -",
        "completions bash",
        "selftest --help",
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = command(arguments).stdout(full).output().unwrap();
        common::Run::from(output).fails(1, "cannot write standard output: No space left");
    }
}
