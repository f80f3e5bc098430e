//! estimate and merge: one result whatever the threads, shards and interruptions.

use crate::common;

use std::fs;
use std::path::Path;

use common::{folder, names, shogi, shogi_with};
use serde_json::{Value, json};

const RUN: &str = "estimate minishogi --samples 50000 --seed 7";

/// Runs part `part` of the run, and returns the file with its tally.
fn shard(folder: &Path, part: &str) -> String {
    let out = folder.join(format!("{}.json", part.replace('/', "of"))).display().to_string();
    let run = shogi(&format!("{RUN} --shard {part} --out {out}"));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    out
}

#[test]
fn an_estimate_is_a_funnel_and_an_interval() {
    let run = shogi(&format!("{RUN} --json"));
    assert_eq!(run.stderr, "", "no progress where nobody watches");
    let answer = run.json();
    assert_eq!(answer["variant"], "minishogi");
    assert_eq!(answer["seed"], 7);
    assert_eq!(answer["samples"], 50_000);
    assert_eq!(answer["complete"], true);
    assert_eq!(answer["candidates"], "16014219505238849250");
    let stages = ["samples", "flip", "pawn", "king", "ok"];
    let left = stages.map(|stage| answer["funnel"][stage].as_u64().unwrap());
    assert!(left.windows(2).all(|pair| pair[0] > pair[1]), "{left:?}");
    assert_eq!(answer["funnel"]["unknown"], 0);
    let unreachable = answer["unreachable_by_plies"].as_object().unwrap();
    assert_eq!(left[3] - left[4], unreachable.values().map(|n| n.as_u64().unwrap()).sum::<u64>());
    let [low, high] = [0, 1].map(|i| answer["p_interval"][i].as_f64().unwrap());
    assert!(low < 0.1485 && 0.1485 < high && high - low < 0.01);
    let text = shogi(RUN).stdout;
    assert!(text.contains("reachable") && text.contains("estimate 2."), "{text}");
}

#[test]
fn threads_and_shards_change_nothing() {
    let folder = folder("shards");
    let whole = shogi(&format!("{RUN} --json"));
    for threads in [1, 2, 5] {
        let run = shogi(&format!("{RUN} --json --threads {threads}"));
        assert_eq!(run.stdout, whole.stdout);
    }
    let parts = ["3/4", "1/4", "4/4", "2/4"].map(|part| shard(&folder, part));
    let one = shard(&folder, "1/1");
    let merged = folder.join("merged.json").display().to_string();
    let run = shogi(&format!("merge {} --json --out {merged}", parts.join(" ")));
    assert_eq!(run.stdout, whole.stdout);
    assert_eq!(fs::read(&merged).unwrap(), fs::read(&one).unwrap());
    // Merging goes step by step too, and says what is still missing.
    let half = folder.join("half.json").display().to_string();
    let run = shogi(&format!("merge {} {} --json --out {half}", parts[0], parts[1]));
    assert_eq!(
        (&run.json()["complete"], &run.json()["done"]),
        (&Value::from(false), &Value::from(25_000))
    );
    let run = shogi(&format!("merge {half} {} {} --json", parts[2], parts[3]));
    assert_eq!(run.stdout, whole.stdout);
    let verified = shogi(&format!("verify {merged} --json")).json();
    assert_eq!((&verified["ok"], &verified["shards"]), (&Value::from(true), &Value::from(1)));
    // More parts than samples: some are empty.
    let few = "estimate minishogi --samples 2 --seed 7 --json --shard";
    let done: Vec<_> =
        (1..=3).map(|i| shogi(&format!("{few} {i}/3")).json()["done"].as_u64().unwrap()).collect();
    assert_eq!(done.iter().sum::<u64>(), 2, "{done:?}");
}

