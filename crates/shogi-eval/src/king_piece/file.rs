//! Tables on disk.

use std::path::Path;

use serde::{Deserialize, Serialize};
use shogi_rules::Rules;
use shogi_rules::sealed::{JsonFormat, from_json, to_json};

use super::KingPiece;
use crate::file::{FileError, FileReason, load};
use crate::values::Values;

const FORMAT: JsonFormat = JsonFormat {
    format: Some("shogi-search king-piece tables"),
    version: 1,
    name: "file of king-piece tables",
};

/// The content of a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {
    variant: String,
    /// How the tables were made.
    origin: String,
    /// What each face is worth on the board.
    board: Vec<i32>,
    tempo: i32,
    weights: Vec<i16>,
}

impl<R: Rules> KingPiece<R> {
    /// The text of a file: sealed JSON on one line.
    pub fn to_json(&self) -> String {
        let (variant, origin) = (R::NAME.to_owned(), self.origin.clone());
        let (board, tempo) = (self.values.list::<R>(), self.tempo);
        let weights = self.weights.to_vec();
        to_json(&Tables { variant, origin, board, tempo, weights }, &FORMAT)
    }

    /// Tables from the text of a file.
    ///
    /// # Errors
    ///
    /// Where it is not what [`KingPiece::to_json`] makes for this variant.
    pub fn from_json(text: &str) -> Result<Self, FileReason> {
        if const { R::RUNTIME } {
            return Err(FileReason::Uncompiled);
        }
        let content: Tables = from_json(text, &FORMAT)?;
        let Tables { variant, origin, board, tempo, weights } = content;
        FileReason::check_names([(variant, R::NAME)])?;
        let values = Values::from_list::<R>(&board)?;
        let (min, max) = (-Values::ROYAL, Values::ROYAL);
        if !(min..=max).contains(&tempo) {
            return Err(FileReason::Range { name: "right to move", value: tempo, min, max });
        }
        Ok(Self::new(values, tempo, weights, origin)?)
    }

    /// Tables from a file.
    ///
    /// # Errors
    ///
    /// The file, and why it cannot be used.
    pub fn load(path: &Path) -> Result<Self, FileError> {
        load(path, Self::from_json)
    }
}

#[cfg(test)]
mod tests {
    use shogi_rules::{Dobutsu, KyotoShogi, Minishogi, parse_position};

    use super::super::tests::random;
    use super::*;

    #[test]
    fn tables_of_earlier_versions_are_read() {
        let text = include_str!("../../tests/data/dobutsu_tables.json");
        let tables = KingPiece::<Dobutsu>::from_json(text.trim_end()).unwrap();
        assert_eq!(tables.to_json(), text.trim_end());
        assert!(tables.origin().starts_with("shogi tune dobutsu"), "{}", tables.origin());
        let value = |sfen| {
            let position = parse_position(sfen).unwrap();
            tables.evaluate(&tables.start(&position), &position)
        };
        let start = value("gle/1c1/1C1/ELG b - 1");
        assert!(start > value("gle/1c1/1C1/EL1 b g 1") + 200, "a giraffe is worth something");
    }

    #[test]
    fn files_come_back_and_damage_is_seen() {
        let tables = random::<Minishogi>();
        let text = tables.to_json();
        assert_eq!(KingPiece::from_json(&text).unwrap(), tables);
        let reason = |text: &str| KingPiece::<Minishogi>::from_json(text).unwrap_err().to_string();
        assert!(reason(&text.replace("\"tempo\":7", "\"tempo\":8")).contains("checksum"));
        assert!(reason(&text.replace("\"version\":1", "\"version\":9")).contains("version 9"));
        assert!(reason(&text[..text.len() / 2]).contains("no file of king-piece tables"));
        // Whole, but too much for sums of values.
        let mut wild: Tables = from_json(&text, &FORMAT).unwrap();
        wild.tempo = i32::MAX;
        assert!(reason(&to_json(&wild, &FORMAT)).contains("the right to move is 2147483647"));
        let other = KingPiece::<KyotoShogi>::from_json(&text).unwrap_err().to_string();
        assert!(other.contains("for minishogi, but kyotoshogi is wanted"));
        let few = KingPiece::<Minishogi>::new(
            Values::by_freedom::<Minishogi>(),
            0,
            vec![0; 3],
            String::new(),
        );
        assert!(few.is_err());
    }
}
