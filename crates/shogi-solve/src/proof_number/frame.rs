//! A position on the path, and its moves.

use std::cmp::Reverse;

use crate::ghi::PathDependence;
use crate::proof_number::ProofNumbers;
use crate::search::{FinalValue, Finding};
use crate::table::Entry;

/// What is known of a position, seen by the prover or, of one that a move of the path leads to, by the player
/// who moves there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Assessment {
    pub(crate) numbers: ProofNumbers,
    /// Of a disproof, what it depends on.
    pub(crate) dependence: PathDependence,
    /// Plies of a proof, 65,535 for that many or more; of an open position, of the shortest path on which it was met.
    pub(crate) plies: u16,
}

impl Assessment {
    #[inline]
    pub(crate) fn open(numbers: ProofNumbers, depth: u32) -> Self {
        let plies = depth.min(u16::MAX.into()) as u16;
        Self { numbers, dependence: PathDependence::None, plies }
    }

    /// The numbers of an entry of the table that is open.
    pub(crate) const fn of_entry(entry: Entry) -> Self {
        let numbers = ProofNumbers { phi: entry.pn, delta: entry.dn };
        Self { numbers, dependence: PathDependence::None, plies: entry.length }
    }

    pub(crate) const fn proved(plies: u16) -> Self {
        Self { numbers: ProofNumbers::SUCCESS, dependence: PathDependence::None, plies }
    }

    pub(crate) const fn disproved(dependence: PathDependence) -> Self {
        Self { numbers: ProofNumbers::FAILURE, dependence, plies: 0 }
    }

    pub(crate) fn of_final(value: FinalValue) -> Self {
        match value {
            FinalValue::Proved { plies } => Self::proved(u16::try_from(plies).unwrap_or(u16::MAX)),
            FinalValue::Disproved => Self::disproved(PathDependence::None),
        }
    }

    /// What a search has found if its root has these numbers, seen by the prover.
    pub(crate) const fn finding(self) -> Finding {
        match self.numbers {
            ProofNumbers::SUCCESS => Finding::Proved { plies: self.plies as u32 },
            ProofNumbers::FAILURE => Finding::Disproved,
            ProofNumbers { phi, delta } => Finding::Unknown { proof: phi, disproof: delta },
        }
    }

    /// Whether this is the shorter proof of two, or the disproof that depends on less.
    pub(crate) fn decides_sooner(self, other: Self) -> bool {
        let order = |known: Self| (known.plies, Reverse(known.dependence));
        order(self) < order(other)
    }

    /// From the prover's point of view to that of a player, or back.
    pub(crate) const fn oriented(self, is_prover: bool) -> Self {
        Self { numbers: self.numbers.oriented(is_prover), ..self }
    }
}

/// How a search adds the moves of a position up.
pub(crate) trait Sums: Send + Sync {
    /// What the moves add up to, seen by the player to move. What is known of the positions after them is seen
    /// by the player who makes them.
    fn numbers(&self, frame: &Frame, children: &[Assessment]) -> ProofNumbers;
}

/// A position on the path from the root.
pub(crate) struct Frame {
    /// Names the path from the root to here.
    pub(crate) path_key: u64,
    pub(crate) prover_moves: bool,
    /// How far the position is searched, seen by the player to move.
    pub(crate) threshold: ProofNumbers,
    /// For PDS: moves with a smaller phi count as having this one, the largest phi that the
    /// position had.
    pub(crate) floor: u32,
    /// The move that is being searched.
    pub(crate) current: usize,
    /// Nodes spent when the position was entered.
    pub(crate) entered: u64,
}

impl Frame {
    /// What numbers that the moves add up to mean to the prover, with what they depend on and the
    /// plies they take. The numbers are seen by the player to move.
    pub(crate) fn assessment(
        &self,
        children: &[Assessment],
        numbers: ProofNumbers,
        depth: u32,
    ) -> Assessment {
        let seen = numbers.oriented(self.prover_moves);
        if !matches!(seen, ProofNumbers::SUCCESS | ProofNumbers::FAILURE) {
            return Assessment::open(seen, depth);
        }
        // What the player to move makes of the moves with these numbers.
        let mut best: Option<(u16, PathDependence)> = None;
        for known in children {
            if known.numbers == numbers {
                let own = (known.plies, known.dependence);
                best = Some(match best {
                    None => own,
                    Some(other) if self.prover_moves => (own.0.min(other.0), own.1.min(other.1)),
                    Some(other) => (own.0.max(other.0), own.1.max(other.1)),
                });
            }
        }
        let (plies, dependence) = best.unwrap_or((0, PathDependence::None));
        match seen {
            ProofNumbers::SUCCESS => Assessment::proved(plies.saturating_add(1)),
            _ => Assessment::disproved(dependence.seen_from(depth)),
        }
    }
}
