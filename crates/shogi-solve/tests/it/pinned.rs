//! Pins a builder's steps, the findings of searches and the contents of files: changes of the code must not
//! change them.

use std::fmt::Write as _;
use std::fs;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::graphs;
use crate::workers;

use graphs::{GAME, SENTE, start};
use shogi_rules::{
    Dobutsu, KyotoShogi, Minishogi, Rules, Shogi, Shogi34, parse_position, to_sfen, to_usi,
};
use shogi_solve::builder::{
    AlphaBeta, AsRanked, Builder, Cost, Event, Log, NamedMove, NamingRequest, NextMove, ProofState,
    Settings, by_rank, check, replay,
};
use shogi_solve::checkpoint::Reader;
use shogi_solve::df_pn::{self, DfPn};
use shogi_solve::pds::Pds;
use shogi_solve::proof::Shortening;
use shogi_solve::shogi_core::{Colour, Position};
use shogi_solve::toy::Graph;
use shogi_solve::{
    Budget, Decision, EFFORT, GameGraph, Goal, Leaf, Mobility, Options, Plan, Prevention,
    RulesGame, Search, Solver, Unit, decide, prevent, reach_plan, win_within,
};
use testing::games::games;
use workers::{answer_jobs, result_of};

/// Sixteen digits that stand for a text.
fn digest(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
}

/// Compares a text with the digest of what it was.
fn assert_pinned(name: &str, text: &str, pinned: &str) {
    let found = digest(text);
    if found != pinned {
        let file = std::env::temp_dir().join(format!("pinned-{name}.txt"));
        fs::write(&file, text).unwrap();
        panic!("{name}: {found}, not {pinned}; see {}", file.display());
    }
}

/// Jobs so small that there are many.
fn settings(first: u64, most: u64) -> Settings {
    Settings {
        first_expansions: first,
        max_expansions: most,
        root_max_expansions: most,
        hash_bytes: 1 << 16,
        tuning: df_pn::Tuning::default(),
        root_epsilon: None,
    }
}

/// A line for an event.
fn event_line<M: Copy>(event: &Event<M>, mv: impl Fn(M) -> String) -> String {
    let cost = |Cost { budget, nodes, expansions }: Cost| format!("{budget} {nodes} {expansions}");
    let all = |moves: &[M]| moves.iter().map(|&named| mv(named)).collect::<Vec<_>>().join(" ");
    match event {
        Event::Proved { cost: took, moves } => format!("proved {}: {}", cost(*took), all(moves)),
        Event::Known { plies } => format!("known {plies}"),
        Event::LeftOpen { cost: took, proof, disproof } => {
            format!("open {}: {proof} {disproof}", cost(*took))
        }
        Event::Refuted { cost: took } => format!("refuted {}", cost(*took)),
        Event::NoMoveLeft => "no move left".to_owned(),
        Event::Expanded { moves } => {
            let named = moves.iter().map(|named| format!("{}*{}", mv(named.mv), named.factor));
            format!("expanded {}", named.collect::<Vec<_>>().join(" "))
        }
        Event::Followed { mv: followed } => format!("followed {}", mv(*followed)),
        Event::MoveFails { mv: failing } => format!("fails {}", mv(*failing)),
    }
}

/// The state of a builder.
fn state_line<G: GameGraph, L: Leaf<G>>(builder: &Builder<'_, G, L>) -> String {
    let plan = builder.plan().map_or(0, |plan| plan.len());
    format!(
        "{:?} {} {} {} {} {} {:.3e} {} {plan}\n",
        builder.state(),
        builder.jobs(),
        builder.spent(),
        builder.expansions(),
        builder.steps(),
        builder.open().count(),
        builder.estimate(),
        builder.hardest().len(),
    )
}

/// Names all moves, from the last to the first, and changes its mind where much was spent.
struct Turning;

impl<G: GameGraph> NextMove<G> for Turning {
    fn moves(&mut self, _: &G, _: Goal, at: &NamingRequest<G>) -> Vec<NamedMove<G::Move>> {
        let mut moves: Vec<_> = at.ranked.iter().rev().copied().collect();
        let turns = at.spent as usize % moves.len();
        moves.rotate_left(turns);
        by_rank(moves)
    }

