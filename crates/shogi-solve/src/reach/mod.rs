//! Reachability: can this position come about in a game from the start?
//!
//! The method of Ishii & Tanaka ("Estimating the number of reachable positions in Minishogi",
//! 2024): a candidate position passes four stages, each a function here. The last one searches
//! backwards for a *KK position* (only the kings on the board, more than two squares apart), which
//! is known to be reachable ([`Hub`]). An answer comes with a proof if wanted: a game from the
//! start, or the closed set of all positions it can be traced back to ([`Certificate`]).

mod certificate;
mod descent;
mod estimate;
mod hub;
mod search;
mod stages;

use std::ops::ControlFlow;

pub use certificate::{CERTIFICATE_VERSION, Certificate, CertifyError, Refuted, has_full_set};
pub use estimate::tally_samples;
pub use hub::{Hub, HubError};
use shogi_core::{Placement, RuleTable};
pub use shogi_rank::Stage;
pub use stages::{is_hub, passes_flip, passes_king, passes_pawn};

use descent::{Distances, descend};
use search::{Closure, Found, Uncaptures, best_first, close};

/// How much a single position may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit {
    /// Most positions kept in one backward search.
    pub nodes: usize,
}

impl Default for Limit {
    /// A million positions, far above what any Minishogi position has needed.
    fn default() -> Self {
        Self { nodes: 1_000_000 }
    }
}

/// Nodes for the first search, which does not put captured pieces back.
const QUIET_NODES: usize = 300;

/// Decides reachability for one rule set; holds tables that are computed once.
pub struct Reach<R: RuleTable> {
    distances: Distances<R>,
    limit: Limit,
}

impl<R: RuleTable> Reach<R> {
    /// Computes the tables.
    pub fn new(limit: Limit) -> Self {
        Self { distances: Distances::new(), limit }
    }

    /// Sends a position through the four stages.
    ///
    /// A descent takes one or two microseconds; positions that need a search take longer, and
    /// [`Stage::Unknown`] is the answer where the limit is met.
    #[inline]
    pub fn classify(&self, placement: &Placement<R>) -> Stage {
        if !passes_flip(placement) {
            Stage::Flip
        } else if !passes_pawn(placement) {
            Stage::Pawn
        } else if !passes_king(placement) {
            Stage::King
        } else {
            self.reach(placement)
        }
    }

    /// Stage 4, reach: whether a position that passed the other stages can be traced back to a KK
    /// position. Gives [`Stage::Ok`], [`Stage::Unreachable`] or [`Stage::Unknown`].
    pub fn reach(&self, placement: &Placement<R>) -> Stage {
        if placement.in_check(placement.side()) && !has_predecessor(placement) {
            return Stage::Unreachable { plies: 0 };
        }
        if descend(&self.distances, placement, |_| {}) {
            return Stage::Ok;
        }
        self.search(placement)
    }

    #[cold]
    fn search(&self, placement: &Placement<R>) -> Stage {
        let quiet = best_first(&self.distances, placement, Uncaptures::Without, QUIET_NODES);
        if let Found::Path(_) = quiet {
            return Stage::Ok;
        }
        match best_first(&self.distances, placement, Uncaptures::With, self.limit.nodes) {
            Found::Path(_) => Stage::Ok,
            Found::Limit => Stage::Unknown,
            Found::Exhausted => match close(placement, self.limit.nodes) {
                Closure::Closed(layers) => Stage::Unreachable { plies: layers.len() as u32 - 1 },
                Closure::Open => Stage::Ok,
                Closure::Limit => Stage::Unknown,
            },
        }
    }
}

/// Whether any legal move leads to this position.
#[inline]
pub fn has_predecessor<R: RuleTable>(placement: &Placement<R>) -> bool {
    placement.generate_unmoves(|_, _| ControlFlow::Break(())).is_break()
}
