//! The number of reachable positions, from samples in which the kings are placed last.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Serialize;
use shogi_core::RuleTable;
use shogi_rank::{BigUint, KingsLast, PAIRS_DRAWN, Z_95};

use crate::estimate::{blocks_of, tally_all};
use crate::report::{Estimate, as_f64};
use crate::tally::Stage;
use crate::{Reach, has_predecessor};

/// One in this many samples is searched.
const SEARCHED: u64 = 16;

/// The findings in samples in which the kings are placed last.
///
/// Of each sample [`PAIRS_DRAWN`] positions are drawn. All of them are tested for a predecessor; the first
/// position of one sample in sixteen is searched, too. Tallies of disjoint samples can be added in any order.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct KingsTally {
    /// Samples.
    pub samples: u64,
    /// Positions examined.
    pub positions: u64,
    /// Positions in check without predecessor.
    pub without_predecessor: u64,
    /// Positions searched; those without predecessor need no search.
    pub searched: u64,
    /// Searched positions that cannot be reached.
    pub unreachable: u64,
    /// Searched positions that stayed undecided.
    pub unknown: u64,
    /// The sums of the samples by their number of pairs of squares.
    #[serde(skip)]
    sums: BTreeMap<u32, Sums>,
}

/// Sums of values, in units of 1 / (8 * number of pairs of squares).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Sums {
    values: i128,
    squares: u128,
}

impl KingsTally {
    /// Adds the findings in other samples.
    pub fn merge(&mut self, other: &Self) {
        self.samples += other.samples;
        self.positions += other.positions;
        self.without_predecessor += other.without_predecessor;
        self.searched += other.searched;
        self.unreachable += other.unreachable;
        self.unknown += other.unknown;
        for (&pairs, sums) in &other.sums {
            let own = self.sums.entry(pairs).or_default();
            own.values += sums.values;
            own.squares += sums.squares;
        }
    }

    fn record(&mut self, pairs: u32, value: i64) {
        self.samples += 1;
        let sums = self.sums.entry(pairs).or_default();
        sums.values += i128::from(value);
        sums.squares += u128::from(value.unsigned_abs()).pow(2);
    }

    /// The number of reachable positions, mirror images counted as one, with the normal 95 % interval for the
    /// mean of independent samples. `candidates` is the size of [`PawnLegal`](shogi_rank::PawnLegal),
    /// `self_mirror` the number of its members that are their own mirror image; any share of these may be
    /// reachable.
    ///
    /// Undecided positions count as unreachable. With fewer than two samples the interval is unbounded.
    pub fn estimate(&self, candidates: &BigUint, self_mirror: &BigUint) -> Estimate {
        let n = self.samples as f64;
        let unit = |pairs: &u32| 1.0 / (2.0 * PAIRS_DRAWN as f64 * f64::from(*pairs));
        let value = |(pairs, sums): (&u32, &Sums)| sums.values as f64 * unit(pairs);
        let square = |(pairs, sums): (&u32, &Sums)| sums.squares as f64 * unit(pairs).powi(2);
        let p = self.sums.iter().map(value).sum::<f64>() / n.max(1.0);
        let variance = self.sums.iter().map(square).sum::<f64>() / n.max(1.0) - p * p;
        let half =
            if self.samples < 2 { 1.0 } else { Z_95 * (variance.max(0.0) / (n - 1.0)).sqrt() };
        let (size, own) = (as_f64(candidates), as_f64(self_mirror) / 2.0);
        let (p_low, p_high) = ((p - half).max(0.0), (p + half + own / size).min(1.0));
        let [positions, low, high] = [p, p_low, p_high].map(|share| share * size);
        let method = "kings last, normal 95 %".to_owned();
        Estimate { p, p_low, p_high, positions, low, high, method }
    }
}

/// Tallies the samples of a range on the current rayon thread pool. The result depends on the samples alone.
///
/// ```
/// use shogi_rank::{KingsLast, PawnLegal, Ranking};
/// use shogi_reach::{Reach, SearchLimit, tally_kings_last};
/// use shogi_rules::Minishogi;
/// let set = PawnLegal::<Minishogi>::new().expect("Minishogi has such a set");
/// let reach = Reach::new(SearchLimit::default());
/// let tally = tally_kings_last(&reach, &KingsLast::new(&set, 1), 0..20_000);
/// let estimate = tally.estimate(&set.size(), &3_524_731_888u64.into());
/// // The number is known: 2.3785e18.
/// assert!((2.33e18..2.43e18).contains(&estimate.positions), "{estimate:?}");
/// ```
pub fn tally_kings_last<R: RuleTable>(
    reach: &Reach<R>,
    samples: &KingsLast<'_, R>,
    range: Range<u64>,
) -> KingsTally {
    if range.is_empty() {
        return KingsTally::default();
    }
    let tally = |block| tally_block(reach, samples, block);
    tally_all(&blocks_of(range), &tally, KingsTally::merge)
}

fn tally_block<R: RuleTable>(
    reach: &Reach<R>,
    samples: &KingsLast<'_, R>,
    range: Range<u64>,
) -> KingsTally {
    let mut tally = KingsTally::default();
    for sample in samples.samples(range) {
        let mut count = 0;
        for (i, position) in sample.drawn.iter().enumerate() {
            tally.positions += 1;
            if position.in_check(position.side()) && !has_predecessor(position) {
                tally.without_predecessor += 1;
                continue;
            }
            count += 1;
            if i == 0 && sample.lot % SEARCHED == 0 {
                tally.searched += 1;
                // It stands for all that were not searched.
                let weight = (SEARCHED * PAIRS_DRAWN as u64) as i64;
                match reach.reach(position) {
                    Stage::Ok => {}
                    Stage::Unknown => {
                        tally.unknown += 1;
                        count -= weight;
                    }
                    Stage::Flip | Stage::Pawn | Stage::King | Stage::Unreachable { .. } => {
                        tally.unreachable += 1;
                        count -= weight;
                    }
                }
            }
        }
        let weight = if sample.is_half { 1 } else { 2 };
        let value = weight * i64::from(sample.squares.legal()) * count;
        tally.record(sample.squares.pairs(), value);
    }
    tally
}
