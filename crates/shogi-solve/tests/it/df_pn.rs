//! Df-pn against the exact values of small games.

use crate::graphs;

use graphs::{goals, graphs};
use shogi_solve::df_pn::{Combine, DfPn, Options, Tuning};
use shogi_solve::retrograde::Listing;
use shogi_solve::toy::Graph;
use shogi_solve::{Budget, Finding, Ghi, Goal, Mobility, Search, Unit};

fn find(game: &Graph, goal: Goal, ghi: Ghi, tuning: Tuning) -> Finding {
    let options = Options { ghi, tuning, hash_bytes: 1 << 16, ..Options::default() };
    let mut search = DfPn::new(game, goal, Unit, options);
    search.search(&game.start(), &mut Budget::nodes(1_000_000))
}

#[test]
fn sound_methods_find_the_exact_value_of_every_graph() {
    for (index, game) in graphs(60_000, 3, 23).enumerate() {
        let listing = Listing::new(&game, &game.start(), 1_000).unwrap();
        for goal in goals() {
            let forced = listing.forced(goal)[0];
            for ghi in [Ghi::ByPath, Ghi::Simulation] {
                match find(&game, goal, ghi, Tuning::default()) {
                    Finding::Proved { plies } => {
                        assert!(forced.is_some_and(|least| least <= plies), "{index} {game:?}")
                    }
                    Finding::Disproved => {
                        assert_eq!(forced, None, "{index} {ghi:?} {goal:?} {game:?}")
                    }
                    found @ Finding::Unknown { .. } => {
                        panic!("{index} {ghi:?} {goal:?} {game:?}: {found:?}")
                    }
                }
            }
        }
    }
}

#[test]
fn provisional_disproofs_alone_are_sometimes_wrong() {
    let mut wrong = 0;
    for (index, game) in graphs(60_000, 3, 23).enumerate() {
        let listing = Listing::new(&game, &game.start(), 1_000).unwrap();
        for goal in goals() {
            let forced = listing.forced(goal)[0];
            match find(&game, goal, Ghi::Provisional, Tuning::default()) {
                Finding::Proved { .. } => assert!(forced.is_some()),
                Finding::Disproved => wrong += u32::from(forced.is_some()),
                found @ Finding::Unknown { .. } => panic!("{index} {game:?}: {found:?}"),
            }
        }
    }
    assert!(wrong > 0, "nothing here needs a closure");
}

#[test]
fn no_tuning_changes_a_value() {
    let combines =
        [Combine::Sum, Combine::Weak { sixteenths: 0 }, Combine::Weak { sixteenths: 16 }];
    for game in graphs(3_000, 3, 23) {
        let listing = Listing::new(&game, &game.start(), 1_000).unwrap();
        for goal in goals() {
            let forced = listing.forced(goal)[0].is_some();
            for proof in combines {
                for disproof in combines {
                    for epsilon in [0, 4, 16] {
                        let tuning = Tuning { proof, disproof, epsilon };
                        let found = find(&game, goal, Ghi::Simulation, tuning);
                        assert_eq!(matches!(found, Finding::Proved { .. }), forced);
                        assert!(!matches!(found, Finding::Unknown { .. }));
                    }
                }
            }
            for root_epsilon in [None, Some(0), Some(4)] {
                let (ghi, hash_bytes) = (Ghi::Simulation, 1 << 16);
                let options = Options { ghi, root_epsilon, hash_bytes, ..Options::default() };
                let mut search = DfPn::new(&game, goal, Mobility, options);
                let found = search.search(&game.start(), &mut Budget::nodes(1_000_000));
                assert_eq!(matches!(found, Finding::Proved { .. }), forced);
                assert!(!matches!(found, Finding::Unknown { .. }));
            }
        }
    }
}
