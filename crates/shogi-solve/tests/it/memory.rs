//! Searches stay within the memory they are given, and where it ends they do not know.

use shogi_rules::{Shogi34, parse_position};
use shogi_solve::df_pn::{self, DfPn};
use shogi_solve::hikiwake::hikiwake_pds_search;
use shogi_solve::pds::Pds;
use shogi_solve::retrograde::Listing;
use shogi_solve::shogi_core::{Colour, Position};
use shogi_solve::toy::Graph;
use shogi_solve::{
    Algorithm, Budget, EFFORT, Ended, FinalValue, Finding, GameGraph, Goal, Knowledge, Options,
    Prevention, RulesGame, Search, Unit, Verdict, prevent, reach_plan, solve, solve_within,
};

/// The extra memory of a search with a small table: a quarter of a megabyte for the path, and as much for
/// entries kept aside.
const BESIDE: usize = 1 << 19;

/// Df-pn with so many bytes.
fn options(hash_bytes: usize) -> df_pn::Options {
    df_pn::Options { hash_bytes, ..df_pn::Options::default() }
}

/// 3x4 shogi from RKB, whose value is not known.
fn rkb() -> Position<Shogi34> {
    parse_position("bkr/1p1/1P1/RKB b - 1").unwrap()
}

#[test]
fn a_search_takes_no_more_bytes_than_it_is_given() {
    let game = RulesGame::<Shogi34>::new();
    for bytes in [0, 8 << 20] {
        for prover in Colour::ALL {
            let goal = Goal::win(prover);
            let mut pds = Pds::new(&game, goal, Unit, bytes);
            let mut df_pn = DfPn::new(&game, goal, Unit, options(bytes));
            for _ in 0..4 {
                pds.search(&rkb(), &mut Budget::nodes(300_000));
                assert!(pds.bytes() <= bytes + BESIDE, "{} of {bytes}", pds.bytes());
                df_pn.search(&rkb(), &mut Budget::nodes(300_000));
                assert!(df_pn.bytes() <= bytes + BESIDE, "{} of {bytes}", df_pn.bytes());
            }
        }
    }
}

/// Sente's counter goes up by one with every move, Gote passes; at the end Sente has won, and
/// nothing else is an end. Each step has a way back to zero, too.
struct Climb {
    top: u32,
}

impl GameGraph for Climb {
    type Position = (u32, Colour);
    type Move = bool;

    fn side(&self, &(_, side): &(u32, Colour)) -> Colour {
        side
    }

    fn verdict(&self, &(height, side): &(u32, Colour)) -> Option<Verdict> {
        (height == self.top).then_some(if side == Colour::Sente {
            Verdict::Win
        } else {
            Verdict::Loss
        })
    }

    fn moves(&self, &(_, side): &(u32, Colour), moves: &mut Vec<bool>) {
        moves.push(true);
        moves.extend((side == Colour::Sente).then_some(false));
    }

    fn play(&self, &(height, side): &(u32, Colour), up: bool) -> (u32, Colour) {
        let height = match (side, up) {
            (Colour::Sente, true) => height + 1,
            (Colour::Sente, false) => 0,
            (Colour::Gote, _) => height,
        };
        (height, !side)
    }

