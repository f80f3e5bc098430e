//! Mates against a naive search, position by position, in every variant.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use shogi_core::{CheckSquares, Move, Position};
use shogi_mate::shogi_core;
use shogi_mate::{Budget, MateAnswer, MateSolver, Options, Status, checks};
use shogi_rules::{
    Dobutsu, KyotoShogi, Minishogi, Rules, Shogi, Shogi34, Verdict, parse_problem, to_sfen, to_usi,
};
use testing::for_every_variant;
use testing::random::Random;
use testing::sample::{Style, legal};

/// The findings of four lines of naive code within some plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Naive {
    /// The number of plies of a shortest mate.
    Mate(u32),
    /// There is no mate at all: every line of checks ends.
    NoMate,
    /// There is no mate within the limit.
    NotWithin,
}

/// The moves of the attacker: those that leave the other royal piece attacked or captured.
fn naive_checks<R: Rules>(position: &Position<R>) -> Vec<Move<R>> {
    let attacks = |mv: &Move<R>| {
        let next = position.play_unchecked(*mv);
        position.king(next.side()).is_some()
            && (next.king(next.side()).is_none() || next.in_check(next.side()))
    };
    position.legal_moves().into_iter().filter(attacks).collect()
}

/// Over legal moves and the end of the game only.
pub fn naive<R: Rules>(position: &Position<R>, attacking: bool, plies: u32) -> Naive {
    match R::verdict(position) {
        Some(Verdict::Win) if attacking => return Naive::Mate(0),
        Some(Verdict::Loss) if !attacking => return Naive::Mate(0),
        Some(_) => return Naive::NoMate,
        None => {}
    }
    let moves = if attacking {
        naive_checks(position)
    } else {
        position.legal_moves().into_iter().collect()
    };
    if attacking && moves.is_empty() {
        return Naive::NoMate;
    }
    if plies == 0 {
        return Naive::NotWithin;
    }
    let mut results = Vec::new();
    for mv in moves {
        let result = naive(&position.play_unchecked(mv), !attacking, plies - 1);
        if !attacking && result == Naive::NoMate {
            return Naive::NoMate;
        }
        results.push(result);
    }
    let lengths = results.iter().filter_map(|result| match result {
        Naive::Mate(length) => Some(length + 1),
        _ => None,
    });
    if attacking {
        match lengths.min() {
            Some(length) => Naive::Mate(length),
            None if results.contains(&Naive::NotWithin) => Naive::NotWithin,
            None => Naive::NoMate,
        }
    } else if results.contains(&Naive::NotWithin) {
        Naive::NotWithin
    } else {
        lengths.max().map_or(Naive::NotWithin, Naive::Mate)
    }
}

/// Asserts that the line is legal, all checks, just so long, and ends in the loss of the defender.
fn assert_line<R: Rules>(root: &Position<R>, answer: &MateAnswer<R>) {
    let name = to_sfen(root);
    assert_eq!(answer.plies, Some(answer.line.len() as u32), "{name}");
    let mut position = *root;
    for (ply, &mv) in answer.line.iter().enumerate() {
        assert_eq!(R::verdict(&position), None, "{name}");
        let moves = if ply % 2 == 0 {
            naive_checks(&position)
        } else {
            position.legal_moves().into_iter().collect()
        };
        assert!(moves.contains(&mv), "{name} {}", to_usi(mv));
        position = position.play_unchecked(mv);
    }
    let verdict = if answer.line.len().is_multiple_of(2) { Verdict::Win } else { Verdict::Loss };
    assert_eq!(R::verdict(&position), Some(verdict), "{name}");
}

/// Asserts that the defender's moves of an exact line last as long as they can.
fn assert_longest_resistance<R: Rules>(root: &Position<R>, answer: &MateAnswer<R>) {
    let mut position = *root;
    for (ply, &mv) in (0..).zip(&answer.line) {
        let left = answer.line.len() as u32 - ply;
        assert_eq!(naive(&position, ply % 2 == 0, left), Naive::Mate(left), "{}", to_sfen(root));
        position = position.play_unchecked(mv);
    }
}

fn solver<R: Rules>(hash_bytes: usize, shortest: bool) -> MateSolver<R> {
    MateSolver::new(Options { hash_bytes, shortest })
}

