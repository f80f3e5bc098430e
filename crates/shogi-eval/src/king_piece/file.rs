//! Tables on disk.

use std::path::Path;

use serde::{Deserialize, Serialize};
use shogi_rules::Rules;
use shogi_rules::sealed::{JsonFormat, from_json, to_json};

use super::KingPiece;
use crate::file::{FileError, FileReason, load};
use crate::linear::WeightsError;
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
        written(R::NAME, &self.origin, self.values.list::<R>(), self.tempo, &self.weights)
    }

    /// Tables from the text of a file.
    ///
    /// # Errors
    ///
    /// Where it is not what [`KingPiece::to_json`] makes for this variant.
    pub fn from_json(text: &str) -> Result<Self, FileReason> {
        let tables = read(text, R::NAME, 2 * R::KINDS.len())?;
        let values = Values::new::<R>(|face| tables.board[face.index()]);
        Ok(Self::new(values, tables.tempo, tables.weights, tables.origin)?)
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

/// The text of a file.
fn written(variant: &str, origin: &str, board: Vec<i32>, tempo: i32, weights: &[i16]) -> String {
    let (variant, origin, weights) = (variant.to_owned(), origin.to_owned(), weights.to_vec());
    to_json(&Tables { variant, origin, board, tempo, weights }, &FORMAT)
}

/// Tables for a variant with so many values of pieces, which are in range.
fn read(text: &str, variant: &'static str, expected: usize) -> Result<Tables, FileReason> {
    let tables: Tables = from_json(text, &FORMAT)?;
    if tables.variant != variant {
        return Err(FileReason::Other { found: tables.variant, expected: variant });
    }
    let found = tables.board.len();
    if found != expected {
        return Err(WeightsError::Count { found, expected }.into());
    }
    let values = tables.board.iter().map(|&value| ("value of a piece", value, 0));
    let tempo = [("right to move", tables.tempo, -Values::ROYAL)];
    for (name, value, min) in values.chain(tempo) {
        if !(min..=Values::ROYAL).contains(&value) {
            return Err(FileReason::Range { name, value, min, max: Values::ROYAL });
        }
    }
    Ok(tables)
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
