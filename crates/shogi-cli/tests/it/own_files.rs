//! Files that were made of a game of one's own: which rules they are checked by.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{folder, shogi, shogi_with};
use serde_json::{Value, json};
use shogi_files::sealed::{JsonFormat, to_json};

/// The file of a built-in game that is called `mine` there.
fn renamed(name: &str, folder: &Path) -> PathBuf {
    let file = folder.join("mine.toml");
    let text = shogi(&format!("variant show {name}")).stdout;
    fs::write(&file, text.replacen(&format!("{name:?}"), "\"mine\"", 1)).unwrap();
    file
}

/// A file is verified with that of its game, and without it refused with these words.
#[track_caller]
fn is_checked_by_the_rules_in(game: &Path, file: &Path, words: &str) {
    let run = shogi(&format!("verify {}", file.display()));
    assert!(run.stdout.is_empty(), "{}", run.stdout);
    run.fails(1, &format!("error: {}: {words}", file.display()));
    let run = shogi(&format!("verify --game {} {} --json", game.display(), file.display()));
    assert_eq!((run.code, &run.json()["ok"]), (Some(0), &json!(true)), "{}", run.stdout);
}

#[test]
fn certificates_and_shards_are_checked_by_the_rules_in_a_file() {
    let folder = folder("own-variants-certificate");
    let game = renamed("minishogi", &folder);
    let certificate = folder.join("certificate");
    let classified = shogi(&format!("classify {} --certificate --sfen startpos", game.display()));
    fs::write(&certificate, classified.stdout).unwrap();
    let shard = folder.join("shard");
    shogi(&format!("estimate {} --samples 10 --out {}", game.display(), shard.display()))
        .fails(0, "");
    for file in [&certificate, &shard] {
        is_checked_by_the_rules_in(&game, file, "object 1: there is no variant \"mine\" among");
    }
    // Its parts are merged by these rules, too.
    let parts = [1, 2].map(|part| {
        let file = folder.join(format!("part{part}")).display().to_string();
        let estimate = format!("estimate {} --samples 10 --shard {part}/2", game.display());
        shogi(&format!("{estimate} --out {file}")).fails(0, "");
        file
    });
    let merged = folder.join("merged");
    let merge = format!("merge {} --out {}", parts.join(" "), merged.display());
    shogi(&merge).fails(
        1,
        &format!("error: {}: there is no variant \"mine\" among those that are built in", parts[0]),
    );
    shogi(&format!("{merge} --game {}", game.display())).fails(0, "");
    assert_eq!(fs::read(&merged).unwrap(), fs::read(&shard).unwrap());
}

#[test]
fn shards_of_two_games_of_one_name_are_not_merged() {
    let folder = folder("own-variants-shards");
    let file = |name: &str| folder.join(name).display().to_string();
    let text = shogi("variant show minishogi").stdout.replacen("\"minishogi\"", "\"mine\"", 1);
    // As many candidates, and another value of a repetition.
    let other = text.replace("result = \"gote wins\"", "result = \"draw\"");
    assert_ne!(other, text);
    let [(mine, first), (yours, second)] = [(1, text), (2, other)].map(|(part, text)| {
        let [game, shard] = ["toml", "json"].map(|end| file(&format!("{part}.{end}")));
        fs::write(&game, text).unwrap();
        shogi(&format!("estimate {game} --samples 10 --shard {part}/2 --out {shard}")).fails(0, "");
        (game, shard)
    });
    let merge = format!("merge {first} {second} --game {mine} --json");
    shogi(&merge).fails(1, &format!("error: {second}: it does not go with the files before it: "));
    shogi(&merge).fails(1, "the shards differ in the hash of their rules: ");
    let refuted = shogi(&format!("verify {second} --game {mine}"));
    assert_eq!(refuted.code, Some(1));
    assert!(refuted.stdout.starts_with("refuted: object 1: the rules of mine have the hash "));
    shogi(&format!("verify {second} --game {yours}")).fails(0, "");
    let estimate = format!("estimate {mine} --samples 10 --shard 2/2 --checkpoint {second}");
    shogi(&estimate).fails(1, "the checkpoint is of another run: the shards differ in the hash of");
    // An older program did not write it; such a shard is read, and stands for the rules that are given.
    let old = without_rules(&fs::read_to_string(&second).unwrap());
    fs::write(&second, old).unwrap();
    let answer = shogi(&merge).json();
    assert_eq!((&answer["variant"], &answer["done"]), (&json!("mine"), &json!(10)));
    shogi(&format!("merge {second} {first} --game {yours}"))
        .fails(1, &format!("error: {first}: the rules of mine have the hash "));
}

#[test]
fn the_file_of_a_game_goes_before_a_built_in_game_of_its_name() {
    let folder = folder("own-variants-same-name");
    let [game, games, state, shard] = ["game.toml", "games", "state", "shard"]
        .map(|name| folder.join(name).display().to_string());
    let text = shogi("variant show minishogi").stdout;
    let other = text.replace("result = \"gote wins\"", "result = \"draw\"");
    assert_ne!(other, text);
    fs::write(&game, other).unwrap();
    for made in [
        format!("selfplay {game} --games 1 --nodes 10 --out {games}"),
        format!("solve {game} --nodes 100 --checkpoint {state}"),
        format!("estimate {game} --samples 10 --out {shard}"),
    ] {
        shogi(&made).fails(0, "");
    }
    for (file, reason) in [
        (&games, "it was made by other rules of the same name"),
        (&state, "it was made by other rules of the same name"),
        (&shard, "the rules of minishogi have the hash "),
    ] {
        let built_in = shogi(&format!("verify {file} --json"));
        let answer = built_in.lines().remove(0);
        assert_eq!((built_in.code, &answer["ok"]), (Some(1), &json!(false)));
        assert!(answer["reason"].as_str().unwrap().contains(reason), "{answer}");
        shogi(&format!("verify --game {game} {file}")).fails(0, "");
    }
    shogi(&format!("merge {shard} --game {game}")).fails(0, "");
    shogi(&format!("merge {shard}")).fails(1, "the rules of minishogi have the hash ");
    // A file that says the rules of the built-in game is as good as its name.
    fs::write(&game, text).unwrap();
    shogi(&format!("learn match minishogi --pairs 1 --nodes 5 --checkpoint {state}.match"))
        .fails(0, "");
    shogi(&format!("selfplay minishogi --games 1 --nodes 10 --out {games}")).fails(0, "");
    shogi(&format!("verify --game {game} {games} {state}.match")).fails(0, "");
}

