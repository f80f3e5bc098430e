//! The classes of checks, counted and numbered.

use crate::tables;

use std::collections::{BTreeMap, HashMap};
use std::ops::{ControlFlow, Range};

use shogi_core::*;
use shogi_rank::{
    BigUint, Check, Checks, Company, Counts, KingLegal, Outside, PawnLegal, RankError, Ranking,
    Sampler, Strata, Stratified, Ways, Z_95, neyman, weighted_sum, wilson,
};
use shogi_rules::{Dobutsu, Gorogoro, GorogoroPlus, Judkins, Minishogi, Rules, Shogi, to_sfen};
use tables::{
    Bishops, Covers, Golds, Lawless, Long, Pawns, Rooks, Tall, Trio, Twins, Wide, enumerate,
};

fn has_predecessor<R: RuleTable>(placement: &Placement<R>) -> bool {
    placement.generate_unmoves(|_, _| ControlFlow::Break(())).is_break()
}

/// The statements proved for a position by its class: L1 to L6 of docs/how/ranking.md.
fn keeps_its_promise<R: RuleTable>(placement: &Placement<R>, checks: Checks) {
    match checks {
        Checks::Excluded => assert!(!has_predecessor(placement), "{placement:?}"),
        Checks::One(Check { ways: Ways::Open, .. }) | Checks::Two { ways: Ways::Open, .. } => {
            assert!(has_predecessor(placement), "{checks} {placement:?}");
        }
        Checks::Quiet { .. } => undrops_stay_quiet(placement),
        Checks::One(_) | Checks::Two { .. } => {}
    }
}

/// L6: drops of pieces that stand alone on no line to a king can be taken back.
fn undrops_stay_quiet<R: RuleTable>(placement: &Placement<R>) {
    let mover = !placement.side();
    let mut drops = Vec::new();
    let _: ControlFlow<()> = placement.generate_quiet_unmoves(|unmove, before| {
        if let Move::Drop { to, .. } = unmove.mv {
            drops.push((to, *before));
        }
        ControlFlow::Continue(())
    });
    let kings = Colour::ALL.map(|colour| placement.king(colour).map(|king| (king, !colour)));
    for to in placement.of(mover) - placement.royals() {
        let face = placement.piece(to).unwrap().face;
        let alone = |king: Option<_>| {
            let (king, attacker) = king.unwrap();
            placement.blockers(king, attacker).0.contains(to)
        };
        if face.is_droppable::<R>() && !kings.iter().any(|&king| alone(king)) {
            let before = drops.iter().find(|(square, _)| *square == to);
            let (_, before) = before.unwrap_or_else(|| panic!("{placement:?} {to:?}"));
            assert!(!Colour::ALL.into_iter().any(|colour| before.in_check(colour)));
        }
    }
}

/// Sizes and numbers of all classes, by looking at every placement; and what is proved of them.
fn agrees_with_enumeration<R: RuleTable>() {
    let strata = Strata::<R>::new().unwrap();
    // One map without a type parameter beside one with: this is compiled for ten games.
    let mut sizes: BTreeMap<Checks, u64> = BTreeMap::new();
    let mut left: HashMap<Placement<R>, Checks> = HashMap::new();
    for p in enumerate::<R>() {
        if !p.has_nifu() && !p.has_immobile() && !p.in_check(Colour::Gote) {
            let checks = Checks::of(&p);
            assert_eq!(Checks::of(&p.mirror()), checks);
            keeps_its_promise(&p, checks);
            if left.insert(p, checks).is_none() {
                *sizes.entry(checks).or_default() += 1;
            }
        }
    }
    let excluded = sizes.remove(&Checks::Excluded).unwrap_or_default();
    let sizes: Vec<_> = sizes.into_iter().map(|(checks, size)| (checks, size.into())).collect();
    assert_eq!(strata.excluded(), excluded.into());
    assert_eq!(strata.classes().collect::<Vec<_>>(), sizes);
    for (checks, size) in sizes {
        let stratum = strata.stratum(checks).unwrap();
        for rank in 0..size {
            let placement = stratum.unrank(&rank.into()).unwrap();
            assert_eq!(left.remove(&placement), Some(checks), "{checks}: {rank} {placement:?}");
            assert_eq!(stratum.rank(&placement), Ok(rank.into()), "{checks} {placement:?}");
        }
        assert!(matches!(stratum.unrank(&size.into()), Err(RankError::OutOfRange { .. })));
    }
}

#[test]
fn small_games_by_enumeration() {
    agrees_with_enumeration::<Rooks>();
    agrees_with_enumeration::<Bishops>();
    agrees_with_enumeration::<Covers>();
    agrees_with_enumeration::<Long>();
    agrees_with_enumeration::<Pawns>();
    agrees_with_enumeration::<Golds>();
    agrees_with_enumeration::<Wide>();
    agrees_with_enumeration::<Tall>();
    agrees_with_enumeration::<Twins>();
    agrees_with_enumeration::<Trio>();
}

