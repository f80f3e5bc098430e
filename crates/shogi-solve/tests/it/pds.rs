//! PDS and the closure of its draws against the exact values of small games.

use crate::graphs;

use graphs::{GAME, goals, graphs, start};
use shogi_rules::{Rules as _, Shogi34, parse_position, parse_sfen};
use shogi_solve::hikiwake::{hikiwake_pds, hikiwake_pds_search};
use shogi_solve::pds::Pds;
use shogi_solve::retrograde::Listing;
use shogi_solve::shogi_core::{Colour, Position};
use shogi_solve::toy::{Graph, Token};
use shogi_solve::{
    Budget, Finding, GameGraph, Goal, Knowledge, Leaf, Mobility, Prevention, RulesGame, Search,
    Unit, Verdict, prevent, reach_plan,
};

/// Bytes of a table that holds all of the games above.
const ROOMY: usize = 1 << 14;
/// Nodes that are more than enough for them.
const PLENTY: u64 = 1 << 22;

/// Compares a finding with the fewest plies in which the goal can be forced, if it can.
fn check(found: Finding, forced: Option<u32>, what: impl Fn() -> String) {
    match found {
        Finding::Proved { plies } => {
            assert!(forced.is_some_and(|least| least <= plies), "proved {}", what());
        }
        Finding::Disproved => assert_eq!(forced, None, "disproved {}", what()),
        Finding::Unknown { .. } => {}
    }
}

/// Compares what a search knows of all positions of a listing with the fewest plies in which the goal can be forced.
fn check_knowledge<G: GameGraph, L: Leaf<G>>(
    search: &Pds<'_, G, L>,
    listing: &Listing<G>,
    forced: &[Option<u32>],
) {
    for (position, &forced) in listing.positions.iter().zip(forced) {
        match search.knowledge(position) {
            Knowledge::Proved { plies } => assert!(forced.is_some_and(|least| least <= plies)),
            Knowledge::Disproved => assert_eq!(forced, None, "{position:?}"),
            Knowledge::DisprovedOnce | Knowledge::Unknown => {}
        }
    }
}

/// The certain value of a position, from a table with plenty of room.
fn find(game: &Graph, root: &Token, goal: Goal) -> Finding {
    let mut search = Pds::new(game, goal, Unit, ROOMY);
    let (found, closure) = hikiwake_pds_search(&mut search, root, &mut Budget::nodes(PLENTY));
    assert!(!matches!(found, Finding::Unknown { .. }), "{goal:?} {closure:?} {game:?}");
    found
}

#[test]
fn hand_written_graphs_have_their_values() {
    for (text, value) in [
        ("W", Verdict::Win),
        ("(WL(DW))", Verdict::Win),
        ("(L(DW))", Verdict::Draw),
        ("(L(DL))", Verdict::Loss),
        ("a(L(W a))", Verdict::Draw),
        ("a(a)", Verdict::Draw),
        ("a(L b(a W))", Verdict::Draw),
        ("a(L b(c(b L) W))", Verdict::Draw),
    ] {
        let game = Graph::parse(text).unwrap();
        let decision = hikiwake_pds(&game, &game.start(), Unit, ROOMY, &mut Budget::unlimited());
        assert_eq!(decision.value, Some(value), "{text}: {decision:?}");
    }
}

/// Searches so many graphs for every goal.
fn certain_findings_are_right(count: u64) {
    for (index, game) in graphs(count, 4, 37).enumerate() {
        let root = game.start();
        let listing = Listing::new(&game, &root, 1_000).unwrap();
        for goal in goals() {
            let forced = listing.forced(goal)[0];
            check(find(&game, &root, goal), forced, || format!("{index} {goal:?} {game:?}"));
        }
    }
}

#[test]
fn certain_findings_are_right_for_every_goal() {
    certain_findings_are_right(50_000);
}

#[test]
#[ignore = "long, see docs/contributing.md"]
fn certain_findings_are_right_for_every_goal_at_length() {
    certain_findings_are_right(200_000);
}

#[test]
fn values_are_right_from_every_position() {
    for (index, game) in graphs(6_000, 4, 37).enumerate() {
        let listing = Listing::new(&game, &game.start(), 1_000).unwrap();
        for (root, value) in listing.positions.iter().zip(listing.values()) {
            let decision = hikiwake_pds(&game, root, Unit, 2 * ROOMY, &mut Budget::nodes(PLENTY));
            assert_eq!(decision.value, Some(value), "{index} {root:?} {game:?}");
        }
    }
}

#[test]
fn other_leaves_change_no_value() {
    for (index, game) in graphs(30_000, 4, 37).enumerate() {
        let root = game.start();
        let value = Listing::new(&game, &root, 1_000).unwrap().values()[0];
        let decision = hikiwake_pds(&game, &root, Mobility, ROOMY, &mut Budget::nodes(PLENTY));
        assert_eq!(decision.value, Some(value), "{index} {game:?}");
    }
}