    fn thinks_again(&self) -> bool {
        true
    }
}

/// All steps of a builder of a graph, and its final state.
fn steps_of_graph(
    game: &Graph,
    goal: Goal,
    oracle: &mut impl NextMove<Graph>,
    most: u64,
) -> String {
    let mut text = String::new();
    let mut builder = Builder::new(game, goal, game.start(), Unit, settings(1, most));
    builder.run(oracle, &mut Budget::nodes(20_000), &mut |_, token, event| {
        let line = event_line(event, |mv| mv.to_string());
        writeln!(text, "{} {:?} {line}", token.node, token.side).unwrap();
        ControlFlow::Continue(())
    });
    text + &state_line(&builder)
}

#[test]
fn builders_of_graphs_are_unchanged() {
    let (mut text, mut turning) = (String::new(), String::new());
    for seed in 0..120 {
        let game = Graph::random(seed, 5 + (seed % 60) as u32, 3, 60);
        for goal in Colour::ALL.map(Goal::win) {
            text += &steps_of_graph(&game, goal, &mut AsRanked, 9);
            turning += &steps_of_graph(&game, goal, &mut Turning, 1);
        }
    }
    for kind in
        ["proved", "known", "open", "refuted", "no move left", "expanded", "followed", "fails"]
    {
        assert!(text.contains(kind) && turning.contains(kind), "too tame: {kind}");
    }
    assert_pinned("graphs", &text, "2eeeab638d417901");
    assert_pinned("turning", &turning, "03b93814ef627d55");
}

/// Positions of random games, the game not over, and the same at every run.
fn positions<R: Rules>(count: usize) -> Vec<Position<R>> {
    let mut found = Vec::new();
    for game in games::<R>(11, count, 60) {
        let open = |position: &&Position<R>| R::verdict(position).is_none();
        let before_the_end = game.positions().iter().rev().filter(open).nth(3);
        found.extend(before_the_end.copied());
    }
    found
}

/// All steps of a builder in a position, and its final state.
fn steps_of_position<R: Rules>(
    root: &Position<R>,
    prover: Colour,
    searches: usize,
    oracle: &mut impl NextMove<RulesGame<R>>,
) -> String {
    let game = RulesGame::<R>::new();
    let mut text = format!("{}\n", to_sfen(root));
    let mut builder = Builder::new(&game, Goal::win(prover), *root, Mobility, settings(10, 30));
    for _ in 1..searches {
        builder.add_search(Mobility);
    }
    builder.run(oracle, &mut Budget::nodes(6_000), &mut |_, at, event| {
        writeln!(text, "{} {}", to_sfen(at), event_line(event, to_usi)).unwrap();
        ControlFlow::Continue(())
    });
    text + &state_line(&builder)
}

/// The steps of builders with searches that take turns, and with an oracle that searches itself.
fn steps<R: Rules>() -> String {
    let mut text = String::new();
    for root in positions::<R>(5) {
        for prover in Colour::ALL {
            text += &steps_of_position(&root, prover, 1, &mut AsRanked);
            text += &steps_of_position(&root, prover, 2, &mut Turning);
        }
        let mut oracle = AlphaBeta { leaf: Mobility, depth: 3, positions: 300 };
        text += &steps_of_position(&root, root.side(), 1, &mut oracle);
    }
    assert!(text.contains("expanded") && text.contains("open"), "too tame: {}", R::NAME);
    text
}

#[test]
fn builders_of_each_variant_are_unchanged() {
    let all = [
        (steps::<Minishogi>(), "minishogi", "d13bd9055d541adc"),
        (steps::<KyotoShogi>(), "kyotoshogi", "d4ffdd27285a4942"),
        (steps::<Shogi>(), "shogi", "80f12e672a01c77e"),
        (steps::<Shogi34>(), "shogi34", "24b3a3caca708f1a"),
        (steps::<Dobutsu>(), "dobutsu", "dffab6a8b9a5f4af"),
    ];
    assert!(all.iter().filter(|(text, ..)| text.contains("proved")).count() > 2, "too tame");
    for (text, name, pinned) in &all {
        assert_pinned(name, text, pinned);
    }
}

