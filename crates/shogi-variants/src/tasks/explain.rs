//! The terms of the player's evaluation of a position.

use std::borrow::ToOwned as _;
use std::string::String;
use std::sync::Arc;

use shogi_search::EVALUATIONS;

use super::{Answer, Session, Task};
use crate::operations::{Explanation, JudgedBy};
use crate::{Error, Variant};

/// Says what the player's evaluation of a position is made of.
///
/// ```
/// use shogi_variants::Variant;
/// use shogi_variants::solve::Budget;
/// use shogi_variants::tasks::{ExplainTask, Session, Task as _};
/// let task = ExplainTask { eval: "material".to_owned(), ..ExplainTask::default() };
/// let explained = task.answer(Variant::Shogi, "startpos", &mut Session::new(Budget::unlimited()))?;
/// assert_eq!(explained.value, 0);
/// # Ok::<(), shogi_variants::Error>(())
/// ```
///
/// The answer is an error if the variant has no evaluation of this name, the file is of another variant or damaged, or the
/// line stands for no legal position.
#[derive(Clone, PartialEq, Eq, Debug, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ExplainTask {
    /// The name of the evaluation, one of [`EVALUATIONS`].
    pub eval: String,
    /// The bytes of a file that `learn` has made, in place of a name: only for programs that read files.
    #[serde(skip)]
    pub file: Option<Arc<[u8]>>,
}

impl Default for ExplainTask {
    /// The standard evaluation.
    fn default() -> Self {
        JudgedBy::Name(EVALUATIONS[0]).into()
    }
}

impl From<JudgedBy<'_>> for ExplainTask {
    fn from(judged_by: JudgedBy<'_>) -> Self {
        match judged_by {
            JudgedBy::Name(name) => Self { eval: name.to_owned(), file: None },
            JudgedBy::File(file) => Self { eval: String::new(), file: Some(file.into()) },
        }
    }
}

impl ExplainTask {
    /// The evaluation.
    pub fn judged_by(&self) -> JudgedBy<'_> {
        self.file.as_deref().map_or(JudgedBy::Name(&self.eval), JudgedBy::File)
    }
}

impl Task for ExplainTask {
    const NAME: &'static str = "explain";
    type Answer = Explanation;

    fn prepare(&self, variant: Variant, session: &Session<'_>) -> Result<(), Error> {
        session.tables.evaluation(variant, self).map(drop)
    }

    fn answer(
        &self,
        variant: Variant,
        line: &str,
        session: &mut Session<'_>,
    ) -> Answer<Explanation> {
        session.tables.evaluation(variant, self)?.explain(line)
    }
}
