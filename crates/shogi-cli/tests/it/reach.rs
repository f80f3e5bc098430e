//! classify and verify: answers, certificates, and what is refuted.

use crate::common;

use std::fs;
use std::path::Path;

use common::{Run, START, folder, shogi, shogi_with};
use serde_json::{Value, json};

/// A position of each stage.
const FLIP: &str = "kgsbr/p4/5/4P/RBSGK b - 1";
const PAWN: &str = "k4/5/1P3/1P3/K4 b 2G2S2B2R 1";
const KING: &str = "k4/R4/5/5/K4 b R2B2S2G2P 1";
const UNREACHABLE: &str = "K+p+ps1/s3+r/4+b/3r+b/2g1k b G 1";

fn verify(folder: &Path, content: &str) -> (Run, Value) {
    let file = folder.join("claims.json");
    fs::write(&file, content).unwrap();
    let run = shogi(&format!("verify {} --json", file.display()));
    let answer = serde_json::from_str(&run.stdout).unwrap();
    (run, answer)
}

#[test]
fn classify_tells_the_stage_and_the_plies() {
    let input = [START, FLIP, PAWN, KING, UNREACHABLE].join("\n");
    let run = shogi_with("classify minishogi", &input);
    assert_eq!(run.code, Some(0));
    assert_eq!(
        run.lines(),
        [
            json!({ "in": START, "reachable": true, "stage": "ok" }),
            json!({ "in": FLIP, "reachable": true, "stage": "flip" }),
            json!({ "in": PAWN, "reachable": false, "stage": "pawn" }),
            json!({ "in": KING, "reachable": false, "stage": "king" }),
            json!({ "in": UNREACHABLE, "reachable": false, "stage": "unreachable", "plies": 2 }),
        ]
    );
    for threads in [1, 3] {
        let again = shogi_with(&format!("classify minishogi --threads {threads}"), &input);
        assert_eq!(again.stdout, run.stdout);
    }
}

#[test]
fn what_is_not_decided_within_the_limit_is_null() {
    let run = shogi_with("classify minishogi --nodes 1", UNREACHABLE);
    let answer = run.json();
    assert_eq!((&answer["reachable"], &answer["stage"]), (&Value::Null, &json!("unknown")));
    assert!(answer.get("plies").is_none());
}

#[test]
fn what_is_no_arrangement_of_the_set_is_an_error() {
    let run = shogi_with(
        "classify minishogi",
        "5/5/5/5/K4 b - 1\n4k/5/5/5/K4 b - 1\n4k/RRR2/5/5/K4 b - 1\n",
    );
    assert_eq!(run.code, Some(1));
    for (answer, error) in run.lines().iter().zip(["Gote has no king", "all pieces", "more pieces"])
    {
        assert!(answer["error"].as_str().unwrap().contains(error), "{answer}");
    }
}

#[test]
fn certificates_verify_and_a_game_starts_at_the_start() {
    let folder = folder("certificates");
    let sample: Vec<String> =
        (0..300u64).map(|i| (i * 53_380_731_684_129_497).to_string()).collect();
    let unranked = shogi_with("unrank minishogi", sample.join("\n"));
    let sfens: Vec<_> =
        unranked.lines().iter().map(|a| a["sfen"].as_str().unwrap().to_owned()).collect();
    let run = shogi_with("classify minishogi --certificate", sfens.join("\n"));
    assert_eq!(run.code, Some(0));
    let (mut games, mut closed) = (0, 0);
    for answer in run.lines() {
        let certificate = &answer["certificate"];
        match answer["stage"].as_str().unwrap() {
            "ok" => {
                games += 1;
                assert_eq!(certificate["certificate"], "game");
                assert!(certificate["moves"].is_array());
            }
            "unreachable" => {
                closed += 1;
                assert_eq!(certificate["certificate"], "closed");
                assert_eq!(certificate["plies"], answer["plies"]);
            }
            "pawn" | "king" => assert!(certificate.is_null()),
            _ => {}
        }
    }
    assert!(games > 10 && closed > 3);
    let (verified, answer) = verify(&folder, &run.stdout);
    assert_eq!(verified.code, Some(0), "{answer}");
    assert_eq!(answer["ok"], true);
    assert!(answer["certificates"].as_u64().unwrap() >= games + closed);

    // The answer to a line that stands for no position claims nothing.
    let run = shogi_with("classify minishogi --certificate", format!("\n{START}"));
    assert_eq!(run.code, Some(1));
    let (verified, answer) = verify(&folder, &run.stdout);
    assert_eq!((verified.code, &answer["certificates"]), (Some(0), &json!(1)), "{answer}");

    // A bare certificate, also printed over many lines, is as good.
    let bare = &shogi_with("classify minishogi --certificate", START).json()["certificate"];
    let (_, answer) = verify(&folder, &serde_json::to_string_pretty(bare).unwrap());
    assert_eq!(
        answer,
        json!({ "ok": true, "certificates": 1, "shards": 0, "evaluations": 0, "stages": 0, "unproved": 0 })
    );
}

