//! The certificates that are kept in the repository, and samples of strata against plain ones.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};

use shogi_rank::{Checks, KingLegal, Ranking as _, Sampler, Strata, Stratified};
use shogi_reach::{
    AllotError, Certificate, Hub, Reach, SearchLimit, allot, passes_flip, tally_strata,
};
use shogi_reach::{Classes, Deep, EstimateReport, Shard, Stage};
use shogi_rules::{Minishogi, Rules as _, parse_sfen, to_sfen};

const CERTIFICATES: &str = include_str!("data/minishogi_certificates.jsonl");

/// A thousand uniformly drawn positions with the stages before the last behind them, none left
/// out: each is proved to be what it is labelled.
#[test]
fn a_thousand_certificates_hold() {
    let set = KingLegal::<Minishogi>::new().unwrap();
    let sampler = Sampler::new(&set, 2026);
    let reach = Reach::<Minishogi>::new(SearchLimit::default());
    let mut reachable = 0;
    assert_eq!(CERTIFICATES.lines().count(), 1000);
    for (line, placement) in CERTIFICATES.lines().zip(sampler.placements(0..1000)) {
        let certificate: Certificate = serde_json::from_str(line).unwrap();
        assert_eq!(certificate.verify::<Minishogi>(), Ok(()), "{line}");
        let (sfen, stage) = match &certificate {
            Certificate::Game { sfen, .. } => (sfen, Stage::Ok),
            Certificate::Closed { sfen, plies, .. } => (sfen, Stage::Unreachable { plies: *plies }),
        };
        assert_eq!(parse_sfen(sfen).unwrap().0, placement);
        assert_eq!(reach.classify(&placement), stage, "{sfen}");
        reachable += u32::from(stage == Stage::Ok);
    }
    assert_eq!(reachable, 675);
}

/// Samples in the run of strata that is tallied here.
const SAMPLES: u64 = 60_000;

/// Both halves of a part of a run are that part, the samples are of their classes, and the estimate is that of sixty
/// times as many uniform samples.
fn strata_are_tallied(part: Range<u64>) {
    let strata = Strata::<Minishogi>::new().unwrap();
    let reach = Reach::<Minishogi>::new(SearchLimit::default());
    let go_on = |_, _| ControlFlow::Continue(());
    let allotted = allot(&reach, &strata, 5, SAMPLES, go_on).unwrap();
    assert_eq!(allotted.iter().sum::<u64>(), SAMPLES);
    let too_few = allot(&reach, &strata, 5, 1000, go_on);
    assert!(matches!(too_few, Err(AllotError::TooFew { samples: 1000, .. })), "{too_few:?}");
    let stopped = allot(&reach, &strata, 5, 1_000_000_000, |done, all| {
        assert!(done < all);
        ControlFlow::Break(())
    });
    assert_eq!(stopped, Err(AllotError::Stopped));
    let samples = Stratified::new(&strata, 5, &allotted);
    let tally = |range| tally_strata(&reach, &samples, range, |_, _| ControlFlow::Continue(()));
    let (next, whole) = tally(0..SAMPLES);
    assert_eq!(next, SAMPLES);
    // Published runs must be found again: this is what `shogi estimate` found when they were made.
    let sum = whole.sum();
    let unreachable = [(0, 615), (1, 36), (2, 32), (3, 1), (4, 3)];
    assert_eq!((sum.ok, sum.unreachable), (59_313, BTreeMap::from(unreachable)));
    let (_, mut parts) = tally(part.start..20_001);
    parts.merge(&tally(20_001..part.end).1);
    assert_eq!(parts, tally(part).1);
    // Stopping early leaves what was done so far.
    let (next, some) = tally_strata(&reach, &samples, 0..SAMPLES, |_, _| ControlFlow::Break(()));
    assert_eq!((some.sum().samples, next < SAMPLES), (next, true));

    let size = KingLegal::<Minishogi>::new().unwrap().size();
    let shard = Shard::new(Minishogi::NAME, &size, 5, SAMPLES);
    let mut shard = shard.of_strata(Classes::new(&strata, &allotted)).unwrap();
    shard.add_findings(0..SAMPLES, &whole).unwrap();
    let report = EstimateReport::from(&shard);
    let [low, high] = report.interval;
    assert!(low < 2.3788e18 && 2.3784e18 < high, "{low} {high}");
    assert!(report.uniform_samples.unwrap() > 60.0 * SAMPLES as f64);
    // Positions that are kept can be traced back far.
    for deep in &whole.deep {
        let (placement, _) = parse_sfen::<Minishogi>(&deep.sfen).unwrap();
        assert!(deep.plies > 5 && passes_flip(&placement));
        assert_eq!(reach.reach(&placement), Stage::Unreachable { plies: deep.plies });
    }
}

#[test]
fn strata_are_tallied_by_class() {
    strata_are_tallied(19_000..22_000);
}

#[test]
#[ignore = "long, see docs/contributing.md"]
fn strata_are_tallied_by_class_from_end_to_end() {
    strata_are_tallied(0..SAMPLES);
}

/// The class of a position that is found to be excluded is right, whatever the search says.
#[test]
fn excluded_positions_have_nothing_before_them() {
    let set = KingLegal::<Minishogi>::new().unwrap();
    let reach = Reach::<Minishogi>::new(SearchLimit::default());
    for placement in Sampler::new(&set, 9).placements(0..200_000) {
        if Checks::of(&placement) == Checks::Excluded {
            let stage = reach.reach(&placement);
            assert_eq!(stage, Stage::Unreachable { plies: 0 }, "{}", to_sfen(&placement));
        }
    }
    assert_eq!(set.size_u64(), Some(3_444_239_420_851_162_025));
}

/// The published run: its file is whole, and each of the positions that it lists can be traced back
/// as far as it says and no further, by proof.
#[test]
fn the_published_run_has_the_counts_it_states() {
    let shard =
        Shard::from_json(include_str!("../../../../docs/results/minishogi_strata_shard.json"));
    let shard = shard.unwrap();
    let report = EstimateReport::from(&shard);
    let [low, high] = report.interval;
    assert!(report.complete && (high - low) / 2.0 < 1e-6 * report.estimate, "{low} {high}");
    assert!(report.uniform_samples.unwrap() > 2e12 && report.funnel.unknown == 0);
    let (reach, hub) = (Reach::<Minishogi>::new(SearchLimit::default()), Hub::new().unwrap());
    let deep = &shard.strata().unwrap().deep;
    assert_eq!(deep.len(), 3_134);
    for Deep { plies, sfen } in deep {
        let (placement, _) = parse_sfen(sfen).unwrap();
        let certificate = reach.certify(&hub, &placement).unwrap();
        assert_eq!(certificate.verify::<Minishogi>(), Ok(()), "{sfen}");
        assert!(
            matches!(certificate, Certificate::Closed { plies: p, .. } if p == *plies),
            "{sfen}"
        );
        assert!(*plies > 5);
    }
}
