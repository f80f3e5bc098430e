//! tune: one file of tables whatever the threads, which the other verbs take; whole or none.

use crate::common;

use std::fs;

use common::{START, folder, names, shogi, shogi_with};
use serde_json::Value;

const RUN: &str = "tune minishogi --games 12 --generations 2 --nodes 60 --plies 60 --seed 5";

#[test]
fn threads_change_nothing_and_the_tables_are_used() {
    let folder = folder("tune_threads");
    let [one, three] = [1, 3].map(|threads| {
        let out = folder.join(format!("{threads}.json"));
        let run = shogi(&format!("{RUN} --json --threads {threads} --out {}", out.display()));
        assert_eq!(run.stderr, "", "no progress where nobody watches");
        let mut answer = run.json();
        assert_eq!(answer["file"], out.display().to_string());
        let seconds = answer.as_object_mut().unwrap().remove("seconds").unwrap();
        assert!(seconds.as_f64().unwrap() > 0.0);
        answer["file"] = Value::Null;
        (answer, fs::read_to_string(out).unwrap())
    });
    assert_eq!(one, three);
    let (answer, file) = one;
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
    let out = folder.join("tables.json").display().to_string();
    shogi("tune dobutsu").fails(2, "--out");
    shogi(&format!("tune dobutsu --games 0 --out {out}")).fails(2, "--games");
    shogi(&format!("tune dobutsu --generations 0 --out {out}")).fails(2, "--generations");
    shogi(&format!("tune dobutsu --games 4000000000 --out {out}")).fails(2, "are more than");
    shogi(&format!("tune dobutsu --sfen 9 --out {out}")).fails(1, "in \"9\"");
    shogi(&format!("tune shogi --out {out}/absent")).fails(1, "cannot write");
    assert!(names(&folder).is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_leaves_the_old_file() {
    let folder = folder("tune_interrupted");
    let out = folder.join("tables.json");
    fs::write(&out, "old").unwrap();
    let arguments = format!("tune minishogi --games 1000000000 --out {}", out.display());
    let run = common::interrupt(common::command(&arguments).spawn().unwrap());
    run.fails(130, "nothing is written");
    assert_eq!(run.stdout, "");
    assert_eq!(fs::read(&out).unwrap(), b"old");
    assert_eq!(names(&folder), ["tables.json"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_checkpoint_is_gone_on_with_and_another_run_refused() {
    let folder = folder("tune_checkpoint");
    let [whole, out, part] =
        ["whole", "out", "part"].map(|name| folder.join(name).display().to_string());
    // The part that Ctrl-C leaves may be any.
    let run = common::interrupt(
        common::command(&format!("{RUN} --out {out} --checkpoint {part}")).spawn().unwrap(),
    );
    if run.code == Some(130) {
        assert!(run.stderr.contains("the same command goes on from there"), "{}", run.stderr);
        assert_eq!(names(&folder), ["part"]);
    }
    let verified = shogi(&format!("verify {part} --json")).json();
    assert_eq!((&verified["ok"], &verified["variant"]), (&true.into(), &"minishogi".into()));
    shogi(&format!("{RUN} --out {whole}")).fails(0, "");
    shogi(&format!("{RUN} --out {out} --checkpoint {part}")).fails(0, "");
    assert_eq!(fs::read(&out).unwrap(), fs::read(&whole).unwrap());
    let finished = fs::read(&part).unwrap();
    shogi(&format!("{RUN} --out {out} --checkpoint {part}")).fails(0, "");
    assert_eq!(fs::read(&out).unwrap(), fs::read(&whole).unwrap());
    assert_eq!(fs::read(&part).unwrap(), finished);
    let other = RUN.replace("--seed 5", "--seed 6");
    shogi(&format!("{other} --out {out} --checkpoint {part}")).fails(1, "of another run");
    let mut damaged = finished;
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    fs::write(&part, damaged).unwrap();
    shogi(&format!("{RUN} --out {out} --checkpoint {part}")).fails(1, "cannot go on from");
    assert_eq!(shogi(&format!("verify {part}")).code, Some(1));
}
