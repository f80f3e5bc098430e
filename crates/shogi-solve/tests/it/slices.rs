//! A solver that is run in small slices: the value is the same, and little more work is done.

use crate::graphs;
use crate::solve::exact_value;

use graphs::{GAME, graphs, start};
use shogi_solve::retrograde::Listing;
use shogi_solve::shogi_core::Colour;
use shogi_solve::toy::Graph;
use shogi_solve::{Algorithm, Budget, GameGraph, Options, RepetitionValue, Solver, Verdict};

/// Runs a solver with so many nodes at a time; the value and the nodes.
fn sliced<G: GameGraph>(
    game: &G,
    root: &G::Position,
    options: &Options,
    slice: u64,
) -> (Option<Verdict>, u64) {
    let mut solver = Solver::new(game, root.clone(), options.clone());
    while solver.value().is_none() && !solver.is_stuck() && solver.nodes() < 1_000_000 {
        let before = solver.nodes();
        solver.run(&mut Budget::nodes(slice));
        assert!(solver.nodes() > before || solver.value().is_some(), "a run that does nothing");
    }
    (solver.value(), solver.nodes())
}

#[test]
fn pds_in_slices_is_not_stuck_on_a_game_without_ends() {
    let game = Graph::parse("a(b(d(b b) d) c(d))").unwrap();
    let options = Options {
        algorithm: Algorithm::Pds,
        repetition: RepetitionValue::LosesFor(Colour::Sente),
        hash_bytes: 1 << 20,
        ..Options::default()
    };
    for slice in 1..20 {
        let (value, _) = sliced(&game, &game.start(), &options, slice);
        assert_eq!(value, Some(Verdict::Loss), "slices of {slice}");
    }
}

#[test]
fn slices_change_no_value_of_a_random_graph_and_cost_at_most_twice_the_nodes() {
    let repetitions = [RepetitionValue::Draw, RepetitionValue::LosesFor(Colour::Sente)];
    for (index, game) in graphs(20_000, 3, 60).enumerate() {
        let root = game.start();
        let listing = Listing::new(&game, &root, 1_000).unwrap();
        let repetition = repetitions[index % 2];
        let slice = [1, 4, 10, 30, 100][index / 2 % 5];
        for algorithm in [Algorithm::DfPn, Algorithm::Pds] {
            let options = Options {
                algorithm,
                repetition,
                hash_bytes: 1 << 15,
                small_game: 0,
                ..Options::default()
            };
            let (value, nodes) = sliced(&game, &root, &options, slice);
            assert_eq!(
                value,
                exact_value(&listing, repetition),
                "{index} {options:?} slices of {slice} {game:?}"
            );
            let (_, whole) = sliced(&game, &root, &options, u64::MAX);
            assert!(nodes <= 2 * whole + slice, "{index} {algorithm:?}: {nodes} for {whole}");
        }
    }
}

#[test]
fn a_win_of_3x4_shogi_is_found_in_slices_shorter_than_its_lines() {
    for (name, algorithm) in
        [("KGR", Algorithm::DfPn), ("KBN", Algorithm::DfPn), ("KBN", Algorithm::Pds)]
    {
        let root = start(name);
        let options =
            Options { algorithm, hash_bytes: 8 << 20, small_game: 0, ..Options::default() };
        let (value, whole) = sliced(GAME, &root, &options, u64::MAX);
        for slice in [7, 100, 1_000] {
            let (found, nodes) = sliced(GAME, &root, &options, slice);
            assert_eq!(found, value, "{name} in slices of {slice}");
            assert!(nodes <= 2 * whole, "{name} in slices of {slice}: {nodes} for {whole}");
        }
    }
}
