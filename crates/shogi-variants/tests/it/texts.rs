//! Games that were read as text, several at once and on several threads.
#![cfg(all(
    feature = "learn",
    feature = "proof",
    feature = "rank",
    feature = "reach",
    feature = "solve",
    feature = "text"
))]

use std::ops::ControlFlow;
use std::thread;

use shogi_variants::Variant;
use shogi_variants::learn::arena::Test;
use shogi_variants::learn::self_play::{Effort, SelfPlay};
use shogi_variants::operations::{JudgedBy, Numbering};
use shogi_variants::play::{AnyPlay, Choice};
use shogi_variants::proof::Reader;
use shogi_variants::reach::SearchLimit;
use shogi_variants::search::{Control, Level, Limits};
use shogi_variants::solve::{Budget, Options};
use shogi_variants::tasks::{MateTask, Session, Task as _};

/// A game of pawns and kings on so many files.
fn game(name: &str, start: &str) -> Variant {
    let text = format!(
        "name = \"{name}\"\nstart = \"{start}\"\n[pieces]\nP = {{ front = \"pawn\", back = \"gold\" }}\n\
         K = {{ front = \"king\", royal = true }}\n"
    );
    Variant::from_text(&text).unwrap()
}

fn small() -> Variant {
    game("small", "1k1/1p1/1P1/1K1 b - 1")
}

fn wide() -> Variant {
    game("wide", "2k2/2p2/5/2P2/2K2 b - 1")
}

/// A board of more than 64 squares.
fn tall() -> Variant {
    game("tall", "3k4/3p4/8/8/8/8/8/8/3P4/3K4 b - 1")
}

/// The results of a work on this thread, and on one of its own.
fn on_both<T: Send>(work: impl Fn() -> T + Sync) -> [T; 2] {
    let here = work();
    [here, thread::scope(|scope| scope.spawn(&work).join().unwrap())]
}

#[test]
fn rules_of_two_texts_are_used_in_turns_and_on_threads() {
    let games = [small(), wide(), tall(), Variant::Minishogi];
    let alone = games.map(|game| game.rules().perft("startpos", 3).unwrap());
    assert_eq!(alone[0], 130);
    let rules = games.map(Variant::rules);
    for _ in 0..2 {
        for (n, name) in ["small", "wide", "tall", "minishogi"].iter().enumerate() {
            let (rules, perft) = (rules[n], alone[n]);
            assert_eq!(on_both(|| rules.name()), [*name; 2]);
            assert_eq!(on_both(|| rules.perft("startpos", 3).unwrap()), [perft; 2]);
            let start = rules.position("startpos", None).unwrap();
            let moves = rules.moves("startpos", None).unwrap();
            assert_eq!(on_both(|| rules.moves(&start, None).unwrap()), [moves.clone(), moves]);
            assert_eq!(
                on_both(|| rules.diagram(&start, None).unwrap().sfen),
                [start.clone(), start]
            );
            let divided = rules.divide("startpos", 3, None, &|_| ControlFlow::Continue(()));
            assert_eq!(divided.unwrap().iter().map(|first| first.nodes).sum::<u64>(), perft);
        }
    }
}

#[test]
fn a_task_inside_the_report_of_another_leaves_its_rules_alone() {
    let (small, wide) = (small().rules(), wide().rules());
    let other = |_| {
        assert_eq!(wide.name(), "wide");
        wide.perft("startpos", 2).unwrap();
        ControlFlow::Continue(())
    };
    let divided = small.divide("startpos", 6, None, &other).unwrap();
    let nodes: u64 = divided.iter().map(|first| first.nodes).sum();
    assert_eq!(nodes, small.perft("startpos", 6).unwrap());
}

#[test]
fn numbers_and_classes_of_two_texts_are_used_in_turns_and_on_threads() {
    let games = [small(), wide()];
    let sizes = games.map(|game| game.ranking().counts().unwrap().distinct);
    assert_ne!(sizes[0], sizes[1]);
    let numbered = games.map(|game| game.ranking().numbered(Numbering::default()).unwrap());
    let classifiers =
        games.map(|game| game.reach().classifier(SearchLimit::default(), true).unwrap());
    for n in [0, 1, 0] {
        assert_eq!(
            on_both(|| games[n].ranking().counts().unwrap().distinct),
            [(); 2].map(|()| sizes[n].clone())
        );
        let numbered = &numbered[n];
        let [rank, there] = on_both(|| numbered.rank("startpos").unwrap());
        assert_eq!(rank, there);
        let start = games[n].rules().position("startpos", None).unwrap();
        for sfen in on_both(|| numbered.unrank(&rank.rank, None).unwrap()) {
            assert!(games[n].rules().is_same_placement(&sfen, &start).unwrap(), "{sfen}");
        }
        let classifier = &classifiers[n];
        for classified in on_both(|| classifier.classify("startpos").unwrap()) {
            assert_eq!(classified.decided.is_reachable(), Some(true));
            let certificate = classified.certificate.unwrap();
            for verified in on_both(|| games[n].reach().verify(&certificate)) {
                verified.unwrap();
            }
        }
        let [drawn, there] = on_both(|| classifier.draw(1, None).unwrap());
        assert_eq!(drawn, there);
    }
}

