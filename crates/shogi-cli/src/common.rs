//! The options that every verb takes.

use std::num::NonZeroUsize;

use clap::ValueEnum;
use shogi_rules::Rules;

/// Options that every verb takes.
#[derive(clap::Args, Clone, Debug)]
pub struct Common {
    /// Print the answer as one JSON object (batch verbs always do, line by line).
    #[arg(long, global = true)]
    pub json: bool,
    /// Number of threads; never changes a result [default: all cores].
    #[arg(long, global = true, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
    /// Output notation, for variants with two; input takes both [default: as the variant is
    /// mostly written].
    #[arg(long, global = true, value_enum)]
    dialect: Option<Dialect>,
}

/// Whose notation is written where there are two.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Dialect {
    /// As lishogi writes: Kyoto shogi with a letter for every face.
    Lishogi,
    /// As Fairy-Stockfish writes: a plus tells the back of a piece.
    Fairy,
}

impl Common {
    /// The dialect to write positions and moves of a variant in.
    pub fn dialect<R: Rules>(&self) -> shogi_rules::Dialect {
        self.dialect_asked_for().unwrap_or(R::DIALECT)
    }

    /// The dialect, if one was asked for.
    pub fn dialect_asked_for(&self) -> Option<shogi_rules::Dialect> {
        self.dialect.map(|dialect| match dialect {
            Dialect::Lishogi => shogi_rules::Dialect::Lishogi,
            Dialect::Fairy => shogi_rules::Dialect::Fairy,
        })
    }
}
