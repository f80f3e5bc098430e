//! Composed problems, against the definition written out.

use shogi_core::Kind;
use shogi_mate::shogi_core;
use shogi_mate::{
    Budget, Composed, MateSolver, Options, PieceOf, ProblemSource, Status, Unknown, Wanted,
};
use shogi_rules::{
    Dobutsu, KyotoShogi, Minishogi, Rules, Shogi, Shogi34, parse_position, parse_problem, to_sfen,
};
use testing::book_oracle::Oracle;
use testing::problem_judge::{Judge, pieces};

fn solver<R: Rules>() -> MateSolver<R> {
    MateSolver::new(Options { hash_bytes: 4 << 20, shortest: true })
}

/// The problems of these attempts.
fn composed<R: Rules>(seed: u64, wanted: &Wanted, attempts: u64) -> Vec<Composed<R>> {
    let mut solver = solver();
    let attempt = |number| solver.compose(seed, number, wanted, &mut Budget::nodes(50_000));
    (0..attempts).filter_map(attempt).collect()
}

/// Asserts that each problem has one solution of its length that leaves nothing in hand, and needs all its pieces.
fn assert_problems<R: Rules>(plies: u16, problems: &[Composed<R>]) {
    let judge = Judge { beyond: 2, effort: 20_000 };
    for Composed { position, examination } in problems {
        let name = to_sfen(position);
        let line = &examination.answer.line;
        let mut oracle = Oracle::default();
        let length = oracle.length(position, true, u32::from(plies) + 1);
        assert_eq!(length, Some(plies.into()), "{name}");
        assert_eq!(oracle.left(position, true, plies.into()), 0, "{name}");
        assert!(judge.is_best_line(&mut oracle, position, line), "{name}");
        assert_eq!(judge.beside(&mut oracle, position, line).mating, [], "{name}");
        let again = solver().examine(position, &mut Budget::unlimited());
        assert!(again.is_sound() && again.answer.line == *line, "{name} {again:?}");
        for piece in pieces(position) {
            let is_spared = judge.has_only_solution(&piece.without, line) == Some(true);
            assert!(!is_spared, "{name} without {}", piece.name);
        }
    }
}

macro_rules! composing {
    ($($name:ident: $rules:ident, $wanted:expr, $attempts:expr, $least:expr;)*) => {$(
        #[test]
        fn $name() {
            let wanted = $wanted;
            let problems = composed::<$rules>(3, &wanted, $attempts);
            println!("{} problems in {} attempts", problems.len(), $attempts);
            for problem in &problems {
                println!("{}", to_sfen(&problem.position));
            }
            assert!(problems.len() >= $least, "{}", problems.len());
            assert_problems(wanted.plies, &problems[..problems.len().min(10)]);
            // The attempts do not depend on each other.
            assert_eq!(composed::<$rules>(3, &wanted, $attempts), problems);
            assert_ne!(composed::<$rules>(4, &wanted, $attempts), problems);
        }
    )*};
}

composing! {
    minishogi_problems_are_sound: Minishogi, Wanted::plies(3), 4000, 2;
    kyoto_problems_are_sound: KyotoShogi, Wanted::plies(3), 10_000, 2;
    shogi34_problems_are_sound: Shogi34, Wanted::plies(3), 3000, 2;
    dobutsu_problems_are_sound: Dobutsu, Wanted::plies(3), 30_000, 1;
    shogi_problems_are_sound: Shogi, Wanted::plies(1), 10_000, 2;
    minishogi_problems_from_games_are_sound: Minishogi, from_games(3), 200, 2;
    shogi_problems_from_games_are_sound: Shogi, from_games(1), 200, 2;
}

fn from_games(plies: u16) -> Wanted {
    Wanted { source: ProblemSource::Games, ..Wanted::plies(plies) }
}

#[test]
fn problems_have_the_wanted_properties() {
    let all = composed::<Minishogi>(3, &Wanted::plies(3), 4000);
    let wanted = Wanted { most_pieces: 7, least_sacrifices: 1, ..Wanted::plies(3) };
    let found = composed::<Minishogi>(3, &wanted, 4000);
    let suits = |problem: &&Composed<Minishogi>| {
        let (root, line) = (problem.position, &problem.examination.answer.line);
        let gives = root.play_unchecked(line[0]).piece(line[1].to()).is_some();
        let hand = root.hand(root.side());
        let held = Kind::all::<Minishogi>().map(|kind| usize::from(hand.count(kind)));
        gives && root.pieces().count() + held.sum::<usize>() <= 7
    };
    let expected: Vec<_> = all.iter().filter(suits).cloned().collect();
    assert!(!expected.is_empty() && expected.len() < all.len(), "{}", expected.len());
    assert_eq!(found, expected);
}

/// The pieces without use of a problem in this game.
fn unnecessary<R: Rules>(problem: &str) -> Vec<PieceOf<R>> {
    let found = solver().examine(&parse_problem::<R>(problem).unwrap(), &mut Budget::unlimited());
    assert!(found.complete && found.is_unique(), "{problem}");
    found.unnecessary
}

#[test]
fn a_piece_that_only_keeps_the_line_before_one_as_good_is_not_needed() {
    // Without the knight on 2b the last move may be another, too.
    let knight = PieceOf::OnBoard("2b".parse().unwrap());
    assert_eq!(unnecessary::<KyotoShogi>("5/3Nk/2N2/4P/5 b SLslp 1"), [knight]);
    // Without the pawn on 3b the king flees to either side, and the mates are each other's mirror image.
    let pawn = PieceOf::OnBoard("3b".parse().unwrap());
    assert_eq!(unnecessary::<Shogi34>("1k1/P2/1S1/3 b LP4r4b4g3s4n3l4p 1"), [pawn]);
}

#[test]
fn a_problem_is_examined() {
    // Either rook mates.
    let position = parse_position::<Minishogi>("4k/R4/R4/5/K4 b - 1").unwrap();
    let found = solver().examine(&position, &mut Budget::unlimited());
    assert!(found.complete && !found.is_unique() && !found.is_sound());
    let early = solver().examine(&position, &mut Budget::nodes(1));
    assert!(!early.complete && !early.is_sound());
    assert_eq!(
        early.unknown,
        [Unknown::Solution, Unknown::Others, Unknown::Useless, Unknown::Pieces]
    );
    // Five plies with cooks, some of which no search decides soon.
    let cooked = parse_problem::<Shogi>("6B2/5pk1b/7P1/5R3/9/9/9/9/9 b Gr3g4s4n4l16p 1").unwrap();
    let part = solver().examine(&cooked, &mut Budget::nodes(300_000));
    assert_eq!((part.answer.plies, part.answer.exact), (Some(5), true));
    assert_eq!((part.complete, &part.unknown[..]), (false, &[Unknown::Others][..]));
    let none = parse_position::<Minishogi>("4k/5/5/5/K4 b G 1").unwrap();
    let found = solver().examine(&none, &mut Budget::unlimited());
    assert_eq!((found.answer.status, found.complete), (Status::NoMate, true));
    assert!(!found.is_unique() && found.unnecessary.is_empty() && found.useless.is_empty());
}
