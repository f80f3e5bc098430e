//! The learnt evaluation at the leaves of a search, as a sum over tables and as the plain sum.

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use shogi_core::Placement;
use shogi_eval::{Features, Linear};
use shogi_rules::Rules;
use shogi_variants::{RuleSet, Variant, Visitor};

/// Positions of games whose moves are picked without any plan.
fn positions<R: Rules>() -> Vec<Placement<R>> {
    let start = R::start();
    let (mut positions, mut position) = (Vec::new(), start);
    for ply in 0..1000usize {
        let moves = position.legal_moves();
        if moves.is_empty() || R::verdict(&position).is_some() {
            position = start;
            continue;
        }
        position = position.play_unchecked(moves[ply.wrapping_mul(7919) % moves.len()]);
        positions.push(*position.placement());
    }
    positions
}

fn variant<R: Rules>(group: &mut BenchmarkGroup<'_, WallTime>) {
    let weights = (0..Features::<R>::COUNT as i32).map(|i| i * 7919 % 4096 - 2048).collect();
    let linear = Linear::<R>::new(weights).unwrap();
    let positions = positions::<R>();
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function(format!("{} by tables", R::NAME), |b| {
        b.iter(|| positions.iter().map(|position| linear.logit(black_box(position))).sum::<f32>());
    });
    group.bench_function(format!("{} plainly", R::NAME), |b| {
        b.iter(|| {
            let mut sum = 0;
            for position in &positions {
                Features::visit(black_box(position), |feature| sum += linear.weights()[feature]);
            }
            sum
        });
    });
}

fn evaluation(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("evaluation");
    struct Bench<'g, 'm>(&'g mut BenchmarkGroup<'m, WallTime>);
    impl Visitor for Bench<'_, '_> {
        type Output = ();
        fn visit<R: RuleSet>(self) {
            variant::<R>(self.0);
        }
    }
    Variant::ALL.iter().for_each(|variant| variant.visit(Bench(&mut group)));
    group.finish();
}

criterion_group!(benches, evaluation);
criterion_main!(benches);
