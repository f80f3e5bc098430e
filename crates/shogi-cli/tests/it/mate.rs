//! `shogi mate`.

use crate::common;

use std::io::Write as _;
use std::process::Stdio;
use std::time::Duration;

use common::{command, shogi, shogi_with};
use serde_json::{Value, json};

/// A mate in five, one in one, and none.
const PROBLEMS: [&str; 3] = [
    "l2k5/9/3S2S2/9/9/9/9/9/9 b B2N2rb4g2s2n3l18p 1",
    "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1",
    "4k4/9/9/9/9/9/9/9/4K4 b P 1",
];

/// The answer without what differs from run to run.
fn timeless(mut answer: Value) -> Value {
    assert!(answer["seconds"].as_f64().unwrap() >= 0.0);
    answer.as_object_mut().unwrap().remove("seconds");
    answer
}

#[test]
fn each_position_is_answered() {
    let run = shogi_with("mate shogi --shortest", PROBLEMS.join("\n"));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let lines = run.lines();
    let keys: Vec<_> = lines[0].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["in", "mate", "exact", "status", "pv", "nodes", "expansions", "seconds"]);
    for (line, sfen) in lines.iter().zip(PROBLEMS) {
        assert_eq!(line["in"], sfen);
    }
    let of = |key: &str| lines.iter().map(|line| line[key].clone()).collect::<Vec<_>>();
    assert_eq!(of("mate"), [json!(5), json!(1), json!(null)]);
    assert_eq!(of("exact"), [true, true, false]);
    assert_eq!(of("status"), ["mate", "mate", "nomate"]);
    assert_eq!(lines[0]["pv"].as_array().unwrap().len(), 5);
    assert_eq!(lines[1]["pv"], json!(["G*5b"]));
    assert_eq!(lines[2]["pv"], json!([]));
}

#[test]
fn a_budget_ends_in_unknown() {
    for budget in ["--nodes 20", "--time 0"] {
        let answer = shogi_with(&format!("mate shogi {budget}"), PROBLEMS[0]).json();
        assert_eq!(answer["status"], "unknown", "{budget}");
        assert_eq!((&answer["mate"], &answer["pv"]), (&json!(null), &json!([])));
    }
}

#[test]
fn threads_search_a_position_together() {
    let alone = shogi_with("mate shogi", PROBLEMS.join("\n")).lines();
    let together = shogi_with("mate shogi --together 2 --threads 1", PROBLEMS.join("\n")).lines();
    for (together, alone) in together.iter().zip(&alone) {
        assert_eq!((&together["in"], &together["status"]), (&alone["in"], &alone["status"]));
        let plies = together["pv"].as_array().unwrap().len();
        assert_eq!(together["mate"].as_u64().unwrap_or(0), plies as u64);
    }
    let one = shogi_with("mate shogi --together 1", PROBLEMS[0]).json();
    assert_eq!(timeless(one), timeless(alone[0].clone()));
    for other in ["--shortest", "--all", "--tsume"] {
        let run = shogi_with(&format!("mate shogi --together 2 {other}"), PROBLEMS[0]);
        assert_eq!(run.code, Some(2), "{other}");
    }
}

#[test]
fn the_player_to_move_defends_against_mate() {
    let defend = |line: &str| shogi_with("mate minishogi --defend --shortest", line).json();
    let answer = defend("4k/5/3G1/5/4R w Prbgsp 1");
    let keys: Vec<_> = answer.as_object().unwrap().keys().cloned().collect();
    let expected =
        "in mate exact status pv nodes expansions defences refuted undecided seconds".split(' ');
    assert_eq!(keys, expected.collect::<Vec<_>>());
    assert_eq!((&answer["status"], &answer["mate"]), (&json!("nomate"), &json!(null)));
    assert_eq!(
        (&answer["defences"], &answer["undecided"], &answer["pv"]),
        (&json!(["1a2a", "P*1c", "P*1d"]), &json!([]), &json!([]))
    );
    let refuted = answer["refuted"].as_array().unwrap();
    let dropped = refuted.iter().find(|reply| reply["move"] == "P*1b").unwrap();
    assert_eq!(*dropped, json!({ "move": "P*1b", "mate": 1, "exact": true, "pv": ["2c1b"] }));
    // After the first move of a mate in five nothing helps, and the rest of the line is a longest defence.
    let mate = shogi_with("mate shogi --shortest", PROBLEMS[0]).json();
    let line = format!("sfen {} moves {}", PROBLEMS[0], mate["pv"][0].as_str().unwrap());
    let answer = shogi_with("mate shogi --defend --shortest", line).json();
    let found = [&answer["status"], &answer["mate"], &answer["exact"], &answer["defences"]];
    assert_eq!(found, [&json!("mate"), &json!(4), &json!(true), &json!([])]);
    assert_eq!(answer["pv"].as_array().unwrap().len(), 4);
}

