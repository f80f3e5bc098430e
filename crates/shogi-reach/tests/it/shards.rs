//! Shards: merging is a commutative, associative sum, and damaged files are refused.
#![expect(clippy::single_range_in_vec_init, reason = "lists of one range are meant")]

use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;
use shogi_files::sealed::Flaw;
use shogi_rank::{BigUint, Z_95, wilson};
use shogi_reach::{
    ClassTally, Classes, Deep, EstimateReport, Findings, Shard, ShardReason, Stage, StageTally,
};

const SIZE: u64 = 16_014_219_505_238_849_250;

/// Some stage that depends on the sample alone.
fn stage(sample: u64) -> Stage {
    match sample.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58 {
        0..=3 => Stage::Flip,
        4..=15 => Stage::Pawn,
        16..=40 => Stage::King,
        plies @ 41..=45 => Stage::Unreachable { plies: plies as u32 - 41 },
        46 => Stage::Unknown,
        _ => Stage::Ok,
    }
}

fn tally(range: std::ops::Range<u64>) -> StageTally {
    let mut tally = StageTally::default();
    range.for_each(|sample| tally.record(stage(sample)));
    tally
}

fn shard(samples: u64, ranges: &[std::ops::Range<u64>]) -> Shard {
    let mut shard = Shard::new("minishogi", &BigUint::from(SIZE), 7, samples);
    for range in ranges {
        shard.add(range.clone(), &tally(range.clone())).unwrap();
    }
    shard
}

fn whole(samples: u64) -> Shard {
    shard(samples, &[0..samples])
}

proptest! {
    #[test]
    fn any_order_and_grouping_gives_the_same_bytes(
        samples in 0u64..400, parts in 1u64..20, order in any::<prop::sample::Index>(),
        pairs: bool,
    ) {
        let mut shards: Vec<Shard> =
            (0..parts).map(|i| shard(samples, &[Shard::part(i, parts, samples)])).collect();
        while shards.len() > 1 {
            let first = shards.swap_remove(order.index(shards.len()));
            let at = if pairs { 0 } else { order.index(shards.len()) };
            shards[at] = first.merge(&shards[at]).unwrap();
        }
        prop_assert_eq!(shards[0].to_json(), whole(samples).to_json());
        prop_assert!(shards[0].is_complete());
    }

    #[test]
    fn missing_samples_complete_a_shard(cuts in proptest::collection::vec(0u64..300, 6)) {
        let mut cuts = cuts;
        cuts.sort_unstable();
        let mut some = shard(300, &[cuts[0]..cuts[1], cuts[2]..cuts[3], cuts[4]..cuts[5]]);
        let gaps: Vec<_> = some.missing(0..300).collect();
        for gap in gaps {
            some.add(gap.clone(), &tally(gap)).unwrap();
        }
        prop_assert_eq!(some.to_json(), whole(300).to_json());
    }

    #[test]
    fn json_round_trips(a in 0u64..100, b in 0u64..100) {
        let some = shard(100, &[a.min(b)..a.max(b)]);
        prop_assert_eq!(Shard::from_json(&some.to_json()).unwrap(), some);
    }

    #[test]
    fn a_changed_byte_is_noticed(position in any::<prop::sample::Index>(), byte in 32u8..127) {
        let json = whole(50).to_json();
        let mut bytes = json.clone().into_bytes();
        let position = position.index(bytes.len());
        prop_assume!(bytes[position] != byte);
        bytes[position] = byte;
        prop_assert!(Shard::from_json(&String::from_utf8(bytes).unwrap()).is_err());
    }
}

#[test]
fn foreign_and_overlapping_shards_are_refused() {
    let size = BigUint::from(SIZE);
    let base = Shard::new("minishogi", &size, 7, 100);
    for (other, field) in [
        (Shard::new("kyotoshogi", &size, 7, 100), "variant"),
        (Shard::new("minishogi", &(&size + 1u8), 7, 100), "candidates"),
        (Shard::new("minishogi", &size, 8, 100), "seed"),
        (Shard::new("minishogi", &size, 7, 101), "samples"),
    ] {
        let error = base.merge(&other).unwrap_err();
        assert!(matches!(error, ShardReason::Different { field: f, .. } if f == field), "{error}");
    }
    let (a, b) = (shard(100, &[0..10, 20..30]), shard(100, &[10..20, 29..31]));
    assert!(matches!(a.merge(&b), Err(ShardReason::Overlap([29, 30]))));
}

