//! The verbs that need the rules alone: perft, moves, unmoves, show.

use crate::common;

use std::fs;

use common::{START, command, folder, names, shogi, shogi_with};
use serde_json::{Value, json};

#[test]
fn perft_counts_known_numbers() {
    for (depth, nodes) in [(0, 1), (1, 14), (2, 181), (3, 2_512), (4, 35_401), (6, 8_276_188)] {
        let answer = shogi(&format!("perft minishogi {depth} --json")).json();
        assert_eq!(answer["nodes"], nodes);
        assert!(answer["seconds"].is_f64());
        assert!(answer.get("divide").is_none());
    }
    let text = shogi("perft minishogi 3");
    assert!(text.stdout.starts_with("2512 nodes in "), "{}", text.stdout);
}

#[test]
fn perft_divides_and_threads_change_nothing() {
    let mut answers = ["1", "2", "7"].map(|threads| {
        let run = shogi(&format!("perft minishogi 5 --divide --json --threads {threads}"));
        let mut answer = run.json();
        answer["seconds"] = json!(0);
        answer
    });
    answers[1..].iter().for_each(|answer| assert_eq!(answer, &answers[0]));
    assert_eq!(answers[0]["nodes"], 533_203);
    let divide = answers[0]["divide"].take();
    let divide = divide.as_object().unwrap();
    assert_eq!(divide.len(), 14);
    assert_eq!(divide.values().map(|n| n.as_u64().unwrap()).sum::<u64>(), 533_203);
    let moves: Vec<_> = divide.keys().collect();
    assert!(moves.is_sorted());
}

#[test]
fn more_threads_than_the_maximum_are_not_started_and_that_is_said() {
    for threads in ["4000", "1e6"] {
        let run = shogi(&format!("perft minishogi 3 --json --threads {threads}"));
        assert_eq!(run.json()["nodes"], 2_512);
        assert!(run.stderr.contains("256 threads are used"), "{}", run.stderr);
    }
    let run = shogi("perft minishogi 3 --json --threads 1_6");
    assert_eq!((run.json()["nodes"].as_u64(), run.stderr.as_str()), (Some(2_512), ""));
    shogi("perft minishogi 3 --threads 0").fails(2, "above 0");
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_prints_what_is_counted_so_far_by_first_move() {
    let endless = |options: &str| {
        let command = format!("perft minishogi 30 --threads 2 {options}");
        common::interrupt(common::command(&command).spawn().unwrap())
    };
    let run = endless("--json");
    run.fails(130, "interrupted");
    let answer = &run.lines()[0];
    assert_eq!(answer["complete"], false);
    let counts = answer["divide"].as_object().unwrap();
    assert_eq!(counts.len(), 14);
    let sum: u64 = counts.values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(answer["nodes"], sum);
    assert_eq!(answer["unfinished"].as_array().unwrap().len(), 14);
    let run = endless("");
    assert_eq!((run.code, run.stdout.matches(" so far\n").count()), (Some(130), 14));
}

#[test]
fn perft_takes_a_position() {
    let perft = |sfen: &str| {
        let output = command("perft minishogi 1 --json --sfen").arg(sfen).output().unwrap();
        common::Run::from(output)
    };
    assert_eq!(perft("4k/5/5/5/K4 b - 1").json()["nodes"], 3);
    assert_eq!(perft("4k/5/5/5/5 w - 1").json()["nodes"], 3);
    perft("5/5/5/5/5 b - 1").fails(1, "Sente has no king; Gote has no king");
    perft("").fails(1, "at character 1");
}

#[test]
fn requests_that_cannot_be_meant_are_usage_errors() {
    shogi("").fails(2, "Usage");
    shogi("perft").fails(2, "Usage");
    shogi("perft chess 3").fails(2, "possible values");
    shogi("perft minishogi x").fails(2, "invalid");
    shogi("perft minishogi 3 --threads 0").fails(2, "threads");
    shogi("perft minishogi 3 --dialect chess").fails(2, "dialect");
    shogi("frobnicate minishogi").fails(2, "frobnicate");
    shogi("perft minishogi 1000000").fails(2, "0..=255");
}

#[test]
fn completions_are_printed_for_a_shell() {
    assert!(shogi("completions bash").stdout.contains("unmoves"));
    shogi("completions abacus").fails(2, "possible values");
}

#[test]
fn every_verb_has_a_manual_page() {
    let directory = folder("manual").join("man1");
    let run = shogi(&format!("manual {}", directory.display()));
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""));
    let page = |name: &str| fs::read_to_string(directory.join(name)).unwrap();
    assert!(page("shogi.1").contains("shogi\\-unmoves(1)"));
    for verb in ["moves", "usi", "tablebase-probe"] {
        assert!(page(&format!("shogi-{verb}.1")).contains(".SH SYNOPSIS"));
    }
    shogi("manual Cargo.toml/below").fails(1, "cannot write");
}

