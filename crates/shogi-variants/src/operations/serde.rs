//! How results are written in a data format: enums by their names.

use ::serde::Serializer;
use shogi_rules::Reason;
#[cfg(feature = "solve")]
use shogi_rules::Verdict;

pub(super) fn reason<S: Serializer>(
    reason: &Option<Reason>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match reason {
        Some(reason) => serializer.collect_str(reason),
        None => serializer.serialize_none(),
    }
}

#[cfg(feature = "proof")]
pub(crate) fn claim<S: Serializer>(
    claim: &shogi_proof::Claim,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(claim.name())
}

#[cfg(feature = "proof")]
pub(super) fn repetition<S: Serializer>(
    repetition: &shogi_proof::Repetition,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(repetition.name())
}

#[cfg(feature = "solve")]
pub(crate) fn status<S: Serializer>(
    status: &shogi_solve::mate::Status,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(status.name())
}

#[cfg(feature = "solve")]
pub(crate) fn ended<S: Serializer>(
    ended: &shogi_solve::Ended,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(ended.name())
}

/// A value that is not known is `unknown`.
#[cfg(feature = "solve")]
pub(crate) fn known_value<S: Serializer>(
    value: &Option<Verdict>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(value.map_or("unknown", Verdict::name))
}

#[cfg(feature = "search")]
pub(super) fn terms<S: Serializer>(
    terms: &[shogi_search::Term],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    #[derive(::serde::Serialize)]
    struct Term {
        name: &'static str,
        value: i32,
    }
    serializer
        .collect_seq(terms.iter().map(|&shogi_search::Term { name, value }| Term { name, value }))
}
