//! Certificates: proofs that a position can or cannot be reached.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use shogi_core::{Colour, Kind, Placement};
use shogi_rules::{Rules, to_sfen, to_usi};

use crate::hub::Hub;
use crate::search::{Layers, Path};
use crate::{Reach, Stage, Traced};

/// Version of the certificate format.
pub const CERTIFICATE_VERSION: u32 = 1;

/// A proof that a position can or cannot arise in a game.
///
/// In JSON it is one object, tagged by `certificate`. It needs no checksum: verification replays every move or
/// re-derives every predecessor, so any change is detected or irrelevant.
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
    /// All positions to which it can be traced back; the start position is not among them.
    Closed {
        /// [`CERTIFICATE_VERSION`].
        version: u32,
        /// The rule set's name.
        variant: String,
        /// The position that cannot be reached.
        sfen: String,
        /// Plies backwards, breadth first, until nothing new is found. A game may cycle in the set for longer.
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
    /// The position is illegal, so there is nothing to trace back.
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
pub struct RefutedCertificate {
    /// The fault.
    pub reason: String,
    /// Where it is wrong, in SFEN; by default the position of the certificate.
    pub position: String,
}

impl<R: Rules> Reach<R> {
    /// Decides reachability of a legal position and proves the answer.
    ///
    /// # Errors
    ///
    /// If the position is illegal or lacks pieces, or the node limit is reached.
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
        match self.search(placement, &|_| false) {
            Traced::Path(path) => game(hub, placement, path),
            Traced::Closed(layers) => Ok(closed(&layers)),
            Traced::Limit => Err(CertifyError::Limit(self.limit.nodes)),
        }
    }
}

/// Whether all pieces of the set are on the board or in hand.
pub fn has_full_set<R: Rules>(placement: &Placement<R>) -> bool {
    for kind in Kind::all::<R>() {
        let mut count = placement.kind(kind).len();
        for colour in Colour::ALL {
            count += u32::from(placement.hand(colour).count(kind));
        }
        if count != u32::from(kind.spec::<R>().count) {
            return false;
        }
    }
    true
}

/// The game through the hub, without detours.
fn game<R: Rules>(
    hub: &Hub<R>,
    target: &Placement<R>,
    mut path: Path<R>,
) -> Result<Certificate, CertifyError> {
    let mut game = hub.game_to(&path.hub).ok_or(CertifyError::OffHub)?;
    game.append(&mut path.moves);
    let mut placement = *hub.start();
    let (mut positions, mut moves) = (vec![to_sfen(&placement)], Vec::new());
    for mv in game {
        placement = placement.play_unchecked(mv);
        positions.push(to_sfen(&placement));
        moves.push(to_usi(mv));
    }
    Ok(Certificate::Game {
        version: CERTIFICATE_VERSION,
        variant: R::name().to_owned(),
        sfen: to_sfen(target),
        moves: without_detours(&positions, &moves),
    })
}

/// The moves of a game without those between two occurrences of a position. `positions` has one element more.
fn without_detours(positions: &[String], moves: &[String]) -> Vec<String> {
    let mut last = FxHashMap::default();
    for (ply, position) in positions.iter().enumerate() {
        last.insert(position, ply);
    }
    let (mut direct, mut ply) = (Vec::new(), last[&positions[0]]);
    while let Some(mv) = moves.get(ply) {
        direct.push(mv.clone());
        ply = last[&positions[ply + 1]];
    }
    direct
}

fn closed<R: Rules>(layers: &Layers<R>) -> Certificate {
    let mut positions = Vec::new();
    for placement in &layers.positions {
        positions.push(to_sfen(placement));
    }
    closed_by(R::name(), &positions, &layers.ends)
}

/// The certificate for the first of these positions; `ends` has the ends of their layers.
fn closed_by(variant: &str, positions: &[String], ends: &[usize]) -> Certificate {
    let layer = |bounds: &[usize]| positions[bounds[0]..bounds[1]].to_vec();
    let predecessors: Vec<_> = ends.windows(2).map(layer).collect();
    Certificate::Closed {
        version: CERTIFICATE_VERSION,
        variant: variant.to_owned(),
        sfen: positions[0].clone(),
        plies: predecessors.len() as u32,
        predecessors,
    }
}

impl Certificate {
    /// The proved stage of its position: [`Stage::Ok`] or [`Stage::Unreachable`].
    pub const fn proves(&self) -> Stage {
        match self {
            Self::Game { .. } => Stage::Ok,
            Self::Closed { plies, .. } => Stage::Unreachable { plies: *plies },
        }
    }

    /// The name of the rule set it is for.
    pub fn variant(&self) -> &str {
        match self {
            Self::Game { variant, .. } | Self::Closed { variant, .. } => variant,
        }
    }
}
