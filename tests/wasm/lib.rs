//! A solve, a tally of samples and a move of the player for a host of WebAssembly, with plain numbers
//! across the border. `run.mjs` is the host: it gives the clock and compares the answers with those
//! of the program `shogi`.
#![cfg_attr(not(target_family = "wasm"), allow(unused))]

use std::ops::ControlFlow;
use std::time::Duration;

use shogi_rank::{Sampler, Space};
use shogi_reach::{Reach, SearchLimit, tally_samples};
use shogi_rules::{Game, Minishogi, Rules, Shogi34, Verdict, parse_position};
use shogi_search::{Control, Evaluation, Limits, Player, Settings};
use shogi_solve::{Budget, Options, solve_position};

#[cfg(target_family = "wasm")]
#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Milliseconds since some moment.
    safe fn now() -> f64;
}

/// Has the libraries read the host's clock.
#[cfg(target_family = "wasm")]
#[unsafe(no_mangle)]
pub extern "C" fn use_clock() {
    shogi_core::clock::set(|| Duration::from_secs_f64(now() / 1e3));
}

/// The value of a start of 3x4 shogi for the player to move: 1 for a win, 0 where the time does not
/// suffice, else -1. Start 0 is KGR, which 13,505 nodes solve; all others are RKB, which takes hours.
/// With `milliseconds` of 0 there is no limit.
#[unsafe(no_mangle)]
pub extern "C" fn solve(start: u32, milliseconds: f64) -> i32 {
    let sfen = if start == 0 { "rgk/2p/P2/KGR b - 1" } else { Shogi34::START };
    let Ok(start) = parse_position::<Shogi34>(sfen) else { return -1 };
    let mut budget = Budget::unlimited();
    if milliseconds > 0.0 {
        budget = budget.time(Duration::from_secs_f64(milliseconds / 1e3));
    }
    let options = Options { hash_bytes: 8 << 20, ..Options::default() };
    match solve_position(start, options, &mut budget).value {
        Some(Verdict::Win) => 1,
        None => 0,
        Some(_) => -1,
    }
}

/// How many of the first samples of Minishogi, of seed 1, are reachable.
#[unsafe(no_mangle)]
pub extern "C" fn reachable(samples: f64) -> f64 {
    let space = Space::<Minishogi>::new().unwrap();
    let sampler = Sampler::new(&space, 1);
    let reach = Reach::new(SearchLimit::default());
    let all = |_, _: &_| ControlFlow::Continue(());
    tally_samples(&reach, &sampler, 0..samples as u64, all).1.ok as f64
}

/// The nodes that the player visits for the first move of Minishogi, in so many milliseconds or up to
/// so many nodes; the other limit is 0.
#[unsafe(no_mangle)]
pub extern "C" fn think(milliseconds: f64, nodes: f64) -> f64 {
    let game = Game::<Minishogi>::from_start();
    let limits = if nodes > 0.0 {
        Limits::nodes(nodes as u64)
    } else {
        Limits::time(Duration::from_secs_f64(milliseconds / 1e3))
    };
    let settings = Settings { hash_bytes: 4 << 20, ..Settings::default() };
    let mut player = Player::new(Evaluation::standard(), settings);
    player.think(&game, &limits, &Control::new(), |_| {}).nodes as f64
}
