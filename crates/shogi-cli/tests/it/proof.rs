//! Proof files: verify, stats, line and walk.

use crate::common;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use std::{fs, thread};

use common::{Run, folder, shogi, shogi_with};
use serde_json::{Value, json};
use shogi_rules::shogi_core::{Colour, Position};
use shogi_rules::{KyotoShogi, Rules, Shogi34, parse_position, parse_usi, to_sfen};
use shogi_solve::proof::{Claim, Proof, Repetition, Strategy};

/// 3x4 shogi from KNL: Sente mates in three.
const ROOT: &str = "lnk/2p/P2/KNL b - 1";

pub(super) fn knl() -> Proof<Shogi34> {
    let root = Position::new(Shogi34::named_start("KNL").unwrap()).unwrap();
    let mut strategy = Strategy::new(Colour::Sente, Repetition::Absent);
    let first = parse_usi("3d2c").unwrap();
    strategy.insert(&root, first, 3).unwrap();
    let after = root.play_unchecked(first);
    for reply in after.legal_moves() {
        let next = after.play_unchecked(reply);
        let mates = |&mv: &_| Shogi34::verdict(&next.play_unchecked(mv)).is_some();
        let mate = next.legal_moves().into_iter().find(mates).unwrap();
        strategy.insert(&next, mate, 1).unwrap();
    }
    Proof::new(root, Claim::Win { prover: Colour::Sente }, vec![strategy]).unwrap()
}

pub(super) fn write<R: Rules>(folder: &Path, proof: &Proof<R>) -> PathBuf {
    let path = folder.join("proof");
    let mut bytes = Vec::new();
    proof.write(&mut bytes).unwrap();
    fs::write(&path, bytes).unwrap();
    path
}

/// Runs both ways to verify, which must agree.
pub(super) fn verify(path: &Path) -> (Run, Value) {
    let run = shogi(&format!("verify {} --json", path.display()));
    let same = shogi(&format!("proof verify {} --json", path.display()));
    assert_eq!((run.code, &run.stdout), (same.code, &same.stdout));
    let answer = serde_json::from_str(&run.stdout).unwrap();
    (run, answer)
}

#[test]
fn errors_of_a_proof_begin_with_its_path() {
    let path = write(&folder("proof-of-no-variant"), &knl());
    let mut bytes = fs::read(&path).unwrap();
    let at = bytes.windows(7).position(|part| part == b"shogi34").unwrap();
    bytes[at + 5] = b'2';
    fs::write(&path, bytes).unwrap();
    let expected = format!("error: {}: there is no variant \"shogi24\"", path.display());
    for verb in ["walk", "stats", "line"] {
        shogi_with(&format!("proof {verb} {}", path.display()), "root\n").fails(1, &expected);
    }
    // It is not refuted: nothing can be said of it without the rules, and with others it is.
    let run = shogi(&format!("verify {}", path.display()));
    assert_eq!(run.stdout, "");
    run.fails(1, &expected);
    run.fails(1, "this file does not hold its rules: give --game the file that does");
    let game = path.with_extension("toml");
    let text = shogi("variant show shogi34").stdout;
    fs::write(&game, text.replacen("\"shogi34\"", "\"shogi24\"", 1)).unwrap();
    let run = shogi(&format!("verify {} --game {}", path.display(), game.display()));
    assert_eq!((run.code, run.stdout.starts_with("refuted: ")), (Some(1), true), "{}", run.stdout);
}

#[test]
fn a_file_is_known_even_where_a_pipe_delivers_it_by_the_byte() {
    let path = write(&folder("proof-pipe"), &knl());
    let bytes = fs::read(&path).unwrap();
    let mut child = common::command("verify -").stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    for byte in &bytes[..12] {
        stdin.write_all(&[*byte]).unwrap();
        // The reader takes what there is before the next byte comes.
        thread::sleep(Duration::from_millis(10));
    }
    stdin.write_all(&bytes[12..]).unwrap();
    drop(stdin);
    let run = Run::from(child.wait_with_output().unwrap());
    assert!(run.stdout.starts_with("ok: win for sente in shogi34"), "{}", run.stdout);
}

#[test]
fn a_proof_that_holds_is_verified() {
    let path = write(&folder("proof-holds"), &knl());
    let (run, answer) = verify(&path);
    assert_eq!(run.code, Some(0));
    assert_eq!(
        answer,
        json!({
            "ok": true, "variant": "shogi34", "root": ROOT, "claim": "win", "provers": ["sente"],
            "value": "win", "entries": 4, "replies": 3, "ends": 3, "plies": 3,
        })
    );
    let text = shogi(&format!("verify {}", path.display())).stdout;
    assert_eq!(text, format!("ok: win for sente in shogi34, {ROOT}: 4 entries, at most 3 plies\n"));
}