#[test]
fn false_certificates_are_refuted_with_the_position() {
    let folder = folder("refuted");
    let game = "3rk/K4/5/5/5 w R2B2S2G2P 1";
    let mut answer = shogi_with("classify minishogi --certificate", game).json();
    let honest = answer.clone();
    assert_eq!(honest["certificate"]["certificate"], "game");

    answer["certificate"]["moves"].as_array_mut().unwrap().swap(0, 2);
    let (run, refuted) = verify(&folder, &format!("{honest}\n{answer}\n"));
    assert_eq!(run.code, Some(1));
    assert_eq!((&refuted["ok"], &refuted["item"]), (&json!(false), &json!(2)));
    assert_eq!(refuted["certificates"], 1);
    assert!(refuted["reason"].as_str().unwrap().contains("move"), "{refuted}");
    assert!(refuted["position"].as_str().unwrap().contains('/'), "{refuted}");

    let mut unreachable = shogi_with("classify minishogi --certificate", UNREACHABLE).json();
    unreachable["certificate"]["predecessors"][1].as_array_mut().unwrap().pop();
    let (run, refuted) = verify(&folder, &unreachable.to_string());
    assert_eq!(run.code, Some(1));
    assert!(refuted["position"].as_str().unwrap().contains('/'), "{refuted}");

    let forge = |key: &str, value: Value| {
        let mut forged = honest.clone();
        forged[key] = value;
        verify(&folder, &forged.to_string()).1["reason"].as_str().unwrap().to_owned()
    };
    for stage in ["unreachable", "king", "pawn", "unknown", "foo"] {
        assert!(forge("stage", json!(stage)).contains("something else"));
    }
    for reachable in [json!(false), json!(null)] {
        assert!(forge("reachable", reachable).contains("something else"));
    }
    assert!(forge("in", json!(START)).contains("another position"));
    assert!(forge("certificate", json!(null)).contains("no certificate"));
    assert!(forge("certificate", json!({ "certificate": "faith" })).contains("not a certificate"));
}

#[test]
fn stages_that_follow_from_the_position_are_computed_again() {
    let folder = folder("stages");
    let input = [FLIP, PAWN, KING].join("\n");
    let run = shogi_with("classify minishogi --certificate", &input);
    let (_, answer) = verify(&folder, &run.stdout);
    assert_eq!((&answer["ok"], &answer["certificates"]), (&json!(true), &json!(1)), "{answer}");
    assert_eq!((&answer["stages"], &answer["unproved"]), (&json!(2), &json!(0)));

    let refuted = |position: &str, stage: &str, reachable: Value| {
        let claim =
            json!({ "in": position, "reachable": reachable, "stage": stage, "certificate": null });
        let (run, answer) = verify(&folder, &claim.to_string());
        assert_eq!((run.code, &answer["ok"]), (Some(1), &json!(false)), "{claim}");
        assert_eq!(answer["position"], position);
        answer["reason"].as_str().unwrap().to_owned()
    };
    for (stage, reachable) in
        [("king", json!(false)), ("pawn", json!(false)), ("flip", json!(null))]
    {
        for position in [START, "5/5/2k2/5/K4 b RBGSPrbgsp 1"] {
            assert!(refuted(position, stage, reachable.clone()).contains("passes the stages"));
        }
    }
    assert!(refuted(KING, "pawn", json!(false)).contains("is king"));
    assert!(refuted(PAWN, "king", json!(false)).contains("is pawn"));
    assert!(refuted(PAWN, "pawn", json!(true)).contains("contradicts"));
    assert!(refuted(FLIP, "flip", json!(false)).contains("no certificate"));
    assert!(refuted(START, "unknown", json!(true)).contains("contradicts"));
    assert!(refuted("4k/5/5/5/K4 b - 1", "king", json!(false)).contains("no game"));

    // Whether a position is the smaller of two images is checked with the certificate, too.
    let mut answer = shogi_with("classify minishogi --certificate", START).json();
    answer["stage"] = json!("flip");
    let (run, refuted) = verify(&folder, &answer.to_string());
    assert_eq!((run.code, &refuted["position"]), (Some(1), &json!(START)), "{refuted}");

    // Without its number a start is one of many games, of which one has this answer.
    let run = shogi_with("classify kyotoshogi --certificate --nodes 1", "startpos");
    assert_eq!(run.json()["stage"], "flip");
    let (_, answer) = verify(&folder, &run.stdout);
    assert_eq!(answer["ok"], true, "{answer}");
}

