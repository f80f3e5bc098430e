//! The options that every verb takes.

use anyhow::{Context as _, Result};
use clap::ValueEnum;

use crate::amount;
use crate::print::note;

/// Most threads that are started: beyond the cores there are, more of them only cost time and memory.
const MAX_THREADS: usize = 256;

/// Options that every verb takes.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Common options")]
pub struct Common {
    /// Print the answer as one JSON object.
    #[arg(long, global = true)]
    pub json: bool,
    /// Number of threads, at most 256; never changes a result [default: all cores].
    #[arg(long, global = true, value_name = "N", value_parser = amount::count::<usize>(1..))]
    threads: Option<usize>,
    /// Notation of the output, for variants with two; input may be in either [default: the variant's
    /// own].
    #[arg(long, global = true, value_enum)]
    dialect: Option<Dialect>,
}

/// Whose notation is written where there are two.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Dialect {
    /// As lishogi writes: Kyoto shogi with a letter for every face.
    Lishogi,
    /// As Fairy-Stockfish writes: a plus marks the back of a piece.
    Fairy,
}

impl Common {
    /// Starts the threads of the program, with a word on standard error where they are fewer than asked
    /// for.
    ///
    /// # Errors
    ///
    /// Where the system refuses them.
    pub fn start_threads(&self) -> Result<()> {
        let Some(wanted) = self.threads else { return Ok(()) };
        let threads = wanted.min(MAX_THREADS);
        if threads < wanted {
            note(format_args!(
                "warning: --threads {wanted} is more than {MAX_THREADS}; {threads} threads are used"
            ));
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build_global().with_context(|| format!("cannot start {threads} threads"))
    }

    /// The dialect, if one was asked for.
    pub fn dialect_asked_for(&self) -> Option<shogi_rules::Dialect> {
        self.dialect.map(|dialect| match dialect {
            Dialect::Lishogi => shogi_rules::Dialect::Lishogi,
            Dialect::Fairy => shogi_rules::Dialect::Fairy,
        })
    }
}