#[test]
fn shards_of_other_rules_are_not_merged_and_one_without_rules_has_those_of_the_other() {
    let of = |range, rules: Option<u8>| {
        let shard = shard(100, &[range]);
        rules.map_or(shard.clone(), |digit| shard.of_rules([digit; 32]))
    };
    let (one, two) = (of(0..40, Some(0xa1)), of(40..100, Some(0xa1)));
    let whole = one.merge(&two).unwrap();
    assert_eq!(whole.rules(), Some(&*"a1".repeat(32)));
    assert_eq!(Shard::from_json(&whole.to_json()).unwrap(), whole);
    for (a, b) in [(one, of(40..100, None)), (two, of(0..40, None))] {
        assert_eq!(b.rules(), None);
        assert!(!b.to_json().contains("rules"), "as older programs write it");
        assert_eq!([a.merge(&b), b.merge(&a)].map(Result::unwrap), [whole.clone(), whole.clone()]);
    }
    let other = of(40..100, Some(0xa2));
    for error in [of(0..40, Some(0xa1)).merge(&other), other.merge(&whole)].map(Result::unwrap_err)
    {
        assert!(matches!(error, ShardReason::Different { .. }), "{error}");
        assert!(error.to_string().contains("the hash of their rules: a"), "{error}");
    }
}

#[test]
fn additions_that_do_not_fit_are_refused() {
    let mut some = shard(100, &[0..10, 20..30]);
    let before = some.clone();
    assert!(matches!(some.add(5..12, &tally(5..12)), Err(ShardReason::Overlap([5, 10]))));
    assert!(matches!(some.add(95..101, &tally(95..101)), Err(ShardReason::Range([95, 101]))));
    assert!(matches!(some.add(40..45, &tally(40..46)), Err(ShardReason::Samples { .. })));
    #[expect(clippy::reversed_empty_ranges, reason = "that is what is refused")]
    let backwards = some.add(45..40, &StageTally::default());
    assert!(matches!(backwards, Err(ShardReason::Range([45, 40]))));
    let odd = StageTally { samples: 1, ..StageTally::default() };
    assert!(matches!(some.add(40..41, &odd), Err(ShardReason::Tally)));
    some.add(50..50, &StageTally::default()).unwrap();
    assert_eq!(some, before);
}

fn scratch(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn files_are_saved_and_loaded() {
    let path = scratch("whole.json");
    let some = whole(64);
    some.save(&path).unwrap();
    some.save(&path).unwrap();
    assert_eq!(Shard::load(&path).unwrap(), some);
    let left_over = fs::read_dir(path.parent().unwrap()).unwrap();
    let is_temporary = |name: &std::ffi::OsStr| name.to_string_lossy().starts_with("whole.json.");
    assert!(!left_over.map(|entry| entry.unwrap().file_name()).any(|name| is_temporary(&name)));
}

#[test]
fn bad_files_are_named_with_the_reason() {
    let missing = Shard::load(&scratch("missing.json")).unwrap_err();
    assert!(matches!(missing.reason, ShardReason::File(Flaw::Io(_))));
    assert!(missing.to_string().contains("missing.json"));
    let json = whole(64).to_json();
    for (name, text, expected) in [
        ("text.json", "text".to_owned(), "no shard"),
        ("version.json", json.replace("\"version\":1", "\"version\":2"), "version 2"),
        ("seed.json", json.replace("\"seed\":7", "\"seed\":8"), "checksum"),
        ("half.json", json[..json.len() / 2].to_owned(), "no shard"),
        ("field.json", json.replace("\"seed\"", "\"sead\""), "no shard"),
    ] {
        fs::write(scratch(name), text).unwrap();
        let error = Shard::load(&scratch(name)).unwrap_err().to_string();
        assert!(error.contains(name) && error.contains(expected), "{error}");
    }
    assert!(Shard::new("minishogi", &BigUint::ZERO, 1, 10).save(&scratch("zero.json")).is_ok());
    let zero = Shard::load(&scratch("zero.json")).unwrap_err();
    assert!(matches!(zero.reason, ShardReason::Candidates(_)));
    assert!(whole(3).save(&scratch("no such folder/x.json")).is_err());
}

#[test]
fn the_report_of_the_paper() {
    let plies = [6_650_818, 4_175, 2_494, 114, 104, 2, 4, 1, 1];
    let tally = StageTally {
        samples: 100_000_000,
        flip: 100_000_000 - 96_774_076,
        pawn: 96_774_076 - 77_795_825,
        king: 77_795_825 - 21_506_911,
        unreachable: (0..).zip(plies).collect(),
        ok: 14_849_198,
        unknown: 0,
    };
    let mut shard = Shard::new("minishogi", &BigUint::from(SIZE), 1, 100_000_000);
    shard.add(0..100_000_000, &tally).unwrap();
    let report = EstimateReport::from(&shard);
    assert!(report.complete);
    let funnel = &report.funnel;
    assert_eq!(
        [funnel.flip, funnel.pawn, funnel.king, funnel.ok],
        [96_774_076, 77_795_825, 21_506_911, 14_849_198]
    );
    assert_eq!(format!("{:.5e}", report.estimate), "2.37798e18");
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["unreachable_by_plies"]["8"], 1);
    assert_eq!(json["candidates"], "16014219505238849250");
    assert_eq!(serde_json::from_value::<EstimateReport>(json).unwrap(), report);
}