#[test]
fn moves_are_sorted_and_tell_check_and_end() {
    let mated = "K3k/4G/4P/5/5 w - 1";
    let lines = shogi_with(
        "moves minishogi",
        format!("{START}\nr3k/5/5/P4/K4 w - 1\nr3k/5/5/5/K4 b - 1\n{mated}\n"),
    );
    assert_eq!(lines.code, Some(0), "{}", lines.stdout);
    let lines = lines.lines();
    let moves = "1e1b 1e1c 1e1d 2e1d 2e3d 2e4c 2e5b 3e2d 3e3d 3e4d 4e3d 4e4d 5d5c 5e4d";
    let moves: Vec<_> = moves.split(' ').collect();
    assert_eq!(lines[0], json!({ "in": START, "check": false, "end": null, "moves": moves }));
    assert_eq!(lines[1]["check"], false);
    assert_eq!(lines[2]["check"], true);
    assert_eq!(lines[2]["moves"], json!(["5e4d", "5e4e"]));
    let why = "checkmate";
    let mate = json!({ "in": mated, "check": true, "end": "loss", "why": why, "moves": [] });
    assert_eq!(lines[3], mate);
}

#[test]
fn a_game_is_judged_with_its_history() {
    let told = |variant: &str, start: &str, round: &str, rounds: usize| {
        let game = format!("position {start} moves {}", round.repeat(rounds));
        shogi_with(&format!("moves {variant}"), game).json()
    };
    let at_end = |answer: &Value| [&answer["end"], &answer["why"], &answer["by"]].map(Value::clone);
    let round = "2h3h 8b7b 3h2h 7b8b ";
    let drawn = told("shogi", "startpos", round, 3);
    assert_eq!(at_end(&drawn), [json!("draw"), json!("repetition"), Value::Null]);
    assert_eq!((&drawn["moves"], drawn.get("by")), (&json!([]), None));
    // Before it and after it there are moves, and no end.
    for rounds in [2, 4] {
        let open = told("shogi", "startpos", round, rounds);
        assert_eq!((&open["end"], open.get("why")), (&Value::Null, None));
        assert_eq!(open["moves"].as_array().unwrap().len(), 30);
    }
    let lost = told("minishogi", "startpos", "1e1d 5a5b 1d1e 5b5a ", 3);
    assert_eq!(at_end(&lost), [json!("loss"), json!("repetition"), Value::Null]);
    let start = "sfen 4k/5/3+R1/5/K4 b - 1";
    let by_sente = told("minishogi", start, "2c1c 1a2a 1c2c 2a1a ", 3);
    assert_eq!(at_end(&by_sente), [json!("loss"), json!("perpetual check"), json!("sente")]);
    let start = "sfen 4k/5/1+r3/5/K3G w - 1";
    let by_gote = told("minishogi", start, "4c5c 5e4e 5c4c 4e5e ", 3);
    assert_eq!(at_end(&by_gote), [json!("loss"), json!("perpetual check"), json!("gote")]);
    let tried = told("dobutsu", "sfen 2l/L2/3/3 b - 1", "3b3a", 1);
    assert_eq!(at_end(&tried), [json!("loss"), json!("try"), Value::Null]);
    // A move after another end is a mistake.
    let over = shogi_with("moves dobutsu", "position sfen 2l/L2/3/3 b - 1 moves 3b3a 1a1b");
    assert!(over.lines()[0]["error"].as_str().unwrap().contains("the game is over"));
}

