//! The player: what it claims is true, what it plays is legal, and its limits hold.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use shogi_rules::shogi_core::{
    Board3x4, Colour, Face, Kind, KindSpec, Move, Movement, Piece, Placement, Position, Square,
};
use shogi_rules::{
    Dobutsu, Game, KyotoShogi, Minishogi, Rules, Shogi, Shogi34, Stalemate, Verdict,
    parse_position, to_usi,
};
use shogi_search::{
    Action, BestLine, Clock, Control, Evaluator, KnownValue, KnownValues, Limits, Material,
    Parameter, Parameters, Player, Score, SearchReport, Settings, Values, evaluate_by,
};
use shogi_solve::{Budget, Options, solve_position};
use testing::games::games;

fn settings() -> Settings {
    Settings { hash_bytes: 1 << 20, ..Settings::default() }
}

fn player<R: Rules>(settings: Settings) -> Player<R, Material<R>> {
    Player::new(Material::new(Values::by_freedom::<R>()), settings)
}

/// The result of a search and everything that was reported on the way to it.
fn think<R: Rules>(
    player: &mut Player<R, Material<R>>,
    game: &Game<R>,
    limits: &Limits,
) -> (BestLine<R>, Vec<SearchReport<R>>) {
    let mut reports = Vec::new();
    let choice = player.think(game, limits, &Control::new(), |report| reports.push(report.clone()));
    (choice, reports)
}

/// Material, by the two methods that have to be written.
struct TwoMethods<R: Rules>(Material<R>);

impl<R: Rules> Evaluator<R> for TwoMethods<R> {
    type State = ();

    fn evaluate(&self, (): &(), position: &Position<R>) -> i32 {
        self.0.evaluate(&(), position)
    }

    fn values(&self) -> &Values {
        Evaluator::<R>::values(&self.0)
    }
}

#[test]
fn an_evaluation_from_a_closure_or_of_two_methods_plays_as_any_other() {
    fn chosen<E: Evaluator<Minishogi>>(evaluation: E) -> (BestLine<Minishogi>, i32) {
        let game = Game::from_start();
        let terms = evaluation.explain(game.position());
        let mut player = Player::new(evaluation, settings());
        let mut choice = player.think(&game, &Limits::nodes(20_000), &Control::new(), |_| {});
        choice.time = Duration::ZERO;
        let value = terms.iter().map(|term| term.value).sum();
        (choice, value)
    }
    let material = || Material::new(Values::by_freedom::<Minishogi>());
    let expected = chosen(material());
    let value = material();
    let closure = evaluate_by(move |position: &Position<Minishogi>| value.evaluate(&(), position));
    assert_eq!(chosen(closure.with_values(Values::by_freedom::<Minishogi>())), expected);
    assert_eq!(chosen(TwoMethods(material())), expected);
    // The result depends on the closure: without any material the search finds no score.
    assert_eq!(chosen(evaluate_by::<Minishogi, _>(|_| 7)).1, 7);
}

testing::rule_table! {
    /// King and rook against king, on a small board.
    Rook on Board3x4: [KindSpec::new('R', 1, Movement::ROOK, None), KindSpec::royal('K')]
    CAN_BE_OVER: bool = false;
}

impl Rules for Rook {
    const NAME: &'static str = "rook";
    const START: &'static str = "k2/3/3/1RK b - 1";
    const STALEMATE: Stalemate = Stalemate::Draw;
}

#[test]
fn a_stalemate_that_is_drawn_is_no_win() {
    let [rook, king] = [0, 1].map(|kind| Face::front(Kind::new(kind)));
    let (mut mates, mut stalemates) = (0, 0);
    let mut player = player::<Rook>(settings());
    let squares = || Square::<Board3x4>::all();
    for (at, own, other) in
        squares().flat_map(|a| squares().flat_map(move |b| squares().map(move |c| (a, b, c))))
    {
        if at == own || own == other || other == at {
            continue;
        }
        let mut placement = Placement::<Rook>::EMPTY;
        placement.put(at, Piece { face: rook, colour: Colour::Sente });
        placement.put(own, Piece { face: king, colour: Colour::Sente });
        placement.put(other, Piece { face: king, colour: Colour::Gote });
        let Ok(position) = Position::new(placement) else { continue };
        let after = || position.legal_moves().into_iter().map(|mv| position.play_unchecked(mv));
        let mate = after().any(|next| next.is_mate());
        let stalemate = after().any(|next| next.has_no_move() && !next.is_check());
        let limits = Limits { depth: Some(2), ..Limits::default() };
        let (choice, _) = think(&mut player, &Game::new(position), &limits);
        assert_eq!(choice.score == Score::WinIn(1), mate, "{position:?}");
        mates += usize::from(mate);
        stalemates += usize::from(stalemate && !mate);
    }
    assert!(mates > 10 && stalemates > 10, "{mates} mates, {stalemates} stalemates");
}

