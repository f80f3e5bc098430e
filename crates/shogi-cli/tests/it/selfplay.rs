//! selfplay: one archive whatever the threads and interruptions, and `explain` beside it.

use crate::common;

use std::fs;

use common::{folder, names, shogi, shogi_with};

const RUN: &str = "selfplay minishogi --games 6 --seed 3 --nodes 60 --plies 60";

#[test]
fn threads_change_nothing_and_the_files_are_whole() {
    let folder = folder("selfplay_threads");
    let [one, three] = [1, 3].map(|threads| {
        let [out, records] = ["bin", "jsonl"]
            .map(|end| folder.join(format!("{threads}.{end}")).display().to_string());
        let run =
            shogi(&format!("{RUN} --json --threads {threads} --out {out} --records {records}"));
        assert_eq!(run.stderr, "", "no progress where nobody watches");
        let mut answer = run.json();
        answer.as_object_mut().unwrap().remove("seconds").unwrap();
        let verified = shogi(&format!("verify {out} --json")).json();
        assert_eq!(verified["ok"], true);
        for field in ["games", "distinct", "sente_wins", "gote_wins", "draws", "positions"] {
            assert_eq!(verified[field], answer[field], "{field}");
        }
        (answer, fs::read(out).unwrap(), fs::read_to_string(records).unwrap())
    });
    assert_eq!(one, three);
    let (answer, _, records) = one;
    assert_eq!(answer["games"], 6);
    let ends = ["sente_wins", "gote_wins", "draws"].map(|field| answer[field].as_u64().unwrap());
    assert_eq!(ends.iter().sum::<u64>(), 6);
    assert_eq!(records.lines().count(), 6);
    let all = shogi_with("convert minishogi --to usi -", &records);
    assert_eq!((all.code, all.stdout.lines().count()), (Some(0), 6), "{}", all.stderr);
    let all = shogi_with("convert minishogi --to kif -", &records);
    assert_eq!(all.stdout.matches("手数----").count(), 6, "{}", all.stderr);
    let damaged = records.replacen("moves", "movez", 1);
    shogi_with("convert minishogi --to usi -", &damaged).fails(1, "standard input:1:");
    for record in records.lines() {
        let run = shogi_with("convert minishogi --to kif -", record);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(run.stdout.contains("手数"), "{}", run.stdout);
    }
}

#[test]
fn a_checkpoint_is_resumed_and_one_of_another_run_refused() {
    let folder = folder("selfplay_checkpoint");
    let [whole, part, out] =
        ["whole", "part", "out"].map(|name| folder.join(name).display().to_string());
    shogi(&format!("{RUN} --out {whole}")).fails(0, "");
    let shorter = RUN.replace("--games 6", "--games 2");
    shogi(&format!("{shorter} --checkpoint {part}")).fails(0, "");
    shogi(&format!("{RUN} --checkpoint {part} --out {out}")).fails(0, "");
    assert_eq!(fs::read(&out).unwrap(), fs::read(&whole).unwrap());
    assert_eq!(fs::read(&part).unwrap(), fs::read(&whole).unwrap());
    // Fewer games are the first ones, and the checkpoint keeps all.
    let answer = shogi(&format!("{shorter} --checkpoint {part} --out {out} --json")).json();
    assert_eq!(answer["games"], 2);
    assert_eq!(fs::read(&part).unwrap(), fs::read(&whole).unwrap());
    let fresh = folder.join("fresh").display().to_string();
    shogi(&format!("{shorter} --out {fresh}")).fails(0, "");
    assert_eq!(fs::read(&out).unwrap(), fs::read(&fresh).unwrap());
    // What differs is named, and nothing else.
    for (options, differing) in [
        (RUN.replace("--seed 3", "--seed 4"), "seed 3, not 4"),
        (
            RUN.replace("--nodes 60", "--nodes 70 --mate-probe"),
            "mate_probe false, not true; nodes 60, not 70",
        ),
    ] {
        let refused = shogi(&format!("{options} --checkpoint {part}"));
        refused.fails(1, &format!("of another run: it has {differing}\n"));
    }
    let refused = shogi(&format!("{RUN} --eval material --checkpoint {part}"));
    refused.fails(1, "of another run: it has evaluation \"network ");
    refused.fails(1, "\", not \"material\"\n");
    let other = RUN.replace("minishogi", "dobutsu");
    shogi(&format!("{other} --checkpoint {part}"))
        .fails(1, "it is for minishogi, but dobutsu is wanted");
    let mut damaged = fs::read(&whole).unwrap();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    fs::write(&whole, damaged).unwrap();
    let refuted = shogi(&format!("verify {whole}"));
    assert_eq!(refuted.code, Some(1));
    assert!(refuted.stdout.contains("the checksum does not match"), "{}", refuted.stdout);
}

