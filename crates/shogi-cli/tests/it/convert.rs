//! `convert`: records between formats, encodings and dialects, and errors with their place.

use crate::common;

use std::fs;

use common::{folder, shogi, shogi_with};
use serde_json::Value;

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
    let text = "手合割：平手\n   1 ７六歩(77)\n   2 ３五歩(33)\n";
    fs::write(&file, text).unwrap();
    let place = format!("{}:3:6: the move 3c3e is illegal", file.display());
    shogi(&format!("convert shogi --to usi {}", file.display())).fails(1, &place);
    let run = shogi_with("convert shogi --to usi -", text);
    assert_eq!(run.stdout, "");
    run.fails(1, "standard input:3:6: the move 3c3e is illegal: the piece cannot go there");
    shogi_with("convert shogi --to usi -", "hello").fails(1, "cannot tell the format");
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
}

#[test]
fn json_is_one_object_on_one_line() {
    let run = shogi_with("convert shogi --to json -", GAME);
    assert_eq!(run.stdout.lines().count(), 1);
    let object: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(object["variant"], "shogi");
    assert_eq!(object["moves"][2]["move"], "8h2b+");
}
