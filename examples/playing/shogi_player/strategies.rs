//! Games between two ways to search or to judge, at equal time.

use std::fmt::Write as _;
use std::time::Duration;

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use shogi_rank::{Z_95, wilson};
use shogi_rules::shogi_core::Colour;
use shogi_rules::{Game, Rules};
use shogi_search::{
    Action, Control, Evaluator, Limits, Player, RootStrategy, SearchReport, Settings,
};

/// What two players differ in, the first of them and the second.
#[derive(Clone, Copy)]
pub struct Question {
    names: [&'static str; 2],
    settings: [fn(&mut Settings); 2],
}

/// Iterative against selective deepening, which only the clock ends.
pub const DEEPENING: Question = Question {
    names: ["iterative", "selective"],
    settings: [
        |settings| settings.strategy = RootStrategy::Iterative,
        |settings| settings.strategy = RootStrategy::Selective { minimum: 60, maximum: 60 },
    ],
};

/// With a table against one of four positions, the least there is.
pub const TABLE: Question = Question {
    names: ["with the table", "without"],
    settings: [|settings| settings.hash_bytes = 64 << 20, |settings| settings.hash_bytes = 0],
};

/// What was learnt from games against Tanigawa's values.
pub const VALUES: Question =
    Question { names: ["learnt", "values of pieces"], settings: [|_| (); 2] };

/// What was learnt from games against the values with the strategic terms.
pub const STRATEGY: Question =
    Question { names: ["learnt", "strategic terms"], settings: [|_| (); 2] };

/// How a match has ended.
#[derive(Serialize, Clone, Debug)]
pub struct Match {
    variant: &'static str,
    players: [&'static str; 2],
    /// Games the first player has won, drawn and lost.
    games: [u32; 3],
    /// The first player's share of the points, and its 95 % interval.
    share: [f64; 3],
    /// Mean depth of a move, of the first player and the second.
    depth: [f64; 2],
    /// Mean of the longest line looked at.
    longest: [f64; 2],
    /// Nodes a move.
    nodes: [f64; 2],
}

/// Random moves before a game.
const OPENING: usize = 6;
/// Plies after which a game is a draw.
const LONGEST: usize = 300;

/// What was seen of a player.
#[derive(Clone, Copy, Default)]
struct Seen {
    moves: u64,
    depth: u64,
    longest: u64,
    nodes: u64,
}

/// Plays games of two evaluations, two from each opening with the colours exchanged.
pub fn compare<R: Rules, A: Evaluator<R>, B: Evaluator<R>>(
    question: Question,
    (first, second): (A, B),
    games: u32,
    time: Duration,
    seed: u64,
) -> Result<Match> {
    let settings = question.settings.map(|change| {
        let mut settings = Settings::default();
        change(&mut settings);
        settings
    });
    let mut players = (Player::new(first, settings[0]), Player::new(second, settings[1]));
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (mut seen, mut counts, mut pairs) = ([Seen::default(); 2], [0; 3], Vec::new());
    let bar = ProgressBar::new(games.into()).with_style(ProgressStyle::with_template(
        "{msg} {bar:30} {pos} of {len} games, {eta} left",
    )?);
    bar.set_message(R::NAME);
    for _ in 0..games.div_ceil(2) {
        let opening = opening::<R>(&mut random)?;
        let mut points = 0.0;
        for first in Colour::ALL {
            let result = play(opening.clone(), &mut players, first, time, &mut seen)?;
            counts[result as usize] += 1;
            points += 1.0 - f64::from(result) / 2.0;
            bar.inc(1);
        }
        pairs.push(points / 2.0);
    }
    bar.finish_and_clear();
    let mean =
        |field: fn(&Seen) -> u64| seen.map(|seen| field(&seen) as f64 / seen.moves.max(1) as f64);
    Ok(Match {
        variant: R::NAME,
        players: question.names,
        games: counts,
        share: share(&pairs),
        depth: mean(|seen| seen.depth),
        longest: mean(|seen| seen.longest),
        nodes: mean(|seen| seen.nodes),
    })
}

/// The mean with its 95 % interval over pairs, whose two games are not independent: the normal one, or Wilson's where all
/// pairs end alike and the normal one has no width.
fn share(pairs: &[f64]) -> [f64; 3] {
    let number = pairs.len() as f64;
    let mean = pairs.iter().sum::<f64>() / number;
    let squares = pairs.iter().map(|points| (points - mean).powi(2)).sum::<f64>();
    let width = Z_95 * (squares / (number - 1.0).max(1.0) / number).sqrt();
    if width == 0.0 {
        let interval = wilson((mean * number).round() as u64, pairs.len() as u64, Z_95);
        return [mean, interval.low, interval.high];
    }
    [mean, (mean - width).max(0.0), (mean + width).min(1.0)]
}

/// Random moves that do not end the game.
fn opening<R: Rules>(random: &mut ChaCha8Rng) -> Result<Game<R>> {
    loop {
        let mut game = Game::from_start();
        while game.outcome().is_none() && game.moves().len() < OPENING {
            let moves = game.position().legal_moves();
            let Some(&mv) = moves.choose(random) else { break };
            game.play(mv)?;
        }
        if game.outcome().is_none() {
            return Ok(game);
        }
    }
}

/// Plays a game: 0 if the first player, who has this colour, wins, 1 if it is a draw, 2 if the first player loses.
fn play<R: Rules, A: Evaluator<R>, B: Evaluator<R>>(
    mut game: Game<R>,
    players: &mut (Player<R, A>, Player<R, B>),
    first: Colour,
    time: Duration,
    seen: &mut [Seen; 2],
) -> Result<u8> {
    players.0.clear();
    players.1.clear();
    let won_by = |colour: Colour| if colour == first { 0 } else { 2 };
    while game.moves().len() < LONGEST {
        if let Some(outcome) = game.outcome() {
            return Ok(outcome.winner().map_or(1, won_by));
        }
        let side = game.position().side();
        let who = usize::from(side != first);
        let (mut depth, mut longest) = (0, 0);
        let report = |report: &SearchReport<R>| {
            depth = report.depth;
            longest = report.selective_depth;
        };
        let (limits, control) = (Limits::time(time), Control::new());
        let choice = if who == 0 {
            players.0.think(&game, &limits, &control, report)
        } else {
            players.1.think(&game, &limits, &control, report)
        };
        let mv = match choice.action {
            Action::Play(mv) => mv,
            Action::Declare => return Ok(won_by(side)),
            Action::Resign => return Ok(won_by(!side)),
        };
        let seen = &mut seen[who];
        seen.moves += 1;
        seen.depth += u64::from(depth);
        seen.longest += u64::from(longest);
        seen.nodes += choice.nodes;
        game.play(mv)?;
    }
    Ok(1)
}

/// The table.
pub fn page(matches: &[Match], milliseconds: u64) -> String {
    let mut page = format!(
        "## Games\n\n{milliseconds} ms a move, one thread, each opening of {OPENING} random moves played twice with \
         the colours exchanged. The depth of selective deepening is that of the move played; the others were \
         searched less deep. Depth, longest line and nodes are means of a move, of the first player and the \
         second.\n\n\
         | variant | players | first won, drawn, lost | its share, 95 % | depth | longest line | nodes |\n\
         |---|---|---:|---:|---:|---:|---:|\n"
    );
    for Match { variant, players, games, share, depth, longest, nodes } in matches {
        let [won, drawn, lost] = games;
        let [mean, low, high] = share.map(|share| 100.0 * share);
        let pair = |values: &[f64; 2]| format!("{:.1}, {:.1}", values[0], values[1]);
        let _ = writeln!(
            page,
            "| {variant} | {} | {won}, {drawn}, {lost} | {mean:.0} % [{low:.0}, {high:.0}] | {} | {} | {:.0}, {:.0} |",
            players.join(", "),
            pair(depth),
            pair(longest),
            nodes[0],
            nodes[1],
        );
    }
    page
}
