//! Certificates: proofs that a position can or cannot be reached, and their verification.

use std::ops::ControlFlow;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use shogi_core::{Move, Placement, Unmove};
use shogi_rules::{Rules, parse_sfen, parse_usi, to_sfen, to_usi};

use crate::hub::Hub;
use crate::{Reach, Traced};

/// Version of the certificate format.
pub const CERTIFICATE_VERSION: u32 = 1;

/// A proof that a position can or cannot come about in a game.
///
/// In JSON it is one object, tagged by `certificate`. It needs no checksum: verification replays
/// every move or re-derives every predecessor, so any change is found or does not matter.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "certificate", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Certificate {
    /// A legal game from the start position to the position.
    Game {
        /// [`CERTIFICATE_VERSION`].
        version: u32,
        /// The rule set's name.
        variant: String,
        /// The position reached.
        sfen: String,
        /// The moves in USI notation.
        moves: Vec<String>,
    },
    /// All positions that it can be traced back to; the start position is not among them.
    Closed {
        /// [`CERTIFICATE_VERSION`].
        version: u32,
        /// The rule set's name.
        variant: String,
        /// The position that cannot be reached.
        sfen: String,
        /// The most plies it can be traced back (breadth-first depth).
        plies: u32,
        /// Layer i holds the positions first met i + 1 plies back.
        predecessors: Vec<Vec<String>>,
    },
}

/// Why there is no certificate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CertifyError {
    /// The node limit was met before the search ended.
    #[error("not decided within {0} positions; raise the limit")]
    Limit(usize),
    /// The position is not a legal one, so there is nothing to trace back.
    #[error("{0}")]
    Illegal(shogi_core::Faults),
    /// Pieces are missing, so no game leads here.
    #[error("the position has not all pieces of the set")]
    Incomplete,
    /// The bare-king position found cannot be reached from the start.
    #[error("the bare-king position that the search found cannot be reached from the start")]
    OffHub,
}

/// Why a certificate proves nothing, with the position at which it fails.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{reason} (at {position:?})")]
pub struct Refuted {
    /// What is wrong.
    pub reason: String,
    /// Where it is wrong, in SFEN: the position that the certificate is of, if no other.
    pub position: String,
}

impl<R: Rules> Reach<R> {
    /// Decides reachability of a legal position and proves the answer.
    ///
    /// # Errors
    ///
    /// If the position is not legal or lacks pieces, or the node limit is met.
    pub fn certify(
        &self,
        hub: &Hub<R>,
        placement: &Placement<R>,
    ) -> Result<Certificate, CertifyError> {
        let faults = placement.faults();
        if !faults.is_empty() {
            return Err(CertifyError::Illegal(faults));
        }
        if !has_full_set(placement) {
            return Err(CertifyError::Incomplete);
        }
        match self.search(placement) {
            Traced::Path(path) => game(hub, placement, &path),
            Traced::Closed(layers) => Ok(closed(placement, &layers)),
            Traced::Limit => Err(CertifyError::Limit(self.limit.nodes)),
        }
    }
}

/// Whether all pieces of the set are on the board or in hand.
pub fn has_full_set<R: Rules>(placement: &Placement<R>) -> bool {
    shogi_core::Kind::all::<R>().all(|kind| {
        let in_hands = shogi_core::Colour::ALL
            .map(|colour| u32::from(placement.hand(colour).count(kind)))
            .iter()
            .sum::<u32>();
        placement.kind(kind).len() + in_hands == u32::from(kind.spec::<R>().count)
    })
}

/// The game through the hub, without detours: where a position comes twice, what lies between is
/// left out.
fn game<R: Rules>(
    hub: &Hub<R>,
    target: &Placement<R>,
    path: &[Unmove<R>],
) -> Result<Certificate, CertifyError> {
    let bare = path.iter().fold(*target, |placement, &unmove| placement.unmake(unmove));
    let opening = hub.game_to(&bare).ok_or(CertifyError::OffHub)?;
    let mut moves: Vec<Move<R>> = Vec::new();
    let mut visited = vec![*hub.start()];
    let mut index = FxHashMap::from_iter([(*hub.start(), 0)]);
    for mv in opening.into_iter().chain(path.iter().rev().map(|unmove| unmove.mv)) {
        let next = visited[visited.len() - 1].play(mv);
        if let Some(&earlier) = index.get(&next) {
            for forgotten in visited.drain(earlier + 1..) {
                index.remove(&forgotten);
            }
            moves.truncate(earlier);
        } else {
            index.insert(next, visited.len());
            visited.push(next);
            moves.push(mv);
        }
    }
    Ok(Certificate::Game {
        version: CERTIFICATE_VERSION,
        variant: R::NAME.to_owned(),
        sfen: to_sfen(target),
        moves: moves.into_iter().map(to_usi).collect(),
    })
}

