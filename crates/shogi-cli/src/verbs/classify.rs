//! `classify`: whether positions can arise in a game, with proof if wanted.

use anyhow::Result;
use shogi_solve::reach::SearchLimit;

use crate::end::Outcome;
use crate::input::PositionSource;
use crate::variant::Game;
use crate::{amount, batch};

/// Arguments of `classify`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    game: Game,
    /// Prove each answer: by a game from the start, or by all positions it can be traced back to.
    #[arg(long)]
    certificate: bool,
    /// Limit of the positions kept in one backward search; beyond it the answer is unknown.
    #[arg(long, value_name = "N", default_value = amount::default(SearchLimit::default().nodes as u64), value_parser = amount::count::<u64>(..))]
    nodes: u64,
    #[command(flatten)]
    source: PositionSource,
}

/// Runs the verb.
pub fn run(arguments: &Arguments) -> Result<Outcome> {
    let &Arguments { game: Game { variant }, certificate, nodes, .. } = arguments;
    let classifier = variant.reach().classifier(
        SearchLimit { nodes: usize::try_from(nodes).unwrap_or(usize::MAX) },
        certificate,
    )?;
    batch::run(arguments.source.lines(variant)?, |line| Ok(classifier.classify(line)?))
}