#[test]
fn a_defence_without_a_king_and_with_other_questions_is_refused() {
    let run = shogi_with("mate shogi --defend", PROBLEMS[1]);
    assert_eq!(run.code, Some(1));
    assert_eq!(run.lines()[0]["error"], "Sente, who is to be mated, has no king");
    for other in ["--all", "--tsume", "--brink", "--together 2", "--proof x", "--checkpoint x"] {
        let run = shogi_with(&format!("mate shogi --defend {other}"), PROBLEMS[2]);
        assert_eq!(run.code, Some(2), "{other}: {}", run.stderr);
    }
}

#[test]
fn all_first_moves_and_cooks_are_listed() {
    let answer = shogi_with("mate minishogi --all", "k4/5/1G3/5/4K b G 1").json();
    assert_eq!((&answer["mate"], &answer["exact"]), (&json!(1), &json!(true)));
    assert_eq!(answer["first"], json!(["G*5b", "G*4b"]));
    assert_eq!((&answer["cooks"], &answer["complete"]), (&json!([]), &json!(true)));
    // Sound but for its last move.
    let problem = "2r6/9/4G4/2B6/3B5/9/k8/9/9 b Gr2g4s4n4l18p 1";
    let answer = shogi_with("mate shogi --all", problem).json();
    assert_eq!((&answer["mate"], &answer["first"]), (&json!(13), &json!(["G*9h"])));
    assert_eq!(answer["cooks"], json!([{ "number": 13, "move": "7d8c+", "mate": 1 }]));
    assert_eq!(answer["complete"], true);
    // Dialects hold here, too.
    let kyoto = |dialect: &str| {
        let run =
            shogi_with(&format!("mate kyotoshogi --all --dialect {dialect}"), "4k/5/4P/5/K4 b T 1");
        run.json()["first"].clone()
    };
    assert_eq!((kyoto("lishogi"), kyoto("fairy")), (json!(["T*1b"]), json!(["+L*1b"])));
    let none = shogi_with("mate shogi --all", PROBLEMS[2]).json();
    assert_eq!((&none["first"], &none["complete"]), (&json!([]), &json!(true)));
}

#[test]
fn threads_change_nothing() {
    let input = PROBLEMS.repeat(20).join("\n");
    let [one, many] = [1, 4].map(|threads| {
        let run = shogi_with(&format!("mate shogi --shortest --threads {threads}"), &input);
        run.lines().into_iter().map(timeless).collect::<Vec<_>>()
    });
    assert_eq!(one.len(), 60);
    assert_eq!(one, many);
}

#[test]
fn every_variant_has_mates() {
    for (variant, sfen, mate) in [
        ("minishogi", "4k/5/4P/5/K4 b G 1", 1),
        ("kyotoshogi", "4k/5/4P/5/K4 b T 1", 1),
        ("shogi34", "2k/3/2P/K2 b G 1", 1),
        ("dobutsu", "2l/3/1+CC/L2 b G 1", 3),
    ] {
        let answer = shogi_with(&format!("mate {variant} --shortest"), sfen).json();
        assert_eq!(answer["mate"], mate, "{variant} {answer}");
        assert_eq!(answer["pv"].as_array().unwrap().len(), mate, "{variant}");
    }
}

