//! The options that every verb takes.

use anyhow::{Context as _, Result};
use shogi_rules::Dialect;

use crate::amount;
use crate::choice::{self, Named as _};
use crate::print::note;

/// Most threads that are started: beyond the cores there are, more of them only cost time and memory.
pub use shogi_variants::tasks::MAX_THREADS;

/// Options that every verb takes.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Common options")]
pub struct Common {
    /// Print the answer as one JSON object.
    #[arg(long, global = true)]
    pub json: bool,
    /// Number of threads, at most 256; never changes a result [default: all cores].
    #[arg(long, global = true, value_name = "N", value_parser = amount::count::<u64>(1..))]
    threads: Option<u64>,
    /// Notation of the output, for variants with two; input may be in either [default: the variant's
    /// own].
    #[arg(long, global = true, value_parser = choice::parser(Dialect::CHOICES))]
    dialect: Option<Dialect>,
}

impl Common {
    /// Starts the threads of the program, with a word on standard error where they are fewer than
    /// wanted.
    pub fn start_threads(&self) -> Result<()> {
        let Some(wanted) = self.threads else { return Ok(()) };
        let threads = wanted.min(MAX_THREADS);
        if threads < wanted {
            note(format_args!(
                "warning: --threads {wanted} is more than {MAX_THREADS}; {threads} threads are used"
            ));
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads as usize);
        pool.build_global().with_context(|| format!("cannot start {threads} threads"))
    }

    /// The dialect that `--dialect` names, if it is given.
    pub const fn dialect(&self) -> Option<Dialect> {
        self.dialect
    }
}
