//! Faulty files: the program ends with an error that begins with the file's name.

use std::fs;
use std::path::Path;

use serde_json::value::RawValue;
use shogi_files::sealed::{JsonFormat, to_json};

use crate::common::{Run, folder, shogi, shogi_with};

/// The uses of a file `{}` that is read; `{dir}` is a folder with a good file of each kind, where others may be written.
const READ: &[&str] = &[
    "merge {}",
    "merge {dir}/shard {}",
    "tablebase probe {}",
    "tablebase stats {}",
    "explain dobutsu --sfen startpos --eval {}",
    "selfplay dobutsu --games 1 --nodes 10 --eval {}",
    "learn fit dobutsu --out {dir}/new --archive {}",
    "learn fit dobutsu --out {dir}/new --archive {dir}/archive --archive {}",
    "learn fit dobutsu --form weighted --out {dir}/new --archive {}",
    "learn fit dobutsu --form correction --out {dir}/new --archive {dir}/archive --eval {}",
    "learn proofs dobutsu --rounds 1 --searches 10 --out {dir}/new --linear {}",
    "proof build kyotoshogi --nodes 10 --out {dir}/new --evaluation {}",
    "proof build kyotoshogi --nodes 10 --out {dir}/new --checkpoint {dir}/log --evaluation {}",
    "proof expand {} --out {dir}/new",
    "proof work --job {} --out {dir}/new",
    "proof work --job {dir}/job --out {dir}/new --evaluation {}",
    "proof stats {}",
    "proof line {}",
    "proof walk {}",
    "proof shorten {} --out {dir}/new",
    "proof shorten {dir}/proof --out {dir}/new --evaluation {}",
    "convert shogi {} --to usi",
    #[cfg(feature = "explore")]
    "explore {}",
];

/// The uses of a file that is read if it is there.
const RESUMED: &[&str] = &[
    "estimate minishogi --samples 100 --checkpoint {}",
    "solve shogi34 --start KBB --nodes 1000 --hash 1 --checkpoint {}",
    "selfplay dobutsu --games 1 --nodes 10 --checkpoint {}",
    "learn proofs dobutsu --games 10 --generations 1 --rounds 1 --out {dir}/new --checkpoint {}",
    "learn proofs dobutsu --games 10 --generations 1 --rounds 0 --out {dir}/new --checkpoint {}",
];

/// The uses of a file that is written.
const WRITTEN: &[&str] = &[
    "estimate minishogi --samples 100 --out {}",
    "merge {dir}/shard --out {}",
    "tablebase build shogi34 --class K2 --out {}",
    "selfplay dobutsu --games 1 --nodes 10 --plies 10 --out {}",
    "selfplay dobutsu --games 1 --nodes 10 --plies 10 --records {}",
    "learn fit dobutsu --form weighted --archive {dir}/archive --out {}",
    "learn proofs dobutsu --games 10 --generations 1 --rounds 0 --out {}",
    "solve shogi34 --start KGR --hash 16 --proof {}",
    "show dobutsu --sfen startpos --svg {}",
    "proof shorten {dir}/proof --out {}",
];

/// A folder with a good file of some kinds.
fn good_files(test: &str) -> std::path::PathBuf {
    let folder = folder(test);
    let made = |arguments: &str, name: &str| {
        let run = shogi(&arguments.replace("{}", folder.join(name).to_str().unwrap()));
        assert_eq!(run.code, Some(0), "{arguments}: {}", run.stderr);
    };
    made("estimate minishogi --samples 100 --out {}", "shard");
    made("selfplay dobutsu --games 2 --nodes 20 --plies 40 --out {}", "archive");
    made("solve shogi34 --start KGR --hash 16 --proof {}", "proof");
    let rules = shogi_proof_rules(&folder);
    let job = format!(
        r#"{{"variant":"dobutsu","rules":"{rules}","position":"gle/1c1/1C1/ELG b - 1","sente_proves":true,"draw_suffices":false,"expansions":10}}"#
    );
    fs::write(folder.join("job"), sealed(&job, Some("proof job"))).unwrap();
    folder
}

/// The hash of the rules of Dobutsu shogi, as an archive has it.
fn shogi_proof_rules(folder: &Path) -> String {
    let archive = fs::read(folder.join("archive")).unwrap();
    let text = String::from_utf8_lossy(&archive);
    let (_, rest) = text.split_once("\"rules\":\"").unwrap();
    rest[..64].to_owned()
}

/// An object with the seal of a format, of version 1.
fn sealed(object: &str, format: Option<&'static str>) -> String {
    let content = RawValue::from_string(object.to_owned()).unwrap();
    to_json(&content, &JsonFormat { format, version: 1, name: "test" })
}

fn run(arguments: &str, folder: &Path, file: &str) -> Run {
    shogi(&arguments.replace("{dir}", folder.to_str().unwrap()).replace("{}", file))
}

