//! `play`: a game against the player, in the terminal.

mod clocks;
mod levels;
mod saved;
mod table;

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, ensure};
use shogi_rules::shogi_core::Colour;
use shogi_search::Level;
use shogi_variants::play::AnyPlay;

use self::clocks::Clocks;
use self::saved::Saved;
use self::table::{Ended, Table};
use crate::board::{Style, takes_colours};
use crate::choice::{self, Choice};
use crate::common::Common;
use crate::end::{Interrupted, Outcome, Usage};
use crate::start::Start;
use crate::variant::Game;
use crate::{amount, file, print};

/// Arguments of `play`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    game: Game,
    /// Your side [default: sente, or yours in a game that is resumed].
    #[arg(long, value_parser = choice::parser(SIDES))]
    side: Option<Colour>,
    /// How strong the player is, from 1, which beginners beat, to 10 [default: 3, or that of a game that is resumed].
    #[arg(long, value_name = "L", value_parser = amount::count::<u8>(1..=Level::HIGHEST.number().into()))]
    level: Option<u8>,
    /// Seed of the errors that the low levels make: with the same seed and without a clock the player always answers the
    /// same moves in the same way.
    #[arg(long, value_name = "S", default_value = "1", value_parser = amount::count::<u64>(..))]
    seed: u64,
    /// Keep the record of the game in this file, as KIF, from move to move; if the file exists, its game is resumed.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Time of each player for the whole game, such as 10m; who has none left has lost.
    #[arg(long, value_name = "T", value_parser = amount::time)]
    clock: Option<Duration>,
    /// Time that each move adds to the clock.
    #[arg(long, value_name = "T", value_parser = amount::time)]
    increment: Option<Duration>,
    /// Time for each move once the clock has run down.
    #[arg(long, value_name = "T", value_parser = amount::time)]
    byoyomi: Option<Duration>,
    /// Draw kanji instead of letters.
    #[arg(long)]
    kanji: bool,
    /// Instead of a game, measure the levels: each plays so many pairs of games against the one below.
    #[arg(long, value_name = "PAIRS", value_parser = amount::count::<u32>(1..=1_000_000),
        conflicts_with_all = ["side", "level", "save", "clock", "increment", "byoyomi", "kanji"])]
    measure: Option<u32>,
    #[command(flatten)]
    start: Start,
}

/// The sides by name.
const SIDES: &[Choice<Colour>] =
    &[("sente", "You begin", Colour::Sente), ("gote", "The player begins", Colour::Gote)];

/// The default level.
const LEVEL: u8 = 3;

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    if let Some(pairs) = arguments.measure {
        let start = arguments.start.sfen(arguments.game.variant)?;
        return levels::measure(arguments.game.variant, &start, pairs, arguments.seed, common.json);
    }
    let saved = arguments.save.as_deref().map(Saved::at).transpose()?;
    let game = begin(arguments, saved.as_ref())?;
    let mut table = seat(arguments, common, game, saved)?;
    let ended = table.play()?;
    table.save()?;
    if ended == Ended::Interrupted {
        return Err(Interrupted { advice: table.advice() }.into());
    }
    if common.json {
        print::answer(true, &table.answer(arguments.game.variant.name()), "")?;
    }
    Ok(Outcome::Good)
}

/// The game of the file, if there is one, else a new one.
fn begin(arguments: &Arguments, saved: Option<&Saved>) -> Result<AnyPlay> {
    let variant = arguments.game.variant;
    let level = |number| Level::new(number).unwrap_or(Level::LOWEST);
    let Some(record) = saved.and_then(|saved| saved.record()) else {
        let start = arguments.start.sfen(variant)?;
        let game = variant.play(&start, level(arguments.level.unwrap_or(LEVEL)))?;
        if saved.is_some() {
            game.kif().map_err(|error| Usage(format!("without --save: {error}")))?;
        }
        return Ok(game);
    };
    let name = file::name(record.path);
    let resumed = |number| saved::resume(variant, record, level(number));
    let mut game = resumed(arguments.level.unwrap_or(LEVEL))?;
    if arguments.start.is_named() {
        let start = arguments.start.sfen(variant)?;
        let is_same = variant.rules().is_same_placement(&start, &game.start(None))?;
        ensure!(is_same, "{name}: the game in this file has another start");
    }
    match saved::level_of(&game).filter(|_| arguments.level.is_none()) {
        Some(number) if number != LEVEL => game = resumed(number)?,
        _ => {}
    }
    Ok(game)
}

/// The table with all that the arguments say, or else the record that the game is resumed from.
fn seat(
    arguments: &Arguments,
    common: &Common,
    mut game: AnyPlay,
    saved: Option<Saved>,
) -> Result<Table> {
    let you = arguments.side.or_else(|| saved::side_of(&game)).unwrap_or(Colour::Sente);
    let number = arguments.level.or_else(|| saved::level_of(&game)).unwrap_or(LEVEL);
    let level = Level::new(number).unwrap_or(Level::LOWEST);
    saved::name_players(&mut game, you, level);
    let clocks =
        Clocks::new(arguments.clock, arguments.increment, arguments.byoyomi, game.seconds());
    let colours =
        if common.json { takes_colours(&io::stderr()) } else { takes_colours(&io::stdout()) };
    let mut table = Table::new(game, you, level, Style { kanji: arguments.kanji, colours })?;
    table.title = arguments.game.variant.title();
    table.seed = arguments.seed;
    table.saved = saved;
    table.clocks = clocks;
    table.dialect = common.dialect();
    table.beside = common.json;
    Ok(table)
}
