//! Proofs drawn from tablebases, checked by the rules.

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;

use shogi_core::{Colour, Position};
use shogi_rules::{Dobutsu, Shogi34, Verdict};
use shogi_solve::shogi_core;
use shogi_solve::tablebase::{Builder, DrawError, PieceSet, Stored, Tablebase, World, draw_proof};

fn build<R: World>(set: &str, stored: Stored) -> (Tablebase<R>, PathBuf) {
    let name = format!("{}-{set}-{stored:?}.tablebase", R::NAME);
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let mut builder = Builder::new(PieceSet::<R>::parse(set).unwrap(), None).unwrap();
    let finished = builder.run(|_| ControlFlow::Continue(())).unwrap().unwrap();
    finished.write(&path, stored).unwrap();
    (Tablebase::open(&path).unwrap(), path)
}

/// Draws and checks proofs of positions of each value.
fn proves<R: World>(set: &str) {
    let (table, path) = build::<R>(set, Stored::Plies);
    let mut seen = [0; 3];
    for rank in (0..table.index().size()).step_by(1013) {
        let placement = table.index().unrank_u64(rank).unwrap();
        let mirrored = if rank % 2 == 0 { placement } else { placement.exchange_colours() };
        let Ok(root) = Position::new(mirrored) else { continue };
        let Ok(value) = table.probe(&root) else { continue };
        let count = &mut seen[value.verdict as usize];
        *count += 1;
        if *count > 20 || R::verdict(&root).is_some() {
            continue;
        }
        let proof = draw_proof(&table, &root, 1_000_000).unwrap();
        let checked = proof.check().unwrap();
        assert_eq!(proof.claim().value(root.side()), Some(value.verdict), "{root:?}");
        assert_eq!(checked.plies, value.plies, "{root:?}");
    }
    assert!(seen.iter().filter(|&&count| count > 0).count() >= 2, "{seen:?}");
    fs::remove_file(path).unwrap();
}

#[test]
fn proofs_drawn_from_tablebases_hold_by_the_rules() {
    proves::<Shogi34>("P1G1K2");
    proves::<Shogi34>("N1B1K2");
    proves::<Dobutsu>("C1E1G1L2");
}

#[test]
fn no_win_is_proved_without_plies_or_beyond_the_limit() {
    let [plies, verdicts] =
        [Stored::Plies, Stored::Verdict].map(|stored| build::<Shogi34>("R1K2", stored));
    let is_won = |rank: &u64| {
        let value = plies.0.value(*rank).unwrap();
        value.is_some_and(|value| value.verdict == Verdict::Win && value.plies > Some(3))
    };
    let rank = (0..plies.0.index().size()).find(is_won).unwrap();
    let root = Position::new(plies.0.index().unrank_u64(rank).unwrap()).unwrap();
    assert_eq!(root.side(), Colour::Sente);
    let error = draw_proof(&verdicts.0, &root, 1_000).unwrap_err();
    assert!(matches!(error, DrawError::NoPlies), "{error}");
    let error = draw_proof(&plies.0, &root, 2).unwrap_err();
    assert!(matches!(error, DrawError::TooLarge(2)), "{error}");
    fs::remove_file(plies.1).unwrap();
    fs::remove_file(verdicts.1).unwrap();
}