#[test]
fn dialects_are_those_of_the_other_verbs() {
    let sfen = "4k/5/4P/5/K4 b T 1";
    let pv = |dialect: &str| {
        let answer = shogi_with(&format!("mate kyotoshogi --dialect {dialect}"), sfen).json();
        answer["pv"][0].as_str().unwrap().to_owned()
    };
    assert_eq!((pv("lishogi"), pv("fairy")), ("T*1b".to_owned(), "+L*1b".to_owned()));
}

#[test]
fn bad_positions_are_reported_on_their_line() {
    let input = format!(
        "nonsense\n9/9/9/9/9/9/9/9/4K4 b G 1\n4k4/4G4/9/9/9/9/9/9/9 b G 1\n{}",
        PROBLEMS[1]
    );
    let run = shogi_with("mate shogi", input);
    assert_eq!(run.code, Some(1));
    let lines = run.lines();
    let error = |index: usize| lines[index]["error"].as_str().unwrap().to_owned();
    assert!(error(0).contains("no piece has the letter"), "{}", error(0));
    assert_eq!(error(1), "Gote, who is to be mated, has no king");
    assert!(error(2).contains("in check"), "{}", error(2));
    assert_eq!(lines[3]["mate"], 1);
    shogi("mate shogi --time=-1").fails(2, "--time");
    shogi("mate shogi --hash 0").fails(2, "--hash");
}

#[cfg(unix)]
#[test]
fn ctrl_c_answers_what_is_known() {
    // Found after minutes if at all; the interrupt comes at once.
    let hard = "4k4/9/9/9/9/9/9/9/9 b B4G2S9P2rb2s4n4l9p 1";
    let mut child =
        command("mate shogi --threads 1 --hash 64").stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    writeln!(stdin, "{}\n{hard}\n{}", PROBLEMS[1], PROBLEMS[1]).unwrap();
    drop(stdin);
    std::thread::sleep(Duration::from_millis(500));
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    let run: common::Run = child.wait_with_output().unwrap().into();
    assert_eq!(run.code, Some(130));
    let lines = run.lines();
    assert_eq!((&lines[0]["status"], &lines[1]["status"]), (&json!("mate"), &json!("unknown")));
    assert_eq!(lines.len(), 3);
}

#[test]
fn lengths_are_those_of_problem_books() {
    // Two that authors of solvers agreed on, and one of a collection, with two ways to mate at last.
    let problems = [
        "5pk2/7P1/4+R1+P1+b/8b/6R2/9/9/9/9 b 4g4s4n4l15p 1",
        "7l1/7pk/9/9/8+P/9/9/9/8L b 2r2b4g4s4n2l16p 1",
        "2r6/9/4G4/2B6/3B5/9/k8/9/9 b Gr2g4s4n4l18p 1",
    ];
    let run = shogi_with("mate shogi --tsume --all", problems.join("\n"));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let lines = run.lines();
    let of = |key: &str| lines.iter().map(|line| line[key].clone()).collect::<Vec<_>>();
    assert_eq!(of("mate"), [json!(3), json!(1), json!(13)]);
    assert_eq!(of("exact"), [true, true, true]);
    assert_eq!(of("last"), [json!([]), json!([]), json!(["7d8c+"])]);
    assert_eq!(of("first")[1..], [json!(["1e2d"]), json!(["G*9h"])]);
    assert_eq!(lines[2]["cooks"], json!([]));
    let line = shogi_with("mate shogi --tsume", problems[0]).lines().remove(0);
    let keys: Vec<_> = line.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["in", "mate", "exact", "status", "pv", "nodes", "expansions", "seconds"]);
    assert_eq!(line["pv"].as_array().unwrap().len(), 3);
}

