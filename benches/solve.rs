//! Proof-number search: nodes (moves played) in a second, one thread, on 3x4 shogi.

use std::hint::black_box;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use shogi_core::{Colour, Position};
use shogi_rules::{Rules as _, Shogi34};
use shogi_solve::df_pn::{DfPn, Options};
use shogi_solve::pds::Pds;
use shogi_solve::{Budget, Finding, Goal, Leaf, Mobility, RulesGame, Search, Unit};

/// Nodes of one search; none of the searches below is done by then.
const NODES: u64 = 1_000_000;
/// Bytes of a table, enough for all positions of a search.
const BYTES: usize = 64 << 20;
/// A start that takes many millions of nodes to solve.
const START: &str = "BKR";
/// What is searched for.
const GOAL: Goal = Goal::win(Colour::Sente);

type Shogi = RulesGame<Shogi34>;

fn spend(search: &mut impl Search<Shogi>, root: &Position<Shogi34>) -> Finding {
    let mut budget = Budget::nodes(NODES);
    let found = search.search(root, &mut budget);
    assert!(budget.is_over(), "{START} is too easy: {found:?} in {} nodes", budget.spent());
    found
}

fn search<L: Leaf<Shogi> + Copy>(criterion: &mut Criterion, name: &str, leaf: L) {
    let game = Shogi::new();
    let root = match Shogi34::named_start(START).map(Position::new) {
        Ok(Ok(root)) => root,
        other => panic!("{START}: {other:?}"),
    };
    let mut group = criterion.benchmark_group("solve/3x4");
    group.sample_size(10).throughput(Throughput::Elements(NODES));
    group.bench_function(BenchmarkId::new("df-pn", name), |bencher| {
        bencher.iter_batched_ref(
            || DfPn::new(&game, GOAL, leaf, Options { hash_bytes: BYTES, ..Options::default() }),
            |search| black_box(spend(search, &root)),
            BatchSize::PerIteration,
        );
    });
    group.bench_function(BenchmarkId::new("pds", name), |bencher| {
        bencher.iter_batched_ref(
            || Pds::new(&game, GOAL, leaf, BYTES),
            |search| black_box(spend(search, &root)),
            BatchSize::PerIteration,
        );
    });
    group.finish();
}

fn three_by_four(criterion: &mut Criterion) {
    search(criterion, "unit", Unit);
    search(criterion, "mobility", Mobility);
}

criterion_group!(benches, three_by_four);
criterion_main!(benches);
