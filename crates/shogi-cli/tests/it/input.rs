//! Where positions come from, and what a person at a terminal reads.

use crate::common;

use std::process::{Command, Stdio};

use common::{START, shogi, shogi_with};
use serde_json::json;

#[test]
fn help_is_given_whatever_stands_before_it() {
    for (verb, shown) in [
        ("learn convert minishogi --help", "shogi learn convert"),
        ("tablebase build minishogi -h", "shogi tablebase build"),
        ("perft chess --depth x --help", "shogi perft"),
        ("--threads 2 count --mirror sideways --help", "shogi count"),
        ("--nonsense --help", "shogi [OPTIONS]"),
    ] {
        let run = shogi(verb);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{verb}");
        assert!(run.stdout.contains("Usage: ") && run.stdout.contains(shown), "{verb}");
    }
    shogi("perft chess -- --help").fails(2, "possible values");
}

#[test]
fn a_position_is_read_in_every_form_wherever_one_is() {
    let lines =
        ["startpos", "  position startpos", "sfen rbsgk/4p/5/P4/KGSBR b - 1", "\u{feff}startpos"];
    for verb in ["moves", "unmoves", "show --json", "rank", "classify", "mate", "explain"] {
        let (name, options) = verb.split_once(' ').unwrap_or((verb, ""));
        let verb = format!("{name} minishogi {options}");
        let plain = shogi_with(&verb, START).json();
        let run = shogi_with(&verb, lines.join("\n"));
        assert_eq!(run.code, Some(0), "{verb}: {}", run.stdout);
        for (mut answer, line) in run.lines().into_iter().zip(lines) {
            assert_eq!(answer["in"], line, "the line is repeated as it was");
            answer["in"] = json!(START);
            if name == "mate" {
                answer["seconds"] = plain["seconds"].clone();
            }
            assert_eq!(answer, plain, "{verb}");
        }
    }
    let after = shogi("perft minishogi 2 --json --sfen").code;
    assert_eq!(after, Some(2), "an option without its value");
    let mut command = common::command("perft minishogi 1 --json");
    let run: common::Run = command.args(["--sfen", "startpos moves 5d5c"]).output().unwrap().into();
    assert_eq!(run.json()["nodes"], 13);
}

#[test]
fn batch_verbs_answer_one_position_from_the_command_line() {
    let rank = shogi("rank minishogi --sfen startpos").json();
    assert_eq!(rank, shogi_with("rank minishogi", "startpos").json());
    for verb in ["moves", "unmoves", "mate", "explain"] {
        let run = shogi(&format!("{verb} shogi34 --start kbr"));
        assert_eq!(run.json()["in"], "rbk/2p/P2/KBR b - 1", "{verb}");
        let run = shogi(&format!("{verb} minishogi --sfen startpos"));
        assert_eq!(run.json()["in"], "startpos", "{verb}");
        shogi(&format!("{verb} minishogi --start kbr")).fails(2, "takes no start by name");
    }
    assert!(shogi("show dobutsu --sfen startpos").stdout.contains("Sente to move"));
    assert_eq!(shogi("classify minishogi --sfen startpos").json()["stage"], "ok");
}

#[test]
fn an_item_given_as_an_argument_gets_a_hint() {
    for verb in [
        "moves minishogi",
        "unmoves minishogi",
        "show minishogi",
        "rank minishogi",
        "unrank minishogi",
        "classify minishogi",
        "mate minishogi",
        "tsume check minishogi",
        "tablebase probe FILE",
        "proof walk FILE",
        "explain minishogi",
    ] {
        for item in ["5", "-5", "startpos"] {
            let run = shogi(&format!("{verb} {item}"));
            run.fails(2, "are read from standard input, one a line");
            assert!(!run.stderr.contains("'-- "), "{verb} {item}: {}", run.stderr);
        }
    }
    shogi("unrank 5").fails(2, "ranks are read from standard input");
    shogi("--json moves minishogi 5").fails(2, "positions are read from standard input");
    for (arguments, tip) in
        [("unrank minishogy", "'minishogi'"), ("moves minishogi --sfin startpos", "'--sfen'")]
    {
        let run = shogi(arguments);
        run.fails(2, tip);
        assert!(!run.stderr.contains("standard input"), "{arguments}: {}", run.stderr);
    }
}