fn closed<R: Rules>(placement: &Placement<R>, layers: &[Vec<Placement<R>>]) -> Certificate {
    let predecessors: Vec<Vec<String>> =
        layers.iter().skip(1).map(|layer| layer.iter().map(to_sfen).collect()).collect();
    Certificate::Closed {
        version: CERTIFICATE_VERSION,
        variant: R::NAME.to_owned(),
        sfen: to_sfen(placement),
        plies: predecessors.len() as u32,
        predecessors,
    }
}

impl Certificate {
    /// The name of the rule set it is for.
    pub fn variant(&self) -> &str {
        match self {
            Self::Game { variant, .. } | Self::Closed { variant, .. } => variant,
        }
    }

    /// Checks every claim. A game is replayed by the forward rules alone: each move must be legal,
    /// no position may come twice (so no repetition rule can have ended the game), and the last
    /// position must be the one claimed. A closed set must hold every predecessor of each of its
    /// members in the right layer, and not the start position.
    ///
    /// # Errors
    ///
    /// The first claim that does not hold.
    pub fn verify<R: Rules>(&self) -> Result<(), Refuted> {
        let (Self::Game { version, variant, sfen, .. }
        | Self::Closed { version, variant, sfen, .. }) = self;
        let refuted = |reason| Err(Refuted { reason, position: sfen.clone() });
        if *version != CERTIFICATE_VERSION {
            return refuted(format!("version {CERTIFICATE_VERSION} is needed, not {version}"));
        }
        if variant != R::NAME {
            return refuted(format!("the certificate is for {variant}, not for {}", R::NAME));
        }
        match self {
            Self::Game { sfen, moves, .. } => verify_game::<R>(sfen, moves),
            Self::Closed { sfen, plies, predecessors, .. } => {
                verify_closed::<R>(sfen, *plies, predecessors)
            }
        }
    }
}

fn read<R: Rules>(sfen: &str) -> Result<Placement<R>, Refuted> {
    let refuted = |reason| Refuted { reason, position: sfen.to_owned() };
    let (placement, _) = parse_sfen::<R>(sfen).map_err(|error| refuted(error.to_string()))?;
    let faults = placement.faults();
    if faults.is_empty() { Ok(placement) } else { Err(refuted(format!("illegal: {faults}"))) }
}

fn verify_game<R: Rules>(sfen: &str, moves: &[String]) -> Result<(), Refuted> {
    let target = read::<R>(sfen)?;
    let mut placement = read::<R>(R::START)?;
    let mut seen = FxHashSet::from_iter([placement]);
    for (ply, text) in moves.iter().enumerate() {
        let refuted = |what: &str, placement: &Placement<R>| Refuted {
            reason: format!("move {} {text:?} {what}", ply + 1),
            position: to_sfen(placement),
        };
        let mv = parse_usi::<R>(text)
            .map_err(|error| refuted(&format!("cannot be read: {error}"), &placement))?;
        if R::verdict(&placement).is_some() {
            return Err(refuted("comes after the end of the game", &placement));
        }
        if !placement.is_legal(mv) {
            return Err(refuted("is not legal", &placement));
        }
        placement = placement.play(mv);
        if !seen.insert(placement) {
            return Err(refuted("leads to a position met before", &placement));
        }
    }
    if placement != target {
        let reason = format!("the game does not end in {sfen}");
        return Err(Refuted { reason, position: to_sfen(&placement) });
    }
    Ok(())
}

fn verify_closed<R: Rules>(
    sfen: &str,
    plies: u32,
    predecessors: &[Vec<String>],
) -> Result<(), Refuted> {
    let refuted = |reason: &str, position: String| Refuted { reason: reason.to_owned(), position };
    if predecessors.len() as u32 != plies {
        return Err(refuted("the number of layers is not the number of plies", sfen.to_owned()));
    }
    let mut layers = vec![vec![read::<R>(sfen)?]];
    for layer in predecessors {
        layers.push(layer.iter().map(|sfen| read::<R>(sfen)).collect::<Result<_, _>>()?);
    }
    let mut layer_of = FxHashMap::default();
    for (depth, layer) in layers.iter().enumerate() {
        for placement in layer {
            if layer_of.insert(*placement, depth).is_some() {
                return Err(refuted("a position is listed twice", to_sfen(placement)));
            }
        }
    }
    let start = read::<R>(R::START)?;
    if layer_of.contains_key(&start) {
        return Err(refuted("the start position is in the set", to_sfen(&start)));
    }
    for (depth, layer) in layers.iter().enumerate() {
        let mut next = FxHashSet::default();
        for placement in layer {
            let missing = placement.generate_unmoves(|_, before| match layer_of.get(before) {
                Some(&found) if found <= depth + 1 => {
                    next.insert(*before);
                    ControlFlow::Continue(())
                }
                _ => ControlFlow::Break(*before),
            });
            if let ControlFlow::Break(before) = missing {
                return Err(refuted("a predecessor is missing or too deep", to_sfen(&before)));
            }
        }
        for placement in layers.get(depth + 1).into_iter().flatten() {
            if !next.contains(placement) {
                return Err(refuted("not a predecessor of the layer before", to_sfen(placement)));
            }
        }
    }
    Ok(())
}
