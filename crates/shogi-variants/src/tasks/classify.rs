//! Whether a position can arise in a game.

use shogi_reach::SearchLimit;

use super::{Answer, Session, Task};
use crate::operations::{Classified, PrintedPosition};
use crate::{Error, Variant};

/// Finds out whether a game leads to a position, which may be either of two mirror images and have either player to move.
///
/// ```
/// use shogi_variants::Variant;
/// use shogi_variants::reach::Stage;
/// use shogi_variants::solve::Budget;
/// use shogi_variants::tasks::{ClassifyTask, Session, Task as _};
/// let task = ClassifyTask { certificate: true, ..ClassifyTask::default() };
/// let mut session = Session::new(Budget::unlimited());
/// let found = task.answer(Variant::Minishogi, "startpos", &mut session)?;
/// assert_eq!(found.stage, Stage::Ok);
/// assert!(found.certificate.is_some());
/// # Ok::<(), shogi_variants::Error>(())
/// ```
///
/// The answer is an error if reachability is not there for the variant, or the line is no placement of all pieces of the set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct ClassifyTask {
    /// Prove each answer: by a game from the start, or by all positions it can be traced back to.
    #[cfg_attr(feature = "clap", arg(long))]
    pub certificate: bool,
    /// Limit of the positions kept in one backward search; beyond it the answer is unknown.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N",
        default_value = super::amount::default(SearchLimit::default().nodes as u64),
        value_parser = super::amount::count::<u64>(..)))]
    pub nodes: u64,
}

impl Default for ClassifyTask {
    /// Without certificates, with the limit of [`SearchLimit`].
    fn default() -> Self {
        Self { certificate: false, nodes: SearchLimit::default().nodes as u64 }
    }
}

impl Task for ClassifyTask {
    const NAME: &'static str = "classify";
    type Answer = Classified;

    fn prepare(&self, variant: Variant, session: &Session<'_>) -> Result<(), Error> {
        session.tables.classifier(variant, *self).map(drop)
    }

    fn answer(
        &self,
        variant: Variant,
        line: &str,
        session: &mut Session<'_>,
    ) -> Answer<Classified> {
        session.tables.classifier(variant, *self)?.classify(line)
    }
}

/// Draws a reachable position, uniformly from all of them: [`AnyClassifier::draw`](crate::operations::AnyClassifier::draw).
/// The line is of no account.
///
/// The answer is an error if reachability is not there for the variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawTask {
    /// Another seed leads to another position.
    pub seed: u64,
}

impl Task for DrawTask {
    const NAME: &'static str = "draw";
    type Answer = PrintedPosition;

    fn answer(
        &self,
        variant: Variant,
        _: &str,
        session: &mut Session<'_>,
    ) -> Answer<PrintedPosition> {
        // That of the question `classify` is the one most likely there.
        let settings = ClassifyTask { certificate: true, ..ClassifyTask::default() };
        let classifier = session.tables.classifier(variant, settings)?;
        Ok(PrintedPosition { sfen: classifier.draw(self.seed, session.dialect)? })
    }
}
