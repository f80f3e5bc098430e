//! `explain`: what the player's evaluation of a position is made of.

use anyhow::Result;
use serde::Serialize;
use shogi_rules::{Rules, parse_position};
use shogi_search::{Evaluation, Evaluator};

use crate::batch;
use crate::end::Outcome;
use crate::evaluation::Judgement;
use crate::variant::{self, Variant, dispatch};

/// Arguments of `explain`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[arg(value_parser = variant::parser())]
    variant: Variant,
    #[command(flatten)]
    judgement: Judgement,
}

#[derive(Serialize)]
struct Answer {
    /// For the player to move, in hundredths of a pawn.
    value: i32,
    /// What adds up to it.
    terms: Vec<Term>,
}

#[derive(Serialize)]
struct Term {
    name: &'static str,
    value: i32,
}

/// Runs the verb.
pub fn run(arguments: &Arguments) -> Result<Outcome> {
    dispatch!(arguments.variant, R => {
        let evaluation = arguments.judgement.evaluation::<R>()?;
        batch::run(|line| answer::<R>(&evaluation, line))
    })
}

fn answer<R: Rules>(evaluation: &Evaluation<R>, line: &str) -> Result<Answer> {
    let position = parse_position::<R>(line)?;
    let value = evaluation.evaluate(&evaluation.start(&position), &position);
    let terms = evaluation.explain(&position).into_iter();
    let terms = terms.map(|term| Term { name: term.name, value: term.value }).collect();
    Ok(Answer { value, terms })
}
