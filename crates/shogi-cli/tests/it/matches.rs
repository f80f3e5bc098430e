//! learn match: one result whatever the threads and the runs.

use crate::common;

use std::fs;

use common::{folder, shogi};
use serde_json::Value;

const RUN: &str = "learn match dobutsu --against material --pairs 12 --nodes 40 --seed 5";

/// The answer without its time.
fn answer(arguments: &str) -> Value {
    let mut answer = shogi(arguments).json();
    answer.as_object_mut().unwrap().remove("seconds").unwrap();
    answer
}

#[test]
fn threads_change_nothing_and_the_file_is_the_answer() {
    let out = folder("match_threads").join("result.json").display().to_string();
    let one = answer(&format!("{RUN} --json --threads 1 --out {out}"));
    assert_eq!(answer(&format!("{RUN} --json --threads 3")), one);
    let games: u64 =
        ["won", "drawn", "lost"].map(|field| one[field].as_u64().unwrap()).iter().sum();
    assert!(games > 0 && games <= 24, "{one}");
    assert_eq!((&one["variant"], &one["players"][1]), (&"dobutsu".into(), &"material".into()));
    let mut written: Value = serde_json::from_str(&fs::read_to_string(out).unwrap()).unwrap();
    written.as_object_mut().unwrap().remove("seconds").unwrap();
    assert_eq!(written, one);
    let text = shogi(RUN).stdout;
    assert!(text.contains(" against material: ") && text.contains(" Elo ("), "{text}");
}

#[test]
fn an_evaluation_is_as_good_as_itself() {
    let even = answer(
        "learn match dobutsu --eval material --against material --pairs 3 --nodes 40 --json",
    );
    assert_eq!((&even["won"], &even["share"]), (&even["lost"], &0.5.into()));
}

#[test]
fn what_cannot_be_meant_is_refused() {
    shogi(&format!("{RUN} --low 10 --high 5")).fails(2, "--low has to be less than --high");
    shogi("learn match dobutsu --against absent.net").fails(1, "absent.net");
    shogi("learn match dobutsu --pairs 0").fails(2, "--pairs");
    let folder = folder("match_damaged");
    let path = |name: &str| folder.join(name).display().to_string();
    fs::write(path("first.net"), "no network").unwrap();
    fs::write(path("second.net"), "no network either").unwrap();
    for (players, culprit) in [
        ("--eval first.net", "first.net: "),
        ("--against second.net", "second.net: "),
        ("--eval first.net --against second.net", "first.net: "),
    ] {
        let mut run = common::command(&format!("learn match dobutsu --pairs 1 {players}"));
        let run: common::Run = run.current_dir(&folder).output().unwrap().into();
        run.fails(1, culprit);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_checkpoint_is_resumed_and_another_match_refused() {
    let part = folder("match_checkpoint").join("part").display().to_string();
    let long = RUN.replace("--pairs 12", "--pairs 12 --high 400");
    let with_part = |run: &str| format!("{run} --json --checkpoint {part}");
    // What Ctrl-C leaves may be any number of pairs.
    let run = common::interrupt(common::command(&with_part(&long)).spawn().unwrap());
    assert!(matches!(run.code, Some(0 | 130)), "{}", run.stderr);
    let verified = shogi(&format!("verify {part} --json")).json();
    assert_eq!((&verified["ok"], &verified["variant"]), (&true.into(), &"dobutsu".into()));
    let whole = answer(&format!("{long} --json"));
    assert_eq!(answer(&with_part(&long)), whole);
    // What has ended is not played again.
    assert_eq!(answer(&with_part(&long)), whole);
    for (from, to, words) in [
        ("--seed 5", "--seed 6", "seed 5, not 6"),
        ("--high 400", "--high 300", "high 400.0, not 300.0"),
        ("--pairs 12", "--pairs 13 --plies 99", "pairs 12, not 13; plies 400, not 99"),
    ] {
        assert!(long.contains(from), "{long}");
        let words = format!("the checkpoint is of another run: it has {words}\n");
        shogi(&with_part(&long.replace(from, to))).fails(1, &words);
    }
    let mut damaged = fs::read(&part).unwrap();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    fs::write(&part, damaged).unwrap();
    shogi(&with_part(&long)).fails(1, "cannot resume from this checkpoint");
    assert_eq!(shogi(&format!("verify {part}")).code, Some(1));
}
