//! Values and numbering against lists in full.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::PathBuf;

use shogi_rules::{Dobutsu, Shogi34};
use shogi_tablebase::{Builder, Index, Members, PieceSet, Stored, Tablebase, World};

use crate::naive;
use crate::trail::{self, Trail};
use crate::worlds::{Narrow, Wild, set};

/// A path for a file of a test.
pub fn path(name: &str) -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    directory.join(format!("{name}-{}.tablebase", std::process::id()))
}

/// Builds a tablebase file.
pub fn build<R: World>(set: PieceSet<R>, stored: Stored, name: &str) -> PathBuf {
    let path = path(name);
    let mut builder = Builder::new(set, None).unwrap();
    let finished = builder.run(|_| ControlFlow::Continue(())).unwrap().unwrap();
    finished.write(&path, stored).unwrap();
    path
}

/// Compares every position of a world with the list of all of them; the plies of the longest game.
pub fn agrees<R: World>(name: &str) -> u32 {
    let set = set::<R>(name);
    let expected = naive::values(&set);
    let path = build(set, Stored::Plies, &format!("{}-{name}", R::name()));
    let table = Tablebase::<R>::open(&path).unwrap();
    let mut ranks = BTreeSet::new();
    let mut longest = 0;
    for (placement, value) in &expected {
        assert_eq!(table.probe(placement).unwrap(), *value, "{placement:?}");
        longest = longest.max(value.plies.unwrap_or(0));
        if !placement.in_check(!placement.side()) {
            ranks.extend(table.index().rank_u64(placement));
        }
    }
    let legal = (0..table.index().size()).filter(|&rank| table.value(rank).unwrap().is_some());
    assert!(legal.eq(ranks.iter().copied()), "other positions have values than the legal ones");
    assert_eq!(table.totals().longest, longest);
    // One of two mirror images that both have numbers is counted.
    let folded = ranks.iter().filter(|&&rank| !table.index().is_second_twin(rank)).count();
    let totals = table.totals();
    assert_eq!(folded as u64, totals.win + totals.loss + totals.draw);
    std::fs::remove_file(path).unwrap();
    longest
}

#[test]
fn dobutsu_with_chicks_agrees_with_the_list() {
    agrees::<Dobutsu>("C2L2");
}

#[test]
fn dobutsu_with_a_giraffe_and_an_elephant_agrees_with_the_list() {
    agrees::<Dobutsu>("E1G1L2");
}

#[test]
fn pawns_agree_with_the_list() {
    agrees::<Shogi34>("P2K2");
}

#[test]
fn a_pawn_and_a_gold_general_agree_with_the_list() {
    agrees::<Shogi34>("P1G1K2");
}

#[test]
fn a_pawn_and_a_rook_agree_with_the_list() {
    agrees::<Shogi34>("P1R1K2");
}

#[test]
fn a_knight_and_a_lance_agree_with_the_list() {
    agrees::<Shogi34>("L1N1K2");
}

#[test]
fn bishops_agree_with_the_list() {
    agrees::<Shogi34>("B2K2");
}

#[test]
fn kings_that_can_be_captured_from_a_distance_agree_with_the_list() {
    agrees::<Wild>("P1R1K2");
}

#[test]
fn a_board_without_a_middle_file_agrees_with_the_list() {
    agrees::<Narrow>("P2B1K2");
}

#[test]
fn more_plies_than_a_byte_holds_agree_with_the_list() {
    let longest = agrees::<Trail>("E1K2");
    assert_eq!(longest, trail::LENGTH as u32 + 1);
}

#[test]
fn every_number_of_the_index_is_that_of_its_position() {
    fn bijective<R: World>(name: &str, members: Members) {
        let index = Index::new(set::<R>(name), members).unwrap();
        for rank in 0..index.size() {
            let placement = index.unrank_u64(rank).unwrap();
            assert_eq!(index.rank_u64(&placement), Some(rank));
            assert_eq!(index.rank_u64(&placement.exchange_colours()), Some(rank));
            let twin = index.rank_u64(&placement.mirror()).unwrap();
            assert_eq!(index.is_second_twin(rank), twin < rank);
            let back = index.unrank_u64(twin).unwrap().mirror();
            assert!(twin == rank || index.rank_u64(&back) == Some(rank));
        }
        assert_eq!(index.unrank_u64(index.size()), None);
    }
    for members in [Members::Safe, Members::All] {
        bijective::<Dobutsu>("C2E1L2", members);
        bijective::<Shogi34>("P2R1K2", members);
        bijective::<Wild>("P2R2K2", members);
        bijective::<Narrow>("P2B2K2", members);
    }
}

#[test]
fn every_legal_position_has_a_number() {
    let index = Index::new(set::<Shogi34>("P1N2K2"), Members::Safe).unwrap();
    for placement in naive::positions(index.set()) {
        assert!(index.rank_u64(&placement).is_some(), "{placement:?}");
    }
}

#[test]
fn indices_have_the_sizes_that_an_independent_program_counts() {
    let size = |set| Index::new(set, Members::Safe).unwrap().size();
    assert_eq!(size(PieceSet::officers("GG").unwrap()), 26_757_830);
    assert_eq!(size(set::<Shogi34>("P2G3K2")), 9_056_684);
    assert_eq!(size(set::<Shogi34>("P2S1B1K2")), 15_439_254);
    assert_eq!(size(set::<Shogi34>("P2R2K2")), 7_241_164);
}
