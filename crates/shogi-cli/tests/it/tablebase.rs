//! The verb `tablebase`, and what else reads its files.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::thread;
use std::time::Duration;

use serde_json::json;

use crate::common::{Run, command, folder, names, shogi, shogi_with};

/// A pawn and a gold general: small, and known to be right from the tests of the library.
const CLASS: &str = "P1G1K2";

#[test]
fn a_tablebase_is_built_probed_summed_up_and_verified() {
    let folder = folder("tablebase-verbs");
    let path = folder.join("small.tablebase");
    let path = path.to_str().unwrap();
    let built =
        shogi(&format!("tablebase build shogi34 --class {CLASS} --out {path} --json")).json();
    let stats = shogi(&format!("tablebase stats {path} --plies --json")).json();
    for field in ["positions", "win", "loss", "draw", "longest"] {
        assert_eq!(built[field], stats[field]);
    }
    let sum = |fields: &[&str]| fields.iter().map(|f| stats[f].as_u64().unwrap()).sum::<u64>();
    assert_eq!(sum(&["win", "loss", "draw"]), sum(&["positions"]));
    let plies: Vec<_> = stats["plies"].as_array().unwrap().iter().collect();
    assert_eq!(plies.len() as u64, sum(&["longest"]) + 1);
    assert_eq!(stats["longest_line"].as_array().unwrap().len() as u64, sum(&["longest"]));

    let mate = "1k1/3/1P1/1K1 b G 1";
    let lines = format!("{mate}\nnonsense\n{}\n", "2k/3/3/KGP w - 1");
    let probed = shogi_with(&format!("tablebase probe {path}"), lines);
    assert_eq!(probed.code, Some(1));
    let lines = probed.lines();
    assert_eq!(
        (&lines[0]["value"], &lines[0]["plies"]),
        (&json!("win"), &lines[0]["moves"][0]["plies"])
    );
    assert_eq!(lines[0]["in"], mate);
    assert!(lines[1]["error"].is_string());
    assert_eq!(lines[2]["moves"].as_array().unwrap().len(), 3);

    for check in [format!("verify {path}"), format!("tablebase verify {path} --all")] {
        assert_eq!(shogi(&format!("{check} --json")).json()["ok"], true);
    }
    let solved = shogi_in(
        &folder,
        &format!("solve shogi34 --proof proof --sfen {mate}"),
        "shogi34-P1G1K2.tablebase",
    );
    assert_eq!(solved["value"], "win");
    assert_eq!(solved["plies_at_most"], lines[0]["plies"]);
    assert_eq!(solved["tablebase"], "shogi34-P1G1K2.tablebase");
    assert_eq!((&solved["certified"], &solved["proof"]["claim"]), (&json!(true), &json!("win")));
    let proof = folder.join("proof");
    assert_eq!(shogi(&format!("verify {} --json", proof.display())).json()["ok"], true);
    let table = "shogi34-P1G1K2.tablebase";
    for (winner, state) in [("sente", "proved"), ("gote", "refuted")] {
        let out = format!("built-{winner}");
        let arguments = format!("proof build shogi34 --winner {winner} --out {out} --sfen {mate}");
        let built = shogi_in(&folder, &arguments, table);
        assert_eq!((&built["state"], &built["tablebase"]), (&json!(state), &json!(table)));
        let out = folder.join(out);
        assert_eq!(out.exists(), state == "proved");
        if out.exists() {
            assert_eq!(built["plies_at_most"], lines[0]["plies"]);
            assert_eq!(shogi(&format!("verify {} --json", out.display())).json()["ok"], true);
        }
    }
    fs::remove_dir_all(folder).unwrap();
}

/// The answer of the program in a folder where the small tablebase has its usual name.
fn shogi_in(folder: &std::path::Path, arguments: &str, name: &str) -> serde_json::Value {
    let usual = folder.join(name);
    if !usual.exists() {
        fs::rename(folder.join("small.tablebase"), usual).unwrap();
    }
    let (verb, sfen) = arguments.split_once("--sfen ").unwrap();
    let output = command(&format!("{verb} --json --sfen")).arg(sfen).current_dir(folder).output();
    serde_json::from_slice(&output.unwrap().stdout).unwrap()
}