    fn key(&self, &(height, side): &(u32, Colour)) -> u64 {
        (u64::from(height) << 1 | side.index() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// A win that is a thousand times as far away as there is memory for the way to it.
#[test]
fn a_line_that_is_too_long_is_given_up() {
    let (root, goal) = ((0, Colour::Sente), Goal::win(Colour::Sente));
    let near = Climb { top: 300 };
    let far = Climb { top: 1_000_000 };
    for (game, proved) in [(&near, true), (&far, false)] {
        let mut pds = Pds::new(game, goal, Unit, 0);
        let mut df_pn = DfPn::new(game, goal, Unit, options(0));
        // Nothing but the memory ends these.
        let found = [
            pds.search(&root, &mut Budget::unlimited()),
            df_pn.search(&root, &mut Budget::unlimited()),
        ];
        for found in found {
            match found {
                Finding::Proved { plies } => assert!(proved && plies == 599, "{plies}"),
                Finding::Unknown { .. } => assert!(!proved),
                Finding::Disproved => panic!("a win is denied"),
            }
        }
        assert!(pds.bytes() <= BESIDE && df_pn.bytes() <= BESIDE);
    }
    for algorithm in [Algorithm::DfPn, Algorithm::Pds] {
        let options = Options { algorithm, hash_bytes: 1, small_game: 0, ..Options::default() };
        assert_eq!(solve(&far, &root, &options).value, None);
        assert_eq!(solve(&near, &root, &options).value, Some(Verdict::Win));
    }
}

/// A line that was given up deep down is tried again on a shorter way.
#[test]
fn a_position_given_up_is_proved_from_nearby() {
    let game = Climb { top: 50_000 };
    let goal = Goal::win(Colour::Sente);
    let mut pds = Pds::new(&game, goal, Unit, 8 << 20);
    let mut df_pn = DfPn::new(&game, goal, Unit, options(8 << 20));
    let mut budget = Budget::unlimited();
    assert!(matches!(pds.search(&(0, Colour::Sente), &mut budget), Finding::Unknown { .. }));
    assert!(matches!(df_pn.search(&(0, Colour::Sente), &mut budget), Finding::Unknown { .. }));
    let near = (49_900, Colour::Sente);
    for height in (0..=49_900).rev().step_by(500) {
        let found = [
            pds.search(&(height, Colour::Sente), &mut budget),
            df_pn.search(&(height, Colour::Sente), &mut budget),
        ];
        for found in found {
            assert!(matches!(found, Finding::Proved { .. }), "{height} {found:?}");
        }
    }
    assert_eq!(pds.knowledge(&near), Knowledge::Proved { plies: 199 });
    assert_eq!(df_pn.knowledge(&near), Knowledge::Proved { plies: 199 });
}

#[test]
fn closing_a_disproof_stays_within_the_spare_bytes() {
    // Nobody ever wins: a safe set is all that can be reached by one move of Gote's in each position.
    let game = Graph::random(3, 40_000, 3, 0);
    let root = game.start();
    let mut budget = Budget::nodes(100_000_000);
    for (bytes, is_enough) in [(64 << 20, true), (4 << 20, false)] {
        let mut search = Pds::new(&game, Goal::win(Colour::Sente), Unit, bytes);
        assert_eq!(search.search(&root, &mut budget), Finding::Disproved);
        let closed = prevent(&mut search, &root, EFFORT, &mut budget);
        assert_eq!(matches!(closed, Prevention::Plan(_)), is_enough);
        assert_eq!(matches!(closed, Prevention::Unknown), !is_enough);
        let mut search = Pds::new(&game, Goal::win(Colour::Sente), Unit, bytes);
        let (found, _) = hikiwake_pds_search(&mut search, &root, &mut budget);
        assert_eq!(found == Finding::Disproved, is_enough, "{found:?}");
        assert!(search.bytes() <= bytes + BESIDE);
        let options = Options { hash_bytes: 2 * bytes, small_game: 0, ..Options::default() };
        let answer = solve_within(&game, &root, &options, &mut budget);
        assert_eq!(answer.value, is_enough.then_some(Verdict::Draw));
        assert_eq!(answer.ended, if is_enough { Ended::Solved } else { Ended::Memory });
        assert!(!budget.is_over());
    }
}

#[test]
fn a_search_continues_if_the_sets_of_its_disproofs_do_not_fit() {
    // A win for Sente; the search takes it for none time and again.
    let game = RulesGame::<Shogi34>::new();
    let root = parse_position("bgk/2p/P2/KGB b - 1").unwrap();
    let options = Options { hash_bytes: 1 << 20, small_game: 0, ..Options::default() };
    let answer = solve_within(&game, &root, &options, &mut Budget::nodes(8_000_000));
    assert_eq!(answer.ended, Ended::Nodes);
}

#[test]
fn ordering_a_proof_stays_within_the_spare_bytes() {
    let game = Climb { top: 10_000 };
    let root = (0, Colour::Sente);
    let mut budget = Budget::unlimited();
    for (settled, is_enough) in [(0, true), (1_000_000, false)] {
        let mut search = Pds::new(&game, Goal::win(Colour::Sente), Unit, 64 << 20);
        assert_eq!(search.search(&root, &mut budget), Finding::Proved { plies: 19_999 });
        // Elsewhere much is settled already, more than can be kept.
        for height in 0..settled {
            search.set_final(&(1 << 20 | height, Colour::Gote), FinalValue::Disproved);
        }
        assert!(search.bytes() <= 64 << 20, "{}", search.bytes());
        let plan = reach_plan(&mut search, &root, &mut budget);
        assert_eq!(plan.map(|plan| plan.len()), is_enough.then_some(10_000));
    }
}

/// Moves that are chosen at different times, since a table of a few entries forgets them, run in circles: then
/// more positions are looked at, until the proof has an order, and not fewer.
#[test]
fn a_proof_is_ordered_however_much_the_table_forgets() {
    // In some of these a second round orders fewer positions than the first, in some as many of another set.
    let found = [(133, 433, 2, 8), (1_060, 200, 2, 24), (1_103, 243, 2, 24), (11_186, 186, 3, 8)];
    let drawn = (200..300).map(|seed| (seed, 300 + seed as u32, 2, 8));
    for (seed, nodes, degree, end) in drawn.chain(found) {
        let game = Graph::random(seed, nodes, degree, end);
        let root = game.start();
        let value = Listing::new(&game, &root, 2_000).unwrap().values()[0];
        for algorithm in [Algorithm::DfPn, Algorithm::Pds] {
            let options = Options { algorithm, hash_bytes: 0, small_game: 0, ..Options::default() };
            let answer = solve_within(&game, &root, &options, &mut Budget::nodes(3_000_000));
            assert_eq!(answer.value, Some(value), "{seed} {algorithm:?}: {answer:?}");
            for certificate in &answer.certificates {
                certificate.check(&game, &root).unwrap();
            }
        }
    }
}