#[test]
fn files_that_claim_nothing_are_refuted() {
    let folder = folder("nothing");
    for (content, reason) in [
        ("", "empty"),
        ("{", "not JSON"),
        ("[1, 2]", "no known kind"),
        ("7", "no known kind"),
        ("{\"tally\": 3}", "no shard"),
        ("{\"format\": \"proof skeleton\", \"version\": 1}", "shogi proof expand"),
    ] {
        let (run, answer) = verify(&folder, content);
        assert_eq!((run.code, &answer["ok"]), (Some(1), &json!(false)));
        assert!(answer["reason"].as_str().unwrap().contains(reason), "{answer}");
    }
    fs::write(folder.join("claims.json"), b"\xff\xfe").unwrap();
    let run = shogi(&format!("verify {}", folder.join("claims.json").display()));
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.starts_with("refuted"), "{}", run.stdout);
    let absent = format!("verify {}/none.json", folder.display());
    shogi(&absent).fails(1, "cannot read");
    let absent = shogi(&format!("{absent} --json"));
    assert_eq!((absent.code, &absent.lines()[0]["ok"]), (Some(1), &json!(false)));
    let (_, answer) = verify(&folder, &json!({ "in": START, "stage": "foo" }).to_string());
    assert_eq!((&answer["ok"], &answer["position"]), (&json!(false), &json!(START)));
    let other = json!({ "certificate": "game", "version": 2, "variant": "minishogi", "sfen": START, "moves": [] });
    assert_eq!(verify(&folder, &other.to_string()).1["position"], START);
    shogi("verify").fails(2, "FILE");
}

#[test]
fn a_file_of_no_known_kind_is_refused_in_one_line_and_little_memory() {
    let folder = folder("unknown");
    let path = folder.join("junk");
    let refused = |begin: &[u8], reason: &str| {
        let mut junk = begin.to_vec();
        junk.resize(60 << 20, b'a');
        fs::write(&path, junk).unwrap();
        let shogi = env!("CARGO_BIN_EXE_shogi");
        // Address space in KiB, as the file alone needs nearly.
        let limited = format!("ulimit -v 65536; exec {shogi} verify {}", path.display());
        let run = std::process::Command::new("sh").args(["-c", &limited]).output().unwrap();
        let answer = String::from_utf8(run.stdout).unwrap();
        assert_eq!(run.status.code(), Some(1), "{answer}");
        assert!(answer.lines().count() == 1 && answer.contains(reason), "{answer}");
    };
    if cfg!(target_os = "linux") {
        refused(b"\0\0", "no file of a known kind");
        refused(b"once upon a time", "no file of a known kind");
        refused(b"\x89PNG\r\n", "no file of a known kind");
        refused(b"{\"", "an object is too large");
    }
    fs::remove_file(path).unwrap();
}

#[test]
fn certificates_of_shogi_and_kyoto_shogi_hold() {
    // The start position of Kyoto shogi is the larger of its two mirror images.
    for (variant, stage_of_start, longer_than, positions) in [
        (
            "shogi",
            "ok",
            100,
            [
                "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
                "1gSK2+l2/2+p2+Pg+B+N/1+n2k1Sg1/2+l1+p3+p/1P2+b1l+n+p/1n1R1LPg1/1+R+pP3p1/2p+p+Sp1+P1/S1+P2P3 b Pp 1",
            ],
        ),
        ("kyotoshogi", "flip", 20, ["pgkst/5/5/5/TSKGP b - 1", "5/KLP2/B4/P2k1/1G1lN b s 1"]),
    ] {
        let folder = folder(&format!("certificates-{variant}"));
        let run = shogi_with(&format!("classify {variant} --certificate"), positions.join("\n"));
        let answers = run.lines();
        assert_eq!(answers[0]["stage"], stage_of_start);
        assert_eq!(answers[1]["stage"], "ok");
        let moves = answers[1]["certificate"]["moves"].as_array().unwrap().len();
        assert!(moves > longer_than, "{moves}");
        let (run, answer) = verify(&folder, &run.stdout);
        assert_eq!((run.code, &answer["certificates"]), (Some(0), &json!(2)));
    }
}

#[test]
fn kept_certificates_of_shogi_hold() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = path.join("../shogi-reach/tests/it/data/shogi-certificates.jsonl");
    let answer = shogi(&format!("verify {} --json", path.display())).json();
    assert_eq!(
        answer,
        json!({ "ok": true, "certificates": 5, "shards": 0, "evaluations": 0, "stages": 0, "unproved": 0 })
    );
}
