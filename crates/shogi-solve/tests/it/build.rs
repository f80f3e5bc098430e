//! Proofs built from small jobs.

use shogi_rules::{Rules as _, Shogi34};
use shogi_solve::build::{AsRanked, Builder, Event, NextMove, Settings, State, load, save};
use shogi_solve::retrograde::Listing;
use shogi_solve::shogi_core::{Colour, Position};
use shogi_solve::toy::{Graph, Token};
use shogi_solve::{Budget, GameGraph, Goal, RulesGame, Unit};

const TINY: Settings = Settings {
    nodes: 3,
    patience: 2,
    bytes: 1 << 14,
    tuning: shogi_solve::df_pn::Tuning {
        proof: shogi_solve::df_pn::Combine::Sum,
        disproof: shogi_solve::df_pn::Combine::Sum,
        epsilon: 0,
    },
};

#[test]
fn jobs_of_any_size_find_the_exact_value_of_random_graphs() {
    let mut built = 0;
    for seed in 0..4_000 {
        let game = Graph::random(seed, 5 + (seed % 40) as u32, 3, 60);
        let root = game.start();
        let listing = Listing::new(&game, &root, 1_000).unwrap();
        for goal in Colour::ALL.map(Goal::win) {
            let forced = listing.forced(goal)[0];
            let mut builder = Builder::new(&game, goal, root, Unit, TINY);
            builder.run(&mut AsRanked, &mut Budget::nodes(200_000), &mut |_, _, _| {});
            let expected = if forced.is_some() { State::Proved } else { State::Refuted };
            assert_eq!(builder.state(), expected, "{seed} {goal:?}");
            if let Some(plan) = builder.plan() {
                plan.check_reaches(&game, &root, goal).unwrap();
                assert!(plan.plies(&game, &root, goal) >= forced);
                built += 1;
            }
        }
    }
    assert!(built > 1_000, "{built}");
}

/// Names the moves in the worst order.
struct Reversed;

impl<G: GameGraph> NextMove<G> for Reversed {
    fn moves(&mut self, _: &G, _: Goal, _: &G::Position, ranked: &[G::Move]) -> Vec<G::Move> {
        ranked.iter().rev().copied().collect()
    }
}

fn root(name: &str) -> Position<Shogi34> {
    Position::new(Shogi34::named_start(name).unwrap()).unwrap()
}

const SMALL: Settings = Settings { nodes: 300, bytes: 1 << 16, ..TINY };

#[test]
fn an_oracle_that_errs_is_told_so_and_asked_again() {
    let game = RulesGame::<Shogi34>::new();
    let goal = Goal::win(Colour::Sente);
    let mut builder = Builder::new(&game, goal, root("KGR"), Unit, SMALL);
    let mut failures = 0;
    let mut report = |_: &Builder<_, _>, _: &_, event| {
        failures += u32::from(matches!(event, Event::MoveFails { .. }));
    };
    builder.run(&mut Reversed, &mut Budget::nodes(50_000_000), &mut report);
    assert_eq!(builder.state(), State::Proved);
    assert!(failures > 0);
    builder.plan().unwrap().check_reaches(&game, &root("KGR"), goal).unwrap();
}

#[test]
fn a_saved_state_is_gone_on_from() {
    let game = RulesGame::<Shogi34>::new();
    let goal = Goal::win(Colour::Sente);
    let mut builder = Builder::new(&game, goal, root("KGR"), Unit, SMALL);
    let mut runs = 0;
    while builder.state() == State::Open {
        builder.run(&mut AsRanked, &mut Budget::nodes(20_000), &mut |_, _, _| {});
        let text = save(&builder);
        builder = load(&text, &game, goal, root("KGR"), Unit, SMALL).unwrap();
        assert_eq!(save(&builder).lines().count(), text.lines().count());
        runs += 1;
    }
    assert!(runs > 1, "one run was enough");
    builder.plan().unwrap().check_reaches(&game, &root("KGR"), goal).unwrap();

    let text = save(&builder);
    let refused = |text: &str, name: &str| {
        load(text, &game, goal, root(name), Unit, SMALL).err().expect("it should be refused")
    };
    assert!(refused(&text, "KSR").reason.contains("something else"));
    assert!(
        refused(&text.replacen("\"jobs\":", "\"jobs\":1", 1), "KGR").reason.contains("damaged")
    );
    assert!(refused("", "KGR").reason.contains("checksum"));
    let cut: String = text.lines().take(5).map(|line| format!("{line}\n")).collect();
    assert!(refused(&cut, "KGR").reason.contains("checksum"));
}

