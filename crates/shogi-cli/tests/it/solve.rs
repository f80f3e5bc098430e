//! solve: proved values, budgets, proof files and checkpoints.

use crate::common;

use std::fs;

use common::{folder, names, shogi};
use serde_json::{Value, json};

/// Starts of 3x4 shogi with the plies of their wins; exact ones would take an exhaustive search.
const WINS: [(&str, u64); 6] =
    [("KNR", 1), ("KNL", 3), ("RKR", 5), ("RKL", 5), ("NKN", 3), ("KRB", 7)];

#[test]
fn starts_of_3x4_shogi_have_the_known_values() {
    for algorithm in ["dfpn", "pds"] {
        for (start, shortest) in WINS {
            let run =
                shogi(&format!("solve shogi34 --start {start} --algorithm {algorithm} --json"));
            assert_eq!(run.stderr, "", "nothing is said before a short search");
            let answer = run.json();
            let keys: Vec<_> = answer.as_object().unwrap().keys().take(5).collect();
            assert_eq!(keys, ["value", "plies_at_most", "nodes", "seconds", "pv"]);
            assert_eq!(answer["value"], "win", "{start} by {algorithm}");
            let plies = answer["plies_at_most"].as_u64().unwrap();
            assert!(plies >= shortest && plies % 2 == 1, "{start}: {plies} plies");
            let line = answer["pv"].as_array().unwrap();
            assert!(line.len() as u64 <= plies && line.len() % 2 == 1, "{start}: {line:?}");
            assert_eq!(answer["certified"], true);
        }
    }
}

#[test]
fn the_line_is_played_to_the_end() {
    let answer = shogi("solve shogi34 --start KNR --json").json();
    assert_eq!(answer["pv"], json!(["1d1b"]));
    // Gote to move, and lost.
    let lost = "solve shogi34 --sfen";
    let run = common::command(lost).arg("rnk/2R/P2/KN1 w p 1").arg("--json").output().unwrap();
    let answer = common::Run::from(run).json();
    assert_eq!((&answer["value"], &answer["nodes"]), (&json!("loss"), &json!(0)));
    assert_eq!((&answer["plies_at_most"], &answer["pv"]), (&json!(0), &json!([])));
}

fn solve(variant: &str, sfen: &str, options: &str) -> Value {
    let mut command = common::command(&format!("solve {variant} --json {options} --sfen"));
    common::Run::from(command.arg(sfen).output().unwrap()).json()
}

