//! The crates that each crate of the family makes its users compile, as cargo resolves them.

use std::collections::BTreeSet;
use std::process::Command;

/// The packages that a package of the workspace is built from, itself included.
fn packages(arguments: &str) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["tree", "--edges", "normal", "--prefix", "none", "--package"])
        .args(arguments.split(' '))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).unwrap();
    tree.lines().filter_map(|line| Some(line.split_once(' ')?.0.to_owned())).collect()
}

/// Asserts that a package is built from all of the first packages and from none of the others.
#[track_caller]
fn assert_built(arguments: &str, from: &[&str], not_from: &[&str]) {
    let packages = packages(arguments);
    let missing: Vec<_> = from.iter().filter(|&&name| !packages.contains(name)).collect();
    let unwanted: Vec<_> = not_from.iter().filter(|&&name| packages.contains(name)).collect();
    assert!(missing.is_empty() && unwanted.is_empty(), "without {missing:?}, with {unwanted:?}");
}

/// Asserts that a package is built from at most so many, itself included.
#[track_caller]
fn assert_at_most(number: usize, arguments: &str) {
    let packages = packages(arguments);
    assert!(packages.len() <= number, "{} packages: {packages:?}", packages.len());
}

const SEARCHES: [&str; 6] =
    ["shogi-eval", "shogi-learn", "shogi-search", "shogi-mate", "shogi-solve", "rand"];
const RANKING: [&str; 3] = ["shogi-rank", "shogi-reach", "num-bigint"];

#[test]
fn a_player_is_built_without_ranking_and_big_integers() {
    assert_built("shogi-search", &["shogi-rules", "shogi-mate"], &RANKING);
    assert_built("shogi-search", &["shogi-rules"], &["shogi-solve", "shogi-tablebase", "zstd"]);
}

#[test]
fn a_checker_of_proofs_is_built_without_any_search() {
    assert_built("shogi-proof", &["shogi-rules", "blake3"], &SEARCHES);
    assert_built("shogi-proof", &["shogi-rules"], &RANKING);
    assert_built("shogi-proof", &["shogi-rules"], &["serde", "encoding_rs", "rayon"]);
}

#[test]
fn a_solver_is_built_without_reachability_unless_it_is_asked_for() {
    let builder = "shogi-solve --no-default-features --features build";
    assert_built(builder, &["shogi-proof"], &RANKING);
    assert_built("shogi-solve --features reach", &RANKING, &["shogi-search"]);
}

#[test]
fn a_game_of_ones_own_is_solved_without_networks_files_and_threads() {
    let solver = "shogi-solve --no-default-features";
    assert_at_most(14, solver);
    let others = ["shogi-proof", "blake3", "rand_chacha", "rayon", "ruzstd", "serde", "wide"];
    assert_built(solver, &["shogi-rules"], &others);
    assert_built(solver, &["shogi-rules"], &SEARCHES[..3]);
}

#[test]
fn files_are_built_without_rules() {
    assert_built("shogi-files", &["shogi-variants-core"], &["shogi-rules", "blake3", "serde"]);
    assert_built("shogi-files --features sealed", &["blake3"], &["shogi-rules", "serde"]);
}

#[test]
fn mates_are_found_without_the_solver() {
    assert_built("shogi-mate", &["shogi-rules"], &["shogi-solve", "shogi-proof", "rand_chacha"]);
    assert_built("shogi-mate --features proof", &["shogi-proof"], &["shogi-solve", "shogi-eval"]);
}

#[test]
fn ranking_is_built_without_files() {
    assert_built("shogi-rank", &["num-bigint"], &["serde", "serde_json", "blake3"]);
    assert_built("shogi-rank", &["shogi-rules"], &["shogi-reach", "rand"]);
}

#[test]
fn reachability_is_built_without_any_search() {
    assert_built("shogi-reach", &["shogi-rank", "num-bigint"], &["shogi-solve", "shogi-search"]);
}

#[test]
fn a_tablebase_is_built_without_any_search() {
    assert_built("shogi-tablebase", &["shogi-rules", "zstd"], &SEARCHES);
    assert_built("shogi-tablebase", &["shogi-rules"], &RANKING);
}

#[test]
fn evaluations_are_built_without_what_their_training_needs() {
    let training = ["rand", "rand_chacha", "rayon"];
    assert_built("shogi-eval", &["serde", "blake3"], &training);
    assert_built("shogi-eval", &["shogi-rules"], &["shogi-learn", "shogi-solve"]);
    assert_built("shogi-eval --no-default-features", &["shogi-rules"], &["serde", "blake3"]);
    assert_built("shogi-learn", &["shogi-eval", "shogi-search", "shogi-solve", "rand"], &RANKING);
}

#[test]
fn player_and_solver_are_built_without_training() {
    let training = ["shogi-learn", "rand", "rayon"];
    assert_built("shogi-search", &["shogi-eval"], &training);
    assert_built("shogi-search --depth 1", &["shogi-eval"], &["serde", "serde_json"]);
    assert_built("shogi-solve --features build", &["shogi-eval"], &["shogi-learn", "rand"]);
    assert_built("shogi-variants --features search,solve", &["shogi-eval"], &["shogi-learn"]);
    assert_built("shogi-variants --features learn", &["shogi-learn"], &RANKING);
}

#[test]
fn a_player_is_built_without_proofs_and_chance_and_without_networks_if_wanted() {
    let others = ["rand", "rand_chacha", "rayon", "shogi-proof", "encoding_rs"];
    assert_built("shogi-search", &["ruzstd", "wide"], &others);
    assert_at_most(35, "shogi-search");
    let networks = ["ruzstd", "wide", "serde", "blake3"];
    assert_built("shogi-search --no-default-features", &["shogi-eval"], &networks);
    assert_at_most(15, "shogi-search --no-default-features");
    assert_built("shogi-search --features oracle", &["shogi-proof"], &RANKING);
}

#[test]
fn rules_and_core_are_built_from_little() {
    let optional = ["serde", "serde_json", "encoding_rs", "blake3", "arbitrary"];
    assert_built("shogi-rules", &["shogi-variants-core"], &optional);
    assert_at_most(11, "shogi-rules");
    assert_at_most(10, "shogi-variants-core");
    assert_built("shogi-variants-core", &["arrayvec", "bitflags"], &optional);
}

#[test]
fn the_facade_is_built_from_what_its_features_name() {
    assert_built("shogi-variants", &["shogi-rules", "encoding_rs"], &SEARCHES);
    assert_built("shogi-variants", &["shogi-rules"], &RANKING);
    assert_built("shogi-variants --features search", &["shogi-search"], &RANKING);
    assert_built("shogi-variants --features proof", &["shogi-proof"], &SEARCHES);
    assert_built("shogi-variants --features reach", &RANKING, &["shogi-solve"]);
}
