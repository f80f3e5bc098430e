//! Every setting of a task is reached through every program: the verb, the explorer, Python and npm.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};
use shogi_variants::tasks::{MateTask, Task};

use crate::common::shogi;

/// The settings of a task with their defaults, by name.
fn settings<T: serde::Serialize + Default>() -> Map<String, Value> {
    serde_json::to_value(T::default()).unwrap().as_object().unwrap().clone()
}

/// A part of a file of the repository, from `start` to the next `end`.
fn part(path: &str, start: &str, end: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    let text = fs::read_to_string(path).unwrap();
    let (_, rest) = text.split_once(start).unwrap();
    rest.split_once(end).unwrap().0.to_owned()
}

/// Asserts that a text has something for each setting.
#[track_caller]
fn has_all(settings: &Map<String, Value>, text: &str, entry: impl Fn(&str) -> String) {
    for setting in settings.keys() {
        assert!(text.contains(&entry(setting)), "{setting} is missing in {text}");
    }
}

#[test]
fn all_settings_of_mate_reach_every_program() {
    let settings = settings::<MateTask>();
    assert!(settings.len() >= 5, "{settings:?}");
    let help = shogi("mate --help").stdout;
    has_all(&settings, &help, |setting| format!(" --{setting}"));
    let row = part("docs/reference/explorer.md", "| `mate` |", "\n");
    has_all(&settings, &row, |setting| format!("`{setting}`"));
    let npm = part("npm/src/index.ts", "export interface MateOptions {", "\n}");
    has_all(&settings, &npm, |setting| format!("  {setting}?: "));
    let python = part("python/python/shogi_variants/_native.pyi", "def mate(", ") -> Mate");
    // Python says in which unit.
    let python_name =
        |setting: &str| if setting == "hash" { "hash_mb".to_owned() } else { setting.to_owned() };
    has_all(&settings, &python, |setting| format!("    {}: ", python_name(setting)));
}

#[cfg(feature = "explore")]
#[test]
fn all_settings_of_mate_are_taken_from_json() {
    let explorer = shogi_explore::Explorer::open::<&str>(&[]).unwrap();
    let ask = |settings: &Map<String, Value>| {
        let mut request = json!({ "variant": "minishogi", "in": "k4/5/1G3/5/4K b G 1" });
        request.as_object_mut().unwrap().extend(settings.clone());
        explorer.answer(MateTask::NAME, request.to_string().as_bytes())
    };
    let mut settings = settings::<MateTask>();
    let plain = ask(&settings).unwrap();
    assert_eq!((&plain["status"], plain.get("first")), (&json!("mate"), None));
    settings.insert("all".to_owned(), json!(true));
    assert_eq!(ask(&settings).unwrap()["first"], json!(["G*5b", "G*4b"]));
    settings.insert("tsume".to_owned(), json!(true));
    assert!(ask(&settings).unwrap()["last"].is_array());
    settings.insert("longest".to_owned(), json!(true));
    assert_eq!(ask(&settings).unwrap_err().kind(), "malformed");
}
