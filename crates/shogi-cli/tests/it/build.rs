//! `proof build`: large proofs from small jobs.

use crate::common;

use std::fs;

use common::{folder, shogi, shogi_with};

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
fn what_is_not_finished_goes_on_from_the_checkpoint() {
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
    fs::write(&log, text.replacen("\"cost\":[", "\"cost\":[1", 1)).unwrap();
    shogi(&command("1e8")).fails(1, "damaged");
    let other = command("1e8").replace("KGR", "KSR");
    fs::write(&log, &text).unwrap();
    shogi(&other).fails(1, "builds something else");

    // A process that is killed may leave half a line.
    fs::write(&log, &text[..text.len() - 9]).unwrap();
    fs::remove_file(&path).unwrap();
    assert_eq!(shogi(&command("1e8")).json()["state"], "proved");
    assert!(path.exists());
}

#[test]
fn a_player_who_cannot_win_is_refuted() {
    let path = folder("build-refuted").join("proof");
    let answer = shogi(&format!(
        "proof build shogi34 --start KNR --winner gote --out {} --json",
        path.display()
    ))
    .json();
    assert_eq!(answer["state"], "refuted");
    assert!(!path.exists());
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
    shogi(&format!("train dobutsu --games 20 --generations 1 --out {learnt}")).fails(0, "");
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
    let answer = shogi(&format!("proof expand {skeleton} --hash 8 --out {full} --json")).json();
    assert_eq!(answer["state"], "proved");
    let verified = shogi(&format!("verify {full} --json")).json();
    assert_eq!(verified["entries"], answer["entries"]);
    let text = fs::read_to_string(folder.join("skeleton")).unwrap();
    fs::write(folder.join("skeleton"), text.replacen("\"moves\":\"", "\"moves\":\"- ", 1)).unwrap();
    shogi(&format!("proof expand {skeleton} --out {full}")).fails(1, "checksum");
}
