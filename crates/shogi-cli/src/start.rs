//! Where a game or a count starts.

use anyhow::{Context as _, Result};

use crate::end::Usage;
use crate::variant::Variant;

/// The arguments that name a starting position.
#[derive(clap::Args, Clone, Debug)]
pub struct Start {
    /// Position to start from, in SFEN or as in the position command of USI [default: startpos].
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

    /// The position in SFEN.
    pub fn sfen(&self, variant: Variant) -> Result<String> {
        let text = self.text(variant)?;
        variant.rules().position(&text, None).with_context(|| format!("in {text:?}"))
    }

    /// The position in SFEN; one player may have no king, as in most mate problems.
    pub fn problem(&self, variant: Variant) -> Result<String> {
        let text = self.text(variant)?;
        variant.rules().problem(&text, None).with_context(|| format!("in {text:?}"))
    }

    /// The position that the arguments name.
    fn text(&self, variant: Variant) -> Result<String> {
        Ok(match (&self.sfen, &self.start) {
            (Some(sfen), _) => sfen.clone(),
            (None, None) => "startpos".to_owned(),
            (None, Some(name)) => {
                variant.rules().named_start(name).map_err(|error| Usage(error.to_string()))?
            }
        })
    }
}
