//! What searches collect, as records to learn from.

use shogi_learn::{Outcome, Record};
use shogi_rules::Rules;
use shogi_rules::shogi_core::{Colour, Position};

use crate::harvest::{SearchOutcome, Searched};

impl From<SearchOutcome> for Outcome {
    fn from(outcome: SearchOutcome) -> Self {
        match outcome {
            SearchOutcome::Proved => Self::Proved,
            SearchOutcome::Disproved => Self::Disproved,
            SearchOutcome::Open => Self::Open,
        }
    }
}

/// What was collected as records to learn from, for the prover of the search.
pub fn to_records<R: Rules>(
    searched: Vec<Searched<Position<R>>>,
    prover: Colour,
) -> impl Iterator<Item = Record<R>> {
    records_of(searched, prover).into_iter()
}

pub(crate) fn records_of<R: Rules>(
    searched: Vec<Searched<Position<R>>>,
    prover: Colour,
) -> Vec<Record<R>> {
    let mut records = Vec::with_capacity(searched.len());
    for &Searched { position, outcome, expansions } in &searched {
        records.push(Record { position, prover, outcome: outcome.into(), expansions });
    }
    records
}
