//! Every setting of a task is reached through every program: the verb, the explorer, Python and npm.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};
use shogi_variants::tasks::{ClassifyTask, MateTask, RankTask, SolveTask, Task, UnrankTask};

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
/// and an argument in this part of Python's stubs, which has some of the settings under other names.
#[track_caller]
fn reach_programs<T: Task + serde::Serialize + Default>(
    row: &str,
    python: (&str, &str),
    renamed: &[(&str, &str)],
) {
    let settings = settings::<T>();
    assert!(!settings.is_empty());
    let help = shogi(&format!("{} --help", T::NAME)).stdout;
    has_all(&settings, &help, |setting| format!(" --{}", setting.replace('_', "-")));
    let row = part("docs/reference/explorer.md", row, "\n");
    has_all(&settings, &row, |setting| format!("`{setting}`"));
    let python = part("python/python/shogi_variants/_native.pyi", python.0, python.1);
    has_all(&settings, &python, |setting| {
        let other = renamed.iter().find(|(name, _)| *name == setting);
        format!("{}: ", other.map_or(setting, |(_, name)| name))
    });
}

/// Python says in which unit.
const UNITS: &[(&str, &str)] = &[("hash", "hash_mb"), ("time", "seconds")];

#[test]
fn all_settings_of_mate_reach_every_program() {
    reach_programs::<MateTask>("| `mate` |", ("def mate(", ") -> Mate"), UNITS);
    let npm = part("npm/src/index.ts", "export interface MateOptions {", "\n}");
    has_all(&settings::<MateTask>(), &npm, |setting| format!("  {setting}?: "));
}

#[test]
fn all_settings_of_solve_reach_every_program() {
    reach_programs::<SolveTask>("| `POST /api/solve`", ("def solve(", ") -> Solution"), UNITS);
}

#[test]
fn all_settings_of_classify_reach_every_program() {
    let renamed = [("certificate", "certificates"), ("nodes", "max_positions")];
    reach_programs::<ClassifyTask>(
        "| `classify` |",
        ("class Classifier:", "def classify("),
        &renamed,
    );
    let npm = part("npm/src/index.ts", "  classify(", "\n");
    has_all(&settings::<ClassifyTask>(), &npm, |setting| format!("{setting}?: "));
}

#[test]
fn the_order_of_numbers_reaches_every_program() {
    let (row, python) = ("| `rank`, `unrank` |", ("class Space:", "def size("));
    reach_programs::<RankTask>(row, python, &[("order", "numbering")]);
    reach_programs::<UnrankTask>(row, python, &[("order", "numbering")]);
    for function in ["  ranked(", "  unrank("] {
        assert!(part("npm/src/index.ts", function, "\n").contains("order: Order"), "{function}");
    }
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

#[cfg(feature = "explore")]
#[test]
fn all_settings_of_classify_and_rank_are_taken_from_json() {
    let explorer = shogi_explore::Explorer::open::<&str>(&[]).unwrap();
    let ask = |question: &str, settings: Value| {
        let mut request = json!({ "variant": "minishogi", "in": "startpos" });
        request.as_object_mut().unwrap().extend(settings.as_object().unwrap().clone());
        explorer.answer(question, request.to_string().as_bytes())
    };
    let plain = ask("classify", json!({ "certificate": false })).unwrap();
    assert_eq!(plain, json!({ "in": "startpos", "reachable": true, "stage": "ok" }));
    assert!(ask("classify", json!({})).unwrap()["certificate"].is_object());
    let unknown = json!({ "in": "1gp2/+r+b+s2/1+rk2/+p1+b2/K1Sg1 b - 1", "nodes": 1 });
    assert_eq!(ask("classify", unknown).unwrap()["stage"], "unknown");
    let [native, legal] =
        ["native", "king-legal"].map(|order| ask("rank", json!({ "order": order })).unwrap());
    assert_ne!(native["rank"], legal["rank"]);
    for wrong in [json!({ "order": "nonsense" }), json!({ "nodes": 3 })] {
        assert_eq!(ask("rank", wrong).unwrap_err().kind(), "malformed");
    }
}