/// Asserts that a run was refused for this file, and says so at once.
#[track_caller]
fn blames(arguments: &str, folder: &Path, file: &str) {
    let run = run(arguments, folder, file);
    assert_eq!(run.code, Some(1), "{arguments} with {file}: {}", run.stderr);
    let line = run.stderr.lines().last().unwrap_or_default();
    assert!(line.starts_with(&format!("error: {file}:")), "{arguments} with {file}: {line}");
    assert_eq!(line.matches(file).count(), 1, "{arguments} with {file}: {line}");
}

#[test]
fn an_error_begins_with_the_name_of_the_file_that_is_at_fault() {
    let folder = good_files("files_blamed");
    let damaged = [
        ("empty", Vec::new()),
        ("text", b"no file of any kind\n".to_vec()),
        ("bytes", (0..=255).collect()),
        ("braces", b"{}\n".to_vec()),
    ];
    for (name, bytes) in &damaged {
        fs::write(folder.join(name), bytes).unwrap();
    }
    for (name, _) in &damaged {
        let file = folder.join(name).display().to_string();
        for arguments in READ.iter().chain(RESUMED) {
            blames(arguments, &folder, &file);
        }
    }
    let absent = folder.join("absent").display().to_string();
    for arguments in READ {
        blames(arguments, &folder, &absent);
    }
    let nowhere = folder.join("none").join("file").display().to_string();
    for arguments in WRITTEN {
        blames(arguments, &folder, &nowhere);
    }
}

