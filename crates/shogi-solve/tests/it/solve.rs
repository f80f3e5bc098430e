//! Three-valued solving against the exact values of small games.

use crate::graphs;

use graphs::graphs;
use shogi_solve::retrograde::Listing;
use shogi_solve::shogi_core::Colour;
use shogi_solve::toy::{Graph, Token};
use shogi_solve::{
    Algorithm, Budget, Ended, GameGraph, Ghi, Goal, Options, RepetitionValue, StartLeaf, Verdict,
    solve, solve_within,
};

/// The value for Sente, who moves first, from the exact sets of what can be forced; none where repetitions decide it.
pub fn exact_value(listing: &Listing<Graph>, repetition: RepetitionValue) -> Option<Verdict> {
    let can = |prover, draw_suffices| listing.forced(Goal { prover, draw_suffices })[0].is_some();
    let (wins, draws) = match repetition {
        RepetitionValue::Draw => (can(Colour::Sente, false), !can(Colour::Gote, false)),
        RepetitionValue::LosesFor(Colour::Sente) => {
            (can(Colour::Sente, false), can(Colour::Sente, true))
        }
        RepetitionValue::LosesFor(Colour::Gote) => {
            (!can(Colour::Gote, true), !can(Colour::Gote, false))
        }
        RepetitionValue::LosesForRepeater => {
            let (wins, loses) = (can(Colour::Sente, false), can(Colour::Gote, false));
            if !wins && !loses {
                return None;
            }
            (wins, wins)
        }
    };
    Some(match (wins, draws) {
        (true, _) => Verdict::Win,
        (false, true) => Verdict::Draw,
        (false, false) => Verdict::Loss,
    })
}

const REPETITIONS: [RepetitionValue; 4] = [
    RepetitionValue::Draw,
    RepetitionValue::LosesFor(Colour::Sente),
    RepetitionValue::LosesFor(Colour::Gote),
    RepetitionValue::LosesForRepeater,
];

fn check(game: &Graph, root: &Token, options: &Options) {
    let listing = Listing::new(game, root, 1_000).unwrap();
    // A search that never ends is a mistake too.
    let answer = solve_within(game, root, options, &mut Budget::nodes(2_000_000));
    let expected = exact_value(&listing, options.repetition);
    assert_eq!(answer.value, expected, "{options:?} {game:?}");
    let ended = if expected.is_some() { Ended::Solved } else { Ended::Repetition };
    assert_eq!(answer.ended, ended, "{options:?} {game:?}");
    for certificate in &answer.certificates {
        certificate.check(game, root).unwrap();
    }
    let winner = match expected {
        Some(Verdict::Win) => Colour::Sente,
        Some(Verdict::Loss) => Colour::Gote,
        Some(Verdict::Draw) | None => return assert_eq!(answer.plies, None),
    };
    if let Some(plies) = answer.plies {
        let shortest = listing.forced(Goal::win(winner))[0];
        assert!(shortest.is_some_and(|shortest| shortest <= plies), "{options:?} {game:?}");
    }
}

fn check_all(count: u64, algorithm: Algorithm, ghi: Ghi, hash_bytes: usize) {
    for game in graphs(count, 3, 37) {
        for repetition in REPETITIONS {
            let options = Options {
                algorithm,
                repetition,
                ghi,
                hash_bytes,
                small_game: 0,
                ..Options::default()
            };
            check(&game, &game.start(), &options);
        }
    }
}

#[test]
fn df_pn_with_closures_solves_every_graph() {
    check_all(50_000, Algorithm::DfPn, Ghi::Provisional, 1 << 15);
}

#[test]
#[ignore = "long, see docs/contributing.md"]
fn df_pn_with_closures_solves_every_graph_at_length() {
    check_all(200_000, Algorithm::DfPn, Ghi::Provisional, 1 << 15);
}

#[test]
fn df_pn_by_path_solves_every_graph() {
    check_all(20_000, Algorithm::DfPn, Ghi::ByPath, 1 << 15);
}

#[test]
fn df_pn_with_simulation_solves_every_graph() {
    check_all(20_000, Algorithm::DfPn, Ghi::Simulation, 1 << 15);
}

/// The tables have 128 slots, the games up to 600 positions.
#[test]
fn a_table_that_is_far_too_small_never_makes_a_value_wrong() {
    let mut solved = 0;
    for seed in 0..300 {
        let game = Graph::random(seed, 300, 3, 20);
        let root = game.start();
        let listing = Listing::new(&game, &root, 1_000).unwrap();
        for repetition in REPETITIONS {
            let options =
                Options { repetition, hash_bytes: 1, small_game: 0, ..Options::default() };
            let answer = solve_within(&game, &root, &options, &mut Budget::nodes(300_000));
            if let Some(found) = answer.value {
                solved += 1;
                assert_eq!(Some(found), exact_value(&listing, repetition), "{seed} {repetition:?}");
            }
            for certificate in &answer.certificates {
                certificate.check(&game, &root).unwrap();
            }
        }
    }
    assert!(solved > 600, "{solved}");
}

#[test]
fn a_spent_budget_leaves_the_known_bounds() {
    let game = Graph::random(5, 3_000, 3, 10);
    let answer = solve_within(&game, &game.start(), &Options::default(), &mut Budget::nodes(50));
    assert_eq!(answer.value, None);
    assert!(answer.nodes < 200 && !answer.open.is_empty(), "{answer:?}");
    assert_eq!(answer.ended, Ended::Nodes);
    assert!(answer.expansions > 0 && answer.expansions < answer.nodes, "{answer:?}");
    let stop = std::sync::atomic::AtomicBool::new(true);
    let mut budget = Budget::unlimited().stopped_by(&stop);
    let answer = solve_within(&game, &game.start(), &Options::default(), &mut budget);
    assert_eq!(answer.ended, Ended::Stopped);
}

#[test]
fn another_leaf_changes_the_nodes_and_no_value() {
    let (mut solved, mut other_nodes) = (0, 0);
    for seed in 0..200 {
        let game = Graph::random(seed, 40, 3, 30);
        for algorithm in [Algorithm::DfPn, Algorithm::Pds] {
            let [unit, mobility] = StartLeaf::ALL.map(|leaf| {
                let options = Options { algorithm, leaf, small_game: 0, ..Options::default() };
                solve(&game, &game.start(), &options)
            });
            assert_eq!(unit.value, mobility.value, "{seed} {algorithm:?}");
            solved += u32::from(unit.value.is_some());
            other_nodes += u32::from(unit.nodes != mobility.nodes);
        }
    }
    assert!(solved > 300 && other_nodes > 100, "{solved} {other_nodes}");
}

#[test]
fn a_game_that_is_over_is_solved() {
    for (text, expected) in [("W", Verdict::Win), ("L", Verdict::Loss), ("D", Verdict::Draw)] {
        let game = Graph::parse(text).unwrap();
        let answer = solve(&game, &game.start(), &Options::default());
        assert_eq!(answer.value, Some(expected));
    }
    let game = Graph::parse("(L)").unwrap();
    let root = game.play(&game.start(), 1);
    assert_eq!(solve(&game, &root, &Options::default()).value, Some(Verdict::Win));
}
