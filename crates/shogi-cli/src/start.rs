//! Where a game or a count starts.

use anyhow::{Context as _, Result};
use shogi_rules::shogi_core::Position;
use shogi_rules::{Rules, Shogi34, parse_position, to_sfen};

use crate::end::Usage;

/// The arguments that name a starting position.
#[derive(clap::Args, Debug)]
pub struct Start {
    /// Position to start from [default: the start of the game].
    #[arg(long)]
    sfen: Option<String>,
    /// Start of 3x4 shogi by Sente's back rank from left to right, such as RKB.
    #[arg(long, value_name = "RANK", conflicts_with = "sfen")]
    start: Option<String>,
}

impl Start {
    /// Whether one is named.
    pub const fn is_named(&self) -> bool {
        self.sfen.is_some() || self.start.is_some()
    }

    /// The position.
    ///
    /// # Errors
    ///
    /// Where the arguments name no legal position of the variant.
    pub fn position<R: Rules>(&self) -> Result<Position<R>> {
        let sfen = match (&self.sfen, &self.start) {
            (Some(sfen), _) => sfen.clone(),
            (None, None) => R::START.to_owned(),
            (None, Some(name)) if R::NAME == Shogi34::NAME => {
                let start = Shogi34::start(name).map_err(|error| Usage(error.to_string()))?;
                to_sfen(&start)
            }
            (None, Some(_)) => {
                return Err(Usage(format!("{} takes no start by name", R::NAME)).into());
            }
        };
        parse_position(&sfen).with_context(|| format!("in {sfen:?}"))
    }
}