#[test]
fn a_file_cut_anywhere_is_blamed() {
    let folder = good_files("files_cut");
    let uses = [
        ("shard", "merge {}"),
        ("archive", "learn fit dobutsu --out {dir}/new --archive {}"),
        ("proof", "proof stats {}"),
        ("job", "proof work --job {} --out {dir}/new"),
    ];
    for (name, arguments) in uses {
        let bytes = fs::read(folder.join(name)).unwrap();
        let file = folder.join("cut").display().to_string();
        for part in 0..4 {
            fs::write(&file, &bytes[..bytes.len() * part / 4]).unwrap();
            blames(arguments, &folder, &file);
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_endless_file_is_refused() {
    let folder = good_files("files_endless");
    for arguments in READ.iter().chain(RESUMED) {
        blames(arguments, &folder, "/dev/zero");
    }
    let verified = shogi("verify /dev/zero --json");
    assert_eq!((verified.code, &verified.lines()[0]["ok"]), (Some(1), &false.into()));
    let options = [("USI_Variant", "dobutsu"), ("EvalFile", "/dev/zero")];
    let options = options.map(|(name, value)| format!("setoption name {name} value {value}\n"));
    let engine = shogi_with("usi", options.concat() + "isready\nquit\n");
    let bound = "/dev/zero: more than 268435456 bytes, the most that is read";
    assert!(engine.stdout.contains(bound), "{}", engine.stdout);
    let zeros = fs::File::open("/dev/zero").unwrap();
    let moves = crate::common::command("moves dobutsu").stdin(zeros).output().unwrap();
    Run::from(moves).fails(1, "cannot read standard input: line 1 has more than 268435456 bytes");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_names_the_file() {
    let folder = good_files("files_full");
    for arguments in WRITTEN {
        let run = run(arguments, &folder, "/dev/full");
        assert_eq!(run.code, Some(1), "{arguments}: {}", run.stderr);
        let line = run.stderr.lines().last().unwrap_or_default();
        assert!(line.starts_with("error: /dev/full: "), "{arguments}: {line}");
        assert!(line.contains("No space left on device"), "{arguments}: {line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_goes_into_the_pipe_that_standard_output_is() {
    let run = shogi("estimate minishogi --samples 10 --seed 1 --out /dev/stdout");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert!(run.stdout.contains("\"tally\""), "{}", run.stdout);
}

/// A shard with something replaced, and its checksum made anew.
fn changed(shard: &str, from: &str, to: &str) -> String {
    let (open, _) = shard.rsplit_once(",\"checksum\"").unwrap();
    let object = open.replacen("\"version\":1,", "", 1);
    let other = object.replacen(from, to, 1);
    assert_ne!(other, object, "{from}");
    sealed(&(other + "}"), None)
}

#[test]
fn no_file_is_written_twice() {
    let folder = folder("written_twice");
    let name = folder.join("one").display().to_string();
    for (arguments, name) in [
        (format!("selfplay dobutsu --games 1 --nodes 5 --out {name} --records {name}"), &*name),
        (format!("selfplay dobutsu --games 1 --nodes 5 --out {name} --checkpoint {name}"), &*name),
        (format!("solve shogi34 --start KNL --proof {name} --checkpoint {name}"), &*name),
        (
            format!("proof build shogi34 --start KGR --hash 8 --out {name} --skeleton {name}"),
            &*name,
        ),
        ("selfplay dobutsu --games 1 --nodes 5 --out - --records -".into(), "standard output"),
    ] {
        shogi(&arguments).fails(2, &format!("{name} is to be written twice"));
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    shogi("selfplay dobutsu --games 1 --nodes 5 --out /dev/null --records /dev/null").fails(0, "");
}

#[test]
fn a_directory_is_refused_with_the_files_in_it() {
    let folder = folder("verify_directory");
    let name = folder.display();
    let command = format!("verify {name}");
    shogi(&command)
        .fails(1, &format!("{name}: this is a directory; give the file to verify: none here"));
    let state = folder.join("state");
    shogi(&format!(
        "proof build minishogi --nodes 10 --hash 8 --out {name}/proof --checkpoint {}",
        state.display()
    ))
    .fails(0, "");
    let command = format!("verify {} --json", state.display());
    let answer = shogi(&command);
    assert_eq!(answer.code, Some(1));
    let reason = answer.lines()[0]["reason"].as_str().unwrap().to_owned();
    let log = state.join("log").display().to_string();
    assert!(reason.contains(&log), "{reason}");
    shogi(&format!("verify {log}")).fails(0, "");
}

#[test]
fn merge_refuses_what_verify_refutes() {
    let folder = folder("merge_verify");
    let path = |name: &str| folder.join(name).display().to_string();
    let (plain, strata) = (path("plain"), path("strata"));
    shogi(&format!("estimate minishogi --samples 100 --out {plain}")).fails(0, "");
    shogi(&format!("estimate kyotoshogi --samples 4000 --method strata --out {strata}"))
        .fails(0, "");
    let plain = fs::read_to_string(plain).unwrap();
    let strata = fs::read_to_string(strata).unwrap();
    let candidates = |shard: &str| {
        let (_, rest) = shard.split_once("\"candidates\":\"").unwrap();
        format!("\"candidates\":\"{}\"", rest.split_once('"').unwrap().0)
    };
    let size = {
        let (_, rest) = strata.split_once("\"size\":\"").unwrap();
        format!("\"size\":\"{}\"", rest.split_once('"').unwrap().0)
    };
    let large = format!("\"candidates\":\"1{}\"", "0".repeat(40));
    let (_, rules) = plain.split_once("\"rules\"").unwrap();
    let rules = format!("\"rules\"{},", rules.split_once(',').unwrap().0);
    let of_no_rules = changed(&plain, &rules, "");
    let forged = [
        (changed(&plain, "\"minishogi\"", "\"xyz\""), "there is no variant \"xyz\""),
        (
            changed(&plain, "\"minishogi\"", "\"kyotoshogi\""),
            "the rules of kyotoshogi have the hash",
        ),
        (changed(&of_no_rules, "\"minishogi\"", "\"kyotoshogi\""), "the variant has"),
        (changed(&plain, &candidates(&plain), "\"candidates\":\"1\""), "candidates, not 1"),
        (changed(&plain, &candidates(&plain), &large), "candidates, not 1000"),
        (changed(&strata, &size, "\"size\":\"7\""), "the classes are not those of the variant"),
        (
            plain.replacen("\"seed\":1", "\"seed\":2,\"seed\":1", 1),
            "the key \"seed\" is there twice",
        ),
    ];
    let file = path("forged");
    for (text, reason) in forged {
        fs::write(&file, format!("{text}\n")).unwrap();
        let refuted = shogi(&format!("verify {file} --json"));
        assert_eq!(refuted.code, Some(1));
        let found = refuted.lines()[0]["reason"].as_str().unwrap().to_owned();
        assert!(found.contains(reason), "{found}");
        shogi(&format!("merge {file}")).fails(1, reason);
    }
    // The helper makes what is accepted where nothing is false.
    fs::write(&file, changed(&plain, "\"seed\":1", "\"seed\":2")).unwrap();
    shogi(&format!("merge {file}")).fails(0, "");
}

#[test]
fn a_mark_before_a_text_is_no_part_of_it() {
    let answers = shogi("classify minishogi --certificate --sfen startpos").stdout;
    for text in [format!("\u{feff}{answers}"), format!("\u{feff}\r\n{answers}")] {
        let run = shogi_with("verify -", text);
        assert_eq!((run.code, &*run.stdout), (Some(0), "ok: 1 certificate\n"));
    }
    let run = shogi_with("verify -", "\u{feff}");
    assert_eq!((run.code, &*run.stdout), (Some(1), "refuted: object 1: the file is empty\n"));
}

#[test]
fn an_object_of_another_kind_is_called_so() {
    let job = sealed(r#"{"nodes":1}"#, Some("letter"));
    for (text, reason) in [
        (job.as_str(), "an object of the format \"letter\", of which nothing is checked"),
        ("{}", "an object of no known kind"),
        (r#"{"certificate":"game"}"#, "not a certificate: missing field"),
        (r#"{"certificate":"game","certificate":"game"}"#, "\"certificate\" is there twice"),
    ] {
        let run = shogi_with("verify - --json", text);
        let found = run.lines()[0]["reason"].as_str().unwrap().to_owned();
        assert!(found.contains(reason), "{found}");
    }
}
