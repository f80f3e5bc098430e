//! Searches for a mate that stop and resume, and the proofs of what they find.

use shogi_mate::{Budget, LineError, MateReader, MateRun, MateSolver, Options, Status, Wish};
use shogi_proof::Proof;
use shogi_rules::shogi_core::{Position, checks};
use shogi_rules::{KyotoShogi, Minishogi, Rules, Shogi, parse_problem, parse_usi, to_sfen};
use testing::random::Random;
use testing::sample::{Style, legal};

const OPTIONS: Options = Options { hash_bytes: 8 << 20, shortest: false };

fn problem<R: Rules>(sfen: &str) -> Position<R> {
    parse_problem(sfen).unwrap()
}

fn thirteen() -> Position<Minishogi> {
    problem("r1k2/2p2/5/2P2/2K2 b RBGSbgs 1")
}

fn saved<R: Rules>(run: &MateRun<R>) -> Vec<u8> {
    let mut file = Vec::new();
    run.write(&mut file).unwrap();
    file
}

/// Ends a search in parts, each of which resumes from what the one before it has saved; `begin` is done to each at its
/// start. Returns the search and the number of parts.
fn in_parts(
    wish: Wish,
    begin: impl Fn(MateRun<Minishogi>) -> MateRun<Minishogi>,
) -> (MateRun<Minishogi>, u32) {
    let mut run = begin(MateRun::new(thirteen(), wish, 1, OPTIONS));
    let mut parts = 0_u32;
    loop {
        // A turn that a budget ends is taken again, so that budgets have to grow.
        run.run(&mut Budget::nodes(300 << parts.min(20)));
        parts += 1;
        // That the least length is known is found again from the table, and is not in the file.
        if run.has_ended() {
            return (run, parts);
        }
        let file = saved(&run);
        run = begin(MateReader::new(&file[..]).unwrap().run(thirteen(), wish, 1, OPTIONS).unwrap());
        let entries = MateReader::new(&file[..]).unwrap().check::<Minishogi>().unwrap();
        assert!(entries > 3, "{entries}");
    }
}

#[test]
fn a_search_in_parts_finds_what_one_whole_search_finds() {
    for wish in Wish::ALL {
        let (mut run, parts) = in_parts(wish, |run| run);
        let answer = run.answer(&mut Budget::unlimited());
        assert!(parts > 1 && answer.status == Status::Mate, "{wish:?} {parts}");
        let least = answer.plies == Some(13) && answer.exact;
        assert!(least || wish == Wish::Any, "{wish:?} {:?}", answer.plies);
        assert_eq!(answer.plies, Some(answer.line.len() as u32));
    }
}

#[test]
fn several_threads_resume_what_one_has_begun() {
    let mut run = MateRun::new(thirteen(), Wish::Any, 1, OPTIONS);
    run.run(&mut Budget::nodes(300));
    let file = saved(&run);
    let reader = MateReader::new(&file[..]).unwrap();
    let mut run = reader.run(thirteen(), Wish::Any, 2, OPTIONS).unwrap();
    run.run(&mut Budget::unlimited());
    assert_eq!(run.answer(&mut Budget::unlimited()).status, Status::Mate);
    let proof = run.proof(&mut Budget::unlimited()).unwrap();
    assert!(proof.check().unwrap().plies >= Some(13));
}

#[test]
fn the_nodes_of_a_run_are_those_of_the_solver() {
    for (wish, shortest) in [(Wish::Any, false), (Wish::Shortest, true)] {
        let mut run = MateRun::new(thirteen(), wish, 1, OPTIONS);
        run.run(&mut Budget::unlimited());
        let answer = run.answer(&mut Budget::unlimited());
        let mut solver = MateSolver::new(Options { shortest, ..OPTIONS });
        assert_eq!(answer, solver.solve(&thirteen(), &mut Budget::unlimited()));
    }
}

/// Entries are written in the order of their places, so that a table which is still small has room for few of them.
#[test]
fn a_checkpoint_keeps_every_entry() {
    let root = problem::<Minishogi>("2k2/5/5/5/2K2 b RBGSPrbgsp 1");
    for threads in [1, 2] {
        let mut run = MateRun::new(root, Wish::Any, threads, OPTIONS);
        run.run(&mut Budget::nodes(200_000));
        let file = saved(&run);
        let entries = |file: &[u8]| MateReader::new(file).unwrap().check::<Minishogi>().unwrap();
        let again = MateReader::new(&file[..]).unwrap().run(root, Wish::Any, threads, OPTIONS);
        assert!(entries(&file) > 20_000, "more than a table holds at first");
        assert_eq!(entries(&saved(&again.unwrap())), entries(&file), "{threads}");
    }
}

