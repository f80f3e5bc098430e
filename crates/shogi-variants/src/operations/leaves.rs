//! Leaves: how the searches of a builder judge positions.

use std::string::ToString as _;
use std::sync::Arc;
use std::vec::Vec;

use shogi_eval::effort::FORMAT;
use shogi_eval::{Evaluation, Linear, ProofEvaluation};
use shogi_rules::Rules;
use shogi_solve::df_pn::Tuning;
use shogi_solve::{AnyLeaf, Blend, Effort, Learnt, Unit};

use super::Error;

/// The numbers that the leaves of a search begin with: see [`Blend`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LeafNumbers {
    /// The linear evaluation, which predicts the winner.
    Linear,
    /// The network, which estimates the effort of a proof.
    Effort,
    /// The mean of both.
    Mean,
}

/// Who names the moves that are followed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveOracle {
    /// The search that has left the position open: [`AsRanked`](shogi_solve::builder::AsRanked).
    Ranked,
    /// [`AlphaBeta`](shogi_solve::builder::AlphaBeta) on the same evaluation; with a network, on its
    /// logit that there is a proof.
    AlphaBeta,
    /// [`Oracle`](shogi_search::Oracle), the player with its standard evaluation.
    #[cfg(feature = "search")]
    Player,
}

/// The judge of positions, and how the leaves of each search use it.
pub(super) struct Judged<R: Rules> {
    pub(super) by: Judge<R>,
    /// For each search in turn; at least one.
    pub(super) blends: Vec<Blend>,
}

/// The judge of positions.
pub(super) enum Judge<R: Rules> {
    /// Nothing: every leaf is alike.
    Alike,
    /// The linear evaluation.
    Linear(Arc<Linear<R>>),
    /// A network beside a linear evaluation.
    Network(Arc<ProofEvaluation<R>>),
}

impl<R: Rules> Judged<R> {
    /// The leaves of search `number`.
    pub(super) fn leaf(&self, number: usize) -> AnyLeaf<R> {
        self.blended(self.blends[number % self.blends.len()])
    }

    /// The evaluation of alpha-beta.
    pub(super) fn ranks(&self) -> AnyLeaf<R> {
        self.blended(Blend::Provable)
    }

    fn blended(&self, blend: Blend) -> AnyLeaf<R> {
        match &self.by {
            Judge::Alike => Unit.into(),
            Judge::Linear(linear) => Learnt::new(Arc::clone(linear)).into(),
            Judge::Network(network) => Effort::new(Arc::clone(network), blend).into(),
        }
    }

    /// How searches with these leaves proceed.
    pub(super) fn tuning(&self) -> Tuning {
        match self.by {
            Judge::Alike => Tuning::default(),
            Judge::Linear(_) | Judge::Network(_) => Tuning::LEARNT,
        }
    }

    /// Who names moves by default.
    pub(super) const fn oracle(&self) -> MoveOracle {
        match self.by {
            Judge::Alike | Judge::Linear(_) => MoveOracle::Ranked,
            Judge::Network(_) => MoveOracle::AlphaBeta,
        }
    }
}

/// Reads the file of an evaluation, or takes the network that comes with the crate if there is one. Without
/// `leaves`, the best that there is are taken.
pub(super) fn judged<R: Rules>(
    file: Option<&[u8]>,
    leaves: &[LeafNumbers],
) -> Result<Judged<R>, Error> {
    let by = match EvaluationSource::of(file, leaves)? {
        EvaluationSource::Crate => match ProofEvaluation::trained() {
            Some(network) => Judge::Network(Arc::new(network)),
            None if leaves.is_empty() => Judge::Alike,
            None => {
                let name = "effort".to_string();
                return Err(Error::NoEvaluation { variant: R::name(), name });
            }
        },
        EvaluationSource::Network(file) => match ProofEvaluation::read(file) {
            Ok(network) => Judge::Network(Arc::new(network)),
            Err(error) => return Err(Error::library(error)),
        },
        EvaluationSource::Linear(text) => match Evaluation::from_json(text) {
            Ok(evaluation) => Judge::Linear(Arc::new(evaluation.linear().clone())),
            Err(error) => return Err(Error::library(error)),
        },
    };
    let blends = match by {
        Judge::Linear(_) => std::vec![Blend::Linear],
        Judge::Alike | Judge::Network(_) => blends(leaves),
    };
    Ok(Judged { by, blends })
}

/// Where an evaluation comes from.
enum EvaluationSource<'f> {
    /// The network that comes with the crate.
    Crate,
    /// The file of a network.
    Network(&'f [u8]),
    /// The text of a linear evaluation.
    Linear(&'f str),
}

impl<'f> EvaluationSource<'f> {
    fn of(file: Option<&'f [u8]>, leaves: &[LeafNumbers]) -> Result<Self, Error> {
        match file {
            None => Ok(Self::Crate),
            Some(file) if file.starts_with(&FORMAT.magic) => Ok(Self::Network(file)),
            Some(_) if leaves.iter().any(|&leaf| leaf != LeafNumbers::Linear) => {
                Err(Error::NoNetwork)
            }
            Some(file) => std::str::from_utf8(file).map(Self::Linear).map_err(Error::library),
        }
    }
}

fn blends(leaves: &[LeafNumbers]) -> Vec<Blend> {
    if leaves.is_empty() {
        return std::vec![Blend::Mean];
    }
    let mut blends = Vec::new();
    for leaf in leaves {
        blends.push(match leaf {
            LeafNumbers::Linear => Blend::Linear,
            LeafNumbers::Effort => Blend::Effort,
            LeafNumbers::Mean => Blend::Mean,
        });
    }
    blends
}
