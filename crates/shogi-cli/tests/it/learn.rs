//! learn: one evaluation whatever the threads and the runs.

use crate::common;

use std::fs;

use common::{folder, shogi};
use serde_json::Value;

const RUN: &str = "learn proofs dobutsu --games 40 --generations 1 --rounds 2 --searches 24 \
                   --nodes 800 --seed 5";

#[test]
fn threads_change_nothing_and_the_file_says_what_made_it() {
    let folder = folder("learn_threads");
    let [one, three] = [1, 3].map(|threads| {
        let out = folder.join(format!("{threads}.net"));
        let run = shogi(&format!("{RUN} --json --threads {threads} --out {}", out.display()));
        assert_eq!(run.stderr, "", "no progress where nobody watches");
        let mut answer = run.json();
        let seconds = answer.as_object_mut().unwrap().remove("seconds").unwrap();
        assert!(seconds.as_f64().unwrap() > 0.0);
        answer["file"] = Value::Null;
        (answer, fs::read(out).unwrap())
    });
    assert_eq!(one, three);
    let (answer, file) = one;
    assert_eq!(answer["bytes"], file.len());
    let rounds = answer["rounds"].as_array().unwrap();
    assert_eq!(rounds.len(), 2);
    assert!(rounds.iter().all(|round| round["fitted"]["number"] == 5));
    assert!(rounds[1]["fitted"]["records"].as_u64() > rounds[0]["fitted"]["records"].as_u64());
    let command = "shogi learn proofs dobutsu --seed 5 --generations 1 --games 40 --rounds 2 \
                   --searches 24 --nodes 800 --passes 5";
    assert!(String::from_utf8_lossy(&file).contains(&format!("\"command\":\"{command}\"")));

    let path = folder.join("1.net");
    let verified = shogi(&format!("verify {} --json", path.display())).json();
    assert_eq!((&verified["ok"], &verified["variant"]), (&true.into(), &"dobutsu".into()));
    let mut damaged = file;
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    fs::write(&path, damaged).unwrap();
    assert_eq!(shogi(&format!("verify {}", path.display())).code, Some(1));
}

#[test]
fn options_that_belong_to_another_form_are_refused() {
    let out = folder("learn_refused").join("out").display().to_string();
    shogi(&format!("learn dobutsu --out {out}")).fails(2, "unrecognized subcommand");
    shogi(&format!("learn proofs dobutsu --linear x --games 50 --out {out}"))
        .fails(2, "cannot be used with");
    shogi(&format!("learn proofs dobutsu --linear x --rounds 0 --out {out}"))
        .fails(2, "--linear needs --rounds");
    shogi(&format!("learn fit dobutsu --out {out}")).fails(2, "--archive");
    for form in ["weighted", "network"] {
        shogi(&format!("learn fit dobutsu --form {form} --archive x --eval material --out {out}"))
            .fails(2, "--eval needs --form correction");
        shogi(&format!("learn fit dobutsu --form {form} --archive x --weights x --out {out}"))
            .fails(2, "--weights needs --form halfkp or kp");
    }
    shogi(&format!("learn fit dobutsu --archive x --result-share 1.5 --out {out}"))
        .fails(2, "not a number from 0 to 1");
    shogi("learn match dobutsu --nodes 10 --movetime 1").fails(2, "cannot be used with");
}

#[test]
fn weights_are_fitted_to_archives_and_play() {
    let folder = folder("learn_weighted");
    let [games, weights, again] =
        ["games", "weights", "again"].map(|name| folder.join(name).display().to_string());
    shogi(&format!("selfplay dobutsu --games 20 --nodes 30 --seed 3 --out {games}")).fails(0, "");
    for out in [&weights, &again] {
        let fit =
            format!("learn fit dobutsu --form weighted --passes 2 --archive {games} --out {out}");
        let answer = shogi(&format!("{fit} --json")).json();
        assert_eq!(answer["games"], 20);
        assert_eq!(answer["passes"].as_array().unwrap().len(), 2);
    }
    assert_eq!(fs::read(&weights).unwrap(), fs::read(&again).unwrap());
    shogi(&format!("verify {weights}")).fails(0, "");
    let made = fs::read_to_string(&weights).unwrap();
    assert!(made.contains("20 games by network"), "{made}");
    let play = format!("selfplay dobutsu --games 2 --nodes 30 --eval {weights} --out {again}");
    shogi(&play).fails(0, "");
    shogi(&format!("selfplay shogi --games 2 --nodes 30 --eval {weights} --out {again}"))
        .fails(1, "it is for dobutsu, but shogi is wanted");
    // Cut off, it is no file of weights.
    fs::write(&weights, &made[..made.len() / 2]).unwrap();
    shogi(&format!("verify {weights}")).fails(1, "");
}

