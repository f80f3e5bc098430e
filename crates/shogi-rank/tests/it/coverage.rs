//! Whether intervals hold what they promise, by simulation.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use shogi_rank::{Z_95, weighted_sum, wilson};

const RUNS: u32 = 1000;

/// How many of `trials` come out, each with this chance.
fn successes(random: &mut ChaCha8Rng, chance: f64, trials: u64) -> u64 {
    let limit = (chance * 2f64.powi(32)) as u64;
    (0..trials).map(|_| u64::from(u64::from(random.next_u32()) < limit)).sum()
}

proptest! {
    // The same designs every time: a limit that one of a million misses by chance fails some day.
    #![proptest_config(ProptestConfig {
        cases: 60,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Classes of any size, some of them sure or nearly so; a thousand estimates of each design.
    #[test]
    fn stratified_intervals_cover(
        classes in vec((1.0..1000.0f64, 0.0..1.0f64, 0u8..4, 20u64..600), 1..6),
        seed: u64,
    ) {
        let classes: Vec<_> = classes
            .into_iter()
            .map(|(weight, chance, kind, trials)| match kind {
                0 => (weight, 1.0, trials),
                // Ten of the rarer outcome are to be expected.
                _ => {
                    let least = 10.0 / (trials as f64);
                    (weight, least + chance * (1.0 - 2.0 * least), trials)
                }
            })
            .collect();
        let truth: f64 = classes.iter().map(|&(weight, chance, _)| weight * chance).sum();
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut covered = 0;
        for _ in 0..RUNS {
            let interval = weighted_sum(classes.iter().map(|&(weight, chance, trials)| {
                let hits = successes(&mut random, chance, trials);
                (weight, hits as f64 / trials as f64, wilson(hits, trials, Z_95))
            }));
            covered += u32::from(interval.low <= truth + 1e-9 && truth <= interval.high + 1e-9);
        }
        // Wilson's own coverage is 95 % on average over chances; four standard errors below 94 %.
        prop_assert!(covered * 100 >= RUNS * 91, "{} of {} for {:?}", covered, RUNS, classes);
    }
}
