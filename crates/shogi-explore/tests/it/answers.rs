//! Answers of the explorer. That they agree with those of the program's verbs is tested where the program is.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use shogi_explore::{Explorer, Fault, search, solve};
use shogi_variants::Variant;
use shogi_variants::operations::TablebaseBuild;

use crate::common::{explorer, proof};

fn ask(question: &str, request: Value) -> Result<Value, Fault> {
    explorer().answer(question, request.to_string().as_bytes())
}

#[test]
fn a_position_is_drawn_from_what_the_program_says_of_it() {
    let drawn = ask(
        "diagram",
        json!({ "variant": "dobutsu", "in": "startpos moves 2c2b", "dialect": "lishogi" }),
    )
    .unwrap();
    assert_eq!(drawn["sfen"], "rkb/1P1/3/BKR w P 2");
    assert_eq!(drawn["side"], "gote");
    let chick = json!({ "face": "P", "kanji": "雛", "colour": "sente" });
    assert_eq!(drawn["ranks"][1], json!([null, chick, null]));
    assert_eq!(drawn["hands"][0][0]["count"], 1);
}

#[test]
fn a_game_that_has_ended_says_by_which_rule() {
    let rounds = "2h3h 8b7b 3h2h 7b8b ".repeat(3);
    let game = json!({ "variant": "shogi", "in": format!("startpos moves {rounds}") });
    let ended = ask("moves", game).unwrap();
    assert_eq!((&ended["end"], &ended["why"]), (&json!("draw"), &json!("repetition")));
    assert_eq!(ended["moves"], json!([]));
}

#[test]
fn a_proof_answers_for_positions_however_they_come_about() {
    let about = explorer().about().unwrap();
    let root = about["files"][0]["root"].clone();
    assert_eq!(about["files"][0]["kind"], "proof");
    let walked = ask("walk", json!({ "file": 0, "in": "root" })).unwrap();
    let found = ask("look-up", json!({ "file": 0, "in": root })).unwrap();
    assert_eq!((&walked["move"], &walked["replies"]), (&found["move"], &found["replies"]));
    let answer = walked["move"].as_str().unwrap();
    let reply = walked["replies"][0]["move"].as_str().unwrap();
    let moves = format!("{answer} {reply}");
    let walked = ask("walk", json!({ "file": 0, "in": moves })).unwrap();
    let position = format!("sfen {} moves {moves}", root.as_str().unwrap());
    let found = ask("look-up", json!({ "file": 0, "in": position })).unwrap();
    assert!(walked["rank"].is_u64());
    assert_eq!((&walked["sfen"], &walked["rank"]), (&found["sfen"], &found["rank"]));
    let elsewhere = ask("look-up", json!({ "file": 0, "in": "startpos" })).unwrap_err();
    assert_eq!(elsewhere.to_json()["error"], "the proof has no move here");
}

