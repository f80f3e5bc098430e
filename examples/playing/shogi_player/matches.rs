//! Games between two players that differ in one idea.

use std::fmt::Write as _;

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use shogi_rank::{Z_95, wilson};
use shogi_rules::shogi_core::Colour;
use shogi_rules::{Game, Rules};
use shogi_search::Action;

use crate::contestants::Contestant;

/// How many games are played, with how many nodes a move, from which openings.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    pub games: u32,
    pub nodes: u64,
    pub seed: u64,
}

/// How a match has ended.
#[derive(Serialize, Clone, Debug)]
pub struct Match {
    variant: &'static str,
    players: [String; 2],
    /// Games the first player has won, drawn and lost.
    games: [u32; 3],
    /// The first player's share of the points, and its 95 % interval.
    share: [f64; 3],
    /// Mean depth of a move, of the first player and the second.
    depth: [f64; 2],
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
    nodes: u64,
}

/// The two players of a match.
type Players<'p, R> = [&'p mut dyn Contestant<R>; 2];

/// Plays a match, two games from each opening with the colours exchanged.
pub fn compare<R: Rules>(
    names: [&str; 2],
    mut players: Players<'_, R>,
    Terms { games, nodes, seed }: Terms,
) -> Result<Match> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (mut seen, mut counts, mut pairs) = ([Seen::default(); 2], [0; 3], Vec::new());
    let bar = ProgressBar::new(games.into()).with_style(ProgressStyle::with_template(
        "{msg} {bar:30} {pos} of {len} games, {eta} left",
    )?);
    bar.set_message(names.join(", "));
    for _ in 0..games.div_ceil(2) {
        let opening = opening::<R>(&mut random)?;
        let mut points = 0.0;
        for first in Colour::ALL {
            let result = play(opening.clone(), &mut players, first, nodes, &mut seen)?;
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
        players: names.map(str::to_owned),
        games: counts,
        share: share(&pairs),
        depth: mean(|seen| seen.depth),
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
fn play<R: Rules>(
    mut game: Game<R>,
    players: &mut Players<'_, R>,
    first: Colour,
    nodes: u64,
    seen: &mut [Seen; 2],
) -> Result<u8> {
    players.iter_mut().for_each(|player| player.clear());
    let won_by = |colour: Colour| if colour == first { 0 } else { 2 };
    while game.moves().len() < LONGEST {
        if let Some(outcome) = game.outcome() {
            return Ok(outcome.winner().map_or(1, won_by));
        }
        let side = game.position().side();
        let who = usize::from(side != first);
        let choice = players[who].choose(&game, nodes);
        let mv = match choice.action {
            Action::Play(mv) => mv,
            Action::Declare => return Ok(won_by(side)),
            Action::Resign => return Ok(won_by(!side)),
        };
        let seen = &mut seen[who];
        seen.moves += 1;
        seen.depth += u64::from(choice.depth);
        seen.nodes += choice.nodes;
        game.play(mv)?;
    }
    Ok(1)
}

/// A table of matches.
pub fn table(matches: &[Match]) -> String {
    let mut page = String::from(
        "| variant | players | first won, drawn, lost | its share, 95 % | depth | nodes |\n\
         |---|---|---:|---:|---:|---:|\n",
    );
    for Match { variant, players, games, share, depth, nodes } in matches {
        let [won, drawn, lost] = games;
        let [mean, low, high] = share.map(|share| 100.0 * share);
        let _ = writeln!(
            page,
            "| {variant} | {} | {won}, {drawn}, {lost} | {mean:.0} % [{low:.0}, {high:.0}] | {:.1}, {:.1} | {:.0}, {:.0} |",
            players.join(", "),
            depth[0],
            depth[1],
            nodes[0],
            nodes[1],
        );
    }
    page + "\n"
}

/// How the games of the page are played.
pub fn rules() -> String {
    format!(
        "Each opening of {OPENING} random moves is played twice with the colours exchanged; a game of {LONGEST} plies is a draw. \
         Intervals are over pairs of games. Depth and nodes are means of a move, of the first player and the second.\n\n"
    )
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn an_interval_has_a_width_however_the_pairs_end() {
        for pairs in [[1.0; 20], [0.5; 20], [0.0; 20]] {
            let [mean, low, high] = share(&pairs);
            assert!(low <= mean && mean <= high && high - low > 0.1, "{low} {high}");
        }
        let mut pairs = [1.0; 20];
        pairs[0] = 0.5;
        let [mean, low, high] = share(&pairs);
        assert!(mean == 0.975 && low < mean && mean < high);
    }
}
