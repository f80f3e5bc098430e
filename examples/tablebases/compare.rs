//! Tablebases beside proof search.

use anyhow::{Context as _, Result, ensure};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use shogi_core::Position;
use shogi_rules::{Verdict, to_sfen};
use shogi_solve::tablebase::{Tablebase, World};
use shogi_solve::{Budget, Options, Solver};

/// Bytes for the searches of one position: few, since the tables are made anew for each.
const HASH_BYTES: usize = 1 << 20;

/// Random positions of a tablebase that were given to proof search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Compared {
    /// Positions, all of them legal and not at an end.
    pub positions: u64,
    /// Those whose value proof search proved, with a proof that the rules alone confirm. Each has the
    /// value of the tablebase, and no proof has fewer plies.
    pub solved: u64,
    /// Those among them that are drawn.
    pub drawn: u64,
    /// Nodes for each position; the others were not solved with them.
    pub nodes: u64,
}

/// Searches random positions of a tablebase for proofs, with so many nodes for each.
///
/// # Errors
///
/// The first position whose proved value is another than that of the tablebase, or why the tablebase
/// cannot be read.
pub fn compare<R: World>(table: &Tablebase<R>, positions: usize, nodes: u64) -> Result<Compared> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut sample = Vec::new();
    while sample.len() < positions {
        let rank = random.random_range(0..table.index().size());
        let placement = table.index().unrank_u64(rank).context("a number of the index")?;
        let is_member = table.value(rank)?.is_some() && R::verdict(&placement).is_none();
        if let Some(position) = Position::new(placement).ok().filter(|_| is_member) {
            sample.push(position);
        }
    }
    let one = |position: &Position<R>| {
        let options = Options { hash_bytes: HASH_BYTES, ..Options::default() };
        let mut solver = Solver::of_position(*position, options);
        solver.run(&mut Budget::nodes(nodes));
        let solved = solver.into_solved();
        let Some(value) = solved.value else { return Ok(Compared::default()) };
        let known = table.probe(position)?;
        let is_same =
            value == known.verdict && solved.plies.is_none_or(|most| known.plies <= Some(most));
        ensure!(
            is_same,
            "{}: {known}, but proved: {} in at most {} plies",
            to_sfen(position),
            value.name(),
            solved.plies.unwrap_or_default()
        );
        Ok(Compared { solved: 1, drawn: u64::from(value == Verdict::Draw), ..Compared::default() })
    };
    let sum = |a: Compared, b: Compared| {
        Ok(Compared { solved: a.solved + b.solved, drawn: a.drawn + b.drawn, ..a })
    };
    let compared = sample.par_iter().map(one).try_reduce(Compared::default, sum)?;
    Ok(Compared { positions: positions as u64, nodes, ..compared })
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use shogi_rules::{Dobutsu, Shogi34};
    use shogi_solve::tablebase::{Builder, PieceSet, Stored};

    use super::*;

    fn compared<R: World>(set: &str, nodes: u64) -> Compared {
        let mut builder = Builder::new(PieceSet::<R>::parse(set).unwrap(), None).unwrap();
        let finished = builder.run(|_| ControlFlow::Continue(())).unwrap().unwrap();
        let name = format!("compared-{set}-{}.tablebase", std::process::id());
        let path = std::env::temp_dir().join(name);
        finished.write(&path, Stored::Plies).unwrap();
        let compared = compare(&Tablebase::<R>::open(&path).unwrap(), 200, nodes).unwrap();
        std::fs::remove_file(path).unwrap();
        compared
    }

    #[test]
    fn proof_search_finds_the_values_of_tablebases() {
        for compared in
            [compared::<Shogi34>("P1S1K2", 20_000), compared::<Dobutsu>("C2G1L2", 20_000)]
        {
            assert_eq!(compared.positions, 200);
            assert!(compared.solved > 50, "{compared:?}");
        }
    }
}