#[test]
fn a_draw_is_reachable_and_told_by_its_seed() {
    // One explorer, which makes its tables once.
    let explorer = explorer();
    let ask = |question, request: Value| explorer.answer(question, request.to_string().as_bytes());
    for variant in ["minishogi", "kyotoshogi", "shogi"] {
        let draw = |seed: u32| {
            let drawn = ask("draw", json!({ "variant": variant, "seed": seed })).unwrap();
            drawn["sfen"].as_str().unwrap().to_owned()
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        let classified = ask("classify", json!({ "variant": variant, "in": draw(3) })).unwrap();
        assert_eq!(classified["stage"], "ok");
        assert_eq!(classified["certificate"]["certificate"], "game");
    }
    assert!(ask("draw", json!({ "variant": "dobutsu", "seed": 1 })).is_err());
}

#[test]
fn what_is_known_without_a_search_is_said_of_every_placement() {
    let known = |variant: &str, line: &str| {
        ask("known", json!({ "variant": variant, "in": line })).unwrap()
    };
    let start = known("dobutsu", "startpos");
    assert_eq!((&start["known"]["value"], &start["known"]["plies"]), (&json!("loss"), &json!(78)));
    assert_eq!(start["tablebase"]["file"], "dobutsu.tablebase");
    let pushed = known("minishogi", "startpos moves 5d5c");
    assert_eq!(
        (&pushed["known"]["value"], &pushed["known"]["exact"]),
        (&json!("win"), &json!(false))
    );
    assert_eq!(pushed["tablebase"], json!(null));
    // Neither a problem without a king nor an illegal position is refused.
    assert_eq!(known("minishogi", "4k/5/5/5/5 b G 1")["known"], json!(null));
    assert_eq!(known("shogi34", "k2/3/3/3 b - 1")["tablebase"], json!(null));
}

#[test]
fn three_by_four_shogi_is_first_looked_at_where_it_is_solved_at_once() {
    let about = ask("variant", json!({ "variant": "shogi34" })).unwrap();
    assert_eq!(about["first"], "rbk/2p/P2/KBR b - 1");
    assert_eq!(ask("variant", json!({ "variant": "dobutsu" })).unwrap().get("first"), None);
}

#[test]
fn the_player_chooses_within_the_rules_of_the_whole_game() {
    let round = "1e1d 5a5b 1d1e 5b5a ";
    let game = format!("startpos moves {}1e1d", round.repeat(2));
    let request =
        |line: &str, level: u8| json!({ "variant": "minishogi", "in": line, "level": level });
    // Of the position alone nobody sees that it has come up four times.
    let over = format!("startpos moves {}", round.repeat(3));
    let refused = ask("choose", request(over.trim_end(), 1)).unwrap_err().to_json();
    assert!(refused["error"].as_str().unwrap().starts_with("the game is over: "), "{refused}");
    let chosen = ask("choose", request(&game, 3)).unwrap();
    let legal = ask("moves", json!({ "variant": "minishogi", "in": game })).unwrap();
    assert_eq!(chosen["does"], "move");
    assert!(legal["moves"].as_array().unwrap().contains(&chosen["move"]), "{chosen}");
    // The same game, level and seed lead to the same move.
    let seeded = |seed: u64| {
        let request = json!({ "variant": "minishogi", "in": "startpos", "level": 2, "seed": seed });
        ask("choose", request).unwrap()["move"].clone()
    };
    assert_eq!(seeded(5), seeded(5));
    assert!((0..20).any(|seed| seeded(seed) != seeded(5)));
    let clock = json!({ "remaining_ms": 0, "increment_ms": 0, "byoyomi_ms": 50 });
    let timed = json!({ "variant": "shogi", "in": "startpos", "level": 10, "clock": clock });
    assert_eq!(ask("choose", timed).unwrap()["does"], "move");
    let unknown = json!({ "variant": "shogi", "in": "startpos", "level": 11 });
    assert_eq!(
        ask("choose", unknown).unwrap_err().to_json()["error"],
        "there is no level 11: the levels are 1 to 10"
    );
}

#[test]
fn a_hint_is_what_the_player_does_at_its_best() {
    let mate = json!({ "variant": "minishogi", "in": "4k/5/3PP/5/K4 b G 1" });
    let hinted = ask("hint", mate).unwrap();
    assert_eq!((&hinted["score"], &hinted["declares"]), (&json!({ "mate": 1 }), &json!(false)));
    assert_eq!(hinted["pv"].as_array().unwrap().len(), 1);
    let lost = json!({ "variant": "minishogi", "in": "startpos moves 5d5c", "nodes": 0 });
    assert!(ask("hint", lost).unwrap()["score"]["cp"].is_i64());
}

#[test]
fn a_mate_is_found_within_a_bound() {
    let problem = json!({ "variant": "minishogi", "in": "4k/5/3PP/5/K4 b G 1", "shortest": true });
    let found = ask("mate", problem).unwrap();
    assert_eq!((&found["status"], &found["mate"]), (&json!("mate"), &json!(1)));
    assert_eq!(found["pv"].as_array().unwrap().len(), 1);
    let bounded = json!({ "variant": "shogi", "in": "startpos", "nodes": 0 });
    assert_eq!(ask("mate", bounded).unwrap()["nodes"], 0);
    assert!(ask("mate", json!({ "variant": "shogi", "in": "9/9/9/9/9/9/9/9/4K4 b - 1" })).is_err());
}

#[test]
fn bytes_of_a_proof_are_a_file_as_those_on_the_disk() {
    let explorer = Explorer::open::<&str>(&[]).unwrap();
    explorer.add("kbr.proof", std::fs::read(proof()).unwrap()).unwrap();
    assert_eq!(explorer.about().unwrap(), self::explorer().about().unwrap());
    let error = explorer.add("page", b"<html>".to_vec()).unwrap_err().to_string();
    assert!(error.starts_with("page: ") && error.contains("nor a tablebase"), "{error}");
    assert_eq!(explorer.about().unwrap()["files"].as_array().unwrap().len(), 1);
}

#[test]
fn what_is_not_solved_within_its_bound_is_unknown_and_has_no_proof() {
    let (answer, proof) =
        solve(br#"{"variant": "shogi34", "in": "startpos", "nodes": 100}"#).unwrap();
    assert_eq!((&answer["value"], &answer["ended"]), (&json!("unknown"), &json!("nodes")));
    assert!(proof.is_none() && answer["proof"].is_null());
    assert_eq!(solve(br#"{"variant": "shogi34", "in": "x"}"#).unwrap_err().kind(), "refused");
    assert_eq!(solve(b"[]").unwrap_err().kind(), "malformed");
}

#[test]
fn a_search_on_this_thread_says_what_the_server_streams() {
    let mut events = Vec::new();
    let request = br#"{"variant": "dobutsu", "in": "startpos", "lines": 3, "seconds": 1}"#;
    search(request, &mut |event| events.push(event)).unwrap();
    assert!(events.iter().any(|event| event["multipv"] == 3 && event["pv"][0].is_string()));
    assert!(events.last().unwrap()["bestmove"].is_string());
    let refused = search(br#"{"variant": "dobutsu", "in": "x"}"#, &mut |_| ()).unwrap_err();
    assert_eq!(refused.to_json()["in"], "x");
}

#[test]
fn records_are_recognised_and_converted() {
    let kif = "手合割：5五将棋\n   1 ５三歩(54)\n   2 ３二金(21)\n";
    let read = ask("convert", json!({ "variant": "minishogi", "in": kif, "to": "usi" })).unwrap();
    assert_eq!(read["from"], "kif");
    assert!(read["record"].as_str().unwrap().contains("moves 5d5c 2a3b"));
    assert_eq!((&read["games"], read.get("left_out")), (&json!(1), None));
    let varied = format!("{kif}変化：2手\n   2 ５二角(41)\n");
    let question = |to| json!({ "variant": "minishogi", "in": varied, "to": to });
    let read = ask("convert", question("json")).unwrap();
    let record: Value = serde_json::from_str(read["record"].as_str().unwrap()).unwrap();
    assert_eq!(record["moves"][1]["variations"][0][0]["move"], "4a5b");
    let read = ask("convert", question("usi")).unwrap();
    assert_eq!(read["left_out"], "1 variation is not written: USI has none");
    let bad = ask("convert", json!({ "variant": "minishogi", "in": "Hello.", "to": "usi" }));
    let bad = bad.unwrap_err();
    assert_eq!(bad.kind(), "refused");
    assert_eq!(bad.to_json()["in"], "Hello.");
    let unknown = ask("convert", json!({ "in": "abc", "to": "kif" })).unwrap_err();
    assert_eq!(unknown.to_json()["in"], "abc");
}

#[test]
fn the_game_of_a_record_is_found_out_and_contradictions_are_told() {
    let kif = "手合割：5五将棋\n   1 ５三歩(54)\n   2 １二飛打\n   3 投了\n";
    let read = ask("convert", json!({ "prefer": "shogi", "in": kif, "to": "json" })).unwrap();
    assert_eq!(read["variant"], "minishogi");
    let record: Value = serde_json::from_str(read["record"].as_str().unwrap()).unwrap();
    assert_eq!(record["end"]["move"], "R*1b");
    assert_eq!(
        read["notices"],
        json!([
            "line 3, column 6: the game ends with a move against the rules: the move R*1b is illegal: \
                the player has no such piece"
        ])
    );
    // It is the one that is wanted.
    let read = ask("convert", json!({ "prefer": "minishogi", "in": kif, "to": "json" })).unwrap();
    assert_eq!(read.get("variant"), None);
    let read = ask("convert", json!({ "in": "startpos moves 5d5c", "to": "usi" })).unwrap();
    assert_eq!((&read["variant"], read.get("notices")), (&json!("minishogi"), None));
}

#[test]
fn lines_are_written_for_people() {
    let lines = json!([
        { "in": "startpos moves 5d5c", "moves": ["2a3b", "4e3d"] },
        { "in": "startpos", "moves": ["5d5b"] },
        { "in": "4k/5/4P/5/5 b G 1", "moves": ["G*1b"] },
    ]);
    for (notation, expected) in [
        ("japanese", json!([["△３二金", "▲３四金"], null, ["▲１二金"]])),
        ("western", json!([["G-3b", "G-3d"], null, ["G*1b"]])),
        ("usi", json!([["2a3b", "4e3d"], null, ["G*1b"]])),
    ] {
        let request = json!({ "variant": "minishogi", "notation": notation, "lines": lines });
        assert_eq!(ask("notate", request).unwrap()["lines"], expected);
    }
    let unknown = json!({ "variant": "minishogi", "notation": "chess", "lines": [] });
    assert_eq!(ask("notate", unknown).unwrap_err().kind(), "malformed");
}

#[test]
fn positions_before_come_with_their_moves() {
    let request = json!({ "variant": "minishogi", "in": "startpos moves 5d5c" });
    let before = ask("retract", request.clone()).unwrap()["predecessors"].clone();
    let plain = ask("unmoves", request).unwrap()["predecessors"].clone();
    let sfens: Vec<_> = before.as_array().unwrap().iter().map(|one| one["sfen"].clone()).collect();
    assert_eq!(json!(sfens), plain);
    let start = json!({ "sfen": "rbsgk/4p/5/P4/KGSBR b - 1", "moves": ["5d5c"] });
    assert!(before.as_array().unwrap().contains(&start));
}

#[test]
fn only_orders_that_a_variant_has_are_offered_with_their_sizes() {
    for variant in ["minishogi", "kyotoshogi", "shogi", "shogi34", "dobutsu"] {
        let orders = ask("orders", json!({ "variant": variant })).unwrap()["orders"].clone();
        // The set of 3x4 shogi has more pieces than a game.
        assert_eq!(orders.as_array().unwrap().is_empty(), variant == "shogi34", "{variant}");
        for order in orders.as_array().unwrap() {
            let name = &order["order"];
            let request = json!({ "variant": variant, "in": "startpos", "order": name });
            assert!(ask("rank", request).is_ok(), "{variant} {name}");
            // The first number beyond has no position.
            let size = &order["positions"];
            let beyond = json!({ "variant": variant, "in": size, "order": name });
            assert!(ask("unrank", beyond).is_err(), "{variant} {name} {size}");
        }
        if variant == "minishogi" {
            assert_eq!(orders[0]["positions"], "16014219505238849250");
            assert_eq!(orders.as_array().unwrap().len(), 3);
        }
    }
}

#[test]
fn what_is_no_question_is_malformed_and_what_has_no_answer_is_refused() {
    for (request, kind) in [
        (json!({ "variant": "chess", "in": "startpos" }), "malformed"),
        (json!({ "variant": "shogi" }), "malformed"),
        (json!({ "variant": "shogi", "in": 5 }), "malformed"),
        (json!({ "variant": "shogi", "in": "startpos", "more": 1 }), "malformed"),
        (json!([]), "malformed"),
        (json!({ "variant": "shogi", "in": "9/9" }), "refused"),
    ] {
        assert_eq!(ask("moves", request.clone()).unwrap_err().kind(), kind, "{request}");
    }
    assert_eq!(ask("perft", json!({})), Err(Fault::Absent));
    let probed = ask("probe", json!({ "variant": "dobutsu", "in": "startpos" })).unwrap_err();
    assert_eq!(probed.to_json()["error"], "no tablebase of dobutsu is open");
    for question in Explorer::QUESTIONS {
        assert_ne!(ask(question, json!({})), Err(Fault::Absent), "{question}");
    }
}

#[test]
fn files_that_are_no_proof_and_no_tablebase_are_refused_by_name() {
    let here = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let error = Explorer::open(&[proof(), here.into()]).err().unwrap().to_string();
    assert!(error.contains("README.md") && error.contains("nor a tablebase"), "{error}");
    assert!(Explorer::open(&["/absent"]).is_err());
}

#[test]
fn a_game_is_reported_on_within_bounds() {
    let report = |settings: Value| {
        let mut request = json!({ "variant": NINE, "in": "startpos" });
        request.as_object_mut().unwrap().extend(settings.as_object().unwrap().clone());
        ask("report", request)
    };
    let found = report(json!({ "games": 2, "seed": 7 })).unwrap();
    assert_eq!((&found["winner"], &found["value"]["certified"]), (&json!("gote"), &json!(true)));
    assert_eq!(
        (&found["play"]["games"], &found["complete"], &found["settings"]["seed"]),
        (&json!(2), &json!(true), &json!(7))
    );
    let most =
        json!({ "games": 0, "move_nodes": u64::MAX, "samples": u64::MAX, "positions": u32::MAX });
    let bounded = &report(most).unwrap()["settings"];
    let bounds = ["games", "move_nodes", "samples", "positions"].map(|name| bounded[name].clone());
    assert_eq!(bounds, [1, 2000, 1_000_000, 300_000].map(Value::from));
    assert_eq!(report(json!({ "plies": 3 })).unwrap_err().kind(), "malformed");
    let nowhere = ask("report", json!({ "variant": "micro", "in": "x" })).unwrap_err();
    assert_eq!(nowhere.kind(), "refused");
}

/// A game of three ranks.
const NINE: &str = r#"
name = "nine"
start = "1k1/1p1/1K1 b - 1"
[pieces]
P = { front = "pawn", back = "gold", kanji = "歩" }
K = { front = "king", royal = true }
"#;

#[test]
fn a_text_stands_for_the_variant_that_it_describes() {
    let described = ask("variant", json!({ "variant": NINE })).unwrap();
    let (name, text) = (&described["name"], &described["text"]);
    assert_eq!(
        (&described["title"], &described["start"]),
        (&json!("nine, 3x3"), &json!("1k1/1p1/1K1 b - 1"))
    );
    assert_eq!(described["pieces"][0]["front"], json!({ "letters": "P", "kanji": "歩" }));
    assert_eq!(described["pieces"][1]["front"]["kanji"], "K");
    assert!(name == text && name.as_str().unwrap().contains('\n'));
    for variant in [json!(NINE), name.clone()] {
        let moves = ask("moves", json!({ "variant": variant, "in": "startpos" })).unwrap();
        assert_eq!(moves["moves"], json!(["2c1c", "2c3c"]));
        let (solved, proof) =
            solve(json!({ "variant": variant, "in": "startpos" }).to_string().as_bytes()).unwrap();
        assert_eq!(solved["value"], "loss");
        let explorer = Explorer::open::<&str>(&[]).unwrap();
        explorer.add("nine.proof", proof.unwrap()).unwrap();
        let about = explorer.about().unwrap();
        assert_eq!(&about["files"][0]["variant"], name);
        assert_eq!(&about["variants"].as_array().unwrap().last().unwrap()["name"], name);
    }
    // Another game of a name takes nothing from the built-in one.
    let judkins = NINE.replace("nine", "judkins");
    ask("variant", json!({ "variant": judkins })).unwrap();
    let built_in = ask("variant", json!({ "variant": "judkins" })).unwrap();
    assert_eq!(
        (&built_in["name"], &built_in["title"]),
        (&json!("judkins"), &json!("Judkins shogi, 6x6"))
    );
    let dobutsu = ask("variant", json!({ "variant": "dobutsu" })).unwrap();
    let written = dobutsu["text"].as_str().unwrap();
    assert!(written.starts_with("name = \"dobutsu\"\n") && written.contains("into_check"));
}

#[test]
fn all_that_is_wrong_with_a_text_is_said_by_line_key_and_fix() {
    let text = format!("{NINE}[drops]\npawn_mat = \"legal\"\npawns_on_a_file = \"many\"\n");
    let refused = ask("variant", json!({ "variant": text })).unwrap_err();
    let reason = refused.to_json()["error"].as_str().unwrap().to_owned();
    let lines: Vec<_> = reason.lines().collect();
    assert_eq!(refused.kind(), "refused");
    assert_eq!(lines.len(), 2, "{reason}");
    assert!(lines[0].starts_with("line 8, drops.pawn_mat: ") && lines[0].contains("did you mean"));
    assert!(lines[1].starts_with("line 9, drops.pawns_on_a_file: "));
    let malformed = ask("moves", json!({ "variant": text, "in": "startpos" })).unwrap_err();
    assert_eq!(malformed.kind(), "malformed");
    assert_eq!(ask("variant", json!({ "variant": "chess" })).unwrap_err().kind(), "refused");
}

#[test]
fn a_file_that_describes_a_variant_is_opened_with_the_others() {
    let file = |name: &str| format!("{}/../../variants/{name}", env!("CARGO_MANIFEST_DIR"));
    let explorer = Explorer::open(&[file("yarishogi.toml")]).unwrap();
    let about = explorer.about().unwrap();
    let last = about["variants"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["title"], &about["files"]), (&json!("Yari shogi, 7x9"), &json!([])));
    // One that is built in is listed once.
    let explorer = Explorer::open(&[file("judkins.toml")]).unwrap();
    assert_eq!(
        explorer.about().unwrap()["variants"],
        self::explorer().about().unwrap()["variants"]
    );
    let here = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let error = Explorer::open(&[here]).err().unwrap().to_string();
    assert!(
        error.contains("Cargo.toml: this is no variant: line ") && error.contains("package"),
        "{error}"
    );
}

/// A game whose start leads to bare kings along no line that a search of a second finds.
const TALL: &str = r#"
name = "tall"
start = "rnbsklgr/ppppppp1/8/8/8/8/8/8/8/8/8/8/8/1PPPPPPP/RGLKSBNR b - 1"
[pieces]
P = { front = "pawn", back = "gold" }
N = { front = "knight", back = "gold" }
S = { front = "silver", back = "gold" }
G = { front = "gold" }
L = { front = "lance", back = "gold" }
B = { front = "bishop", back = "horse" }
R = { front = "rook", back = "dragon" }
K = { front = "king", royal = true }
"#;

#[test]
fn a_tablebase_of_a_game_of_ones_own_is_opened_beside_the_game() {
    let game = |result: &str| {
        format!(
            "name = \"nine\"\nstart = \"1k1/1p1/1K1 b - 1\"\n[pieces]\n\
             P = {{ front = \"pawn\", back = \"gold\" }}\nK = {{ front = \"king\", royal = true }}\n\
             [repetition]\nresult = \"{result}\"\nperpetual_check = \"legal\"\n"
        )
    };
    let nine = Variant::from_text(&game("draw")).unwrap();
    let folder = std::env::temp_dir().join(format!("shogi-explore-own-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let [text, table] = ["nine.toml", "nine.tablebase"].map(|name| folder.join(name));
    std::fs::write(&text, game("draw")).unwrap();
    let built = nine.tablebases().unwrap();
    let build = TablebaseBuild::new(table.clone());
    assert!(built.build(&build, &mut |_| ControlFlow::Continue(())).unwrap().is_some());
    // Whatever the order of the files is, and whatever else has the name.
    Variant::from_text(&game("no result")).unwrap();
    let explorer = Explorer::open(&[&table, &text]).unwrap();
    let file = &explorer.about().unwrap()["files"][0];
    let called = nine.to_text().unwrap();
    assert_eq!(file["variant"], called);
    let request = json!({ "variant": called, "in": "startpos" }).to_string();
    let probed = explorer.answer("probe", request.as_bytes()).unwrap();
    let value = built.open(&table).unwrap().probe("startpos", None).unwrap().value;
    assert_eq!(probed["value"], value.name());
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_a_game_allows_is_found_out_once_and_not_for_a_client_that_has_gone() {
    let ask = |stop: bool| {
        // A new explorer, as after a restart of the page's server.
        let request = json!({ "variant": TALL }).to_string();
        let begun = Instant::now();
        let answer = explorer().answer_until("variant", request.as_bytes(), &AtomicBool::new(stop));
        (answer, begun.elapsed())
    };
    let (stopped, early) = ask(true);
    assert!(matches!(stopped, Err(Fault::Lost)), "{stopped:?}");
    let (first, long) = ask(false);
    assert_eq!(first.unwrap()["reach"], false, "nobody had stopped this one");
    assert!(early < long / 4, "stopped after {early:?} of {long:?}");
    // A failure is kept, too.
    for _ in 0..3 {
        let (again, kept) = ask(false);
        assert_eq!(again.unwrap()["reach"], false);
        assert!(kept < long / 4, "{kept:?} of {long:?}");
    }
}

#[test]
fn a_game_line_takes_no_longer_a_move_however_often_positions_repeat() {
    let line = |rounds: usize| format!("startpos moves {}", "2h3h 8b7b 3h2h 7b8b ".repeat(rounds));
    let begun = Instant::now();
    // Nearly a megabyte, as much as a request may have.
    let request = json!({ "variant": "shogi", "in": line(49_000) });
    let found = ask("moves", request).unwrap();
    // Played on after its end by repetition, no rule on repetition holds.
    assert!(found["end"].is_null() && found["moves"].as_array().unwrap().len() == 30, "{found}");
    // Moves that lead to new positions, over and over.
    let walk = "5i5h 5a5b 5h4h 5b4b 4h5h 4b5b 5h5i 5b5a ".repeat(20_000);
    ask("moves", json!({ "variant": "shogi", "in": format!("startpos moves {walk}") })).unwrap();
    // Two hundred thousand moves each: half a minute where each looks at all before it.
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

#[test]
fn a_position_has_a_number_and_an_answer_whoever_is_to_move_and_in_a_mirror() {
    let found =
        ask("rank", json!({ "variant": "minishogi", "in": "startpos moves 5d5c" })).unwrap();
    assert_eq!((&found["exchanged"], &found["mirrored"]), (&json!(true), &Value::Null));
    let start = ask("rank", json!({ "variant": "minishogi", "in": "startpos" })).unwrap();
    let mirrored = "kgsbr/p4/5/4P/RBSGK b - 1";
    let found = ask("rank", json!({ "variant": "minishogi", "in": mirrored })).unwrap();
    assert_eq!((&found["rank"], &found["mirrored"]), (&start["rank"], &json!(true)));
    let found = ask("classify", json!({ "variant": "minishogi", "in": mirrored })).unwrap();
    assert_eq!((&found["stage"], &found["reachable"]), (&json!("flip"), &json!(true)));
    assert_eq!(found["certificate"]["certificate"], "game");
}