#[test]
fn what_learning_has_made_of_an_unknown_game_is_not_called_refuted() {
    let folder = folder("own-variants-match");
    let game = renamed("dobutsu", &folder);
    let state = folder.join("state");
    let players = "--eval material --against material --pairs 1 --nodes 5";
    let file = state.display();
    shogi(&format!("learn match {} {players} --checkpoint {file}", game.display())).fails(0, "");
    is_checked_by_the_rules_in(&game, &state, "there is no variant \"mine\" among");
    // Other rules of the same name are not the file's.
    let other = game.with_file_name("other.toml");
    let text = fs::read_to_string(&game).unwrap();
    fs::write(&other, text.replacen("times = 3", "times = 4", 1)).unwrap();
    let refuted = shogi(&format!("verify {file} --game {}", other.display()));
    assert!(refuted.stdout.starts_with("refuted: "), "{}", refuted.stdout);
    shogi(&format!("learn match {} {players} --checkpoint {file}", other.display()))
        .fails(1, "of another run: it has other rules of the same name");
    // What is damaged is refuted, whatever its game.
    let mut damaged = fs::read(&state).unwrap();
    *damaged.last_mut().unwrap() ^= 1;
    fs::write(&state, damaged).unwrap();
    let refuted = shogi(&format!("verify {file}"));
    assert!(refuted.stdout.starts_with("refuted: "), "{}", refuted.stdout);
    shogi_with("verify -", r#"{"variant":"mine","weights":[]}"#)
        .fails(1, "error: standard input: object 1: there is no variant \"mine\" among");
}

/// A shard as programs wrote it that did not know of the hash of rules.
fn without_rules(shard: &str) -> String {
    let mut value: Value = serde_json::from_str(shard).unwrap();
    let fields = value.as_object_mut().unwrap();
    for field in ["version", "checksum", "rules"] {
        fields.shift_remove(field).unwrap();
    }
    to_json(&value, &JsonFormat { format: None, version: 1, name: "shard" })
}

#[test]
fn a_proof_carries_its_rules() {
    let folder = folder("own-variants-proof");
    let game = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/own_variant/crabs.toml");
    let proof = folder.join("crabs.proof");
    let solved =
        shogi(&format!("solve {} --json --proof {}", game.display(), proof.display())).json();
    assert_eq!((&solved["value"], &solved["certified"]), (&json!("win"), &json!(true)));
    let verified = shogi(&format!("verify {} --json", proof.display())).json();
    assert_eq!((&verified["ok"], &verified["variant"]), (&json!(true), &json!("crabs")));
    // Nothing else does: it is checked by the rules in a file, and without them it cannot be.
    let games = folder.join("crabs.games");
    shogi(&format!("selfplay {} --games 1 --nodes 10 --out {}", game.display(), games.display()))
        .fails(0, "");
    let state = folder.join("crabs.state");
    let solve = format!("solve {} --nodes 100 --checkpoint {}", game.display(), state.display());
    shogi(&solve).fails(0, "");
    for file in [&games, &state] {
        is_checked_by_the_rules_in(&game, file, "there is no variant \"crabs\" among");
    }
    // Other rules of that name are not the file's.
    let other = folder.join("other.toml");
    let text = fs::read_to_string(&game).unwrap();
    fs::write(&other, text.replacen("jump F2", "jump F3", 1)).unwrap();
    for file in [&games, &state] {
        let run = shogi(&format!("verify --game {} {} --json", other.display(), file.display()));
        assert_eq!((run.code, &run.lines()[0]["ok"]), (Some(1), &json!(false)), "{}", run.stdout);
    }
    shogi(&format!("verify --game {} {}", state.display(), state.display())).fails(2, "is no text");
    let skeleton = folder.join("crabs.skeleton");
    let built = folder.join("built.proof");
    shogi(&format!(
        "proof build {} --out {} --skeleton {}",
        game.display(),
        built.display(),
        skeleton.display()
    ))
    .fails(0, "");
    let expanded = folder.join("expanded.proof");
    let expand = format!("proof expand {} --out {}", skeleton.display(), expanded.display());
    shogi(&expand)
        .fails(1, &format!("error: {}: there is no variant \"crabs\" among", skeleton.display()));
    shogi(&format!("{expand} --game {}", game.display())).fails(0, "");
    assert_eq!(shogi(&format!("verify {} --json", expanded.display())).json()["ok"], true);
    // Other rules with another start of the same letters: the hash in the file is not theirs.
    let bytes = fs::read(&proof).unwrap();
    let changed: Vec<u8> = {
        let text = b"jump F2";
        let at = bytes.windows(text.len()).position(|part| part == text).unwrap();
        let mut bytes = bytes.clone();
        bytes[at + 6] = b'3';
        bytes
    };
    fs::write(&proof, changed).unwrap();
    let run = shogi(&format!("verify {} --json", proof.display()));
    assert_eq!(run.code, Some(1), "{}", run.stdout);
}
