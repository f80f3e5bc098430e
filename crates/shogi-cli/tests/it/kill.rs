//! A checkpoint stays whole whatever kills a process in mid-save, and whoever else writes it.

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
fn a_process_killed_in_mid_save_leaves_the_old_file_and_the_next_start_goes_on() {
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
                2,
                "one leftover, not one for each kill"
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
fn two_processes_may_write_the_same_file() {
    let part = checkpoint("two_writers");
    for _ in 0..4 {
        let children = [(); 2].map(|()| command(&solve(&part, NODES)).spawn().unwrap());
        for child in children {
            let answer = Run::from(child.wait_with_output().unwrap()).json();
            assert_eq!(answer["ended"], "nodes");
        }
        shogi(&format!("verify {}", part.display())).fails(0, "");
        assert_eq!(names(part.parent().unwrap()), ["part"]);
    }
}
