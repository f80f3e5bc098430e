//! Published mate problems of known length.

use shogi_mate::{Budget, MateSolver, Options, Status};
use shogi_rules::shogi_core::Position;
use shogi_rules::{Rules, Shogi, Verdict, parse_position, parse_problem};

const PROBLEMS: &str = include_str!("data/tsume.tsv");

/// Problems whose length here is another than in the source, by name: the length over all legal
/// moves, or none. Most sources do not count interpositions that only prolong the mate (muda-ai); the
/// programs here count every legal move.
const OTHERWISE: [(&str, Option<u32>); 13] = [
    ("antma-1-2", Some(13)),
    ("antma-1-4", Some(15)),
    ("antma-1-11", Some(3)),
    ("antma-1-12", Some(3)),
    ("antma-1-13", Some(3)),
    ("antma-1-15", Some(7)),
    ("antma-1-16", Some(3)),
    ("antma-1-17", None),
    ("antma-3-18", Some(5)),
    ("antma-3-21", None),
    ("antma-3-22", None),
    ("antma-5-2", Some(7)),
    ("antma-5-5", Some(7)),
];

struct Problem {
    name: &'static str,
    position: Position<Shogi>,
    /// The length in the source, where it gives one.
    plies: Option<u32>,
}

fn problems() -> impl Iterator<Item = Problem> {
    PROBLEMS.lines().skip(1).map(|line| {
        let fields: Vec<_> = line.split('\t').collect();
        let position = parse_problem(fields[1]).unwrap();
        Problem { name: fields[0], position, plies: fields[2].parse().ok() }
    })
}

#[test]
fn problems_of_up_to_13_plies_have_their_length() {
    let options = Options { hash_bytes: 32 << 20, shortest: true };
    let mut solver = MateSolver::<Shogi>::new(options);
    let mut solved = 0;
    let (mut nodes, mut expansions, mut expansions_of_13) = (0, 0, 0);
    for problem in problems().filter(|problem| problem.plies.is_some_and(|plies| plies <= 13)) {
        let name = problem.name;
        let known = OTHERWISE.iter().find(|(other, _)| *other == name);
        let expected = known.map_or(problem.plies, |&(_, plies)| plies);
        let answer = solver.solve(&problem.position, &mut Budget::nodes(10_000_000));
        let status = if expected.is_some() { Status::Mate } else { Status::NoMate };
        assert_eq!((answer.status, answer.plies), (status, expected), "{name}");
        assert_eq!(answer.exact, expected.is_some(), "{name}");
        let end = answer
            .line
            .iter()
            .fold(problem.position, |position, &mv| position.play(mv).expect("a legal line"));
        assert_eq!(Shogi::verdict(&end).is_some_and(|v| v == Verdict::Loss), expected.is_some());
        assert_eq!(answer.line.len() as u32, expected.unwrap_or(0), "{name}");
        solved += 1;
        nodes += answer.nodes;
        expansions += answer.expansions;
        if problem.plies == Some(13) {
            expansions_of_13 += answer.expansions;
        }
    }
    assert_eq!(solved, 115);
    // The numbers are the same on every machine.
    assert!(nodes < 210_000 && expansions < 40_000, "{nodes} {expansions}");
    // From any mate downwards they are 17,975; upwards with numbers anew for each limit, 19,933.
    assert!(expansions_of_13 <= 17_975, "{expansions_of_13}");
}

/// A mate in 11 in which a search for any mate comes upon one of 35 plies first, after millions of
/// moves.
const SHORT_BESIDE_LONG: &str = "p2pkgs2/7Lp/nL1Gg3n/b3pPl2/1p6N/NrR6/LP4p2/S7+p/1SG1K4 b BS9P 181";

#[test]
fn a_short_mate_is_found_beside_a_long_one() {
    let position = parse_position(SHORT_BESIDE_LONG).unwrap();
    let options = Options { hash_bytes: 64 << 20, shortest: true };
    let answer = MateSolver::<Shogi>::new(options).solve(&position, &mut Budget::nodes(1_000_000));
    assert_eq!((answer.status, answer.plies, answer.exact), (Status::Mate, Some(11), true));
    // KomoringHeights 1.1.0 enters 58,367 positions.
    assert!(answer.expansions <= 58_367, "{}", answer.expansions);
}

/// Zuko 98: a king alone on the board, published with 41 plies. A search for any mate finds one of 45.
#[test]
fn a_mate_of_45_plies_becomes_one_of_37() {
    let problem = problems().find(|problem| problem.name == "zuko 98 (naked king)").unwrap();
    let options = Options { hash_bytes: 256 << 20, shortest: true };
    let answer =
        MateSolver::<Shogi>::new(options).solve(&problem.position, &mut Budget::nodes(4_000_000));
    assert_eq!((answer.status, answer.plies, answer.exact), (Status::Mate, Some(37), false));
    let end = answer
        .line
        .iter()
        .fold(problem.position, |position, &mv| position.play(mv).expect("a legal line"));
    assert_eq!((answer.line.len(), Shogi::verdict(&end)), (37, Some(Verdict::Loss)));
}

/// Muso 1: a king that is chased past many forks, whose ways meet again, and round cycles.
#[test]
fn work_where_paths_meet_again_is_not_counted_twice() {
    let problem = problems().find(|problem| problem.name == "muso 1").unwrap();
    let options = Options { hash_bytes: 1 << 30, shortest: false };
    let answer =
        MateSolver::<Shogi>::new(options).solve(&problem.position, &mut Budget::nodes(10_000_000));
    // It takes 14.5 million where no fork is noted, so that both ways count.
    assert_eq!(answer.status, Status::Mate, "{}", answer.nodes);
}