/// The log of a builder that one thread runs.
fn log_of<R: Rules>(
    root: Position<R>,
    settings: Settings,
    nodes: u64,
) -> (String, [u64; 3], ProofState) {
    let game = RulesGame::<R>::new();
    let mut builder = Builder::new(&game, Goal::win(root.side()), root, Unit, settings);
    let mut text = Vec::new();
    let mut log = Log::new(&mut text, &builder).unwrap();
    let oracles = &mut [AsRanked];
    builder.run_parallel(oracles, &mut Budget::nodes(nodes), &mut |_, position, event| {
        log.append(position, event).unwrap();
        ControlFlow::Continue(())
    });
    let counts = [builder.jobs(), builder.expansions(), builder.steps() as u64];
    (String::from_utf8(text).unwrap(), counts, builder.state())
}

/// A log that was written when the format was new: the same run writes it again, and reading it leads where the run
/// ended.
fn assert_log_is_kept<R: Rules>(root: Position<R>, settings: Settings, nodes: u64, kept: &str) {
    let (text, counts, state) = log_of(root, settings, nodes);
    assert_eq!(text, kept);
    let game = RulesGame::<R>::new();
    let mut builder = Builder::new(&game, Goal::win(root.side()), root, Unit, settings);
    replay(kept.as_bytes(), &mut builder).unwrap().unwrap();
    let read = [builder.jobs(), builder.expansions(), builder.steps() as u64];
    assert_eq!((read, builder.state()), (counts, state));
    let checked = check::<R>(kept.as_bytes()).unwrap();
    assert_eq!([checked.jobs, checked.expansions, checked.steps as u64], counts);
    assert_eq!((checked.root, checked.state), (root, state));
}

const LOG_OF_SHOGI34: &str = include_str!("pinned/shogi34.log");
const LOG_OF_KYOTOSHOGI: &str = include_str!("pinned/kyotoshogi.log");

fn kyoto() -> Position<KyotoShogi> {
    parse_position("p+nks1/5/5/1L3/2K+S+P b L 1").unwrap()
}

#[test]
fn old_logs_are_still_read_and_written() {
    assert_log_is_kept(start("KGR"), settings(30, 90), 60_000, LOG_OF_SHOGI34);
    assert_log_is_kept(kyoto(), settings(10, 30), 60_000, LOG_OF_KYOTOSHOGI);
}

#[test]
fn the_skeleton_of_a_build_is_unchanged() {
    let mut builder = Builder::new(GAME, SENTE, start("KGR"), Unit, settings(30, 90));
    let go_on = &mut |_: &Builder<_, _>, _: &_, _: &_| ControlFlow::Continue(());
    builder.run(&mut AsRanked, &mut Budget::unlimited(), go_on);
    let skeleton = builder.skeleton().unwrap();
    assert!(skeleton.moves.iter().flatten().count() > 1, "too tame");
    let mut text = skeleton.to_json();
    let mut whole = Builder::new(GAME, SENTE, start("KGR"), Unit, settings(30, 90));
    whole.follow_skeleton(&skeleton).unwrap();
    text += &state_line(&whole);
    whole.run(&mut AsRanked, &mut Budget::unlimited(), go_on);
    text += &state_line(&whole);
    assert_pinned("skeleton", &text, "6e71c14b1b1b7079");
}

#[test]
fn the_log_of_threads_leads_to_their_final_state() {
    for name in ["KGR", "KSR"] {
        let fresh = || Builder::new(GAME, SENTE, start(name), Unit, settings(30, 90));
        let mut builder = fresh();
        builder.add_search(Unit);
        builder.add_search(Unit);
        let mut text = Vec::new();
        let mut log = Log::new(&mut text, &builder).unwrap();
        let oracles = &mut [AsRanked; 3];
        builder.run_parallel(oracles, &mut Budget::nodes(100_000), &mut |_, position, event| {
            log.append(position, event).unwrap();
            ControlFlow::Continue(())
        });
        let mut again = fresh();
        replay(&text[..], &mut again).unwrap().unwrap();
        assert_eq!(again.state(), builder.state());
        assert_eq!((again.jobs(), again.steps()), (builder.jobs(), builder.steps()));
        assert_eq!(again.expansions(), builder.expansions());
    }
}

