//! The memory of a position: one look-up in the table for all hands.

use shogi_rules::shogi_core::Colour;

use crate::game::{GameGraph, Goal, Parts};
use crate::ghi::{Ghi, PathDependence};
use crate::memory::Memory;
use crate::proof_number::{Assessment, ProofNumbers};
use crate::search::Knowledge;
use crate::table::Entry;

/// The flag of an entry whose disproof depended on the path to it.
pub(crate) const PROVISIONAL: u8 = 1;
/// The flag of an entry whose disproof does not hold on every path: it is simulated wherever the
/// position occurs, as with [`Ghi::Simulation`](crate::Ghi::Simulation).
pub(crate) const INVALIDATED: u8 = 2;
/// The flag of an entry with the initial numbers of an unsearched position.
pub(crate) const INITIAL: u8 = 4;

/// The remembered entries of a position.
pub(crate) struct Lookup {
    /// A proof or a disproof, of this position or of one that dominates it, as seen by the prover.
    pub(crate) ended: Option<Assessment>,
    /// The entry of the position itself, if it is open.
    pub(crate) open: Option<Entry>,
}

/// Whether an entry was given up on a path longer than this depth. Then the position may be tried again
/// here and counts as new.
pub(crate) fn is_given_up_below(entry: Entry, depth: u32) -> bool {
    let numbers = ProofNumbers { phi: entry.pn, delta: entry.dn };
    numbers.is_partly_given_up() && u32::from(entry.length) > depth
}

impl Lookup {
    /// The open entry, unless the position counts as new at this depth.
    #[inline]
    pub(crate) fn open_at(&self, depth: u32) -> Option<Entry> {
        self.open.filter(|&entry| !is_given_up_below(entry, depth))
    }

    /// Whether the open entry records a disproof that held on one path.
    pub(crate) fn was_disproved_once(&self) -> bool {
        self.open.is_some_and(|entry| entry.flags & PROVISIONAL != 0)
    }

    /// Adds an entry with a proof that holds for the position.
    #[inline]
    fn take_proof(&mut self, entry: Entry) {
        // The shortest proof is kept: plies fall along the moves of a proof only if each position uses
        // the least it knows of the next.
        let shorter = |known: Assessment| {
            known.dependence != PathDependence::None || known.plies > entry.length
        };
        if self.ended.is_none_or(shorter) {
            self.ended = Some(Assessment::proved(entry.length));
        }
    }

    /// Adds an entry with a disproof that may hold for the position with this hand.
    #[inline]
    fn take_disproof(&mut self, entry: Entry, hand: u32) {
        let provisional = entry.flags & PROVISIONAL != 0;
        let dependence = match provisional {
            true => PathDependence::Table,
            false => PathDependence::None,
        };
        let holds = !provisional || entry.hand == hand;
        if holds && self.ended.is_none_or(|known| known.dependence < dependence) {
            self.ended = Some(Assessment::disproved(dependence));
        }
    }

    /// The knowledge of the position.
    pub(crate) fn knowledge(self) -> Knowledge {
        match self.ended {
            Some(Assessment { numbers: ProofNumbers::SUCCESS, plies, .. }) => {
                Knowledge::Proved { plies: plies.into() }
            }
            Some(Assessment { dependence: PathDependence::None, .. }) => Knowledge::Disproved,
            Some(_) => Knowledge::DisprovedOnce,
            None if self.was_disproved_once() => Knowledge::DisprovedOnce,
            None => Knowledge::Unknown,
        }
    }

    /// Whether the position is proved or disproved for every history.
    #[inline]
    fn is_certain(&self) -> bool {
        self.ended.is_some_and(|known| known.dependence == PathDependence::None)
    }

    /// The numbers of the position, as the player who moves there sees them, as one number for
    /// comparisons; unvisited positions come after visited ones.
    pub(crate) fn rank(self, by_prover: bool) -> u64 {
        let unknown = ProofNumbers { phi: ProofNumbers::GIVEN_UP.phi, delta: 0 };
        let known = self.ended.or(self.open.map(Assessment::of_entry));
        let ProofNumbers { phi, delta } =
            known.map_or(unknown, |known| known.numbers.oriented(by_prover));
        u64::from(phi) << 32 | u64::from(delta)
    }
}

impl Memory {
    /// Looks up a position in the table and the final values.
    ///
    /// A proof also holds with a better hand of the prover, and an unconditional disproof with a worse
    /// one. Open numbers and provisional disproofs count for this exact hand only, so that invalidating
    /// one position removes its provisional disproof.
    pub(crate) fn look_up<G: GameGraph>(
        &self,
        game: &G,
        goal: Goal,
        parts: Parts,
        key: u64,
    ) -> Lookup {
        let mut lookup = Lookup { ended: None, open: None };
        for entry in self.table.entries(parts.board) {
            // For the prover, as the hands are Sente's.
            let (better, worse) = match goal.prover {
                Colour::Sente => (parts.hand, entry.hand),
                Colour::Gote => (entry.hand, parts.hand),
            };
            if entry.pn == 0 && game.dominates(better, worse) {
                lookup.take_proof(entry);
            } else if entry.dn == 0 && game.dominates(worse, better) {
                lookup.take_disproof(entry, parts.hand);
            } else if entry.hand == parts.hand && !entry.is_final() {
                lookup.open = Some(entry);
            }
        }
        self.with_final_value(lookup, key)
    }

    #[inline]
    fn with_final_value(&self, mut lookup: Lookup, key: u64) -> Lookup {
        if !lookup.is_certain()
            && let Some(value) = self.final_value(key)
        {
            lookup.ended = Some(Assessment::of_final(value));
        }
        lookup
    }

    /// Stores the assessment of a position, as seen by the prover.
    pub(crate) fn note(
        &mut self,
        ghi: Ghi,
        Parts { board, hand }: Parts,
        path_key: u64,
        known: Assessment,
        depth: usize,
        work: u64,
    ) {
        let before = self.table.find(board, hand);
        let before = before.filter(|before| before.flags & INITIAL == 0);
        let ProofNumbers { phi: pn, delta: dn } = known.numbers;
        let amount = before.map_or(0, |before| before.amount).max(Entry::amount_of(work));
        let mut entry = Entry { board, hand, pn, dn, length: known.plies, amount, flags: 0 };
        let before_open = before.filter(|before| !before.is_final());
        if !known.numbers.is_final() {
            if let Some(before) = before_open {
                // A position that is given up is given up at this depth, even if another path was
                // shorter.
                if !known.numbers.is_partly_given_up() {
                    entry.length = entry.length.min(before.length);
                }
                entry.flags = before.flags;
            }
        } else if known.dependence != PathDependence::None {
            if let (Ghi::ByPath, PathDependence::Path(at)) = (ghi, known.dependence) {
                let (board, length) = (board ^ path_key, at.min(u16::MAX.into()) as u16);
                self.table.store(Entry { board, length, ..entry });
            }
            let invalidated = before.is_some_and(|before| before.flags & INVALIDATED != 0);
            if ghi != Ghi::Provisional || invalidated {
                // Otherwise the earlier numbers stay.
                let depth = depth.min(usize::from(u16::MAX)) as u16;
                (entry.pn, entry.dn) = before_open.map_or((1, 1), |before| (before.pn, before.dn));
                entry.length = before_open.map_or(depth, |before| depth.min(before.length));
                entry.flags = before_open.map_or(0, |before| before.flags);
            }
            entry.flags |= PROVISIONAL;
        }
        self.table.store(entry);
    }
}
