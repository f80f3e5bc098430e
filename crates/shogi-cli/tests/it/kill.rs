//! A checkpoint stays whole whatever kills a process in mid-save, and one process at a time works with it.

use crate::common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Child;

use common::{Run, command, folder, names, shogi};

/// A solver whose limit is spent: it reads its checkpoint, writes it again and ends.
fn solve(part: &Path, nodes: u32) -> String {
    let part = part.display();
    format!(
        "solve shogi34 --start KBB --hash 16 --nodes {nodes} --checkpoint {part} --json --threads 1"
    )
}

/// The nodes of the first run.
const NODES: u32 = 1_000_000;

/// A checkpoint of some megabytes in a folder of its own.
fn checkpoint(test: &str) -> PathBuf {
    let part = folder(test).join("part");
    let answer = shogi(&solve(&part, NODES)).json();
    assert_eq!(answer["ended"], "nodes");
    assert!(fs::metadata(&part).unwrap().len() > 1 << 20);
    part
}

/// The bytes that a process has written of its new checkpoint.
fn written(part: &Path, process: u32) -> Option<u64> {
    let start = format!(".part.{process}-");
    let mut entries = fs::read_dir(part.parent().unwrap()).unwrap().flatten();
    let new =
        entries.find(|entry| entry.file_name().as_encoded_bytes().starts_with(start.as_bytes()));
    Some(new?.metadata().ok()?.len())
}

/// Kills a process as soon as its save has written so many bytes; whether it was in the middle of it.
fn kill_in_save(mut child: Child, part: &Path, bytes: u64) -> bool {
    while child.try_wait().unwrap().is_none() {
        if written(part, child.id()).is_some_and(|written| written > bytes) {
            child.kill().unwrap();
            child.wait().unwrap();
            return written(part, child.id()).is_some();
        }
    }
    false
}

#[test]
fn a_process_killed_in_mid_save_leaves_the_old_file_and_the_next_start_resumes() {
    const KILLS: u64 = 8;
    const MOST_STARTS: u64 = 400;

    let part = checkpoint("kill_save");
    let size = fs::metadata(&part).unwrap().len();
    let (mut kills, mut starts) = (0, 0);
    while kills < KILLS {
        starts += 1;
        assert!(starts < MOST_STARTS, "only {kills} of {starts} starts were killed in mid-save");
        let child = command(&solve(&part, NODES)).spawn().unwrap();
        if kill_in_save(child, &part, kills * size / KILLS) {
            kills += 1;
            assert_eq!(
                names(part.parent().unwrap()).len(),
                3,
                "one leftover and the lock, not one for each kill"
            );
        }
        shogi(&format!("verify {}", part.display())).fails(0, "");
    }
    let answer = shogi(&solve(&part, NODES + 1000)).json();
    let nodes = answer["nodes"].as_u64().unwrap();
    assert!((u64::from(NODES)..u64::from(NODES) * 11 / 10).contains(&nodes), "{nodes}");
    assert_eq!(names(part.parent().unwrap()), ["part"]);
}

#[test]
fn of_two_processes_with_the_same_checkpoint_one_works_and_the_other_is_refused() {
    let part = checkpoint("two_writers");
    let mut refused = 0;
    for _ in 0..4 {
        let children = [(); 2].map(|()| command(&solve(&part, NODES)).spawn().unwrap());
        let runs = children.map(|child| {
            let number = child.id();
            (number, Run::from(child.wait_with_output().unwrap()))
        });
        for ((_, run), (other, _)) in [(&runs[0], &runs[1]), (&runs[1], &runs[0])] {
            if run.code == Some(0) {
                assert_eq!(run.json()["ended"], "nodes");
            } else {
                // The other one writes its number just after it has locked the file.
                let refusals = [format!(" {other}"), String::new()]
                    .map(|name| format!("{}: another process{name} works with it", part.display()));
                assert_eq!(run.code, Some(1), "{}", run.stderr);
                assert!(refusals.iter().any(|words| run.stderr.contains(words)), "{}", run.stderr);
                refused += 1;
            }
        }
        assert!(runs.iter().any(|(_, run)| run.code == Some(0)), "nobody worked");
        shogi(&format!("verify {}", part.display())).fails(0, "");
        assert_eq!(names(part.parent().unwrap()), ["part"]);
    }
    println!("{refused} of 8 were refused");
}

/// Each verb that keeps its state, with work that does not end soon, and what comes behind the name of the checkpoint
/// in the name of what is locked.
const ENDLESS: [(&str, &str); 7] = [
    ("estimate shogi --samples 1e12", ""),
    ("solve minishogi --hash 16", ""),
    ("selfplay minishogi --games 9e8 --nodes 50", ""),
    ("learn match minishogi --pairs 1e6 --nodes 50 --low -900 --high 900", ""),
    ("learn proofs minishogi --games 1e6 --out net", ""),
    ("proof build minishogi --hash 16 --out proof", "/"),
    ("tablebase build shogi34 --class RB --out table", "/shogi34-P2B2R2K2.checkpoint"),
];

#[cfg(target_os = "linux")]
#[test]
fn a_checkpoint_that_is_worked_with_is_refused_by_every_verb() {
    let folder = folder("locked");
    for (number, (verb, locked)) in ENDLESS.into_iter().enumerate() {
        let state = folder.join(number.to_string()).display().to_string();
        let arguments = format!("{verb} --checkpoint {state}");
        let arguments = arguments.replace("--out ", &format!("--out {}/", folder.display()));
        let locked = format!("{state}{locked}");
        let (subject, lock) = match locked.strip_suffix('/') {
            Some(directory) => (directory.to_owned(), format!("{directory}/lock")),
            None => (locked.clone(), format!("{locked}.lock")),
        };
        let mut first = command(&arguments).spawn().unwrap();
        while fs::read_to_string(&lock).map_or(true, |text| !text.ends_with('\n')) {
            assert_eq!(first.try_wait().unwrap(), None, "{verb}");
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let reason = format!("{subject}: another process {} works with it", first.id());
        shogi(&arguments).fails(1, &reason);
        if verb.starts_with("tablebase") {
            // Other sets have theirs in the same directory.
            let other = arguments.replace("--class RB", "--class GG --memory 1");
            shogi(&other).fails(1, "of memory are needed");
        }
        // Killed, it leaves a file that locks nothing.
        first.kill().unwrap();
        first.wait().unwrap();
        assert!(Path::new(&lock).exists(), "{verb}");
        let again = crate::common::interrupt(command(&arguments).spawn().unwrap());
        again.fails(130, "saved in");
        assert!(!Path::new(&lock).exists(), "{verb}");
    }
}