/// Changes what a tablebase says of its positions, a byte for each, and makes its checksums right again.
fn falsify(path: &Path, change: impl Fn(u8) -> u8) {
    let file = fs::read(path).unwrap();
    let number = |at: usize, bytes: usize| {
        let mut number = [0; 8];
        number[..bytes].copy_from_slice(&file[at..at + bytes]);
        u64::from_le_bytes(number) as usize
    };
    let (head, header) = (number(10, 8), number(18, 4));
    let entries = 22 + header;
    let (mut table, mut blocks, mut start) = (Vec::new(), Vec::<u8>::new(), head);
    for entry in (entries..head - 32).step_by(16) {
        let end = head + number(entry, 8);
        let mut bytes = zstd::stream::decode_all(&file[start..end]).unwrap();
        bytes.iter_mut().for_each(|byte| *byte = change(*byte));
        let block = zstd::bulk::compress(&bytes, 1).unwrap();
        blocks.extend(&block);
        table.extend((blocks.len() as u64).to_le_bytes());
        table.extend(&blake3::hash(&block).as_bytes()[..8]);
        start = end;
    }
    let mut falsified = file[..entries].to_vec();
    falsified.extend(table);
    let checksum = *blake3::hash(&falsified).as_bytes();
    falsified.extend(checksum);
    falsified.extend(blocks);
    fs::write(path, falsified).unwrap();
}

