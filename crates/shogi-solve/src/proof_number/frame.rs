//! A position on the path, and its moves.

use std::cmp::Reverse;

use crate::ghi::PathDependence;
use crate::proof_number::ProofNumbers;
use crate::search::{FinalValue, Finding};
use crate::table::Entry;

/// The assessment of a position, as seen by the prover or, for a target of a move on the path, by the player
/// who makes the move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Assessment {
    pub(crate) numbers: ProofNumbers,
    /// For a disproof, its dependence.
    pub(crate) dependence: PathDependence,
    /// For a proof its plies, 65,535 for that many or more; for an open position the length of the shortest
    /// path on which it was met.
    pub(crate) plies: u16,
}

impl Assessment {
    #[inline]
    pub(crate) fn open(numbers: ProofNumbers, depth: u32) -> Self {
        let plies = depth.min(u16::MAX.into()) as u16;
        Self { numbers, dependence: PathDependence::None, plies }
    }

    /// The assessment of an open table entry.
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

    /// The finding of a search whose root has these numbers, as seen by the prover.
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

    /// Converts between the views of the prover and of a player.
    pub(crate) const fn oriented(self, is_prover: bool) -> Self {
        Self { numbers: self.numbers.oriented(is_prover), ..self }
    }
}

/// The combination of the moves of a position.
pub(crate) trait Sums: Send + Sync {
    /// The combined numbers of the moves, as seen by the player to move; `children` are as seen by the same
    /// player.
    fn numbers(&self, frame: &Frame, children: &[Assessment]) -> ProofNumbers;
}

/// A position on the path from the root.
pub(crate) struct Frame {
    /// The key of the path from the root to here.
    pub(crate) path_key: u64,
    pub(crate) prover_moves: bool,
    /// The threshold of the position, as seen by the player to move.
    pub(crate) threshold: ProofNumbers,
    /// For PDS: moves with a smaller phi count as having this one, the largest phi that the
    /// position had.
    pub(crate) floor: u32,
    /// The current move.
    pub(crate) current: usize,
    /// Nodes spent when the position was entered.
    pub(crate) entered: u64,
}

impl Frame {
    /// The prover's assessment from the combined numbers, with dependence and plies. The numbers are as the
    /// player to move sees them.
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
        // The best result for the player to move among the moves with these numbers.
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
