//! What a table of the positions already searched saves the library's player.

use std::fmt::Write as _;

use anyhow::{Context, Result};
use indicatif::{HumanCount, ProgressBar};
use serde::Serialize;
use shogi_learn::self_play::{Effort, SelfPlay, play_game};
use shogi_rules::{Game, Rules, Shogi};
use shogi_search::{Control, Evaluation, Limits, Player, Settings};

/// Searches of some positions to one depth, with the table and without.
#[derive(Serialize, Clone, Copy, Default, Debug)]
pub struct Row {
    /// The depth.
    pub depth: u32,
    /// Nodes of all positions together, with the table and without.
    pub nodes: [u64; 2],
    /// Seconds, likewise.
    pub seconds: [f64; 2],
}

/// Nodes after which a search without the table is given up.
const MAX_NODES: u64 = 20_000_000;

/// Searches positions from games of self-play to every depth.
pub fn measure(games: &[Game<Shogi>], depth: u32) -> Vec<Row> {
    let mut rows: Vec<Row> = (1..=depth).map(|depth| Row { depth, ..Row::default() }).collect();
    let bar = ProgressBar::new(2 * games.len() as u64);
    // A table of no bytes has room for four positions: the least there is.
    for (column, hash_bytes) in [64 << 20, 0].into_iter().enumerate() {
        let settings = Settings { hash_bytes, mate_probe: false, ..Settings::default() };
        let mut player = Player::new(Evaluation::<Shogi>::standard(), settings);
        for game in games {
            player.clear();
            let limits = Limits { depth: Some(depth), nodes: Some(MAX_NODES), ..Limits::default() };
            let mut reached = 0;
            player.think(game, &limits, &Control::new(), |report| {
                reached = report.depth;
                if let Some(row) = rows.get_mut(report.depth as usize - 1) {
                    row.nodes[column] += report.nodes;
                    row.seconds[column] += report.time.as_secs_f64();
                }
            });
            // All positions count at a depth, or none.
            rows.truncate(reached as usize);
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    rows
}

/// Games of self-play broken off at different plies, all of them open.
pub fn games(number: u32, seed: u64) -> Result<Vec<Game<Shogi>>> {
    let start = Shogi::start();
    let mut games = Vec::new();
    for index in 0..number {
        let plies = 12 + 8 * (index % 8);
        let settings =
            SelfPlay { seed, effort: Effort::Nodes(2_000), plies, ..SelfPlay::default() };
        let mut player = Player::new(Evaluation::<Shogi>::standard(), settings.player());
        let played = play_game(&start, &settings, index, &mut player, &Control::new())
            .context("the game was broken off")?;
        let mut game = Game::new(start);
        for &mv in played.game().moves() {
            let mut next = game.clone();
            next.play(mv)?;
            if next.outcome().is_some() {
                break;
            }
            game = next;
        }
        games.push(game);
    }
    Ok(games)
}

/// The table.
pub fn page(rows: &[Row], positions: u32) -> String {
    let mut page = format!(
        "## The table of the library's player\n\nNodes and seconds to a depth by iterative deepening, the same {positions} \
         positions. Where it remembers no good move this player searches a ply less deep, which without the table is \
         everywhere from depth 5 on: so the nodes come together again, but they are those of a shallower tree. The games \
         below show what that is worth.\n\n![Nodes by depth, with the table and without](shogi_player_table.svg)\n\n\
         | depth | nodes with the table | without | ratio | s with | s without | ratio |\n\
         |---:|---:|---:|---:|---:|---:|---:|\n"
    );
    for Row { depth, nodes: [with, without], seconds } in rows {
        let _ = writeln!(
            page,
            "| {depth} | {} | {} | {:.2} | {:.3} | {:.3} | {:.2} |",
            HumanCount(*with),
            HumanCount(*without),
            *without as f64 / *with as f64,
            seconds[0],
            seconds[1],
            seconds[1] / seconds[0],
        );
    }
    page + "\n"
}