/// Games of random moves, the same at every run.
fn random_games<R: Rules>(count: usize, plies: usize) -> impl Iterator<Item = Game<R>> {
    games(2026, count, plies)
}

fn check_line<R: Rules>(game: &Game<R>, line: &[Move<R>]) {
    let mut game = game.clone();
    for &mv in line {
        let reports = format!("{} in {line:?}", to_usi(mv));
        // A line may end the game by repetition and go on behind it.
        if game.outcome().is_some() {
            break;
        }
        assert!(game.play(mv).is_ok(), "{reports}");
    }
}

/// Plays against itself from random positions; everything reported must be legal and true.
fn claims<R: Rules>(games: usize) -> usize {
    let mut decided = 0;
    for plies in [6, 14, 25] {
        for game in random_games::<R>(games, plies) {
            let mut player = player::<R>(settings());
            let (choice, reports) = think(&mut player, &game, &Limits::nodes(4_000));
            if game.outcome().is_some() {
                assert_eq!(choice.action, Action::Resign);
                continue;
            }
            assert!(matches!(choice.action, Action::Play(_)));
            check_line(&game, &choice.line);
            for report in &reports {
                check_line(&game, &report.line);
            }
            let (value, plies) = match choice.score {
                Score::WinIn(plies) => (Verdict::Win, plies),
                Score::LossIn(plies) => (Verdict::Loss, plies),
                Score::Value(_) => continue,
            };
            // The solver knows nothing of the game before, which a short mate does not touch.
            let options = Options { hash_bytes: 8 << 20, ..Options::default() };
            let mut budget = Budget::nodes(400_000);
            let solved = solve_position(*game.position(), options, &mut budget);
            if solved.value.is_some() {
                assert_eq!(solved.value, Some(value), "{game:?}");
                decided += 1;
            }
            assert!(plies >= 1);
        }
    }
    decided
}

#[test]
fn lines_are_legal_and_wins_are_proved() {
    let decided = claims::<Minishogi>(60)
        + claims::<KyotoShogi>(60)
        + claims::<Shogi34>(60)
        + claims::<Dobutsu>(60);
    assert!(decided > 150, "only {decided} claims could be compared");
    claims::<Shogi>(3);
}

/// Plies to the shortest forced win, by looking at everything.
fn shortest_win<R: Rules>(position: &Position<R>, plies: u32) -> Option<u32> {
    match R::verdict(position) {
        Some(Verdict::Win) => return Some(0),
        Some(_) => return None,
        None if plies == 0 => return None,
        None => {}
    }
    let mut best = None;
    for mv in position.legal_moves() {
        let next = position.play_unchecked(mv);
        let most = best.map_or(plies, |best: u32| best - 1);
        if most == 0 {
            break;
        }
        if let Some(found) = longest_loss(&next, most - 1) {
            best = Some(best.map_or(found + 1, |best| best.min(found + 1)));
        }
    }
    best
}

fn longest_loss<R: Rules>(position: &Position<R>, plies: u32) -> Option<u32> {
    match R::verdict(position) {
        Some(Verdict::Loss) => return Some(0),
        Some(_) => return None,
        None if plies == 0 => return None,
        None => {}
    }
    let mut longest = 0;
    for mv in position.legal_moves() {
        longest = longest.max(1 + shortest_win(&position.play_unchecked(mv), plies - 1)?);
    }
    Some(longest)
}

fn finds_short_wins<R: Rules>(games: usize) -> usize {
    let mut found = 0;
    for game in random_games::<R>(games, 12).filter(|game| game.outcome().is_none()) {
        if let Some(plies) = shortest_win(game.position(), 3) {
            let quiet = Settings { mate_probe: false, ..settings() };
            let (choice, _) = think(&mut player::<R>(quiet), &game, &Limits::depth(9));
            let sfen = shogi_rules::to_sfen(game.position());
            assert_eq!(choice.score, Score::WinIn(plies), "{} {sfen}", R::NAME);
            found += 1;
        }
    }
    found
}

#[test]
fn wins_within_three_plies_are_found_by_the_shortest_way() {
    let found = finds_short_wins::<Minishogi>(120)
        + finds_short_wins::<KyotoShogi>(120)
        + finds_short_wins::<Shogi34>(300)
        + finds_short_wins::<Dobutsu>(300);
    assert!(found > 100, "{found}");
}

