//! Tablebases: numbering of positions, building, and probing.

use std::env;
use std::fs;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::path::Path;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use shogi_core::Placement;
use shogi_rank::{KingLegal, Ranking as _};
use shogi_rules::{Dobutsu, Shogi34};
use shogi_tablebase::{Builder, Index, Members, PieceSet, Stored, Tablebase};

/// Positions in one iteration.
const SAMPLES: u64 = 10_000;
/// A set whose table is built within seconds: 9,056,684 numbers.
const SET: &str = "P2G3K2";
/// Bytes of a block of a file.
const BLOCK: usize = 1 << 14;

/// Positions all over the numbering, in an order that jumps about in it.
fn ranks(size: u64) -> impl Iterator<Item = u64> {
    (0..SAMPLES).map(move |i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) % size)
}

fn numbering(criterion: &mut Criterion) {
    let Ok(index) = Index::new(PieceSet::<Dobutsu>::full(), Members::Safe) else { return };
    let placements: Vec<Placement<Dobutsu>> =
        ranks(index.size()).filter_map(|rank| index.unrank_u64(rank)).collect();
    let mut group = criterion.benchmark_group("tablebase/dobutsu");
    group.throughput(Throughput::Elements(SAMPLES));
    group.bench_function("unrank", |bencher| {
        bencher.iter(|| {
            ranks(index.size()).for_each(|rank| {
                black_box(index.unrank_u64(rank));
            })
        });
    });
    group.bench_function("rank", |bencher| {
        bencher.iter(|| {
            for placement in &placements {
                let _ = black_box(index.rank_u64(placement));
            }
        });
    });
    if let Some(legal) = KingLegal::<Dobutsu>::new() {
        group.bench_function("rank king-legal", |bencher| {
            bencher.iter(|| {
                for placement in &placements {
                    let _ = black_box(legal.rank(placement));
                }
            });
        });
    }
    group.finish();
}

fn tables(criterion: &mut Criterion) {
    let Some(set) = PieceSet::<Shogi34>::parse(SET) else { return };
    let Ok(index) = Index::new(set, Members::Safe) else { return };
    let mut group = criterion.benchmark_group("tablebase/3x4");
    group.sample_size(10).throughput(Throughput::Elements(index.size()));
    group.bench_function("build", |bencher| {
        bencher.iter_batched(
            || Builder::new(set, None),
            |builder| {
                let Ok(mut builder) = builder else { return };
                let finished = builder.run(|_| ControlFlow::Continue(()));
                black_box(finished.is_ok());
            },
            BatchSize::PerIteration,
        );
    });
    group.finish();
    let path = env::temp_dir().join(format!("bench-{}.tablebase", std::process::id()));
    if write(set, &path) {
        probing(criterion, &path);
    }
    // Nothing was written where this fails.
    let _ = fs::remove_file(path);
}

fn write(set: PieceSet<Shogi34>, path: &Path) -> bool {
    let Ok(mut builder) = Builder::new(set, None) else { return false };
    let Ok(Some(finished)) = builder.run(|_| ControlFlow::Continue(())) else { return false };
    finished.write(path, Stored::Plies).is_ok()
}

fn probing(criterion: &mut Criterion, path: &Path) {
    let Ok(table) = Tablebase::<Shogi34>::open(path) else { return };
    let size = table.index().size();
    let mut group = criterion.benchmark_group("tablebase/probe");
    group.throughput(Throughput::Elements(SAMPLES));
    group.bench_function("warm", |bencher| {
        bencher.iter(|| {
            for rank in 0..SAMPLES {
                let _ = black_box(table.value(rank));
            }
        });
    });
    // There are more blocks than are kept, so that each is read and decompressed.
    group.throughput(Throughput::Elements(size.div_ceil(BLOCK as u64)));
    group.bench_function("cold", |bencher| {
        bencher.iter(|| {
            for rank in (0..size).step_by(BLOCK) {
                let _ = black_box(table.value(rank));
            }
        });
    });
    group.finish();
}

criterion_group!(benches, numbering, tables);
criterion_main!(benches);
