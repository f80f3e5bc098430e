//! Tablebases elsewhere: an explorer answers from the parts that it is supplied with.

use std::fs;

use serde_json::json;
use shogi_explore::{Explorer, FileParts};

use super::common::proof;
use super::service::{POSITION, table};

/// Calls a task, and supplies the parts of a file that it needs, until it needs no more; returns how often it was called.
fn call<T>(parts: &FileParts, file: &[u8], mut task: impl FnMut() -> T) -> (T, u32) {
    for calls in 1.. {
        let answer = task();
        let missing = parts.take_missing();
        if missing.is_empty() {
            parts.clear();
            return (answer, calls);
        }
        for range in missing {
            parts.supply(range.start, file[range.start as usize..range.end as usize].to_vec());
        }
    }
    unreachable!()
}

#[test]
fn a_tablebase_elsewhere_is_listed_and_probed_as_one_here() {
    let file = fs::read(table()).unwrap();
    let here = Explorer::open(&[table()]).unwrap();
    let there = Explorer::open::<&str>(&[]).unwrap();
    let parts = FileParts::new(file.len() as u64);
    let name = "e1g2l2.tablebase";
    let (added, calls) = call(&parts, &file, || there.add_remote(name, parts.clone()));
    assert_eq!(added.unwrap(), 0);
    assert!(calls > 1);
    let (about, _) = call(&parts, &file, || there.about());
    assert_eq!(about.unwrap()["files"], here.about().unwrap()["files"]);
    assert_eq!(there.added_bytes(), 0);
    let request = json!({ "variant": "dobutsu", "in": POSITION }).to_string();
    let (probed, calls) = call(&parts, &file, || there.answer("probe", request.as_bytes()));
    assert_eq!(probed, here.answer("probe", request.as_bytes()));
    assert!(probed.is_ok() && calls <= 2);
}

#[test]
fn what_is_no_tablebase_is_known_from_its_beginning() {
    let explorer = Explorer::open::<&str>(&[]).unwrap();
    let file = fs::read(proof()).unwrap();
    let parts = FileParts::new(file.len() as u64);
    let (added, _) = call(&parts, &file, || explorer.add_remote("kbr.proof", parts.clone()));
    assert_eq!(added.unwrap_err().to_string(), "kbr.proof: at byte 0: this is no tablebase");
}
