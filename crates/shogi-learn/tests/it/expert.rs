//! Leaves that know effort: numbers from the position above, and blends.

use std::ops::ControlFlow;
use std::sync::Arc;

use shogi_eval::effort::Origin;
use shogi_eval::{ProofEvaluation, TrainingSettings};
use shogi_learn::effort::{EffortFit, Record, fit, to_records};
use shogi_learn::expert::{ExpertIteration, ExpertProgress, ExpertSettings};
use shogi_learn::linear::{TrainingProgress, train};
use shogi_learn::saved::Work;
use shogi_rules::{Dobutsu, Minishogi, Rules, Shogi34, parse_position};
use shogi_solve::builder::{self, AsRanked, Builder, ProofState};
use shogi_solve::df_pn::{DfPn, Options, Tuning};
use shogi_solve::shogi_core::{Colour, Position};
use shogi_solve::{
    AnyLeaf, Blend, Budget, Effort, Finding, GameGraph, Goal, Harvest, Knowledge, Leaf, Learnt,
    RulesGame, Search, SearchOutcome, Unit, mean_pn_dn,
};
use testing::for_every_variant;
use testing::games::games;

/// The positions of random games, each with the moves of its game from there.
fn positions<R: Rules>(count: usize) -> Vec<Position<R>> {
    let mut positions = Vec::new();
    for game in games::<R>(3, count, 60) {
        let mut position = parse_position::<R>(R::START).unwrap();
        for &mv in game.moves() {
            positions.push(position);
            position = position.play_unchecked(mv);
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
            SearchOutcome::Proved
        } else {
            SearchOutcome::Disproved
        },
        expansions: 1 + position.count_moves() as u32,
    };
    let records: Vec<_> = positions::<R>(3).iter().map(record).collect();
    let start = parse_position::<R>(R::START).unwrap();
    let settings =
        TrainingSettings { games: 10, generations: 1, plies: 60, ..TrainingSettings::default() };
    let linear =
        train(&start, settings, |_: TrainingProgress<'_>| ControlFlow::Continue(())).unwrap();
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
            let below = above.play_unchecked(mv);
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
            if effort.0 > 0 {
                assert_eq!(mean, mean_pn_dn(linear, effort));
            }
            distinct.insert(effort);
        }
    }
    assert!(distinct.len() > 20, "{}", distinct.len());
}

for_every_variant!(numbers_from_the_position_above_are_those_of_the_position: agree(8; shogi: 2));

#[test]
fn a_harvest_has_the_findings_and_the_whole_effort_of_the_search() {
    // 3x4 shogi from RKR is won by Sente in five plies.
    let root = parse_position::<Shogi34>("rkr/1p1/1P1/RKR b - 1").unwrap();
    let game = RulesGame::<Shogi34>::new();
    let goal = Goal::win(Colour::Sente);
    let mut search = DfPn::new(&game, goal, Unit, Options::default());
    search.set_harvest(Some(Harvest::new(1000, 1)));
    // In several parts, so that positions are left open and entered again.
    let (mut spent, mut visits) = (0, 0);
    loop {
        let mut budget = Budget::nodes(200);
        let found = search.search(&root, &mut budget);
        search.unwind();
        (spent, visits) = (spent + budget.expansions(), visits + 1);
        if found == (Finding::Proved { plies: 5 }) {
            break;
        }
        assert!(matches!(found, Finding::Unknown { .. }), "{found:?}");
    }
    assert!(visits > 3, "{visits}");
    let harvest = search.harvest_mut().unwrap();
    let count = harvest.len();
    let searched = harvest.take();
    assert!(harvest.is_empty() && searched.len() == count && count > 50);
    let whole = searched.iter().find(|searched| searched.position == root).unwrap();
    assert_eq!((u64::from(whole.expansions), whole.outcome), (spent, SearchOutcome::Proved));
    let keys: std::collections::BTreeSet<_> = searched.iter().map(|s| s.position.key()).collect();
    assert_eq!(keys.len(), searched.len(), "each position once");
    for searched in &searched {
        let known = search.knowledge(&searched.position);
        assert_eq!(
            matches!(known, Knowledge::Proved { .. }),
            searched.outcome == SearchOutcome::Proved,
            "{searched:?}: {known:?}"
        );
    }
    let records: Vec<_> = to_records(searched, Colour::Sente).collect();
    assert!(records.iter().all(|record| record.prover == Colour::Sente && record.expansions > 0));
}

#[test]
fn a_harvest_has_a_share_of_the_open_positions_by_its_seed() {
    let root = parse_position::<Minishogi>(Minishogi::START).unwrap();
    let open = |per_mille, seed| {
        let game = RulesGame::<Minishogi>::new();
        let mut search = DfPn::new(&game, Goal::win(Colour::Sente), Unit, Options::default());
        search.set_harvest(Some(Harvest::new(per_mille, seed)));
        search.search(&root, &mut Budget::nodes(40_000));
        search.unwind();
        let searched = search.set_harvest(None).unwrap().take();
        let open = searched.iter().filter(|searched| searched.outcome == SearchOutcome::Open);
        open.map(|searched| searched.position.key()).collect::<Vec<_>>()
    };
    let (all, some) = (open(1000, 1).len(), open(80, 1));
    assert!(some.len() * 1000 > all * 50 && some.len() * 1000 < all * 110, "{all}");
    assert_eq!(open(80, 1), some);
    assert_ne!(open(80, 2), some);
    assert!(open(0, 1).is_empty());
}

