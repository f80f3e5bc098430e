//! `docs/reference/answers.schema.json` describes what the program answers, field by field.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::common::{START, folder, shogi, shogi_with};

/// The schema.
fn schema() -> Value {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/answers.schema.json");
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// Whether a value is of a type of JSON Schema.
fn is_of(value: &Value, kind: &str) -> bool {
    match kind {
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => panic!("no type {kind}"),
    }
}

/// The part of an answer that the definition does not allow, if there is one; a field that it does not know, too.
fn fault(value: &Value, definition: &Value, place: &str) -> Option<String> {
    if let Some(values) = definition["enum"].as_array() {
        return (!values.contains(value)).then(|| format!("{place} is {value}"));
    }
    let kinds = match &definition["type"] {
        Value::Array(kinds) => kinds.iter().map(|kind| kind.as_str().unwrap()).collect(),
        kind => vec![kind.as_str().unwrap()],
    };
    if !kinds.into_iter().any(|kind| is_of(value, kind)) {
        return Some(format!("{place} is {value}"));
    }
    if let Some(items) = value.as_array() {
        let mut items = items.iter().enumerate();
        return items
            .find_map(|(n, item)| fault(item, &definition["items"], &format!("{place}[{n}]")));
    }
    let fields = value.as_object()?;
    let missing = definition["required"].as_array().into_iter().flatten();
    let mut missing = missing.map(|name| name.as_str().unwrap());
    if let Some(name) = missing.find(|name| !fields.contains_key(*name)) {
        return Some(format!("{place}.{name} is missing"));
    }
    let known = definition["properties"].as_object();
    fields.iter().find_map(|(name, field)| {
        let place = format!("{place}.{name}");
        match (known.and_then(|known| known.get(name)), &definition["additionalProperties"]) {
            (Some(definition), _) => fault(field, definition, &place),
            (None, Value::Bool(true)) => None,
            (None, Value::Object(_)) => fault(field, &definition["additionalProperties"], &place),
            // An object of which nothing is said.
            (None, _) if known.is_none() => None,
            (None, _) => Some(format!("{place} is not described")),
        }
    })
}

/// Compares the answers to a command with the definition of a name.
fn check(name: &str, command: &str, input: &str) {
    let run = if input.is_empty() { shogi(command) } else { shogi_with(command, input) };
    let schema = schema();
    let definition = &schema["$defs"][name];
    assert!(definition.is_object() && !run.stdout.is_empty(), "{name}: {}", run.stderr);
    for line in run.stdout.lines() {
        let answer: Value = serde_json::from_str(line).unwrap();
        assert_eq!(fault(&answer, definition, name), None, "{command}: {line}");
    }
}

const CHECKED: &str = "K+p+ps1/s3+r/4+b/3r+b/2g1k b G 1";
const MATE: &str = "r1k2/2p2/5/2P2/2K2 b RBGSbgs 1";

#[test]
fn answers_of_rules_and_counts_are_as_the_schema_says() {
    check("perft", "perft minishogi 3 --divide --json", "");
    check("moves", "moves minishogi --json", &format!("{START}\nr3k/5/5/5/K4 b - 1\n"));
    check("unmoves", "unmoves minishogi", START);
    check("show", "show kyotoshogi --sfen startpos --json", "");
    check("rank", "rank minishogi", START);
    check("unrank", "unrank minishogi", "7");
    for count in
        ["minishogi", "shogi", "kyotoshogi", "kyotoshogi --strata", "minishogi --mirror distinct"]
    {
        check("count", &format!("count {count} --json"), "");
    }
    check("classify", "classify minishogi --certificate", &format!("{START}\n{CHECKED}\n"));
    check("estimate", "estimate minishogi --samples 1000 --json", "");
    check("error", "rank minishogi", "nonsense");
}

#[test]
fn answers_of_solvers_and_players_are_as_the_schema_says() {
    let proof = folder("schema").join("proof");
    let proof = proof.to_str().unwrap();
    check("solve", &format!("solve shogi34 --start KNL --proof {proof} --json"), "");
    check("solve", "solve kyotoshogi --sfen startpos --nodes 1000 --json", "");
    check("proof-verify", &format!("proof verify {proof} --json"), "");
    check("proof-stats", &format!("proof stats {proof} --json"), "");
    check("proof-line", &format!("proof line {proof} --json"), "");
    check("proof-link", &format!("proof link {proof} --json"), "");
    check("proof-walk", &format!("proof walk {proof}"), "root");
    check("mate", "mate minishogi --all --json", MATE);
    check("mate", "mate minishogi --tsume --all --json", MATE);
    check("explain", "explain minishogi --json", "startpos");
    check("bench", "bench dobutsu --depth 2 --json", "");
}

#[test]
fn answers_about_a_tablebase_are_as_the_schema_says() {
    let file = folder("schema-table").join("table");
    let file = file.to_str().unwrap();
    check(
        "tablebase-build",
        &format!("tablebase build dobutsu --class L2 --out {file} --json"),
        "",
    );
    check("tablebase-stats", &format!("tablebase stats {file} --plies --json"), "");
    check("tablebase-probe", &format!("tablebase probe {file}"), "l2/3/3/2L b - 1");
    check("tablebase-verify", &format!("tablebase verify {file} --all --json"), "");
    fs::write(format!("{file}-cut"), &fs::read(file).unwrap()[..200]).unwrap();
    check("tablebase-verify", &format!("tablebase verify {file}-cut --json"), "");
}

#[test]
fn answers_of_builders_and_composers_are_as_the_schema_says() {
    let folder = folder("schema-builders");
    let file = |name: &str| folder.join(name).display().to_string();
    let [proof, skeleton, other, game] = ["proof", "skeleton", "other", "game.toml"].map(file);
    let build = format!("proof build shogi34 --start KGR --job 20 --hash 8 --out {proof} --json");
    check("proof-build", &format!("{build} --nodes 10"), "");
    check("proof-build", &format!("{build} --skeleton {skeleton}"), "");
    check("proof-build", &format!("proof expand {skeleton} --hash 8 --out {other} --json"), "");
    check("proof-shorten", &format!("proof shorten {proof} --out {other} --json"), "");
    let searched = format!("proof shorten {proof} --plies 13 --nodes 1000 --out {other} --json");
    check("proof-shorten", &searched, "");
    check("tsume-check", "tsume check minishogi --kif --json", "4k/5/4G/5/5 b R 1\nstartpos");
    check("tsume-generate", "tsume generate minishogi --plies 1 --json", "");
    check("tsume-generate-lishogi", "tsume generate minishogi --plies 1 --lishogi", "");
    fs::write(&game, shogi("variant show judkins").stdout).unwrap();
    check("variant-check", &format!("variant check {game} --json"), "");
    let quick = "--games 2 --move-nodes 10 --nodes 1000 --samples 100 --positions 100 --json";
    for name in [game.as_str(), "minishogi", "dobutsu"] {
        check("variant-report", &format!("variant report {name} {quick}"), "");
    }
    fs::write(&game, "name = 7\n").unwrap();
    check("variant-check", &format!("variant check {game} --json"), "");
    let ini = file("own.ini");
    fs::write(&ini, "[own:minishogi]\ncheckCounting = true\n").unwrap();
    check("variant-import", &format!("variant import {ini} own --json"), "");
}

#[cfg(feature = "explore")]
#[test]
fn a_report_of_the_explorer_is_as_the_schema_says() {
    let explorer = shogi_explore::Explorer::open::<&str>(&[]).unwrap();
    let request = json!({ "variant": "micro", "in": "startpos", "games": 2, "move_nodes": 10,
        "nodes": 1000, "samples": 100, "positions": 100 });
    let report = explorer.answer("report", request.to_string().as_bytes()).unwrap();
    assert_eq!(fault(&report, &schema()["$defs"]["variant-report"], "report"), None, "{report}");
}

#[test]
fn answers_of_learning_are_as_the_schema_says() {
    let folder = folder("schema-learning");
    let file = |name: &str| folder.join(name).display().to_string();
    let [games, out] = ["games", "out"].map(file);
    let played = format!("selfplay minishogi --games 20 --nodes 10 --out {games} --json");
    check("selfplay", &played, "");
    check("play", "play dobutsu --json", "go\nresign\n");
    check("play", "play dobutsu --json", "go\n");
    check("play-measure", "play micro --measure 1 --json", "");
    check("learn-match", "learn match dobutsu --pairs 1 --nodes 5 --json", "");
    let fit = format!("learn fit minishogi --archive {games} --passes 1 --out {out} --json");
    check("learn-fit", &fit, "");
    check("learn-fit", &format!("{fit} --form weighted"), "");
    let proofs =
        "learn proofs minishogi --games 20 --generations 1 --searches 5 --nodes 200 --json";
    check("learn-proofs", &format!("{proofs} --rounds 0 --out {out}"), "");
    check("learn-proofs", &format!("{proofs} --rounds 1 --out {out}"), "");
    shogi(&format!("selfplay shogi --games 1 --nodes 5 --plies 20 --out {games}")).fails(0, "");
    check("learn-convert", &format!("learn convert shogi {games} --out {out}.psv --json"), "");
}

#[test]
fn a_schema_that_lacks_or_mistakes_a_field_is_noticed() {
    let definition = &schema()["$defs"]["rank"];
    assert_eq!(fault(&json!({"in": "a", "rank": "7"}), definition, "rank"), None);
    for answer in
        [json!({"in": "a"}), json!({"in": "a", "rank": 7}), json!({"in": "a", "rank": "7", "b": 1})]
    {
        assert!(fault(&answer, definition, "rank").is_some(), "{answer}");
    }
    let stage = &schema()["$defs"]["classify"];
    assert!(fault(&json!({"in": "a", "stage": "good"}), stage, "classify").is_some());
}

#[test]
fn the_page_names_every_field_of_the_schema() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/json.md");
    let page = fs::read_to_string(page).unwrap();
    for (name, definition) in schema()["$defs"].as_object().unwrap() {
        let required = definition["required"].as_array().unwrap();
        let fields = definition["properties"].as_object().unwrap().keys().map(|field| {
            let is_required = required.iter().any(|name| name == field);
            if is_required { format!("`{field}`") } else { format!("[`{field}`]") }
        });
        let (fields, holds) = (fields.collect::<Vec<_>>(), definition["description"].as_str());
        let row = format!("| `{name}` | {} | {} |\n", holds.unwrap(), fields.join(", "));
        assert!(page.contains(&row), "docs/reference/json.md lacks the row\n{row}");
    }
    assert!(page.contains("<!-- tables of fields -->"), "tools/book_links.py puts the tables here");
}
