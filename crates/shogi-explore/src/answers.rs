//! The objects that answers are sent as; those of the libraries' own are sent as they are.

use serde::Serialize;
use shogi_variants::operations::{self, Retraction};
use shogi_variants::reach::Certificate;

/// An answer beside the line that was asked about.
#[derive(Serialize)]
pub(crate) struct Good<'a, T> {
    #[serde(rename = "in")]
    pub(crate) line: &'a str,
    #[serde(flatten)]
    pub(crate) answer: T,
}

#[derive(Serialize)]
pub(crate) struct Predecessors {
    pub(crate) predecessors: Vec<String>,
}

#[derive(Serialize)]
pub(crate) struct Retracted {
    pub(crate) predecessors: Vec<Retraction>,
}

/// Lines as people write them; `None` for one that cannot be played.
#[derive(Serialize)]
pub(crate) struct Notated {
    pub(crate) lines: Vec<Option<Vec<String>>>,
}

/// The orders that number a variant's start.
#[derive(Serialize)]
pub(crate) struct Orders {
    pub(crate) orders: Vec<OrderOf>,
}

/// An order, and how many placements it numbers.
#[derive(Serialize)]
pub(crate) struct OrderOf {
    pub(crate) order: String,
    pub(crate) positions: String,
}

#[derive(Serialize)]
pub(crate) struct Rank {
    pub(crate) rank: String,
}

#[derive(Serialize)]
pub(crate) struct Sfen {
    pub(crate) sfen: String,
}

#[derive(Serialize)]
pub(crate) struct Classified {
    stage: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<u32>,
    certificate: Option<Certificate>,
}

impl From<operations::Classified> for Classified {
    fn from(classified: operations::Classified) -> Self {
        let operations::Classified { stage, certificate } = classified;
        Self { stage: stage.name(), plies: stage.plies(), certificate }
    }
}
