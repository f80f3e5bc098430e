//! The numbered placements without nifu and immobile pieces: a bijection, uniform, and as many as
//! are counted otherwise.

use crate::tables;

use std::collections::HashSet;

use proptest::prelude::*;
use shogi_core::*;
use shogi_rank::{
    BigUint, Counts, Outside, PawnLegal, RankError, Ranking, Sampler, Space, z_two_samples,
};
use shogi_rules::{Dobutsu, KyotoShogi, Minishogi, Rules, Shogi, Shogi34, parse_sfen};
use tables::{
    Bishops, Covers, Golds, Lawless, Pawns, Rooks, Tall, ThreePawns, Twins, Wide, enumerate,
};

fn is_legal<R: RuleTable>(placement: &Placement<R>) -> bool {
    !placement.has_nifu() && !placement.has_immobile()
}

/// Ranking is a bijection between the numbers below the size and the members of the space that
/// pass; the others are refused with the reason.
fn is_bijection<R: RuleTable>() {
    let set = PawnLegal::<R>::new().unwrap();
    let space = Space::<R>::new().unwrap();
    let mut ranks = HashSet::new();
    for placement in &enumerate::<R>() {
        let member = space.check(placement).is_ok() && is_legal(placement);
        match set.rank(placement) {
            Ok(rank) => {
                assert!(member && rank < set.size());
                assert_eq!(set.unrank(&rank).as_ref(), Ok(placement));
                assert!(ranks.insert(rank.clone()), "rank {rank} twice");
            }
            Err(error) => {
                let because = match error {
                    RankError::Outside(Outside::Nifu) => placement.has_nifu(),
                    RankError::Outside(Outside::Immobile) => placement.has_immobile(),
                    RankError::Outside(outside) => space.check(placement) == Err(outside),
                    _ => false,
                };
                assert!(!member && because, "{error}");
            }
        }
    }
    assert_eq!(BigUint::from(ranks.len()), set.size());
    assert_eq!(set.size(), Counts::new::<R>().unwrap().pawn_candidates);
}

#[test]
fn small_sets_are_numbered_without_gaps() {
    is_bijection::<Pawns>();
    is_bijection::<Golds>();
    is_bijection::<Wide>();
    is_bijection::<Rooks>();
    is_bijection::<Bishops>();
    is_bijection::<Covers>();
    is_bijection::<Tall>();
    is_bijection::<Twins>();
    is_bijection::<ThreePawns>();
}

#[test]
fn without_illegal_positions_the_set_is_the_space() {
    is_bijection::<Lawless>();
    let [kyoto, space] = [
        PawnLegal::<KyotoShogi>::new().unwrap().size(),
        Space::<KyotoShogi>::new().unwrap().size(),
    ];
    assert_eq!(kyoto, space);
}

fn has_the_counted_size<R: RuleTable>() -> BigUint {
    let size = PawnLegal::<R>::new().unwrap().size();
    assert_eq!(size, Counts::new::<R>().unwrap().pawn_candidates);
    size
}

#[test]
fn sizes_are_those_counted_without_an_order() {
    has_the_counted_size::<Dobutsu>();
    has_the_counted_size::<Shogi34>();
    let minishogi = has_the_counted_size::<Minishogi>();
    assert_eq!(PawnLegal::<Minishogi>::new().unwrap().size_u64(), u64::try_from(&minishogi).ok());
    let shogi = has_the_counted_size::<Shogi>();
    assert_eq!(
        shogi.to_string(),
        "3061946014629782898209609153148603825516405472791147447142577969020272"
    );
}

/// Samples are members, and their ranks are those they were drawn by.
fn round_trips<R: RuleTable>(samples: u64) {
    let set = PawnLegal::<R>::new().unwrap();
    let sampler = Sampler::new(&set, 5);
    for (number, placement) in (0..).zip(sampler.placements(0..samples)) {
        assert!(is_legal(&placement));
        assert_eq!(set.rank(&placement), Ok(sampler.wide_rank(number)));
    }
}