#[test]
fn a_network_corrects_weights_and_plays() {
    let folder = folder("learn_corrected");
    let [games, weights, net, again] =
        ["games", "weights", "net", "again"].map(|name| folder.join(name).display().to_string());
    shogi(&format!("selfplay dobutsu --games 20 --nodes 30 --seed 3 --out {games}")).fails(0, "");
    shogi(&format!("learn fit dobutsu --form weighted --archive {games} --out {weights}"))
        .fails(0, "");
    for out in [&net, &again] {
        let fit = format!("learn fit dobutsu --form correction --archive {games} --eval {weights}");
        let answer = shogi(&format!("{fit} --out {out} --json")).json();
        assert_eq!(answer["passes"].as_array().unwrap().len(), 1);
        assert_eq!(answer["bytes"], fs::metadata(out).unwrap().len());
    }
    let file = fs::read(&net).unwrap();
    assert_eq!(file, fs::read(&again).unwrap());
    // The weights are in its heading, with what it was made from.
    let heading = String::from_utf8_lossy(&file[..4000]);
    assert!(heading.contains("20 games by network") && heading.contains("base"), "{heading}");
    shogi(&format!("verify {net}")).fails(0, "");
    shogi(&format!("selfplay dobutsu --games 2 --nodes 30 --eval {net} --out {again}"))
        .fails(0, "");
    // Only weights can be corrected.
    let fit =
        |base: &str| format!("learn fit dobutsu --form correction --archive {games} --eval {base}");
    for base in ["material", &net] {
        shogi(&format!("{} --out {again}", fit(base)))
            .fails(1, "a network corrects weighted features only, and ");
    }
    shogi(&format!("{} --out {again}", fit(&games))).fails(1, "");
}

#[test]
fn a_network_is_fitted_to_archives_and_plays() {
    let folder = folder("learn_fitted");
    let [one, two, net, again] =
        ["one", "two", "net", "again"].map(|name| folder.join(name).display().to_string());
    shogi(&format!("selfplay dobutsu --games 15 --nodes 30 --seed 3 --out {one}")).fails(0, "");
    shogi(&format!("selfplay dobutsu --games 10 --nodes 30 --seed 4 --out {two}")).fails(0, "");
    for out in [&net, &again] {
        let fit = format!("learn fit dobutsu --archive {one} --archive {two} --passes 2");
        let answer = shogi(&format!("{fit} --out {out} --json")).json();
        assert_eq!(answer["passes"].as_array().unwrap().len(), 2);
        assert_eq!(answer["bytes"], fs::metadata(out).unwrap().len());
    }
    let file = fs::read(&net).unwrap();
    assert_eq!(file, fs::read(&again).unwrap());
    let heading = String::from_utf8_lossy(&file[..1000]);
    for part in [
        "--form network --seed 1 --passes 2: 15 games by network ",
        "seed 3, 30 nodes a move; 10 games",
    ] {
        assert!(heading.contains(part), "{heading}");
    }
    shogi(&format!("verify {net}")).fails(0, "");
    shogi(&format!("selfplay dobutsu --games 2 --nodes 30 --eval {net} --out {again}"))
        .fails(0, "");
    shogi(&format!("learn fit shogi --archive {one} --out {again}")).fails(1, "dobutsu");
}

#[test]
fn a_linear_evaluation_may_be_given_and_changes_nothing_else() {
    let folder = folder("learn_linear");
    let [linear, one, two] =
        ["linear.json", "one", "two"].map(|name| folder.join(name).display().to_string());
    shogi(&format!(
        "learn proofs dobutsu --rounds 0 --games 40 --generations 1 --seed 5 --out {linear}"
    ))
    .fails(0, "");
    let given = RUN.replace("--games 40 --generations 1", &format!("--linear {linear}"));
    let [trained, given] = [(RUN, one), (given.as_str(), two)].map(|(run, out)| {
        let answer = shogi(&format!("{run} --json --out {out}")).json();
        [answer["linear"].clone(), answer["rounds"].clone(), answer["records"].clone()]
    });
    assert_eq!(trained, given);
}

#[cfg(target_os = "linux")]
#[test]
fn a_checkpoint_is_resumed_and_one_of_another_run_refused() {
    let folder = folder("learn_checkpoint");
    // The part that Ctrl-C leaves is of the games or of the searches.
    crate::learning::assert_resumes_from_its_checkpoint(RUN, "dobutsu", &folder);
    let [out, part] = ["out", "part"].map(|name| folder.join(name).display().to_string());
    assert_eq!(shogi(&format!("verify {part} --json")).json()["searches"], 48);
    let is_refused = |run: &str, start: &[&str], found: &str| {
        let run =
            common::command(&format!("{run} --out {out} --checkpoint {part}")).args(start).output();
        common::Run::from(run.unwrap())
            .fails(1, &format!("the checkpoint is of another run: it has {found}\n"));
    };
    is_refused(&RUN.replace("--games 40", "--games 50"), &[], "games 40, not 50");
    is_refused(&RUN.replace("--nodes 800", "--nodes 900"), &[], "nodes 800, not 900");
    is_refused(RUN, &["--sfen", "l2/3/3/ELG b GECc 1"], "another start");
}