#[test]
fn no_classes_where_there_is_no_check_or_too_much_to_count() {
    assert!(Strata::<Lawless>::new().is_none());
    assert!(Strata::<Dobutsu>::new().is_none());
    assert!(Strata::<Shogi>::new().is_none());
}

/// The positions of Minishogi that are excluded.
const EXCLUDED: u128 = 2_108_475_168_251_078_526;

/// Exact sizes against a sample of all that passes the king stage, with what is proved of its members.
fn sizes_agree_with_samples<R: Rules>(strata: &Strata<R>, seed: u64, samples: u64) {
    let numbered: u128 = strata.classes().map(|(_, size)| size).sum();
    let total = numbered + strata.excluded();
    let mut seen: BTreeMap<Checks, u64> = BTreeMap::new();
    let set = KingLegal::<R>::new().unwrap();
    // Each has a mirror image, but for the few that are their own.
    let folded = u128::try_from(&set.size()).unwrap();
    assert!(folded * 2 >= total && folded * 2 - total < total / 1_000_000);
    for placement in Sampler::new(&set, seed).placements(0..samples) {
        assert!(!placement.in_check(Colour::Gote) && placement.faults().is_empty());
        let checks = Checks::of(&placement);
        keeps_its_promise(&placement, checks);
        *seen.entry(checks).or_default() += 1;
    }
    for (checks, size) in strata.classes().chain([(Checks::Excluded, strata.excluded())]) {
        let p = size as f64 / total as f64;
        let hits = seen.remove(&checks).unwrap_or(0) as f64;
        let n = samples as f64;
        let deviations = (hits - p * n) / (n * p * (1.0 - p)).sqrt();
        // Of classes with few expected the count is not normal.
        assert!(deviations.abs() < 4.5 || p * n < 5.0 && hits < 20.0, "{checks}: {deviations}");
    }
    assert!(seen.is_empty());
}

/// Samples against their classes, parts against the whole, and numbers back and forth.
fn samples_agree_with_classes<R: Rules>(strata: &Strata<R>) {
    let total: u128 = strata.classes().map(|(_, size)| size).sum();
    let allotted: Vec<u64> =
        strata.classes().map(|(_, size)| 100 + (size / (total / 14_000)) as u64).collect();
    let design = Stratified::new(strata, 5, &allotted);
    let all: Vec<_> = collect(&design, 0..design.samples());
    assert_eq!(all.len() as u64, design.samples());
    let mut counts = vec![0; allotted.len()];
    let classes: Vec<Checks> = strata.classes().map(|(checks, _)| checks).collect();
    for (class, placement) in &all {
        counts[*class] += 1;
        assert_eq!(Checks::of(placement), classes[*class], "{}", to_sfen(placement));
        assert!(placement.faults().is_empty());
    }
    assert_eq!(counts, allotted);
    let cut = design.samples() / 3 + 1;
    let runs = design.runs(cut - 700..cut + 700, 500);
    let parts: Vec<_> = runs.into_iter().flat_map(|run| collect(&design, run)).collect();
    assert_eq!(parts, all[cut as usize - 700..cut as usize + 700]);
    for (class, placement) in &all[cut as usize..cut as usize + 20] {
        let stratum = strata.stratum(classes[*class]).unwrap();
        let rank = stratum.rank(placement).unwrap();
        assert_eq!(stratum.unrank(&rank).as_ref(), Ok(placement));
        assert!(rank < stratum.size());
        let other = strata.stratum(classes[(*class + 1) % classes.len()]).unwrap();
        assert_eq!(other.rank(placement), Err(RankError::Outside(Outside::OtherChecks)));
    }
}

#[test]
fn goro_goro() {
    let strata = Strata::<Gorogoro>::new().unwrap();
    sizes_agree_with_samples(&strata, 8, 400_000);
    samples_agree_with_classes(&strata);
    // Nothing slides: two checks are never accounted for, and no checker is backed or a shield.
    assert!(strata.classes().all(|(checks, _)| match checks {
        Checks::One(check) => check.adjacent && !check.backed,
        Checks::Quiet { .. } => true,
        Checks::Two { .. } | Checks::Excluded => false,
    }));
}

/// The statements proved for classes, in a sample of a game in which lances slide and knights jump.
#[test]
fn lemmas_hold_with_lances_and_knights() {
    fn hold<R: Rules>(samples: u64) {
        let set = PawnLegal::<R>::new().unwrap();
        let mut seen = [0; 3];
        for placement in Sampler::new(&set, 3).placements(0..samples) {
            if !placement.in_check(Colour::Gote) {
                let checks = Checks::of(&placement);
                keeps_its_promise(&placement, checks);
                seen[match checks {
                    Checks::Excluded => 0,
                    Checks::Two { .. } => 1,
                    Checks::One(_) | Checks::Quiet { .. } => 2,
                }] += 1;
            }
        }
        // Two checks take a lance or more.
        assert!(seen[0] > 1_000 && seen[1] > 10 && seen[2] > 1_000, "{seen:?}");
    }
    hold::<GorogoroPlus>(200_000);
    hold::<Judkins>(100_000);
}