#[test]
fn counts_may_be_rounded_and_the_seed_is_1_by_default() {
    let folder = folder("selfplay_numbers");
    let [plain, rounded] = ["plain", "rounded"].map(|name| folder.join(name).display().to_string());
    shogi(&format!("selfplay dobutsu --games 10 --nodes 50 --seed 1 --out {plain}")).fails(0, "");
    shogi(&format!("selfplay dobutsu --games 1e1 --nodes 5e1 --out {rounded}")).fails(0, "");
    assert_eq!(fs::read(plain).unwrap(), fs::read(rounded).unwrap());
}

#[test]
fn bad_requests_are_refused_before_the_first_game() {
    let folder = folder("selfplay_refused");
    shogi("selfplay minishogi --games 0 --seed 1").fails(2, "--games");
    shogi("selfplay minishogi --games 1 --seed 1 --nodes 5 --movetime 1").fails(2, "--movetime");
    let absent = folder.join("absent/file").display().to_string();
    shogi(&format!("selfplay minishogi --games 1 --seed 1 --out {absent}"))
        .fails(1, "cannot write");
    shogi(&format!("selfplay minishogi --games 1 --seed 1 --eval {absent}")).fails(1, &absent);
    assert!(names(&folder).is_empty());
}

#[test]
fn a_dash_is_standard_output() {
    let folder = folder("selfplay_dash");
    let path = folder.join("games").display().to_string();
    let run = |out: &str| {
        let command = format!("selfplay dobutsu --games 3 --nodes 40 --records {out} --json");
        let run = shogi(&command);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run
    };
    let (file, dash) = (run(&path), run("-"));
    assert_eq!(dash.stdout, fs::read_to_string(&path).unwrap());
    assert!(dash.stderr.starts_with("{\"variant\":\"dobutsu\",\"games\":3"), "{}", dash.stderr);
    assert_eq!(file.json()["games"], 3);
    shogi("selfplay dobutsu --games 3 --checkpoint -").fails(2, "--checkpoint needs a file");
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_keeps_the_games_played() {
    let folder = folder("selfplay_interrupted");
    let [out, part] = ["out", "part"].map(|name| folder.join(name).display().to_string());
    let arguments = format!(
        "selfplay shogi --games 900000000 --seed 1 --nodes 100 --out {out} --checkpoint {part}"
    );
    let run = common::interrupt(common::command(&arguments).spawn().unwrap());
    run.fails(130, "games are saved in");
    assert_eq!(names(&folder), ["part"]);
    assert_eq!(shogi(&format!("verify {part} --json")).json()["ok"], true);
}

#[test]
fn terms_add_up() {
    let input = "rbsgk/4p/5/P4/KGSBR b - 1\nrbsgk/4p/5/P4/KGS1R w b 1\nx\n";
    let run = shogi_with("explain minishogi", input);
    assert_eq!(run.code, Some(1));
    let lines = run.lines();
    for line in &lines[..2] {
        let terms = line["terms"].as_array().unwrap();
        let sum: i64 = terms.iter().map(|term| term["value"].as_i64().unwrap()).sum();
        assert!(!terms.is_empty() && terms.iter().all(|term| term["name"].is_string()));
        assert_eq!(line["value"], sum);
    }
    // A bishop more.
    assert!(lines[1]["value"].as_i64().unwrap() > 500);
    assert!(lines[2]["error"].is_string());
}
