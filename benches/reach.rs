//! The funnel of reachability, stage by stage and as a whole, beside the published algorithm.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use shogi_core::Placement;
use shogi_rank::{KingLegal, Order, Ranking as _, Sampler, Space, Strata, Stratified};

use shogi_rules::Minishogi;
use shogi_solve::reach::{
    Reach, SearchLimit, Stage, passes_flip, passes_king, passes_pawn, published,
};

/// Samples in one iteration.
const SAMPLES: u64 = 20_000;

fn ranking(criterion: &mut Criterion) {
    let space = Space::<Minishogi>::new().unwrap();
    let sampler = Sampler::new(&space, 1);
    let ranks: Vec<u64> = sampler.ranks(0..SAMPLES).collect();
    let placements: Vec<Placement<Minishogi>> = sampler.placements(0..SAMPLES).collect();
    let mut group = criterion.benchmark_group("rank/minishogi");
    group.throughput(Throughput::Elements(SAMPLES));
    group.bench_function("sample ranks", |b| {
        b.iter(|| sampler.ranks(0..SAMPLES).fold(0, |sum, rank| sum ^ rank));
    });
    for order in Order::ALL {
        group.bench_function(format!("unrank {order}"), |b| {
            b.iter(|| {
                for &rank in &ranks {
                    let _ = black_box(space.unrank(rank, order));
                }
            });
        });
        group.bench_function(format!("rank {order}"), |b| {
            b.iter(|| {
                for placement in &placements {
                    let _ = black_box(space.rank::<u64>(placement, order));
                }
            });
        });
    }
    let set = KingLegal::<Minishogi>::new().expect("Minishogi is small enough");
    let sampler = Sampler::new(&set, 1);
    let ranks: Vec<u64> = sampler.ranks(0..SAMPLES).collect();
    let placements: Vec<Placement<Minishogi>> = sampler.placements(0..SAMPLES).collect();
    group.bench_function("unrank king-legal", |b| {
        b.iter(|| {
            for &rank in &ranks {
                let _ = black_box(set.unrank_u64(rank));
            }
        });
    });
    group.bench_function("rank king-legal", |b| {
        b.iter(|| {
            for placement in &placements {
                let _ = black_box(set.rank(placement));
            }
        });
    });
    group.finish();
}

fn stages(criterion: &mut Criterion) {
    let space = Space::<Minishogi>::new().unwrap();
    let all: Vec<Placement<Minishogi>> = Sampler::new(&space, 1).placements(0..SAMPLES).collect();
    let reach = Reach::<Minishogi>::new(SearchLimit::default());
    let mut group = criterion.benchmark_group("reach/minishogi");
    let mut left = all;
    let mut stage = |name: &str, passes: &dyn Fn(&Placement<Minishogi>) -> bool| {
        group.throughput(Throughput::Elements(left.len() as u64));
        group.bench_function(name, |b| b.iter(|| left.iter().filter(|p| passes(p)).count()));
        left.retain(passes);
    };
    stage("flip", &passes_flip);
    stage("pawn", &passes_pawn);
    stage("king", &passes_king);
    stage("reach", &|p| reach.reach(p) == Stage::Ok);
    group.finish();
}

fn pipeline(criterion: &mut Criterion) {
    let space = Space::<Minishogi>::new().unwrap();
    let sampler = Sampler::new(&space, 1);
    let reach = Reach::<Minishogi>::new(SearchLimit::default());
    let mut group = criterion.benchmark_group("pipeline/minishogi");
    group.sample_size(10);
    group.throughput(Throughput::Elements(SAMPLES));
    group.bench_function("rank to label", |b| {
        b.iter(|| {
            sampler.placements(0..SAMPLES).filter(|p| reach.classify(p) == Stage::Ok).count()
        });
    });
    let set = KingLegal::<Minishogi>::new().expect("Minishogi is small enough");
    let sampler = Sampler::new(&set, 1);
    group.bench_function("rank to label, king-legal", |b| {
        b.iter(|| sampler.placements(0..SAMPLES).filter(|p| reach.reach(p) == Stage::Ok).count());
    });
    // In the numbers that a run of 1e8 samples has of each class, by their sizes.
    let strata = Strata::<Minishogi>::new().expect("Minishogi is small enough");
    let allotted: Vec<u64> =
        strata.classes().map(|(_, size)| 1000 + (size / 50_000_000_000) as u64).collect();
    let samples = Stratified::new(&strata, 1, &allotted);
    let start = samples.samples() / 2;
    let run = start..start + 10 * SAMPLES;
    group.throughput(Throughput::Elements(10 * SAMPLES));
    group.bench_function("sample to label, strata, with the tables of a king pair", |b| {
        b.iter(|| {
            let mut ok = 0;
            samples.for_each(run.clone(), |_, p| ok += u64::from(reach.reach(&p) == Stage::Ok));
            ok
        });
    });
    group.throughput(Throughput::Elements(200));
    group.bench_function("rank to label, published algorithm", |b| {
        b.iter(|| {
            sampler.placements(0..200).filter(|p| published::classify(p) == Stage::Ok).count()
        });
    });
    group.finish();
}

criterion_group!(benches, ranking, stages, pipeline);
criterion_main!(benches);