#[test]
fn undecided_samples_widen_the_interval() {
    let size = BigUint::from(1000u32);
    let decided = StageTally { samples: 100, ok: 40, king: 60, ..StageTally::default() };
    let undecided = StageTally { unknown: 10, king: 50, ..decided.clone() };
    let [a, b] = [decided, undecided].map(|tally| shogi_reach::Estimate::new(&tally, &size));
    assert_eq!((a.p, a.low), (b.p, b.low));
    assert!(b.high > a.high + 90.0);
    let nothing = shogi_reach::Estimate::new(&StageTally::default(), &size);
    assert_eq!((nothing.low, nothing.high), (0.0, 1000.0));
}

/// Three classes of sizes and samples as given, of which the first is `name`.
fn classes(name: &str, samples: [u64; 3]) -> Classes {
    let class = |(i, samples): (usize, u64)| ClassTally {
        checks: if i == 0 { name.to_owned() } else { i.to_string() },
        size: (100u64 << i).to_string(),
        samples,
        tally: StageTally::default(),
    };
    let classes = samples.into_iter().enumerate().map(class).collect();
    Classes { excluded: "300".to_owned(), classes, deep: Vec::new() }
}

fn divided(samples: [u64; 3]) -> Shard {
    let bare = Shard::new("minishogi", &BigUint::from(520u32), 7, samples.iter().sum());
    bare.of_strata(classes("a", samples)).unwrap()
}

/// Samples of a range, the classes in turn as in [`divided`].
fn findings(range: std::ops::Range<u64>, samples: [u64; 3]) -> Findings {
    let mut start = 0;
    let parts = samples.map(|samples| {
        let part = start.max(range.start)..(start + samples).min(range.end);
        start += samples;
        tally(part.start..part.end.max(part.start))
    });
    let mut findings = Findings { tallies: parts.to_vec(), deep: Vec::new() };
    // Every tenth sample has found one of five positions.
    let tenths = range.filter(|sample| sample % 10 == 0);
    let deep = tenths.map(|sample| Deep { plies: 6, sfen: (sample / 10 % 5).to_string() });
    findings.merge(&Findings { tallies: Vec::new(), deep: deep.collect() });
    findings
}

proptest! {
    #[test]
    fn classes_merge_like_everything_else(
        samples in prop::array::uniform3(0u64..60), parts in 1u64..9,
        order in any::<prop::sample::Index>(),
    ) {
        let all = samples.iter().sum();
        let mut whole = divided(samples);
        whole.add_findings(0..all, &findings(0..all, samples)).unwrap();
        prop_assert!(whole.is_complete());
        let mut shards: Vec<Shard> = (0..parts)
            .map(|i| {
                let range = Shard::part(i, parts, all);
                let mut shard = divided(samples);
                shard.add_findings(range.clone(), &findings(range, samples)).unwrap();
                shard
            })
            .collect();
        while shards.len() > 1 {
            let first = shards.swap_remove(order.index(shards.len()));
            let at = order.index(shards.len());
            shards[at] = first.merge(&shards[at]).unwrap();
        }
        prop_assert_eq!(shards[0].to_json(), whole.to_json());
        prop_assert_eq!(&Shard::from_json(&whole.to_json()).unwrap(), &whole);
    }
}

