//! The games of 3x4 shogi, each with the pieces of its own.

use anyhow::{Context, Result, ensure};
use shogi_core::{Board3x4, KindSpec, Placement, RuleTable};
use shogi_rank::{BigUint, Counts, by_hand_of};
use shogi_rules::{Rules as _, Shogi34};

/// 3x4 shogi with two pawns and two each of two officers, of which it holds that 1 is the lance and 6
/// the rook; four of one if they are the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
struct Set<const A: usize, const B: usize>;

impl<const A: usize, const B: usize> Set<A, B> {
    const ALIKE: [KindSpec; 3] =
        [with_count(0, 2), with_count(A, 4), Shogi34::KINDS[Shogi34::KING.index()]];
    const DIFFERENT: [KindSpec; 4] = [
        with_count(0, 2),
        with_count(A, 2),
        with_count(B, 2),
        Shogi34::KINDS[Shogi34::KING.index()],
    ];
}

impl<const A: usize, const B: usize> RuleTable for Set<A, B> {
    type Geometry = Board3x4;
    const KINDS: &'static [KindSpec] = if A == B { &Self::ALIKE } else { &Self::DIFFERENT };
}

const fn with_count(kind: usize, count: u8) -> KindSpec {
    let mut spec = Shogi34::KINDS[kind];
    spec.count = count;
    spec
}

/// What is counted of a set.
#[derive(serde::Serialize)]
pub struct Row {
    /// The letters of the officers.
    pub officers: String,
    /// All placements, mirror images counted as two.
    pub placements: String,
    /// Those left after the flip stage.
    pub flip: String,
    /// Those left after the pawn stage.
    pub pawn: String,
    /// Those left after the king stage.
    pub king: String,
}

/// The sets of two officers, the strongest first.
///
/// # Errors
///
/// If two ways of counting differ, or a number is not known.
pub fn count() -> Result<Vec<Row>> {
    macro_rules! rows {
        ($($a:literal: $($b:literal)+;)+) => { vec![$($(row::<$a, $b>()?),+),+] };
    }
    Ok(rows!(
        6: 6 5 4 3 2 1;
        5: 5 4 3 2 1;
        4: 4 3 2 1;
        3: 3 2 1;
        2: 2 1;
        1: 1;
    ))
}

fn row<const A: usize, const B: usize>() -> Result<Row> {
    let officers: String = [A, B].map(|kind| Shogi34::KINDS[kind].letter).iter().collect();
    let counts = Counts::new::<Set<A, B>>()?;
    let start: Placement<Shogi34> = Shogi34::named_start(&format!("K{officers}"))?;
    let total: BigUint = by_hand_of(&start).into_iter().sum();
    ensure!(total == counts.distinct, "two counts of the placements of {officers} differ");
    let king = counts.king.with_context(|| format!("{officers} is too large a set"))?;
    Ok(Row {
        officers,
        placements: total.to_string(),
        flip: counts.flip.to_string(),
        pawn: counts.pawn.to_string(),
        king: king.to_string(),
    })
}