/// The command of a fit to games that are played first, with the seed 5.
fn fit_of_games(folder: &std::path::Path, more: &str) -> String {
    // Elsewhere, so that the folder has only what the fit writes.
    let games = folder.with_extension("games").display().to_string();
    shogi(&format!("selfplay dobutsu --games 12 --nodes 30 --seed 3 --out {games}")).fails(0, "");
    format!("learn fit dobutsu --archive {games} --seed 5 {more}")
}

#[cfg(target_os = "linux")]
#[test]
fn a_fit_is_resumed_from_its_checkpoint_and_another_one_refused() {
    for (form, passes) in [("network", 300), ("weighted", 3000)] {
        let folder = folder(&format!("learn_fit_{form}"));
        let run = fit_of_games(&folder, &format!("--form {form} --passes {passes}"));
        crate::learning::assert_resumes_from_its_checkpoint(&run, "dobutsu", &folder);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_of_a_fit_leaves_the_old_file() {
    let folder = folder("learn_fit_interrupted");
    let run = fit_of_games(&folder, "--passes 4000000000");
    crate::learning::assert_ctrl_c_leaves_the_old_file(&run, &folder);
}

#[test]
fn a_checkpoint_of_a_fit_says_how_far_it_has_come() {
    let folder = folder("learn_fit_verified");
    let run = fit_of_games(&folder, "--passes 2");
    let [out, part] = ["out", "part"].map(|name| folder.join(name).display().to_string());
    shogi(&format!("{run} --out {out} --checkpoint {part}")).fails(0, "");
    let verified = shogi(&format!("verify {part} --json")).json();
    assert_eq!((&verified["ok"], &verified["steps"]), (&true.into(), &2.into()));
    let text = shogi(&format!("verify {part}")).stdout;
    assert_eq!(text, "ok: a checkpoint of learn for dobutsu: 2 steps\n");
    // Of the same form, but to other games.
    let games = folder.join("games").display().to_string();
    shogi(&format!("selfplay dobutsu --games 12 --nodes 30 --seed 4 --out {games}")).fails(0, "");
    let to_others = format!("learn fit dobutsu --archive {games} --seed 5 --passes 2");
    for (run, words) in [
        (&to_others, "archive \""),
        (&run.replace("--passes 2", "--passes 3"), "passes 2, not 3\n"),
        (&run.replace("--seed 5", "--seed 6"), "seed 5, not 6\n"),
        (
            &format!("{run} --rate 0.1 --form weighted"),
            "form \"network\", not \"weighted\"; rate unset, not 0.1\n",
        ),
    ] {
        let words = format!("the checkpoint is of another run: it has {words}");
        shogi(&format!("{run} --out {out} --checkpoint {part}")).fails(1, &words);
    }
}

/// The recipe of the paper on Kyoto shogi, on every board.
#[test]
fn a_kp_network_learns_from_zero_and_goes_on_from_its_weights() {
    let folder = folder("learn_kp");
    let path = |name: &str| folder.join(name).display().to_string();
    for (name, start) in
        [("kyotoshogi", ""), ("minishogi", ""), ("shogi34", " --start KNR"), ("dobutsu", "")]
    {
        let [games, first, second, again] =
            ["games", "first", "second", "again"].map(|file| path(&format!("{name}.{file}")));
        let play = |eval: &str, out: &str| {
            let play = format!("selfplay {name}{start} --games 12 --nodes 30 --seed 3");
            shogi(&format!("{play} --eval {eval} --out {out}")).fails(0, "");
        };
        play("zero", &games);
        let fit = |options: &str, out: &str| {
            let fit = format!("learn fit {name} --form kp --archive {games} --passes 40");
            let answer = shogi(&format!("{fit} {options} --out {out} --json")).json();
            assert!(answer["name"].as_str().unwrap().starts_with("kp "), "{answer}");
            answer["passes"][0]["loss"].as_f64().unwrap()
        };
        let begun = fit("--result-share 1", &first);
        let gone_on = fit(&format!("--result-share 1 --weights {first}"), &second);
        assert!(gone_on < begun, "{name}: {begun}, then {gone_on}");
        fit(&format!("--result-share 1 --weights {first}"), &again);
        assert_eq!(fs::read(&second).unwrap(), fs::read(&again).unwrap());
        play(&second, &again);
        let played = format!("learn match {name}{start} --eval {second} --against zero --pairs 1");
        let answer = shogi(&format!("{played} --movetime 0.002 --plies 40 --json")).json();
        assert_eq!(answer["self_play"]["effort"]["milliseconds"], 2);
    }
    let [games, kyoto, out] = ["dobutsu.games", "kyotoshogi.first", "out"].map(path);
    let fit = |weights: &str| {
        shogi(&format!(
            "learn fit dobutsu --form kp --archive {games} --weights {weights} --out {out}"
        ))
    };
    fit(&kyoto).fails(1, "the hash of the network is ");
    fit("network").fails(
        1,
        "the fit can begin from a network of the form K-P 256x2-32-32 only, and network ",
    );
    shogi(&format!("learn fit dobutsu --form halfkp --archive {games} --out {out}"))
        .fails(2, "a network of the form HalfKP is not available for dobutsu");
}