#[test]
fn what_does_not_hold_is_refuted_with_its_place() {
    let folder = folder("proof-refuted");
    let proof = knl();
    let mut strategy = proof.strategies()[0].clone();
    let step = strategy.remove(proof.root()).unwrap();
    let missing = Proof::new(*proof.root(), proof.claim(), vec![strategy]).unwrap();
    let (run, answer) = verify(&write(&folder, &missing));
    assert_eq!((run.code, &answer["ok"]), (Some(1), &json!(false)));
    assert_eq!(answer["position"], ROOT);
    assert_eq!(answer["reason"], "the position has no entry");

    let mut strategy = proof.strategies()[0].clone();
    strategy.insert(proof.root(), step.mv, 2).unwrap();
    let ranked = Proof::new(*proof.root(), proof.claim(), vec![strategy]).unwrap();
    let path = write(&folder, &ranked);
    let (_, answer) = verify(&path);
    assert_eq!(answer["reason"], "the rank is 2, but 3 plies may be to come");
    let text = shogi(&format!("verify {}", path.display())).stdout;
    assert!(text.starts_with("refuted: the rank is 2") && text.contains(ROOT), "{text}");

    let whole = fs::read(write(&folder, &proof)).unwrap();
    let mut damaged = whole.clone();
    *damaged.last_mut().unwrap() ^= 1;
    fs::write(&path, damaged).unwrap();
    let (run, answer) = verify(&path);
    assert_eq!((run.code, &answer["position"]), (Some(1), &Value::Null));
    assert!(answer["reason"].as_str().unwrap().contains("checksum"), "{answer}");

    let mut renamed = whole.clone();
    renamed[11] = b'X';
    fs::write(&path, renamed).unwrap();
    assert!(verify(&path).1["reason"].as_str().unwrap().contains("no variant"));
    for length in [3, 8, 60] {
        fs::write(&path, &whole[..length]).unwrap();
        assert_eq!(verify(&path).0.code, Some(1));
    }
    shogi(&format!("proof stats {}/none", folder.display())).fails(1, "cannot read");
    fs::write(&path, "{}").unwrap();
    shogi(&format!("proof line {}", path.display())).fails(1, "no proof file");
    shogi("proof").fails(2, "Usage");
}

#[test]
fn stats_tell_what_is_claimed_and_how_large_it_is() {
    let path = write(&folder("proof-stats"), &knl());
    let stats = shogi(&format!("proof stats {} --json", path.display())).json();
    let bytes = fs::metadata(&path).unwrap().len();
    assert_eq!(stats["root"], ROOT);
    assert_eq!((&stats["claim"], &stats["value"]), (&json!("win"), &json!("win")));
    assert_eq!((&stats["entries"], &stats["longest"]), (&json!(4), &json!(3)));
    assert_eq!(
        (&stats["bytes"], &stats["bytes_per_entry"]),
        (&json!(bytes), &json!(bytes as f64 / 4.0))
    );
    let section = json!({ "prover": "sente", "repetition": "absent", "entries": 4, "longest": 3 });
    assert_eq!(stats["sections"], json!([section]));
    let text = shogi(&format!("proof stats {}", path.display())).stdout;
    assert!(text.contains("4 entries, greatest rank 3"), "{text}");
}

#[test]
fn the_longest_line_is_played_out() {
    let path = write(&folder("proof-line"), &knl());
    for option in ["", "--longest"] {
        let line = shogi(&format!("proof line {} {option} --json", path.display())).json();
        assert_eq!((&line["plies"], &line["end"]), (&json!(3), &json!("loss")));
        assert_eq!(line["moves"][0], "3d2c");
        let text = shogi(&format!("proof line {} {option}", path.display())).stdout;
        assert_eq!(text.split_whitespace().count(), 3);
    }
}

