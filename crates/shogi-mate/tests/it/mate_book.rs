//! Mates as problem books count them, against the definition written out and against published problems.

use shogi_core::{Colour, Face, Faults, Kind, Move, Piece, Placement, Position, Role, Square};
use shogi_mate::shogi_core;
use shogi_mate::{Alternatives, Budget, MateAnswer, MateSolver, Options, Status, checks};
use shogi_rules::{KyotoShogi, Minishogi, Rules, Shogi, parse_problem, to_sfen, to_usi};
use testing::random::Random;

use testing::book_oracle::{Oracle, interposes};

const PROBLEMS: &str = include_str!("data/tsume.tsv");

/// Problems of the collection that their source has as having *no* mate in so many plies: they test what is no useless
/// interposition, a mate by a dropped pawn, and pieces that do not suffice. With what is right.
const NO_MATE_SO_SHORT: [(&str, Option<u32>); 5] = [
    ("antma-1-15", Some(5)),
    ("antma-1-16", Some(3)),
    ("antma-1-17", None),
    ("antma-3-21", None),
    ("antma-3-22", None),
];

/// Positions with interpositions from reports to authors of solvers, with the length that they agreed on.
const REPORTED: [(&str, u32); 10] = [
    // YaneuraOu #162.
    ("5pk2/7P1/4+R1+P1+b/8b/6R2/9/9/9/9 b 4g4s4n4l15p 1", 3),
    ("9/5g1s1/8k/6+R2/9/6R1S/5B3/9/9 b b3g2s4n4l18p 1", 3),
    // tsumeshogi-solver #20.
    ("9/9/6P2/9/4B4/9/6R2/7k+p/9 b Grb3g4s4n4l16p 1", 3),
    // KomoringHeights #8: useless in the narrow sense, and taken with mate at once.
    ("6p2/8k/9/6P2/8+P/9/9/9/8L b G2r2b3g4s4n3l15p 1", 11),
    ("7l1/7pk/9/9/8+P/9/9/9/8L b 2r2b4g4s4n2l16p 1", 1),
    ("9/9/9/8k/8B/8+R/9/9/9 b rb4g4s4n4l18p 1", 1),
    // shtsume #15: the interposed piece is covered by pinned pieces only.
    ("3+R3nk/8p/7P1/9/9/9/9/9/8B b 16p4l3n4s4gbr 1", 1),
    ("3+R3sk/8p/7P1/9/9/9/9/9/8B b rb4g3s4n4l16p 1", 1),
    ("3+R3nk/9/5p1G1/9/9/9/8p/9/8L b 16p3l3n4s3g2br 1", 1),
    ("3+R3bk/9/5p1G1/9/9/9/8p/9/8L b 16p3l4n4s3gbr 1", 1),
];

/// Positions in which an interposition is no use to the attacker, though it can be taken: there is no mate
/// (shtsume #14).
const EFFECTIVE: [&str; 3] = [
    "9/9/9/6rp1/6k2/3B2B2/2R3S2/9/9 b 4g3s4n4l17p 1",
    "4k4/3P5/3+B5/3B5/9/9/9/9/9 b L2r4g4s4n3l17p 1",
    "9/4+p4/7p1/4n2n1/6k2/3B2B2/2R2pS2/9/9 b r4g3s2n4l15p 1",
];

fn solver<R: Rules>() -> MateSolver<R> {
    MateSolver::new(Options { hash_bytes: 8 << 20, shortest: true })
}

fn usi<R: Rules>(line: &[Move<R>]) -> String {
    line.iter().map(|&mv| to_usi(mv)).collect::<Vec<_>>().join(" ")
}

#[test]
fn short_problems_have_the_length_of_the_book() {
    let (mut solver, mut solved, mut cooked) = (solver::<Shogi>(), 0, Vec::new());
    for line in PROBLEMS.lines().skip(1) {
        let fields: Vec<_> = line.split('\t').collect();
        let name = fields[0];
        let book = fields[2].parse::<u32>().ok();
        let Some(book) = book.filter(|&plies| plies <= 13) else { continue };
        let exception = NO_MATE_SO_SHORT.iter().find(|(other, _)| *other == name);
        let expected = exception.map_or(Some(book), |&(_, plies)| plies);
        let root = parse_problem::<Shogi>(fields[1]).unwrap();
        let answer = solver.solve_by_the_book(&root, &mut Budget::nodes(10_000_000));
        let status = if expected.is_some() { Status::Mate } else { Status::NoMate };
        assert_eq!((answer.status, answer.plies), (status, expected), "{name}");
        assert_eq!(answer.exact, expected.is_some(), "{name}");
        assert_line(&root, &answer);
        solved += 1;
        // These were checked to be sound: only a last move may be another.
        if name.starts_with("sbq") {
            let others =
                solver.alternatives_by_the_book(&root, &answer, &mut Budget::nodes(3_000_000));
            assert!(others.first_moves.contains(&answer.line[0]), "{name}");
            if others.first_moves.len() > 1 || !others.cooks.is_empty() || !others.complete {
                cooked.push(name);
            }
        }
    }
    assert_eq!(solved, 115);
    assert_eq!(cooked, Vec::<&str>::new());
}