/// Asserts that what threads find together is true, as far as the naive search and one thread know; whether it is a mate.
fn assert_together<R: Rules>(
    root: &Position<R>,
    (hash_bytes, threads): (usize, usize),
    (found, alone): (Naive, Status),
) -> Status {
    let budget = &mut Budget::nodes(NODES * threads as u64);
    let answer = solver::<R>(hash_bytes, false).solve_together(root, threads, budget);
    let name = format!("{} by {threads}: {answer:?}", to_sfen(root));
    match answer.status {
        Status::Mate => {
            let plies = answer.plies.unwrap();
            assert!(found != Naive::NoMate && alone != Status::NoMate, "{name}");
            if plies <= 5 {
                assert!(matches!(naive(root, true, plies), Naive::Mate(_)), "{name}");
            }
            if !answer.line.is_empty() {
                assert_line(root, &answer);
            }
        }
        Status::NoMate => {
            assert!(!matches!(found, Naive::Mate(_)) && alone != Status::Mate, "{name}");
        }
        Status::Unknown => {}
    }
    answer.status
}

/// Random positions, searched by several threads with one table, against the naive search and one thread.
fn together<R: Rules>(positions: usize) {
    let mut random = Random::new(11);
    let mut any = solver::<R>(8 << 20, false);
    let (mut mates, mut none) = (0, 0);
    for number in 0..positions {
        let position = legal::<R>(&mut random, Style::ALL[number % Style::ALL.len()]);
        let found = naive(&position, true, if number % 10 == 0 { 5 } else { 3 });
        let alone = any.solve(&position, &mut Budget::nodes(NODES)).status;
        // In a table of a few kilobytes most entries are lost.
        for task in [(1 << 20, 2), (0, 4)] {
            match assert_together(&position, task, (found, alone)) {
                Status::Mate => mates += 1,
                Status::NoMate => none += 1,
                Status::Unknown => {}
            }
        }
    }
    assert!(mates * 10 > positions && none * 4 > positions, "{mates} {none}");
}

#[test]
fn threads_find_the_same_as_a_naive_search_and_one_thread() {
    together::<Minishogi>(1000);
    together::<KyotoShogi>(1000);
    together::<Dobutsu>(1500);
    together::<Shogi>(100);
}

#[test]
fn threads_share_a_budget_and_end_without_an_answer() {
    let sfen = "l2k5/9/3S2S2/9/9/9/9/9/9 b B2N2rb4g2s2n3l18p 1";
    let position = parse_problem::<Shogi>(sfen).unwrap();
    let mut solver = solver::<Shogi>(1 << 20, false);
    let budget = &mut Budget::nodes(50);
    let answer = solver.solve_together(&position, 2, budget);
    assert_eq!((answer.status, answer.plies), (Status::Unknown, None));
    assert!(answer.nodes >= 50 && answer.nodes < 400 && budget.is_over());
    let stop = AtomicBool::new(true);
    let budget = &mut Budget::unlimited().stopped_by(&stop);
    assert_eq!(solver.solve_together(&position, 2, budget).status, Status::Unknown);
    let answer = solver.solve_together(&position, 3, &mut Budget::unlimited());
    assert_eq!(answer.status, Status::Mate);
    assert_line(&position, &answer);
}

/// Nodes for one position.
const NODES: u64 = 20_000;

