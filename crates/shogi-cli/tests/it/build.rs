//! `proof build`: large proofs from small jobs.

use crate::common;

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use common::{Run, command, folder, names, shogi, shogi_with};

#[test]
fn a_proof_is_built_from_jobs_too_small_for_it() {
    let folder = folder("build");
    let path = folder.join("kgr.proof");
    let out = path.display();
    let answer =
        shogi(&format!("proof build shogi34 --start KGR --job 80 --hash 8 --out {out} --json"))
            .json();
    assert_eq!((&answer["state"], &answer["open"]), (&"proved".into(), &serde_json::json!([])));
    assert!(answer["plies_at_most"].as_u64().unwrap() >= 11, "KGR takes 11 plies at least");
    let verified = shogi(&format!("verify {out} --json")).json();
    assert_eq!(verified["entries"], answer["entries"]);
    assert_eq!(verified["plies"], answer["plies_at_most"]);
}

#[test]
fn an_unfinished_build_resumes_from_the_checkpoint() {
    let folder = folder("build-checkpoint");
    let (path, state) = (folder.join("kgr.proof"), folder.join("state"));
    let command = |nodes: &str| {
        format!(
            "proof build shogi34 --start KGR --job 20 --hash 8 --nodes {nodes} --checkpoint {} \
             --out {} --json",
            state.display(),
            path.display()
        )
    };
    let answer = shogi(&command("3000")).json();
    assert_eq!(answer["state"], "open");
    assert!(!answer["open"].as_array().unwrap().is_empty() && !path.exists());
    let answer = shogi(&command("1e8")).json();
    assert_eq!(answer["state"], "proved");
    assert!(answer["nodes"].as_u64().unwrap() > 3000);

    let log = state.join("log");
    let text = fs::read_to_string(&log).unwrap();
    // What stands before a damaged line is used, and the rest is kept.
    let mut damaged = text.clone();
    damaged.insert(text.rfind("\"cost\":[").unwrap() + 8, '1');
    fs::write(&log, damaged).unwrap();
    let damaged = shogi(&command("1e8"));
    assert!(damaged.stderr.starts_with(&format!("{}: line ", log.display())), "{}", damaged.stderr);
    assert!(damaged.stderr.contains("is damaged: the work resumes from"), "{}", damaged.stderr);
    assert_eq!(damaged.json()["state"], "proved");
    assert!(fs::read_to_string(state.join("log.damaged")).unwrap().contains("\"cost\":[1"));
    assert_eq!(shogi(&format!("verify {} --json", log.display())).json()["proved"], true);
    let other = command("1e8").replace("KGR", "KSR");
    fs::write(&log, &text).unwrap();
    shogi(&other).fails(1, "of another proof");

    // A process that is killed may leave half a line.
    fs::write(&log, &text[..text.len() - 9]).unwrap();
    fs::remove_file(&path).unwrap();
    assert_eq!(shogi(&command("1e8")).json()["state"], "proved");
    assert!(path.exists());
}