#[test]
fn reported_positions_have_the_length_that_was_agreed_on() {
    let mut solver = solver::<Shogi>();
    for (sfen, plies) in REPORTED {
        let root = parse_problem::<Shogi>(sfen).unwrap();
        let moves = solver.solve(&root, &mut Budget::nodes(3_000_000));
        let book = solver.solve_by_the_book(&root, &mut Budget::nodes(3_000_000));
        assert_eq!((book.plies, book.exact), (Some(plies), true), "{sfen} {}", usi(&book.line));
        assert!(moves.plies > book.plies, "{sfen}");
        assert_line(&root, &book);
    }
    for sfen in EFFECTIVE {
        let book = solver
            .solve_by_the_book(&parse_problem::<Shogi>(sfen).unwrap(), &mut Budget::unlimited());
        assert_eq!(book.status, Status::NoMate, "{sfen}");
    }
}

/// A line is legal, gives check with every other move, is as long as the answer says, and at its end the defender can
/// at most interpose.
fn assert_line<R: Rules>(root: &Position<R>, answer: &MateAnswer<R>) {
    let name = to_sfen(root);
    assert_eq!(answer.line.len() as u32, answer.plies.unwrap_or(0), "{name}");
    let mut end = *root;
    for (ply, &mv) in answer.line.iter().enumerate() {
        if ply % 2 == 0 {
            assert!(checks(&end).contains(&mv), "{name} {}", to_usi(mv));
        }
        end = end.play(mv).expect("a legal line");
    }
    if !answer.line.is_empty() {
        let moves = end.legal_moves();
        assert!(moves.iter().all(|&mv| interposes(&end, mv)), "{name} {}", usi(&answer.line));
    }
}

#[test]
fn an_interposition_counts_where_the_mate_takes_longer_for_it() {
    // From the same tests of what is useless: where the bishop just takes the pawn, the mate is not what it was.
    let root =
        parse_problem::<Shogi>("k3l3R/p4s3/9/N8/4p4/4KBB2/9/1pp+l+l+l+n+n+n/+s+s+sggggr1 b 14p 1")
            .unwrap();
    let answer = solver().solve_by_the_book(&root, &mut Budget::unlimited());
    assert_eq!(usi(&answer.line), "4f5e P*6d 1a5a 4b5a 5e6d");
    assert!(interposes(&root.play_unchecked(answer.line[0]), answer.line[1]));
}

/// A king of the defender, a few pieces of both players around it, sliders among them, and more in hand.
fn few_pieces<R: Rules>(random: &mut Random) -> Option<Position<R>> {
    let mut placement = Placement::<R>::EMPTY;
    placement.set_side(Colour::Sente);
    let squares: Vec<Square<R::Geometry>> = Square::all().collect();
    let kinds: Vec<Kind> = Kind::all::<R>().collect();
    let (royals, others): (Vec<_>, Vec<_>) =
        kinds.into_iter().partition(|kind| kind.spec::<R>().role == Role::Royal);
    let king = Piece { face: Face::front(royals[0]), colour: Colour::Gote };
    let edge: Vec<_> = squares.iter().copied().filter(|square| square.rank() == 0).collect();
    let places = if random.percent(60) { &edge } else { &squares };
    let at = random.pick(places);
    placement.put(at, king);
    let distance = |a: u8, b: u8| a.abs_diff(b);
    let is_near = |square: &Square<R::Geometry>| {
        distance(square.file(), at.file()).max(distance(square.rank(), at.rank())) <= 2
    };
    let near: Vec<_> = squares.iter().copied().filter(is_near).collect();
    let mut left: Vec<u8> = others.iter().map(|kind| kind.spec::<R>().count).collect();
    for number in 0..3 + random.below(3) {
        let index = random.below(others.len());
        let places = if random.percent(60) { &near } else { &squares };
        let square = random.pick(places);
        if left[index] == 0 || placement.piece(square).is_some() {
            continue;
        }
        left[index] -= 1;
        let promoted = others[index].spec::<R>().back.is_some() && random.percent(30);
        let colour = if number > 2 && random.percent(60) { Colour::Gote } else { Colour::Sente };
        placement.put(square, Piece { face: Face { kind: others[index], promoted }, colour });
    }
    for (&kind, left) in others.iter().zip(left) {
        if left > 0 && random.percent(20) {
            placement.hand_mut(Colour::Sente).add(kind);
        } else if left > 0 && random.percent(40) {
            placement.hand_mut(Colour::Gote).add(kind);
        }
    }
    Position::new_allowing(placement, Faults::MISSING_KING).ok()
}