#[test]
fn problems_are_checked() {
    let problems = [
        "2r6/9/4G4/2B6/3B5/9/k8/9/9 b Gr2g4s4n4l18p 1",
        "7l1/7pk/9/9/8+P/9/9/9/8L b 2r2b4g4s4n2l16p 1",
        "k8/9/K8/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1",
        "9/4k4/9/4P4/9/9/9/9/9 b G2r2b4s4n4l17p 1",
    ];
    let run = shogi_with("tsume check shogi --kif", problems.join("\n"));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let lines = run.lines();
    let of = |key: &str| lines.iter().map(|line| line[key].clone()).collect::<Vec<_>>();
    assert_eq!(of("in"), problems);
    assert_eq!(of("plies"), [json!(13), json!(1), json!(1), json!(null)]);
    assert_eq!(of("unique"), [true, true, false, false]);
    assert_eq!(of("complete"), [true, true, true, true]);
    assert_eq!(lines[0]["last"], json!(["7d8c+"]));
    // All squares between lance and king, with all that may be interposed.
    assert_eq!(lines[1]["useless"][0]["number"], 2);
    assert!(lines[1]["useless"][0]["moves"].as_array().unwrap().contains(&json!("P*1c")));
    assert_eq!(lines[1]["japanese"], "▲２四と");
    assert!(lines[1]["kif"].as_str().unwrap().contains("２四と(15)"));
    assert!(lines[2]["first"].as_array().unwrap().len() > 1);
    let bad = shogi_with("tsume check shogi", "9/9/9/9/9/9/9/9/9 b - 1");
    assert_eq!(bad.code, Some(1));
    assert!(bad.lines()[0]["error"].is_string());
}

#[test]
fn what_is_not_known_of_a_problem_is_named_with_the_limit() {
    // A problem of five plies with cooks, some of which no search decides soon.
    let problem = "6B2/5pk1b/7P1/5R3/9/9/9/9/9 b Gr3g4s4n4l16p 1";
    let answer = shogi_with("tsume check shogi --nodes 300000", problem).json();
    assert_eq!((&answer["plies"], &answer["exact"]), (&json!(5), &json!(true)));
    assert_eq!((&answer["complete"], &answer["unknown"]), (&json!(false), &json!(["others"])));
    assert_eq!(answer["limit"], "the limit of 300,000 nodes (--nodes)");
    let answer = shogi_with("tsume check shogi --time 0.2", problem).json();
    assert_eq!(answer["limit"], "the limit of 0.2 s (--time)");
    let known = shogi_with("tsume check minishogi", "4k/5/4P/S4/K4 b G 1").json();
    assert_eq!((&known["unknown"], &known["limit"]), (&json!([]), &json!(null)));
    let help = shogi("tsume check --help").stdout;
    assert!(help.contains("[default: 2e7]"), "{help}");
}

#[test]
fn problems_are_composed() {
    let arguments = "tsume generate minishogi --plies 3 --count 3 --seed 7 --threads";
    let run = shogi(&format!("{arguments} 1"));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(run.stdout, shogi(&format!("{arguments} 2")).stdout);
    let problems = run.lines();
    assert_eq!(problems.len(), 3);
    let sfens: Vec<_> = problems.iter().map(|line| line["sfen"].as_str().unwrap()).collect();
    for checked in shogi_with("tsume check minishogi", sfens.join("\n")).lines() {
        assert_eq!((&checked["sound"], &checked["plies"]), (&json!(true), &json!(3)), "{checked}");
    }
    let few = shogi("tsume generate minishogi --plies 99 --attempts 10");
    assert_eq!(few.code, Some(1));
    assert!(few.stderr.contains("0 problems were found in 10 attempts"), "{}", few.stderr);
    shogi("tsume generate minishogi --plies 0").fails(2, "--plies");
    // These would be looked for in vain, and for ever.
    shogi("tsume generate minishogi --plies 4").fails(2, "a mate has an odd number of plies");
    shogi("tsume generate minishogi --plies 5 --sacrifices 3")
        .fails(2, "in 5 plies no 3 pieces can be given away");
    shogi("tsume generate minishogi --plies 3 --pieces 1").fails(2, "--pieces");
}

