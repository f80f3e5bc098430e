//! Differences between the variants: rules, dialects, starts by name, and tasks.

use crate::common;

use std::fs;
use std::path::Path;

use common::{shogi, shogi_with};
use serde_json::json;

#[test]
fn perft_knows_every_variant() {
    for (start, nodes) in [
        ("minishogi 4", 35_401),
        ("kyotoshogi 5", 225_903),
        ("dobutsu 6", 71_677),
        ("shogi 4", 719_731),
        ("shogi34 6", 48_870),
        ("shogi34 6 --start RKB", 48_870),
        ("shogi34 6 --start GKS", 25_273),
    ] {
        assert_eq!(shogi(&format!("perft {start} --json")).json()["nodes"], nodes, "{start}");
    }
}

#[test]
fn starts_by_name_are_for_the_variant_that_has_them() {
    shogi("perft shogi34 2 --start GGG").fails(2, "names no start");
    shogi("perft shogi 2 --start RKB").fails(2, "no start by name");
    shogi("perft shogi34 2 --start RKB --sfen x").fails(2, "cannot be used with");
}

#[test]
fn both_dialects_are_read_and_the_wanted_one_is_written() {
    let (lishogi, fairy) = ("pgkst/5/5/5/TSKGP b - 1", "p+nks+l/5/5/5/+LSK+NP b - 1");
    let moves = |arguments: &str, sfen: &str| {
        let answer = shogi_with(&format!("moves kyotoshogi {arguments}"), sfen).json();
        assert_eq!(answer["in"], sfen);
        answer["moves"].clone()
    };
    let written = moves("", lishogi);
    assert_eq!(written.as_array().unwrap().len(), 12);
    assert!(written.as_array().unwrap().contains(&json!("2e2d+")));
    assert_eq!(moves("", fairy), written);
    assert_eq!(moves("--dialect lishogi", fairy), written);
    let written = moves("--dialect fairy", lishogi);
    assert!(written.as_array().unwrap().contains(&json!("2e2d-")));
    assert_eq!(moves("--dialect fairy", fairy), written);

    let rank = |sfen| shogi_with("rank kyotoshogi", sfen).json()["rank"].clone();
    assert_eq!(rank(lishogi), rank(fairy));
    let rank = rank(lishogi);
    let unrank = |arguments: &str| {
        let number = rank.as_str().unwrap();
        shogi_with(&format!("unrank kyotoshogi {arguments}"), number).json()["sfen"].clone()
    };
    assert_eq!(unrank(""), lishogi);
    assert_eq!(unrank("--dialect fairy"), fairy);
    let picture = shogi_with("show kyotoshogi --dialect fairy", lishogi).stdout;
    assert!(picture.contains("|+L | S | K |+N | P | e"), "{picture}");
    // Kanji name the faces in either dialect.
    for dialect in ["lishogi", "fairy"] {
        let picture = shogi_with(&format!("show kyotoshogi --kanji --dialect {dialect}"), fairy);
        assert!(picture.stdout.contains("| と 銀 玉 金 歩|五"), "{}", picture.stdout);
    }
}

#[test]
fn games_without_check_end_by_the_lion() {
    let run = shogi_with(
        "moves dobutsu",
        "L1l/3/3/3 b - 1\nl2/3/3/L2 w - 1\n2l/L2/3/3 b - 1\nl1L/3/3/2L b - 1\n",
    );
    let lines = run.lines();
    assert_eq!((&lines[0]["end"], &lines[0]["moves"]), (&json!("win"), &json!([])));
    assert_eq!(lines[1]["end"], json!(null));
    assert!(lines[2]["moves"].as_array().unwrap().contains(&json!("3b3a")));
    assert!(lines[3]["error"].as_str().unwrap().contains("more than one king"));
}

#[test]
fn count_gives_the_totals_known_from_the_literature() {
    let kyoto = shogi("count kyotoshogi --json").json();
    // Table 1 of "Kyoto Shogi Is Weakly Solved".
    let table_1 = [
        "48585426075648000",
        "12146356518912000",
        "1339671674880000",
        "84349698048000",
        "3313271808000",
        "83239833600",
        "1311552000",
        "11923200",
        "48600",
    ];
    assert_eq!(kyoto["by_hand"], serde_json::json!(table_1));
    assert_eq!(kyoto["total"], "62159201802653400");
    assert_eq!(shogi("count dobutsu --json").json()["total"], "1567925964");
}

#[test]
fn a_long_hand_is_counted_in_kanji() {
    let sfen = "4k4/9/9/9/9/9/9/9/4K4 b R12P2b 1";
    let picture = shogi_with("show shogi --kanji", sfen).stdout;
    assert!(picture.contains("先手の持駒：飛歩十二"), "{picture}");
    assert!(picture.contains("後手の持駒：角二"), "{picture}");
}

#[test]
fn what_is_not_there_yet_says_so() {
    for verb in ["classify dobutsu", "classify shogi34"] {
        shogi(verb).fails(2, "not available for");
    }
    let run = shogi_with("rank dobutsu --order ishii-tanaka", "gle/1c1/1C1/ELG b - 1");
    assert_eq!(run.code, Some(1));
    assert!(run.lines()[0]["error"].as_str().unwrap().contains("ishii-tanaka order needs"));
}

/// Generic code in the program would be compiled anew for each rule set; what a verb does on a variant is
/// a task of the facade.
#[test]
fn the_program_has_no_type_parameter_over_rule_sets() {
    fn search(folder: &Path, files: &mut usize) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                search(&path, files);
                continue;
            }
            if path.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            *files += 1;
            for (number, line) in (1..).zip(fs::read_to_string(&path).unwrap().lines()) {
                let is_generic =
                    ["<R>", "<R:", "<R,", "Rules>", "RuleSet", "RuleTable", "Recorded"]
                        .into_iter()
                        .any(|word| line.contains(word));
                assert!(!is_generic, "{}:{number}: {line}", path.display());
            }
        }
    }
    let mut files = 0;
    search(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    assert!(files > 20, "{files} files");
}
