//! Composed problems, against the definition written out.

use shogi_core::{Move, Position};
use shogi_rules::{Dobutsu, KyotoShogi, Minishogi, Rules, Shogi, Shogi34, parse_position, to_sfen};
use shogi_solve::Budget;
use shogi_solve::mate::{Composed, MateSolver, Options, PieceOf, Status, checks};
use shogi_solve::shogi_core::{self, Faults};

use testing::book_oracle::Oracle;

fn solver<R: Rules>() -> MateSolver<R> {
    MateSolver::new(Options { hash_bytes: 4 << 20, shortest: true })
}

/// The first problems of these attempts.
fn composed<R: Rules>(seed: u64, plies: u16, attempts: u64) -> Vec<Composed<R>> {
    let mut solver = solver();
    let attempt = |number| solver.compose(seed, number, plies, &mut Budget::nodes(50_000));
    (0..attempts).filter_map(attempt).collect()
}

/// Whether, up to the last move, only the moves of the line mate within as many plies as it has from there and two
/// more.
fn has_one_solution<R: Rules>(root: &Position<R>, line: &[Move<R>]) -> bool {
    let mut oracle = Oracle::default();
    let mut position = *root;
    for (ply, &in_line) in line.iter().enumerate() {
        let left = (line.len() - ply) as u32;
        if ply % 2 == 0 && (ply == 0 || left > 1) {
            let mates =
                |mv: &Move<R>| oracle.length(&position.play(*mv), false, left + 1).is_some();
            let mating: Vec<_> = checks(&position).into_iter().filter(mates).collect();
            if mating != [in_line] {
                return false;
            }
        }
        position = position.play(in_line);
    }
    true
}

/// Asserts that each problem has one solution of its length that leaves nothing in hand, and needs all its pieces.
fn assert_problems<R: Rules>(plies: u16, problems: &[Composed<R>]) {
    for Composed { position, examination } in problems {
        let name = to_sfen(position);
        let line = &examination.answer.line;
        let mut oracle = Oracle::default();
        let length = oracle.length(position, true, u32::from(plies) + 1);
        assert_eq!(length, Some(plies.into()), "{name}");
        assert_eq!(oracle.left(position, true, plies.into()), 0, "{name}");
        assert!(has_one_solution(position, line), "{name}");
        let again = solver().examine(position, &mut Budget::unlimited());
        assert!(again.is_sound() && again.answer.line == *line, "{name} {again:?}");
        for piece in pieces(position) {
            let Some(without) = taken_off(position, piece) else { continue };
            let mut oracle = Oracle::default();
            let same = oracle.length(&without, true, plies.into()) == Some(plies.into())
                && has_one_solution(&without, line);
            // A solution that is longer by more than two plies is another, too.
            let found = solver().examine(&without, &mut Budget::unlimited());
            let spoilt = found.answer.line != *line || !found.is_unique();
            assert!(!same || spoilt, "{name} without {piece:?}");
            assert!(spoilt, "{name} without {piece:?}");
        }
    }
}

fn pieces<R: Rules>(position: &Position<R>) -> Vec<PieceOf<R>> {
    use shogi_core::{Kind, Role};
    let is_royal = |kind: Kind| kind.spec::<R>().role == Role::Royal;
    let on_board = position.pieces().filter(|(_, piece)| !is_royal(piece.face.kind));
    let mut pieces: Vec<_> = on_board.map(|(square, _)| PieceOf::OnBoard(square)).collect();
    let hand = position.hand(position.side());
    pieces.extend(Kind::all::<R>().filter(|&kind| hand.has(kind)).map(PieceOf::InHand));
    pieces
}

fn taken_off<R: Rules>(position: &Position<R>, piece: PieceOf<R>) -> Option<Position<R>> {
    let mut placement = *position.placement();
    let kind = match piece {
        PieceOf::OnBoard(square) => placement.lift(square).unwrap().face.kind,
        PieceOf::InHand(kind) => {
            placement.hand_mut(position.side()).take(kind);
            kind
        }
    };
    placement.hand_mut(!position.side()).add(kind);
    Position::new_allowing(placement, Faults::MISSING_KING).ok()
}

macro_rules! composing {
    ($($name:ident: $rules:ident, $plies:expr, $attempts:expr, $least:expr;)*) => {$(
        #[test]
        fn $name() {
            let problems = composed::<$rules>(3, $plies, $attempts);
            println!("{} problems in {} attempts", problems.len(), $attempts);
            for problem in &problems {
                println!("{}", to_sfen(&problem.position));
            }
            assert!(problems.len() >= $least, "{}", problems.len());
            assert_problems($plies, &problems[..problems.len().min(10)]);
            // The attempts do not depend on each other.
            assert_eq!(composed::<$rules>(3, $plies, $attempts), problems);
            assert_ne!(composed::<$rules>(4, $plies, $attempts), problems);
        }
    )*};
}

composing! {
    minishogi_problems_are_sound: Minishogi, 3, 4000, 2;
    kyoto_problems_are_sound: KyotoShogi, 3, 10_000, 2;
    shogi34_problems_are_sound: Shogi34, 3, 3000, 2;
    dobutsu_problems_are_sound: Dobutsu, 3, 30_000, 1;
    shogi_problems_are_sound: Shogi, 1, 10_000, 2;
}

#[test]
fn a_problem_is_examined() {
    // Either rook mates.
    let position = parse_position::<Minishogi>("4k/R4/R4/5/K4 b - 1").unwrap();
    let found = solver().examine(&position, &mut Budget::unlimited());
    assert!(found.complete && !found.is_unique() && !found.is_sound());
    let early = solver().examine(&position, &mut Budget::nodes(1));
    assert!(!early.complete && !early.is_sound());
    let none = parse_position::<Minishogi>("4k/5/5/5/K4 b G 1").unwrap();
    let found = solver().examine(&none, &mut Budget::unlimited());
    assert_eq!((found.answer.status, found.complete), (Status::NoMate, true));
    assert!(!found.is_unique() && found.unnecessary.is_empty() && found.useless.is_empty());
}