#[test]
fn problems_are_written_as_lishogi_keeps_its_puzzles() {
    for (game, named, plies, about, length) in [
        ("minishogi", "minishogi", 3, "mateIn3", "short"),
        ("kyotoshogi", "kyotoshogi", 1, "mateIn1", "oneMove"),
        ("shogi", "standard", 1, "mateIn1", "oneMove"),
    ] {
        let generate = format!("tsume generate {game} --plies {plies} --count 2 --seed 7");
        let problems = shogi(&format!("{generate} --dialect lishogi")).lines();
        let puzzles = shogi(&format!("{generate} --lishogi")).lines();
        assert_eq!(puzzles.len(), problems.len());
        for (puzzle, problem) in puzzles.iter().zip(&problems) {
            assert_eq!((&puzzle["sfen"], &puzzle["variant"]), (&problem["sfen"], &json!(named)));
            let line: Vec<_> = puzzle["line"].as_str().unwrap().split(' ').collect();
            assert_eq!(json!(line), problem["pv"]);
            assert_eq!(puzzle["themes"], json!(["tsume", "mate", about, length, "otherSources"]));
            let rating = 1_000.0 + 150.0 * f64::from(plies);
            assert_eq!(puzzle["glicko"], json!({ "r": rating, "d": 500.0, "v": 0.08 }));
            let id = puzzle["_id"].as_str().unwrap();
            assert!(id.len() == 5 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{id}");
        }
        assert_ne!(puzzles[0]["_id"], puzzles[1]["_id"]);
    }
    shogi("tsume generate shogi --plies 1 --lishogi --kif").fails(2, "--kif");
}

#[test]
fn problems_are_composed_to_the_taste() {
    let run = shogi("tsume generate minishogi --plies 3 --count 2 --from games --sacrifices 1");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for problem in run.lines() {
        assert_eq!((&problem["sound"], &problem["plies"]), (&json!(true), &json!(3)), "{problem}");
        // What the attacker has put on a square, the defender captures there.
        let square = |ply: usize| problem["pv"][ply].as_str().unwrap()[2..4].to_owned();
        assert_eq!(square(0), square(1), "{problem}");
    }
    let few = shogi("tsume generate minishogi --plies 1 --pieces 4 --count 1");
    let board = few.lines()[0]["sfen"].as_str().unwrap().to_owned();
    let (board, attacker) = board.split_once(" b ").unwrap();
    let held = attacker.chars().filter(char::is_ascii_uppercase).count();
    assert!(board.chars().filter(char::is_ascii_alphabetic).count() + held <= 4, "{board}");
}

/// A mate of 13 plies that takes some thousand nodes.
const THIRTEEN: &str = "r1k2/2p2/5/2P2/2K2 b RBGSbgs 1";
/// After a check, a quiet move that nothing helps against; there is no mate by checks.
const HISSHI: &str = "7nl/7k1/6p2/7Pp/9/9/9/9/9 b GS2r2b3g3s3n3l15p 1";

#[test]
fn a_brinkmate_is_refused_beside_other_ways_to_search() {
    for other in ["--shortest", "--all", "--tsume", "--together 2", "--checkpoint state"] {
        let run = shogi_with(&format!("mate shogi --brink {other}"), HISSHI);
        assert_eq!(run.code, Some(2), "{other}");
    }
}

#[test]
fn what_mate_proves_verify_accepts() {
    let folder = common::folder("mate-proof");
    let file = folder.join("mate.proof").display().to_string();
    for (settings, variant, problem) in [
        ("", "minishogi", THIRTEEN),
        ("--shortest", "minishogi", THIRTEEN),
        ("--tsume", "shogi", PROBLEMS[0]),
        ("--together 2", "shogi", PROBLEMS[1]),
        ("--brink", "shogi", HISSHI),
    ] {
        let found = shogi_with(&format!("mate {variant} {settings} --proof {file}"), problem);
        assert_eq!(found.code, Some(0), "{settings} {}", found.stderr);
        let found = found.json();
        assert_eq!((&found["in"], &found["status"]), (&json!(problem), &json!("mate")));
        assert_eq!(found["proof"]["claim"], "win");
        let verified = shogi(&format!("verify {file} --json")).json();
        assert_eq!(verified["ok"], true, "{settings} {verified}");
        assert_eq!(verified["entries"], found["proof"]["entries"]);
        assert!(verified["plies"].as_u64().unwrap() <= found["mate"].as_u64().unwrap());
    }
    std::fs::remove_file(&file).unwrap();
    let none = shogi_with(&format!("mate shogi --proof {file}"), PROBLEMS[2]);
    assert_eq!((none.code, &none.json()["status"]), (Some(0), &json!("nomate")));
    assert!(none.stderr.contains("nothing is proved") && !std::path::Path::new(&file).exists());
}

#[test]
fn a_checkpoint_of_mate_is_resumed() {
    let folder = common::folder("mate-checkpoint");
    for settings in ["", "--shortest", "--tsume"] {
        let file = folder.join(format!("state{settings}")).display().to_string();
        let run = format!("mate minishogi {settings} --checkpoint {file}");
        let first = shogi_with(&format!("{run} --nodes 300"), THIRTEEN).json();
        assert_eq!(first["status"], "unknown", "{settings}");
        let verified = shogi(&format!("verify {file} --json")).json();
        assert_eq!((&verified["ok"], &verified["root"]), (&json!(true), &json!(THIRTEEN)));
        let second = shogi_with(&run, THIRTEEN).json();
        assert_eq!(second["status"], "mate", "{settings}");
        assert!(second["nodes"].as_u64() > first["nodes"].as_u64());
        assert_eq!(second["exact"], !settings.is_empty());
        let third = shogi_with(&run, THIRTEEN).json();
        for key in ["mate", "exact", "status"] {
            assert_eq!(third[key], second[key], "a finished checkpoint is the answer");
        }
        let other = shogi_with(&run, "4k/5/4P/5/K4 b G 1");
        assert_eq!(other.code, Some(1), "{settings}");
        let error = other.lines()[0]["error"].as_str().unwrap().to_owned();
        assert!(error.contains("another run: its root"), "{error}");
    }
    let two = shogi_with("mate shogi --checkpoint state", PROBLEMS[..2].join("\n"));
    assert_eq!(two.code, Some(2));
    assert!(two.stderr.contains("--checkpoint is for one position"), "{}", two.stderr);
}

#[test]
fn a_known_line_guides_the_search() {
    let folder = common::folder("mate-line");
    let along = |settings: &str, line: &str| {
        let mut command = command(&format!("mate minishogi {settings}"));
        let run = command.args(["--sfen", THIRTEEN, "--line", line]).output().unwrap();
        common::Run::from(run)
    };
    let shortest = shogi_with("mate minishogi --shortest", THIRTEEN).json();
    let moves = shortest["pv"].as_array().unwrap().iter();
    let line = moves.map(|mv| mv.as_str().unwrap()).collect::<Vec<_>>().join(" ");
    let checkpoint = format!("--checkpoint {}", folder.join("state").display());
    for settings in ["", "--shortest", "--tsume", &checkpoint] {
        let known = along(settings, &line).json();
        assert_eq!((&known["mate"], &known["status"]), (&json!(13), &json!("mate")), "{settings}");
    }
    let wrong = |line: &str| along("", line).lines()[0]["error"].as_str().unwrap().to_owned();
    assert_eq!(wrong("B*1c S*2b G*1a"), "move 3 of the line, G*1a, gives no check");
    assert!(
        wrong("B*1c 5a5b").starts_with("in the line, move 2, \"5a5b\": "),
        "{}",
        wrong("B*1c 5a5b")
    );
    let unfit = along("--all", &line);
    assert!(unfit.code == Some(2) && unfit.stderr.contains("--line"), "{}", unfit.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_saves_the_checkpoint_of_mate() {
    let file = common::folder("mate-interrupt").join("state").display().to_string();
    // Shogi Zuko 98, far from solved in the time of a test.
    let zuko = "8k/9/9/9/9/9/9/9/9 b R2GSr2b2g3s4n4l18p 1";
    let mut run = command(&format!("mate shogi --shortest --hash 64 --checkpoint {file}"));
    run.arg("--sfen").arg(zuko);
    let run = common::interrupt(run.spawn().unwrap());
    run.fails(130, "the same command resumes from there");
    assert_eq!(run.lines()[0]["status"], "unknown");
    assert_eq!(shogi(&format!("verify {file} --json")).json()["ok"], true);
}