/// The findings by the definition and by the search: the number of mates of each length, and how many of them
/// are shorter than over all moves, and longer than without every interposition that can be taken back for
/// nothing.
fn differential<R: Rules>(seed: u64, positions: usize, within: u32) -> ([usize; 8], usize) {
    let mut random = Random::new(seed);
    let mut solver = solver::<R>();
    let (mut mates, mut shorter, mut tried) = ([0; 8], 0, 0);
    while tried < positions {
        let Some(root) = few_pieces::<R>(&mut random) else { continue };
        if checks(&root).is_empty() {
            continue;
        }
        tried += 1;
        let name = to_sfen(&root);
        let mut oracle = Oracle::default();
        let expected = oracle.length(&root, true, within);
        let moves = solver.solve(&root, &mut Budget::nodes(200_000));
        let answer = solver.solve_by_the_book(&root, &mut Budget::nodes(200_000));
        let Some(length) = expected else {
            assert!(!answer.exact || answer.plies > Some(within), "{name} {answer:?}");
            continue;
        };
        assert_eq!((answer.plies, answer.exact), (Some(length), true), "{name}");
        assert!(!moves.exact || moves.plies >= answer.plies, "{name}");
        mates[length as usize] += 1;
        shorter += usize::from(moves.plies > answer.plies);
        assert_line(&root, &answer);
        assert_best_line(&root, &answer, &mut oracle);
        let others = solver.alternatives_by_the_book(&root, &answer, &mut Budget::nodes(200_000));
        assert_alternatives(&root, &answer, &others, &mut oracle);
    }
    (mates, shorter)
}

/// Both sides' moves in the line are best by the definition, and no such line leaves fewer pieces.
fn assert_best_line<R: Rules>(root: &Position<R>, answer: &MateAnswer<R>, oracle: &mut Oracle<R>) {
    let name = to_sfen(root);
    let mut position = *root;
    for (ply, &mv) in answer.line.iter().enumerate() {
        let left = (answer.line.len() - ply) as u32;
        assert_eq!(oracle.length(&position, ply % 2 == 0, left), Some(left), "{name}");
        if ply % 2 == 1 {
            let (_, replies) = oracle.defence(&position, left).unwrap();
            assert!(replies.contains(&mv), "{name} {}", usi(&answer.line));
        }
        position = position.play_unchecked(mv);
    }
    assert_eq!(oracle.length(&position, false, 0), Some(0), "{name}");
    let fewest = oracle.left(root, true, answer.line.len() as u32);
    assert_eq!(oracle.left(&position, false, 0), fewest, "{name} {}", usi(&answer.line));
}

/// First moves, last moves and cooks that are no longer than the line are just those of the definition.
fn assert_alternatives<R: Rules>(
    root: &Position<R>,
    answer: &MateAnswer<R>,
    others: &Alternatives<R>,
    oracle: &mut Oracle<R>,
) {
    let name = to_sfen(root);
    let mut position = *root;
    for (ply, &in_line) in answer.line.iter().enumerate() {
        let left = (answer.line.len() - ply) as u32;
        if ply % 2 == 0 {
            let mut expected = checks(&position);
            expected.retain(|&mv| {
                oracle.length(&position.play_unchecked(mv), false, left - 1).is_some()
            });
            let mut found: Vec<_> = match (ply, left) {
                (0, _) => others.first_moves.clone(),
                (_, 1) => others.last_moves.clone(),
                _ => {
                    let cooks = others.cooks.iter();
                    let cooks = cooks.filter(|cook| cook.ply == ply && cook.plies <= left);
                    cooks.map(|cook| cook.mv).collect()
                }
            };
            if ply > 0 {
                found.push(in_line);
            }
            expected.sort();
            found.sort();
            assert_eq!(found, expected, "{name} {ply}");
        }
        position = position.play_unchecked(in_line);
    }
}

macro_rules! differential {
    ($($name:ident: $rules:ident, $positions:expr, $plies:expr;)*) => {$(
        #[test]
        fn $name() {
            let (mates, shorter) = differential::<$rules>(5, $positions, $plies);
            println!("mates by length {mates:?}, {shorter} of them shorter than over all moves");
            assert!(mates[1] > 20 && mates[3] > 5 && shorter > 3, "{mates:?} {shorter}");
        }
    )*};
}

differential! {
    minishogi_is_counted_by_the_definition: Minishogi, 400, 5;
    kyoto_shogi_is_counted_by_the_definition: KyotoShogi, 4000, 3;
    shogi_is_counted_by_the_definition: Shogi, 200, 3;
}