#[test]
fn a_dash_is_standard_input_or_output() {
    let folder = folder("estimate_dash");
    let one = shard(&folder, "1/2");
    let whole = shogi(&format!("{RUN} --json"));
    let other = shogi(&format!("{RUN} --shard 2/2 --out - --json"));
    let report: Value = serde_json::from_str(&other.stderr).unwrap();
    assert_eq!((&report["done"], &report["complete"]), (&25_000.into(), &false.into()));
    let merged = shogi_with(&format!("merge {one} - --json"), &other.stdout);
    assert_eq!(merged.stdout, whole.stdout, "{}", merged.stderr);
    let verified = shogi_with(&format!("verify {one} - --json"), &other.stdout);
    assert_eq!(verified.code, Some(0), "{}", verified.stderr);
    assert!(verified.lines().iter().all(|answer| answer["ok"] == true && answer["shards"] == 1));
    assert_eq!(verified.lines().len(), 2);
}

#[test]
fn several_files_are_verified_each_with_its_answer() {
    let folder = folder("verify_several");
    let good = shard(&folder, "1/4");
    let bad = folder.join("bad.json");
    fs::write(&bad, fs::read_to_string(&good).unwrap().replacen("\"seed\":7", "\"seed\":9", 1))
        .unwrap();
    let files = format!("{good} {} {}/absent {good}", bad.display(), folder.display());
    let run = shogi(&format!("verify {files} --json"));
    assert_eq!(run.code, Some(1));
    let ok: Vec<_> = run.lines().iter().map(|answer| answer["ok"].as_bool().unwrap()).collect();
    assert_eq!(ok, [true, false, false, true]);
    assert!(run.lines()[2]["reason"].as_str().unwrap().contains("cannot read"), "{}", run.stdout);
    let text = shogi(&format!("verify {files}")).stdout;
    assert!(text.contains("absent: cannot read") && text.contains("bad.json:\nrefuted"), "{text}");
}

#[test]
fn shards_that_do_not_fit_are_refused() {
    let folder = folder("misfits");
    let one = shard(&folder, "1/4");
    let other = |name: &str, arguments: &str| {
        let out = folder.join(name).display().to_string();
        assert_eq!(shogi(&format!("{arguments} --out {out}")).code, Some(0));
        out
    };
    let seed = other("seed.json", "estimate minishogi --samples 50000 --seed 8 --shard 2/4");
    let samples = other("samples.json", "estimate minishogi --samples 50001 --seed 7 --shard 2/4");
    shogi(&format!("merge {one} {one}")).fails(1, "samples 0 to 12500 are in both");
    shogi(&format!("merge {one} {seed}")).fails(1, "seed: 7 and 8");
    shogi(&format!("merge {one} {samples}")).fails(1, "samples: 50000 and 50001");
    shogi(&format!("merge {one} {}/none.json", folder.display())).fails(1, "none.json");
    shogi("merge").fails(2, "FILE");

    // Damage is found wherever it is.
    let text = fs::read_to_string(&one).unwrap();
    let damaged = folder.join("damaged.json");
    let cut = text[..text.len() / 2].to_owned();
    let changed = text.replacen("\"king\":", "\"king\":1", 1);
    let unsealed = text.replacen("\"seed\":7", "\"seed\":9", 1);
    for content in [cut, changed, unsealed, String::new()] {
        fs::write(&damaged, content).unwrap();
        shogi(&format!("merge {}", damaged.display())).fails(1, "damaged.json");
        let verified = shogi(&format!("verify {} --json", damaged.display()));
        assert_eq!(verified.code, Some(1));
        assert_eq!(verified.lines()[0]["ok"], false);
    }
}

#[test]
fn counts_may_be_rounded_and_the_seed_is_1_by_default() {
    let run = shogi("estimate minishogi --samples 2e3 --json");
    assert_eq!(run.json()["samples"], 2_000);
    assert_eq!(shogi("estimate minishogi --samples 2_000 --seed 1e0 --json").stdout, run.stdout);
}

