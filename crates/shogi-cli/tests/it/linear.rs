//! learn proofs without rounds: one linear evaluation whatever the threads, and a whole file or none.

use crate::{common, learning};

use common::{folder, shogi};
use serde_json::Value;

const RUN: &str = "learn proofs dobutsu --rounds 0 --games 200 --generations 2 --seed 5";

#[test]
fn threads_change_nothing() {
    let (answer, file) = learning::assert_threads_change_nothing(RUN, &folder("linear_threads"));
    assert_eq!(answer["variant"], "dobutsu");
    assert_eq!(answer["settings"]["seed"], 5);
    assert_eq!(answer["settings"]["games"], 200);
    let generations = answer["generations"].as_array().unwrap();
    assert_eq!(generations.len(), 2);
    let last = &generations[1];
    assert!(last["log_loss"].as_f64().unwrap() < last["log_loss_of_mean"].as_f64().unwrap());
    let file: Value = serde_json::from_str(&file).unwrap();
    assert_eq!(answer["weights"], file["weights"].as_array().unwrap().len());
    assert_eq!((&answer["start"], &answer["settings"]), (&file["start"], &file["settings"]));
}

#[test]
fn games_begin_at_the_given_start() {
    let folder = folder("linear_start");
    let out = folder.join("evaluation.json");
    // A lion in the corner against everything.
    let sfen = "l2/3/3/ELG b GECc 1";
    let run = common::command("learn proofs dobutsu --rounds 0 --games 20 --generations 1 --json")
        .args(["--sfen", sfen, "--out"])
        .arg(&out)
        .output();
    let answer = common::Run::from(run.unwrap()).json();
    assert_eq!(answer["start"], sfen);
    let text = shogi(&format!("{RUN} --out {}", out.display())).stdout;
    assert!(text.contains("generation") && text.contains("evaluation.json"), "{text}");
}

#[test]
fn bad_requests_are_refused_before_the_first_game() {
    learning::assert_bad_requests_are_refused("learn proofs --rounds 0", &folder("linear_refused"));
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_leaves_the_old_file() {
    let run = "learn proofs dobutsu --rounds 0 --games 4000000000";
    learning::assert_ctrl_c_leaves_the_old_file(run, &folder("linear_interrupted"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_checkpoint_is_resumed_and_one_of_another_run_refused() {
    let folder = folder("linear_checkpoint");
    learning::assert_resumes_from_its_checkpoint(RUN, "dobutsu", &folder);
}
