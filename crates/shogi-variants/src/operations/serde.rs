//! How results are written in a data format.

use ::serde::{Serialize as _, Serializer};
use shogi_rules::Verdict;

/// A verdict by its name.
pub(super) fn verdict<S: Serializer>(
    verdict: &Option<Verdict>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    verdict.map(Verdict::name).serialize(serializer)
}