#[test]
fn requests_that_cannot_be_meant_are_usage_errors() {
    shogi("estimate minishogi --samples 0 --seed 1").fails(2, "--samples");
    shogi("estimate minishogi --samples -5 --seed 1").fails(2, "-5");
    shogi("estimate minishogi --samples 1.5").fails(2, "not a whole number");
    for part in ["0/4", "5/4", "1/0", "1", "a/b", "-1/4", "1/4/2", ""] {
        shogi(&format!("estimate minishogi --samples 10 --seed 1 --shard={part}"))
            .fails(2, "--shard");
    }
}

#[test]
fn paths_that_cannot_be_written_are_found_before_the_run() {
    let folder = folder("unwritable");
    // Far too many samples to get through: an answer means that none was taken.
    let long = "estimate minishogi --samples 1000000000000 --seed 1";
    for option in ["--out", "--checkpoint"] {
        for place in ["none/file.json", ""] {
            let path = folder.join(place);
            shogi(&format!("{long} {option} {}", path.display())).fails(1, "cannot write");
        }
    }
    assert!(names(&folder).is_empty());
}

#[test]
fn a_checkpoint_is_resumed_and_gives_the_result_of_one_run() {
    let folder = folder("resumed");
    let whole = shogi(&format!("{RUN} --json"));
    // What was done before may be any part of the run.
    for part in ["1/3", "2/3", "3/3"] {
        let checkpoint = shard(&folder, part);
        let again = format!("{RUN} --json --checkpoint {checkpoint}");
        assert_eq!(shogi(&again).stdout, whole.stdout);
        let finished = fs::read(&checkpoint).unwrap();
        assert_eq!(shogi(&again).stdout, whole.stdout, "a finished checkpoint is the answer");
        assert_eq!(fs::read(&checkpoint).unwrap(), finished);
    }
    let one = shard(&folder, "1/1");
    assert_eq!(fs::read(folder.join("1of3.json")).unwrap(), fs::read(one).unwrap());
}

#[test]
fn a_checkpoint_of_another_run_is_refused_and_left_as_it_is() {
    let folder = folder("foreign");
    let checkpoint = shard(&folder, "2/4");
    let before = fs::read(&checkpoint).unwrap();
    for (arguments, words) in [
        ("estimate minishogi --samples 50000 --seed 8", "seed: 8 and 7"),
        ("estimate minishogi --samples 60000 --seed 7", "samples: 60000 and 50000"),
        ("estimate minishogi --samples 50000 --seed 7 --shard 1/4", "another shard"),
        ("estimate minishogi --samples 50000 --seed 7 --shard 3/4", "another shard"),
    ] {
        shogi(&format!("{arguments} --checkpoint {checkpoint}")).fails(1, words);
        assert_eq!(fs::read(&checkpoint).unwrap(), before);
    }
    for damage in ["", "{}", "rubbish"] {
        fs::write(&checkpoint, damage).unwrap();
        shogi(&format!("{RUN} --checkpoint {checkpoint}")).fails(1, "no shard");
        assert_eq!(fs::read_to_string(&checkpoint).unwrap(), damage);
    }
}