#[test]
fn any_mate_that_was_found_is_made_shorter() {
    let root = problem::<Minishogi>("+R3K/5/+S1G2/+p3B/1Bkrs b Gp 1");
    let mut any = MateRun::new(root, Wish::Any, 1, OPTIONS);
    any.run(&mut Budget::unlimited());
    let (file, first) = (saved(&any), any.answer(&mut Budget::unlimited()));
    assert!(first.status == Status::Mate && first.plies > Some(21) && !first.exact, "{first:?}");
    for wish in [Wish::Shortest, Wish::Book] {
        let mut run = MateReader::new(&file[..]).unwrap().run(root, wish, 1, OPTIONS).unwrap();
        assert!(!run.has_ended());
        run.run(&mut Budget::unlimited());
        let answer = run.answer(&mut Budget::unlimited());
        let solver = &mut MateSolver::new(Options { shortest: true, ..OPTIONS });
        let anew = match wish {
            Wish::Book => solver.solve_by_the_book(&root, &mut Budget::unlimited()),
            _ => solver.solve(&root, &mut Budget::unlimited()),
        };
        assert_eq!((answer.plies, answer.exact), (anew.plies, true), "{wish:?}");
    }
}

/// A line, the author's or found before, guides searches of each kind, in parts and from checkpoints.
#[test]
fn a_known_line_guides_a_search_that_resumes() {
    let solver = &mut MateSolver::new(Options { shortest: true, ..OPTIONS });
    let shortest = solver.solve(&thirteen(), &mut Budget::unlimited()).line;
    for wish in Wish::ALL {
        let (mut run, parts) = in_parts(wish, |run| run.along(&shortest).unwrap());
        let answer = run.answer(&mut Budget::unlimited());
        assert!(parts > 1 && answer.plies == Some(13), "{wish:?} {parts} {answer:?}");
        assert_eq!(answer.exact, wish != Wish::Any);
    }
}

#[test]
fn the_first_wrong_move_of_a_line_is_named() {
    let line = |moves: &str| {
        let moves: Vec<_> = moves.split(' ').map(|mv| parse_usi(mv).unwrap()).collect();
        MateRun::new(thirteen(), Wish::Any, 1, OPTIONS).along(&moves).map(drop)
    };
    let text = "5a4a".to_owned();
    assert_eq!(line("5a4a"), Err(LineError::Illegal { number: 1, text }));
    let Err(error) = line("B*1c S*2b G*1a") else { panic!("no check") };
    assert_eq!(error.to_string(), "move 3 of the line, G*1a, gives no check");
}

#[test]
fn a_checkpoint_of_another_search_is_refused() {
    let file = saved(&MateRun::new(thirteen(), Wish::Shortest, 1, OPTIONS));
    let refused = |root, wish| {
        let run = MateReader::new(&file[..]).unwrap().run::<Minishogi>(root, wish, 1, OPTIONS);
        run.map(drop).unwrap_err().to_string()
    };
    assert!(refused(thirteen(), Wish::Book).contains("its wish is shortest, not book"));
    assert!(refused(thirteen(), Wish::Any).contains("its wish is shortest, not any"));
    let other = problem("4k/5/4P/5/K4 b 2G 1");
    assert!(refused(other, Wish::Shortest).contains("its root is r1k2/"));
    let error = MateReader::new(&file[..]).unwrap().check::<KyotoShogi>().unwrap_err();
    assert!(error.to_string().contains("its variant is minishogi, not kyotoshogi"), "{error}");
}

#[test]
fn every_damage_of_a_checkpoint_is_found() {
    let mut run = MateRun::new(thirteen(), Wish::Shortest, 1, OPTIONS);
    run.run(&mut Budget::nodes(60));
    let file = saved(&run);
    let check = |file: &[u8]| MateReader::new(file).and_then(MateReader::check::<Minishogi>);
    assert!(check(&file).unwrap() > 3);
    testing::damage::assert_damage_is_found(&file, check);
}

/// Proofs of random mates: of positions, and of problems without the attacker's king; how many there are of each.
fn proofs<R: Rules>(positions: usize) -> [usize; 2] {
    let mut random = Random::new(7);
    let mut found = [0; 2];
    for number in 0..positions {
        let position = legal::<R>(&mut random, Style::ALL[number % Style::ALL.len()]);
        if R::is_over(&position) || checks(&position).is_empty() {
            continue;
        }
        let mut placement = *position.placement();
        let king = position.king(position.side()).filter(|_| number % 2 == 1);
        if let Some(king) = king {
            placement.lift(king);
        }
        let missing = shogi_rules::shogi_core::Faults::MISSING_KING;
        let Ok(root) = Position::new_allowing(placement, missing) else { continue };
        let mut run = MateRun::new(root, Wish::Any, 1, OPTIONS);
        run.run(&mut Budget::nodes(20_000));
        let plies = run.answer(&mut Budget::unlimited()).plies;
        let proof = run.proof(&mut Budget::nodes(100_000));
        assert_eq!(plies.is_some(), proof.is_some(), "{}", to_sfen(&root));
        let Some(proof) = proof else { continue };
        assert!(proof.check().unwrap().plies <= plies, "{}", to_sfen(&root));
        let mut file = Vec::new();
        proof.write(&mut file).unwrap();
        let read = Proof::<R>::read(&file[..]).unwrap();
        assert!(read == proof && read.check().is_ok(), "{}", to_sfen(&root));
        found[usize::from(king.is_some())] += 1;
    }
    found
}

#[test]
fn mates_are_proved_with_and_without_the_attackers_king() {
    for found in [proofs::<Minishogi>(400), proofs::<KyotoShogi>(300), proofs::<Shogi>(300)] {
        assert!(found.iter().all(|&proofs| proofs > 4), "{found:?}");
    }
}
