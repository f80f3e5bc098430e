//! Proofs built from small jobs.

use std::fs;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::build_log::logged;
use crate::graphs;
use crate::workers;

use graphs::{GAME, SENTE, start};
use serde::{Deserialize, Serialize};
use serde_json::json;
use shogi_files::sealed::{from_json, to_json};
use shogi_rules::Shogi34;
use shogi_solve::builder::{
    AlphaBeta, AsRanked, Builder, Event, JOB_FORMAT, NAMED_AGAIN, NamedMove, NamingRequest,
    NextMove, ProofState, RESULT_FORMAT, Settings, Skeleton, WorkError, by_rank, skeleton_variant,
};
use shogi_solve::retrograde::Listing;
use shogi_solve::shogi_core::Colour;
use shogi_solve::toy::Graph;
use shogi_solve::{Budget, GameGraph, Goal, Leaf, Mobility, RulesGame, Unit};
use workers::{answer_jobs, result_of};

pub(super) const TINY: Settings = Settings {
    first_expansions: 1,
    max_expansions: 9,
    root_max_expansions: 9,
    hash_bytes: 1 << 14,
    tuning: shogi_solve::df_pn::Tuning {
        proof: shogi_solve::df_pn::Combine::Sum,
        disproof: shogi_solve::df_pn::Combine::Sum,
        epsilon: 0,
    },
    root_epsilon: None,
};

pub(super) type Game34 = RulesGame<Shogi34>;
pub(super) type Builder34 = Builder<'static, Game34, Unit>;

/// A builder of a proof that Sente wins from a start of 3x4 shogi.
pub(super) fn builder_of(name: &str, settings: Settings) -> Builder34 {
    Builder::new(GAME, SENTE, start(name), Unit, settings)
}

/// Checks that the root of a builder is proved by a valid plan.
pub(super) fn assert_proved<L: Leaf<Game34>>(builder: &Builder<'_, Game34, L>) {
    assert_eq!(builder.state(), ProofState::Proved);
    builder.plan().unwrap().check_reaches(GAME, builder.root(), SENTE).unwrap();
}

/// That a builder has found whether Sente wins a graph, and a plan that holds if so; whether it is so.
fn assert_exact_value(builder: &Builder<'_, Graph, Unit>, game: &Graph, seed: u64) -> bool {
    let forced = Listing::new(game, &game.start(), 1_000).unwrap().forced(SENTE)[0].is_some();
    let expected = if forced { ProofState::Proved } else { ProofState::Refuted };
    assert_eq!(builder.state(), expected, "{seed}");
    if forced {
        builder.plan().unwrap().check_reaches(game, &game.start(), SENTE).unwrap();
    }
    forced
}

/// Runs a builder without looking.
pub(super) fn run<G: GameGraph, L: Leaf<G>>(
    builder: &mut Builder<'_, G, L>,
    oracle: &mut impl NextMove<G>,
    nodes: u64,
) {
    builder.run(oracle, &mut Budget::nodes(nodes), &mut |_, _, _| ControlFlow::Continue(()));
}

#[test]
fn jobs_of_any_size_find_the_exact_value_of_random_graphs() {
    let (mut built, mut expanded) = (0, 0);
    for seed in 0..4_000 {
        let game = Graph::random(seed, 5 + (seed % 40) as u32, 3, 60);
        let root = game.start();
        let listing = Listing::new(&game, &root, 1_000).unwrap();
        for goal in Colour::ALL.map(Goal::win) {
            let forced = listing.forced(goal)[0];
            let mut builder = Builder::new(&game, goal, root, Unit, TINY);
            let mut observer = |_: &Builder<_, _>, _: &_, event: &Event<_>| {
                expanded += u32::from(matches!(event, Event::Expanded { .. }));
                ControlFlow::Continue(())
            };
            builder.run(&mut AsRanked, &mut Budget::nodes(200_000), &mut observer);
            let expected = if forced.is_some() { ProofState::Proved } else { ProofState::Refuted };
            assert_eq!(builder.state(), expected, "{seed} {goal:?}");
            if let Some(plan) = builder.plan() {
                plan.check_reaches(&game, &root, goal).unwrap();
                assert!(plan.plies(&game, &root, goal) >= forced);
                built += 1;
            }
        }
    }
    assert!(built > 1_000 && expanded > 1_000, "{built} {expanded}");
}

