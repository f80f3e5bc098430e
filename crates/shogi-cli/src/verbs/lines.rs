//! The verbs that answer lines by a task and nothing else: `moves`, `unmoves`, `rank`, `unrank` and `classify`.

use std::fmt::Display;
use std::sync::Arc;

use anyhow::Result;
use shogi_rules::Dialect;
use shogi_solve::Budget;
use shogi_variants::tasks::{Session, Tables, Task};
use shogi_variants::{Error, Variant};

use crate::batch;
use crate::common::Common;
use crate::end::Outcome;
use crate::input::{LineSource, PositionSource};
use crate::variant::Game;

/// Arguments of a verb that answers lines by a task.
#[derive(clap::Args, Debug)]
pub struct Arguments<T: clap::Args, S: clap::Args = PositionSource> {
    #[command(flatten)]
    game: Game,
    #[command(flatten)]
    task: T,
    #[command(flatten)]
    source: S,
}

impl<T: Task + clap::Args + Clone + Sync, S: LineSource> Arguments<T, S> {
    /// Runs the verb.
    pub fn run(&self, common: &Common) -> Result<Outcome> {
        let answer = self.answers(common)?;
        batch::run(self.source.lines_of(self.game.variant)?, answer)
    }

    /// Like [`Arguments::run`], but with text where standard output is a terminal, unless JSON is wanted.
    pub fn run_readable(&self, common: &Common) -> Result<Outcome>
    where
        T::Answer: Display,
    {
        let answer = self.answers(common)?;
        batch::run_readable(self.source.lines_of(self.game.variant)?, common.json, answer)
    }

    fn answers(&self, common: &Common) -> Result<impl Fn(&str) -> Result<T::Answer> + Sync> {
        let (variant, dialect) = (self.game.variant, common.dialect());
        Ok(answers(self.task.clone(), variant, dialect, Arc::default())?)
    }
}

/// A function that answers a line by a task, once all that it needs is there.
pub fn answers<T: Task + Sync>(
    task: T,
    variant: Variant,
    dialect: Option<Dialect>,
    tables: Arc<Tables>,
) -> Result<impl Fn(&str) -> Result<T::Answer> + Sync, Error> {
    let session = move || {
        let tables = Arc::clone(&tables);
        Session { dialect, tables, ..Session::new(Budget::unlimited()) }
    };
    task.prepare(variant, &session())?;
    Ok(move |line: &str| Ok(task.answer(variant, line, &mut session())?))
}
