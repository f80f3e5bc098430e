//! `selftest`: published figures beside those of this program.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::{command, folder, shogi};

/// The figures, all of which agree.
fn agreeing(answer: &Value) -> Vec<String> {
    assert_eq!(answer["ok"], true, "{answer}");
    let figures = answer["figures"].as_array().unwrap();
    for figure in figures {
        assert_eq!(figure["agrees"], true, "{figure}");
        for text in ["what", "source", "published", "here"] {
            assert!(!figure[text].as_str().unwrap().is_empty(), "{figure}");
        }
    }
    figures.iter().map(|figure| figure["what"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_quick_figures_agree_with_the_published_ones() {
    let quick = agreeing(&shogi("selftest --quick --json").json());
    for part in [
        "perft",
        "candidates",
        "placements",
        "samples",
        "by a game",
        "mate",
        "proof",
        "PDS",
        "material",
    ] {
        assert!(quick.iter().any(|what| what.contains(part)), "{part}: {quick:?}");
    }
    assert!(!quick.iter().any(|what| what.contains("tablebase")));
}

#[test]
#[ignore = "long, builds a tablebase"]
fn all_figures_agree_with_the_published_ones() {
    let all = agreeing(&shogi("selftest --json").json());
    assert!(all.iter().any(|what| what.contains("tablebase")), "{all:?}");
}

#[test]
fn the_proof_is_what_the_committed_skeleton_expands_to() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let written = folder("selftest").join("proof");
    let mut expand = command("proof expand --hash 64");
    expand.arg(root.join("../../docs/results/kyoto/3a4b.skeleton")).arg("--out").arg(&written);
    assert!(expand.output().unwrap().status.success());
    let kept = root.join("src/verbs/selftest/kyoto-3a4b.proof");
    assert!(fs::read(written).unwrap() == fs::read(kept).unwrap());
}