/// A job as it stands in its file.
#[derive(Serialize, Deserialize)]
struct JobFile {
    variant: String,
    rules: String,
    position: String,
    sente_proves: bool,
    draw_suffices: bool,
    expansions: u64,
}

/// A worker's report of its finding.
#[derive(Serialize)]
struct ResultFile {
    job: JobFile,
    nodes: u64,
    expansions: u64,
    found: serde_json::Value,
}

fn false_result(job: &str, nodes: u64, expansions: u64, found: serde_json::Value) -> String {
    let job = from_json(job, &JOB_FORMAT).unwrap();
    to_json(&ResultFile { job, nodes, expansions, found }, &RESULT_FORMAT)
}

/// A worker need not be trusted: what it says of a job may be anything.
#[test]
fn no_result_of_a_worker_decides_a_build_that_the_rules_do_not() {
    let folder = std::env::temp_dir().join(format!("shogi-build-lies-{}", std::process::id()));
    let settings =
        Settings { first_expansions: 2, max_expansions: 10, root_max_expansions: 100_000, ..SMALL };
    let mut builder = builder_of("KGR", settings);
    let is_over = AtomicBool::new(false);
    let mut refused = Vec::new();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut turns = (0..8).cycle();
            answer_jobs(&folder, &is_over, |job| match turns.next() {
                Some(0) => false_result(job, 1, 1, "refuted".into()),
                Some(1) => false_result(job, u64::MAX, 1, "refuted".into()),
                Some(2) => false_result(job, 1, u64::MAX, "refuted".into()),
                Some(3) => false_result(job, 1, 1, json!({"proved": ""})),
                Some(4) => "nonsense".repeat(1 << 20),
                _ => result_of(job),
            });
        });
        let observer = &mut |_: &Builder<_, _>, _: &_, _: &_| ControlFlow::Continue(());
        let refused = &mut |file: &Path, error: &WorkError| {
            assert!(file.extension() == Some("result".as_ref()));
            refused.push(error.to_string());
        };
        let budget = &mut Budget::nodes(10_000_000);
        let done = builder.run_in_folder(&folder, 2, &mut AsRanked, budget, observer, refused);
        is_over.store(true, Ordering::Relaxed);
        done.unwrap();
    });
    assert_proved(&builder);
    for reason in ["not refuted by the same job", "more than the job can take", "no proof", "bytes"]
    {
        assert!(refused.iter().any(|refused| refused.contains(reason)), "{reason}: {refused:?}");
    }
    fs::remove_dir_all(folder).unwrap();
}

/// Names the moves in the worst order.
struct Reversed;

impl<G: GameGraph> NextMove<G> for Reversed {
    fn moves(&mut self, _: &G, _: Goal, at: &NamingRequest<G>) -> Vec<NamedMove<G::Move>> {
        by_rank(at.ranked.iter().rev().copied())
    }
}

/// Changes the order whenever it is consulted again, and notes for what was spent.
#[derive(Default)]
pub(super) struct Wavering {
    pub(super) asked: Vec<(u64, u64)>,
}

impl<G: GameGraph> NextMove<G> for Wavering {
    fn moves(&mut self, game: &G, _: Goal, at: &NamingRequest<G>) -> Vec<NamedMove<G::Move>> {
        self.asked.push((game.key(&at.position), at.spent));
        let mut moves = at.ranked.clone();
        moves.rotate_left(1);
        moves.into_iter().map(|mv| NamedMove { mv, factor: 1.5 }).collect()
    }

    fn thinks_again(&self) -> bool {
        true
    }
}