/// The classes of Minishogi against known facts and a number of samples.
fn classes_of_minishogi(samples: u64) {
    let strata = Strata::<Minishogi>::new().unwrap();
    let total = Counts::new::<Minishogi>().unwrap().king_distinct.unwrap();
    let numbered: u128 = strata.classes().map(|(_, size)| size).sum();
    assert_eq!(BigUint::from(numbered + strata.excluded()), total);
    assert_eq!(total, BigUint::from(6_888_478_838_177_592_162u64));
    assert_eq!(strata.excluded(), EXCLUDED);
    let is_quiet = |(checks, size)| matches!(checks, Checks::Quiet { .. }).then_some(size);
    assert_eq!(strata.classes().filter_map(is_quiet).sum::<u128>(), 2_215_658_862_838_987_948);
    sizes_agree_with_samples(&strata, 12, samples);
    samples_agree_with_classes(&strata);
    // The documentation's example, which takes too long without optimisation to be run there.
    let checks = Checks::Quiet { mover: Company::Several, waiting: Company::Several };
    let quiet = strata.stratum(checks).unwrap();
    let first = quiet.unrank(&BigUint::ZERO).unwrap();
    assert_eq!((Checks::of(&first), quiet.rank(&first)), (checks, Ok(BigUint::ZERO)));
    let samples = Stratified::new(&strata, 1, &[3, 5]);
    let mut drawn = [0; 2];
    samples.for_each(0..samples.samples(), |class, _| drawn[class] += 1);
    assert_eq!(drawn, [3, 5]);
    let beyond = quiet.unrank(&total);
    assert!(matches!(beyond, Err(RankError::OutOfRange { .. })));
    assert!(strata.stratum(Checks::Excluded).is_none());
}

#[test]
fn minishogi() {
    classes_of_minishogi(300_000);
}

#[test]
#[ignore = "long, see docs/contributing.md"]
fn minishogi_at_length() {
    classes_of_minishogi(2_000_000);
}

fn collect<R: RuleTable>(
    design: &Stratified<'_, R>,
    range: Range<u64>,
) -> Vec<(usize, Placement<R>)> {
    let mut list = Vec::new();
    design.for_each(range, |class, placement| list.push((class, placement)));
    list
}

/// Stratified estimates of a number that is known, and as many plain ones with as many samples: how often the interval
/// covers it, and how far either is off on average.
fn intervals_cover(runs: u64) {
    const SAMPLES: u64 = 600;
    let strata = Strata::<Rooks>::new().unwrap();
    let mut members: BTreeMap<Checks, [u64; 2]> = BTreeMap::new();
    for p in enumerate::<Rooks>() {
        if !p.has_nifu() && !p.has_immobile() && !p.in_check(Colour::Gote) {
            members.entry(Checks::of(&p)).or_default()[usize::from(has_predecessor(&p))] += 1;
        }
    }
    let truth = members.values().map(|[_, with]| *with as f64).sum::<f64>();
    let total = members.values().flatten().sum::<u64>() as f64;
    // In the set that folds mirror images the share is another, since some are their own.
    let set = KingLegal::<Rooks>::new().unwrap();
    let all = (0..set.size_u64().unwrap()).map(|rank| set.unrank_u64(rank).unwrap());
    let (with, size) = all.fold((0.0, 0.0), |(with, size), p| {
        (with + f64::from(u8::from(has_predecessor(&p))), size + 1.0)
    });
    let pilot: Vec<_> = strata
        .classes()
        .map(|(checks, size)| (size, 40 * members[&checks][1] / size as u64, 40))
        .collect();
    let allotted = neyman(&pilot, SAMPLES, 10).unwrap();
    let (mut covered, mut squares, mut plain_squares) = (0, 0.0, 0.0);
    for seed in 0..runs {
        let design = Stratified::new(&strata, seed, &allotted);
        let mut hits = vec![0; allotted.len()];
        design.for_each(0..SAMPLES, |class, placement| {
            hits[class] += u64::from(has_predecessor(&placement));
        });
        let parts: Vec<_> = pilot
            .iter()
            .zip(hits.iter().zip(&allotted))
            .map(|(&(size, ..), (&k, &n))| (size as f64, k as f64 / n as f64, wilson(k, n, Z_95)))
            .collect();
        let estimate: f64 = parts.iter().map(|(size, share, _)| size * share).sum();
        covered += u64::from(weighted_sum(parts).contains(truth));
        squares += (estimate - truth).powi(2);
        let plain = Sampler::new(&set, seed);
        let hits = plain.placements(0..SAMPLES).filter(has_predecessor).count() as f64;
        plain_squares += ((hits / SAMPLES as f64 - with / size) * total).powi(2);
    }
    assert!(covered * 100 >= runs * 95, "{covered} of {runs}");
    assert!(squares * 4.0 < plain_squares, "{squares} {plain_squares}");
}

#[test]
fn intervals_cover_and_errors_shrink() {
    intervals_cover(300);
}

#[test]
#[ignore = "long, see docs/contributing.md"]
fn intervals_cover_and_errors_shrink_at_length() {
    intervals_cover(1000);
}
