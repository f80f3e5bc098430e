//! What a search finds out of positions, collected to learn from.

use rustc_hash::FxHashMap;

use crate::proof_number::ProofNumbers;

/// Collects positions that a search enters, with what it finds and the expansions it spends on them and
/// below them, all visits together: see [`DfPn::set_harvest`](crate::df_pn::DfPn::set_harvest).
///
/// All positions that are proved or disproved are collected, and a share of the others. Takes about 30
/// bytes for each position that is entered and twice the size of a position more for each that is
/// collected; [`Harvest::take`] gives them back.
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
/// // What is entered last is left first, so that the root comes at the end.
/// let last = found.last().unwrap();
/// assert_eq!((last.position, last.outcome), (root, SearchOutcome::Proved));
/// assert!(found.iter().all(|found| found.expansions <= last.expansions));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Harvest<P> {
    /// How many of a thousand open positions are collected, and by which choice.
    open_per_mille: u32,
    seed: u64,
    /// Expansions since the harvest began.
    expansions: u64,
    /// For each position on the path: the expansions when it was entered.
    path: Vec<u64>,
    /// By key: the expansions spent on a position, and its place among those collected if it has one.
    spent: FxHashMap<u64, (u32, u32)>,
    found: Vec<Found<P>>,
}

/// A position that was collected.
#[derive(Clone, Debug)]
struct Found<P> {
    key: u64,
    position: P,
    outcome: SearchOutcome,
}

/// The place of what is not collected.
const NOWHERE: u32 = u32::MAX;

/// What a search has found of a position that it entered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SearchOutcome {
    /// The prover reaches the goal.
    Proved,
    /// The opponent keeps the prover from it.
    Disproved,
    /// Neither is known.
    Open,
}

/// A position that a search has entered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Searched<P> {
    /// The position.
    pub position: P,
    /// What was found of it.
    pub outcome: SearchOutcome,
    /// Expansions spent on it and below it, at least 1.
    pub expansions: u32,
}

impl<P: Clone> Harvest<P> {
    /// An empty harvest that collects so many of a thousand open positions, chosen by their keys and a
    /// seed.
    pub fn new(open_per_mille: u32, seed: u64) -> Self {
        let (path, spent, found) = (Vec::new(), FxHashMap::default(), Vec::new());
        Self { open_per_mille, seed, expansions: 0, path, spent, found }
    }

    /// The number of positions collected.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Whether nothing is collected.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Gives what is collected, in the order in which positions were first left, and begins anew. A
    /// position with a search at work on it counts as far as it was left:
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

    /// A new search begins.
    pub(crate) fn begin(&mut self) {
        self.path.clear();
    }

    /// A position is entered.
    pub(crate) fn enter(&mut self) {
        self.path.push(self.expansions);
        self.expansions += 1;
    }

    /// A position is left, with its numbers as the prover sees them.
    pub(crate) fn leave(&mut self, key: u64, position: &P, numbers: ProofNumbers) {
        // A harvest that was set in the middle of a search does not know what is above.
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