#[test]
fn an_oracle_that_thinks_again_is_called_where_much_was_spent() {
    let (mut again, mut built) = (0, 0);
    let tiny = Settings { max_expansions: 1, root_max_expansions: 1, ..TINY };
    for seed in 0..1_000 {
        let game = Graph::random(seed, 40 + (seed % 40) as u32, 3, 60);
        let mut builder = Builder::new(&game, SENTE, game.start(), Unit, tiny);
        let mut oracle = Wavering::default();
        run(&mut builder, &mut oracle, 1_000_000);
        built += u32::from(assert_exact_value(&builder, &game, seed));
        let mut spent = std::collections::HashMap::new();
        for (key, now) in oracle.asked {
            if let Some(before) = spent.insert(key, now) {
                assert!(now >= NAMED_AGAIN * before, "{seed}: {now} after {before}");
                again += 1;
            }
        }
    }
    assert!(again > 100 && built > 100, "{again} {built}");
}

pub(super) const SMALL: Settings = Settings {
    first_expansions: 30,
    max_expansions: 300,
    root_max_expansions: 300,
    hash_bytes: 1 << 16,
    ..TINY
};

#[test]
fn an_oracle_that_errs_gets_the_error_and_is_called_again() {
    let mut failures = 0;
    for seed in 0..500 {
        let game = Graph::random(seed, 20 + (seed % 40) as u32, 3, 60);
        let mut builder = Builder::new(&game, SENTE, game.start(), Unit, TINY);
        let mut observer = |_: &Builder<_, _>, _: &_, event: &Event<_>| {
            failures += u32::from(matches!(event, Event::MoveFails { .. }));
            ControlFlow::Continue(())
        };
        builder.run(&mut Reversed, &mut Budget::nodes(1_000_000), &mut observer);
        assert_exact_value(&builder, &game, seed);
    }
    assert!(failures > 100, "{failures}");
    let mut builder = builder_of("KGR", SMALL);
    run(&mut builder, &mut Reversed, 50_000_000);
    assert_proved(&builder);
}

/// Proof numbers so many times as large as the disproof numbers.
struct Scaled(u32);

impl<G: GameGraph> Leaf<G> for Scaled {
    fn numbers(&self, _: &G, _: Goal, _: &G::Position) -> (u32, u32) {
        (self.0, 1)
    }
}

#[test]
fn searches_with_different_leaves_take_turns() {
    let mut builder = Builder::new(GAME, SENTE, start("KGR"), Scaled(1), SMALL);
    builder.add_search(Scaled(7));
    run(&mut builder, &mut AlphaBeta { leaf: Mobility, depth: 3, positions: 2_000 }, 50_000_000);
    assert_proved(&builder);
}

/// Values by three searches in threads of their own, with an oracle each; how many were proved, and how many
/// runs consulted more than one oracle.
fn in_threads<N>(oracle: impl Fn() -> N, asked: impl Fn(&N) -> bool) -> (u32, u32)
where
    N: NextMove<Graph> + Send,
{
    let (mut proved, mut shared) = (0, 0);
    for seed in 0..200 {
        let game = Graph::random(seed, 20 + (seed % 40) as u32, 3, 60);
        let mut builder = Builder::new(&game, SENTE, game.start(), Unit, TINY);
        builder.add_search(Unit);
        builder.add_search(Unit);
        let mut oracles = [oracle(), oracle(), oracle()];
        let mut observer = |_: &Builder<_, _>, _: &_, _: &Event<_>| ControlFlow::Continue(());
        builder.run_parallel(&mut oracles, &mut Budget::nodes(1_000_000), &mut observer);
        proved += u32::from(assert_exact_value(&builder, &game, seed));
        shared += u32::from(oracles.iter().filter(|&oracle| asked(oracle)).count() > 1);
    }
    (proved, shared)
}

#[test]
fn threads_prove_the_same_values_as_one() {
    let (proved, _) = in_threads(|| AsRanked, |_| false);
    assert!(proved > 20, "{proved}");
}

#[test]
fn each_thread_uses_its_own_oracle() {
    let (proved, shared) = in_threads(Wavering::default, |oracle| !oracle.asked.is_empty());
    assert!(proved > 20 && shared > 0, "{proved} {shared}");
}

/// Fails in its thread.
struct Panicking;

impl NextMove<Graph> for Panicking {
    fn moves(&mut self, _: &Graph, _: Goal, _: &NamingRequest<Graph>) -> Vec<NamedMove<u32>> {
        panic!("an oracle that fails")
    }
}

