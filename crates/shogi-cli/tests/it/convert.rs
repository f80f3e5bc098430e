//! `convert`: records between formats, encodings and dialects, and errors with their place.

use crate::common;

use std::fs;

use common::{folder, names, shogi, shogi_with};
use serde_json::Value;
use shogi_records::{Encoding, decode};

const GAME: &str = "position startpos moves 7g7f 3c3d 8h2b+ 3a2b B*4e 6a5b 4e3d\n";

#[test]
fn a_game_goes_through_every_format() {
    let mut text = GAME.to_owned();
    for (from, to) in
        [("usi", "kif"), ("kif", "csa"), ("csa", "ki2"), ("ki2", "json"), ("json", "usi")]
    {
        let named = shogi_with(&format!("convert shogi --from {from} --to {to} -"), &text);
        assert_eq!(named.code, Some(0), "{}", named.stderr);
        let detected = shogi_with(&format!("convert shogi --to {to} -"), &text);
        assert_eq!(named.stdout, detected.stdout, "{from}");
        text = named.stdout;
    }
    assert_eq!(text, GAME);
}

#[test]
fn small_boards_are_converted_too() {
    for (variant, moves, kif) in [
        ("minishogi", "3e3d 3a3b 1e1d", "１四飛(15)"),
        ("kyotoshogi", "5e5d+ 4a4b+ 5d5a+", "５一香成(54)"),
        ("dobutsu", "2c2b 2a2b", "同　ら(21)"),
        ("shogi34", "2c2b 2a2b", "同　玉(21)"),
    ] {
        let usi = format!("position startpos moves {moves}\n");
        let there = shogi_with(&format!("convert {variant} --to kif -"), &usi).stdout;
        assert!(there.contains(kif), "{there}");
        let back = shogi_with(&format!("convert {variant} --to usi -"), &there).stdout;
        assert_eq!(back, usi);
    }
    let fairy = "convert kyotoshogi --to usi --dialect fairy -";
    let run = shogi_with(fairy, "position startpos moves 5e5d+");
    assert_eq!(run.stdout, "position startpos moves 5e5d-\n");
}

#[test]
fn files_in_either_encoding_are_read_and_written() {
    let folder = folder("convert-encodings");
    let file = folder.join("game.kif");
    fs::write(&file, "手合割：平手\n先手：あや\n1 ７六歩(77)\n").unwrap();
    let convert = |options: &str| {
        let arguments = format!("convert shogi --to kif {options} {}", file.display());
        common::command(&arguments).output().unwrap()
    };
    let plain = convert("");
    let stored = convert("--encoding shift-jis");
    assert_eq!((plain.status.code(), stored.status.code()), (Some(0), Some(0)));
    assert!(std::str::from_utf8(&stored.stdout).is_err());
    fs::write(&file, stored.stdout).unwrap();
    assert_eq!(convert("").stdout, plain.stdout);
    fs::write(&file, "先手：🙂\n1 ７六歩(77)\n").unwrap();
    let refused = convert("--encoding shift-jis");
    assert_eq!(refused.status.code(), Some(1));
    let words = String::from_utf8(refused.stderr).unwrap();
    assert!(words.contains("shift-jis has no '🙂'"), "{words}");
}

