//! `moves`: the legal moves of positions.

use anyhow::Result;
use serde::Serialize;
use shogi_rules::{Rules, parse_position, to_usi_in};

use crate::arguments::Common;
use crate::batch;
use crate::end::Outcome;
use crate::variant::{Variant, dispatch};

/// Arguments of `moves`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    variant: Variant,
}

#[derive(Serialize)]
struct Answer {
    check: bool,
    end: Option<&'static str>,
    moves: Vec<String>,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    dispatch!(arguments.variant, R => batch::run(|line| answer::<R>(line, common)))
}

fn answer<R: Rules>(line: &str, common: &Common) -> Result<Answer> {
    let position = parse_position::<R>(line)?;
    let end = R::verdict(&position);
    let mut moves: Vec<_> = match end {
        Some(_) => Vec::new(),
        None => {
            let write = |made| to_usi_in(made, &position, common.dialect::<R>());
            position.legal_moves().into_iter().map(write).collect()
        }
    };
    moves.sort();
    Ok(Answer { check: position.is_check(), end: end.map(|verdict| verdict.name()), moves })
}
