//! Tasks that need the rules alone.

use serde::Serialize;
use shogi_variants::Variant;

use crate::{Answer, Arguments, json, text};

/// A game by its name.
#[derive(Serialize)]
struct Named {
    name: &'static str,
    title: &'static str,
}

/// Answers a task, if it is one of these.
pub(crate) fn answer(task: &str, arguments: &mut Arguments<'_>) -> Option<Answer> {
    Some(match task {
        "variants" => variants(),
        "define" => define(arguments),
        "position" => position(arguments),
        "play" => play(arguments),
        "moves" => moves(arguments),
        "start" => start(arguments),
        _ => return None,
    })
}

fn variants() -> Answer {
    let named: Vec<_> = Variant::built_in().map(|(name, title)| Named { name, title }).collect();
    json(&named)
}

/// Reads a game as a text; its name is known from then on.
fn define(arguments: &mut Arguments<'_>) -> Answer {
    let variant = Variant::from_text(arguments.text()?).map_err(text)?;
    json(&Named { name: variant.name(), title: variant.title() })
}

/// The SFEN of what a text stands for.
fn position(arguments: &mut Arguments<'_>) -> Answer {
    let variant: Variant = arguments.parsed()?;
    variant.rules().position(arguments.text()?, None).map_err(text)
}

/// The position after moves from another, whose text has no moves.
fn play(arguments: &mut Arguments<'_>) -> Answer {
    let variant: Variant = arguments.parsed()?;
    let (from, moves) = (arguments.text()?, arguments.text()?);
    variant.rules().position(&format!("{from} moves {moves}"), None).map_err(text)
}

/// The legal moves in a position.
fn moves(arguments: &mut Arguments<'_>) -> Answer {
    let variant: Variant = arguments.parsed()?;
    json(&variant.rules().moves(arguments.text()?, None).map_err(text)?)
}

/// A start position by its name.
fn start(arguments: &mut Arguments<'_>) -> Answer {
    let variant: Variant = arguments.parsed()?;
    variant.rules().named_start(arguments.text()?).map_err(text)
}
