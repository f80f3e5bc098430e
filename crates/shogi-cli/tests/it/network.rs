//! learn play: one network whatever the threads and the runs, which the other verbs take.

use crate::{common, learning};

use std::fs;

use common::{folder, names, shogi};

const RUN: &str = "learn play dobutsu --games 12 --generations 1 --nodes 30 --plies 40 --seed 5";

#[test]
fn threads_change_nothing_and_the_network_is_used() {
    let folder = folder("network_threads");
    let [one, three] = [1, 3].map(|threads| {
        let out = folder.join(format!("{threads}.net"));
        let run = shogi(&format!("{RUN} --json --threads {threads} --out {}", out.display()));
        assert_eq!(run.stderr, "", "no progress where nobody watches");
        (run.json()["generations"].clone(), fs::read(out).unwrap())
    });
    assert_eq!(one, three);
    let (generations, file) = one;
    assert!(generations[0]["positions"].as_u64().unwrap() > 20);
    let command = "shogi learn play dobutsu --seed 5 --generations 1 --games 12 --nodes 30 --plies 40 \
                   --passes 4 --eval standard";
    assert!(String::from_utf8_lossy(&file).contains(&format!("\"command\":\"{command}\"")));

    let path = folder.join("1.net").display().to_string();
    let verified = shogi(&format!("verify {path} --json")).json();
    assert_eq!((&verified["ok"], &verified["variant"]), (&true.into(), &"dobutsu".into()));
    let of = |eval: &str| shogi(&format!("explain dobutsu --sfen startpos {eval} --json")).json();
    assert_ne!(of(&format!("--eval {path}")), of(""));
    shogi(&format!("selfplay dobutsu --games 1 --seed 1 --nodes 50 --eval {path}")).fails(0, "");
    shogi(&format!("explain kyotoshogi --sfen startpos --eval {path}"))
        .fails(1, "it is for dobutsu, but kyotoshogi is wanted");
    let mut damaged = file;
    *damaged.last_mut().unwrap() ^= 1;
    fs::write(&path, damaged).unwrap();
    assert_eq!(shogi(&format!("verify {path}")).code, Some(1));
}

#[test]
fn games_of_an_archive_are_the_ones_that_would_have_been_played() {
    let folder = folder("network_archive");
    let [whole, taken, games, others] =
        ["whole", "taken", "games", "others"].map(|name| folder.join(name).display().to_string());
    shogi(&format!("{RUN} --out {whole}")).fails(0, "");
    let selfplay = "selfplay dobutsu --games 12 --nodes 30 --plies 40";
    shogi(&format!("{selfplay} --seed 5 --out {games}")).fails(0, "");
    shogi(&format!("{RUN} --archive {games} --out {taken}")).fails(0, "");
    assert_eq!(fs::read(taken).unwrap(), fs::read(&whole).unwrap());
    shogi(&format!("{selfplay} --seed 6 --out {others}")).fails(0, "");
    shogi(&format!("{RUN} --archive {others} --out {whole}")).fails(1, "cannot take games from");
}

#[cfg(target_os = "linux")]
#[test]
fn a_checkpoint_is_resumed_and_one_of_another_run_refused() {
    learning::assert_resumes_from_its_checkpoint(RUN, "dobutsu", &folder("network_checkpoint"));
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_leaves_the_old_file() {
    let run = "learn play dobutsu --games 1000000000";
    learning::assert_ctrl_c_leaves_the_old_file(run, &folder("network_interrupted"));
}

#[test]
fn bad_requests_are_refused_before_the_first_game() {
    let folder = folder("network_refused");
    learning::assert_bad_requests_are_refused("learn play", &folder);
    let out = folder.join("net").display().to_string();
    shogi(&format!("learn play dobutsu --games 4000000000 --out {out}")).fails(2, "are more than");
    assert!(names(&folder).is_empty());
}
