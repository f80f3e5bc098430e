//! `variant report`: what a game is like, on one page.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::common::{Run, command, folder, shogi};

/// Limits with which a report takes a moment.
const QUICK: &str = "--games 4 --move-nodes 20 --nodes 2000 --samples 300 --positions 500";

/// Two kings on one file of four squares: Sente steps forward, and Gote has no move. There are 4 times 3 placements, of
/// which 6 have the kings side by side.
fn kings(folder: &Path) -> PathBuf {
    let path = folder.join("kings.toml");
    let text = "name = \"kings\"\ntitle = \"Kings & <b>nothing</b> else\"\nstart = \"k/1/1/K b - 1\"\n\
                [pieces]\nK = { front = \"king\", royal = true }\n";
    fs::write(&path, text).unwrap();
    path
}

/// A report as data.
fn report(command: &str) -> Value {
    shogi(&format!("variant report {command} --json")).json()
}

#[test]
fn a_game_of_two_kings_is_known_to_its_end() {
    let game = kings(&folder("report-kings"));
    let report = report(&format!("{} --games 5", game.display()));
    assert_eq!(report["complete"], true, "{report}");
    assert_eq!((&report["winner"], &report["placements"]), (&json!("sente"), &json!("12")));
    let numbers = json!({ "candidates": "12", "flip": "12", "pawn": "12", "king": "6" });
    assert_eq!(report["candidates"], numbers);
    let value = &report["value"];
    assert_eq!((&value["value"], &value["plies_at_most"]), (&json!("win"), &json!(1)));
    assert_eq!((&value["certified"], &value["pv"]), (&json!(true), &json!(["1d1c"])));
    let longest = json!({ "plies": 1, "winner": "sente", "sfen": "k/1/1/K b - 1" });
    let listed = json!({ "positions": 2, "wins": 1, "losses": 1, "others": 0, "longest": longest });
    assert_eq!(report["listed"], listed);
    let play = &report["play"];
    assert_eq!(
        (&play["games"], &play["sente_wins"], &play["distinct"]),
        (&json!(5), &json!(5), &json!(1))
    );
    assert_eq!((&play["moves_mean"], &play["plies"]), (&json!(1.0), &json!([1, 1, 1, 1, 1])));
    assert_eq!((&play["sente_share"], &play["ends"]), (&json!(1.0), &json!({ "stalemate": 5 })));
    // Positions with bare kings alone are not known to be reached, and so not sampled; they are few enough for a list.
    let reachable = &report["reachable"];
    assert_eq!(
        (&reachable["method"], &reachable["complete"]),
        (&json!("forward listing"), &json!(true)),
        "{reachable}"
    );
    assert_eq!(reachable["estimate"], 2);
}

#[test]
fn a_report_of_minishogi_samples_it_and_says_what_goes_on() {
    let report = report(&format!("minishogi {QUICK}"));
    assert_eq!(report["candidates"]["candidates"], "16014219505238849250");
    let ends = report["reachable"]["p_interval"].as_array().unwrap();
    let [low, high] = [0, 1].map(|end| ends[end].as_f64().unwrap());
    assert!(low < 0.1485 && 0.1485 < high, "{low} {high}");
    assert_eq!((&report["value"]["value"], &report["winner"]), (&json!("unknown"), &Value::Null));
    assert_eq!(report["listed"]["missing"], "games reach more than 500 positions");
    let play = &report["play"];
    let ends: u64 =
        play["ends"].as_object().unwrap().values().map(|games| games.as_u64().unwrap()).sum();
    assert_eq!((ends, play["plies"].as_array().unwrap().len()), (4, 4));
    let sfen = "rbsgk/4p/P4/5/KGSBR w - 2";
    let mut elsewhere = command(&format!("variant report minishogi {QUICK} --sfen"));
    let elsewhere = Run::from(elsewhere.arg(sfen).output().unwrap()).stdout;
    let searches_on = format!("`shogi solve minishogi --sfen \"{sfen}\" --nodes 200000`");
    assert!(elsewhere.contains(&searches_on), "{elsewhere}");
    let text = shogi(&format!("variant report minishogi {QUICK}")).stdout;
    assert!(text.contains("16,014,219,505,238,849,250 (1.601e19)"), "{text}");
    assert!(text.contains("`shogi solve minishogi --nodes 200000` searches on"), "{text}");
}

#[test]
fn a_game_whose_positions_are_listed_says_which_command_lists_them() {
    let report = report(&format!("dobutsu {QUICK}"));
    assert_eq!(report["reachable"]["command"], "shogi estimate dobutsu --samples 300");
}

#[test]
fn the_same_seed_gives_the_same_report_on_any_number_of_threads() {
    let command = |seed, threads| {
        format!("variant report micro {QUICK} --seed {seed} --threads {threads} --json")
    };
    let one = shogi(&command(3, 1)).stdout;
    assert_eq!(one, shogi(&command(3, 2)).stdout);
    let (one, other) = (serde_json::from_str::<Value>(&one).unwrap(), shogi(&command(4, 2)).json());
    assert_ne!(one["play"], other["play"]);
}

#[test]
fn the_page_holds_the_numbers_of_the_answer() {
    let folder = folder("report-page");
    let (game, page, proof) = (kings(&folder), folder.join("report.html"), folder.join("proof"));
    let answer = report(&format!(
        "{} {QUICK} --out {} --proof {}",
        game.display(),
        page.display(),
        proof.display()
    ));
    let html = fs::read_to_string(page).unwrap();
    assert!(html.starts_with("<!DOCTYPE html>") && html.ends_with("</html>\n"), "{html}");
    assert_eq!(html.matches("<svg").count(), 3, "the board, the results and the lengths");
    assert!(
        !html.contains("http://") || html.matches("http://").count() == 3,
        "no other file is needed"
    );
    for shown in [
        "Sente wins in at most 1 ply: this is proved.",
        "Kings &amp; &lt;b&gt;nothing&lt;/b&gt; else",
        "<td>12</td>",
        "<td>6</td>",
        "1d1c",
        "stalemate 4",
        answer["start"].as_str().unwrap(),
        answer["hash"].as_str().unwrap(),
        "2, exactly: ",
    ] {
        assert!(html.contains(shown), "{shown}: {html}");
    }
    let verified = shogi(&format!("verify {} --json", proof.display())).json();
    assert_eq!((&verified["ok"], &verified["claim"]), (&json!(true), &json!("win")));
}

#[test]
fn a_bad_file_is_refused_with_its_line_and_the_fix() {
    let path = folder("report-bad").join("bad.toml");
    fs::write(&path, "name = \"bad\"\nstart = \"k/1/1/K b - 1\"\n[pieces]\nK = { front = \"kign\", royal = true }\n")
        .unwrap();
    let run = shogi(&format!("variant report {}", path.display()));
    run.fails(2, "line 4");
    assert!(run.stderr.contains("kign") && run.stdout.is_empty(), "{}", run.stderr);
    shogi("variant report nothing").fails(2, "nothing");
    let nowhere = folder("report-nowhere").join("no/report.html");
    shogi(&format!("variant report micro --out {}", nowhere.display())).fails(1, "cannot write");
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_a_report_with_what_is_known_by_then() {
    use crate::common::interrupt;
    let child = command("variant report shogi --games 1e6 --json").spawn().unwrap();
    let run = interrupt(child);
    assert_eq!(run.code, Some(130), "{}", run.stderr);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["complete"], false);
    assert!(
        report["placements"].as_str().unwrap().len() > 60
            && report["listed"]["missing"].is_string()
    );
}
