//! Defences against mate, reply by reply, against a naive search.

use shogi_core::{Move, Position};
use shogi_mate::shogi_core;
use shogi_mate::{Budget, Defence, DefendUntil, MateSolver, Options, Status};
use shogi_rules::{
    Dobutsu, KyotoShogi, Minishogi, Rules, Shogi, Shogi34, Verdict, parse_problem, to_sfen, to_usi,
};
use testing::random::Random;
use testing::sample::{Style, legal};

use crate::mate::{Naive, naive};

/// Moves played for a position at most.
const NODES: u64 = 200_000;

fn defend<R: Rules>(
    root: &Position<R>,
    shortest: bool,
    until: DefendUntil,
    nodes: u64,
) -> Defence<R> {
    let mut solver = MateSolver::new(Options { hash_bytes: 8 << 20, shortest });
    solver.defend(root, until, &mut Budget::nodes(nodes))
}

fn usi<R: Rules>(moves: &[Move<R>]) -> Vec<String> {
    moves.iter().map(|&mv| to_usi(mv)).collect()
}

/// Counts of a sample, so that one too tame fails.
#[derive(Default, Debug)]
struct Seen {
    /// Players who are mated whatever they play, and who are not.
    mated: usize,
    saved: usize,
    /// Replies that are refuted where another one helps.
    refuted: usize,
}

/// Compares one defence with all lines of at most so many plies after each reply.
fn compare<R: Rules>(root: &Position<R>, shortest: bool, plies: u32, seen: &mut Seen) {
    let found = defend(root, shortest, DefendUntil::EachIsDecided, NODES);
    let name = to_sfen(root);
    let moves = if R::is_over(root) { Vec::new() } else { root.legal_moves().to_vec() };
    assert_eq!(found.replies.len(), moves.len(), "{name}");
    for reply in &found.replies {
        assert!(moves.contains(&reply.mv), "{name}");
        let (after, attack) = (root.play_unchecked(reply.mv), &reply.attack);
        let truth = naive(&after, true, plies);
        let name = format!("{name} {}: {attack:?}", to_usi(reply.mv));
        match (attack.status, truth) {
            (Status::Mate, Naive::Mate(least)) => {
                let length = attack.plies.unwrap();
                assert!(length >= least && (!attack.exact || length == least), "{name}");
            }
            (Status::Mate, Naive::NotWithin) => assert!(attack.plies > Some(plies), "{name}"),
            (Status::NoMate, Naive::NoMate | Naive::NotWithin) | (Status::Unknown, _) => {}
            _ => panic!("{name} is {truth:?}"),
        }
        let end = attack.line.iter().fold(after, |position, &mv| position.play(mv).unwrap());
        if attack.status == Status::Mate {
            assert_eq!(attack.plies, Some(attack.line.len() as u32), "{name}");
            let loss = if end.side() == root.side() { Verdict::Loss } else { Verdict::Win };
            assert_eq!(R::verdict(&end), Some(loss), "{name}");
        }
    }
    assert_whole(root, &found, plies);
    let saved = found.answer.status == Status::NoMate;
    let refuted = |reply: &&shogi_mate::Reply<R>| reply.attack.status == Status::Mate;
    seen.saved += usize::from(saved && !moves.is_empty());
    seen.mated += usize::from(found.answer.status == Status::Mate && !moves.is_empty());
    seen.refuted += if saved { found.replies.iter().filter(refuted).count() } else { 0 };
}

/// Asserts that the whole answer is the one of all lines, and follows from the replies.
fn assert_whole<R: Rules>(root: &Position<R>, found: &Defence<R>, plies: u32) {
    let (name, answer) = (format!("{} {found:?}", to_sfen(root)), &found.answer);
    match (answer.status, naive(root, false, plies + 1)) {
        (Status::Mate, Naive::Mate(least)) => {
            let length = answer.plies.unwrap();
            assert!(length >= least && (!answer.exact || length == least), "{name}");
            assert_eq!(length, answer.line.len() as u32, "{name}");
        }
        (Status::Mate, Naive::NotWithin) => assert!(answer.plies > Some(plies + 1), "{name}"),
        (Status::NoMate, Naive::NoMate | Naive::NotWithin) => {
            assert_eq!((answer.plies, answer.line.len()), (None, 0), "{name}");
        }
        (Status::Unknown, _) => assert_eq!(answer.plies, None, "{name}"),
        (_, truth) => panic!("{name} is {truth:?}"),
    }
    let longest = found.replies.iter().map(|reply| reply.attack.plies).max().flatten();
    if answer.status == Status::Mate {
        assert_eq!(answer.plies, Some(longest.map_or(0, |plies| plies + 1)), "{name}");
    }
}

