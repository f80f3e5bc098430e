//! Cooperation of searches of the same root with a shared table.
//!
//! Each search has a path of its own. To keep them apart, a move counts as worse for each search that has the
//! position after it on its path (virtual proof numbers: Kaneko, "Parallel depth first proof number search",
//! 2010), as long as another move is within the limits. A search notices findings of others when it looks up a
//! move: when its position is first entered, and before the move is made.
//!
//! Sharing is sound. Proofs and permanent refutations do not depend on the path. A refutation by repetition is
//! stored under a key of all positions on the path from the same root, so it is found only on this path, where
//! its depth means the same.

use super::MateSearch;
use crate::expansion::{Child, EPSILON, Selection};
use crate::forks::Spot;
use crate::memory::{self, Known, Place, Recalled, UNLIMITED};
use crate::numbers::{INFINITE, ProofNumbers, raised};
use crate::store::SharedTable;
use shogi_rules::Rules;

/// The other searches, as one search sees them.
#[derive(Clone, Copy, Debug)]
pub struct Others<'t> {
    table: &'t SharedTable,
    /// The count of decided positions at the last check of the path.
    seen: usize,
    /// The first frame whose position others have decided.
    decided: Option<(usize, Known)>,
}

impl Others<'_> {
    /// Puts a position on the path.
    pub(super) fn enter(&self, spot: Spot) {
        self.table.enter(spot);
    }
}

impl<'t, R: Rules> MateSearch<'t, R> {
    /// The other searches with the same limit; a search within a limit of plies works alone.
    pub(super) fn others(&self, limit: u16) -> Option<Others<'t>> {
        let table = self.store.shared().filter(|_| limit == UNLIMITED)?;
        Some(Others { table, seen: table.decided(), decided: None })
    }

    /// Whether others have decided a position on the path, so that it must be left.
    #[inline(always)]
    pub(super) fn is_decided(&mut self) -> bool {
        self.others.is_some() && self.is_decided_by_others()
    }

    #[inline(never)]
    fn is_decided_by_others(&mut self) -> bool {
        let Some(Others { table, seen, decided }) = self.others else { return false };
        let now = table.decided();
        if now == seen {
            return decided.is_some();
        }
        let end = decided.map_or(self.frames.len(), |(index, _)| index);
        let find = |index: usize| match self.recall(&self.frames[index].place) {
            Recalled::Known(known) if known.is_final() => Some((index, known)),
            _ => None,
        };
        // All threads leave the root when one has the answer.
        let decided = (1..end).find_map(find).or(decided);
        self.others = Some(Others { table, seen: now, decided });
        decided.is_some()
    }

    /// The move to make in the top frame: the best one, or one nearly as good if others search the best one.
    #[inline(always)]
    pub(super) fn divert(&self, selection: Selection, threshold: ProofNumbers) -> Selection {
        match &self.others {
            None => selection,
            Some(others) => self.diverted(others.table, selection, threshold),
        }
    }

    #[inline(never)]
    fn diverted(
        &self,
        table: &SharedTable,
        selection: Selection,
        threshold: ProofNumbers,
    ) -> Selection {
        let frame = &self.frames[self.frames.len() - 1];
        let children = &self.children[frame.start..];
        if table.visitors(children[selection.best].spot) == 0 {
            return selection;
        }
        let numbers = |child: &Child<R>| child.known.numbers.oriented(frame.attacking);
        let mut worse = children.to_vec();
        for child in worse.iter_mut().filter(|child| !child.waits && !child.known.is_final()) {
            let mut numbers = numbers(child);
            for _ in 0..table.visitors(child.spot) {
                numbers.phi = raised(numbers.phi, EPSILON).min(INFINITE - 1);
            }
            child.known.numbers = numbers.oriented(frame.attacking);
        }
        let other = Selection::new(&worse, frame.attacking);
        let limit = threshold.oriented(frame.attacking).phi;
        if numbers(&children[other.best]).phi >= limit {
            return selection;
        }
        Selection { numbers: selection.numbers, ..other }
    }

    /// Findings of others about the position after a move since it was looked up.
    #[inline(always)]
    pub(super) fn news(&self, place: &Place, known: &Known) -> Option<Known> {
        if self.others.is_some() { self.news_of_others(place, known) } else { None }
    }

    #[inline(never)]
    fn news_of_others(&self, place: &Place, known: &Known) -> Option<Known> {
        match self.recall(place) {
            Recalled::Known(now) if now.numbers != known.numbers => Some(now),
            _ => None,
        }
    }

    /// Stores the knowledge about the top frame, which is being left, after this much work, and returns it.
    #[inline(always)]
    pub(super) fn keep(&mut self, known: Known, work: u64) -> Known {
        let top = self.frames.len() - 1;
        let place = &self.frames[top].place;
        let decided = self.others.as_mut().and_then(|others| {
            others.decided.take_if(|(index, _)| *index == top).map(|(_, known)| known)
        });
        if decided.is_none() {
            self.store.change(place.board, |table| memory::store(table, place, &known, work));
        }
        if let Some(others) = self.others.as_ref().filter(|_| top > 0) {
            others.table.leave(place.spot(), known.is_final() && decided.is_none());
        }
        decided.unwrap_or(known)
    }
}