/// A break of the observer ends each kind of run.
#[test]
fn an_observer_ends_a_run() {
    let mut builder = Builder::new(GAME, SENTE, start("KSR"), Unit, settings(10, 30));
    let mut seen = 0;
    for _ in 0..20 {
        let before = builder.jobs();
        builder.run(&mut AsRanked, &mut Budget::unlimited(), &mut |_, _, _| {
            seen += 1;
            ControlFlow::Break(())
        });
        assert!(builder.jobs() <= before + 1);
    }
    assert!(seen >= 20);
    builder.add_search(Unit);
    let before = builder.jobs();
    builder.run_parallel(&mut [AsRanked; 2], &mut Budget::unlimited(), &mut |_, _, _| {
        ControlFlow::Break(())
    });
    assert!(builder.jobs() <= before + 2);
    assert_eq!(builder.state(), ProofState::Open);
}

/// One job at a time is posted, so that the steps do not depend on the worker's speed.
#[test]
fn builds_by_a_folder_are_unchanged() {
    let folder = std::env::temp_dir().join(format!("shogi-pinned-jobs-{}", std::process::id()));
    let mut builder = Builder::new(GAME, SENTE, start("KGR"), Unit, settings(30, 300));
    let (mut text, is_over) = (String::new(), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| answer_jobs(&folder, &is_over, result_of));
        let mut observer = |_: &Builder<_, _>, at: &Position<_>, event: &Event<_>| {
            writeln!(text, "{} {}", to_sfen(at), event_line(event, to_usi)).unwrap();
            ControlFlow::Continue(())
        };
        let refused = &mut |_: &std::path::Path, error: &_| panic!("{error}");
        let budget = &mut Budget::nodes(40_000);
        let done = builder.run_in_folder(&folder, 1, &mut AsRanked, budget, &mut observer, refused);
        is_over.store(true, Ordering::Relaxed);
        done.unwrap();
    });
    fs::remove_dir_all(folder).unwrap();
    assert!(text.lines().count() > 10, "too tame");
    assert_pinned("folder", &(text + &state_line(&builder)), "bee2d2db20183c3f");
}

/// The steps of a plan, in the order of their positions.
fn plan_lines<G: GameGraph>(game: &G, plan: &Plan<G>) -> String {
    let mut steps: Vec<_> = plan
        .steps()
        .map(|step| format!("{:x} {:?} {}", game.key(&step.position), step.mv, step.plies))
        .collect();
    steps.sort();
    steps.join(", ")
}

/// The decision of a search, its disproof and its proof in pieces, and their costs.
fn findings<G: GameGraph>(search: &mut dyn Search<G>, root: &G::Position, nodes: u64) -> String {
    let mut text = String::new();
    for _ in 0..3 {
        let mut budget = Budget::nodes(nodes);
        let decided = match decide(search, root, &mut budget) {
            Decision::Proved { plies } => format!("proved {plies}"),
            Decision::Prevented(plan) => format!("prevented {}", plan_lines(search.game(), &plan)),
            Decision::Open(finding) => format!("{finding:?}"),
        };
        writeln!(text, "{decided} {} {}", budget.spent(), budget.expansions()).unwrap();
    }
    let mut budget = Budget::nodes(nodes);
    let prevention = match prevent(search, root, EFFORT, &mut budget) {
        Prevention::Plan(plan) => plan_lines(search.game(), &plan),
        Prevention::Reached => "reached".to_owned(),
        Prevention::Doubtful => "doubtful".to_owned(),
        Prevention::Unknown => "unknown".to_owned(),
    };
    writeln!(text, "{prevention} {} {}", budget.spent(), budget.expansions()).unwrap();
    let mut budget = Budget::nodes(nodes);
    let plan = reach_plan(search, root, &mut budget);
    let plan = plan.map(|plan| plan_lines(search.game(), &plan));
    writeln!(text, "{plan:?} {} {}", budget.spent(), budget.expansions()).unwrap();
    text
}