#[test]
fn classes_that_do_not_fit_are_refused() {
    let base = divided([10, 10, 10]);
    let plain = Shard::new("minishogi", &BigUint::from(520u32), 7, 30);
    assert!(matches!(base.merge(&plain), Err(ShardReason::Strata)));
    let other = plain.clone().of_strata(classes("b", [10, 10, 10])).unwrap();
    assert!(matches!(base.merge(&other), Err(ShardReason::Strata)));
    assert!(matches!(base.merge(&divided([9, 11, 10])), Err(ShardReason::Strata)));
    let error = base.merge(&base.clone().of_set("strata")).unwrap_err();
    assert!(matches!(error, ShardReason::Different { field: "set", .. }), "{error}");
    assert!(matches!(plain.clone().of_strata(classes("a", [1, 2, 3])), Err(ShardReason::Tally)));
    let odd = Classes { excluded: "many".to_owned(), ..classes("a", [10, 10, 10]) };
    assert!(matches!(plain.of_strata(odd), Err(ShardReason::Candidates(_))));
    // One tally too few, and more of a class than it has.
    let mut some = divided([10, 10, 10]);
    let mut two = findings(0..20, [10, 10, 10]);
    two.tallies.pop();
    assert!(matches!(some.add_findings(0..20, &two), Err(ShardReason::Tally)));
    assert!(matches!(some.add(0..20, &tally(0..20)), Err(ShardReason::Tally)));
    let tallies = vec![tally(0..11), tally(11..20), StageTally::default()];
    let crowded = Findings { tallies, deep: Vec::new() };
    assert!(matches!(some.add_findings(0..20, &crowded), Err(ShardReason::Tally)));
    let mut disordered = findings(0..20, [10, 10, 10]);
    disordered.deep.reverse();
    assert!(matches!(some.add_findings(0..20, &disordered), Err(ShardReason::Deep)));
    assert_eq!(some, divided([10, 10, 10]));
}

/// The classes weigh by half their sizes, what is not done may be anything, and so may positions
/// that are their own mirror images: 2 * 520 - (300 + 100 + 200 + 400) = 40 of them.
#[test]
fn reports_of_classes_weigh_them() {
    let ok = |samples, ok| StageTally { samples, ok, king: samples - ok, ..StageTally::default() };
    let mut shard = divided([10, 10, 10]);
    let of = |tallies: [StageTally; 3]| Findings { tallies: tallies.to_vec(), deep: Vec::new() };
    shard.add_findings(0..30, &of([ok(10, 10), ok(10, 5), ok(10, 0)])).unwrap();
    let report = EstimateReport::from(&shard);
    assert_eq!((report.estimate, report.method.as_str()), (100.0, "wilson 95 % by class"));
    let squares = |weights: [f64; 3], ends: [f64; 3]| {
        weights.iter().zip(ends).map(|(w, end)| (w * end).powi(2)).sum::<f64>().sqrt()
    };
    let below = squares(
        [50.0, 100.0, 200.0],
        [1.0 - wilson(10, 10, Z_95).low, 0.5 - wilson(5, 10, Z_95).low, 0.0],
    );
    let above = squares(
        [50.0, 100.0, 200.0],
        [0.0, wilson(5, 10, Z_95).high - 0.5, wilson(0, 10, Z_95).high],
    );
    let [low, high] = report.interval;
    assert!((low - (100.0 - below)).abs() < 1e-9 && (high - (120.0 + above)).abs() < 1e-9);

    let mut half = divided([10, 10, 10]);
    half.add_findings(0..10, &of([ok(10, 10), ok(0, 0), ok(0, 0)])).unwrap();
    let [low, high] = EstimateReport::from(&half).interval;
    assert!(0.0 < low && low <= 50.0 && high >= 370.0, "{low} {high}");
}