/// One search is used for all positions in turn, and what it says it knows is true.
#[test]
fn a_search_can_be_used_for_one_position_after_another() {
    for (index, game) in graphs(10_000, 4, 37).enumerate() {
        let listing = Listing::new(&game, &game.start(), 1_000).unwrap();
        for goal in goals() {
            let forced = listing.forced(goal);
            let mut search = Pds::new(&game, goal, Unit, ROOMY);
            for (root, &forced) in listing.positions.iter().zip(&forced) {
                let mut budget = Budget::nodes(PLENTY);
                let (found, _) = hikiwake_pds_search(&mut search, root, &mut budget);
                check(found, forced, || format!("{index} {goal:?} {root:?} {game:?}"));
                assert!(!matches!(found, Finding::Unknown { .. }));
            }
            check_knowledge(&search, &listing, &forced);
        }
    }
}

/// A table of 128 entries for games of several hundred positions, in which entries are replaced
/// and swept all the time.
#[test]
fn a_table_much_too_small_may_leave_a_value_open_but_never_makes_it_wrong() {
    let mut decided = 0;
    for seed in 0..1_500 {
        let game = Graph::random(seed, 150 + (seed % 7) as u32 * 50, 2 + (seed % 3) as u32, 60);
        let root = game.start();
        let listing = Listing::new(&game, &root, 10_000).unwrap();
        for goal in goals() {
            let mut search = Pds::new(&game, goal, Unit, 0);
            let (found, _) = hikiwake_pds_search(&mut search, &root, &mut Budget::nodes(200_000));
            check(found, listing.forced(goal)[0], || format!("{seed} {goal:?}"));
            decided += u32::from(!matches!(found, Finding::Unknown { .. }));
        }
    }
    assert!(decided > 4_000, "{decided}");
}

#[test]
fn a_budget_may_end_anywhere() {
    for (seed, game) in graphs(5_000, 4, 37).enumerate() {
        let root = game.start();
        let listing = Listing::new(&game, &root, 1_000).unwrap();
        for goal in goals() {
            let forced = listing.forced(goal)[0];
            let mut search = Pds::new(&game, goal, Unit, ROOMY);
            let mut nodes = 1;
            loop {
                let mut budget = Budget::nodes(nodes);
                let (found, _) = hikiwake_pds_search(&mut search, &root, &mut budget);
                check(found, forced, || format!("{seed} {goal:?} after {nodes}"));
                if !matches!(found, Finding::Unknown { .. }) {
                    break;
                }
                nodes += 1 + nodes / 4;
            }
        }
    }
}

/// The knowledge of a search is enough to build plans that hold by the rules alone.
#[test]
fn findings_carry_plans() {
    for (index, game) in graphs(20_000, 4, 37).enumerate() {
        let root = game.start();
        for goal in goals() {
            let mut search = Pds::new(&game, goal, Unit, ROOMY);
            let mut budget = Budget::nodes(PLENTY);
            let mut effort = 1;
            loop {
                match search.search(&root, &mut budget) {
                    Finding::Proved { .. } => {
                        let plan = reach_plan(&mut search, &root, &mut budget).unwrap();
                        plan.check_reaches(&game, &root, goal).unwrap();
                        break;
                    }
                    Finding::Disproved => {}
                    found @ Finding::Unknown { .. } => panic!("{index} {goal:?} {found:?}"),
                }
                match prevent(&mut search, &root, effort, &mut budget) {
                    Prevention::Plan(plan) => {
                        plan.check_prevents(&game, &root, goal).unwrap();
                        break;
                    }
                    Prevention::Reached | Prevention::Doubtful => effort *= 2,
                    Prevention::Unknown => panic!("{index} {goal:?}"),
                }
            }
        }
    }
}

/// The smallest game in which a provisional disproof is wrong, see docs/how/pds.md.
#[test]
fn the_smallest_game_that_needs_the_closure() {
    let game = Graph::parse("a(b(b c(L)) a b)").unwrap();
    let goal = Goal::win(Colour::Gote);
    let listing = Listing::new(&game, &game.start(), 10).unwrap();
    assert_eq!(listing.forced(goal)[0], Some(5));
    let mut search = Pds::new(&game, goal, Unit, ROOMY);
    assert_eq!(search.search(&game.start(), &mut Budget::nodes(PLENTY)), Finding::Disproved);
    assert_eq!(search.knowledge(&game.start()), Knowledge::DisprovedOnce);
    assert!(matches!(find(&game, &game.start(), goal), Finding::Proved { .. }));
}

