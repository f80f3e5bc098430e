//! Composed mates, the same for everybody: made by `shogi tsume generate`, and each shown by brute force to have one solution.

use serde::Serialize;
use serde_json::Value;
use shogi_variants::Variant;

use crate::explorer::refused;
use crate::fault::Fault;
use crate::requests::{OfVariant, read};

/// A game, a position, its solution and the other last moves that mate in each line, the shortest of a game first.
const TABLE: &str = include_str!("problems.tsv");

/// A composed mate.
#[derive(Serialize)]
struct Problem {
    sfen: &'static str,
    /// The plies of its solution, as problem books count.
    plies: usize,
    /// The solution in USI notation. Every other move of the attacker is wrong, but for those of `last`.
    pv: Vec<&'static str>,
    /// The other last moves that mate.
    last: Vec<&'static str>,
}

#[derive(Serialize)]
struct Problems {
    problems: Vec<Problem>,
}

/// The question `problems`: those of a variant.
pub(crate) fn problems(request: &[u8]) -> Result<Value, Fault> {
    let OfVariant { variant } = read(request)?;
    let problems = Problems { problems: of_variant(variant).collect() };
    serde_json::to_value(problems).map_err(|error| refused("", error))
}

fn of_variant(variant: Variant) -> impl Iterator<Item = Problem> {
    let name = variant.name();
    let lines = TABLE.lines().filter(move |_| variant.is_built_in());
    lines.filter_map(move |line| {
        let mut fields = line.split('\t');
        if fields.next()? != name {
            return None;
        }
        let sfen = fields.next()?;
        let mut moves = || Some(fields.next()?.split_whitespace().collect::<Vec<_>>());
        let (pv, last) = (moves()?, moves()?);
        Some(Problem { sfen, plies: pv.len(), pv, last })
    })
}