#[test]
fn two_builds_do_not_share_a_checkpoint() {
    let folder = folder("build-locked");
    let [proof, state, jobs] = ["proof", "state", "jobs"].map(|name| folder.join(name));
    let build = format!(
        "proof build shogi34 --start KGR --job 20 --hash 8 --checkpoint {} --out {} --json",
        state.display(),
        proof.display()
    );
    // Without workers it waits for ever.
    let mut first = command(&format!("{build} --jobs {}", jobs.display())).spawn().unwrap();
    while !(jobs.exists() && names(&jobs).iter().any(|name| name.ends_with(".job"))) {
        thread::sleep(Duration::from_millis(5));
        assert_eq!(first.try_wait().unwrap(), None);
    }
    let number = first.id().to_string();
    let refused = format!("{}: another process {number} works with it", state.display());
    shogi(&build).fails(1, &refused);
    shogi(&build.replace("proof build", "proof build --skeleton s")).fails(1, &refused);
    // Another proof with the same folder of jobs would remove the first one's.
    let posted = names(&jobs);
    let other = build.replace("state", "other");
    let refused = format!("{}: another process {number} works with it", jobs.display());
    shogi(&format!("{other} --jobs {}", jobs.display())).fails(1, &refused);
    assert_eq!(names(&jobs), posted);
    // However a process ends, the next one goes on.
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(shogi(&build).json()["state"], "proved");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn workers_do_the_jobs_of_a_game_of_ones_own_by_the_rules_in_its_file() {
    let crabs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/own_variant/crabs.toml");
    let crabs = fs::read_to_string(crabs).unwrap();
    // A built-in game of the same name is not meant.
    for (name, refusal) in [("crabs", "there is no variant \"crabs\" among"), ("minishogi", "")] {
        let folder = folder(&format!("build-own-work-{name}"));
        let game = folder.join("game.toml");
        fs::write(&game, crabs.replacen("\"crabs\"", &format!("\"{name}\""), 1)).unwrap();
        let proof = folder.join("proof");
        assert!(work_on(&game, &proof, &folder.join("jobs"), refusal) > 0);
        let verified = shogi(&format!("verify {} --json", proof.display())).json();
        assert_eq!((&verified["ok"], &verified["variant"]), (&true.into(), &name.into()));
    }
}

/// Builds a proof of a game in a file and does its jobs, the first one also without the file, which is refused so.
fn work_on(game: &Path, proof: &Path, jobs: &Path, refusal: &str) -> u32 {
    let game = game.display();
    let build = format!(
        "proof build {game} --job 2 --limit 10 --hash 8 --time 10m --out {} --jobs {}",
        proof.display(),
        jobs.display()
    );
    let mut build = command(&build).spawn().unwrap();
    let mut done = 0;
    while build.try_wait().unwrap().is_none() {
        for job in fs::read_dir(jobs).into_iter().flatten().map(|file| file.unwrap().path()) {
            let result = job.with_extension("result");
            if job.extension() != Some("job".as_ref()) || result.exists() {
                continue;
            }
            let (job, result) = (job.display(), result.display());
            let work = format!("proof work --job {job} --out {result} --hash 1");
            if done == 0 {
                shogi(&work).fails(1, &format!("error: {job}: {refusal}"));
            }
            shogi(&format!("{work} --game {game}")).fails(0, "");
            done += 1;
        }
        thread::sleep(Duration::from_millis(5));
    }
    done
}

#[test]
fn errors_begin_with_the_file_that_they_are_about() {
    let folder = folder("build-errors");
    let file = |name: &str| folder.join(name).display().to_string();
    let [bad, state, proof, skeleton] = ["bad", "state", "proof", "skeleton"].map(file);
    fs::write(&bad, "no evaluation").unwrap();
    let fails = |command: &str, path: &str, reason: &str| {
        let run = shogi(command);
        run.fails(1, reason);
        let begins = format!("error: {path}: ");
        assert!(run.stderr.starts_with(&begins), "{command}: {}", run.stderr);
    };
    let build = format!("proof build shogi34 --start KGR --job 20 --hash 8 --out {proof}");
    fails(&format!("{build} --evaluation {bad}"), &bad, "");
    fails(&format!("{build} --evaluation {bad} --checkpoint {state}"), &bad, "");
    let linear = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/results/kyoto/evaluation.json");
    let effort =
        format!("proof build kyotoshogi --leaf effort --evaluation {linear} --out {proof}");
    fails(&effort, linear, "the evaluation is linear");
    shogi(&format!("{build} --checkpoint {state} --skeleton {skeleton}")).fails(0, "");
    let log = file("state/log");
    fs::write(&log, "notes\n").unwrap();
    fails(&format!("{build} --checkpoint {state}"), &log, "line 1");
    fails(&format!("proof expand {skeleton} --evaluation {bad} --out {proof}"), &bad, "");
    fails(&format!("{build} --checkpoint {bad}"), &bad, "");

    // A job, as a build leaves it that was killed.
    let jobs = file("jobs");
    let mut waiting = command(&format!("{build} --jobs {jobs}")).spawn().unwrap();
    let job = file("jobs/00000001.job");
    while fs::read_to_string(&job).is_err() {
        thread::sleep(Duration::from_millis(5));
    }
    // What is refused is reported with its file.
    let result = file("jobs/00000001.result");
    fs::write(&result, "{}").unwrap();
    while fs::exists(&result).unwrap() {
        thread::sleep(Duration::from_millis(5));
    }
    waiting.kill().unwrap();
    let told = Run::from(waiting.wait_with_output().unwrap()).stderr;
    assert!(told.starts_with(&format!("{result}: ")), "{told}");
    fails(&format!("proof work --job {job} --evaluation {bad} --out {proof}"), &bad, "");
    shogi(&format!("proof work --job {job} --out {result} --hash 1")).fails(0, "");
    for (path, word) in [(job, "a job is no proof"), (result, "the result of a job is no proof")] {
        let verified = shogi(&format!("verify {path}"));
        assert!(verified.stdout.contains(word) && verified.code == Some(1), "{}", verified.stdout);
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_player_who_cannot_win_is_refuted() {
    let path = folder("build-refuted").join("proof");
    let run = shogi(&format!(
        "proof build shogi34 --start KNR --winner gote --out {} --json",
        path.display()
    ));
    run.fails(1, "is not written");
    assert_eq!(run.lines()[0]["state"], "refuted");
    assert!(!path.exists());
}

#[test]
fn a_file_that_is_no_log_is_kept() {
    let folder = folder("build-foreign");
    let log = folder.join("log");
    let out = folder.join("proof");
    let build = format!(
        "proof build shogi34 --start KNR --nodes 20000 --checkpoint {} --out {}",
        folder.display(),
        out.display()
    );
    for notes in ["hello world, my notes", "{\"proof\"", "notes\nand notes\n"] {
        fs::write(&log, notes).unwrap();
        shogi(&build).fails(1, "line 1");
        assert_eq!(fs::read_to_string(&log).unwrap(), notes);
    }
    // A part of the first line is what a run that was killed leaves.
    fs::write(&log, "{\"proof_b").unwrap();
    assert_eq!(shogi(&build).code, Some(0));
    // Whose log it is, is said in words.
    let other = build.replace("KNR", "KGR");
    shogi(&other).fails(1, "of another proof: that Sente wins in shogi34 from");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let path = folder("build-usage").join("proof");
    let out = path.display();
    shogi(&format!("proof build shogi34 --job 0 --out {out}")).fails(2, "above 0");
    shogi(&format!("proof build shogi34 --time soon --out {out}")).fails(2, "not a time");
    shogi(&format!("proof build shogi34 --sfen x --out {out}")).fails(1, "x");
    shogi(&format!("proof build shogi34 --evaluation {out} --out {out}")).fails(1, "proof");
}

#[test]
fn an_evaluation_is_read_from_standard_input() {
    let folder = folder("build-evaluation");
    let [proof, learnt] = ["proof", "learnt"].map(|name| folder.join(name).display().to_string());
    shogi(&format!("learn proofs dobutsu --rounds 0 --games 20 --generations 1 --out {learnt}"))
        .fails(0, "");
    let build = |from: &str, input: &[u8]| {
        let arguments = "proof build dobutsu --nodes 1e4 --json --evaluation";
        shogi_with(&format!("{arguments} {from} --out {proof}"), input)
    };
    let mut answers = [build(&learnt, b"").json(), build("-", &fs::read(&learnt).unwrap()).json()];
    for answer in &mut answers {
        answer["seconds"] = 0.into();
    }
    assert_eq!(answers[0], answers[1]);
    build("-", b"{}").fails(1, "evaluation");
}

#[test]
fn a_skeleton_is_expanded_to_a_proof_that_holds() {
    let folder = folder("build-skeleton");
    let [first, full, skeleton] = ["first", "full", "skeleton"].map(|name| folder.join(name));
    let (first, full, skeleton) = (first.display(), full.display(), skeleton.display());
    shogi(&format!(
        "proof build shogi34 --start KGR --job 20 --limit 200 --hash 8 --workers 2 --out {first} \
         --skeleton {skeleton} --json"
    ))
    .json();
    let state = folder.join("state");
    let expand = format!(
        "proof expand {skeleton} --hash 8 --out {full} --checkpoint {} --json",
        state.display()
    );
    let answer = shogi(&format!("{expand} --nodes 100")).json();
    assert_eq!(answer["state"], "open");
    let log = format!("verify {} --json", state.join("log").display());
    assert_eq!(shogi(&log).json()["proved"], false);
    let answer = shogi(&expand).json();
    assert_eq!(answer["state"], "proved");
    let verified = shogi(&log).json();
    assert_eq!(
        (&verified["proved"], &verified["expansions"]),
        (&true.into(), &answer["expansions"])
    );
    let verified = shogi(&format!("verify {full} --json")).json();
    assert_eq!(verified["entries"], answer["entries"]);
    let text = fs::read_to_string(folder.join("skeleton")).unwrap();
    fs::write(folder.join("skeleton"), text.replacen("\"moves\":\"", "\"moves\":\"- ", 1)).unwrap();
    shogi(&format!("proof expand {skeleton} --out {full}")).fails(1, "checksum");
}

#[test]
fn the_log_of_a_build_is_verified() {
    let folder = folder("build-verify");
    let (path, state) = (folder.join("kgr.proof"), folder.join("state"));
    let (out, checkpoint) = (path.display(), state.display());
    let command = format!(
        "proof build shogi34 --start KGR --job 20 --hash 8 --checkpoint {checkpoint} --out {out} --json"
    );
    let answer = shogi(&command).json();
    let log = state.join("log");
    let verify = format!("verify {} --json", log.display());
    let verified = shogi(&verify).json();
    assert_eq!((&verified["ok"], &verified["proved"]), (&true.into(), &true.into()));
    assert_eq!(verified["expansions"], answer["expansions"]);
    assert!(verified["entries"].as_u64() > Some(10));

    // A part of a line at the end is what a process that is killed leaves; the rest holds.
    let text = fs::read_to_string(&log).unwrap();
    fs::write(&log, &text[..text.len() - 9]).unwrap();
    let cut = shogi(&verify).json();
    assert!(cut["ok"] == true && cut["bytes"].as_u64() < verified["bytes"].as_u64());

    for (from, to) in [("\"cost\":[", "\"cost\":[1"), ("\"variant\":\"s", "\"variant\":\"t")] {
        fs::write(&log, text.replacen(from, to, 1)).unwrap();
        let damaged = shogi(&verify);
        assert_eq!(damaged.code, Some(1), "{from}");
        assert!(damaged.stdout.contains("\"ok\":false"), "{from}: {}", damaged.stdout);
    }
}

#[test]
fn leaves_and_oracles_are_chosen_by_name() {
    let path = folder("build-leaves").join("proof");
    let mut expansions = Vec::new();
    for choice in [
        "",
        "--leaf mean",
        "--leaf linear",
        "--leaf effort",
        "--leaf mean --oracle ranked",
        "--leaf mean,linear --oracle alpha-beta",
        "--leaf mean,linear --workers 2",
    ] {
        let mut build = command(&format!(
            "proof build kyotoshogi --job 600 --limit 600 --hash 16 {choice} --out {} --json",
            path.display()
        ));
        build.args(["--sfen", "p1kst/5/5/1gK1R/TS1G1 b - 1"]);
        let answer = Run::from(build.output().unwrap()).json();
        assert_eq!(answer["state"], "proved", "{choice}");
        expansions.push(answer["expansions"].as_u64().unwrap());
    }
    let [unnamed, mean, linear, effort, ..] = expansions[..] else { unreachable!() };
    assert_eq!(unnamed, mean);
    assert!(linear != effort && effort != mean, "{expansions:?}");

    // Minishogi has no network of its own, and this linear evaluation is none.
    let minishogi = format!("proof build minishogi --leaf effort --out {}", path.display());
    shogi(&minishogi).fails(1, "minishogi has no evaluation by effort");
}

#[test]
fn the_network_learns_from_the_searches_of_a_build() {
    let folder = folder("build-retrain");
    let (path, state) = (folder.join("proof"), folder.join("state"));
    let run = |more: &str| {
        let mut build = command(&format!(
            "proof build kyotoshogi --leaf mean --job 100 --limit 100 --hash 16 {more} --out {} --json",
            path.display()
        ));
        build.args(["--sfen", "p1kst/5/5/1gK1R/TS1G1 b - 1"]);
        Run::from(build.output().unwrap()).json()
    };
    let alone = run("");
    let retrained = format!("--retrain 300 --checkpoint {}", state.display());
    let begun = run(&(retrained.clone() + " --nodes 20000"));
    assert_eq!(begun["state"], "open");
    let learnt = state.join("learnt");
    let first = fs::read(&learnt).unwrap();
    assert_eq!(shogi(&format!("verify {} --json", learnt.display())).json()["ok"], true);
    let answer = run(&retrained);
    assert_eq!(answer["state"], "proved");
    assert_ne!(answer["expansions"], alone["expansions"]);
    assert_ne!(fs::read(&learnt).unwrap(), first);

    // What is damaged is not resumed, and there has to be a network.
    fs::write(&learnt, &first[..first.len() - 1]).unwrap();
    let again = format!("proof build kyotoshogi --leaf mean {retrained} --out {}", path.display());
    let mut again = command(&again);
    again.args(["--sfen", "p1kst/5/5/1gK1R/TS1G1 b - 1"]);
    Run::from(again.output().unwrap()).fails(1, "it is not complete");
    let linear = format!("proof build shogi34 --start KGR --retrain 9 --out {}", path.display());
    shogi(&linear).fails(1, "network");
}

#[test]
fn workers_that_die_or_answer_nonsense_cost_only_their_jobs() {
    let folder = folder("build-work");
    let (path, jobs) = (folder.join("kgr.proof"), folder.join("jobs"));
    let mut build = command(&format!(
        "proof build shogi34 --start KGR --job 2 --limit 10 --hash 8 --workers 3 --jobs {} --out {} \
         --time 10m --json",
        jobs.display(),
        path.display()
    ));
    let mut build = build.spawn().unwrap();
    let (mut done, mut killed, mut damaged) = (0, 0, 0);
    // What a scheduler does: it gives each job without a result to a worker.
    while build.try_wait().unwrap().is_none() {
        let files = fs::read_dir(&jobs).into_iter().flatten().map(|file| file.unwrap().path());
        let is_open = |file: &PathBuf| {
            file.extension() == Some("job".as_ref()) && !file.with_extension("result").exists()
        };
        for job in files.filter(is_open) {
            let result = job.with_extension("result");
            let work =
                format!("proof work --job {} --out {} --hash 1", job.display(), result.display());
            let mut worker = command(&work).spawn().unwrap();
            match (done + killed + damaged) % 5 {
                2 => {
                    worker.kill().unwrap();
                    killed += 1;
                }
                4 => {
                    fs::write(&result, "{}").unwrap();
                    damaged += 1;
                }
                _ => done += 1,
            }
            worker.wait().unwrap();
        }
        thread::sleep(Duration::from_millis(5));
    }
    let run = Run::from(build.wait_with_output().unwrap());
    // A worker may have written its result over what was damaged.
    let refused = run.stderr.lines().filter(|line| line.contains(".result: "));
    assert!(refused.count() <= damaged, "{}", run.stderr);
    let answer = run.json();
    assert_eq!(answer["state"], "proved");
    assert!(done > 2 && killed > 0 && damaged > 0, "{done} {killed} {damaged}");
    let verified = shogi(&format!("verify {} --json", path.display())).json();
    assert_eq!(verified["entries"], answer["entries"]);
    let left: Vec<_> = fs::read_dir(&jobs).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}
