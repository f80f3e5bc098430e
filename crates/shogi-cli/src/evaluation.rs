//! An evaluation of positions, by its name or as a file.

use std::path::PathBuf;

use anyhow::Result;
use shogi_eval::MOST_EVALUATION_BYTES;
use shogi_search::EVALUATIONS;
use shogi_variants::Error;
use shogi_variants::operations::JudgedBy;

use crate::end::Usage;
use crate::file;
use crate::input::PositionSource;

/// The argument that names an evaluation.
#[derive(clap::Args, Debug)]
pub struct Judgement {
    /// Evaluation of positions: standard, network, material, weighted, zero (every position is even), or a file that
    /// `learn` has made (- for standard input).
    #[arg(long, value_name = "NAME|FILE", default_value = EVALUATIONS[0])]
    eval: PathBuf,
}

impl Judgement {
    /// The evaluation with a name or of a file.
    pub const fn of(eval: PathBuf) -> Self {
        Self { eval }
    }

    /// The result of `make` for the evaluation given, which is read first if it is a file.
    pub fn apply<T>(&self, make: impl FnOnce(JudgedBy<'_>) -> Result<T, Error>) -> Result<T> {
        match EVALUATIONS.into_iter().find(|name| self.eval.as_os_str() == *name) {
            Some(name) => Ok(make(JudgedBy::Name(name))?),
            None => {
                let file = file::read(&self.eval, MOST_EVALUATION_BYTES)?;
                make(JudgedBy::File(&file)).map_err(|error| match error {
                    // It is another file's.
                    Error::Archive { .. } => error.into(),
                    error => anyhow::Error::new(error).context(file::name(&self.eval)),
                })
            }
        }
    }

    /// Whether it is the variant's standard one, as where none is given.
    pub fn is_standard(&self) -> bool {
        self.eval.as_os_str() == EVALUATIONS[0]
    }

    /// The argument as it was given.
    pub fn name(&self) -> std::path::Display<'_> {
        self.eval.display()
    }

    /// Makes sure that standard input is not to hold both the tables and the positions.
    ///
    /// # Errors
    ///
    /// [`Usage`] where it is.
    pub fn check_beside(&self, positions: &PositionSource) -> Result<()> {
        if file::is_standard(&self.eval) && positions.is_standard() {
            let reason = "standard input holds the positions: give --eval a file, or the position by \
                          --sfen or --start";
            return Err(Usage(reason.to_owned()).into());
        }
        Ok(())
    }
}
