//! The player: positions visited in a second, one thread, from the start of each variant and from a
//! position twelve moves of its own later.

use std::hint::black_box;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use shogi_rules::{Game, Rules};
use shogi_search::{Action, Control, Evaluation, Limits, Player, Settings};
use shogi_variants::{RuleSet, Variant, Visitor};

/// Nodes of one search.
const NODES: u64 = 200_000;
/// Nodes for each of the moves that lead to the middle of a game.
const MOVE_NODES: u64 = 2_000;

/// A player who has not thought yet, without a search for mates beforehand.
fn player<R: Rules>() -> Player<R, Evaluation<R>> {
    let settings = Settings { hash_bytes: 16 << 20, mate_probe: false, ..Settings::default() };
    Player::new(Evaluation::standard(), settings)
}

/// A game from the start in which the player has made so many moves for both sides.
fn game<R: Rules>(moves: usize) -> Game<R> {
    let mut game = Game::<R>::from_start();
    let mut player = player::<R>();
    for _ in 0..moves {
        let choice = player.think(&game, &Limits::nodes(MOVE_NODES), &Control::new(), |_| {});
        let Action::Play(mv) = choice.action else { break };
        let mut longer = game.clone();
        if longer.play(mv).is_err() || longer.outcome().is_some() {
            break;
        }
        game = longer;
    }
    game
}

fn variant<R: Rules>(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("player");
    group.sample_size(10).throughput(Throughput::Elements(NODES));
    for (name, moves) in [("start", 0), ("middle", 12)] {
        let game = game::<R>(moves);
        group.bench_function(BenchmarkId::new(R::NAME, name), |bencher| {
            bencher.iter_batched_ref(
                player::<R>,
                |player| {
                    let limits = Limits::nodes(NODES);
                    let choice = player.think(&game, &limits, &Control::new(), |_| {});
                    assert!(choice.nodes == NODES, "{} nodes only", choice.nodes);
                    black_box(choice)
                },
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

fn variants(criterion: &mut Criterion) {
    struct Bench<'c>(&'c mut Criterion);
    impl Visitor for Bench<'_> {
        type Output = ();
        fn visit<R: RuleSet>(self) {
            variant::<R>(self.0);
        }
    }
    Variant::ALL.iter().for_each(|variant| variant.visit(Bench(criterion)));
}

criterion_group!(benches, variants);
criterion_main!(benches);