#[test]
fn one_thread_and_fixed_nodes_always_give_the_same() {
    let game = random_games::<Minishogi>(1, 5).next().unwrap();
    let run = || {
        let mut player = player(settings());
        let (mut choice, reports) = think(&mut player, &game, &Limits::nodes(30_000));
        choice.time = Duration::ZERO;
        let reports: Vec<_> =
            reports.into_iter().map(|r| (r.depth, r.score, r.nodes, r.line)).collect();
        (choice, reports)
    };
    assert_eq!(run(), run());
}

/// Says of every position that it is drawn.
struct AllDrawn;

impl<R: Rules> KnownValues<R> for AllDrawn {
    fn in_directory(_: &Path) -> Self {
        Self
    }

    fn value(&self, _: &Position<R>) -> Option<KnownValue> {
        Some(KnownValue { verdict: Verdict::Draw, plies: None })
    }
}

/// Positions visited to a fixed depth in a few games, with one parameter at a value.
fn nodes_with<R: Rules>(
    games: &[Game<R>],
    known: Option<Arc<dyn KnownValues<R>>>,
    parameter: &Parameter,
    value: i32,
) -> u64 {
    let mut parameters = Parameters::default();
    parameter.set(&mut parameters, value);
    let parameters = Some(parameters);
    let settings = Settings { mate_probe: false, parameters, ..settings() };
    let search = |game| {
        let mut player = player(settings);
        if let Some(known) = &known {
            player = player.with_known_values(Arc::clone(known));
        }
        let (choice, _) = think(&mut player, game, &Limits::depth(10));
        let Action::Play(mv) = choice.action else { panic!("{parameter:?} {value}: no move") };
        assert!(game.position().legal_moves().contains(&mv), "{parameter:?} {value}");
        choice.nodes
    };
    games.iter().map(search).sum()
}

/// Games of so many random moves that have not ended.
fn open_games<R: Rules>(plies: usize) -> Vec<Game<R>> {
    random_games(12, plies).filter(|game| game.outcome().is_none()).collect()
}

#[test]
fn every_parameter_counts_and_none_does_harm_at_its_bounds() {
    let (games, drawn) = (open_games::<Minishogi>(10), open_games::<Dobutsu>(2));
    for parameter in Parameter::ALL {
        let nodes = [parameter.least, parameter.standard, parameter.most].map(|value| {
            // Contempt counts where a position is known to be drawn, and repetitions are draws.
            match parameter.name {
                "KnownDrawContempt" => {
                    nodes_with(&drawn, Some(Arc::new(AllDrawn)), parameter, value)
                }
                _ => nodes_with(&games, None, parameter, value),
            }
        });
        assert!(nodes[0] != nodes[1] || nodes[1] != nodes[2], "{parameter:?}: {nodes:?}");
    }
}

#[test]
fn limits_hold() {
    let game = Game::<KyotoShogi>::from_start();
    let mut first = player(settings());
    for nodes in [1, 2, 50, 1_000, 12_345] {
        let (choice, _) = think(&mut first, &game, &Limits::nodes(nodes));
        assert_eq!(choice.nodes, nodes);
        assert!(matches!(choice.action, Action::Play(_)));
    }
    let (choice, reports) = think(&mut first, &game, &Limits::depth(6));
    assert_eq!(choice.depth, 6);
    assert!(reports.iter().all(|report| report.depth <= 6));
    // Without any time left there still is a move.
    let clock = Some(Clock::default());
    let (choice, _) = think(&mut first, &game, &Limits { clock, ..Limits::default() });
    assert!(matches!(choice.action, Action::Play(_)));
}

#[test]
fn a_node_limit_holds_for_all_threads_together() {
    let game = Game::<Minishogi>::from_start();
    let mut several = player(Settings { threads: 2, mate_probe: true, ..settings() });
    let (choice, _) = think(&mut several, &game, &Limits::nodes(40_000));
    assert!(choice.nodes >= 40_000, "{}", choice.nodes);
}

#[test]
fn a_search_that_is_broken_off_calls_no_game_lost() {
    let mut losses = 0;
    for game in random_games::<Minishogi>(150, 40) {
        if game.outcome().is_some() {
            continue;
        }
        for nodes in [20, 60, 200, 700] {
            let (choice, reports) = think(&mut player(settings()), &game, &Limits::nodes(nodes));
            let reported = reports.last().and_then(|report| report.line.first());
            assert!(reported.is_some() && reported == choice.line.first(), "{nodes} nodes");
            if let Score::LossIn(plies) = choice.score {
                losses += 1;
                let lost = longest_loss(game.position(), plies.min(3));
                assert!(plies > 3 || lost.is_some(), "{}", shogi_rules::to_sfen(game.position()));
            }
        }
    }
    assert!(losses > 5, "{losses}");
}

