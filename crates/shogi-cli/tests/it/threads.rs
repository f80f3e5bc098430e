//! Threads carry the rule set of the thread that starts them, since they are started in one place.

use std::fs;
use std::path::PathBuf;

use crate::documents::{files, root};

/// The calls that start a thread or hand out work to one, but for `.spawn()` of a process.
const STARTS: [&str; 14] = [
    ".par_",
    ".spawn(",
    ".spawn_scoped(",
    "into_par_iter",
    "par_bridge",
    "rayon::broadcast",
    "rayon::in_place_scope",
    "rayon::iter",
    "rayon::join",
    "rayon::prelude",
    "rayon::scope",
    "rayon::spawn",
    "thread::spawn",
    "thread::Builder",
];

/// The lines of a source, without its tests, that start a thread.
fn starts(source: &str) -> Vec<&str> {
    let source = source.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let code = source.lines().map(str::trim_start).filter(|line| !line.starts_with("//"));
    code.filter(|line| STARTS.iter().any(|start| line.replace(".spawn()", "").contains(start)))
        .collect()
}

/// No compiler sees it: a thread that works without its rule set takes another one, or none, and answers wrongly.
#[test]
fn threads_are_started_nowhere_but_in_the_module_that_carries_the_rule_set() {
    let mut sources: Vec<PathBuf> = Vec::new();
    for folder in fs::read_dir(root().join("crates")).unwrap() {
        files(&folder.unwrap().path().join("src"), ".rs", &mut sources);
    }
    files(&root().join("python/src"), ".rs", &mut sources);
    assert!(sources.len() > 400, "{}", sources.len());
    let mut carriers = 0;
    for file in sources {
        let source = fs::read_to_string(&file).unwrap();
        let (found, name) = (starts(&source), file.to_string_lossy().replace('\\', "/"));
        if name.ends_with("shogi-rules/src/threads.rs") {
            carriers += found.len();
        } else if !name.ends_with("/tests.rs") {
            assert!(found.is_empty(), "{name} starts a thread without the rule set: {found:?}");
        }
    }
    assert!(carriers >= 5, "{carriers}");
    assert_eq!(starts("    scope.spawn(work);\n// scope.spawn(work);\ncommand.spawn()?;").len(), 1);
}