#[test]
fn no_proof_of_a_false_tablebase_is_written() {
    let folder = folder("tablebase-false");
    let name = "shogi34-P1G1K2.tablebase";
    let path = folder.join(name);
    shogi(&format!("tablebase build shogi34 --class {CLASS} --out {} --json", path.display()))
        .json();
    // Whatever is no draw is lost at once.
    falsify(&path, |byte| if byte < 200 { 0 } else { byte });
    let run = |arguments: &str| {
        let mut command = command(&format!("{arguments} --json --sfen"));
        Run::from(command.arg("1k1/3/1P1/1K1 b G 1").current_dir(&folder).output().unwrap())
    };
    // Without a proof it is said whose answer it is, and that nothing is proved.
    let answer = run("solve shogi34").json();
    assert_eq!((&answer["value"], &answer["plies_at_most"]), (&json!("loss"), &json!(0)));
    assert_eq!((&answer["tablebase"], &answer["certified"]), (&json!(name), &json!(false)));
    for arguments in ["solve shogi34 --proof false", "proof build shogi34 --out false"] {
        let run = run(arguments);
        run.fails(1, &format!("{name}: the tablebase is false: its proof is refuted: "));
        assert!(run.stderr.contains(", at "), "{}", run.stderr);
        assert_eq!(run.stdout, "");
    }
    assert_eq!(names(&folder), [name]);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_damaged_tablebase_is_refuted() {
    let folder = folder("tablebase-damage");
    let path = folder.join("small.tablebase");
    let name = path.to_str().unwrap();
    shogi(&format!("tablebase build shogi34 --class P1K2 --out {name} --json")).json();
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&path, bytes).unwrap();
    let refuted = shogi(&format!("verify {name} --json"));
    assert_eq!(refuted.code, Some(1));
    assert_eq!(refuted.lines()[0]["ok"], false);
    assert_eq!(refuted.lines()[0]["position"], json!(null));
    let absent = shogi(&format!("tablebase verify {}/none --json", folder.display()));
    assert_eq!((absent.code, &absent.lines()[0]["ok"]), (Some(1), &json!(false)));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_answer_says_what_a_check_has_proved() {
    let folder = folder("tablebase-proved");
    for (stored, words) in [("", "agree with their successors"), ("--wdl", "were found anew")] {
        let path = folder.join("two-lions");
        let name = path.display().to_string();
        shogi(&format!("tablebase build dobutsu --class L2 {stored} --out {name}")).fails(0, "");
        let verify = format!("tablebase verify {name}");
        let all = shogi(&format!("{verify} --all --json")).json();
        assert_eq!((&all["ok"], &all["proved"]), (&true.into(), &true.into()));
        let text = shogi(&format!("{verify} --all")).stdout;
        assert!(text.contains(words) && text.contains("by induction on plies"), "{text}");
        let some = shogi(&format!("{verify} --json")).json();
        assert_eq!((&some["ok"], &some["proved"]), (&true.into(), &false.into()));
        assert!(shogi(&verify).stdout.contains("which proves nothing of the others"));
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        let cut = shogi(&format!("{verify} --all --json"));
        let reason = format!("{name}: at byte {}: the file ends here", bytes.len() - 1);
        assert_eq!((cut.code, &cut.lines()[0]["proved"]), (Some(1), &false.into()));
        assert!(cut.lines()[0]["reason"].as_str().unwrap().starts_with(&reason), "{}", cut.stdout);
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_missing_tablebase_is_named() {
    for verb in ["probe", "stats", "verify"] {
        shogi(&format!("tablebase {verb} absent")).fails(1, "absent: cannot read: No such file");
    }
}

#[test]
fn what_cannot_be_built_is_refused_at_once() {
    let out = "--out /nonexistent/x";
    shogi(&format!("tablebase build shogi34 --class GG {out}")).fails(1, "cannot write");
    shogi(&format!("tablebase build minishogi {out}")).fails(2, "not available for minishogi");
    let folder = folder("tablebase-refused");
    let out = format!("--out {}", folder.join("x").display());
    for class in ["--class SG", "", "--class G9K2", "--class P8K2"] {
        shogi(&format!("tablebase build shogi34 {class} {out}"))
            .fails(2, "two officers in the order");
    }
    shogi(&format!("tablebase build dobutsu --class GG {out}")).fails(2, "such as G1L2");
    shogi("tablebase build dobutsu --out -").fails(2, "not to standard output");
    shogi(&format!("tablebase build dobutsu --memory 100 {out}"))
        .fails(1, "are needed, but 100 MiB");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    fs::remove_dir_all(folder).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn a_build_resumes_from_its_checkpoint() {
    use crate::common::interrupt;

    let folder = folder("tablebase-checkpoint");
    let [whole, parts, checkpoint] = ["whole", "parts", "checkpoint"].map(|name| folder.join(name));
    let build = |out: &std::path::Path| {
        format!("tablebase build shogi34 --class P2G2K2 --out {} --json", out.display())
    };
    shogi(&build(&whole)).json();
    let part = format!("{} --checkpoint {}", build(&parts), checkpoint.display());
    let stopped = interrupt(command(&part).spawn().unwrap());
    assert_eq!(stopped.code, Some(130), "{}", stopped.stderr);
    let saved = checkpoint.join("shogi34-P2G2K2.checkpoint");
    let before = fs::read(&saved).unwrap();
    let verify = format!("verify {} --json", saved.display());
    let verified = shogi(&verify).json();
    assert_eq!(verified["ok"], true, "{verified}");
    let mut damaged = before.clone();
    *damaged.last_mut().unwrap() ^= 1;
    fs::write(&saved, damaged).unwrap();
    shogi(&verify).fails(1, "");
    fs::write(&saved, &before).unwrap();
    // A process that is killed, at the start or in the midst of a pass, leaves the checkpoint.
    for milliseconds in [0, 50, 100, 200] {
        let mut killed = command(&part).spawn().unwrap();
        thread::sleep(Duration::from_millis(milliseconds));
        killed.kill().unwrap();
        killed.wait().unwrap();
        assert!(parts.exists() || fs::read(&saved).unwrap() == before);
    }
    // As a kill in the middle of a save does.
    fs::write(checkpoint.join(".shogi34-P2G2K2.checkpoint.1-0.new"), "half").unwrap();
    shogi(&part).json();
    assert_eq!(crate::common::names(&checkpoint), Vec::<String>::new(), "nothing is left");
    assert!(fs::read(whole).unwrap() == fs::read(parts).unwrap());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn solve_names_the_command_that_makes_a_missing_tablebase() {
    let folder = folder("tablebase-missing");
    let solve = |arguments: &str| {
        let output = command(&format!("solve {arguments} --nodes 1000"))
            .current_dir(&folder)
            .env("XDG_CACHE_HOME", &folder)
            .output();
        String::from_utf8(output.unwrap().stderr).unwrap()
    };
    let stderr = solve("dobutsu");
    let expected = "a tablebase has the value at once: \
                    shogi tablebase build dobutsu --out dobutsu.tablebase (about 40 s, 56 MB, ";
    assert!(stderr.starts_with(expected) && stderr.lines().count() == 1, "{stderr}");
    let stderr = solve("shogi34 --start KBB");
    assert!(stderr.contains("build shogi34 --class BB --out shogi34-BB.tablebase"), "{stderr}");
    assert_eq!(solve("minishogi"), "");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_long_search_says_in_one_line_what_it_takes_and_a_short_one_nothing() {
    let folder = folder("solve-announced");
    let solve = |arguments: &str| {
        let mut solve = command(&format!("solve {arguments} --hash 8"));
        solve.current_dir(&folder).env("XDG_CACHE_HOME", &folder);
        solve
    };
    let first_line = |arguments: &str| -> String {
        let mut run = solve(arguments).spawn().unwrap();
        let said = BufReader::new(run.stderr.take().unwrap()).lines().next();
        // It would search for ever.
        run.kill().unwrap();
        run.wait().unwrap();
        said.unwrap().unwrap()
    };
    let said = first_line("dobutsu");
    assert!(said.starts_with("searching without --nodes or --time; a tablebase has"), "{said}");
    let said = first_line("minishogi");
    assert!(said.contains("Ctrl-C ends it, --checkpoint FILE"), "{said}");
    let said = first_line("kyotoshogi --checkpoint state");
    assert!(said.ends_with("Ctrl-C ends it"), "{said}");
    // A win in one move, where a tablebase could be made, and no limit is set.
    let output = solve("shogi34 --start KNR").output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert!(output.stdout.starts_with(b"win"));
    fs::remove_dir_all(folder).unwrap();
}
