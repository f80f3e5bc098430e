//! Laws of everything that is learnt from games.

use crate::common;

use std::fs;
use std::path::Path;

use common::{names, shogi};
use serde_json::Value;

/// Runs a command with one thread and with three; its answer without the time, and its file.
#[track_caller]
pub fn assert_threads_change_nothing(run: &str, folder: &Path) -> (Value, String) {
    let [one, three] = [1, 3].map(|threads| {
        let out = folder.join(format!("{threads}.json"));
        let run = shogi(&format!("{run} --json --threads {threads} --out {}", out.display()));
        assert_eq!(run.stderr, "", "no progress where nobody watches");
        let mut answer = run.json();
        assert_eq!(answer["file"], out.display().to_string());
        let seconds = answer.as_object_mut().unwrap().remove("seconds").unwrap();
        assert!(seconds.as_f64().unwrap() > 0.0);
        answer["file"] = Value::Null;
        (answer, fs::read_to_string(out).unwrap())
    });
    assert_eq!(one, three);
    one
}

/// Gives a verb for Dobutsu shogi what cannot be meant.
#[track_caller]
pub fn assert_bad_requests_are_refused(verb: &str, folder: &Path) {
    let out = folder.join("out.json").display().to_string();
    shogi(&format!("{verb} dobutsu")).fails(2, "--out");
    shogi(&format!("{verb} dobutsu --games 0 --out {out}")).fails(2, "--games");
    shogi(&format!("{verb} dobutsu --generations 0 --out {out}")).fails(2, "--generations");
    shogi(&format!("{verb} dobutsu --sfen 9 --out {out}")).fails(1, "in \"9\"");
    shogi(&format!("{verb} shogi --out {out}/absent")).fails(1, "cannot write");
    assert!(names(folder).is_empty());
}

/// Interrupts a command that would run for days, without a checkpoint.
#[cfg(target_os = "linux")]
#[track_caller]
pub fn assert_ctrl_c_leaves_the_old_file(run: &str, folder: &Path) {
    let out = folder.join("out.json");
    fs::write(&out, "old").unwrap();
    let arguments = format!("{run} --out {}", out.display());
    let run = common::interrupt(common::command(&arguments).spawn().unwrap());
    run.fails(130, "nothing is written");
    assert_eq!(run.stdout, "");
    assert_eq!(fs::read(&out).unwrap(), b"old");
    assert_eq!(names(folder), ["out.json"]);
}

/// Interrupts a command with the seed 5, resumes from its checkpoint, and gives that to another command, and damaged
/// to the same. The folder then has the files `out` and `part`, which are whole.
#[cfg(target_os = "linux")]
#[track_caller]
pub fn assert_resumes_from_its_checkpoint(run: &str, variant: &str, folder: &Path) {
    let [whole, out, part] =
        ["whole", "out", "part"].map(|name| folder.join(name).display().to_string());
    let with_part = |run: &str| format!("{run} --out {out} --checkpoint {part}");
    // The part that Ctrl-C leaves may be any.
    let interrupted = common::interrupt(common::command(&with_part(run)).spawn().unwrap());
    if interrupted.code == Some(130) {
        interrupted.fails(130, "the same command resumes from there");
        assert_eq!(names(folder), ["part"]);
    }
    let verified = shogi(&format!("verify {part} --json")).json();
    assert_eq!((&verified["ok"], &verified["variant"]), (&true.into(), &variant.into()));
    shogi(&format!("{run} --out {whole}")).fails(0, "");
    shogi(&with_part(run)).fails(0, "");
    assert_eq!(fs::read(&out).unwrap(), fs::read(&whole).unwrap());
    let finished = fs::read(&part).unwrap();
    shogi(&with_part(run)).fails(0, "");
    assert_eq!(fs::read(&out).unwrap(), fs::read(&whole).unwrap());
    assert_eq!(fs::read(&part).unwrap(), finished);
    let other = run.replace("--seed 5", "--seed 6");
    assert_ne!(other, run);
    shogi(&with_part(&other)).fails(1, "of another run: it has seed 5, not 6\n");
    let mut damaged = finished.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    fs::write(&part, damaged).unwrap();
    shogi(&with_part(run)).fails(1, "cannot resume from this checkpoint");
    assert_eq!(shogi(&format!("verify {part}")).code, Some(1));
    fs::write(&part, finished).unwrap();
}
