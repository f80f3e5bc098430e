//! A game of one's own is counted, listed, solved and tabled, and all answers are the same.

use std::fs;

use serde_json::json;

use crate::common::{Run, command, folder, shogi, shogi_with};

/// The game of the guide's first page: its frogs move like no piece of standard shogi.
const FROGS: &str = r#"name = "frogs"
start = "kf1/1p1/1P1/1FK b - 1"
promotion.zone = 1
[pieces]
P = { front = "pawn", back = "gold" }
F = { front = "step B L R + jump F2" }
K = { front = "king", royal = true }
[repetition]
result = "draw"
perpetual_check = "legal"
"#;

#[test]
fn a_game_of_a_few_lines_is_counted_listed_solved_and_tabled_alike() {
    let folder = folder("own-tables");
    let game = folder.join("frogs.toml");
    fs::write(&game, FROGS).unwrap();
    let game = game.display();
    let counted = shogi(&format!("count {game} --json")).json();
    let candidates: u64 = counted["candidates"].as_str().unwrap().parse().unwrap();
    assert!(counted["king"].is_null() && candidates > 10_000, "{counted}");
    // All that games reach is listed, from the game's start and from any other.
    let estimated = |start: &str| {
        let mut command = command(&format!("estimate {game} --samples 1e6 --json --sfen"));
        let listed = Run::from(command.arg(start).output().unwrap()).json();
        assert_eq!(
            (&listed["method"], &listed["complete"]),
            (&json!("forward listing"), &json!(true))
        );
        assert_eq!(listed["interval"], json!([listed["estimate"], listed["estimate"]]));
        listed["estimate"].as_u64().unwrap()
    };
    let reached = estimated("startpos");
    assert!(reached > 1_000 && reached < candidates, "{reached} of {candidates}");
    assert!(estimated("kf1/1p1/1P1/1FK w - 1") > 1_000);
    let table = folder.join("frogs.tablebase");
    let table = table.display();
    let built = shogi(&format!("tablebase build {game} --out {table} --json")).json();
    assert!(built["positions"].as_u64().unwrap() >= reached, "{built}");
    let verified = shogi(&format!("tablebase verify {table} --all --game {game} --json")).json();
    assert_eq!((&verified["ok"], &verified["proved"]), (&json!(true), &json!(true)), "{verified}");
    let stats = shogi(&format!("tablebase stats {table} --game {game} --json")).json();
    let probed = shogi_with(&format!("tablebase probe {table} --game {game}"), "startpos\n").json();
    assert_eq!(stats["starts"]["startpos"]["value"], probed["value"], "{stats} {probed}");
    let solved = shogi(&format!("solve {game} --json")).json();
    assert_eq!(solved["value"], probed["value"], "{solved} {probed}");
    // The file does not hold the rules.
    shogi(&format!("tablebase stats {table}")).fails(1, "there is no variant \"frogs\" among");
}

#[test]
fn a_game_whose_values_do_not_follow_from_moves_alone_has_no_tablebase() {
    let folder = folder("own-tables-refused");
    for (name, change, words) in [
        ("perpetual", ("perpetual_check = \"legal\"\n", ""), "who gives perpetual check loses"),
        (
            "duty",
            ("[repetition]", "[moves]\ncaptures = \"forced\"\n[repetition]"),
            "a player who can capture must",
        ),
        (
            "points",
            ("[pieces]", "impasse = \"24 points\"\n[pieces]"),
            "points decide a game by the rule on impasse",
        ),
    ] {
        let game = folder.join(format!("{name}.toml"));
        fs::write(&game, FROGS.replacen(change.0, change.1, 1)).unwrap();
        let build =
            format!("tablebase build {} --out {}", game.display(), folder.join("X").display());
        shogi(&build).fails(1, words);
    }
}
