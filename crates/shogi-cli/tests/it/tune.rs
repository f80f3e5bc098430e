//! tune: one file of tables whatever the threads, which the other verbs take; whole or none.

use crate::{common, learning};

use std::fs;

use common::{START, folder, names, shogi, shogi_with};
use serde_json::Value;

const RUN: &str = "tune minishogi --games 12 --generations 2 --nodes 60 --plies 60 --seed 5";

#[test]
fn threads_change_nothing_and_the_tables_are_used() {
    let folder = folder("tune_threads");
    let (answer, file) = learning::assert_threads_change_nothing(RUN, &folder);
    assert_eq!(answer["settings"]["games"], 12);
    assert_eq!(answer["settings"]["self_play"]["plies"], 60);
    let generations = answer["generations"].as_array().unwrap();
    assert_eq!(generations.len(), 2);
    // The second generation also learns from the games of the first.
    let positions = |number: usize| generations[number]["positions"].as_u64().unwrap();
    assert!(positions(1) > positions(0) && positions(0) > 50);
    let tables: Value = serde_json::from_str(&file).unwrap();
    assert_eq!(answer["weights"], tables["weights"].as_array().unwrap().len());
    assert_eq!(tables["origin"], format!("shogi {RUN_AS_TOLD}"));

    let path = folder.join("1.json").display().to_string();
    let verified = shogi(&format!("verify {path} --json")).json();
    assert_eq!((&verified["ok"], &verified["evaluations"]), (&true.into(), &1.into()));
    let of = |arguments: &str| shogi_with(arguments, START).lines()[0]["value"].clone();
    assert_ne!(of(&format!("explain minishogi --eval {path}")), of("explain minishogi"));
    let selfplay = "selfplay minishogi --games 1 --seed 1 --nodes 50 --eval";
    shogi(&format!("{selfplay} {path}")).fails(0, "");
    shogi_with(&format!("{selfplay} -"), &file).fails(0, "");
    let explained = shogi_with("explain minishogi --sfen startpos --eval -", &file).json();
    assert_eq!(
        explained,
        shogi(&format!("explain minishogi --sfen startpos --eval {path}")).json()
    );
    shogi_with("explain minishogi --eval -", &file).fails(2, "standard input holds the positions");
    shogi(&format!("explain kyotoshogi --eval {path}"))
        .fails(1, "it is for minishogi, but kyotoshogi is wanted");
    fs::write(&path, file.replace("--seed 5", "--seed 6")).unwrap();
    let refuted = shogi(&format!("verify {path}"));
    assert_eq!(refuted.code, Some(1));
    assert!(refuted.stdout.contains("checksum"), "{}", refuted.stdout);
}

/// The order of the arguments is that of the help.
const RUN_AS_TOLD: &str =
    "tune minishogi --seed 5 --generations 2 --games 12 --nodes 60 --plies 60";

#[test]
fn bad_requests_are_refused_before_the_first_game() {
    let folder = folder("tune_refused");
    learning::assert_bad_requests_are_refused("tune", &folder);
    let out = folder.join("tables.json").display().to_string();
    shogi(&format!("tune dobutsu --games 4000000000 --out {out}")).fails(2, "are more than");
    assert!(names(&folder).is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_leaves_the_old_file() {
    let run = "tune minishogi --games 1000000000";
    learning::assert_ctrl_c_leaves_the_old_file(run, &folder("tune_interrupted"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_checkpoint_is_gone_on_with_and_another_run_refused() {
    let folder = folder("tune_checkpoint");
    learning::assert_goes_on_from_its_checkpoint(RUN, "minishogi", &folder);
}