#[test]
fn ranks_may_have_blanks_before_them() {
    let run = shogi_with("unrank minishogi", "\u{feff}12\n  12\n12\n");
    assert_eq!(run.code, Some(0), "{}", run.stdout);
    let lines = run.lines();
    assert!(lines.iter().all(|line| line["sfen"] == lines[2]["sfen"]));
}

#[test]
fn an_unfinished_position_is_reported_in_plain_words() {
    let run = shogi_with("moves minishogi", "rbsgk/4p/5/P4/KGSBR b");
    let words = "at character 22: the text ends before the hands";
    assert_eq!(run.lines()[0]["error"], words);
    let run = shogi_with("moves minishogi", "rbsgk/4p/5/P4/KGSBR b GG 1");
    let words = "illegal position: more pieces of a kind than the set has: G, of which it has 2";
    assert_eq!(run.lines()[0]["error"], words);
    let run = shogi_with("moves minishogi", "rbsgk/4p/5/P4/KGSBR b 2G 1");
    assert_eq!(run.lines()[0]["error"], words);
}

/// The text on a terminal after a command there.
#[cfg(target_os = "linux")]
fn on_a_terminal(arguments: &str, typed: &str) -> String {
    use std::io::Write as _;

    let command = format!("{} {arguments}", env!("CARGO_BIN_EXE_shogi"));
    let mut script = Command::new("script");
    script.args(["--quiet", "--echo", "never", "--command", &command, "/dev/null"]);
    let mut child = script.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    String::from_utf8(output.stdout).unwrap().replace("\r\n", "\n")
}

#[cfg(target_os = "linux")]
#[test]
fn a_person_at_a_terminal_reads_text_and_can_have_json() {
    let moves = on_a_terminal("moves dobutsu --sfen startpos", "");
    assert_eq!(moves, "4 legal moves\n1d1c 2c2b 2d1c 2d3c\n");
    let json = on_a_terminal("moves dobutsu --sfen startpos --json", "");
    assert!(json.starts_with("{\"in\":\"startpos\""), "{json}");
    let mate = on_a_terminal("mate minishogi --sfen startpos", "");
    assert!(mate.starts_with("no mate by checks, ") && mate.ends_with(" s\n"), "{mate}");
    let explained = on_a_terminal("explain shogi --eval material --sfen startpos", "");
    let lines: Vec<_> = explained.lines().collect();
    assert!(lines[0].starts_with("material ") && lines[lines.len() - 1].starts_with("value "));
}

#[cfg(target_os = "linux")]
#[test]
fn a_bar_takes_one_line_of_the_terminal() {
    // `script` gives a terminal of 80 columns.
    for arguments in
        ["estimate minishogi --samples 1e5 --seed 1", "solve shogi34 --start KBB --hash 8 --time 2"]
    {
        let drawn = on_a_terminal(arguments, "");
        assert!(drawn.contains('░'), "{drawn}");
        // What takes two lines is drawn again one line further up.
        assert!(!drawn.contains("\u{1b}[1A"), "{drawn}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_batch_verb_on_a_terminal_says_what_it_waits_for() {
    let typed = on_a_terminal("moves dobutsu", "startpos\n\u{4}");
    assert!(typed.contains("Reading positions from standard input, one a line."), "{typed}");
    assert!(typed.contains("4 legal moves"), "{typed}");
    assert!(on_a_terminal("unrank dobutsu", "1\n\u{4}").contains("Reading ranks from"));
    assert_eq!(shogi_with("moves dobutsu", "startpos").stderr, "");
}
