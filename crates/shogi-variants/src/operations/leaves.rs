//! What the searches of a builder judge positions by.

use std::boxed::Box;
use std::string::ToString as _;
use std::sync::Arc;
use std::vec::Vec;

use shogi_learn::effort::FORMAT;
use shogi_learn::{Evaluation, ProofEvaluation};
use shogi_rules::Rules;
use shogi_solve::Blend;

use super::Error;

/// What the leaves of a search begin with: see [`Blend`].
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
    /// The search that has left the position open: [`AsRanked`](shogi_solve::build::AsRanked).
    Ranked,
    /// [`AlphaBeta`](shogi_solve::build::AlphaBeta) on the same evaluation; with a network, on its
    /// logit that there is a proof.
    AlphaBeta,
    /// [`Oracle`](shogi_search::Oracle), the player with its standard evaluation.
    #[cfg(feature = "search")]
    Player,
}

/// An evaluation, and what of it the leaves of each search begin with.
pub(super) enum Judged<R: Rules> {
    /// None: every leaf is alike.
    Alike,
    /// The linear evaluation.
    Linear(Box<Evaluation<R>>),
    /// A network beside a linear evaluation.
    Network(Arc<ProofEvaluation<R>>, Vec<Blend>),
}

/// Reads the file of an evaluation, or takes the network that comes with the crate if there is one. Without
/// `leaves`, the best that there is are taken.
pub(super) fn judged<R: Rules>(
    file: Option<&[u8]>,
    leaves: &[LeafNumbers],
) -> Result<Judged<R>, Error> {
    let network = match file {
        None => match ProofEvaluation::trained() {
            Some(network) => network,
            None if leaves.is_empty() => return Ok(Judged::Alike),
            None => {
                let name = "effort".to_string();
                return Err(Error::NoEvaluation { variant: R::NAME, name });
            }
        },
        Some(file) if file.starts_with(&FORMAT.magic) => {
            ProofEvaluation::read(file).map_err(Error::library)?
        }
        Some(file) => {
            if leaves.iter().any(|&leaf| leaf != LeafNumbers::Linear) {
                return Err(Error::NoNetwork);
            }
            let text = std::str::from_utf8(file).map_err(Error::library)?;
            let evaluation = Evaluation::from_json(text).map_err(Error::library)?;
            return Ok(Judged::Linear(Box::new(evaluation)));
        }
    };
    let blend = |leaf: &LeafNumbers| match leaf {
        LeafNumbers::Linear => Blend::Linear,
        LeafNumbers::Effort => Blend::Effort,
        LeafNumbers::Mean => Blend::Mean,
    };
    let blends = match leaves {
        [] => std::vec![Blend::Mean],
        leaves => leaves.iter().map(blend).collect(),
    };
    Ok(Judged::Network(Arc::new(network), blends))
}