#[test]
fn errors_tell_file_line_and_column() {
    let folder = folder("convert-errors");
    let file = folder.join("bad.kif");
    let text = "手合割：平手\n   1 ７六歩(77)\n   2 ３五歩(33)\n   3 ２六歩(27)\n";
    fs::write(&file, text).unwrap();
    let place = format!("{}:3:6: the move 3c3e is illegal", file.display());
    shogi(&format!("convert shogi --to usi {}", file.display())).fails(1, &place);
    let run = shogi_with("convert shogi --to usi -", text);
    assert_eq!(run.stdout, "");
    run.fails(1, "standard input:3:6: the move 3c3e is illegal: the piece cannot go there");
    shogi_with("convert shogi --to usi -", "hello").fails(1, "the format is not recognised");
    shogi_with("convert shogi --to usi -", b"\xff\xff").fails(1, "neither UTF-8 nor Shift-JIS");
    shogi("convert shogi --to usi no-such-file").fails(1, "no-such-file: cannot read");
    shogi_with("convert kyotoshogi --to csa -", "startpos").fails(1, "is not written in csa");
    shogi_with("convert minishogi --to usi -", r#"{"variant": "shogi", "moves": []}"#)
        .fails(1, "standard input:1:13: this is a record of another variant");
}

#[test]
fn what_cannot_be_meant_is_a_usage_error() {
    shogi("convert shogi -").fails(2, "--to");
    shogi("convert shogi --to sgf -").fails(2, "invalid value");
    shogi("convert shogi --to kif --encoding latin1 -").fails(2, "invalid value");
    shogi("convert shogi --to kif").fails(2, "<FILE>");
    for lone in ["convert no-such-file --to kif", "convert no-such-file - --to kif"] {
        shogi(lone).fails(2, "there is neither a file nor a variant no-such-file");
    }
}

#[test]
fn json_is_one_object_on_one_line() {
    let run = shogi_with("convert shogi --to json -", GAME);
    assert_eq!(run.stdout.lines().count(), 1);
    let object: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(object["variant"], "shogi");
    assert_eq!(object["moves"][2]["move"], "8h2b+");
}

/// The lines on standard error but for progress.
fn diagnostics(arguments: &str, input: impl AsRef<[u8]> + Send) -> String {
    let run = shogi_with(arguments, input);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run.stderr
}

#[test]
fn what_a_format_cannot_hold_is_counted() {
    let text = "先手：あや\n1 ７六歩(77) (0:02)\n&ここ\n2 投了\n変化：1手\n1 ２六歩(27)\n";
    let counted = diagnostics("convert shogi --to usi -", text);
    let expected =
        "1 variation, 1 time, 1 bookmark, 1 header and 1 end are not written: USI has none\n";
    assert_eq!(counted, expected);
    let counted = diagnostics("convert shogi --to csa -", text);
    assert_eq!(counted, "1 variation and 1 bookmark are not written: CSA has none\n");
    for to in ["kif", "json", "jkf"] {
        assert_eq!(diagnostics(&format!("convert shogi --to {to} -"), text), "");
    }
}

#[test]
fn fractions_of_seconds_are_told_in_one_line() {
    for (text, place) in [
        ("V3.0\nPI\n+\n+7776FU,T1.5\n-3334FU,T2.25\n%TORYO\n", "4:9"),
        ("手合割：平手\n1 ７六歩(77) (0:25.006/)\n2 投了 (0:01.5/)\n", "2:17"),
    ] {
        let told = diagnostics("convert shogi --to json -", text);
        let expected = "times are kept in whole seconds: fractions are left out";
        assert_eq!(told, format!("standard input:{place}: {expected}\n"));
    }
}

#[test]
fn several_games_are_all_written() {
    let games = "PI\n+\n+7776FU\n%TORYO\n/\nPI\n+\n+2726FU\n%CHUDAN\n";
    let lines = shogi_with("convert shogi --to json -", games).stdout;
    let ends: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let ends: Vec<_> = ends.iter().map(|game| game["end"]["how"].as_str().unwrap()).collect();
    assert_eq!(ends, ["resignation", "interruption"]);
    let back = shogi_with("convert shogi --to csa -", &lines).stdout;
    assert_eq!(back.lines().filter(|line| *line == "/").count(), 1);
    let run = shogi_with("convert shogi --to kif -", games);
    assert_eq!((run.code, run.stdout.matches("手合割").count()), (Some(0), 2));
    assert!(run.stderr.starts_with("2 games are written one after another"), "{}", run.stderr);
    let folder = folder("convert-several");
    let out = folder.join("game.kif");
    let run = shogi_with(&format!("convert shogi --to kif --out {} -", out.display()), games);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    for (number, word) in [(1, "投了"), (2, "中断")] {
        let bytes = fs::read(folder.join(format!("game-{number}.kif"))).unwrap();
        // By the custom of the extension.
        let (text, encoding) = decode(&bytes).unwrap();
        assert_eq!(encoding, Encoding::ShiftJis);
        assert!(text.contains(word), "{text}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_takes_several_games_one_after_another() {
    let games = "PI\n+\n+7776FU\n%TORYO\n/\nPI\n+\n+2726FU\n%CHUDAN\n";
    let run = shogi_with("convert shogi --to kif --out /dev/full -", games);
    assert!(run.stderr.starts_with("error: /dev/full: cannot write: "), "{}", run.stderr);
    assert!(run.code == Some(1) && !fs::exists("/dev/full-1").unwrap());
    let run = shogi_with("convert shogi --to kif --out /dev/null -", games);
    assert!(run.stderr.starts_with("2 games are written one after another"), "{}", run.stderr);
    assert!(run.code == Some(0) && !fs::exists("/dev/null-1").unwrap());
}

/// The second game has a character that Shift-JIS lacks.
#[test]
fn where_one_of_several_games_has_no_encoding_none_is_written() {
    let folder = folder("convert-unencoded");
    let out = folder.join("game.kif");
    let games = "N+Ada\nPI\n+\n+7776FU\n/\nN+Zoë\nPI\n+\n+2726FU\n";
    let run = shogi_with(&format!("convert shogi --to kif --out {} -", out.display()), games);
    let second = folder.join("game-2.kif");
    run.fails(1, &format!("error: {}: in what would be written", second.display()));
    assert!(names(&folder).is_empty());
}

#[test]
fn games_without_moves_are_read_back() {
    let games = "position startpos\nposition sfen 4k4/9/9/9/9/9/9/9/4K4 w R2P 1\n\
                 position startpos moves 7g7f\nposition sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1\n";
    for to in ["kif", "ki2", "csa"] {
        let run = shogi_with(&format!("convert shogi --to {to} -"), games);
        let back = shogi_with(&format!("convert shogi --from {to} --to usi -"), &run.stdout);
        assert_eq!((back.code, back.stdout.as_str()), (Some(0), games), "{to}");
    }
}

#[test]
fn files_have_the_encoding_of_their_extension() {
    let folder = folder("convert-extensions");
    let text = "先手：あや\n1 ７六歩(77)\n";
    for (name, options, expected) in [
        ("a.kif", "--to kif", Encoding::ShiftJis),
        ("a.kifu", "--to kif", Encoding::Utf8),
        ("a.kif", "--to kif --encoding utf-8", Encoding::Utf8),
        ("a.kif", "--to kif --encoding euc-jp", Encoding::EucJp),
        ("a.ki2", "--to ki2", Encoding::ShiftJis),
        ("a.csa", "--to csa", Encoding::ShiftJis),
        ("b.csa", "--to csa --encoding utf-8", Encoding::Utf8),
        ("a.json", "--to json --encoding shift-jis", Encoding::Utf8),
    ] {
        let file = folder.join(name);
        let command = format!("convert shogi {options} --out {} -", file.display());
        assert_eq!(diagnostics(&command, text), "");
        let bytes = fs::read(&file).unwrap();
        let (written, encoding) = decode(&bytes).unwrap();
        assert_eq!(encoding, expected, "{name} {options}");
        let says_so = written.starts_with("'CSA encoding=UTF-8\n");
        assert_eq!(says_so, name == "b.csa", "{written}");
        let back = shogi(&format!("convert shogi --to usi {}", file.display()));
        assert_eq!(back.stdout, "position startpos moves 7g7f\n");
    }
    let euc = folder.join("a.kif");
    fs::write(&euc, b"\xb1\xb1\n1 76FU\n").unwrap();
    let command = format!("convert shogi --to usi --from-encoding utf-8 {}", euc.display());
    shogi(&command).fails(1, "line 1, byte 1: this is not UTF-8");
    let help = shogi("convert --help").stdout;
    assert!(help.contains("shift-jis for .kif") && help.contains("euc-jp"), "{help}");
}

#[test]
fn a_game_is_not_refused_for_its_last_move() {
    let nifu = "PI\n+\n+7776FU\n-3334FU\n+0055FU\n%ILLEGAL_MOVE\n";
    let run = shogi_with("convert shogi --to json -", nifu);
    let game: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(game["moves"].as_array().unwrap().len(), 2);
    let end = &game["end"];
    assert_eq!(
        (&end["how"], &end["by"], &end["move"]),
        (&"foul".into(), &"sente".into(), &"P*5e".into())
    );
    let run = shogi_with("convert shogi --to json -", "position startpos moves 7g7f 3c3d resign");
    let game: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(game["end"]["winner"], "gote");
    let run = shogi_with("moves shogi", "position startpos moves 7g7f resign");
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.contains("ends the record of a game and is no move"), "{}", run.stdout);
}

#[test]
fn the_game_is_found_out_from_the_record() {
    for (text, game) in [
        (GAME, "shogi"),
        ("手合割：5五将棋\n1 ５三歩(54)\n", "minishogi"),
        ("1 ３四銀(35)\n", "minishogi"),
        ("手合割：京都将棋\n1 ５四と成(55)\n", "kyotoshogi"),
        ("手合割：どうぶつしょうぎ\n1 ２二ひ(23)\n", "dobutsu"),
        ("手合割：禽将棋\n", "torishogi"),
        ("PI\n+\n%CHUDAN\n", "shogi"),
        ("V2.2\n+3534GI\n%TORYO\n", "minishogi"),
        ("position startpos moves 5d5c 2a3b", "minishogi"),
        ("rbsgk/4p/5/P4/KGSBR b - 1", "minishogi"),
        (r#"{"variant":"gorogoro","moves":[]}"#, "gorogoro"),
    ] {
        let run = shogi_with("convert --to json -", text);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{text}");
        let object: Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(object["variant"], game, "{text}");
    }
    let short = "V2.2\n+7776FU\n";
    shogi_with("convert --to json -", short)
        .fails(1, "standard input:2:1: the start position is missing");
    // What is wrong is said by the rules of the game that it is read furthest by.
    let text = "手合割：5五将棋\n1 ５三歩(54)\n2 ３二金(21)\n3 ５一歩(53)\n4 ５二金(32)\n";
    shogi_with("convert --to json -", text)
        .fails(1, "standard input:4:3: the move 5c5a is illegal");
    shogi("convert shogi --to kif").fails(2, "<FILE>, the record of shogi, is missing");
}

#[test]
fn a_line_that_fits_several_games_is_refused_with_their_names() {
    for (moves, games) in [
        ("2c2b", ["shogi34", "dobutsu"]),
        ("2c2b 2a2b", ["shogi34", "dobutsu"]),
        ("4f4e 5a4b", ["gorogoro", "judkins"]),
    ] {
        let text = format!("position startpos moves {moves}");
        let run = shogi_with("convert --to json -", &text);
        assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""));
        for word in games.into_iter().chain(["name the variant"]) {
            assert!(run.stderr.contains(word), "{}", run.stderr);
        }
    }
    let run = shogi_with("convert --to json -", "startpos");
    assert!(run.code == Some(1) && run.stderr.contains("minishogi, kyotoshogi"), "{}", run.stderr);
    for game in ["shogi34", "dobutsu"] {
        let run = shogi_with(&format!("convert {game} --to usi -"), "startpos moves 2c2b");
        assert_eq!((run.code, run.stdout.as_str()), (Some(0), "position startpos moves 2c2b\n"));
    }
}

#[test]
fn the_game_of_a_jkf_record_has_a_board_of_its_size() {
    let usi = "position sfen 1+P1s1/4+B/k1KB+p/1s2+R/1R3 b 2g 1 moves 4e4d\n";
    let jkf = shogi_with("convert minishogi --to jkf -", usi).stdout;
    let read = shogi_with("convert --to json -", &jkf);
    assert_eq!((read.code, &read.json()["variant"]), (Some(0), &"minishogi".into()));
    assert_eq!(shogi_with("convert --to usi -", &jkf).stdout, usi);
    shogi_with("convert shogi --to usi -", &jkf)
        .fails(1, "this board is smaller than that of the variant");
}

#[test]
fn contradictions_in_a_record_are_reported_on_one_line() {
    let text = "PI\n+\n+7776FU\n+2726FU\n%+ILLEGAL_ACTION\n";
    let run = shogi_with("convert shogi --to json -", text);
    assert_eq!(run.code, Some(0));
    let object: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(object["end"]["winner"], "gote");
    assert_eq!(object["end"]["comments"][0], "+2726FU");
    let expected = "standard input:4:1: Sente moves out of turn: the game ends here, and the move is kept as a comment\n";
    assert_eq!(run.stderr, expected);
}

#[test]
fn a_wave_dash_is_written_in_shift_jis() {
    let folder = folder("convert-wave-dash");
    let out = folder.join("game.kif");
    let text = "手合割：平手\n棋戦：９:00〜17:00\n1 ７六歩(77)\n2 投了\n";
    let run = shogi_with(&format!("convert --to kif --out {} -", out.display()), text);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let bytes = fs::read(out).unwrap();
    assert!(bytes.windows(2).any(|two| two == b"\x81\x60"));
}

#[test]
fn a_king_in_hand_is_left_out_by_every_verb() {
    let problem = "8k/9/8P/9/9/9/9/9/9 b G2r2bk3g4s4n4l17p 1\n";
    for verb in ["moves shogi", "mate shogi", "show shogi", "convert --to usi"] {
        let file = if verb.starts_with("convert") { " -" } else { "" };
        let run = shogi_with(&format!("{verb}{file}"), problem);
        assert_eq!(run.code, Some(0), "{verb}: {}", run.stderr);
        assert!(run.stderr.contains("the king in hand is left out"), "{verb}: {}", run.stderr);
    }
    let run = shogi_with("moves shogi", "4k4/9/9/9/9/9/9/9/4K4 b PPPP 1\n");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let run = shogi_with("moves shogi", "4k4/9/9/9/9/9/9/9/4K4 b Pk 1\n");
    assert!(
        run.code == Some(1) && run.stdout.contains("a king cannot be in hand"),
        "{}",
        run.stdout
    );
}
