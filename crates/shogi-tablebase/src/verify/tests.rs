use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;

use shogi_rules::{Dobutsu, Shogi34};

use super::*;
use crate::value::byte_of;
use crate::{BuildProgress, PieceSet};

fn path(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("shogi-tablebase-{name}-{}", std::process::id()))
}

/// A finished build of a set.
fn built<R: World>(set: &str) -> Builder<R> {
    let set = PieceSet::parse(set).unwrap();
    let mut builder = Builder::new(set, None).unwrap();
    builder.run(|_| ControlFlow::Continue(())).unwrap().unwrap();
    builder
}

/// The table that is written of a build, with this value for `longest` if any.
fn written<R: World>(
    builder: &Builder<R>,
    stored: Stored,
    longest: Option<u32>,
    name: &str,
) -> Tablebase<R> {
    let path = path(name);
    let mut totals = *builder.finish().totals();
    totals.longest = longest.unwrap_or(totals.longest);
    builder.work.write_tablebase(&path, stored, totals).unwrap();
    let table = Tablebase::open(&path).unwrap();
    std::fs::remove_file(path).unwrap();
    table
}

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) as usize % end
    }
}

/// Labels the drawn positions of a table in other ways that agree with the rules, move by move, as far as verdicts
/// say. Gives the numbers and labels of each way found.
fn false_labels<R: World>(table: &Tablebase<R>) -> Vec<Vec<(u64, Verdict)>> {
    let size = table.index().size();
    let verdicts = |value: Option<Value>| value.map(|value| Value { plies: None, ..value });
    let truth: Vec<_> = (0..size).map(|rank| verdicts(table.value(rank).unwrap())).collect();
    let drawn: Vec<_> =
        (0..size).filter(|&rank| truth[rank as usize] == Some(Value::DRAW)).collect();
    let mut ways = Vec::new();
    for seed in 1..=40 {
        let mut random = Random(seed);
        let mut labels = truth.clone();
        for &rank in &drawn {
            let verdict = [Verdict::Win, Verdict::Loss, Verdict::Draw][random.below(3)];
            labels[rank as usize] = Some(Value { verdict, plies: None });
        }
        let made = |labels: &[Option<Value>], rank| {
            let placement = table.index().unrank_u64(rank).unwrap();
            let value = table.expected(&placement, &|rank| Ok(labels[rank as usize]));
            verdicts(Some(value.unwrap()))
        };
        // Each position in turn gets the label that its moves imply.
        for _ in 0..60 * drawn.len() {
            let rank = drawn[random.below(drawn.len())];
            labels[rank as usize] = made(&labels, rank);
        }
        let is_stable = drawn.iter().all(|&rank| made(&labels, rank) == labels[rank as usize]);
        let label = |rank: u64| (rank, labels[rank as usize].unwrap().verdict);
        let mut way: Vec<_> = drawn.iter().map(|&rank| label(rank)).collect();
        way.retain(|(_, verdict)| *verdict != Verdict::Draw);
        if is_stable && !way.is_empty() && !ways.contains(&way) {
            ways.push(way);
        }
    }
    ways
}

/// Tables of verdicts whose drawn positions are relabelled agree with the rules everywhere and are refuted.
fn refutes_false_labels<R: World>(set: &str, least: usize) {
    let name = format!("false-{}-{set}", R::NAME);
    let truth = written(&built::<R>(set), Stored::Verdict, None, &name);
    truth.verify_all(|_| ()).unwrap();
    let ways = false_labels(&truth);
    assert!(ways.len() >= 2, "{} ways", ways.len());
    assert!(ways.iter().any(|way| way.len() >= least), "the largest is too small");
    for way in &ways {
        let builder = built::<R>(set);
        for &(rank, verdict) in way {
            let plies = if verdict == Verdict::Win { 1 } else { 0 };
            builder.work.field.bytes[rank as usize].store(byte_of(plies), Relaxed);
        }
        let longest = Some(truth.totals().longest);
        let table = written(&builder, Stored::Verdict, longest, &name);
        table.verify_some(0..table.index().size()).unwrap();
        let error = table.verify_all(|_| ()).unwrap_err();
        let VerifyError::Refuted { found, expected, .. } = error else { panic!("{error}") };
        assert_eq!((found.unwrap().verdict, expected), (way[0].1, Some(Value::DRAW)));
    }
}

#[test]
fn false_verdicts_that_agree_with_their_successors_are_refuted() {
    refutes_false_labels::<Dobutsu>("L2", 4);
    refutes_false_labels::<Dobutsu>("C1L2", 40);
    refutes_false_labels::<Shogi34>("N1K2", 100);
}

#[test]
fn the_longest_win_of_the_header_is_checked() {
    for stored in [Stored::Plies, Stored::Verdict] {
        let builder = built::<Shogi34>("P1G1K2");
        let name = format!("longest-{stored:?}");
        let longest = written(&builder, stored, None, &name).totals().longest;
        for other in [0, longest - 1, longest + 1] {
            let table = written(&builder, stored, Some(other), &name);
            let error = table.verify_all(|_| ()).unwrap_err();
            assert!(matches!(error, VerifyError::Totals), "{error}");
        }
    }
}

#[test]
fn a_table_of_a_build_that_was_broken_off_is_refuted() {
    let set = PieceSet::<Shogi34>::parse("P1G1K2").unwrap();
    for stored in [Stored::Plies, Stored::Verdict] {
        let mut builder = Builder::new(set, None).unwrap();
        let stop = |progress: &BuildProgress| match progress.plies {
            Some(4) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        assert!(builder.run(stop).unwrap().is_none());
        let table = written(&builder, stored, None, &format!("broken-off-{stored:?}"));
        let error = table.verify_all(|_| ()).unwrap_err();
        let VerifyError::Refuted { found, .. } = error else { panic!("{error}") };
        assert_eq!(found, Some(Value::DRAW));
    }
}
