//! A task about a line, whose settings are those of the library's request.

#[cfg(feature = "full")]
use std::sync::Arc;

use serde::de::DeserializeOwned;
use shogi_variants::Variant;
use shogi_variants::solve::Budget;
#[cfg(feature = "full")]
use shogi_variants::tasks::Tables;
use shogi_variants::tasks::{Session, Task};

use crate::{Answer, Arguments, json, text};

#[cfg(feature = "full")]
thread_local! {
    /// What tasks keep for each other.
    static TABLES: Arc<Tables> = Arc::default();
}

/// Answers a task about a line: the arguments are the game, the line, and the settings in JSON.
pub(crate) fn task_of<T: Task + DeserializeOwned>(
    arguments: &mut Arguments<'_>,
    bound: impl FnOnce(T) -> T,
) -> Answer {
    let variant: Variant = arguments.parsed()?;
    let (line, settings) = (arguments.text()?, arguments.text()?);
    let task = bound(serde_json::from_str(settings).map_err(text)?);
    json(&task.answer(variant, line, &mut session()).map_err(text)?)
}

/// A session without limits of its own.
fn session() -> Session<'static> {
    Session {
        #[cfg(feature = "full")]
        tables: TABLES.with(Arc::clone),
        ..Session::new(Budget::unlimited())
    }
}
