//! Move generation: perft from the start position, the last ply counted and played.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use shogi_core::{Position, perft, perft_playing};
use shogi_rules::{Minishogi, Rules, parse_position};

fn bench<R: Rules>(criterion: &mut Criterion, depth: u32) {
    let start: Position<R> = match parse_position(R::START) {
        Ok(start) => start,
        Err(error) => panic!("the start position of {}: {error}", R::NAME),
    };
    let mut group = criterion.benchmark_group(format!("perft/{}", R::NAME));
    group.throughput(Throughput::Elements(perft(&start, depth)));
    group.bench_function("bulk", |b| b.iter(|| perft(black_box(&start), depth)));
    group.bench_function("playing", |b| b.iter(|| perft_playing(black_box(&start), depth)));
    group.finish();
}

fn minishogi(criterion: &mut Criterion) {
    bench::<Minishogi>(criterion, 5);
}

criterion_group!(benches, minishogi);
criterion_main!(benches);
