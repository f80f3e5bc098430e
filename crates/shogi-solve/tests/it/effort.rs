//! Leaves that know effort: numbers from the position above, and blends.

use std::ops::ControlFlow;

use shogi_rules::{Rules, parse_position};
use shogi_solve::learn::effort::{EffortFit, Origin, fit};
use shogi_solve::learn::{Outcome, Progress, ProofEvaluation, Record, Settings, train};
use shogi_solve::shogi_core::{Colour, Position};
use shogi_solve::{Blend, Effort, GameGraph, Goal, Leaf, Learnt, RulesGame, mean_pn_dn};
use testing::for_every_variant;
use testing::games::games;

/// The positions of random games, each with the moves of its game from there.
fn positions<R: Rules>(count: usize) -> Vec<Position<R>> {
    let mut positions = Vec::new();
    for game in games::<R>(3, count, 60) {
        let mut position = parse_position::<R>(R::START).unwrap();
        for &mv in game.moves() {
            positions.push(position);
            position = position.play(mv);
        }
    }
    positions
}

/// An evaluation of positions whose moves are so many.
fn evaluation<R: Rules>() -> ProofEvaluation<R> {
    let record = |position: &Position<R>| Record {
        position: *position,
        prover: Colour::Sente,
        outcome: if position.side() == Colour::Sente {
            Outcome::Proved
        } else {
            Outcome::Disproved
        },
        expansions: 1 + position.count_moves() as u32,
    };
    let records: Vec<_> = positions::<R>(3).iter().map(record).collect();
    let start = parse_position::<R>(R::START).unwrap();
    let settings = Settings { games: 10, generations: 1, plies: 60, ..Settings::default() };
    let linear = train(&start, settings, |_: Progress<'_>| ControlFlow::Continue(())).unwrap();
    let settings = EffortFit { batch: 8, ..EffortFit::default() };
    let net = fit(&records, &settings, |_| ControlFlow::Continue(())).unwrap();
    let origin = Origin { command: "a test".to_owned(), seed: 1, records: records.len() as u64 };
    ProofEvaluation::new(linear.evaluation, net, origin)
}

fn agree<R: Rules>(count: usize) {
    let evaluation = evaluation::<R>();
    let game = RulesGame::<R>::new();
    let mut distinct = std::collections::BTreeSet::new();
    let mut leaf = Effort::new(&evaluation, Blend::Effort);
    let learnt = Learnt::new(evaluation.linear());
    for above in positions::<R>(count) {
        for (index, mv) in above.legal_moves().into_iter().enumerate() {
            let below = above.play(mv);
            if game.verdict(&below).is_some() {
                continue;
            }
            let goal = Goal::win(if index % 2 == 0 { Colour::Sente } else { Colour::Gote });
            let mut of = |blend| {
                leaf.set_blend(blend);
                let numbers = leaf.numbers(&game, goal, &below);
                assert_eq!(leaf.numbers_below(&game, goal, &above, mv, &below), numbers);
                numbers
            };
            let [linear, effort, mean] = [Blend::Linear, Blend::Effort, Blend::Mean].map(&mut of);
            assert_eq!(linear, learnt.numbers(&game, goal, &below));
            assert!(effort.1 > 0 && (effort.0 == 0) == (linear.0 == 0));
            if effort.0 > 0 && !game.is_check(&below) {
                assert_eq!(mean, mean_pn_dn(linear, effort));
            }
            distinct.insert(effort);
        }
    }
    assert!(distinct.len() > 20, "{}", distinct.len());
}

for_every_variant!(numbers_from_the_position_above_are_those_of_the_position: agree(8; shogi: 2));