fn iteration(seed: u64) -> ExpertIteration<Dobutsu> {
    let start = parse_position::<Dobutsu>(Dobutsu::START).unwrap();
    let settings = TrainingSettings { games: 40, generations: 1, ..TrainingSettings::default() };
    let linear =
        train(&start, settings, |_: TrainingProgress<'_>| ControlFlow::Continue(())).unwrap();
    let settings =
        ExpertSettings { seed, rounds: 2, searches: 40, nodes: 800, ..ExpertSettings::default() };
    ExpertIteration::new(start, linear.evaluation, settings)
}

/// The file that an iteration comes to.
fn learnt(iteration: &mut ExpertIteration<Dobutsu>) -> Vec<u8> {
    let evaluation = iteration.run("a test", |_, _| ControlFlow::Continue(())).unwrap();
    let mut file = Vec::new();
    evaluation.write(&mut file).unwrap();
    file
}

#[test]
fn expert_iteration_in_several_runs_has_the_same_result() {
    let whole = learnt(&mut iteration(1));
    assert_ne!(learnt(&mut iteration(2)), whole);
    let mut iteration = iteration(1);
    let mut runs = 0;
    // Each run resumes from what the one before has saved, and is broken off in each block of searches
    // and in the middle of the first fit.
    let mut breaks = [16, 32, 40, 40, 56].into_iter();
    let file = loop {
        let end = breaks.next();
        let mut steps = 0;
        let learnt = iteration.run("a test", |iteration, _| {
            steps += 1;
            // The first step after which the run is to end, and in a fit the third.
            let is_over = end == Some(iteration.searches()) && (runs != 3 || steps == 3);
            if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let mut saved = Vec::new();
        iteration.write(&mut saved).unwrap();
        iteration = ExpertIteration::read(&saved[..]).unwrap();
        runs += 1;
        if let Some(learnt) = learnt {
            let mut file = Vec::new();
            learnt.write(&mut file).unwrap();
            break file;
        }
    };
    assert_eq!((runs, iteration.searches(), iteration.rounds().len()), (6, 80, 2));
    assert_eq!(file, whole);
    let proved: u64 = iteration.rounds().iter().map(|round| round.proved).sum();
    assert!(proved > 50 && iteration.records() as u64 > proved, "{proved}");
}

#[test]
fn a_damaged_checkpoint_of_an_expert_iteration_is_refused() {
    let mut iteration = iteration(1);
    let mut searched = 0;
    let stopped = iteration.run("a test", |_, _| {
        searched += 1;
        if searched < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert!(stopped.is_none());
    let mut file = Vec::new();
    iteration.write(&mut file).unwrap();
    assert_eq!(Work::Searches.read_variant(&file[..]).unwrap(), "dobutsu");
    let error = ExpertIteration::<Minishogi>::read(&file[..]).unwrap_err().to_string();
    assert!(error.ends_with("it is for dobutsu, but minishogi is wanted"), "{error}");
    for place in (0..1000).chain((1000..file.len()).step_by(331)) {
        let mut damaged = file.clone();
        damaged[place] ^= 2;
        assert!(ExpertIteration::<Dobutsu>::read(&damaged[..]).is_err(), "byte {place}");
        assert!(ExpertIteration::<Dobutsu>::read(&file[..place]).is_err(), "cut at {place}");
    }
}

/// Builds a proof with small jobs and a new network on the way: entries, expansions and what is kept of
/// the learning.
fn built_while_learning() -> (usize, u64, Vec<u8>) {
    let game = RulesGame::<Shogi34>::new();
    let root = Position::new(Shogi34::named_start("KGR").unwrap()).unwrap();
    let goal = Goal::win(Colour::Sente);
    let leaf = |evaluation: ProofEvaluation<Shogi34>| {
        AnyLeaf::from(Effort::new(Arc::new(evaluation), Blend::Mean))
    };
    let first = evaluation::<Shogi34>();
    let settings = builder::Settings {
        first_expansions: 30,
        hash_bytes: 1 << 20,
        tuning: Tuning::LEARNT,
        ..builder::Settings::default()
    };
    let mut builder = Builder::new(&game, goal, root, leaf(first.clone()), settings);
    let run = |builder: &mut Builder<'_, _, _>, expansions| {
        builder.run(&mut AsRanked, &mut Budget::nodes(50_000_000), &mut |builder, _, _| {
            match builder.expansions() >= expansions {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
    };
    builder.collect(80, 1);
    run(&mut builder, 400);
    assert_eq!(builder.state(), ProofState::Open);
    let records: Vec<_> = to_records(builder.take_collected(), goal.prover).collect();
    assert!(records.iter().any(|record| record.outcome == SearchOutcome::Proved));
    assert!(builder.take_collected().is_empty());

    let settings = ExpertSettings { passes: 2, ..ExpertSettings::default() };
    let mut iteration = ExpertIteration::new(root, first.evaluation().clone(), settings);
    assert_eq!(iteration.learnt("a test"), None);
    let go_on = |_: &_, _: ExpertProgress<'_>| ControlFlow::Continue(());
    let learnt = iteration.learn_from(records, "a test", go_on).unwrap();
    assert_eq!(iteration.learnt("a test").as_ref(), Some(&learnt));
    let mut kept = Vec::new();
    iteration.write(&mut kept).unwrap();
    assert_eq!(ExpertIteration::read(&kept[..]).unwrap(), iteration);

    for old in builder.leaves_mut() {
        *old = leaf(learnt.clone());
    }
    run(&mut builder, u64::MAX);
    builder.plan().unwrap().check_reaches(&game, &root, goal).unwrap();
    (builder.steps(), builder.expansions(), kept)
}

#[test]
fn a_builder_learns_deterministically_from_its_searches() {
    let (steps, expansions, kept) = built_while_learning();
    assert!(steps > 10 && expansions > 400);
    assert_eq!(built_while_learning(), (steps, expansions, kept));
}