#[test]
fn a_walk_answers_line_by_line() {
    let path = write(&folder("proof-walk"), &knl());
    let input = "root\n3d2c\nroot 3d2c 3a3b\n3c3b\n3d2c 9z\n\n";
    let run = shogi_with(&format!("proof walk {}", path.display()), input);
    assert_eq!(run.code, Some(1));
    let lines = run.lines();
    let start = &lines[0];
    assert_eq!((&start["in"], &start["sfen"]), (&json!("root"), &json!(ROOT)));
    assert_eq!((&start["move"], &start["rank"]), (&json!("3d2c"), &json!(3)));
    let replies = start["replies"].as_array().unwrap();
    assert!(replies.len() == 3 && replies.iter().all(|reply| reply["rank"] == 1), "{start}");
    assert_eq!((&lines[1]["move"], &lines[1]["rank"]), (&Value::Null, &json!(2)));
    assert_eq!(lines[1]["replies"], start["replies"]);
    assert_eq!((&lines[2]["rank"], &lines[2]["replies"]), (&json!(1), &json!([])));

    let mate = lines[2]["move"].as_str().unwrap();
    let end = shogi_with(&format!("proof walk {}", path.display()), format!("3d2c 3a3b {mate}\n"));
    assert_eq!(end.json()["end"], "loss");
    for (line, error) in [(3, "no move here"), (4, "9z"), (5, "empty line")] {
        assert!(lines[line]["error"].as_str().unwrap().contains(error), "{}", lines[line]);
    }
}

#[test]
fn moves_are_written_in_the_wanted_dialect() {
    // A stalemate wins, see the rules of Kyoto shogi: P*3a, in Fairy's letters +P*3a.
    let root = parse_position::<KyotoShogi>("1+L1sk/3+pn/4L/1+SN2/2K2 b P 1").unwrap();
    let mut strategy = Strategy::new(Colour::Sente, Repetition::Absent);
    strategy.insert(&root, parse_usi("+P*3a").unwrap(), 1).unwrap();
    let claim = Claim::Win { prover: Colour::Sente };
    let proof = Proof::new(root, claim, vec![strategy]).unwrap();
    let path = write(&folder("proof-dialect"), &proof);
    for (dialect, mv) in [("fairy", "+P*3a\n"), ("lishogi", "R*3a\n")] {
        let line = shogi(&format!("proof line {} --dialect {dialect}", path.display()));
        assert_eq!(line.stdout, mv);
    }
    assert_eq!(verify(&path).1["ok"], true);
}

/// Writes a proof for each reply after the first move of [`knl`]; the paths, and the first of the roots.
fn replies_of_knl(folder: &Path) -> (Vec<String>, String) {
    let proof = knl();
    let strategy = &proof.strategies()[0];
    let after = proof.root().play_unchecked(strategy.get(proof.root()).unwrap().mv);
    let mut first = None;
    let write = |(number, reply): (usize, _)| {
        let root = after.play_unchecked(reply);
        first.get_or_insert(to_sfen(&root));
        let step = strategy.get(&root).unwrap();
        let mut alone = Strategy::new(Colour::Sente, Repetition::Absent);
        // More plies than it needs.
        alone.insert(&root, step.mv, 5).unwrap();
        let proof = Proof::new(root, proof.claim(), vec![alone]).unwrap();
        let path = folder.join(number.to_string());
        fs::rename(self::write(folder, &proof), &path).unwrap();
        path.display().to_string()
    };
    let paths = after.legal_moves().into_iter().enumerate().map(write).collect();
    (paths, first.unwrap())
}

#[test]
fn proofs_of_all_replies_become_one_with_the_shortest_ways() {
    let folder = folder("proof-shorten");
    let (paths, first) = replies_of_knl(&folder);
    let out = folder.join("whole");
    let shorten = |more: &[&str], files: &[String]| {
        let line = format!("proof shorten --above 0 --json --out {}", out.display());
        Run::from(common::command(&line).args(more).args(files).output().unwrap())
    };
    let run = shorten(&["--sfen", ROOT], &paths);
    let mut answer = run.json();
    assert!(answer["seconds"].take().is_number());
    let expected = json!({
        "root": ROOT, "entries": 4, "plies_at_most": 3, "bytes": out.metadata().unwrap().len(),
        "passes": 2, "changed": 3, "seconds": null,
    });
    assert_eq!(answer, expected);
    assert_eq!(verify(&out).1["plies"], 3);

    let alone = shorten(&[], &paths).json();
    assert_eq!((&alone["root"], &alone["entries"]), (&json!(first), &json!(1)));

    fs::remove_file(&out).unwrap();
    let open = format!("do not show that {ROOT} is won");
    shorten(&["--sfen", ROOT], &paths[1..]).fails(1, &open);
    shorten(&["--sfen", "lnk/2p/P2/KNX b - 1"], &paths).fails(1, "'X'");
    assert!(!out.exists());
}

