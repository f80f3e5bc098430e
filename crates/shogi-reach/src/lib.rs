#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

// A map of the room. `Reach`, below, sends a position through these, from the cheapest to the dearest.
//
// stages                 flip, pawn and king: what is seen of one position. Start reading here
// hub                    positions with bare kings, where every backward search ends
// pacing, descent        positions that come apart at one look; a greedy way back
// search                 backward search where the descent fails
// certificate, verify    a game or a closed set as the proof of an answer; its check
// cycle                  lines that go round among positions that no game reaches
// published              the algorithm of the paper, plainly: what all of this is measured against
// unavailable            for which rule sets all of this is there
//
// tally, classes, kings  samples counted: of a space, of classes, with the kings put last
// estimate               samples sent through the stages on all cores
// shard, report          parts of a run on disk; what they say of the number of reachable positions

mod certificate;
mod classes;
mod cycle;
mod descent;
mod estimate;
mod hub;
mod kings;
mod pacing;
pub mod published;
mod report;
mod search;
mod shard;
mod stages;
mod tally;
mod unavailable;
mod verify;

use std::ops::ControlFlow;

pub use certificate::{
    CERTIFICATE_VERSION, Certificate, CertifyError, RefutedCertificate, has_full_set,
};
pub use classes::{ClassTally, Classes, Deep, Findings};
pub use cycle::Cycle;
pub use estimate::{AllotError, allot, tally_members, tally_samples, tally_strata};
pub use hub::{Hub, HubError};
pub use kings::{KingsTally, tally_kings_last};
pub use report::{EXACT, Estimate, EstimateReport, Funnel};
pub use shard::{MOST_SHARD_BYTES, Shard, ShardError, ShardReason};
pub use shogi_core::passes_flip;
use shogi_core::{Placement, RuleTable};
pub use stages::{illegal_stage, is_hub, passes_king, passes_pawn};
pub use tally::{Stage, StageTally};
pub use unavailable::Unavailable;

use descent::{Distances, TRIES, before_check, descend};
use pacing::Views;
use search::{Layers, Path, SearchEnd, Uncaptures, best_first, close};

/// The limit of work for a single position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchLimit {
    /// The most positions kept in one backward search.
    pub nodes: usize,
}

impl Default for SearchLimit {
    /// A million positions, far above what any position of Minishogi has needed; on 9x9 they take
    /// half a gigabyte.
    fn default() -> Self {
        Self { nodes: 1_000_000 }
    }
}

/// Nodes for the first search, which does not put captured pieces back.
const QUIET_NODES: usize = 300;

/// Decides reachability for one rule set; holds tables that are computed once.
pub struct Reach<R: RuleTable> {
    distances: Distances<R>,
    views: Box<Views<R>>,
    limit: SearchLimit,
}

impl<R: RuleTable> Reach<R> {
    /// Computes the tables.
    pub fn new(limit: SearchLimit) -> Self {
        Self { distances: Distances::new(), views: Views::new(), limit }
    }

    /// Sends a position through the four stages. [`Reach::decide`] says whether a game leads to it, whichever
    /// of two mirror images it is.
    ///
    /// The last stage takes under a microsecond on 5x5 and about twenty on 9x9; positions that need a search
    /// take longer. The result is [`Stage::Unknown`] if the limit is reached.
    #[inline]
    pub fn classify(&self, placement: &Placement<R>) -> Stage {
        if passes_flip(placement) { self.decide(placement) } else { Stage::Flip }
    }

    /// Whether a game leads to this very position. Leaves out the first stage, which drops one of two mirror
    /// images only so that they are counted once; so the result is never [`Stage::Flip`]. Either player may be
    /// to move.
    ///
    /// The answer needs no symmetry: every position with bare kings can be reached, whatever the start, and the
    /// position itself is traced back to one.
    ///
    /// ```
    /// use shogi_reach::{Reach, SearchLimit, Stage};
    /// use shogi_rules::Minishogi;
    /// let reach = Reach::<Minishogi>::new(SearchLimit::default());
    /// let position = "5/5/2k2/5/4K b RBGSPrbgsp 1".parse()?;
    /// assert_eq!((reach.classify(&position), reach.decide(&position)), (Stage::Flip, Stage::Ok));
    /// # Ok::<(), shogi_rules::SfenError>(())
    /// ```
    #[inline]
    pub fn decide(&self, placement: &Placement<R>) -> Stage {
        illegal_stage(placement).unwrap_or_else(|| self.reach(placement))
    }