/// The findings of both searches, with tables of two sizes.
fn all_findings<G: GameGraph>(game: &G, root: &G::Position, nodes: u64) -> String {
    let mut text = String::new();
    for goal in Colour::ALL.map(Goal::win) {
        for hash_bytes in [0, 1 << 18] {
            let options = df_pn::Options { hash_bytes, ..df_pn::Options::default() };
            text += &findings(&mut DfPn::new(game, goal, Unit, options), root, nodes);
            text += &findings(&mut Pds::new(game, goal, Unit, hash_bytes), root, nodes);
        }
    }
    text
}

#[test]
fn searches_of_graphs_are_unchanged() {
    let mut text = String::new();
    for seed in 0..80 {
        let game = Graph::random(seed, 5 + (seed % 90) as u32, 3, 30 + (seed % 40) as u8);
        text += &all_findings(&game, &game.start(), 2_000);
    }
    for kind in ["proved", "prevented", "reached", "Some", "None"] {
        assert!(text.contains(kind), "too tame: {kind}");
    }
    assert_pinned("decisions", &text, "62ce6356f7787647");
}

/// The findings of searches, and wins within so many plies, in positions of a variant.
fn decided<R: Rules>() -> String {
    let (game, mut text) = (RulesGame::<R>::new(), String::new());
    for root in positions::<R>(5) {
        writeln!(text, "{}", to_sfen(&root)).unwrap();
        text += &all_findings(&game, &root, 3_000);
        for prover in Colour::ALL {
            let mut known = Shortening::new(prover);
            for plies in [7, 5, 3, 2, 1] {
                let options = df_pn::Options { hash_bytes: 1 << 18, ..Default::default() };
                let mut budget = Budget::nodes(10_000);
                let found =
                    win_within(&mut known, &root, plies, Mobility, options, &mut budget).unwrap();
                let spent = (budget.spent(), budget.expansions());
                writeln!(text, "{plies} {found:?} {spent:?} {:?}", known.plies(&root)).unwrap();
            }
        }
    }
    assert!(text.contains(" NotWon "), "too tame: {}", R::NAME);
    text
}

#[test]
fn searches_of_each_variant_are_unchanged() {
    let all = [
        (decided::<Minishogi>(), "decided-minishogi", "459c1c38a30ada9e"),
        (decided::<KyotoShogi>(), "decided-kyotoshogi", "79e86cf5b70b9c92"),
        (decided::<Shogi>(), "decided-shogi", "73564a13b35d01ca"),
        (decided::<Shogi34>(), "decided-shogi34", "506fbac4a466ad08"),
        (decided::<Dobutsu>(), "decided-dobutsu", "145f0ef4828cf10e"),
    ];
    assert!(all.iter().filter(|(text, ..)| text.contains(" Won ")).count() > 2, "too tame");
    for (text, name, pinned) in &all {
        assert_pinned(name, text, pinned);
    }
}

const CHECKPOINTS: [(&str, &[u8]); 2] = [
    ("dfpn", include_bytes!("pinned/dfpn.checkpoint")),
    ("pds", include_bytes!("pinned/pds.checkpoint")),
];

/// 3x4 shogi from KGG: a draw, after more than a million nodes.
fn kgg() -> Position<Shogi34> {
    parse_position("ggk/2p/P2/KGG b - 1").unwrap()
}

#[test]
fn old_checkpoints_are_read_and_resumed() {
    for ((name, file), pinned) in
        CHECKPOINTS.into_iter().zip(["db0fb02ad3dde966", "1d6914e536359a22"])
    {
        let reader = || Reader::new(file).unwrap();
        let content = reader().check::<Shogi34>().unwrap();
        let algorithm = reader().header().algorithm;
        assert_eq!(algorithm.name(), name);
        let options =
            Options { algorithm, hash_bytes: 1 << 20, small_game: 0, ..Options::default() };
        let mut solver: Solver<'_, RulesGame<Shogi34>> = reader().solver(kgg(), options).unwrap();
        let mut written = Vec::new();
        solver.write(&mut written).unwrap();
        assert!(written == file, "{name}: what is read is what was written");
        let mut text = format!("{} {}\n", content.entries, content.final_values);
        for _ in 0..3 {
            solver.run(&mut Budget::nodes(20_000));
            writeln!(text, "{} {}", solver.nodes(), solver.expansions()).unwrap();
        }
        writeln!(text, "{:?}", solver.into_solution().open).unwrap();
        assert_pinned(name, &text, pinned);
    }
}
