//! `unmoves`: the legal positions from which one legal move leads to a position.

use std::ops::ControlFlow;

use anyhow::Result;
use serde::Serialize;
use shogi_rules::{Rules, parse_position, to_sfen_in};

use crate::arguments::Common;
use crate::batch;
use crate::end::Outcome;
use crate::variant::{Variant, dispatch};

/// Arguments of `unmoves`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    variant: Variant,
}

#[derive(Serialize)]
struct Answer {
    predecessors: Vec<String>,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    dispatch!(arguments.variant, R => batch::run(|line| answer::<R>(line, common)))
}

fn answer<R: Rules>(line: &str, common: &Common) -> Result<Answer> {
    let position = parse_position::<R>(line)?;
    let mut predecessors = Vec::new();
    let _: ControlFlow<()> = position.generate_unmoves(|_, before| {
        // Nobody moves on from the end of a game.
        if R::verdict(before).is_none() {
            predecessors.push(to_sfen_in(before, common.dialect::<R>()));
        }
        ControlFlow::Continue(())
    });
    predecessors.sort();
    // Two moves can lead here from one position.
    predecessors.dedup();
    Ok(Answer { predecessors })
}