#[test]
fn a_search_without_limits_ends_when_it_is_stopped() {
    let game = Game::<Minishogi>::from_start();
    for pondering in [false, true] {
        for threads in [1, 2] {
            let control = if pondering { Control::pondering() } else { Control::new() };
            let mut player = player(Settings { threads, ..settings() });
            let limits = Limits {
                move_time: pondering.then_some(Duration::from_millis(1)),
                ..Limits::default()
            };
            let choice = std::thread::scope(|scope| {
                let running = scope.spawn(|| player.think(&game, &limits, &control, |_| {}));
                std::thread::sleep(Duration::from_millis(50));
                assert!(!running.is_finished());
                if pondering {
                    control.ponder_hit()
                } else {
                    control.stop()
                }
                let stopped = Instant::now();
                let choice = running.join().unwrap();
                // Far more than it takes, for a machine that is busy.
                assert!(stopped.elapsed() < Duration::from_secs(20));
                choice
            });
            assert!(matches!(choice.action, Action::Play(_)));
        }
    }
}

#[test]
fn the_only_legal_move_gets_a_score_where_time_allows_it() {
    // The king takes the gold, or is mated.
    let game = Game::<Minishogi>::new(parse_position("4k/4G/5/R4/K4 w bp 1").unwrap());
    assert_eq!(game.position().legal_moves().len(), 1);
    let clock = Some(Clock { remaining: Duration::from_secs(36_000), ..Clock::default() });
    let (depth, hour) = (Some(4), Some(Duration::from_secs(3_600)));
    for limits in [
        Limits { depth, move_time: hour, ..Limits::default() },
        Limits { depth, clock, ..Limits::default() },
    ] {
        let quiet = Settings { mate_probe: false, ..settings() };
        let (choice, _) = think(&mut player::<Minishogi>(quiet), &game, &limits);
        assert_eq!(choice.depth, 4, "{limits:?}");
        assert!(choice.ponder.is_some());
    }
    // Without any time it is played all the same.
    let none = Limits { clock: Some(Clock::default()), ..Limits::default() };
    let (choice, _) = think(&mut player(settings()), &game, &none);
    assert!(matches!(choice.action, Action::Play(_)) && choice.depth <= 1);
}

#[test]
fn several_lines_are_different_and_in_order() {
    let game = Game::<Minishogi>::from_start();
    let mut player = player(Settings { lines: 4, ..settings() });
    let (choice, reports) = think(&mut player, &game, &Limits::depth(6));
    // The lines are reported anew where one turns out better than those before it.
    let last: BTreeMap<_, _> = reports
        .iter()
        .filter(|report| report.depth == 6)
        .map(|report| (report.line_number, report))
        .collect();
    assert_eq!(last.len(), 4);
    let firsts: BTreeSet<_> = last.values().map(|report| report.line[0]).collect();
    assert_eq!(firsts.len(), 4);
    assert_eq!(Action::Play(choice.line[0]), choice.action);
    assert!(last.values().all(|report| report.score <= choice.score));
}

/// A line may turn out better than one that was found before it: the numbers of the lines then change.
#[test]
fn the_lines_last_reported_stand_with_the_best_first() {
    let mut player = player(Settings { lines: 4, ..settings() });
    let mut changes = 0;
    for game in open_games::<Shogi>(10) {
        let (choice, reports) = think(&mut player, &game, &Limits::depth(7));
        let mut lines = BTreeMap::new();
        for report in reports.iter().filter(|report| report.depth == choice.depth) {
            changes += usize::from(lines.insert(report.line_number, report).is_some());
        }
        let scores: Vec<_> = lines.values().map(|report| report.score).collect();
        assert!(scores.is_sorted_by(|one, other| one >= other), "{scores:?}");
        assert_eq!(lines.values().next().map(|report| &report.line), Some(&choice.line));
    }
    assert!(changes > 0);
}

#[test]
fn a_search_broken_off_before_its_first_move_still_has_a_line() {
    let (choice, reports) =
        think(&mut player(settings()), &Game::<Minishogi>::from_start(), &Limits::nodes(1));
    assert_eq!(reports.len(), 1);
    assert_eq!((reports[0].depth, &reports[0].line), (0, &choice.line));
    assert_eq!(choice.score, Score::Value(0));
}

#[test]
fn a_game_is_declared_won_where_the_rule_allows_it() {
    // The king and ten other pieces in the camp, 28 points with those in hand.
    let sfen = "+P+P+P+PK+P+P+P+P/+P+P7/9/9/9/9/9/9/4k4 b 2RB7P 1";
    let game = Game::<Shogi>::new(parse_position(sfen).unwrap());
    let (choice, _) = think(&mut player(settings()), &game, &Limits::depth(1));
    assert_eq!(choice.action, Action::Declare);
}