    /// Stage 4, reach: whether a position that passed the other stages can be traced back to a KK position.
    /// Returns [`Stage::Ok`], [`Stage::Unreachable`] or [`Stage::Unknown`].
    pub fn reach(&self, placement: &Placement<R>) -> Stage {
        if placement.in_check(placement.side()) {
            match before_check(placement) {
                Some(before) if self.descends(&before) => return Stage::Ok,
                None if !has_predecessor(placement) => return Stage::Unreachable { plies: 0 },
                _ => {}
            }
        }
        if self.descends(placement) {
            return Stage::Ok;
        }
        match self.search(placement, &|before| self.comes_apart(before)) {
            Traced::Path(_) => Stage::Ok,
            Traced::Closed(layers) => Stage::Unreachable { plies: layers.ends.len() as u32 - 1 },
            Traced::Limit => Stage::Unknown,
        }
    }

    /// Whether a descent shows that a position that passed the other stages can be reached.
    fn descends(&self, placement: &Placement<R>) -> bool {
        let comes_apart = |before: &_| self.comes_apart(before);
        descend(&self.distances, placement, TRIES, comes_apart, |_| {})
    }

    /// Whether a position that passed the other stages comes apart while both kings pace, so that it can be reached.
    ///
    /// This is lemma L7 of the book's chapter on ranking. It generates no unmove and takes some hundred
    /// nanoseconds on 5x5. If the result is `false`, the position may still be reachable.
    ///
    /// ```
    /// use shogi_reach::{Reach, SearchLimit};
    /// use shogi_rules::Minishogi;
    /// let reach = Reach::<Minishogi>::new(SearchLimit::default());
    /// assert!(reach.comes_apart(&"4k/1+P3/3+s1/5/K4 b 2R2B2GSP 1".parse()?));
    /// // The dragon sees the king.
    /// assert!(!reach.comes_apart(&"4k/1+P3/3+s1/5/K3+r b R2B2GSP 1".parse()?));
    /// # Ok::<(), shogi_rules::SfenError>(())
    /// ```
    pub fn comes_apart(&self, placement: &Placement<R>) -> bool {
        self.views.comes_apart(placement)
    }

    /// Decides by search, first without un-captures, which is nearly always enough, then with them; lists all
    /// predecessors if there is no way back. The search also ends at a quiet position that is known to be
    /// reachable.
    #[cold]
    fn search(
        &self,
        placement: &Placement<R>,
        is_reachable: &dyn Fn(&Placement<R>) -> bool,
    ) -> Traced<R> {
        let nodes = self.limit.nodes;
        let quiet_nodes = nodes.min(QUIET_NODES);
        for (uncaptures, nodes) in [(Uncaptures::Without, quiet_nodes), (Uncaptures::With, nodes)] {
            match best_first(&self.distances, placement, is_reachable, uncaptures, nodes) {
                SearchEnd::Path(path) => return Traced::Path(path),
                SearchEnd::Limit if uncaptures == Uncaptures::With => return Traced::Limit,
                SearchEnd::Limit | SearchEnd::Exhausted => {}
            }
        }
        match close(placement, nodes) {
            Some(layers) => Traced::Closed(layers),
            None => Traced::Limit,
        }
    }
}

/// The result of a search.
enum Traced<R: RuleTable> {
    /// A line that leads to the position.
    Path(Path<R>),
    /// All positions to which it can be traced back, none of them a KK position, by plies.
    Closed(Layers<R>),
    /// The node limit was reached first.
    Limit,
}

/// Whether any legal move leads to this position.
#[inline]
pub fn has_predecessor<R: RuleTable>(placement: &Placement<R>) -> bool {
    placement.generate_unmoves(|_, _| ControlFlow::Break(())).is_break()
}