#[test]
fn a_declaration_is_a_move_that_is_listed_apart() {
    // The second has 27 points with those of the odds, rook, bishop and lances; the third one fewer.
    let odds = "5+B+P2/K+P1+P+R+P3/+P+P+NPP4/9/9/9/2p+p+pgsg1/1+p1+n1+n1kg/9 w G2SNL3Psl3p 1";
    let input = [
        "K6n1/+PG1P5/+P3G4/1P+P6/9/9/4P4/1p+pp1p+ppp/1+p1+pkb3 w GSNL3Pr2n3l 1",
        odds,
        &odds.replace("G2SNL3Psl3p", "G2SNL4Psl2p"),
        "startpos",
    ];
    let run = shogi_with("moves shogi", input.join("\n"));
    let declares: Vec<_> =
        run.lines().iter().map(|line| line.get("declaration").cloned()).collect();
    assert_eq!(declares, [Some(json!(true)), Some(json!(true)), None, None]);
    assert!(run.lines().iter().all(|line| !line["moves"].as_array().unwrap().is_empty()));
}

#[test]
fn positions_with_one_king_are_answered_or_the_missing_king_is_named() {
    let problem = "8k/9/8P/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1";
    let moves = shogi_with("moves shogi", problem).json();
    assert_eq!((&moves["check"], &moves["end"]), (&json!(false), &Value::Null));
    assert!(moves["moves"].as_array().unwrap().contains(&json!("G*1b")));
    let defended = shogi_with("moves shogi", format!("position sfen {problem} moves G*2b")).json();
    assert_eq!((&defended["check"], &defended["moves"]), (&json!(true), &json!(["1a2b"])));
    let mated = shogi_with("moves shogi", format!("position sfen {problem} moves G*1b")).json();
    assert_eq!((&mated["end"], &mated["why"]), (&json!("loss"), &json!("checkmate")));
    assert_eq!(shogi_with("mate shogi", problem).json()["pv"], json!(["G*1b"]));
    assert!(shogi_with("show shogi", problem).stdout.contains(" k | a"));
    let engine = shogi_with("usi", format!("position sfen {problem}\ngo nodes 100\n"));
    assert!(engine.stdout.ends_with("bestmove G*1b\n"), "{}", engine.stdout);
    for verb in ["unmoves", "classify"] {
        let error = &shogi_with(&format!("{verb} shogi"), problem).lines()[0]["error"];
        assert_eq!(error, "illegal position: Sente has no king", "{verb}");
    }
    let error = &shogi_with("rank shogi", problem).lines()[0]["error"];
    assert!(error.as_str().unwrap().contains("Sente's king is not on the board"), "{error}");
    for (sfen, words) in [
        ("9/9/9/9/9/9/9/9/9 b R 1", "Sente has no king; Gote has no king"),
        ("k7k/9/9/9/9/9/9/9/9 b R 1", "more than one king"),
    ] {
        let error = &shogi_with("moves shogi", sfen).lines()[0]["error"];
        assert!(error.as_str().unwrap().contains(words), "{error}");
    }
}

#[test]
fn a_word_that_ends_a_game_is_named() {
    for word in ["resign", "win"] {
        let line = format!("position startpos moves 7g7f 3c3d {word}");
        let error = &shogi_with("moves shogi", line).lines()[0]["error"];
        let expected = format!("\"{word}\" ends the record of a game and is no move");
        assert!(error.as_str().unwrap().ends_with(&expected), "{error}");
    }
}

#[test]
fn moves_names_every_fault_of_a_position() {
    let run = shogi_with("moves minishogi", "P3k/5/P4/P4/K3R b - 1\n");
    let error = run.lines()[0]["error"].as_str().unwrap().to_owned();
    for fault in ["more pieces", "two unpromoted pawns", "never move again", "stands in check"] {
        assert!(error.contains(fault), "{error}");
    }
}