/// Random positions against the naive search; how many were mates of each length and no mates.
fn differential<R: Rules>(seed: u64, positions: usize, most: u32) -> ([usize; 8], usize) {
    let mut random = Random::new(seed);
    let mut shortest = solver::<R>(8 << 20, true);
    let mut any = solver::<R>(8 << 20, false);
    let mut tiny = solver::<R>(0, false);
    let (mut mates, mut none, mut exact) = ([0; 8], 0, 0);
    for number in 0..positions {
        let position = legal::<R>(&mut random, Style::ALL[number % Style::ALL.len()]);
        let name = to_sfen(&position);
        // The naive search takes its time over five plies.
        let plies = if number % 5 == 0 { most } else { 3 };
        let found = naive(&position, true, plies);
        let answer = shortest.solve(&position, &mut Budget::nodes(NODES));
        match found {
            Naive::Mate(length) if answer.status == Status::Mate => {
                mates[length as usize] += 1;
                assert!(answer.plies >= Some(length), "{name}");
                if answer.exact {
                    assert_eq!(answer.plies, Some(length), "{name}");
                    assert_longest_resistance(&position, &answer);
                }
                exact += usize::from(answer.exact);
            }
            Naive::NoMate => {
                // A search may look deep before it finds the short refutation.
                assert_ne!(answer.status, Status::Mate, "{name}");
                none += usize::from(answer.status == Status::NoMate);
            }
            Naive::Mate(_) => assert_eq!(answer.status, Status::Unknown, "{name}"),
            Naive::NotWithin => {
                assert!(answer.plies.is_none_or(|length| length > plies), "{name}");
            }
        }
        for other in [&mut any, &mut tiny] {
            let other = other.solve(&position, &mut Budget::nodes(NODES));
            if other.status == Status::Mate {
                assert_ne!(answer.status, Status::NoMate, "{name}");
                if !other.line.is_empty() {
                    assert_line(&position, &other);
                    assert!(
                        !answer.exact || answer.plies <= other.plies,
                        "{name} {answer:?} {other:?}"
                    );
                }
            } else if other.status == Status::NoMate {
                assert_ne!(answer.status, Status::Mate, "{name}");
            }
        }
        if answer.status == Status::Mate && !answer.line.is_empty() {
            assert_line(&position, &answer);
        }
    }
    assert!(exact * 10 > mates.iter().sum::<usize>() * 9, "{exact} of {mates:?} to the end");
    (mates, none)
}

