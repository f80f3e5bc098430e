//! A builder whose network learns from what its searches find.

use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use shogi_eval::ProofEvaluation;
use shogi_files::sealed::{check_replaceable, replace};
use shogi_learn::effort::to_records;
use shogi_learn::expert::{ExpertIteration, ExpertSettings};
use shogi_rules::Rules;
use shogi_solve::builder::Builder;
use shogi_solve::{AnyLeaf, Budget, RulesGame};

use super::Error;

/// The file with the records and the last network, in the directory of a checkpoint.
const FILE: &str = "learnt";

/// The origin that is noted in a network.
const COMMAND: &str = "proof build --retrain";

/// The findings of a builder's searches so far, and when the next network is fitted to them.
pub(super) struct Retraining<R: Rules> {
    iteration: ExpertIteration<R>,
    /// Expansions from one network to the next.
    every: u64,
    file: Option<PathBuf>,
}

impl<R: Rules> Retraining<R> {
    /// Begins beside this evaluation, or resumes from what is in the directory. What a killed process has left there
    /// of it is removed.
    pub(super) fn open(
        every: u64,
        builder: &mut Builder<'_, RulesGame<R>, AnyLeaf<R>>,
        evaluation: &ProofEvaluation<R>,
        folder: Option<&Path>,
    ) -> Result<Self, Error> {
        let file = folder.map(|folder| folder.join(FILE));
        let iteration = || {
            Ok(match file.as_deref().map(read).transpose()?.flatten() {
                Some(begun) => begun,
                None => {
                    let (base, settings) =
                        (evaluation.evaluation().clone(), ExpertSettings::default());
                    ExpertIteration::new(*builder.root(), base, settings)
                }
            })
        };
        // A game that was read as text has no network.
        let iteration = R::compiled_or_loaded(iteration, || Err(Error::NoNetwork))?;
        let settings = *iteration.settings();
        builder.collect(settings.open_per_mille, settings.seed);
        Ok(Self { iteration, every: every.max(1), file })
    }

    /// The evaluation with the last network, if one was fitted.
    pub(super) fn learnt(&self) -> Option<Arc<ProofEvaluation<R>>> {
        R::compiled_or_loaded(|| self.iteration.learnt(COMMAND), || None).map(Arc::new)
    }

    /// The expansions of the builder after which the next network is fitted.
    pub(super) fn next(&self, builder: &Builder<'_, RulesGame<R>, AnyLeaf<R>>) -> u64 {
        (builder.expansions() / self.every + 1) * self.every
    }

    /// Fits a network to what was found, and keeps it; `None` if the budget is spent before.
    pub(super) fn learn(
        &mut self,
        builder: &mut Builder<'_, RulesGame<R>, AnyLeaf<R>>,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Arc<ProofEvaluation<R>>>, Error> {
        R::compiled_or_loaded(|| self.learn_from_builder(builder, budget), || Ok(None))
    }

    fn learn_from_builder(
        &mut self,
        builder: &mut Builder<'_, RulesGame<R>, AnyLeaf<R>>,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Arc<ProofEvaluation<R>>>, Error> {
        let records = to_records(builder.take_collected(), builder.goal().prover).collect();
        let learnt = self.iteration.learn_from(records, COMMAND, |_, _| {
            budget.look();
            if budget.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if let (Some(_), Some(file)) = (&learnt, &self.file) {
            write(file, &mut |out| self.iteration.write(out))?;
        }
        Ok(learnt.map(Arc::new))
    }
}

/// Reads a file that can be written, if there is one.
fn read<R: Rules>(path: &Path) -> Result<Option<ExpertIteration<R>>, Error> {
    if path.parent().is_some_and(Path::is_dir) {
        check_replaceable(path).map_err(Error::kept(path))?;
    }
    let mut found = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        found => found.map_err(Error::kept(path))?,
    };
    let found: &mut dyn Read = &mut found;
    ExpertIteration::read(found).map(Some).map_err(Error::kept(path))
}

fn write(
    file: &Path,
    content: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Error> {
    replace(file, |out| content(out)).map_err(Error::kept(file))
}