/// Half the widths of the interval of the plain method and of these, each of them run in all ways.
fn half_widths(folder: &Path, methods: &[&str]) -> Vec<f64> {
    let plain = shogi(&format!("{RUN} --json")).json();
    let ends = |answer: &Value| [0, 1].map(|i| answer["interval"][i].as_f64().unwrap());
    let half_width = |answer: &Value| (ends(answer)[1] - ends(answer)[0]) / 2.0;
    let mut widths = vec![half_width(&plain)];
    for &method in methods {
        let run = format!("{RUN} --method {method}");
        let part = |i: u32, threads: u32| {
            let out = folder.join(format!("{method}{i}.json")).display().to_string();
            let run = shogi(&format!("{run} --shard {i}/2 --threads {threads} --out {out}"));
            assert_eq!(run.code, Some(0), "{}", run.stderr);
            out
        };
        let whole = folder.join(format!("{method}.json")).display().to_string();
        let one = shogi(&format!("{run} --json --out {whole}"));
        let parts = [part(1, 1), part(2, 3)];
        let merged = folder.join(format!("{method}-merged.json")).display().to_string();
        let two = shogi(&format!("merge {} {} --json --out {merged}", parts[1], parts[0]));
        assert_eq!(two.stdout, one.stdout);
        assert_eq!(fs::read(&merged).unwrap(), fs::read(&whole).unwrap());
        // The first half as a checkpoint gives the whole.
        let resumed = shogi(&format!("{run} --json --checkpoint {}", parts[0]));
        assert_eq!(resumed.stdout, one.stdout);
        assert_eq!(fs::read(&parts[0]).unwrap(), fs::read(&whole).unwrap());
        assert_eq!(shogi(&format!("verify {whole}")).stdout, "ok: 1 shard\n");

        let answer = one.json();
        let [low, high] = ends(&answer);
        assert!(low < 2.3790e18 && 2.3782e18 < high, "{low} {high}");
        assert!(answer["method"].as_str().unwrap().starts_with(method), "{answer}");
        assert_eq!(answer["candidates"], "3444239420851162025");
        assert_eq!(answer["strata"].is_object(), method == "strata");
        widths.push(half_width(&answer));
        shogi(&format!("{RUN} --checkpoint {whole}")).fails(1, "differ in");
        shogi(&format!("merge {whole} {}", shard(folder, "1/3"))).fails(1, "differ in");
    }
    widths
}

#[test]
fn samples_without_checks_out_of_turn_estimate_the_same_number_more_closely() {
    let widths = half_widths(&folder("king-legal"), &["king-legal"]);
    assert!(widths[0] > 3.0 * widths[1], "{widths:?}");
}

#[test]
#[ignore = "long, see docs/contributing.md"]
fn other_methods_estimate_the_same_number_more_closely() {
    let folder = folder("methods");
    let widths = half_widths(&folder, &["king-legal", "strata"]);
    assert!(widths[0] > 3.0 * widths[1] && widths[1] > 4.0 * widths[2], "{widths:?}");

    // Another allotment is another run, and so is a file that says something else.
    let path = folder.join("strata.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen("\"size\":\"2", "\"size\":\"3", 1)).unwrap();
    shogi(&format!("verify {}", path.display())).fails(1, "");
    shogi("estimate minishogi --samples 50 --seed 1 --method strata").fails(1, "too few");
    shogi("estimate shogi --samples 50 --seed 1 --method strata").fails(2, "too large");
    shogi("estimate minishogi --samples 50 --seed 1 --method layers").fails(2, "king-legal");
}

#[cfg(target_os = "linux")]
mod interruption {
    use super::*;
    use crate::common::{command, interrupt};

    const ENDLESS: &str = "estimate minishogi --samples 1000000000000 --seed 7";

    #[test]
    fn ctrl_c_saves_the_checkpoint_and_the_next_run_resumes() {
        let folder = folder("interrupted");
        let checkpoint = folder.join("state.json").display().to_string();
        let arguments = format!("{ENDLESS} --checkpoint {checkpoint}");
        let mut before = 0;
        for _ in 0..3 {
            let run = interrupt(command(&arguments).spawn().unwrap());
            run.fails(130, "the same command resumes from there");
            assert_eq!(run.stdout, "");
            let state: Value = serde_json::from_slice(&fs::read(&checkpoint).unwrap()).unwrap();
            let done = state["tally"]["samples"].as_u64().unwrap();
            assert!(done > before);
            before = done;
            assert_eq!(shogi(&format!("verify {checkpoint}")).code, Some(0));
        }
        assert_eq!(names(&folder), ["state.json"]);

        // The state is that of an undisturbed run of as many samples.
        let merged = shogi(&format!("merge {checkpoint} --json")).json();
        let short = format!("estimate minishogi --samples {before} --seed 7 --json");
        let undisturbed = shogi(&short).json();
        assert_eq!(merged["funnel"], undisturbed["funnel"]);
        assert_eq!(merged["unreachable_by_plies"], undisturbed["unreachable_by_plies"]);
    }

