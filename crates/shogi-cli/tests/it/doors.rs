//! Every setting of a task is reached through every program: the verb, the explorer, Python and npm.
//!
//! The verb and JSON take the fields of the request by themselves. For `mate` and `solve` Python, npm and the page of the
//! explorer are written from the request, for a report npm and that page: `DOORS=write cargo test -p shogi-cli --test it doors`. For the other tasks they
//! say the fields once more, in their own words: where one of them lacks a new field, the test names the file and what is
//! to be added there.

use std::fs;
use std::path::Path;

use clap::Args;
use serde::de::DeserializeOwned;
#[cfg(feature = "explore")]
use serde_json::Value;
use serde_json::json;
use shogi_variants::tasks::{
    ClassifyTask, ConvertTask, CountTask, EstimateTask, MateTask, PerftTask, RankTask, ReportTask,
    SolveTask, Task, UnrankTask,
};

use crate::common::shogi;
use crate::settings::{Particular, Setting, literal, settings};

/// The names of the settings of a task: those that the refusal of another one lists.
fn fields<T: DeserializeOwned>() -> Vec<String> {
    let refusal = serde_json::from_value::<T>(json!({ "nonsense": 0 })).err().unwrap().to_string();
    let (_, known) = refusal.split_once("expected").unwrap();
    known.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// A part of a file of the repository, from `start` to the next `end`.
fn part(path: &str, start: &str, end: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    let text = fs::read_to_string(path).unwrap();
    let (_, rest) = text.split_once(start).unwrap();
    rest.split_once(end).unwrap().0.to_owned()
}

/// Asserts that a text, which stands in this file, has something for each setting.
#[track_caller]
fn has_all(settings: &[String], file: &str, text: &str, entry: impl Fn(&str) -> String) {
    let entries = settings.iter().map(|setting| entry(setting));
    let missing: Vec<_> = entries.filter(|entry| !text.contains(entry)).collect();
    assert!(missing.is_empty(), "add {missing:?} to {file}, in: {text}");
}

/// Asserts that a part of a file has something for each setting.
#[track_caller]
fn has_all_in(
    settings: &[String],
    file: &str,
    (start, end): (&str, &str),
    entry: impl Fn(&str) -> String,
) {
    has_all(settings, file, &part(file, start, end), entry);
}

/// Python's stubs.
const STUBS: &str = "python/python/shogi_variants/_native.pyi";
/// The questions of the explorer.
const QUESTIONS: &str = "docs/reference/explorer.md";
/// The classes of npm.
const NPM: &str = "npm/src/index.ts";

/// Asserts that each setting of a task is an option of the verb, a field of the explorer's request, in this row of its page,
/// and an argument in this part of Python's stubs, which has some of the settings under other names.
#[track_caller]
fn reach_programs<T: Task + DeserializeOwned>(
    row: &str,
    python: (&str, &str),
    renamed: &[(&str, &str)],
) {
    let settings = fields::<T>();
    assert!(!settings.is_empty() && settings.iter().all(|setting| !setting.is_empty()));
    let help = shogi(&format!("{} --help", T::NAME)).stdout;
    has_all(&settings, "the request", &help, option);
    has_all_in(&settings, QUESTIONS, (row, "\n"), |setting| format!("`{setting}`"));
    has_all_in(&settings, STUBS, python, |setting| {
        let other = renamed.iter().find(|(name, _)| *name == setting);
        format!("{}: ", other.map_or(setting, |(_, name)| name))
    });
}

/// The option of the verb for a setting.
fn option(setting: &str) -> String {
    format!(" --{}", setting.replace('_', "-"))
}

/// The names of the settings of a search in Python.
fn in_python(setting: &str) -> String {
    let unit = UNITS.iter().find(|(name, _)| *name == setting);
    format!("{}: ", unit.map_or(setting, |(_, name)| name))
}

/// Python says in which unit.
const UNITS: &[(&str, &str)] = &[("hash", "hash_mb"), ("memory", "memory_mb"), ("time", "seconds")];

/// The searches in Python.
const SEARCHES: &str = "python/src/solve.rs";

/// Python says in which unit, and takes less memory.
const PYTHON: &[Particular] = &[
    Particular { setting: "hash", name: Some("hash_mb"), note: Some("64") },
    Particular::name("time", "seconds"),
];
/// The types of Python whose values are names.
const PYTHON_TYPES: &[(&str, &str)] = &[("algorithm", "Algorithm"), ("leaf", "StartLeaf")];

/// Asserts that a part of a file, after `start` and up to the next `end`, is as the request says; or writes it so.
#[track_caller]
fn is_written(file: &str, start: &str, end: &str, wanted: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
    let text = fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(start).unwrap();
    let (found, after) = rest.split_once(end).unwrap();
    if std::env::var_os("DOORS").is_some_and(|door| door == "write") {
        if found != wanted {
            fs::write(&path, [before, start, wanted, end, after].concat()).unwrap();
        }
        return;
    }
    let command = "DOORS=write cargo test -p shogi-cli --test it doors";
    assert!(found == wanted, "{file} is old: {command}\n{found}\nshould be\n{wanted}");
}

/// Asserts that a search in Python, in Rust and in the stubs, has the settings of its task.
#[track_caller]
fn is_written_in_python<T: Task + Args>(request: &str, answer: &str) {
    let (settings, name) = (settings::<T>(), T::NAME);
    let all = |write: &dyn Fn(&Setting) -> String| settings.iter().map(write).collect::<Vec<_>>();
    let docs = all(&|one| one.docstring(PYTHON)).concat();
    let signature = all(&|one| one.signature(PYTHON)).join(", ");
    let parameters = all(&|one| one.parameter(PYTHON)).concat();
    let task = literal(request, &all(&|one| one.field(PYTHON)));
    let function = format!(
        "{docs}#[pyfunction]\n\
         #[pyo3(signature = (position, *, {signature}, dialect = None, progress = None))]\n\
         #[expect(clippy::too_many_arguments, reason = \"they are those of Python\")]\n\
         pub fn {name}(\n    py: Python<'_>,\n    position: &Position,\n{parameters}    \
         dialect: Option<&str>,\n    progress: Option<Progress>,\n) -> PyResult<{answer}> {{\n{task}"
    );
    let start = format!("/// The settings of `{name}`:\n///\n");
    is_written(SEARCHES, &start, "    found_", &function);
    let start = format!("def {name}(\n    position: Position,\n    *,\n");
    let stubs = all(&|one| one.stub(PYTHON, PYTHON_TYPES)).concat();
    is_written(STUBS, &start, "    dialect: ", &stubs);
}

/// Asserts that the page of the explorer's questions has the settings of a task after this text, with these bounds.
#[track_caller]
fn is_written_for_the_explorer<T: Args>(start: &str, end: &str, bounds: &[Particular]) {
    let questions = settings::<T>().iter().map(|one| one.question(bounds)).collect::<Vec<_>>();
    is_written(QUESTIONS, start, end, &questions.join(", "));
}

/// Asserts that an interface of npm has the settings of a task, with these defaults.
#[track_caller]
fn is_written_for_npm<T: Args>(file: &str, interface: &str, defaults: &[Particular]) {
    let fields = settings::<T>().iter().map(|one| one.typescript(defaults)).collect::<String>();
    is_written(file, &format!("export interface {interface} {{\n"), "}", &fields);
}

/// Asserts that each setting of a task is an option of its verb.
#[track_caller]
fn has_options<T: Task + Args>() {
    let names: Vec<_> = settings::<T>().into_iter().map(|one| one.name).collect();
    assert!(!names.is_empty());
    has_all(&names, "the request", &shogi(&format!("{} --help", T::NAME)).stdout, option);
}

#[test]
fn all_settings_of_mate_reach_every_program() {
    has_options::<MateTask>();
    is_written_in_python::<MateTask>("MateTask", "Mate");
    let start = "| `mate` | `variant`, `in`: a problem, and the settings of the verb: ";
    let bounds = [
        Particular::note("nodes", "2 million at most"),
        Particular::note("together", "4 at most"),
        Particular::note("hash", "64 at most"),
    ];
    is_written_for_the_explorer::<MateTask>(start, " | ", &bounds);
    let npm = [
        Particular::note("nodes", "A million unless it is given."),
        Particular::note("together", "A module has but one, whatever is given."),
        Particular::note("hash", "64 unless it is given."),
    ];
    is_written_for_npm::<MateTask>(NPM, "MateOptions", &npm);
}

#[test]
fn all_settings_of_solve_reach_every_program() {
    has_options::<SolveTask>();
    is_written_in_python::<SolveTask>("SolveTask", "Solution");
    let start = "| `POST /api/solve` (`variant`, `in`, and the settings of the verb: ";
    let bounds = [
        Particular::note("nodes", "20 million at most"),
        Particular::note("hash", "64 at most"),
        Particular::note("small_game", "4 million at most"),
    ];
    is_written_for_the_explorer::<SolveTask>(start, ") | ", &bounds);
    let defaults = [
        Particular::note("algorithm", "`dfpn` unless it is given."),
        Particular::note("leaf", "`unit` unless it is given."),
        Particular::note("nodes", "20 million unless it is given."),
        Particular::note("hash", "64 unless it is given."),
        Particular::note("small_game", "4 million unless it is given."),
    ];
    is_written_for_npm::<SolveTask>("npm/src/solve.ts", "SolveOptions", &defaults);
}

#[test]
fn all_settings_of_counts_are_options() {
    for (settings, verb) in [
        (fields::<CountTask>(), CountTask::NAME),
        (fields::<EstimateTask>(), EstimateTask::NAME),
        (fields::<PerftTask>(), PerftTask::NAME),
    ] {
        let help = shogi(&format!("{verb} --help")).stdout;
        let named = |setting: &str| match setting {
            "depth" => "<DEPTH>".to_owned(),
            setting => option(setting),
        };
        has_all(&settings, "the request", &help, named);
    }
    let python = ("def estimate(", ") -> Estimate");
    has_all_in(&fields::<EstimateTask>(), STUBS, python, in_python);
}

#[test]
fn all_settings_of_a_report_reach_every_program() {
    let settings = fields::<ReportTask>();
    has_all(&settings, "the request", &shogi("variant report --help").stdout, option);
    has_all_in(&settings, STUBS, ("def report(", ") -> Report"), in_python);
    has_all_in(&settings, "python/src/report.rs", ("pub fn report(", ") -> PyResult"), in_python);
    let start = "| `report` | `variant`, `in`: where games begin, and the settings of the verb: ";
    let bounds = [
        Particular::note("games", "1000 at most"),
        Particular::note("move_nodes", "2000 at most"),
        Particular::note("nodes", "20 million at most"),
        Particular::note("samples", "a million at most"),
        Particular::note("positions", "300,000 at most"),
    ];
    is_written_for_the_explorer::<ReportTask>(start, " | ", &bounds);
    let defaults = [
        Particular::note("games", "100 unless it is given."),
        Particular::note("move_nodes", "200 unless it is given."),
        Particular::note("opening", "4 unless it is given."),
        Particular::note("nodes", "2 million unless it is given."),
        Particular::note("samples", "20,000 unless it is given."),
        Particular::note("positions", "300,000 unless it is given."),
        Particular::note("seed", "1 unless it is given."),
    ];
    is_written_for_npm::<ReportTask>("npm/src/report.ts", "ReportOptions", &defaults);
}

#[test]
fn all_settings_of_classify_reach_every_program() {
    let renamed = [("certificate", "certificates"), ("nodes", "max_positions")];
    reach_programs::<ClassifyTask>(
        "| `classify` |",
        ("class Classifier:", "def classify("),
        &renamed,
    );
    let settings = fields::<ClassifyTask>();
    has_all_in(&settings, NPM, ("  classify(", "\n"), |setting| format!("{setting}?: "));
}

#[test]
fn the_order_of_numbers_reaches_every_program() {
    let (row, python) = ("| `rank`, `unrank` |", ("class Space:", "def size("));
    reach_programs::<RankTask>(row, python, &[("order", "numbering")]);
    reach_programs::<UnrankTask>(row, python, &[("order", "numbering")]);
    for function in ["  ranked(", "  unrank("] {
        assert!(part(NPM, function, "\n").contains("order: Order"), "{function}");
    }
}

#[test]
fn the_formats_of_records_reach_every_program() {
    let settings = fields::<ConvertTask>();
    let help = shogi("convert --help").stdout;
    has_all(&settings, "the request", &help, option);
    has_all_in(&settings, QUESTIONS, ("| `convert` |", "\n"), |setting| format!("`{setting}`"));
    has_all_in(&settings, NPM, ("  convert(", "\n"), |setting| setting.to_owned());
}

/// A request with more fields.
#[cfg(feature = "explore")]
fn with(mut request: Value, more: Value) -> String {
    request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    request.to_string()
}

#[cfg(feature = "explore")]
#[test]
fn all_settings_of_mate_are_taken_from_json() {
    let explorer = shogi_explore::Explorer::open::<&str>(&[]).unwrap();
    let ask = |settings: Value| {
        let request =
            with(json!({ "variant": "minishogi", "in": "k4/5/1G3/5/4K b G 1" }), settings);
        explorer.answer(MateTask::NAME, request.as_bytes())
    };
    let all = settings::<MateTask>().into_iter().map(|one| (one.name.clone(), one.sample()));
    let all = Value::Object(all.collect());
    let plain = ask(all).unwrap();
    assert_eq!((&plain["status"], plain.get("first")), (&json!("mate"), None));
    assert_eq!(ask(json!({ "all": true })).unwrap()["first"], json!(["G*5b", "G*4b"]));
    assert!(ask(json!({ "all": true, "tsume": true })).unwrap()["last"].is_array());
    assert_eq!(
        ask(json!({ "in": "4k/2S2/4G/5/R4 b rbgsp 1", "nodes": 1 })).unwrap()["status"],
        "unknown"
    );
    assert_eq!(ask(json!({ "longest": true })).unwrap_err().kind(), "malformed");
}

#[cfg(feature = "explore")]
#[test]
fn all_settings_of_solve_are_taken_from_json() {
    let ask = |settings: Value| {
        let request =
            with(json!({ "variant": "shogi34", "in": "rkr/1p1/1P1/RKR b - 1" }), settings);
        shogi_explore::solve(request.as_bytes()).map(|(answer, _)| answer)
    };
    let plain = ask(json!({})).unwrap();
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
fn all_settings_of_a_report_are_taken_from_json() {
    let explorer = shogi_explore::Explorer::open::<&str>(&[]).unwrap();
    let settings = [("games", 2), ("move_nodes", 9), ("opening", 1), ("nodes", 999)];
    let settings = settings.into_iter().chain([("samples", 99), ("positions", 99), ("seed", 3)]);
    let settings = Value::from_iter(settings);
    assert_eq!(settings.as_object().unwrap().len(), fields::<ReportTask>().len());
    let request = with(json!({ "variant": "minishogi", "in": "startpos" }), settings);
    let report = explorer.answer("report", request.as_bytes()).unwrap();
    // The last digit of a number that is read back may be another one.
    let report: Value = serde_json::from_str(&report.to_string()).unwrap();
    let verb =
        "--games 2 --move-nodes 9 --opening 1 --nodes 999 --samples 99 --positions 99 --seed 3";
    assert_eq!(report, shogi(&format!("variant report minishogi {verb} --json")).json());
}

#[cfg(feature = "explore")]
#[test]
fn all_settings_of_classify_and_rank_are_taken_from_json() {
    let explorer = shogi_explore::Explorer::open::<&str>(&[]).unwrap();
    let ask = |question: &str, settings: Value| {
        let request = with(json!({ "variant": "minishogi", "in": "startpos" }), settings);
        explorer.answer(question, request.as_bytes())
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