#[test]
fn a_panic_in_a_thread_ends_the_run() {
    let mut panics = 0;
    let tiny = Settings { max_expansions: 1, root_max_expansions: 1, ..TINY };
    for seed in 0..10 {
        let game = Graph::random(seed, 40, 3, 60);
        let mut builder = Builder::new(&game, SENTE, game.start(), Unit, tiny);
        builder.add_search(Unit);
        let (oracles, budget) = (&mut [Panicking, Panicking], &mut Budget::nodes(100_000));
        let mut run = || {
            builder.run_parallel(oracles, budget, &mut |_, _, _| ControlFlow::Continue(()));
        };
        panics += u32::from(catch_unwind(AssertUnwindSafe(&mut run)).is_err());
    }
    assert!(panics > 3, "{panics}");
}

#[test]
fn a_skeleton_expands_to_a_whole_proof() {
    let (_, builder) = logged(50_000_000);
    let skeleton = builder.skeleton().unwrap();
    let left_out = skeleton.moves.iter().filter(|mv| mv.is_none()).count();
    assert!(left_out > 0 && skeleton.moves.len() > left_out, "{skeleton:?}");
    assert!(skeleton.moves.len() < builder.steps() / 2);
    let text = skeleton.to_json();
    assert_eq!(Skeleton::from_json(&text).unwrap(), skeleton);
    assert_eq!(skeleton_variant(&text).unwrap(), "shogi34");

    let mut whole = builder_of("KGR", SMALL);
    whole.follow_skeleton(&skeleton).unwrap();
    run(&mut whole, &mut AsRanked, 50_000_000);
    assert_proved(&whole);

    // Every move has its place.
    let mut cut = skeleton.clone();
    cut.moves.pop();
    assert!(builder_of("KGR", SMALL).follow_skeleton(&cut).is_err());
    assert!(builder_of("KSR", SMALL).follow_skeleton(&skeleton).is_err());
    assert!(Skeleton::<Shogi34>::from_json(&text.replacen("shogi34", "shogi35", 1)).is_err());
}

#[test]
fn alpha_beta_names_a_mate_first_and_all_moves_once() {
    let game = Graph::parse("((L W)(D L)((W W)(W)))").unwrap();
    let mut moves = Vec::new();
    game.moves(&game.start(), &mut moves);
    let mut oracle = AlphaBeta { leaf: Unit, depth: 4, positions: 1_000 };
    let request = NamingRequest { position: game.start(), ranked: moves.clone(), spent: 0 };
    let named = oracle.moves(&game, SENTE, &request);
    // After its first move comes the one that was ranked first.
    assert_eq!((named[0].mv, named[1].mv), (moves[2], moves[0]));
    assert_eq!((named[0].factor, named[1].factor), (1.0, 3.0));
    let mut named: Vec<_> = named.into_iter().map(|named| named.mv).collect();
    named.sort_unstable();
    assert_eq!(named, moves);
}

/// Names one move again and again, and one that is not there.
struct Stubborn;

impl NextMove<Graph> for Stubborn {
    fn moves(&mut self, _: &Graph, _: Goal, at: &NamingRequest<Graph>) -> Vec<NamedMove<u32>> {
        let ranked = &at.ranked;
        by_rank(ranked.iter().take(1).cycle().take(ranked.len()).copied().chain([0]))
    }
}

#[test]
fn an_oracle_that_leaves_moves_out_refutes_nothing() {
    for seed in 0..2_000 {
        let game = Graph::random(seed, 5 + (seed % 40) as u32, 3, 60);
        let root = game.start();
        let listing = Listing::new(&game, &root, 1_000).unwrap();
        for goal in Colour::ALL.map(Goal::win) {
            let forced = listing.forced(goal)[0].is_some();
            let mut builder = Builder::new(&game, goal, root, Unit, TINY);
            run(&mut builder, &mut Stubborn, 20_000);
            match builder.state() {
                ProofState::Proved => assert!(forced, "{seed} {goal:?}"),
                ProofState::Refuted => assert!(!forced, "{seed} {goal:?}"),
                ProofState::Open => {}
            }
        }
    }
}
