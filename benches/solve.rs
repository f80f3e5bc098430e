//! Proof-number search, one thread: nodes (moves played) in a second on 3x4 shogi, and expansions
//! (positions whose moves are looked at) in a second on Kyoto shogi.

use std::hint::black_box;
use std::ops::ControlFlow;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use shogi_core::{Colour, Position};
use shogi_eval::{ProofEvaluation, TrainingSettings};
use shogi_learn::linear::train;
use shogi_rules::{KyotoShogi, Rules, Shogi34, parse_usi};
use shogi_solve::df_pn::{DfPn, Options, Tuning};
use shogi_solve::pds::Pds;
use shogi_solve::{
    Blend, Budget, Effort, Finding, Goal, Leaf, Learnt, Mobility, RulesGame, Search, Unit,
};

/// Nodes of one search; none of the searches below is done by then.
const NODES: u64 = 1_000_000;
/// Nodes of one search with a leaf that is learnt: so many that the first touch of a fresh table's
/// pages, a quarter of the time of a million nodes, is a small part of it.
const LONG: u64 = 4_000_000;
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

/// Df-pn after 1e1d+ 4a3b-, a reply that takes millions of nodes.
fn kyoto_search<L: Leaf<RulesGame<KyotoShogi>> + Copy>(
    criterion: &mut Criterion,
    name: &str,
    leaf: L,
    tuning: Tuning,
    nodes: u64,
) {
    let game = RulesGame::<KyotoShogi>::new();
    let root = ["1e1d+", "4a3b-"].iter().fold(KyotoShogi::start(), |position, mv| {
        let mv = parse_usi(mv).unwrap_or_else(|error| panic!("{mv}: {error}"));
        position.play_unchecked(mv)
    });
    let new = || {
        let options = Options { tuning, hash_bytes: 4 * BYTES, ..Options::default() };
        DfPn::new(&game, GOAL, leaf, options)
    };
    let spend = |search: &mut DfPn<'_, _, L>| {
        let mut budget = Budget::nodes(nodes);
        search.search(&root, &mut budget);
        assert!(budget.is_over(), "too easy: {} nodes", budget.spent());
        budget.expansions()
    };
    let mut group = criterion.benchmark_group("solve/kyoto");
    group.sample_size(10).throughput(Throughput::Elements(spend(&mut new())));
    group.bench_function(BenchmarkId::new("df-pn", name), |bencher| {
        bencher.iter_batched_ref(new, |search| black_box(spend(search)), BatchSize::PerIteration);
    });
    group.finish();
}

/// The leaf that is learnt from a few games takes as long as one learnt from many.
fn kyoto(criterion: &mut Criterion) {
    let settings = TrainingSettings { games: 1_000, generations: 2, ..TrainingSettings::default() };
    let trained = train(&KyotoShogi::start(), settings, |_| ControlFlow::Continue(()));
    let Some(trained) = trained else { panic!("the training was broken off") };
    kyoto_search(criterion, "unit", Unit, Tuning::DEFAULT, NODES);
    kyoto_search(criterion, "mobility", Mobility, Tuning::DEFAULT, NODES);
    kyoto_search(
        criterion,
        "learnt",
        Learnt::new(trained.evaluation.linear()),
        Tuning::LEARNT,
        LONG,
    );
    let Some(evaluation) = ProofEvaluation::trained() else { panic!("Kyoto shogi has one") };
    kyoto_search(criterion, "mean", Effort::new(&evaluation, Blend::Mean), Tuning::LEARNT, LONG);
}

criterion_group!(benches, three_by_four, kyoto);
criterion_main!(benches);
