//! Samples depend on the seed and their number only, and are uniform.

use crate::tables;

use proptest::prelude::*;
use shogi_rank::{BigUint, Order, Sampler, Space};
use shogi_rules::{Minishogi, Shogi};
use tables::Pawns;

proptest! {
    #[test]
    fn any_size_of_blocks_has_the_same_result(seed: u64, start in 0..u64::MAX - 100, cut in 0u64..100) {
        let space = Space::<Minishogi>::new().unwrap();
        let sampler = Sampler::new(&space, seed);
        let whole: Vec<u64> = sampler.ranks(start..start + 100).collect();
        let parts = [start..start + cut, start + cut..start + 100];
        let parts: Vec<u64> = parts.into_iter().flat_map(|part| sampler.ranks(part)).collect();
        prop_assert_eq!(&parts, &whole);
        let single = Sampler::new(&space, seed).wide_rank(start + cut);
        prop_assert_eq!(single, BigUint::from(sampler.ranks(start + cut..u64::MAX).next().unwrap()));
        let placement = sampler.placements(start..start + 1).next().unwrap();
        prop_assert_eq!(space.rank::<u64>(&placement, Order::Native), Ok(whole[0]));
    }
}

#[test]
fn any_number_of_threads_has_the_same_result() {
    let space = Space::<Minishogi>::new().unwrap();
    let sampler = Sampler::new(&space, 11);
    let (space, sampler) = (&space, &sampler);
    let alone: Vec<u64> = sampler.ranks(0..4000).collect();
    let together: Vec<u64> = std::thread::scope(|scope| {
        let parts = (0..4).map(|i| {
            scope.spawn(move || {
                let placements = sampler.placements(i * 1000..(i + 1) * 1000);
                let rank = |p| space.rank::<u64>(&p, Order::Native).unwrap();
                placements.map(rank).collect::<Vec<_>>()
            })
        });
        let parts: Vec<_> = parts.collect();
        parts.into_iter().flat_map(|part| part.join().unwrap()).collect()
    });
    assert_eq!(together, alone);
}

#[test]
fn published_samples_stay_as_they_are() {
    const WIDE: &str = "29835392964710889293230434245073500554627813136987885160422214503138632";
    let space = Space::<Minishogi>::new().unwrap();
    let ranks: Vec<u64> = Sampler::new(&space, 2018).ranks(0..3).collect();
    assert_eq!(
        ranks,
        [6_189_797_449_843_843_002, 12_483_020_098_674_074_868, 9_934_303_118_735_301_664]
    );
    let wide = Space::<Shogi>::new().unwrap();
    assert_eq!(Sampler::new(&wide, 2018).wide_rank(1).to_string(), WIDE);
}

#[test]
fn seeds_differ_and_empty_ranges_are_empty() {
    let space = Space::<Minishogi>::new().unwrap();
    let first = |seed| Sampler::new(&space, seed).ranks(0..1).next();
    assert_ne!(first(1), first(2));
    let sampler = Sampler::new(&space, 1);
    assert_eq!(sampler.ranks(5..5).next(), None);
    assert_eq!(sampler.ranks(0..7).size_hint(), (7, Some(7)));
}

/// Chi-squared over the cells of a small space.
#[test]
fn ranks_are_uniform() {
    let space = Space::<Pawns>::new().unwrap();
    let (cells, samples) = (512, 512_000);
    let mut counts = vec![0u32; cells];
    for rank in Sampler::new(&space, 3).ranks(0..samples) {
        let size = u128::from(space.size_u64().unwrap());
        counts[(u128::from(rank) * cells as u128 / size) as usize] += 1;
    }
    let expected = samples as f64 / cells as f64;
    let chi_squared: f64 =
        counts.iter().map(|&c| (f64::from(c) - expected).powi(2) / expected).sum();
    // 511 degrees of freedom; the standard deviation is 32.
    assert!((chi_squared - 511.0).abs() < 160.0, "{chi_squared}");
}

#[test]
fn wide_ranks_are_spread_and_in_range() {
    let space = Space::<Shogi>::new().unwrap();
    let sampler = Sampler::new(&space, 3);
    let halves = (0..2000).filter(|&i| {
        let rank = sampler.wide_rank(i);
        assert!(rank < space.size());
        rank << 1 < space.size()
    });
    assert!((850..1150).contains(&halves.count()));
    assert_eq!(sampler.ranks(0..5).next(), None);
    let placement = sampler.placements(7..8).next().unwrap();
    assert_eq!(space.rank::<BigUint>(&placement, Order::Native), Ok(sampler.wide_rank(7)));
}