#[test]
fn every_variant_is_solved_by_its_own_rules() {
    for (variant, sfen, value) in [
        ("minishogi", "4k/5/4P/5/K4 b G 1", "win"),
        ("kyotoshogi", "4k/5/4P/5/K4 b T 1", "win"),
        ("shogi", "4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "win"),
        ("dobutsu", "2l/3/1+CC/L2 b G 1", "win"),
        // A lion that stands safe on the last rank has tried.
        ("dobutsu", "L2/2l/3/3 w EGCegc 1", "loss"),
        // Bare kings: nobody can win, unless by the rule on repetition, which is Gote's.
        ("shogi", "4k4/9/9/9/9/9/9/9/4K4 b - 1", "draw"),
        ("minishogi", "4k/5/5/5/K4 b - 1", "loss"),
        ("minishogi", "4k/5/5/5/K4 w - 1", "win"),
    ] {
        for algorithm in ["--algorithm dfpn", "--algorithm pds"] {
            let answer = solve(variant, sfen, algorithm);
            assert_eq!(answer["value"], value, "{variant} {sfen} {answer}");
            assert_eq!(answer["refuted"], json!(null));
        }
    }
}

#[test]
fn a_budget_ends_in_unknown() {
    for budget in ["--nodes 1e4", "--time 0.05s", "--time 0"] {
        let answer = shogi(&format!("solve minishogi {budget} --hash 8 --json")).json();
        assert_eq!((&answer["value"], &answer["certified"]), (&json!("unknown"), &json!(false)));
        assert_eq!((&answer["plies_at_most"], &answer["pv"]), (&json!(null), &json!([])));
        assert!(answer["nodes"].as_u64().unwrap() < 10_000_000);
    }
    let answer = shogi("solve minishogi --nodes 10000 --json").json();
    assert_eq!(answer["open"][0]["found"], "open");
    assert!(answer["open"][0]["proof"].as_u64().unwrap() > 0);
    assert_eq!(answer["ended"], "nodes");
    let (nodes, expansions) = (&answer["nodes"], &answer["expansions"]);
    assert!(expansions.as_u64() > Some(100) && expansions.as_u64() < nodes.as_u64());
    let answer = shogi("solve minishogi --time 0.05s --hash 8 --json").json();
    assert_eq!(answer["ended"], "time");
    // A limit that is spent from the start is the one that ends the search.
    for (budget, ended) in [("--time 0", "time"), ("--nodes 0", "nodes")] {
        let answer = shogi(&format!("solve minishogi {budget} --hash 8 --json")).json();
        assert_eq!((&answer["ended"], &answer["nodes"]), (&json!(ended), &json!(0)), "{budget}");
    }
    let answer = shogi("solve shogi34 --start KGR --json").json();
    assert_eq!(answer["ended"], "solved");
    let text = shogi("solve shogi34 --start RKB --nodes 3e4").stdout;
    assert!(text.contains("ended by nodes"), "{text}");
    assert!(text.starts_with("unknown, 3") && text.contains("win for gote: open"), "{text}");
}

#[test]
fn a_proof_file_holds() {
    let folder = folder("solve_proof");
    let proof = folder.join("proof");
    let file = proof.display().to_string();
    for (start, claim) in [("KRB", "win"), ("KGG", "draw")] {
        let run = shogi(&format!("solve shogi34 --start {start} --proof {file} --json"));
        let answer = run.json();
        let verified = shogi(&format!("verify {file} --json")).json();
        assert_eq!((&verified["ok"], &verified["claim"]), (&json!(true), &json!(claim)));
        assert_eq!(verified["plies"], answer["plies_at_most"]);
        assert_eq!(verified["entries"], answer["proof"]["entries"]);
        let line = shogi(&format!("proof line --longest {file} --json")).json();
        assert_eq!(line["moves"], answer["pv"]);
    }
    fs::remove_file(&proof).unwrap();
    let run = shogi(&format!("solve minishogi --nodes 1000 --proof {file}"));
    assert!(run.code == Some(0) && run.stderr.contains("nothing is proved"), "{}", run.stderr);
    assert!(names(&folder).is_empty());
}

#[test]
fn a_proof_is_written_even_where_nobody_reads_the_answer() {
    let folder = folder("solve_unread");
    let proof = folder.join("proof");
    let arguments = format!("solve shogi34 --start KRB --proof {}", proof.display());
    let mut child = common::command(&arguments).spawn().unwrap();
    drop((child.stdout.take(), child.stderr.take()));
    child.wait().unwrap();
    shogi(&format!("verify {}", proof.display())).fails(0, "");
}

#[test]
fn requests_that_cannot_be_meant_are_errors() {
    shogi("solve").fails(2, "VARIANT");
    shogi("solve chess").fails(2, "chess");
    shogi("solve minishogi --algorithm magic").fails(2, "--algorithm");
    shogi("solve minishogi --leaf magic").fails(2, "--leaf");
    shogi("solve minishogi --hash 0").fails(2, "--hash");
    shogi("solve minishogi --hash 4000000000").fails(2, "--hash");
    shogi("solve minishogi --nodes 1.5").fails(2, "--nodes");
    shogi("solve minishogi --time=-1").fails(2, "--time");
    shogi("solve minishogi --start RKB").fails(2, "no start by name");
    shogi("solve shogi34 --start RBB").fails(2, "names no start");
    shogi("solve minishogi --sfen nonsense").fails(1, "in \"nonsense\"");
    let folder = folder("solve_unwritable");
    for option in ["--proof", "--checkpoint"] {
        let path = folder.join("none/file");
        let run = shogi(&format!("solve minishogi {option} {}", path.display()));
        run.fails(1, "cannot write");
    }
}

#[test]
fn a_checkpoint_is_resumed_and_gives_the_same_value() {
    let folder = folder("solve_resumed");
    for (algorithm, start, nodes, value, certificates) in
        [("dfpn", "KGG", 100_000, "draw", 2), ("pds", "KGR", 30_000, "win", 1)]
    {
        let checkpoint = folder.join(algorithm).display().to_string();
        let run = format!(
            "solve shogi34 --start {start} --algorithm {algorithm} --hash 64 --json --checkpoint \
             {checkpoint}"
        );
        let first = shogi(&format!("{run} --nodes {nodes}")).json();
        assert_eq!(first["value"], "unknown");
        let verified = shogi(&format!("verify {checkpoint} --json")).json();
        assert_eq!((&verified["ok"], &verified["variant"]), (&json!(true), &json!("shogi34")));
        assert_eq!(verified["nodes"], first["nodes"]);
        assert!(verified["entries"].as_u64().unwrap() > 1000);
        // What has been spent counts.
        let spent = shogi(&format!("{run} --nodes {nodes}")).json();
        assert_eq!(spent["nodes"], first["nodes"]);
        let whole = shogi(&run).json();
        assert_eq!(whole["value"], value);
        assert!(whole["nodes"].as_u64() > first["nodes"].as_u64());
        let again = shogi(&run).json();
        for key in ["value", "nodes", "pv", "proof"] {
            assert_eq!(again[key], whole[key], "a finished checkpoint is the answer");
        }
        let verified = shogi(&format!("verify {checkpoint} --json")).json();
        let held = verified["certificates"].as_u64().unwrap();
        assert!(held >= certificates, "{held} certificates");
    }
}

#[test]
fn a_damaged_or_foreign_checkpoint_is_refused_and_left_as_it_is() {
    let folder = folder("solve_damaged");
    let path = folder.join("state");
    let checkpoint = path.display().to_string();
    let run = format!("solve minishogi --nodes 2e4 --hash 8 --checkpoint {checkpoint}");
    assert_eq!(shogi(&run).code, Some(0));
    let good = fs::read(&path).unwrap();
    shogi(&run.replace("minishogi", "kyotoshogi")).fails(1, "is of another run");
    shogi(&format!("{run} --algorithm pds")).fails(1, "its algorithm is dfpn, not pds");
    assert_eq!(fs::read(&path).unwrap(), good);
    let mut changed = good.clone();
    // In the middle of an entry of a table, or after the end of the file.
    changed[good.len() / 2] ^= 1;
    let cut = good[..good.len() - 1].to_vec();
    let longer = [&good[..], b"\n"].concat();
    for (damaged, words) in [
        (changed, "byte"),
        (cut, "not complete"),
        (longer, "nothing may follow"),
        (b"rubbish".to_vec(), "no checkpoint"),
        (Vec::new(), "no checkpoint"),
    ] {
        fs::write(&path, &damaged).unwrap();
        shogi(&run).fails(1, words);
        assert_eq!(fs::read(&path).unwrap(), damaged);
        let verified = shogi(&format!("verify {checkpoint} --json"));
        assert_eq!((verified.code, &verified.lines()[0]["ok"]), (Some(1), &json!(false)));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_saves_the_checkpoint_and_the_next_run_resumes() {
    let folder = folder("solve_interrupted");
    let checkpoint = folder.join("state").display().to_string();
    let arguments = format!("solve minishogi --hash 16 --json --checkpoint {checkpoint}");
    let mut before = 0;
    for _ in 0..2 {
        let run = common::interrupt(common::command(&arguments).spawn().unwrap());
        run.fails(130, "the same command resumes from there");
        assert_eq!(run.lines()[0]["value"], "unknown");
        let verified = shogi(&format!("verify {checkpoint} --json")).json();
        let nodes = verified["nodes"].as_u64().unwrap();
        assert!(nodes > before);
        before = nodes;
    }
    assert_eq!(names(&folder), ["state"]);
    let endless = common::command("solve minishogi --hash 16").spawn().unwrap();
    common::interrupt(endless).fails(130, "--checkpoint FILE");
}

#[test]
fn other_wanted_findings_are_not_listed_once_the_value_is_known() {
    let run = shogi("solve shogi34 --start KNR");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.starts_with("win in at most 1 ply"), "{}", run.stdout);
    let run = shogi("solve shogi34 --start KBR");
    assert!(
        run.stdout.starts_with("win in at most ") && run.stdout.contains("proved: win for sente")
    );
    assert!(!run.stdout.contains(": open"), "{}", run.stdout);
    let open = shogi("solve minishogi --nodes 10000").stdout;
    assert!(open.contains("win for sente: open, proof number"), "{open}");
}
