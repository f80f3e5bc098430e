//! Tasks that need the rules alone. They visit the rule sets themselves, since a program that calls one task of the
//! libraries' `AnyRules` has the code of all of them.

use serde::Serialize;
use shogi_variants::operations::{legal_moves, read_move_number, read_position};
use shogi_variants::rules::{to_sfen, to_sfen_numbered};
use shogi_variants::{RuleSet, Variant, Visitor};

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
struct Sfen<'t>(&'t str);

impl Visitor for Sfen<'_> {
    type Output = Answer;

    fn visit<R: RuleSet>(self) -> Answer {
        let position = read_position::<R>(self.0).map_err(text)?;
        let number = read_move_number::<R>(self.0).map_err(text)?;
        Ok(to_sfen_numbered(position.placement(), R::dialect(), number))
    }
}

fn position(arguments: &mut Arguments<'_>) -> Answer {
    let variant: Variant = arguments.parsed()?;
    variant.visit(Sfen(arguments.text()?))
}

/// The position after moves from another, whose text has no moves.
fn play(arguments: &mut Arguments<'_>) -> Answer {
    let variant: Variant = arguments.parsed()?;
    let (from, moves) = (arguments.text()?, arguments.text()?);
    variant.visit(Sfen(&format!("{from} moves {moves}")))
}

/// The legal moves in a position.
struct LegalMoves<'t>(&'t str);

impl Visitor for LegalMoves<'_> {
    type Output = Answer;

    fn visit<R: RuleSet>(self) -> Answer {
        json(&legal_moves::<R>(self.0, None).map_err(text)?)
    }
}

fn moves(arguments: &mut Arguments<'_>) -> Answer {
    let variant: Variant = arguments.parsed()?;
    variant.visit(LegalMoves(arguments.text()?))
}

/// The start with a name.
struct Start<'n>(&'n str);

impl Visitor for Start<'_> {
    type Output = Answer;

    fn visit<R: RuleSet>(self) -> Answer {
        Ok(to_sfen(&R::named_start(self.0).map_err(text)?))
    }
}

/// A start position by its name.
fn start(arguments: &mut Arguments<'_>) -> Answer {
    let variant: Variant = arguments.parsed()?;
    variant.visit(Start(arguments.text()?))
}
