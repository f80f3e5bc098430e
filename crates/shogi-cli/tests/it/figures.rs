//! Figures that documents state of deterministic runs: the small ones are made again.

use crate::common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{Run, command, folder, shogi, shogi_with};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The rows of the tables in a document, cell by cell.
fn rows(document: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(repository().join(document)).unwrap();
    let rows = text.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    rows.map(|row| row.split(" | ").map(|cell| cell.trim().to_owned()).collect()).collect()
}

/// A number with or without commas.
fn number(text: &str) -> Option<u64> {
    text.replace(',', "").parse().ok()
}

#[test]
fn solving_the_starts_of_3x4_shogi_takes_the_nodes_that_the_table_says() {
    let mut made = 0;
    for row in rows("docs/results/shogi34.md") {
        // Start, value, shortest known, then value and nodes by df-pn and by PDS, each with both leaves.
        let [start, value, _, ways @ ..] = &row[..] else { continue };
        let ways: Vec<_> = ways.chunks_exact(2).collect();
        if ways.len() != 4 {
            continue;
        }
        let options =
            ["dfpn --leaf unit", "dfpn --leaf mobility", "pds --leaf unit", "pds --leaf mobility"];
        for (options, way) in options.into_iter().zip(ways) {
            let (found, Some(nodes)) = (&way[0], number(&way[1])) else { continue };
            if nodes >= 50_000 {
                continue;
            }
            let run = format!("solve shogi34 --start {start} --algorithm {options} --json");
            let answer = shogi(&run).json();
            let plies = &answer["plies_at_most"];
            let now = format!("{}, {plies} plies", answer["value"].as_str().unwrap());
            assert_eq!((&now, answer["nodes"].as_u64()), (found, Some(nodes)), "{start} {options}");
            assert_eq!(answer["value"], value.as_str(), "{start}");
            made += 1;
        }
    }
    assert!(made > 30, "{made}");
}

/// Expands a skeleton to a proof, with these options; its plies at most, entries and bytes, and the expansions.
fn expanded(options: &str, skeleton: &Path, proof: &Path) -> [Option<u64>; 4] {
    let mut expand = command(&format!("proof expand --hash 64 --json {options}"));
    expand.current_dir(repository()).arg(skeleton).arg("--out").arg(proof);
    let answer = Run::from(expand.output().unwrap()).json();
    ["plies_at_most", "entries", "bytes", "expansions"].map(|key| answer[key].as_u64())
}

#[test]
fn the_smallest_proofs_of_kyoto_shogi_are_those_of_the_table() {
    let proof = folder("figures-kyoto").join("proof");
    let document = "docs/results/kyoto.md";
    let mut made = 0;
    for row in rows(document) {
        // Reply, answer, plies, entries, bytes of the proof and of the skeleton, expansions.
        let [reply, _, plies, entries, bytes, _, expansions] = &row[..] else { continue };
        let figures = [plies, entries, bytes, expansions].map(|cell| number(cell));
        let [Some(_), Some(_), Some(bytes), Some(expansions)] = figures else { continue };
        if expansions >= 16_000 || bytes < 1_000 {
            continue;
        }
        let skeleton = repository().join(format!("docs/results/kyoto/{reply}.skeleton"));
        assert_eq!(expanded("", &skeleton, &proof), figures, "{reply}");
        made += 1;
    }
    assert_eq!(made, 2, "3a4b and 4a5b-");
}

#[test]
fn the_smallest_proof_of_a_first_move_of_minishogi_is_that_of_the_table() {
    let proof = folder("figures-minishogi").join("proof");
    let table = rows("docs/results/minishogi_first_moves.md");
    // Skeleton, expansions, seconds, plies, entries, bytes.
    let row = table.iter().find(|row| row[0] == "2e5b" && row[2].ends_with(" s")).unwrap();
    let figures = [3, 4, 5, 1].map(|column| number(&row[column]));
    let skeleton = repository().join("docs/results/minishogi/2e5b.skeleton");
    let options = "--evaluation docs/results/minishogi/evaluation.net";
    assert_eq!(expanded(options, &skeleton, &proof), figures);

    let verified = Run::from(command("verify --json").arg(&proof).output().unwrap()).json();
    assert_eq!((&verified["claim"], &verified["provers"][0]), (&"win".into(), &"gote".into()));
    let picture =
        |position: &str| shogi_with("show minishogi --json", position).json()["picture"].clone();
    let root = verified["root"].as_str().unwrap();
    assert_eq!(picture(root), picture("startpos moves 2e5b"));
}