/// Random positions of a game, half of them with the player to move in check.
fn sample<R: Rules>(positions: usize, plies: u32) -> Seen {
    let (mut random, mut seen, mut compared) = (Random::new(72), Seen::default(), 0);
    for number in 0.. {
        if compared == positions {
            return seen;
        }
        let root = legal::<R>(&mut random, Style::ALL[number % Style::ALL.len()]);
        if number % 2 == 0 && !root.is_check() {
            continue;
        }
        compare(&root, number % 3 == 0, plies, &mut seen);
        compared += 1;
    }
    seen
}

#[test]
fn defences_are_those_of_brute_force() {
    let samples = [
        sample::<Minishogi>(100, 3),
        sample::<KyotoShogi>(80, 3),
        sample::<Shogi34>(100, 5),
        sample::<Dobutsu>(100, 5),
    ];
    let mated: usize = samples.iter().map(|seen| seen.mated).sum();
    let is_telling = |seen: &Seen| seen.saved > 20 && seen.refuted > 100;
    assert!(mated > 20 && samples.iter().all(is_telling), "{samples:?}");
}

#[test]
#[ignore = "long, 1,000 positions of each game"]
fn a_thousand_defences_are_those_of_brute_force() {
    let samples = [
        sample::<Minishogi>(1_000, 5),
        sample::<KyotoShogi>(1_000, 5),
        sample::<Shogi34>(1_000, 7),
        sample::<Dobutsu>(1_000, 7),
    ];
    assert!(samples.iter().all(|seen| seen.mated > 1 && seen.saved > 200), "{samples:?}");
}

/// The position after the quiet move of a brinkmate.
#[test]
fn nothing_helps_after_the_quiet_move_of_a_brinkmate() {
    let root = "7nl/7k1/6p2/7Pp/9/9/9/9/9 b GS2r2b3g3s3n3l15p 1";
    let mut position = parse_problem::<Shogi>(root).unwrap();
    for mv in ["S*2c", "2b1c", "2c3d+"] {
        position = position.play(shogi_rules::parse_usi(mv).unwrap()).unwrap();
    }
    assert!(!position.is_check());
    let found = defend(&position, false, DefendUntil::EachIsDecided, u64::MAX);
    assert_eq!(found.answer.status, Status::Mate);
    assert!(found.replies.len() > 100, "{}", found.replies.len());
    assert!(found.replies.iter().all(|reply| reply.attack.status == Status::Mate));
    let end = found.answer.line.iter().fold(position, |position, &mv| position.play(mv).unwrap());
    assert!(end.has_no_move());
}

/// A search that ends with the first reply that helps says the same of the whole, and nothing wrong of the others.
#[test]
fn a_reply_that_helps_ends_the_search_where_no_more_is_wanted() {
    let (mut random, mut seen) = (Random::new(3), [0; 3]);
    for number in 0..300 {
        let root = legal::<Minishogi>(&mut random, Style::ALL[number % Style::ALL.len()]);
        let all = defend(&root, false, DefendUntil::EachIsDecided, NODES);
        let some = defend(&root, false, DefendUntil::OneHelps, NODES);
        assert_eq!(some.answer.status, all.answer.status, "{}", to_sfen(&root));
        for (some, all) in some.replies.iter().zip(&all.replies) {
            assert_eq!(some.mv, all.mv);
            let same = some.attack.status == all.attack.status;
            assert!(same || some.attack.status == Status::Unknown, "{}", to_sfen(&root));
        }
        seen[all.answer.status as usize] += 1;
    }
    assert!(seen[0] > 5 && seen[1] > 100, "{seen:?}");
}

#[test]
fn a_budget_that_ends_leaves_replies_undecided() {
    let root = parse_problem::<Shogi>("8k/9/9/9/9/9/9/9/9 b R2GSr2b2g3s4n4l18p 1").unwrap();
    let root = root.play(shogi_rules::parse_usi("R*1h").unwrap()).unwrap();
    let found = defend(&root, false, DefendUntil::EachIsDecided, 500);
    assert_eq!((found.answer.status, found.answer.plies), (Status::Unknown, None));
    assert!(usi(&found.answer.line).is_empty() && !found.replies.is_empty());
}