/// Without a closure a search is sometimes wrong: in disproofs, never in proofs.
#[test]
fn provisional_disproofs_need_the_closure() {
    let mut wrong = 0;
    for game in graphs(20_000, 4, 37) {
        let root = game.start();
        let listing = Listing::new(&game, &root, 1_000).unwrap();
        for goal in goals() {
            let forced = listing.forced(goal)[0];
            let mut search = Pds::new(&game, goal, Unit, ROOMY);
            match search.search(&root, &mut Budget::nodes(PLENTY)) {
                Finding::Proved { .. } => assert!(forced.is_some()),
                Finding::Disproved => {
                    wrong += u32::from(forced.is_some());
                    let certain = search.knowledge(&root) == Knowledge::Disproved;
                    assert!(!certain || forced.is_none());
                }
                found @ Finding::Unknown { .. } => panic!("{found:?} {game:?}"),
            }
        }
    }
    assert!(wrong > 0, "nothing here needs a closure");
}

#[test]
fn easy_starts_of_3x4_shogi_are_decided() {
    let won = ["KNR", "KNL", "RKR", "RKN", "RKL", "NKN", "NKL", "KRB", "KNG", "KGR", "KBR", "KBL"];
    let decided = won.map(|name| (name, Verdict::Win)).into_iter();
    for (name, value) in decided.chain([("KBN", Verdict::Loss), ("BKN", Verdict::Draw)]) {
        let budget = &mut Budget::nodes(1_000_000);
        let decision = hikiwake_pds(GAME, &start(name), Mobility, 32 << 20, budget);
        assert_eq!(decision.value, Some(value), "{name}: {decision:?}");
    }
}

/// Hands that compare, cycles everywhere, and all positions at hand to check: pawns and golds for
/// either king.
#[test]
fn endgames_of_3x4_shogi_have_their_exact_values() {
    let game = RulesGame::<Shogi34>::new();
    for (sfen, value) in [
        ("1k1/3/3/1K1 b - 1", Verdict::Draw),
        ("1k1/3/3/1K1 b Gg 1", Verdict::Draw),
        ("1k1/3/3/1K1 b 2G 1", Verdict::Win),
        ("1k1/1p1/1P1/1K1 b - 1", Verdict::Draw),
        ("1k1/3/3/1K1 w 2P 1", Verdict::Loss),
    ] {
        let root = parse_position::<Shogi34>(sfen).unwrap();
        let listing = Listing::new(&game, &root, 3_000_000).unwrap();
        let decision =
            hikiwake_pds(&game, &root, Mobility, 64 << 20, &mut Budget::nodes(5_000_000));
        assert_eq!(decision.value, Some(value), "{sfen} {decision:?}");
        assert_eq!(listing.values()[0], value, "{sfen}");
        for goal in goals() {
            let forced = listing.forced(goal);
            let mut search = Pds::new(&game, goal, Mobility, 16 << 20);
            let mut unknown = 0;
            for (root, &forced) in listing.positions.iter().zip(&forced).step_by(211) {
                let mut budget = Budget::nodes(1 << 20);
                let (found, _) = hikiwake_pds_search(&mut search, root, &mut budget);
                check(found, forced, || format!("{sfen} {goal:?} {root:?}"));
                unknown += u32::from(matches!(found, Finding::Unknown { .. }));
            }
            assert_eq!(unknown, 0, "{sfen} {goal:?}");
            check_knowledge(&search, &listing, &forced);
        }
    }
}

/// The table of docs/how/pds.md: all that is decided, with leaves of both kinds.
#[test]
fn small_searches_take_the_nodes_that_the_document_says() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/how/pds.md");
    let text = std::fs::read_to_string(path).unwrap();
    let game = RulesGame::<Shogi34>::new();
    let mut made = 0;
    for line in text.lines() {
        // A start by its name or in SFEN, with its value; nodes with either leaf.
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        let ["", start, unit, mobility, ""] = cells[..] else { continue };
        let Some((start, value)) = start.rsplit_once(", ") else { continue };
        let placement = match start.trim_matches('`') {
            sfen if sfen.contains('/') => parse_sfen::<Shogi34>(sfen).unwrap().0,
            name => Shogi34::named_start(name).unwrap(),
        };
        let root = Position::new(placement).unwrap();
        for (stated, has_mobility) in [(unit, false), (mobility, true)] {
            let Ok(nodes) = stated.replace(',', "").parse::<u64>() else { continue };
            let mut budget = Budget::nodes(10_000_000);
            let decision = match has_mobility {
                false => hikiwake_pds(&game, &root, Unit, 64 << 20, &mut budget),
                true => hikiwake_pds(&game, &root, Mobility, 64 << 20, &mut budget),
            };
            let found = match decision.value {
                Some(Verdict::Win) => "won",
                Some(Verdict::Loss) => "lost",
                Some(Verdict::Draw) => "drawn",
                None => "open",
            };
            assert_eq!((found, budget.spent()), (value, nodes), "{start} {has_mobility}");
            made += 1;
        }
    }
    assert_eq!(made, 13);
}