#[test]
fn a_search_finds_what_no_proof_holds() {
    let folder = folder("proof-shorten-search");
    let (paths, first) = replies_of_knl(&folder);
    let out = folder.join("whole");
    let shorten = |more: &str, files: &[String]| {
        let line = format!("proof shorten --passes 0 --json {more} --out {}", out.display());
        Run::from(common::command(&line).args(files).output().unwrap())
    };
    // The proof of one reply says five plies, and one is enough.
    let alone = shorten("--plies 1 --hash 1", &paths[..1]).json();
    assert_eq!((&alone["root"], &alone["plies_at_most"]), (&json!(first), &json!(1)));
    assert_eq!(alone["no_win_within"], json!(null));
    assert!(alone["rounds"].as_u64().unwrap() > 0 && alone["expansions"].is_u64(), "{alone}");
    assert_eq!(verify(&out).1["plies"], 1);
    // The whole takes three, which the search finds, and that fewer are not enough.
    let root = ["--sfen", ROOT];
    let line = format!("proof shorten --passes 0 --json --plies 1 --out {}", out.display());
    let run = Run::from(common::command(&line).args(root).args(&paths).output().unwrap());
    let whole = run.json();
    assert_eq!((&whole["plies_at_most"], &whole["no_win_within"]), (&json!(3), &json!(2)));
    // Without a limit of plies nothing is searched.
    shorten("--time 1s", &paths).fails(2, "--plies");
}

#[test]
fn only_wins_of_one_player_are_shortened() {
    let folder = folder("proof-shorten-unfit");
    let (paths, _) = replies_of_knl(&folder);
    let out = folder.join("whole");
    let root = parse_position::<KyotoShogi>("k4/5/1K3/5/5 b - 1").unwrap();
    let empty = |claim, prover, repetition| {
        let proof = Proof::new(root, claim, vec![Strategy::new(prover, repetition)]).unwrap();
        write(&folder, &proof)
    };
    let (win, absent) = (Claim::Win { prover: Colour::Sente }, Repetition::Absent);
    let shorten = |other: &Path| {
        shogi(&format!("proof shorten {} {} --out {}", paths[0], other.display(), out.display()))
    };
    shorten(&empty(win, Colour::Sente, absent)).fails(1, "another player or variant");
    let claim = Claim::NotLose { prover: Colour::Sente };
    shorten(&empty(claim, Colour::Sente, absent)).fails(1, "is not one of a win");
    shorten(&folder.join("missing")).fails(1, "missing");
    assert!(!out.exists());

    // An entry that proves nothing is read, but the proof is not written.
    let mut wrong = Strategy::new(Colour::Sente, absent);
    let root = *knl().root();
    wrong.insert(&root, parse_usi("1d1c").unwrap(), 9).unwrap();
    let path = write(&folder, &Proof::new(root, win, vec![wrong]).unwrap());
    let run = shogi(&format!("proof shorten {} --out {}", path.display(), out.display()));
    run.fails(1, "do not show");
    assert!(!out.exists());
}

#[test]
fn a_link_holds_a_proof_that_holds() {
    let folder = folder("proof-link");
    let file = |name: &str| folder.join(name);
    let link = |path: &std::path::Path, page: &str| {
        shogi(&format!("proof link {} {page}", path.display()))
    };
    shogi(&format!("solve shogi34 --start KBR --proof {}", file("kbr.proof").display()));
    let run = link(&file("kbr.proof"), "");
    let (page, proof) = run.stdout.trim_end().split_once("#proof=").unwrap();
    assert_eq!(page, "explorer/index.html?tab=proof");
    let sign = |sign: u8| sign.is_ascii_alphanumeric() || matches!(sign, b'-' | b'_');
    let bytes = fs::read(file("kbr.proof")).unwrap();
    assert_eq!((proof.len(), proof.bytes().all(sign)), ((4 * bytes.len()).div_ceil(3), true));
    let elsewhere = link(&file("kbr.proof"), "--page http://127.0.0.1:8000/ --json").json();
    assert_eq!(elsewhere["link"], format!("http://127.0.0.1:8000/?tab=proof#proof={proof}"));
    let damaged = [&bytes[..bytes.len() - 9], &[0; 9]].concat();
    fs::write(file("damaged"), damaged).unwrap();
    link(&file("damaged"), "").fails(1, "damaged");
}

#[test]
fn the_link_of_the_book_is_that_of_the_proof_in_the_repository() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let proof = root.join("verified/proofs/kbr.proof");
    let link = shogi(&format!("proof link {} --page ../explorer/index.html", proof.display()));
    let page = fs::read_to_string(root.join("docs/guide/try.md")).unwrap();
    assert!(page.contains(&format!("href=\"{}\"", link.stdout.trim_end())), "{}", link.stdout);
}
