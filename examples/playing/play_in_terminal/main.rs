//! A game against the player, in a terminal.
//!
//! ```text
//! cargo run --release --example play_in_terminal
//! cargo run --release --example play_in_terminal -- kyotoshogi --kanji --side gote --time 2
//! cargo run --release --example play_in_terminal -- dobutsu --itself --nodes 2000
//! ```
//!
//! Moves are typed in USI notation (`5d5c`, `5b5a+`, `P*3c`); `help` names the other commands.

mod board;

use std::io::{self, BufRead, IsTerminal, Write};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::{Parser, ValueEnum};
use shogi_rules::record::Recorded;
use shogi_rules::shogi_core::Colour;
use shogi_rules::{Dobutsu, Game, KyotoShogi, Minishogi, Shogi, Shogi34, parse_usi, to_usi};
use shogi_search::{Action, BestLine, Control, Evaluation, Evaluator, Limits, Player, Settings};
use shogi_variants_playing_examples::exit_code;

use board::Picture;

/// Plays a game in the terminal.
#[derive(Parser)]
struct Arguments {
    /// minishogi, kyotoshogi, shogi, shogi34 or dobutsu.
    #[arg(default_value = "minishogi")]
    variant: String,
    /// Your side.
    #[arg(long, value_enum, default_value_t = Side::Sente)]
    side: Side,
    /// Let the player play both sides.
    #[arg(long)]
    itself: bool,
    /// Seconds for each of the player's moves.
    #[arg(long, default_value_t = 1.0)]
    time: f64,
    /// Nodes for each of the player's moves, instead of a time: the game is then always the same.
    #[arg(long)]
    nodes: Option<u64>,
    /// Draw with kanji instead of letters.
    #[arg(long)]
    kanji: bool,
    /// Draw without colours, as into a file or a pipe.
    #[arg(long)]
    plain: bool,
    /// End the game after so many plies.
    #[arg(long, default_value_t = 400)]
    plies: usize,
}

#[derive(Clone, Copy, ValueEnum)]
enum Side {
    Sente,
    Gote,
}

fn main() -> ExitCode {
    exit_code("play_in_terminal", run())
}

fn run() -> Result<()> {
    let arguments = Arguments::parse();
    let played = match arguments.variant.as_str() {
        "minishogi" => play::<Minishogi>(&arguments),
        "kyotoshogi" => play::<KyotoShogi>(&arguments),
        "shogi" => play::<Shogi>(&arguments),
        "shogi34" => play::<Shogi34>(&arguments),
        "dobutsu" => play::<Dobutsu>(&arguments),
        other => bail!("no variant is called {other:?}"),
    };
    let closed = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    match played {
        // The game is over for whoever has closed standard output.
        Err(error) if error.downcast_ref().is_some_and(closed) => Ok(()),
        played => played,
    }
}

/// What a person wants.
enum Wish {
    Moved,
    Ended,
    Nothing,
}

fn play<R: Recorded>(arguments: &Arguments) -> Result<()> {
    let you = match (arguments.itself, arguments.side) {
        (true, _) => None,
        (false, Side::Sente) => Some(Colour::Sente),
        (false, Side::Gote) => Some(Colour::Gote),
    };
    let limits = match arguments.nodes {
        Some(nodes) => Limits::nodes(nodes),
        None => Limits::time(Duration::try_from_secs_f64(arguments.time)?),
    };
    let mut player = Player::new(Evaluation::<R>::standard(), Settings::default());
    let mut game = Game::<R>::from_start();
    let colours = !arguments.plain && io::stdout().is_terminal();
    let picture = Picture { kanji: arguments.kanji, colours };
    let mut lines = io::stdin().lock().lines();
    let mut output = io::stdout();
    writeln!(output, "{}", picture.of(game.position(), None))?;
    while game.outcome().is_none() && game.moves().len() < arguments.plies {
        let side = game.position().side();
        if Some(side) == you {
            write!(output, "{side}> ")?;
            output.flush()?;
            let Some(line) = lines.next() else { break };
            match obey(line?.trim(), &mut game, &mut player, &limits, &mut output)? {
                Wish::Moved => {}
                Wish::Ended => break,
                Wish::Nothing => continue,
            }
        } else {
            let choice = player.think(&game, &limits, &Control::new(), |_| {});
            match choice.action {
                Action::Play(mv) => {
                    writeln!(output, "{side} plays {}", describe(&choice))?;
                    game.play(mv)?;
                }
                Action::Declare => drop(game.declare()?),
                Action::Resign => drop(game.resign(side)?),
            }
        }
        let last = game.moves().last().map(|mv| mv.to());
        writeln!(output, "{}", picture.of(game.position(), last))?;
    }
    match game.outcome() {
        Some(outcome) => writeln!(output, "{outcome}, after {} moves.", game.moves().len())?,
        None => {
            writeln!(output, "The game is not finished; {} moves were made.", game.moves().len())?
        }
    }
    Ok(())
}

/// Does what was typed.
fn obey<R: Recorded>(
    text: &str,
    game: &mut Game<R>,
    player: &mut Player<R, Evaluation<R>>,
    limits: &Limits,
    output: &mut impl Write,
) -> Result<Wish> {
    match text {
        "" => {}
        "quit" => return Ok(Wish::Ended),
        "resign" => {
            game.resign(game.position().side())?;
            return Ok(Wish::Moved);
        }
        "undo" => {
            // The player's move and your own before it.
            if game.undo() && game.undo() {
                return Ok(Wish::Moved);
            }
            writeln!(output, "There is no move of yours to take back.")?;
        }
        "hint" => {
            writeln!(output, "{}", describe(&player.think(game, limits, &Control::new(), |_| {})))?;
        }
        "explain" => {
            for term in player.evaluator().explain(game.position()) {
                writeln!(output, "  {term}")?;
            }
        }
        "moves" => {
            let moves: Vec<_> = game.position().legal_moves().into_iter().map(to_usi).collect();
            writeln!(output, "{}", moves.join(" "))?;
        }
        "help" => writeln!(
            output,
            "A move in USI notation: 5d5c, with + to promote: 5b5a+, a drop: P*3c.\n\
             undo, hint, explain (what the position is worth, and why), moves, resign, quit"
        )?,
        _ => match parse_usi(text) {
            Err(error) => writeln!(output, "{text:?} is no move, {error}; try help.")?,
            Ok(mv) => match game.play(mv) {
                Ok(_) => return Ok(Wish::Moved),
                Err(error) => writeln!(output, "{text}: {error}")?,
            },
        },
    }
    Ok(Wish::Nothing)
}

/// The result of a search with its reasons.
fn describe<R: Recorded>(best: &BestLine<R>) -> String {
    let line: Vec<_> = best.line.iter().take(6).map(|&mv| to_usi(mv)).collect();
    format!("{} (score {}, depth {}, {} nodes)", line.join(" "), best.score, best.depth, best.nodes)
}