macro_rules! differential {
    ($($(#[$attribute:meta])? $name:ident: $rules:ident, $positions:expr, $plies:expr;)*) => {$(
        #[test]
        $(#[$attribute])?
        fn $name() {
            let (mates, none) = differential::<$rules>(7, $positions, $plies);
            println!("mates by length {mates:?}, no mates {none}");
            assert!(mates[1] > 20 && mates[3] > 10 && none > 100, "{mates:?} {none}");
        }
    )*};
}

differential! {
    minishogi_agrees_with_a_naive_search: Minishogi, 400, 5;
    kyoto_shogi_agrees_with_a_naive_search: KyotoShogi, 400, 5;
    shogi_agrees_with_a_naive_search: Shogi, 400, 3;
    shogi34_agrees_with_a_naive_search: Shogi34, 600, 5;
    dobutsu_agrees_with_a_naive_search: Dobutsu, 1500, 5;
}

/// These tests in more positions.
mod at_length {
    use super::*;

    differential! {
        #[ignore = "long, see docs/contributing.md"]
        minishogi: Minishogi, 1500, 5;
        #[ignore = "long, see docs/contributing.md"]
        kyoto_shogi: KyotoShogi, 1500, 5;
        #[ignore = "long, see docs/contributing.md"]
        shogi: Shogi, 1500, 3;
        #[ignore = "long, see docs/contributing.md"]
        shogi34: Shogi34, 2000, 5;
        #[ignore = "long, see docs/contributing.md"]
        dobutsu: Dobutsu, 3000, 5;
    }

    /// A king alone, by Kanju (1755): a mate of 45 plies, shortened while the search upwards continues in
    /// shorter turns.
    #[test]
    #[ignore = "long, see docs/contributing.md"]
    fn a_long_mate_becomes_the_shortest_before_the_search_upwards_is_there() {
        let root = parse_problem::<Shogi>("8k/9/9/9/9/9/9/9/9 b R2GSr2b2g3s4n4l18p 1").unwrap();
        let mut solver = solver::<Shogi>(490 << 20, true);
        let mut solve = |nodes| solver.solve(&root, &mut Budget::nodes(nodes));
        let (early, late) = (solve(2_300_000), solve(12_500_000));
        assert_eq!((early.plies, early.exact), (Some(37), false));
        assert_eq!((late.plies, late.exact), (Some(37), true));
    }
}

/// The first moves and the cooks of random mates against the naive search; how many of each there are
/// beside the lines.
fn alternatives<R: Rules>(positions: usize) -> (usize, usize) {
    let mut random = Random::new(3);
    let mut solver = solver::<R>(8 << 20, true);
    let (mut others, mut cooks) = (0, 0);
    for number in 0..positions {
        let root = legal::<R>(&mut random, Style::ALL[number % Style::ALL.len()]);
        let name = to_sfen(&root);
        let answer = solver.solve(&root, &mut Budget::nodes(NODES));
        let found = solver.alternatives(&root, &answer, &mut Budget::nodes(4 * NODES));
        if answer.status == Status::NoMate {
            assert!(found.complete && found.first_moves.is_empty(), "{name}");
        }
        if !answer.exact || answer.plies > Some(3) || !found.complete {
            continue;
        }
        let mut position = root;
        for (ply, &in_line) in answer.line.iter().enumerate() {
            let left = (answer.line.len() - ply) as u32;
            if ply % 2 == 0 {
                let mates = |mv: &Move<R>| {
                    matches!(naive(&position.play_unchecked(*mv), false, left - 1), Naive::Mate(_))
                };
                let mut expected: Vec<_> =
                    naive_checks(&position).into_iter().filter(mates).collect();
                expected.sort();
                let at = found.cooks.iter().filter(|cook| cook.ply == ply && cook.plies <= left);
                let mut listed: Vec<_> = at.map(|cook| cook.mv).collect();
                if ply == 0 {
                    assert!(listed.is_empty(), "{name}");
                    listed.clone_from(&found.first_moves);
                    others += listed.len() - 1;
                } else {
                    cooks += listed.len();
                    listed.push(in_line);
                    listed.sort();
                }
                assert_eq!(listed, expected, "{name}");
                for cook in found.cooks.iter().filter(|cook| cook.ply == ply && cook.plies > left) {
                    let after = naive(&position.play_unchecked(cook.mv), false, 2);
                    assert_ne!(after, Naive::NoMate, "{name} {cook:?}");
                }
            }
            position = position.play_unchecked(in_line);
        }
    }
    (others, cooks)
}

fn first_moves_and_cooks_are_those_of_a_naive_search(positions: usize) {
    let found = [
        alternatives::<Minishogi>(positions),
        alternatives::<Shogi34>(positions),
        alternatives::<Dobutsu>(positions),
    ];
    assert!(found.iter().all(|&(others, _)| others > 100), "{found:?}");
    assert!(found.iter().map(|&(_, cooks)| cooks).sum::<usize>() > 10, "{found:?}");
}

#[test]
fn all_first_moves_and_cooks_are_those_of_a_naive_search() {
    first_moves_and_cooks_are_those_of_a_naive_search(1200);
}

#[test]
#[ignore = "long, see docs/contributing.md"]
fn all_first_moves_and_cooks_are_those_of_a_naive_search_at_length() {
    first_moves_and_cooks_are_those_of_a_naive_search(2000);
}

#[test]
fn a_published_problem_has_one_solution_up_to_its_last_move() {
    // From a collection whose problems were checked to be sound: only the last move may be another.
    let position = parse_problem::<Shogi>("2r6/9/4G4/2B6/3B5/9/k8/9/9 b Gr2g4s4n4l18p 1").unwrap();
    let mut solver = solver::<Shogi>(16 << 20, true);
    let answer = solver.solve(&position, &mut Budget::unlimited());
    assert_eq!((answer.plies, answer.exact), (Some(13), true));
    let early = solver.alternatives(&position, &answer, &mut Budget::nodes(0));
    assert!(!early.complete && early.first_moves == [answer.line[0]], "{early:?}");
    let found = solver.alternatives(&position, &answer, &mut Budget::nodes(2_000_000));
    assert_eq!((found.first_moves, found.complete), (vec![answer.line[0]], true));
    let cooks: Vec<_> =
        found.cooks.iter().map(|cook| (cook.ply, to_usi(cook.mv), cook.plies)).collect();
    assert_eq!(cooks, [(12, "7d8c+".to_owned(), 1)]);
}

fn checks_are_the_moves_that_give_check<R: Rules>() {
    let mut random = Random::new(11);
    let mut seen = 0;
    for number in 0..8000 {
        let position = legal::<R>(&mut random, Style::ALL[number % Style::ALL.len()]);
        let mut found = checks(&position);
        let mut expected = naive_checks(&position);
        let squares = CheckSquares::new(&position);
        let mut of_batches = Vec::new();
        let _: ControlFlow<()> = position.generate(|batch| {
            of_batches.extend(squares.checks_of(batch).iter().flat_map(|checks| checks.moves()));
            ControlFlow::Continue(())
        });
        of_batches.sort();
        for mv in position.legal_moves() {
            let next = position.play_unchecked(mv);
            let checked = next.in_check(next.side());
            assert_eq!(
                squares.gives_check(&position, mv),
                checked,
                "{mv:?} {}",
                to_sfen(&position)
            );
        }
        seen += expected.len();
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{}", to_sfen(&position));
        let by_squares = if R::royal_safety() { expected } else { Vec::new() };
        assert_eq!(of_batches, by_squares, "{}", to_sfen(&position));
    }
    assert!(seen > 8000);
}

for_every_variant!(checks_are_those_moves: checks_are_the_moves_that_give_check());

fn solve<R: Rules>(sfen: &str, shortest: bool) -> MateAnswer<R> {
    let position = parse_problem::<R>(sfen).unwrap();
    let answer = solver::<R>(64 << 20, shortest).solve(&position, &mut Budget::nodes(50_000_000));
    if answer.status == Status::Mate {
        assert_line(&position, &answer);
    }
    answer
}

#[test]
fn a_pawn_drop_does_not_mate_unless_the_rules_allow_it() {
    // The pawn is covered and the king cannot move.
    let dropped = "3rk/3s1/3G1/5/K4 b P 1";
    assert_eq!(solve::<Minishogi>(dropped, true).status, Status::NoMate);
    assert_eq!(solve::<KyotoShogi>("3lk/3l1/3G1/5/K4 b P 1", true).plies, Some(1));
    let pawn_moves = "3rk/3b1/3GP/5/2K2 b - 1";
    assert_eq!(solve::<Minishogi>(pawn_moves, true).plies, Some(1));
}

#[test]
fn an_attacker_needs_no_king_and_a_defender_does() {
    assert_eq!(solve::<Shogi>("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", true).plies, Some(1));
    let nobody = solve::<Shogi>("9/9/4P4/9/9/9/9/9/4K4 b G 1", true);
    assert_eq!((nobody.status, nobody.nodes), (Status::NoMate, 0));
}

#[test]
fn a_budget_ends_in_unknown() {
    let sfen = "l2k5/9/3S2S2/9/9/9/9/9/9 b B2N2rb4g2s2n3l18p 1";
    let position = parse_problem::<Shogi>(sfen).unwrap();
    let mut solver = solver::<Shogi>(1 << 20, true);
    let answer = solver.solve(&position, &mut Budget::nodes(50));
    assert_eq!((answer.status, answer.plies, answer.exact), (Status::Unknown, None, false));
    assert!(answer.line.is_empty() && answer.nodes < 200);
    let again = solver.solve(&position, &mut Budget::unlimited());
    assert_eq!((again.status, again.plies, again.exact), (Status::Mate, Some(5), true));
    let same = solver.solve(&position, &mut Budget::unlimited());
    assert_eq!(again, same, "what was learnt is forgotten");
}

#[test]
fn repetition_fails_the_attacker() {
    // The rook checks for ever and never mates.
    for shortest in [false, true] {
        let answer = solve::<Minishogi>("k4/5/5/5/3RK b - 1", shortest);
        assert_eq!(answer.status, Status::NoMate, "{shortest}");
    }
}

#[test]
fn a_search_for_the_shortest_mate_that_ends_too_soon_answers_with_a_longer_one() {
    let position = parse_problem::<Minishogi>("+R3K/5/+S1G2/+p3B/1Bkrs b Gp 1").unwrap();
    let mut solver = solver::<Minishogi>(16 << 20, true);
    let early = solver.solve(&position, &mut Budget::nodes(50_000));
    assert_eq!((early.status, early.exact), (Status::Mate, false));
    assert!(early.plies > Some(21));
    assert_line(&position, &early);
    let late = solver.solve(&position, &mut Budget::nodes(1_000_000));
    assert_eq!((late.plies, late.exact), (Some(21), true));
}

/// Asserts that an answer has its moves if it is a mate, and none otherwise.
fn assert_whole<R: Rules>(root: &Position<R>, answer: &MateAnswer<R>) -> bool {
    let is_mate = answer.status == Status::Mate;
    assert_eq!(is_mate, answer.plies.is_some(), "{}", to_sfen(root));
    if is_mate {
        assert_line(root, answer);
    } else {
        assert!(answer.line.is_empty() && !answer.exact, "{}", to_sfen(root));
    }
    is_mate
}

/// Mates of random positions, with limits at every point of the search and tables that lose most of it; how many there
/// are, and how many that are not known to be shortest.
fn assert_whole_mates<R: Rules>(positions: usize) -> (usize, usize) {
    let mut random = Random::new(17);
    let (mut mates, mut longer) = (0, 0);
    for number in 0..positions {
        let root = legal::<R>(&mut random, Style::ALL[number % Style::ALL.len()]);
        if R::is_over(&root) {
            continue;
        }
        for nodes in [1, 10, 40, 150, 600, 2_500, 10_000] {
            for hash_bytes in [0, 8 << 20] {
                let mut shortest = solver::<R>(hash_bytes, true);
                let mut any = solver::<R>(hash_bytes, false);
                let answers = [
                    any.solve(&root, &mut Budget::nodes(nodes)),
                    any.solve_together(&root, 2, &mut Budget::nodes(nodes)),
                    shortest.solve(&root, &mut Budget::nodes(nodes)),
                    shortest.solve_by_the_book(&root, &mut Budget::nodes(nodes)),
                ];
                for answer in &answers[..3] {
                    let is_mate = assert_whole(&root, answer);
                    mates += usize::from(is_mate);
                    longer += usize::from(is_mate && !answer.exact);
                }
                let book = &answers[3];
                assert_eq!(
                    book.plies,
                    book.status.eq(&Status::Mate).then_some(book.line.len() as u32)
                );
            }
        }
    }
    (mates, longer)
}

#[test]
fn a_mate_has_its_moves_at_any_limit() {
    let found = [
        assert_whole_mates::<Minishogi>(60),
        assert_whole_mates::<KyotoShogi>(60),
        assert_whole_mates::<Dobutsu>(60),
    ];
    assert!(found.iter().all(|&(mates, longer)| mates > 100 && longer > 10), "{found:?}");
}

#[test]
fn a_search_for_the_shortest_mate_keeps_the_line_of_the_first() {
    let root = parse_problem::<Shogi>("7k1/5+Bp2/7Ss/9/9/9/1n7/9/9 b 2rb4g2s3n4l17p 1").unwrap();
    let mut shortest = solver::<Shogi>(246 << 20, true);
    let answer = shortest.solve(&root, &mut Budget::nodes(3_000_000));
    assert!(assert_whole(&root, &answer) && !answer.exact);
    // The proof that was found first is one of 641 plies; its line shows that fewer suffice.
    assert!(answer.plies <= Some(361), "{:?}", answer.plies);
    let answer = shortest.solve_by_the_book(&root, &mut Budget::nodes(3_000_000));
    assert!(assert_whole(&root, &answer));
}

#[test]
fn a_search_takes_no_more_bytes_than_it_is_given() {
    // What fills its table, whatever the size.
    let position =
        parse_problem::<Shogi>("p2pkgs2/7Lp/nL1Gg3n/b3pPl2/1p6N/NrR6/LP4p2/S7+p/1SG1K4 b BS9P 181")
            .unwrap();
    for (bytes, nodes) in [(1 << 20, 100_000), (5_000_000, 300_000), (16 << 20, 1_200_000)] {
        let mut solver = solver::<Shogi>(bytes, false);
        solver.solve(&position, &mut Budget::nodes(nodes));
        let (peak, path) = (solver.peak_bytes(), 1 << 18);
        assert!(peak <= bytes.max(bytes - bytes / 16 + path), "{peak} of {bytes}");
        assert!(peak * 4 > bytes * 3, "{peak} of {bytes}");
        // Threads have a path and a count of those on each path besides.
        solver.solve_together(&position, 3, &mut Budget::nodes(nodes));
        let peak = solver.peak_bytes();
        assert!(peak <= bytes + 3 * path + (1 << 18), "{peak} of {bytes}");
        assert!(peak * 4 > bytes * 3, "{peak} of {bytes}");
    }
}

#[test]
fn a_mate_of_several_hundred_plies_is_found_without_recursion() {
    // Kotobuki: Ito Kanju, Shogi Zuko no. 100 (1755), in 611 plies.
    let sfen = "g3p3+r/3lPG3/1s4ppp/1l1B4P/L2b1kPl1/3+p3+R+p/3+p2+s1S/+NP+p1gS3/1g+p2P3 b 4P3n 1";
    let position = parse_problem::<Shogi>(sfen).unwrap();
    let mut solver = solver::<Shogi>(1 << 30, false);
    let answer = solver.solve(&position, &mut Budget::nodes(100_000_000));
    assert_eq!(answer.status, Status::Mate);
    assert!(answer.plies >= Some(611), "it is known that there is none shorter");
    assert_line(&position, &answer);
}