    #[test]
    fn strata_are_saved_on_ctrl_c_too() {
        let folder = folder("interrupted-strata");
        let checkpoint = folder.join("state.json").display().to_string();
        let arguments = format!(
            "estimate kyotoshogi --samples 3000000 --seed 7 --method strata --checkpoint {checkpoint}"
        );
        let run = interrupt(command(&arguments).spawn().unwrap());
        run.fails(130, "the same command resumes from there");
        assert_eq!(shogi(&format!("verify {checkpoint}")).code, Some(0));
        let report = shogi(&format!("merge {checkpoint} --json")).json();
        assert_eq!(report["complete"], false);
        // What is not done may be anything.
        let [low, high] = [0, 1].map(|i| report["interval"][i].as_f64().unwrap());
        assert!(low < 1.2451e16 && 1.2453e16 < high, "{low} {high}");
    }

    #[test]
    fn without_a_checkpoint_ctrl_c_says_that_nothing_is_kept() {
        interrupt(command(ENDLESS).spawn().unwrap()).fails(130, "--checkpoint FILE");
        // In the pilot, which takes millions of samples here.
        let strata = ENDLESS.replace("minishogi", "kyotoshogi --method strata");
        interrupt(command(&strata).spawn().unwrap()).fails(130, "--checkpoint FILE");
    }
}

#[test]
fn shogi_is_drawn_from_the_placements_that_pass_the_pawn_stage() {
    let folder = folder("pawn-legal");
    let run = "estimate shogi --samples 3000 --seed 5 --json";
    let whole = shogi(run);
    let answer = whole.json();
    assert_eq!(answer["method"], "pawn-legal, wilson 95 %");
    assert_eq!(
        answer["candidates"],
        "3061946014629782898209609153148603825516405472791147447142577969020272"
    );
    assert_eq!(answer["funnel"]["pawn"], answer["funnel"]["flip"]);
    assert_eq!(answer["funnel"]["unknown"], 0);
    let [low, high] = [0, 1].map(|i| answer["interval"][i].as_f64().unwrap());
    assert!(5.8e68 < low && low < high && high < 7.3e68, "{low} {high}");
    let parts = [1, 2].map(|part| {
        let out = folder.join(format!("{part}.json")).display().to_string();
        assert_eq!(shogi(&format!("{run} --shard {part}/2 --out {out}")).code, Some(0));
        out
    });
    assert_eq!(shogi(&format!("merge {} --json", parts.join(" "))).stdout, whole.stdout);
    assert_eq!(shogi(&format!("verify {} --json", parts[0])).json()["ok"], true);
    // A set of another name or none is another run.
    let mini = folder.join("mini.json").display().to_string();
    shogi(&format!("estimate minishogi --samples 3000 --seed 5 --out {mini}"));
    shogi(&format!("merge {mini} {}", parts[0])).fails(1, "differ in variant");
}

#[test]
fn kyoto_shogi_is_estimated_too() {
    let answer = shogi("estimate kyotoshogi --samples 20000 --seed 3 --json").json();
    assert_eq!(answer["method"], "wilson 95 %");
    let [low, high] = [0, 1].map(|i| answer["interval"][i].as_f64().unwrap());
    // 20,000,000 samples give 1.2457e16; half of this interval is 1.7 %.
    assert!(1.2e16 < low && low < high && high < 1.3e16, "{low} {high}");
    assert_eq!(answer["funnel"]["unknown"], 0);
}

#[test]
fn what_a_killed_run_has_left_is_removed_at_the_start() {
    let folder = folder("estimate-killed");
    let checkpoint = folder.join("run.json");
    let names = || fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
    fs::write(folder.join(".run.json.4194305-0.new"), "{\"version\":1,\"vari").unwrap();
    fs::write(folder.join(".other.json.4194305-0.new"), "").unwrap();
    let run = format!("estimate minishogi --samples 10 --checkpoint {}", checkpoint.display());
    assert_eq!(shogi(&run).code, Some(0));
    let mut left: Vec<_> = names().collect();
    left.sort();
    assert_eq!(left, [".other.json.4194305-0.new", "run.json"]);
}

