//! The value of a position without a search: from a tablebase, or as it is published.

use super::{Answer, Session, Task};
#[cfg(feature = "text")]
use crate::PublishedValue;
use crate::operations::Probed;
#[cfg(feature = "text")]
use crate::operations::TablebaseMaking;
use crate::{Error, Variant};

/// Looks up the value of a position, and of its moves, in the first open tablebase that has it:
/// [`Tables::add_tablebase`](super::Tables::add_tablebase).
///
/// The answer is an error if no open tablebase of the variant has the position; that of the last one says why.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProbeTask {}

impl Task for ProbeTask {
    const NAME: &'static str = "probe";
    type Answer = Probed;

    fn answer(&self, variant: Variant, line: &str, session: &mut Session<'_>) -> Answer<Probed> {
        let mut reason = Error::NoTablebase(variant.name());
        for table in session.tables.tablebases(variant) {
            match table.probe(line, session.dialect) {
                Ok(probed) => return Ok(probed),
                Err(error) => reason = error,
            }
        }
        Err(reason)
    }
}

/// Says what is known of a position without any search.
///
/// ```
/// use shogi_variants::Variant;
/// use shogi_variants::solve::Budget;
/// use shogi_variants::tasks::{KnownTask, Session, Task as _};
/// let mut session = Session::new(Budget::unlimited());
/// let known = KnownTask {}.answer(Variant::Dobutsu, "startpos", &mut session)?;
/// assert_eq!(known.known.unwrap().plies, Some(78));
/// assert_eq!(known.tablebase.unwrap().file, "dobutsu.tablebase");
/// # Ok::<(), shogi_variants::Error>(())
/// ```
///
/// The answer is an error if the line stands for no placement; an illegal one has no value.
#[cfg(feature = "text")]
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownTask {}

/// The answer of [`KnownTask`].
#[cfg(feature = "text")]
#[derive(Clone, PartialEq, Debug, serde::Serialize)]
pub struct Known {
    /// The published value.
    pub known: Option<PublishedValue>,
    /// How a tablebase that has the position is made.
    pub tablebase: Option<TablebaseMaking>,
}

#[cfg(feature = "text")]
impl Task for KnownTask {
    const NAME: &'static str = "known";
    type Answer = Known;

    fn answer(&self, variant: Variant, line: &str, _: &mut Session<'_>) -> Answer<Known> {
        let known = variant.known_value(line)?;
        // An illegal position is in no tablebase.
        let making = variant.tablebases().and_then(|world| world.making(line).ok());
        Ok(Known { known, tablebase: making.flatten() })
    }
}