/// Names one move again and again, and one that is not there.
struct Stubborn;

impl NextMove<Graph> for Stubborn {
    fn moves(&mut self, _: &Graph, _: Goal, _: &Token, ranked: &[u32]) -> Vec<u32> {
        ranked.iter().take(1).cycle().take(ranked.len()).copied().chain([0]).collect()
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
            builder.run(&mut Stubborn, &mut Budget::nodes(20_000), &mut |_, _, _| {});
            match builder.state() {
                State::Proved => assert!(forced, "{seed} {goal:?}"),
                State::Refuted => assert!(!forced, "{seed} {goal:?}"),
                State::Open => {}
            }
        }
    }
}

/// The same text with other lines and the checksum that belongs to them.
fn forged(text: &str, from: &str, to: &str, at: usize) -> Option<String> {
    let (body, _) = text.trim_end().rsplit_once('\n')?;
    let (place, _) = body.match_indices(from).nth(at)?;
    let body = format!("{}{to}{}\n", &body[..place], &body[place + from.len()..]);
    let checksum = blake3::hash(body.as_bytes()).to_hex();
    Some(format!("{body}{{\"checksum\":\"{checksum}\"}}\n"))
}

#[test]
fn what_a_saved_state_says_without_a_certificate_is_searched_again() {
    let game = RulesGame::<Shogi34>::new();
    let goal = Goal::win(Colour::Sente);
    let mut builder = Builder::new(&game, goal, root("KGR"), Unit, SMALL);
    builder.run(&mut AsRanked, &mut Budget::nodes(6_000), &mut |_, _, _| {});
    assert_eq!(builder.state(), State::Open);
    let text = save(&builder);
    let mut edits = 0;
    for (from, to) in [
        ("\"proved\":null", "\"proved\":false"),
        ("\"proved\":null", "\"proved\":true"),
        ("\"fails\":false", "\"fails\":true"),
    ] {
        for at in 0..40 {
            let Some(text) = forged(&text, from, to, at) else { break };
            edits += 1;
            let mut builder = load(&text, &game, goal, root("KGR"), Unit, SMALL).unwrap();
            builder.run(&mut AsRanked, &mut Budget::nodes(5_000_000), &mut |_, _, _| {});
            assert_eq!(builder.state(), State::Proved, "{to} {at}");
            builder.plan().unwrap().check_reaches(&game, &root("KGR"), goal).unwrap();
        }
    }
    assert!(edits > 30, "{edits}");
}

#[test]
fn a_step_that_nothing_upholds_is_not_taken() {
    let game = RulesGame::<Shogi34>::new();
    let goal = Goal::win(Colour::Sente);
    let text = save(&Builder::new(&game, goal, root("KGR"), Unit, SMALL));
    let text = forged(&text, "\"steps\":0", "\"steps\":1", 0).unwrap();
    let step = format!("[\"{}\",\"2d2c\",1]", shogi_rules::to_sfen(&root("KGR")));
    let text = forged(&text, "]}", &format!("]}}\n{step}"), 0).unwrap();
    let builder = load(&text, &game, goal, root("KGR"), Unit, SMALL).unwrap();
    assert_eq!((builder.state(), builder.steps()), (State::Open, 0));
}