/// A game with few candidates, in a folder of its own.
fn small_game(folder: &Path) -> String {
    let path = folder.join("pawngame.toml");
    let text = "name = \"pawngame\"\nstart = \"1k1/1p1/1P1/1K1 b - 1\"\n[pieces]\n\
                P = { front = \"pawn\", back = \"gold\" }\nK = { front = \"king\", royal = true }\n";
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

#[test]
fn of_a_small_space_all_candidates_are_looked_at_and_the_answer_is_exact() {
    let folder = folder("estimate-exact");
    let game = small_game(&folder);
    let size = shogi(&format!("count {game} --json")).json()["candidates"].clone();
    let size: u64 = size.as_str().unwrap().parse().unwrap();
    // One after the other, by the verbs that number and classify.
    let ranks: Vec<_> = (0..size).map(|rank| rank.to_string()).collect();
    let unranked = shogi_with(&format!("unrank {game}"), ranks.join("\n"));
    let sfens: Vec<_> =
        unranked.lines().iter().map(|line| line["sfen"].as_str().unwrap().to_owned()).collect();
    let classified = shogi_with(&format!("classify {game}"), sfens.join("\n"));
    let ok = classified.lines().iter().filter(|line| line["stage"] == "ok").count() as u64;
    assert!(ok > 100 && ok < size, "{ok} of {size}");
    for samples in ["1", "1e6", "1e9"] {
        for method in ["plain", "king-legal", "strata"] {
            let run = format!("estimate {game} --samples {samples} --method {method} --json");
            let answer = shogi(&run).json();
            assert_eq!(answer["method"], "exact", "{run}");
            for number in ["samples", "done"] {
                assert_eq!(answer[number], size, "{run}");
            }
            assert_eq!(answer["candidates"], size.to_string());
            assert_eq!(answer["funnel"]["ok"], ok, "{run}");
            for number in [&answer["estimate"], &answer["interval"][0], &answer["interval"][1]] {
                assert_eq!(number.as_f64(), Some(ok as f64), "{run}");
            }
            assert_eq!(answer["p_interval"][0], answer["p_interval"][1]);
        }
    }
    let text = shogi(&format!("estimate {game} --samples 1e6")).stdout;
    assert!(text.contains(&format!("{ok} reachable positions (exact)")), "{text}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_exact_answer_is_divided_among_shards_too() {
    let folder = folder("estimate-exact-shards");
    let game = small_game(&folder);
    let file = |name: &str| folder.join(name).display().to_string();
    let run = format!("estimate {game} --samples 1000");
    let whole = shogi(&format!("{run} --json --out {}", file("whole"))).json();
    for part in ["1/3", "2/3", "3/3"] {
        let name = file(&part.replace('/', "of"));
        let answer = shogi(&format!("{run} --json --shard {part} --out {name}")).json();
        // What is missing may be reachable or not.
        let [low, high] = [0, 1].map(|end| answer["interval"][end].as_f64().unwrap());
        let found = whole["estimate"].as_f64().unwrap();
        assert!(answer["complete"] == false && low < found && found < high, "{answer}");
    }
    let parts = ["1of3", "2of3", "3of3"].map(file).join(" ");
    let merged = shogi(&format!("merge {parts} --game {game} --json --out {}", file("merged")));
    assert_eq!(merged.json(), whole);
    assert_eq!(fs::read(file("merged")).unwrap(), fs::read(file("whole")).unwrap());
    let verified = shogi(&format!("verify {} --game {game} --json", file("merged"))).json();
    assert_eq!((&verified["ok"], &verified["shards"]), (&json!(true), &json!(1)));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn where_nothing_is_sampled_the_positions_are_listed_forward() {
    let run = "estimate dobutsu --samples 1e6 --json";
    let answer = shogi_with_sfen(run, "1l1/3/1G1/1L1 b Ge 1");
    assert_eq!(answer["method"], "forward listing");
    assert_eq!((&answer["complete"], &answer["variant"]), (&json!(true), &json!("dobutsu")));
    let found = answer["estimate"].as_u64().unwrap();
    let candidates: u64 = answer["candidates"].as_str().unwrap().parse().unwrap();
    assert!(found > 100_000 && found < candidates, "{found} of {candidates}");
    assert_eq!(answer["interval"], json!([found, found]));
    for threads in ["--threads 1", "--threads 3"] {
        let again = shogi_with_sfen(&format!("{run} {threads}"), "1l1/3/1G1/1L1 b Ge 1");
        assert_eq!(again, answer);
    }
    let start = shogi("estimate shogi34 --samples 1 --start KPP --json").json();
    assert!(start["start"].as_str().unwrap().ends_with("/KPP b - 1"), "{start}");
    shogi("estimate dobutsu --samples 1 --memory 100").fails(1, "--memory allows 100");
    shogi("estimate dobutsu --samples 1 --shard 1/2").fails(2, "listed, not sampled");
    shogi("estimate minishogi --samples 1 --start RKB")
        .fails(2, "minishogi takes no start by name");
}

#[test]
fn samples_are_of_what_any_start_reaches_whose_pieces_are_the_set() {
    let run = "estimate minishogi --samples 20000 --seed 7 --json";
    // With all pieces games reach the same positions, once they lead to bare kings and back.
    let whole = shogi_with_sfen(run, "rbsgk/4p/P4/5/KGSBR w - 1");
    assert_eq!(whole, shogi(run).json());
    // Without Gote's rook it is another set.
    let fewer = shogi_with_sfen(run, "1bsgk/4p/5/P4/KGSBR w - 1");
    let candidates =
        |answer: &Value| answer["candidates"].as_str().unwrap().parse::<f64>().unwrap();
    assert!(candidates(&fewer) < candidates(&whole) / 10.0, "{fewer}");
    assert!(fewer["complete"] == true && fewer["funnel"]["ok"].as_u64() > Some(1_000), "{fewer}");
    // No game leads from a mate to anything.
    let absurd = "4k/4G/4P/4R/K4 w RB2SGPb 1";
    let mut refused = common::command("estimate minishogi --samples 1 --sfen");
    let refused: common::Run = refused.arg(absurd).output().unwrap().into();
    refused.fails(2, "no line from the start position to bare kings");
}

/// The answer of a run with a position, which is one argument.
fn shogi_with_sfen(arguments: &str, sfen: &str) -> Value {
    let mut command = common::command(arguments);
    let run: common::Run = command.args(["--sfen", sfen]).output().unwrap().into();
    run.json()
}

#[test]
#[ignore = "long, see docs/contributing.md"]
fn dobutsu_shogi_has_as_many_reachable_positions_as_tanaka_found() {
    let answer = shogi("estimate dobutsu --samples 1e6 --json").json();
    assert_eq!(answer["estimate"], 246_803_167u64);
}

#[test]
fn a_plot_shows_how_the_interval_narrows_and_changes_no_number() {
    let folder = folder("estimate-plot");
    let [first, second] = ["1.svg", "2.svg"].map(|name| folder.join(name));
    let estimate = "estimate minishogi --samples 20000 --seed 3 --json";
    let plain = shogi(estimate).json();
    for (path, threads) in [(&first, 1), (&second, 2)] {
        let run = shogi(&format!("{estimate} --threads {threads} --plot {}", path.display()));
        assert_eq!(run.json(), plain);
    }
    let svg = fs::read_to_string(&first).unwrap();
    assert_eq!(svg, fs::read_to_string(&second).unwrap());
    assert!(svg.starts_with("<svg ") && svg.contains(">samples</text>"), "{svg}");
    // From 100 samples to 20,000 in steps of a third.
    let line = svg.lines().find(|line| line.contains("stroke-width")).unwrap();
    assert!((15..=25).contains(&line.matches('L').count()), "{line}");
    shogi("estimate dobutsu --samples 10 --plot x.svg").fails(2, "without --shard, --out, --plot");
}
