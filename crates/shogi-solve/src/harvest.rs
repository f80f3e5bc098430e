//! Findings of searches, collected to learn from.

use rustc_hash::FxHashMap;

use crate::proof_number::ProofNumbers;

/// Collects positions that a search enters, with the findings and the expansions spent on them and
/// below them over all visits: see [`DfPn::set_harvest`](crate::df_pn::DfPn::set_harvest).
///
/// Collects all proved and disproved positions, and a share of the others. Takes about 30 bytes for
/// each entered position, and additionally twice the size of a position for each collected one;
/// [`Harvest::take`] frees them.
///
/// ```
/// use shogi_rules::{Rules, Shogi34, parse_position};
/// use shogi_solve::df_pn::{DfPn, Options};
/// use shogi_solve::shogi_core::Colour;
/// use shogi_solve::{Budget, Goal, Harvest, RulesGame, Search, SearchOutcome, Unit};
///
/// let game = RulesGame::<Shogi34>::new();
/// let mut search = DfPn::new(&game, Goal::win(Colour::Sente), Unit, Options::default());
/// search.set_harvest(Some(Harvest::new(80, 1)));
/// let root = parse_position::<Shogi34>("rkr/1p1/1P1/RKR b - 1")?;
/// search.search(&root, &mut Budget::unlimited());
/// let found = search.harvest_mut().unwrap().take();
/// // The position entered last is left first, so the root comes at the end.
/// let last = found.last().unwrap();
/// assert_eq!((last.position, last.outcome), (root, SearchOutcome::Proved));
/// assert!(found.iter().all(|found| found.expansions <= last.expansions));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Harvest<P> {
    /// Open positions to collect, per thousand, and the seed of the choice.
    open_per_mille: u32,
    seed: u64,
    /// Expansions since the harvest began.
    expansions: u64,
    /// For each position on the path: the expansions when it was entered.
    path: Vec<u64>,
    /// By key: the expansions spent on a position, and its place among the collected ones, if any.
    spent: FxHashMap<u64, (u32, u32)>,
    found: Vec<Found<P>>,
}

/// A collected position.
#[derive(Clone, Debug)]
struct Found<P> {
    key: u64,
    position: P,
    outcome: SearchOutcome,
}

/// The place of a position that is not collected.
const NOWHERE: u32 = u32::MAX;

/// The outcome of a search for a position that it entered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SearchOutcome {
    /// The prover reaches the goal.
    Proved,
    /// The opponent keeps the prover from it.
    Disproved,
    /// Undecided.
    Open,
}

/// A position that a search has entered, with its outcome.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Searched<P> {
    /// The position.
    pub position: P,
    /// The outcome.
    pub outcome: SearchOutcome,
    /// Expansions spent on it and below it, at least 1.
    pub expansions: u32,
}

impl<P: Clone> Harvest<P> {
    /// An empty harvest that collects `open_per_mille` of a thousand open positions, chosen by their
    /// keys and a seed.
    pub fn new(open_per_mille: u32, seed: u64) -> Self {
        let (path, spent, found) = (Vec::new(), FxHashMap::default(), Vec::new());
        Self { open_per_mille, seed, expansions: 0, path, spent, found }
    }

    /// The number of positions collected.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Whether no position is collected.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Returns the collected positions, in the order in which they were first left, and empties the
    /// harvest. Positions of a paused search count only up to their last exit, so call
    /// [`Search::unwind`](crate::Search::unwind) first.
    pub fn take(&mut self) -> Vec<Searched<P>> {
        let mut searched = Vec::with_capacity(self.found.len());
        for Found { key, position, outcome } in &self.found {
            let (expansions, _) = self.spent.get(key).copied().unwrap_or((1, NOWHERE));
            searched.push(Searched { position: position.clone(), outcome: *outcome, expansions });
        }
        self.found = Vec::new();
        self.spent = FxHashMap::default();
        searched
    }

    /// Begins a new search.
    pub(crate) fn begin(&mut self) {
        self.path.clear();
    }

    /// Enters a position.
    pub(crate) fn enter(&mut self) {
        self.path.push(self.expansions);
        self.expansions += 1;
    }

    /// Leaves a position, with its numbers as the prover sees them.
    pub(crate) fn leave(&mut self, key: u64, position: &P, numbers: ProofNumbers) {
        // A harvest set in the middle of a search does not know the positions above.
        let Some(entered) = self.path.pop() else { return };
        let visit = u32::try_from(self.expansions - entered).unwrap_or(u32::MAX);
        let outcome = match numbers {
            ProofNumbers::SUCCESS => SearchOutcome::Proved,
            ProofNumbers::FAILURE => SearchOutcome::Disproved,
            _ => SearchOutcome::Open,
        };
        let (spent, place) = self.spent.entry(key).or_insert((0, NOWHERE));
        *spent = spent.saturating_add(visit);
        if *place != NOWHERE {
            self.found[*place as usize].outcome = outcome;
            return;
        }
        let hash = (key ^ self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        let is_chosen = (hash * 1000) >> 32 < u64::from(self.open_per_mille);
        if outcome != SearchOutcome::Open || is_chosen {
            *place = self.found.len() as u32;
            self.found.push(Found { key, position: position.clone(), outcome });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which of many open positions are collected.
    fn collected(seed: u64) -> Vec<u64> {
        let mut harvest = Harvest::new(100, seed);
        for key in 0..20_000_u64 {
            harvest.enter();
            harvest.leave(
                key.wrapping_mul(0x2545_f491_4f6c_dd1d),
                &key,
                ProofNumbers { phi: 1, delta: 1 },
            );
        }
        harvest.take().into_iter().map(|found| found.position).collect()
    }

    #[test]
    fn each_seed_collects_its_own_share_of_the_open_positions() {
        let [one, again, other] = [1, 1, 2].map(collected);
        assert_eq!(one, again);
        assert_ne!(one, other);
        for found in [&one, &other] {
            assert!((1_700..2_300).contains(&found.len()), "{} of 2,000", found.len());
        }
    }
}
