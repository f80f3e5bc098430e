//! Variants as files: what stands in for the name of a game, and gives what the game gives.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::{Run, command, folder, shogi, shogi_with};
use serde_json::{Value, json};
use shogi_variants::Variant;

/// A file of the repository's folder `variants`.
fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../variants").join(name)
}

/// A game that is built in, written as a file.
fn written(name: &str, folder: &Path) -> PathBuf {
    let path = folder.join(format!("{name}.toml"));
    let run = shogi(&format!("variant show {name}"));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    fs::write(&path, run.stdout).unwrap();
    path
}

/// The games by name or as files, with the numbers that Fairy-Stockfish and a plain generator agree on.
#[test]
fn perft_of_games_as_text_is_as_published() {
    let euro = file("euroshogi.toml");
    let yari = file("yarishogi.toml");
    let whale = file("whale.toml");
    for (game, numbers) in [
        (Path::new("gorogoro"), [16, 250, 4_166, 67_517]),
        (Path::new("gorogoroplus"), [39, 1_438, 44_436, 1_330_443]),
        (Path::new("judkins"), [20, 336, 6_183, 118_345]),
        (Path::new("micro"), [9, 80, 767, 7_256]),
        (Path::new("torishogi"), [17, 288, 5_430, 103_857]),
        (&euro, [25, 625, 15_424, 380_499]),
        (&yari, [20, 400, 7_960, 158_404]),
        (&whale, [7, 49, 398, 3_230]),
    ] {
        for (depth, nodes) in (1..).zip(numbers) {
            let answer = shogi(&format!("perft {} {depth} --json", game.display())).json();
            assert_eq!(answer["nodes"], nodes, "{} {depth}", game.display());
        }
    }
}

