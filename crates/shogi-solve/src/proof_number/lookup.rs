//! What a search remembers of a position: one look into the table for all hands.

use shogi_rules::shogi_core::Colour;

use crate::game::{GameGraph, Goal, Parts};
use crate::ghi::PathDependence;
use crate::memory::Memory;
use crate::proof_number::{Assessment, ProofNumbers};
use crate::search::FinalValue;
use crate::table::Entry;

/// The flag of an entry whose disproof depended on the path to it.
pub(crate) const PROVISIONAL: u8 = 1;
/// The flag of an entry whose disproof does not hold on every path: it is simulated wherever the
/// position comes up, as with [`Ghi::Simulation`](crate::Ghi::Simulation).
pub(crate) const INVALIDATED: u8 = 2;
/// The flag of an entry with the initial numbers of a position that was not searched.
pub(crate) const INITIAL: u8 = 4;

/// What is remembered of a position.
pub(crate) struct Lookup {
    /// A proof or a disproof, of this position or of one that dominates it; seen by the prover.
    pub(crate) ended: Option<Assessment>,
    /// The entry of the position itself, if it is open.
    pub(crate) open: Option<Entry>,
}

/// Whether an entry is of a position that was given up on a longer path than one of this depth:
/// it may be tried again here, and is as good as new.
pub(crate) fn is_given_up_below(entry: Entry, depth: u32) -> bool {
    let numbers = ProofNumbers { phi: entry.pn, delta: entry.dn };
    numbers.is_partly_given_up() && u32::from(entry.length) > depth
}

impl Lookup {
    /// The open entry, unless it is as good as new for a position at this depth.
    pub(crate) fn open_at(&self, depth: u32) -> Option<Entry> {
        self.open.filter(|&entry| !is_given_up_below(entry, depth))
    }

    /// Whether the open entry notes a disproof that held on one path.
    pub(crate) fn was_disproved_once(&self) -> bool {
        self.open.is_some_and(|entry| entry.flags & PROVISIONAL != 0)
    }
}

impl Memory {
    /// What the table and the final values beside it have of a position.
    ///
    /// A proof holds with a better hand of the prover too, and a disproof that depends on nothing
    /// with a worse one. Open numbers, and provisional disproofs, are taken for this very hand only:
    /// so the latter end when the one position is invalidated that has them.
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
                // The shortest proof is kept: plies fall along the moves of a proof only if each
                // position uses the least it knows of the next.
                let shorter = |known: Assessment| {
                    known.dependence != PathDependence::None || known.plies > entry.length
                };
                if lookup.ended.is_none_or(shorter) {
                    lookup.ended = Some(Assessment::proved(entry.length));
                }
            } else if entry.dn == 0 && game.dominates(worse, better) {
                let provisional = entry.flags & PROVISIONAL != 0;
                let dependence = match provisional {
                    true => PathDependence::Table,
                    false => PathDependence::None,
                };
                let holds = !provisional || entry.hand == parts.hand;
                if holds && lookup.ended.is_none_or(|known| known.dependence < dependence) {
                    lookup.ended = Some(Assessment::disproved(dependence));
                }
            } else if entry.hand == parts.hand && !entry.is_final() {
                lookup.open = Some(entry);
            }
        }
        let is_certain = |known: Assessment| known.dependence == PathDependence::None;
        if !lookup.ended.is_some_and(is_certain) {
            match self.final_value(key) {
                Some(FinalValue::Proved { plies }) => {
                    lookup.ended =
                        Some(Assessment::proved(u16::try_from(plies).unwrap_or(u16::MAX)))
                }
                Some(FinalValue::Disproved) => {
                    lookup.ended = Some(Assessment::disproved(PathDependence::None));
                }
                None => {}
            }
        }
        lookup
    }
}
