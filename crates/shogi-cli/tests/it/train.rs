//! train: one evaluation whatever the threads, and a whole file or none.

use crate::common;

use std::fs;

use common::{folder, names, shogi};
use serde_json::Value;

const RUN: &str = "train dobutsu --games 200 --generations 2 --seed 5";

#[test]
fn threads_change_nothing() {
    let folder = folder("train_threads");
    let [one, three] = [1, 3].map(|threads| {
        let out = folder.join(format!("{threads}.json"));
        let run = shogi(&format!("{RUN} --json --threads {threads} --out {}", out.display()));
        assert_eq!(run.stderr, "", "no progress where nobody watches");
        let mut answer = run.json();
        assert_eq!(answer["file"], out.display().to_string());
        let seconds = answer.as_object_mut().unwrap().remove("seconds").unwrap();
        assert!(seconds.as_f64().unwrap() > 0.0);
        answer["file"] = Value::Null;
        (answer, fs::read(out).unwrap())
    });
    assert_eq!(one, three);
    let (answer, file) = one;
    assert_eq!(answer["variant"], "dobutsu");
    assert_eq!(answer["settings"]["seed"], 5);
    assert_eq!(answer["settings"]["games"], 200);
    let generations = answer["generations"].as_array().unwrap();
    assert_eq!(generations.len(), 2);
    let last = &generations[1];
    assert!(last["log_loss"].as_f64().unwrap() < last["log_loss_of_mean"].as_f64().unwrap());
    let file: Value = serde_json::from_slice(&file).unwrap();
    assert_eq!(answer["weights"], file["weights"].as_array().unwrap().len());
    assert_eq!((&answer["start"], &answer["settings"]), (&file["start"], &file["settings"]));
}

#[test]
fn games_start_where_they_are_told_to() {
    let folder = folder("train_start");
    let out = folder.join("evaluation.json");
    // A lion in the corner against everything.
    let sfen = "l2/3/3/ELG b GECc 1";
    let run = common::command("train dobutsu --games 20 --generations 1 --json")
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
    let folder = folder("train_refused");
    let out = folder.join("evaluation.json").display().to_string();
    shogi("train dobutsu").fails(2, "--out");
    shogi(&format!("train dobutsu --games 0 --out {out}")).fails(2, "--games");
    shogi(&format!("train dobutsu --generations 0 --out {out}")).fails(2, "--generations");
    shogi(&format!("train dobutsu --sfen 9 --out {out}")).fails(1, "in \"9\"");
    shogi(&format!("train shogi --out {out}/absent")).fails(1, "cannot write");
    assert!(names(&folder).is_empty());
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_leaves_the_old_file() {
    let folder = folder("train_interrupted");
    let out = folder.join("evaluation.json");
    fs::write(&out, "old").unwrap();
    let arguments = format!("train dobutsu --games 4000000000 --out {}", out.display());
    let run = common::interrupt(common::command(&arguments).spawn().unwrap());
    run.fails(130, "nothing is written");
    assert_eq!(run.stdout, "");
    assert_eq!(fs::read(&out).unwrap(), b"old");
    assert_eq!(names(&folder), ["evaluation.json"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_checkpoint_is_gone_on_with_and_another_run_refused() {
    let folder = folder("train_checkpoint");
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
    assert_eq!((&verified["ok"], &verified["variant"]), (&true.into(), &"dobutsu".into()));
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
