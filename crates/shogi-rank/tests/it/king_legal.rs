//! The set left after the king stage, as a numbered set.

use crate::tables;

use std::collections::HashSet;
use std::fmt::Debug;

use shogi_core::*;
use shogi_rank::{BigUint, Counts, KingLegal, Outside, RankError, Ranking, Sampler, passes_flip};
use shogi_rules::{Dobutsu, Gorogoro, Judkins, KyotoShogi, Minishogi, Shogi, Shogi34, to_sfen};
use tables::{
    Bishops, Covers, Golds, Lawless, Long, Pawns, Rooks, Tall, Trio, Twins, Vast, Wide, enumerate,
};

fn passes<R: RuleTable>(p: &Placement<R>) -> bool {
    passes_flip(p) && !p.has_nifu() && !p.has_immobile() && !p.in_check(Colour::Gote)
}

/// The numbers are those of just the placements that pass, by looking at every placement.
fn is_bijection<R: RuleTable>() {
    let set = KingLegal::<R>::new().unwrap();
    let size = set.size_u64().unwrap();
    let mut ranks = HashSet::new();
    for placement in enumerate::<R>() {
        let rank = set.rank(&placement);
        assert_eq!(rank.is_ok(), passes(&placement), "{placement:?} {rank:?}");
        match rank {
            Ok(rank) => {
                assert_eq!(set.unrank(&rank).as_ref(), Ok(&placement));
                assert!(rank < set.size() && ranks.insert(rank));
            }
            Err(RankError::Outside(reason)) => {
                let is_true = match reason {
                    Outside::SenteKingOnTheRight
                    | Outside::GoteKingOnTheRight
                    | Outside::MirrorSmaller => !passes_flip(&placement),
                    Outside::Nifu => placement.has_nifu(),
                    Outside::Immobile => placement.has_immobile(),
                    Outside::GoteInCheck => placement.in_check(Colour::Gote),
                    _ => false,
                };
                assert!(is_true, "{placement:?} {reason}");
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!(ranks.len() as u64, size);
    // Of three pawns the other method does not know.
    let counted = Counts::new::<R>().unwrap().king;
    assert!(counted.is_none_or(|king| king == size.into()));
    assert!(matches!(set.unrank_u64(size), Err(RankError::OutOfRange { .. })));
}

#[test]
fn ranks_are_a_bijection_with_restricted_faces() {
    is_bijection::<Pawns>();
    is_bijection::<Trio>();
    is_bijection::<Golds>();
    is_bijection::<Twins>();
    is_bijection::<Lawless>();
}

#[test]
fn ranks_are_a_bijection_with_sliders() {
    is_bijection::<Rooks>();
    is_bijection::<Bishops>();
    is_bijection::<Covers>();
    is_bijection::<Long>();
}

#[test]
fn ranks_are_a_bijection_without_a_middle_file() {
    is_bijection::<Wide>();
    is_bijection::<Tall>();
}

/// As many as counted by another method, and back and forth.
fn round_trips<R: RuleTable>(samples: u64) {
    let set = KingLegal::<R>::new().unwrap();
    assert_eq!(Some(set.size()), Counts::new::<R>().unwrap().king);
    let sampler = Sampler::new(&set, 4);
    for (rank, placement) in sampler.ranks(0..samples).zip(sampler.placements(0..samples)) {
        assert!(passes(&placement), "{placement:?}");
        assert_eq!(set.rank(&placement), Ok(rank.into()));
    }
}

#[test]
fn a_million_of_minishogi() {
    round_trips::<Minishogi>(1_000_000);
}

#[test]
fn other_variants() {
    round_trips::<Dobutsu>(20_000);
    round_trips::<KyotoShogi>(100_000);
    fn is_too_large(set: Option<impl Debug>) {
        assert!(set.is_none());
    }
    is_too_large(KingLegal::<Shogi>::new());
    is_too_large(KingLegal::<Shogi34>::new());
    is_too_large(KingLegal::<Vast>::new());
}

#[test]
fn numbers_of_more_than_64_bits() {
    fn wide<R: RuleTable>(size: &str) {
        let set = KingLegal::<R>::new().unwrap();
        assert_eq!((set.size().to_string().as_str(), set.size_u64()), (size, None));
        let counted = Counts::new::<R>().unwrap().king;
        assert!(counted.is_none_or(|king| king == set.size()));
        let sampler = Sampler::new(&set, 6);
        for (sample, placement) in (0..).zip(sampler.placements(0..5_000)) {
            assert!(passes(&placement), "{placement:?}");
            assert_eq!(set.rank(&placement), Ok(sampler.wide_rank(sample)));
        }
        assert_eq!(set.unrank(&set.size()).is_ok(), set.unrank(&(set.size() - 1u8)).is_err());
    }
    wide::<Gorogoro>("16426328995550145687647");
    wide::<Judkins>("2915151992268933941902569");
}

#[test]
fn the_order_stays_as_it_is() {
    let set = KingLegal::<Minishogi>::new().unwrap();
    assert_eq!(set.size(), BigUint::from(3_444_239_420_851_162_025u64));
    let sfens = [0, 1_000_000_007, 3_000_000_000_000_000_000, 3_444_239_420_851_162_024]
        .map(|rank| to_sfen(&set.unrank_u64(rank).unwrap()));
    let expected = [
        "4k/5/5/5/K4 b 2r2b2g2s2p 1",
        "r3k/+b4/B4/KS3/+R+S3 b 2G2P 1",
        "G1k+b1/3+r1/K2+ps/b2P1/s+R1g1 b - 1",
        "+r1K1+r/+b3+b/g3g/+s3+s/+p1k1+p b - 1",
    ];
    assert_eq!(sfens, expected);
}

/// Chi-squared over all members of a small set.
#[test]
fn samples_are_uniform() {
    let set = KingLegal::<Covers>::new().unwrap();
    let size = set.size_u64().unwrap();
    let samples = 40 * size;
    let mut counts = vec![0u32; size as usize];
    for placement in Sampler::new(&set, 3).placements(0..samples) {
        let rank = u64::try_from(&set.rank(&placement).unwrap()).unwrap();
        counts[rank as usize] += 1;
    }
    let chi_squared: f64 = counts.iter().map(|&c| (f64::from(c) - 40.0).powi(2) / 40.0).sum();
    let degrees = (size - 1) as f64;
    let deviations = (chi_squared - degrees) / (2.0 * degrees).sqrt();
    assert!(deviations.abs() < 5.0, "{deviations} standard deviations");
}