#[test]
fn solvers_and_proofs_of_two_texts_are_used_in_turns_and_on_threads() {
    let nine = game("nine", "1k1/1p1/1K1 b - 1");
    let games = [nine, small()];
    let mut solvers = games.map(|game| {
        game.solving()
            .solver("startpos", Options { hash_bytes: 1 << 20, ..Options::default() })
            .unwrap()
    });
    // In turns, a little each time.
    for _ in 0..200 {
        for solver in &mut solvers {
            solver.run(&mut Budget::nodes(500));
        }
    }
    for (game, solver) in games.into_iter().zip(solvers) {
        wide().rules().perft("startpos", 1).unwrap();
        let solution = solver.into_solution(None);
        let Some(proof) = solution.proof else { continue };
        let claimed = proof.claimed(None);
        assert_eq!(claimed.variant, game.name());
        for checked in on_both(|| proof.check()) {
            checked.unwrap();
        }
        let [line, there] = on_both(|| proof.line(true, None));
        assert_eq!(line, there);
        let mut file = Vec::new();
        proof.write(&mut file).unwrap();
        let reader = Reader::new(Box::new(&*file) as Box<dyn std::io::Read>).unwrap();
        let loaded = game.proofs().load(reader).unwrap();
        assert_eq!(on_both(|| loaded.claimed(None)), [claimed.clone(), claimed]);
    }
    let mates = on_both(|| {
        let task = MateTask { shortest: true, hash: 1, ..MateTask::default() };
        task.answer(nine, "1k1/3/1K1 b P 1", &mut Session::new(Budget::nodes(1000))).unwrap()
    });
    assert_eq!(mates[0], mates[1]);
}

#[test]
fn games_of_two_texts_are_played_in_turns() {
    let settings = SelfPlay { effort: Effort::Nodes(20), ..SelfPlay::default() };
    let games = [small(), wide()];
    let material = JudgedBy::Name("material");
    let mut runs =
        games.map(|game| game.learning().self_play("startpos", settings, material).unwrap());
    for played in 1..=2 {
        for run in &mut runs {
            let _ = run.play(played, 1, &mut |_| ControlFlow::Continue(()));
        }
    }
    let mut archives = Vec::new();
    for (game, run) in games.iter().zip(&runs) {
        let summary = run.archive().summary();
        assert_eq!((summary.variant, summary.games), (game.name(), 2));
        let mut file = Vec::new();
        run.archive().write(&mut file).unwrap();
        archives.push(file);
    }
    for (game, file) in games.iter().zip(&archives) {
        let mut records = Vec::new();
        let archive = game.learning().archive(file).unwrap();
        archive.write_records(&mut records, None).unwrap();
        let start = game.rules().position("startpos", None).unwrap();
        assert!(String::from_utf8(records).unwrap().contains(start.split(' ').next().unwrap()));
    }
    // A game is of its own rules alone.
    assert!(games[0].learning().archive(&archives[1]).is_err());
    let mut matches = games.map(|game| {
        let test = Test { pairs: 1, low: 0.0, high: 10.0 };
        game.learning().play_match("startpos", settings, test, [material; 2]).unwrap()
    });
    for played in &mut matches {
        played.run(1, &mut |_| ControlFlow::Continue(()));
        let mut file = Vec::new();
        played.write(&mut file).unwrap();
    }
    let evaluations = games.map(|game| game.playing().evaluation(material).unwrap());
    for evaluation in &evaluations {
        assert_eq!(evaluation.explain("startpos").unwrap().value, 0);
    }
}

#[test]
fn two_texts_are_played_in_turns() {
    let level = Level::new(1).unwrap();
    let mut games = [small(), wide()].map(|game| game.play("startpos", level).unwrap());
    let counts = |games: &[AnyPlay; 2]| [0, 1].map(|n| games[n].legal_moves(None).len());
    let alone = [small(), wide()].map(|game| game.rules().perft("startpos", 1).unwrap() as usize);
    assert_eq!(counts(&games), alone);
    for game in &mut games {
        let choice = game.choose(level, 1, &Limits::default(), &Control::new());
        assert!(matches!(choice, Choice::Played(_)), "{choice:?}");
    }
    assert_eq!(games.each_ref().map(|game| game.moves(None).len()), [1, 1]);
    assert!(games[0].start(None).starts_with("1k1/1p1/1P1/1K1 "));
}
