use shogi_files::sealed::Flaw;
use shogi_rules::shogi_core::Position;
use shogi_rules::{Minishogi, Shogi34, Verdict, parse_position};

use super::*;
use crate::game::RulesGame;
use crate::question::{AnySearch, Question};
use crate::solve::{Options, Solver};
use shogi_mate::Budget;

/// 3x4 shogi from KGG: a draw, after more than a million nodes.
fn kgg() -> Position<Shogi34> {
    parse_position("ggk/2p/P2/KGG b - 1").unwrap()
}

fn options(algorithm: Algorithm) -> Options {
    Options { algorithm, hash_bytes: 8 << 20, ..Options::default() }
}

fn saved(solver: &Solver<'static, RulesGame<Shogi34>>) -> Vec<u8> {
    let mut file = Vec::new();
    solver.write(&mut file).unwrap();
    file
}

#[test]
fn a_solver_resumes_as_if_never_interrupted() {
    for (algorithm, leaf) in SEARCHES {
        let options = Options { leaf, ..options(algorithm) };
        let mut whole = Solver::of_position(kgg(), options.clone());
        let mut parts = Solver::of_position(kgg(), options.clone());
        for _ in 0..5 {
            whole.run(&mut Budget::nodes(40_000));
            parts.run(&mut Budget::nodes(40_000));
            let file = saved(&parts);
            parts = Reader::new(&file[..]).unwrap().solver(kgg(), options.clone()).unwrap();
            assert_eq!(saved(&parts), file, "what is read is what was written");
        }
        assert_eq!(parts.nodes(), whole.nodes());
        let timeless = |solver: &Solver<'static, _>| {
            let entries = |question: &Question<'static, _>| {
                let memory = question.search.as_ref().map(AnySearch::memory);
                memory.map_or(Vec::new(), |memory| memory.table.iter().collect())
            };
            solver.questions.each_ref().map(entries)
        };
        assert!(timeless(&parts) == timeless(&whole), "{algorithm:?} {leaf:?}");
    }
}

#[test]
fn certificates_are_kept() {
    // KNL: Sente wins in three.
    let root = parse_position::<Shogi34>("lnk/2p/P2/KNL b - 1").unwrap();
    let mut solver = Solver::of_position(root, options(Algorithm::DfPn));
    solver.run(&mut Budget::unlimited());
    let file = saved(&solver);
    let content = Reader::new(&file[..]).unwrap().check::<Shogi34>().unwrap();
    assert_eq!((content.certificates, content.entries), (1, 0));
    let again = Reader::new(&file[..]).unwrap();
    let again = again.solver(root, options(Algorithm::DfPn)).unwrap();
    let (before, after) = (solver.into_solved(), again.into_solved());
    assert_eq!((after.value, after.plies), (Some(Verdict::Win), Some(3)));
    assert_eq!((after.proof, after.nodes), (before.proof, before.nodes));
}

#[test]
fn every_damage_is_found() {
    let mut solver = Solver::of_position(kgg(), options(Algorithm::DfPn));
    solver.run(&mut Budget::nodes(300));
    let file = saved(&solver);
    let check = |file: &[u8]| Reader::new(file).and_then(Reader::check::<Shogi34>);
    assert!(check(&file).unwrap().entries > 10);
    testing::damage::assert_damage_is_found(&file, check);
    // The error names the checksum, whatever the damage does to the content.
    for place in [10, 60, file.len() / 2] {
        let mut damaged = file.clone();
        damaged[place] ^= 0xff;
        let reason = check(&damaged).unwrap_err().reason;
        assert!(matches!(reason, CheckpointReason::File(_)), "byte {place}: {reason}");
    }
    let longer = [&file[..], &[0]].concat();
    let reason = check(&longer).unwrap_err().reason;
    assert!(matches!(reason, CheckpointReason::File(Flaw::Trailing)));
}

#[test]
fn a_checkpoint_of_another_run_is_refused() {
    let solver = Solver::of_position(kgg(), options(Algorithm::DfPn));
    let file = saved(&solver);
    let field = |root, options| {
        let error = Reader::new(&file[..]).unwrap().solver::<Shogi34>(root, options);
        match error.err().unwrap().reason {
            CheckpointReason::Mismatch { field, .. } => field,
            other => panic!("{other}"),
        }
    };
    assert_eq!(field(kgg(), options(Algorithm::Pds)), "algorithm");
    let mobility = Options { leaf: StartLeaf::Mobility, ..options(Algorithm::DfPn) };
    assert_eq!(field(kgg(), mobility), "leaf");
    let ghi = Options { ghi: Ghi::ByPath, ..options(Algorithm::DfPn) };
    assert_eq!(field(kgg(), ghi), "tuning");
    let other = parse_position("gsk/2p/P2/KGG b - 1").unwrap();
    assert_eq!(field(other, options(Algorithm::DfPn)), "root");
    let error = Reader::new(&file[..]).unwrap().check::<Minishogi>().unwrap_err();
    assert!(error.to_string().contains("its variant is shogi34, not minishogi"), "{error}");
}