/// The output of a verb, without the parts that depend on the clock and on the name of the game.
fn plain(run: &Run, file: &Path, name: &str) -> String {
    let text = run.stdout.replace(&file.display().to_string(), name);
    let lines = text.lines().map(|line| match serde_json::from_str::<Value>(line) {
        Ok(Value::Object(mut answer)) => {
            for clock in ["seconds", "nodes_per_second"] {
                answer.remove(clock);
            }
            if let Some(Value::Object(variants)) = answer.get_mut("variants") {
                for variant in variants.values_mut() {
                    variant["seconds"] = json!(0);
                }
            }
            Value::Object(answer).to_string()
        }
        _ => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Two games as text that take turns, each with other rules than the thread before may have used.
fn two_games() -> [(PathBuf, &'static str, &'static str); 2] {
    [
        (PathBuf::from("judkins"), "4k1/6/4G1/6/3K2/6 b SN 1", "1k4/6/1p4/6/2K3/6 w g 1"),
        (file("euroshogi.toml"), "3k4/8/3P4/8/8/8/8/4K3 b G 1", "8/8/3k4/8/8/8/8/4K3 b G 1"),
    ]
}

#[test]
fn threads_find_a_mate_together_in_games_as_text() {
    for (game, mate, open) in two_games() {
        let lines = format!("{mate}\n{open}\n").repeat(100);
        for threads in [1, 2, 4] {
            let command = format!("mate {} --together {threads} --nodes 3000", game.display());
            let run = shogi_with(&command, &lines);
            assert_eq!(run.code, Some(0), "{}", run.stderr);
            let found = run.lines();
            assert_eq!(found.len(), 200);
            for (number, answer) in found.iter().enumerate() {
                let expected = if number % 2 == 0 { "mate" } else { "nomate" };
                assert_eq!(answer["status"], expected, "{command}: {answer}");
                assert_eq!(answer["pv"].as_array().unwrap().len(), 1 - number % 2, "{answer}");
            }
        }
    }
}

#[test]
fn threads_answer_for_games_as_text_what_one_thread_answers() {
    for (game, mate, open) in two_games() {
        let input = format!("{mate}\n{open}\nposition startpos\nnonsense\n").repeat(10);
        let game_name = game.display().to_string();
        for command in [
            "perft GAME 3 --divide --json",
            "moves GAME",
            "unmoves GAME",
            "show GAME",
            "mate GAME --shortest --nodes 2000",
            "mate GAME --tsume --all --nodes 2000",
            "tsume check GAME --nodes 2000",
            "tsume generate GAME --plies 1 --seed 1 --attempts 40 --count 5 --json",
            "explain GAME --eval material",
            "rank GAME",
            "classify GAME",
            "estimate GAME --samples 300 --seed 1 --json",
            "count GAME --json",
            "bench GAME --depth 3 --searches 2 --json",
            "selfplay GAME --games 6 --nodes 40 --eval material --json",
            "learn match GAME --pairs 2 --nodes 20 --eval material --against material --json",
        ] {
            let command = command.replace("GAME", &game_name);
            let [one, more] =
                [1, 3].map(|threads| shogi_with(&format!("{command} --threads {threads}"), &input));
            assert_eq!(more.code, one.code, "{command}: {}", more.stderr);
            assert_eq!(plain(&more, &game, "GAME"), plain(&one, &game, "GAME"), "{command}");
        }
    }
}

/// Searches by several threads on their own account: they may take another way, but answer.
#[test]
fn threads_prove_and_play_games_as_text() {
    let folder = folder("own-variants-threads");
    for (game, mate, _) in two_games() {
        let game = game.display();
        for workers in [1, 3] {
            let proof = folder.join(format!("{workers}.proof"));
            let build = format!(
                "proof build {game} --workers {workers} --out {} --json --sfen",
                proof.display()
            );
            let mut build = command(&build);
            let built = Run::from(build.arg(mate).output().unwrap());
            assert_eq!(built.code, Some(0), "{}", built.stderr);
            let verified = shogi(&format!("verify {} --json", proof.display()));
            assert_eq!(verified.json()["ok"], true, "{}", verified.stdout);
        }
        for threads in [1, 4] {
            let go = format!(
                "setoption name Threads value {threads}\nposition sfen {mate}\ngo nodes 5000\n"
            );
            let played = shogi_with(&format!("usi --variant {game}"), &go);
            let best = played.stdout.lines().find(|line| line.starts_with("bestmove"));
            let pv = shogi_with(&format!("mate {game} --shortest --all"), mate).json();
            let first: Vec<_> = pv["first"]
                .as_array()
                .unwrap()
                .iter()
                .map(|mv| format!("bestmove {}", mv.as_str().unwrap()))
                .collect();
            let best = best.unwrap().split(" ponder").next().unwrap().to_owned();
            assert!(first.contains(&best), "{best} {first:?}");
        }
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_game_as_a_file_answers_every_verb_as_the_compiled_one() {
    let folder = folder("own-variants-verbs");
    for (name, sfen, line) in [
        ("minishogi", "r2gk/4s/P4/5/KGSBR b BPp 1", "startpos moves 5e5d 1a1b"),
        ("kyotoshogi", "pgk1t/3S1/5/5/T1KGP b s 1", "startpos moves 5e5d 1a1b"),
        ("shogi34", "bkr/1p1/1P1/RKB b - 1", "startpos moves 3d3c"),
        ("dobutsu", "g1l/1e1/3/LG1 b CEc 1", "startpos moves 2c2b 2a2b"),
        (
            "shogi",
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            "startpos moves 7g7f 3c3d 8h2b+",
        ),
    ] {
        let file = written(name, &folder);
        let record = folder.join(format!("{name}.usi"));
        fs::write(&record, format!("position {line}\n")).unwrap();
        let input = format!("{sfen}\n{line}\nposition startpos\n12345\nnonsense\n");
        for verb in [
            "moves",
            "unmoves",
            "show",
            "show --kanji",
            "mate --nodes 2000",
            "mate --tsume --nodes 2000",
            "moves --dialect fairy",
            "show --dialect lishogi",
            "rank",
            "rank --order king-legal",
            "unrank",
            "classify",
            "classify --certificate",
            "explain --eval material",
            "tsume check",
        ] {
            // What pieces are worth in standard shogi is tuned, and of a file it is estimated from their moves.
            if verb.starts_with("explain") && name == "shogi" {
                continue;
            }
            let of = |game: &str| match verb.split_once(" --") {
                Some((verb, options)) => shogi_with(&format!("{verb} {game} --{options}"), &input),
                None => shogi_with(&format!("{verb} {game}"), &input),
            };
            let (compiled, read) = (of(name), of(&file.display().to_string()));
            assert_eq!(read.code, compiled.code, "{verb} {name}: {}", read.stderr);
            assert_eq!(plain(&read, &file, name), plain(&compiled, &file, name), "{verb} {name}");
        }
        for arguments in [
            "perft GAME 3 --divide --json",
            "solve GAME --nodes 300 --json",
            "bench GAME --depth 3 --searches 2 --json",
            "solve GAME --nodes 300 --algorithm pds --json",
            "selfplay GAME --games 2 --nodes 60 --eval material --json",
            "count GAME --json",
            "count GAME --mirror distinct --json",
            "count GAME --strata --json",
            "learn match GAME --pairs 1 --nodes 20 --eval material --against material --json",
            "tsume generate GAME --plies 1 --seed 1 --attempts 20 --json",
            "estimate GAME --samples 200 --seed 1 --json",
            "convert GAME RECORD --to usi",
            "convert GAME RECORD --to json",
            "convert GAME RECORD --to kif",
            "convert GAME RECORD --to ki2",
            "convert GAME RECORD --to csa",
            "convert GAME RECORD --to jkf",
        ] {
            // Of positions with both kings on the middle file Minishogi counts other mirror images. The games with
            // tablebases are listed, where files are refused.
            if arguments.starts_with("estimate")
                && ["minishogi", "shogi34", "dobutsu"].contains(&name)
            {
                continue;
            }
            // It takes ten times as long to divide Minishogi into classes as Kyoto shogi.
            if arguments.contains("--strata") && name == "minishogi" {
                continue;
            }
            let arguments = arguments.replace("RECORD", &record.display().to_string());

            let of = |game: &str| shogi(&arguments.replace("GAME", game));
            // What the player judges by is trained for some games; a bench of those has other nodes.
            if arguments.starts_with("bench") && name != "shogi34" {
                continue;
            }
            // Games of standard shogi by material are others, as pieces have other values.
            if arguments.contains("--eval material") && name == "shogi" {
                continue;
            }
            let (compiled, read) = (of(name), of(&file.display().to_string()));
            assert_eq!(read.code, compiled.code, "{arguments} {name}: {}", read.stderr);
            assert_eq!(
                plain(&read, &file, name),
                plain(&compiled, &file, name),
                "{arguments} {name}"
            );
        }
    }
}

#[test]
fn a_file_that_says_a_built_in_game_has_the_hash_of_its_rules() {
    for (name, _) in Variant::built_in() {
        let variant = Variant::built_in_named(name).unwrap();
        let read = Variant::from_text(&variant.to_text().unwrap()).unwrap();
        assert_eq!(read.rules_hash(), variant.rules_hash(), "{name}");
    }
}

#[test]
fn what_is_made_with_a_game_as_a_file_is_accepted_for_the_compiled_one_and_back() {
    let folder = folder("own-variants-files");
    for name in ["minishogi", "kyotoshogi", "shogi", "shogi34", "dobutsu"] {
        let file = written(name, &folder);
        let file = file.to_str().unwrap();
        let of = |arguments: &str, game: &str| {
            let run = shogi(&arguments.replace("GAME", game));
            assert_eq!(run.code, Some(0), "{arguments} {game}: {}", run.stderr);
            plain(&run, Path::new(file), name)
        };
        // A search that one of them has begun is resumed by the other.
        let resumed = [(name, file), (file, name), (name, name)].map(|(first, second)| {
            let checkpoint = folder.join(format!("{name}.checkpoint"));
            let _ = fs::remove_file(&checkpoint);
            let checkpoint = checkpoint.display();
            let solve =
                |nodes| format!("solve GAME --nodes {nodes} --checkpoint {checkpoint} --json");
            of(&solve(300), first);
            let after = of(&solve(900), second);
            assert_eq!(shogi(&format!("verify {checkpoint} --json")).json()["ok"], true);
            after
        });
        assert!(resumed.iter().all(|answer| *answer == resumed[2]), "{name}: {resumed:?}");
        // Games are the same, and so is what they were played by.
        let archives = [name, file].map(|game| {
            let archive = folder.join("games");
            let play = "selfplay GAME --games 2 --nodes 20 --eval material --out";
            of(&format!("{play} {}", archive.display()), game);
            fs::read(&archive).unwrap()
        });
        assert!(archives[0] == archives[1], "{name}");
    }
}

#[test]
fn records_of_a_built_in_game_as_a_file_follow_its_customs() {
    let folder = folder("own-variants-records");
    let file = written("shogi", &folder);
    for (name, text) in [
        ("handicap.kif", "手合割：六枚落ち\n手数----指手---------消費時間--\n   1 ４二銀(31)\n"),
        ("game.csa", "V2.2\nPI\n+\n+7776FU\n-3334FU\n+8822UM\n-3122GI\n%TORYO\n"),
        ("own.kif", "手合割：Standard shogi\n   1 ７六歩(77)\n"),
    ] {
        let record = folder.join(name);
        fs::write(&record, text).unwrap();
        for to in ["usi", "kif", "ki2", "csa", "jkf", "json"] {
            let convert =
                |game: &str| shogi(&format!("convert {game} {} --to {to}", record.display()));
            let (read, compiled) = (convert(&file.display().to_string()), convert("shogi"));
            assert_eq!(read.code, Some(0), "{name} {to}: {}", read.stderr);
            // The game's own title is a title of it only as a file.
            if name != "own.kif" {
                assert_eq!(read.stdout, compiled.stdout, "{name} {to}");
            }
        }
    }
    // Where a rule or the name of a piece differs, the file's own words stand.
    let text = fs::read_to_string(&file).unwrap();
    let own = folder.join("own.toml");
    fs::write(&own, text.replace("kanji = \"玉\"", "kanji = \"獅\"")).unwrap();
    let record = folder.join("king.usi");
    fs::write(&record, "position startpos moves 5i5h\n").unwrap();
    let to = |to: &str| shogi(&format!("convert {} {} --to {to}", own.display(), record.display()));
    let run = to("kif");
    assert!(
        run.stdout.contains("手合割：平手") && run.stdout.contains("５八獅(59)"),
        "{}",
        run.stdout
    );
    fs::write(&own, text.replace("impasse = \"27 points\"\n", "")).unwrap();
    assert!(to("kif").stdout.contains("手合割：Standard shogi"));
    to("csa").fails(1, "not written in csa");
}

#[test]
fn a_file_with_faults_is_refused_by_every_verb_with_line_and_fix() {
    let path = folder("own-variants-faults").join("bad.toml");
    let text = fs::read_to_string(file("judkins.toml")).unwrap();
    fs::write(&path, text.replace("promotion.zone", "promotion.zonne")).unwrap();
    let words = "line 4, promotion.zonne: there is no such key; did you mean \"zone\"?";
    for verb in ["perft GAME 1", "moves GAME", "solve GAME", "usi --variant GAME"] {
        shogi(&verb.replace("GAME", &path.display().to_string())).fails(2, words);
    }
    let run = shogi(&format!("variant check {}", path.display()));
    assert_eq!((run.code, run.stdout.trim()), (Some(1), words));
    let answer = shogi(&format!("variant check {} --json", path.display())).lines().remove(0);
    assert_eq!((&answer["ok"], &answer["errors"][0]["line"]), (&json!(false), &json!(4)));
    let twice = text.replace("[pieces]\n", "[pieces]\nP = { front = \"gold\" }\n");
    let run = shogi_with("variant check -", twice);
    assert!(
        run.code == Some(1) && run.stdout.contains(", pieces.P: duplicate key"),
        "{}",
        run.stdout
    );
    shogi("perft nowhere.toml 1").fails(2, "nowhere.toml: cannot read: ");
    shogi("variant check nowhere").fails(1, "error: nowhere: cannot read: ");
    // A good file with another name, and the name of a game where a file stands.
    let text = path.with_extension("text");
    fs::write(&text, shogi("variant show micro").stdout).unwrap();
    let name = text.display();
    shogi(&format!("perft {name} 1")).fails(2, &format!("{name} is no game that is built in, and"));
    shogi(&format!("perft {name} 1")).fails(2, "has a name ending in .toml");
    shogi("variant check micro")
        .fails(1, "`shogi variant show micro` writes the game that is built in");
    let run = shogi_with("variant check -", fs::read_to_string(&text).unwrap());
    assert!(run.stdout.starts_with("Micro shogi (micro), "), "{}", run.stdout);
}

#[test]
fn a_check_says_what_was_understood() {
    let run = shogi(&format!("variant check {}", file("whale.toml").display()));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for words in [
        "Whale shogi (whale), on 6 files and 6 ranks, with 24 pieces",
        "P with their back up",
        "2 of a player may stand on a file",
        "+P (killer whale): dragon",
        "Sente to move",
        "hash ",
    ] {
        assert!(run.stdout.contains(words), "{words}\n{}", run.stdout);
    }
    let dobutsu = written("dobutsu", &folder("own-variants-check"));
    let run = shogi(&format!("variant check {}", dobutsu.display()));
    let words =
        "who captures it has won; so has a player whose royal piece stands on the last rank";
    assert!(run.stdout.contains(words), "{}", run.stdout);
    shogi("variant show chess").fails(2, "possible values");
}

#[test]
fn games_are_judged_by_the_rules_of_the_file() {
    // In Tori shogi the player who brings a position about for the third time has lost.
    let rounds = "4g3f 4a5b 3f4g 5b4a ".repeat(2);
    let run = shogi_with("moves torishogi", format!("position startpos moves {rounds}\n"));
    let answer = &run.lines()[0];
    assert_eq!((&answer["end"], &answer["why"]), (&json!("win"), &json!("repetition")), "{answer}");
    // Two swallows of a player may stand on a file, and no third.
    let run = shogi_with("moves torishogi", "3k3/7/7/2S4/2S4/7/3K3 b S 1\n");
    let moves = run.lines()[0]["moves"].clone();
    let drops: Vec<_> = moves.as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert!(drops.contains(&"S*4d") && !drops.contains(&"S*5c"), "{drops:?}");
}

#[test]
fn games_as_text_are_counted_numbered_and_traced_back_where_the_pieces_allow() {
    let count = shogi("count gorogoro --json").json();
    assert_eq!(count["total"], "223770964089569902373130");
    let micro = shogi("count micro --json").json();
    assert_eq!(
        (&micro["king"], &micro["by_hand"][8]),
        (&json!("750670631878505"), &json!("30780"))
    );
    for (game, start) in [
        ("gorogoro", "sgkgs/5/1ppp1/1PPP1/5/SGKGS b - 1"),
        ("gorogoroplus", "sgkgs/5/1ppp1/1PPP1/5/SGKGS b NLnl 1"),
        ("judkins", "5k/5p/6/6/P5/K5 b RBGSNrbgsn 1"),
    ] {
        let rank = shogi_with(&format!("rank {game}"), format!("{start}\n")).lines().remove(0);
        let number = rank["rank"].as_str().unwrap();
        let back = shogi_with(&format!("unrank {game}"), format!("{number}\n")).lines().remove(0);
        assert_eq!(back["sfen"], start, "{game}");
        let input = format!("{start}\n");
        let classified = shogi_with(&format!("classify {game} --certificate"), input).lines();
        assert_eq!(classified[0]["stage"], "ok", "{game}: {classified:?}");
        let path = folder("own-variants-certificates").join(format!("{game}.json"));
        fs::write(&path, classified[0]["certificate"].to_string()).unwrap();
        assert_eq!(shogi(&format!("verify {} --json", path.display())).json()["ok"], true);
    }
    let answer = shogi("estimate judkins --samples 300 --seed 1 --json").json();
    assert_eq!((&answer["variant"], &answer["done"]), (&json!("judkins"), &json!(300)));
    assert!(answer["funnel"]["ok"].as_u64().unwrap() > 20, "{answer}");
}

#[test]
fn what_a_game_as_text_does_not_allow_is_refused_with_the_reason() {
    shogi("count torishogi")
        .fails(2, "counting is not available for torishogi: the piece L moves otherwise");
    shogi("estimate micro --samples 1 --seed 1").fails(2, "pieces turn over when they capture");
    shogi("count --strata micro").fails(2, "pieces turn over when they capture");
    let run = shogi_with("classify torishogi", "startpos\n");
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    let whale = file("whale.toml").display().to_string();
    for game in ["micro", &whale] {
        for verb in ["learn proofs GAME --out X", "learn fit GAME --archive A --out X"] {
            shogi(&verb.replace("GAME", game))
                .fails(2, "sizes that are compiled in, and its rules are read as text");
        }
        shogi(&format!("selfplay {game} --games 1 --eval network"))
            .fails(1, "has no evaluation by network");
    }
    shogi(&format!("tablebase build {whale} --out X"))
        .fails(2, "games of your own on at most 32 squares");
    shogi("tablebase build micro --out X").fails(1, "who gives perpetual check loses");
    for (verb, names) in [("learn fit", "dobutsu"), ("tablebase build", "shogi34")] {
        let help = shogi(&format!("{verb} --help")).stdout;
        assert!(help.contains(names) && !help.contains("micro"), "{help}");
    }
    // Who brings a repetition about in Tori shogi loses, which no search here takes into account.
    let mut solve = command("solve torishogi --nodes 3000000 --json --sfen");
    let run = Run::from(solve.arg("k6/7/7/7/7/7/6K b - 1").output().unwrap());
    assert_eq!((run.code, &run.json()["ended"]), (Some(0), &json!("repetition")), "{}", run.stdout);
}

#[test]
fn an_engine_plays_a_file() {
    let run = shogi_with(
        &format!("usi --variant {}", file("euroshogi.toml").display()),
        "usi\nisready\nposition startpos moves 3f3e\ngo nodes 2000\n",
    );
    assert!(run.stdout.contains("default euroshogi"), "{}", run.stdout);
    assert!(run.stdout.contains("bestmove "), "{}", run.stdout);
    assert!(!run.stdout.contains("bestmove resign"), "{}", run.stdout);
}

#[test]
fn an_engine_plays_by_the_file_even_if_its_name_is_that_of_a_compiled_game() {
    let game = folder("own-variants-engine").join("game.toml");
    let whale = fs::read_to_string(file("whale.toml")).unwrap();
    fs::write(&game, whale.replacen("\"whale\"", "\"minishogi\"", 1)).unwrap();
    let play = "isready\nposition startpos\ngo nodes 500\n";
    let [plain, chosen] = ["", "setoption name USI_Variant value minishogi\n"].map(|option| {
        let run =
            shogi_with(&format!("usi --variant {}", game.display()), format!("{option}{play}"));
        run.stdout.lines().last().unwrap().to_owned()
    });
    assert!(plain.starts_with("bestmove "), "{plain}");
    assert_eq!(chosen, plain);
}

/// The commands of a document's blocks run as they stand, beside the files of its folder.
fn run_commands(document: &str, least: usize) {
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(document);
    let name = document.parent().unwrap().file_name().unwrap().to_str().unwrap();
    let folder = folder(&format!("own-variants-{name}"));
    for entry in fs::read_dir(document.parent().unwrap()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            fs::copy(&path, folder.join(path.file_name().unwrap())).unwrap();
        }
    }
    let program = Path::new(env!("CARGO_BIN_EXE_shogi")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let text = fs::read_to_string(&document).unwrap();
    let mut run = 0;
    for block in text.split("```sh\n").skip(1) {
        for command in block.split("```").next().unwrap().lines() {
            let mut shell = Command::new("sh");
            shell.args(["-c", command]).current_dir(&folder).env("PATH", &path);
            let output = shell.stdin(Stdio::null()).output().unwrap();
            assert!(
                output.status.success(),
                "{command}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
            run += 1;
        }
    }
    assert!(run >= least, "{run} commands");
    // A picture that is there is the one that the commands draw.
    for entry in fs::read_dir(document.parent().unwrap()).unwrap() {
        let picture = entry.unwrap().path();
        if picture.extension().is_some_and(|extension| extension == "svg") {
            let drawn = fs::read(folder.join(picture.file_name().unwrap())).unwrap();
            assert!(drawn == fs::read(&picture).unwrap(), "{}", picture.display());
        }
    }
}

#[test]
fn the_commands_of_the_documents_on_own_variants_run() {
    run_commands("variants/README.md", 5);
    run_commands("examples/own_variant/README.md", 7);
}
