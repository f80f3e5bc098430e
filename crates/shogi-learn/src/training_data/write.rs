//! Writing, entry by entry.

use std::io::{self, Write};

use shogi_core::Colour;
use shogi_files::packed::PackError;
use shogi_rules::{Rules, Verdict};

use super::{DataEntry, DataFormat};

/// Why an entry cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EntryError {
    /// The position cannot be packed.
    #[error(transparent)]
    Position(#[from] PackError),
    /// The format needs a result for every position, and this one has none.
    #[error("a position in {0} has a result, and this one has none")]
    NoResult(&'static str),
    /// The output cannot be written to.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl DataFormat {
    /// Writes an entry. Data that the format does not store is left out: the number of the move in hcpe, and
    /// everything except the position in PackedSfen and HCP.
    ///
    /// # Errors
    ///
    /// If the position is illegal or of another game, if the format needs a result and the entry has none, or
    /// if `out` cannot be written to.
    pub fn write<R: Rules>(
        self,
        entry: &DataEntry<R>,
        out: &mut dyn Write,
    ) -> Result<(), EntryError> {
        let mut bytes = self.packing().pack(&entry.position)?.to_vec();
        if self.has_results() {
            let result = entry.result.ok_or(EntryError::NoResult(self.name()))?;
            let mv = entry.mv.map_or(0, |mv| self.packing().pack_move(mv));
            bytes.extend(entry.score.to_le_bytes());
            bytes.extend(mv.to_le_bytes());
            if self == Self::Psv {
                bytes.extend(entry.ply.to_le_bytes());
            }
            bytes.extend([self.result_byte(result, entry.position.side()), 0]);
        }
        Ok(out.write_all(&bytes)?)
    }

    const fn result_byte(self, result: Verdict, mover: Colour) -> u8 {
        let sente_wins = matches!(
            (result, mover),
            (Verdict::Win, Colour::Sente) | (Verdict::Loss, Colour::Gote)
        );
        match (self, result) {
            (_, Verdict::Draw) => 0,
            (Self::Psv, Verdict::Win) => 1,
            (Self::Psv, Verdict::Loss) => 0xff,
            _ if sente_wins => 1,
            _ => 2,
        }
    }
}
