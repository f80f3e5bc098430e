//! Every setting of a task is reached through every program: the verb, the explorer, Python and npm.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};
use shogi_variants::tasks::{MateTask, SolveTask, Task};

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

/// Asserts that each setting of a task is an option of the verb, a field of the explorer's request, in this row of its page,
/// and an argument of the function of Python.
#[track_caller]
fn reach_programs<T: Task + serde::Serialize + Default>(row: &str) {
    let settings = settings::<T>();
    assert!(settings.len() >= 5, "{settings:?}");
    let help = shogi(&format!("{} --help", T::NAME)).stdout;
    has_all(&settings, &help, |setting| format!(" --{}", setting.replace('_', "-")));
    let row = part("docs/reference/explorer.md", row, "\n");
    has_all(&settings, &row, |setting| format!("`{setting}`"));
    let function = format!("def {}(", T::NAME);
    let python = part("python/python/shogi_variants/_native.pyi", &function, ") -> ");
    has_all(&settings, &python, |setting| match setting {
        // Python says in which unit.
        "hash" => "    hash_mb: ".to_owned(),
        "time" => "    seconds: ".to_owned(),
        setting => format!("    {setting}: "),
    });
}

#[test]
fn all_settings_of_mate_reach_every_program() {
    reach_programs::<MateTask>("| `mate` |");
    let npm = part("npm/src/index.ts", "export interface MateOptions {", "\n}");
    has_all(&settings::<MateTask>(), &npm, |setting| format!("  {setting}?: "));
}

#[test]
fn all_settings_of_solve_reach_every_program() {
    reach_programs::<SolveTask>("| `POST /api/solve`");
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

#[cfg(feature = "explore")]
#[test]
fn all_settings_of_solve_are_taken_from_json() {
    let ask = |settings: Value| {
        let mut request = json!({ "variant": "shogi34", "in": "rkr/1p1/1P1/RKR b - 1" });
        request.as_object_mut().unwrap().extend(settings.as_object().unwrap().clone());
        shogi_explore::solve(request.to_string().as_bytes()).map(|(answer, _)| answer)
    };
    let plain = ask(settings::<SolveTask>().into()).unwrap();
    assert_eq!((&plain["value"], &plain["ended"]), (&json!("win"), &json!("solved")));
    let pds = ask(json!({ "algorithm": "pds", "leaf": "mobility" })).unwrap();
    assert!(pds["value"] == "win" && pds["nodes"] != plain["nodes"], "{pds}");
    assert_eq!(ask(json!({ "nodes": 10 })).unwrap()["ended"], "nodes");
    assert_eq!(ask(json!({ "time": 0 })).unwrap()["ended"], "time");
    let searched =
        ask(json!({ "variant": "minishogi", "in": "4k/5/5/5/K4 b - 1", "small_game": 0 }));
    assert_eq!(searched.unwrap()["method"], "search");
    for wrong in [json!({ "algorithm": "mcts" }), json!({ "time": -1 }), json!({ "depth": 3 })] {
        assert_eq!(ask(wrong.clone()).unwrap_err().kind(), "malformed", "{wrong}");
    }
}