#[test]
fn unmoves_are_exactly_the_positions_that_lead_here() {
    // Two kings: the predecessors are king steps alone, to squares not next to the other king.
    let here = "4k/5/5/5/K4 b - 1";
    let run = shogi_with("unmoves minishogi", format!("{here}\n"));
    let answer = run.json();
    let before = ["3k1/5/5/5/K4 w - 1", "5/3k1/5/5/K4 w - 1", "5/4k/5/5/K4 w - 1"];
    assert_eq!(answer, json!({ "in": here, "predecessors": before }));

    // In a richer position none is twice, and each is legal.
    let here = "2s1k/r3p/1R2b/P2B1/KG3 w SG 1";
    let answer = shogi_with("unmoves minishogi", format!("{here}\n")).json();
    let before: Vec<String> = serde_json::from_value(answer["predecessors"].clone()).unwrap();
    assert!(before.len() > 10 && before.is_sorted());
    assert!(before.windows(2).all(|pair| pair[0] != pair[1]));
    let legal = shogi_with("moves minishogi", before.join("\n"));
    assert_eq!(legal.code, Some(0), "each predecessor is a legal position");
    let illegal = shogi_with("unmoves minishogi", "P3k/5/5/5/K4 w - 1\n");
    assert!(illegal.lines()[0]["error"].as_str().unwrap().contains("never move again"));
}

#[test]
fn show_draws_letters_kanji_and_json() {
    let input = "r+Bsgk/4p/5/+p4/KGSBR w 2Gs 1\n";
    let letters = shogi_with("show minishogi", input);
    assert_eq!(letters.code, Some(0));
    assert_eq!(
        letters.stdout,
        "\
Gote's hand:  s
   5   4   3   2   1
 +---+---+---+---+---+
 | r |+B | s | g | k | a
 +---+---+---+---+---+
 |   |   |   |   | p | b
 +---+---+---+---+---+
 |   |   |   |   |   | c
 +---+---+---+---+---+
 |+p |   |   |   |   | d
 +---+---+---+---+---+
 | K | G | S | B | R | e
 +---+---+---+---+---+
Sente's hand: Gx2
Gote to move
"
    );
    let kanji = shogi_with("show minishogi --kanji", input);
    assert_eq!(
        kanji.stdout,
        "\
後手の持駒：銀
 ５ ４ ３ ２ １
+---------------+
|v飛 馬v銀v金v玉|一
| ・ ・ ・ ・v歩|二
| ・ ・ ・ ・ ・|三
|vと ・ ・ ・ ・|四
| 玉 金 銀 角 飛|五
+---------------+
先手の持駒：金二
後手番
"
    );
    let answer = shogi_with("show minishogi --json", input).json();
    assert_eq!(answer["in"], input.trim_end());
    assert_eq!(answer["picture"], letters.stdout.trim_end());
    let folder = fs::File::open(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let unreadable = command("show minishogi").stdin(folder).output().unwrap();
    common::Run::from(unreadable).fails(1, "cannot read standard input");
    let bad = shogi_with("show minishogi", format!("zzz\n{input}"));
    bad.fails(1, "line 1: at character 1");
    assert!(bad.stdout.ends_with("Gote to move\n"));
}

#[test]
fn show_writes_the_same_svg_every_time_and_leaves_nothing_else() {
    let folder = folder("svg");
    let path = folder.join("board.svg");
    let arguments = format!("show minishogi --svg {}", path.display());
    assert_eq!(shogi_with(&arguments, format!("{START}\n")).code, Some(0));
    let first = fs::read(&path).unwrap();
    assert!(first.starts_with(b"<svg ") && first.ends_with(b"</svg>\n"));
    assert!(first.is_ascii(), "no font has to have kanji");
    assert_eq!(shogi_with(&arguments, START).code, Some(0));
    assert_eq!(fs::read(&path).unwrap(), first);
    assert_eq!(names(&folder), ["board.svg"]);

    shogi_with(&arguments, "zzz").fails(1, "at character 1");
    shogi_with(&arguments, "").fails(1, "no position");
    shogi_with(&arguments, format!("{START}\n{START}\n")).fails(1, "one position");
    assert_eq!(fs::read(&path).unwrap(), first, "a failure leaves the old file");
    let nowhere = format!("show minishogi --svg {}/none/board.svg", folder.display());
    shogi_with(&nowhere, START).fails(1, "cannot write");
}
