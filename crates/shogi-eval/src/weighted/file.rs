//! Weights on disk and in the crate.

use serde::{Deserialize, Serialize};
use shogi_files::sealed::{JsonFormat, from_json, to_json};
use shogi_rules::Rules;

use super::Weighted;
use crate::file::{FileReason, of_crate};
use crate::values::Values;

const FORMAT: JsonFormat = JsonFormat {
    format: Some("shogi-learn weighted features"),
    version: 1,
    name: "file of weighted features",
};

/// The content of a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Weights {
    variant: String,
    /// How the weights were made.
    origin: String,
    /// The value of each face on the board in exchanges.
    board: Vec<i32>,
    weights: Vec<i16>,
    dangers: Vec<i16>,
}

/// The weights in the crate, by the name of the variant; made by `shogi learn --form weighted`.
const FITTED: [(&str, &str); 1] = [("shogi", include_str!("weights/shogi.json"))];

impl<R: Rules> Weighted<R> {
    /// The text of a file: sealed JSON on one line.
    pub fn to_json(&self) -> String {
        let Self { values, weights, dangers, origin, .. } = self.clone();
        let (variant, board) = (R::NAME.to_owned(), values.list::<R>());
        to_json(&Weights { variant, origin, board, weights, dangers }, &FORMAT)
    }

    /// Weights from the text of a file.
    ///
    /// # Errors
    ///
    /// If the text is not one that [`Weighted::to_json`] makes for this variant.
    pub fn from_json(text: &str) -> Result<Self, FileReason> {
        let read = || {
            let content: Weights = from_json(text, &FORMAT)?;
            let Weights { variant, origin, board, weights, dangers } = content;
            FileReason::check_names([(variant, R::NAME)])?;
            Ok(Self::new(Values::from_list::<R>(&board)?, weights, dangers, origin)?)
        };
        R::compiled_or_loaded(read, || Err(FileReason::Uncompiled))
    }

    /// The weights of the crate, for shogi; `None` for other variants. [`Weighted::origin`] says
    /// how they were made.
    pub fn fitted() -> Option<Self> {
        let text = of_crate(&FITTED, R::NAME)?;
        // A user's rules may have the name of a variant, but then the weights differ.
        Self::from_json(text).ok()
    }
}

#[cfg(test)]
mod tests {
    use shogi_rules::{KyotoShogi, Minishogi, Shogi};

    use super::super::tests::random;
    use super::*;

    #[test]
    fn the_weights_of_the_crate_can_be_read() {
        for (_, text) in FITTED {
            let weights: Weights = from_json(text, &FORMAT).unwrap();
            assert_eq!(to_json(&weights, &FORMAT), text.trim_end());
        }
        assert!(Weighted::<Shogi>::fitted().is_some());
        assert!(Weighted::<Minishogi>::fitted().is_none());
    }

    #[test]
    fn files_are_read_back_and_damage_is_detected() {
        let weighted = random::<Minishogi>();
        let text = weighted.to_json();
        assert_eq!(Weighted::from_json(&text).unwrap(), weighted);
        let reason = |text: &str| Weighted::<Minishogi>::from_json(text).unwrap_err().to_string();
        assert!(reason(&text.replace("random", "rondom")).contains("checksum"));
        assert!(reason(&text.replace("\"version\":1", "\"version\":9")).contains("version 9"));
        assert!(reason(&text[..text.len() / 2]).contains("no file of weighted features"));
        let other = Weighted::<KyotoShogi>::from_json(&text).unwrap_err().to_string();
        assert!(other.contains("for minishogi, but kyotoshogi is wanted"));
        // Whole, but with a weight too few.
        let mut short: Weights = from_json(&text, &FORMAT).unwrap();
        short.dangers.pop();
        assert!(reason(&to_json(&short, &FORMAT)).contains("numbers instead of"));
    }
}