#[test]
fn random_ranks_round_trip() {
    round_trips::<Shogi>(100_000);
    round_trips::<Minishogi>(100_000);
    round_trips::<Shogi34>(20_000);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn ranks_at_both_ends_round_trip(distance in any::<u32>()) {
        let set = PawnLegal::<Shogi>::new().unwrap();
        for rank in [BigUint::from(distance), set.size() - 1u8 - distance] {
            prop_assert_eq!(set.rank(&set.unrank(&rank).unwrap()), Ok(rank));
        }
    }
}

#[test]
fn ranks_end_at_the_size() {
    let set = PawnLegal::<Minishogi>::new().unwrap();
    let size = set.size();
    assert!(set.unrank(&(&size - 1u8)).is_ok());
    assert!(matches!(set.unrank(&size), Err(RankError::OutOfRange { .. })));
    let above = set.size_u64().unwrap();
    assert!(matches!(set.unrank_u64(above), Err(RankError::OutOfRange { .. })));
    let wide = PawnLegal::<Shogi>::new().unwrap();
    assert!(matches!(wide.unrank(&wide.size()), Err(RankError::OutOfRange { .. })));
    let start = parse_sfen::<Shogi>(Shogi::START).unwrap().0;
    assert_eq!(wide.unrank(&wide.rank(&start).unwrap()), Ok(start));
}

/// Chi-squared over the members of a small set, each drawn about twenty times.
#[test]
fn samples_of_a_small_set_are_uniform() {
    let set = PawnLegal::<Pawns>::new().unwrap();
    let cells = set.size_u64().unwrap();
    let mut counts = vec![0u32; cells as usize];
    for placement in Sampler::new(&set, 3).placements(0..20 * cells) {
        counts[u64::try_from(set.rank(&placement).unwrap()).unwrap() as usize] += 1;
    }
    let chi_squared: f64 = counts.iter().map(|&n| (f64::from(n) - 20.0).powi(2) / 20.0).sum();
    let freedom = cells as f64 - 1.0;
    let deviations = (chi_squared - freedom) / (2.0 * freedom).sqrt();
    assert!(deviations.abs() < 5.0, "{chi_squared} with {freedom} degrees of freedom");
}

/// A few numbers that describe a sample and must not depend on the order.
fn features<R: Rules>(placement: &Placement<R>) -> [bool; 5] {
    [
        placement.in_check(!placement.side()),
        placement.pawns().len().is_multiple_of(2),
        placement.promoted().len().is_multiple_of(2),
        placement.hand(Colour::Sente).is_empty(),
        placement.king(Colour::Gote).is_some_and(|king| king.rank() % 2 == 0),
    ]
}

/// Samples of the whole space that pass have the same features as samples of the set.
fn agrees_with_plain_samples<R: Rules>(plain: u64) {
    let (space, set) = (Space::<R>::new().unwrap(), PawnLegal::<R>::new().unwrap());
    let (mut of_space, mut of_set) = ([0; 6], [0; 6]);
    let add = |counts: &mut [u64; 6], placement: &Placement<R>| {
        counts[0] += 1;
        let features = features(placement);
        counts[1..].iter_mut().zip(features).for_each(|(n, holds)| *n += u64::from(holds));
    };
    for placement in Sampler::new(&space, 8).placements(0..plain).filter(is_legal) {
        add(&mut of_space, &placement);
    }
    for placement in Sampler::new(&set, 9).placements(0..100_000) {
        add(&mut of_set, &placement);
    }
    let [size, whole] = [set.size(), space.size()].map(|n| n.to_string().parse::<f64>().unwrap());
    let expected = size / whole * plain as f64;
    let z = (of_space[0] as f64 - expected) / (expected * (1.0 - size / whole)).sqrt();
    assert!(z.abs() < 4.5, "{} of {plain} pass, {z} standard deviations off", of_space[0]);
    for feature in 1..6 {
        let z = z_two_samples(of_space[feature], of_space[0], of_set[feature], of_set[0]);
        assert!(z.abs() < 4.5, "feature {feature} is {z} standard deviations off");
    }
}

#[test]
fn samples_are_those_of_the_space_that_pass() {
    agrees_with_plain_samples::<Minishogi>(100_000);
    agrees_with_plain_samples::<Shogi>(1_000_000);
}
