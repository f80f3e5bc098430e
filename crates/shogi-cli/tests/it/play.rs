//! `play`: a person, or a script in the place of one, plays games to their ends in the terminal.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use serde_json::Value;

#[cfg(target_os = "linux")]
use crate::common::interrupt;
use crate::common::{Run, command, folder, shogi, shogi_with};

/// The last line that is not empty.
fn last(run: &Run) -> &str {
    run.stdout.lines().rfind(|line| !line.is_empty()).unwrap()
}

/// Plays a game by choosing among the moves that are listed, and gives its record.
fn play_by_script(game: &str, arguments: &str, test: &str) -> Value {
    let record = folder(test).join("game.kifu");
    let save = format!("play {game} --level 1 --save {} {arguments}", record.display());
    let mut child = command(&save).stdin(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    let (mut said, mut turn) = (String::new(), 0);
    while output.read_line(&mut line).unwrap() > 0 {
        said.push_str(&line);
        if line.contains(" to move") {
            let _ = writeln!(input, "moves");
        }
        // An end by stalemate names legal moves, too.
        if line.contains(" legal move") && line.starts_with(|c: char| c.is_ascii_digit()) {
            line.clear();
            assert!(output.read_line(&mut line).unwrap() > 0, "{said}");
            let moves: Vec<_> = line.split_whitespace().collect();
            turn += 1;
            let _ = writeln!(input, "{}", moves[turn * 7 % moves.len()]);
        }
        line.clear();
    }
    assert!(child.wait().unwrap().success(), "{said}");
    let end = said.trim_end().lines().last().unwrap();
    let by_rule = ["wins (", "draw (", "no result ("].iter().any(|words| end.contains(words));
    assert!(by_rule && end.contains(", after "), "{end}");
    // The record is that of the whole game, by the rules.
    let converted = shogi(&format!("convert {game} {} --to json", record.display()));
    let converted = converted.json();
    assert!(!converted["moves"].as_array().unwrap().is_empty());
    // Played again, the game is over.
    let again = shogi_with(&save, "");
    assert_eq!((again.code, last(&again)), (Some(0), end));
    converted
}

#[test]
fn a_script_plays_each_built_in_game_to_its_end() {
    let listed = shogi("variant list --json").json();
    for game in listed["games"].as_array().unwrap() {
        let name = game["name"].as_str().unwrap();
        let arguments = if name == "shogi34" { "--start KGR" } else { "" };
        let record = play_by_script(name, arguments, &format!("play-{name}"));
        assert_ne!(record["end"]["how"], "interruption", "{name}");
    }
}

#[test]
fn a_game_of_ones_own_is_played_to_its_end() {
    let folder = folder("play-own");
    let game = folder.join("hop.toml");
    let text = "name = \"hop\"\nstart = \"2k/1z1/1Z1/K2 b - 1\"\n[pieces]\n\
                Z = { front = \"step F + jump F2\" }\nK = { front = \"king\", royal = true }\n\
                [drops]\ndead_end = \"legal\"\n[moves]\ndead_end = \"legal\"\n";
    fs::write(&game, text).unwrap();
    play_by_script(game.to_str().unwrap(), "--side gote", "play-own-record");
}

#[test]
fn the_player_at_both_sides_repeats_a_game_with_its_seed() {
    let game = |seed: u32| {
        let run =
            shogi_with(&format!("play micro --level 2 --seed {seed} --json"), "go\n".repeat(900));
        run.json()
    };
    let first = game(1);
    assert_eq!(first, game(1));
    assert_ne!(first["moves"], game(2)["moves"]);
    assert_eq!((&first["over"], &first["level"]), (&Value::Bool(true), &Value::from(2)));
}

#[test]
fn moves_are_typed_in_any_notation_and_slips_are_named() {
    for text in ["4e3d", "45-34", "G-3d", "３四金", "34金(45)"] {
        let game = shogi_with("play minishogi --json", format!("{text}\n")).json();
        assert_eq!(game["moves"][0], "4e3d", "{text}");
    }
    let run = shogi_with("play minishogi", "5d5b\ncastle\nGx3d\nB-3d\nB-5b\n");
    assert_eq!(run.code, Some(0));
    for words in [
        "5d5b: illegal move: the piece cannot go there. Type another move",
        "castle: this is no move: write moves as 7g7f",
        "Gx3d: there is nothing to capture. ",
        "The game is not over, after 4 moves.",
    ] {
        assert!(run.stdout.contains(words), "{words}: {}", run.stdout);
    }
    assert!(!run.stdout.contains('\x1b') && !run.stdout.contains("Sente>"));
}

#[test]
fn commands_do_what_help_says() {
    let folder = folder("play-commands");
    let kept = folder.join("kept.kif");
    let input = format!(
        "help\nhint\nexplain\nmoves\nboard\nundo\ndeclare\n5d5c\nundo\nsave {0}\nsave {0}\nresign\n",
        kept.display()
    );
    let run = shogi_with("play minishogi", input);
    for words in [
        "Hint: ",
        "14 legal moves",
        "There is no move of yours to take back.",
        "declare: there is no impasse rule in this game",
        "The record is in ",
        "it exists; give another name",
        "Gote wins (resignation): Sente resigned, after 0 moves. You have lost.",
    ] {
        assert!(run.stdout.contains(words), "{words}: {}", run.stdout);
    }
    assert_eq!(run.code, Some(0));
    assert!(kept.exists());
}

#[test]
fn a_saved_game_is_resumed_with_its_side_and_level() {
    let file = folder("play-resume").join("game.kif");
    let save = format!("play kyotoshogi --save {}", file.display());
    let run = shogi_with(&format!("{save} --side gote --level 2"), "go\ngo\n");
    assert_eq!((run.code, run.stdout.contains("You are Gote")), (Some(0), true));
    let bytes = fs::read(&file).unwrap();
    let resumed = shogi_with(&format!("{save} --json"), "").json();
    assert_eq!((&resumed["side"], &resumed["level"]), (&Value::from("gote"), &Value::from(2)));
    assert_eq!(resumed["moves"].as_array().unwrap().len(), 5);
    assert_eq!(fs::read(&file).unwrap(), bytes, "nothing was played");
    let longer = shogi_with(&format!("{save} --json"), "go\n").json();
    assert_eq!(longer["moves"].as_array().unwrap().len(), 7);
    // What is there of another game stays as it is.
    fs::write(&file, "1 ７六歩(77)\n").unwrap();
    shogi_with(&save, "go\n").fails(1, "game.kif:1:");
    assert_eq!(fs::read_to_string(&file).unwrap(), "1 ７六歩(77)\n");
    shogi("play minishogi --save -").fails(2, "--save needs a file");
    shogi("play minishogi --level 11").fails(2, "--level");
}

#[test]
fn who_has_no_time_left_has_lost() {
    // A script that says nothing for longer than the clock.
    let mut child = command("play dobutsu --clock 0.2").stdin(Stdio::piped()).spawn().unwrap();
    let input = child.stdin.take();
    let mut said = String::new();
    std::io::Read::read_to_string(&mut child.stdout.take().unwrap(), &mut said).unwrap();
    drop(input);
    assert!(child.wait().unwrap().success());
    assert!(said.contains("Gote wins (time): Sente has run out of time"), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_saves_the_game() {
    let file = folder("play-interrupt").join("game.kifu");
    let save = format!("play minishogi --save {}", file.display());
    let mut child = command(&save).stdin(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "4e3d").unwrap();
    // The player has answered when the file has two moves.
    while !fs::read_to_string(&file).is_ok_and(|text| text.contains("まで2手")) {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let run = interrupt(child);
    run.fails(130, "the game is saved in ");
    assert!(fs::read_to_string(&file).unwrap().contains("３四金(45)"));
    drop(input);
}

#[test]
fn a_variant_of_fairy_stockfish_is_imported_or_what_of_it_cannot_be_said_is_named() {
    let folder = folder("import");
    let ini = folder.join("own.ini");
    let text = "[tall:minishogi]\nmaxRank = 6\nstartFen = rbsgk/4p/5/5/P4/KGSBR[] w 0 1\n\
                promotionRegionWhite = *6\n[goal:tall]\ncheckCounting = true\ntwoBoards = true\n";
    fs::write(&ini, text).unwrap();
    let out = folder.join("tall.toml");
    let run = shogi(&format!("variant import {} tall --out {}", ini.display(), out.display()));
    assert_eq!((run.code, &*run.stderr), (Some(0), ""));
    assert_eq!(shogi(&format!("perft {} 1 --json", out.display())).json()["nodes"], 15);
    let piped = shogi(&format!("variant import {} tall", ini.display()));
    assert_eq!(piped.stdout, fs::read_to_string(&out).unwrap());
    let refused = shogi(&format!("variant import {} goal", ini.display()));
    refused.fails(1, "line 6, checkCounting = true: ");
    refused.fails(1, "line 7, twoBoards = true: ");
    assert!(refused.stdout.is_empty());
    let refused = shogi(&format!("variant import {} goal --json", ini.display()));
    let answer: Value = serde_json::from_str(&refused.stdout).unwrap();
    assert_eq!((refused.code, &answer["ok"]), (Some(1), &Value::Bool(false)));
    assert_eq!(answer["unsayable"][1]["line"], 7);
    shogi(&format!("variant import {} none", ini.display())).fails(1, "there is no section [none]");
}
