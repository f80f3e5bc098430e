//! Reading, entry by entry.

use std::io::Read;
use std::marker::PhantomData;

use shogi_core::{Colour, Move, Position};
use shogi_files::packed::BYTES;
use shogi_files::sealed::{At, Flaw};
use shogi_rules::{Rules, Verdict};

use super::{DataEntry, DataFormat};
use crate::error::{LearnError, LearnReason};

/// The entries of a file, in its order and in constant memory; see [`DataFormat::read`].
///
/// A faulty entry gives an error with its place in the file, after which the reader continues with the next entry. If
/// the file ends within an entry, or the input cannot be read, that error is the last item.
pub struct EntryReader<R, I> {
    input: I,
    format: DataFormat,
    /// The byte at which the next entry begins; `None` after the last.
    offset: Option<u64>,
    rules: PhantomData<R>,
}

impl DataFormat {
    /// Reads a file of this format, entry by entry. Each entry is one read of 32 to 40 bytes, so `input` should be
    /// buffered.
    pub const fn read<R: Rules, I: Read>(self, input: I) -> EntryReader<R, I> {
        EntryReader { input, format: self, offset: Some(0), rules: PhantomData }
    }
}

/// The parts of an entry behind the position.
const SCORE: usize = BYTES;
const MOVE: usize = BYTES + 2;
const PSV_PLY: usize = BYTES + 4;
const PSV_RESULT: usize = BYTES + 6;
const HCPE_RESULT: usize = BYTES + 4;

/// A fault of an entry, with the number of its byte.
type Fault = (usize, LearnReason);

impl<R: Rules, I: Read> Iterator for EntryReader<R, I> {
    type Item = Result<DataEntry<R>, LearnError>;

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.offset.take()?;
        let length = self.format.entry_bytes();
        let mut entry = Vec::with_capacity(length);
        let end = self.input.by_ref().take(length as u64).read_to_end(&mut entry);
        if entry.is_empty() && end.is_ok() {
            return None;
        }
        let at = |(byte, reason)| At { offset: start + byte as u64, reason };
        if entry.len() < length {
            let flaw = end.err().map_or(Flaw::Truncated, Flaw::from);
            return Some(Err(at((entry.len(), flaw.into()))));
        }
        self.offset = Some(start + entry.len() as u64);
        Some(self.format.entry(&entry).map_err(at))
    }
}

impl DataFormat {
    /// Reads an entry from its bytes.
    fn entry<R: Rules>(self, bytes: &[u8]) -> Result<DataEntry<R>, Fault> {
        let position = self.packing().unpack::<R>(&array(bytes, 0));
        let position = position.map_err(|error| (error.bit / 8, LearnReason::Position(error)))?;
        let mut entry = DataEntry { position, mv: None, score: 0, result: None, ply: 0 };
        if !self.has_results() {
            return Ok(entry);
        }
        entry.score = i16::from_le_bytes(array(bytes, SCORE));
        entry.mv = self.mv(&position, u16::from_le_bytes(array(bytes, MOVE)))?;
        let [result] = if self == Self::Psv {
            entry.ply = u16::from_le_bytes(array(bytes, PSV_PLY));
            array(bytes, PSV_RESULT)
        } else {
            array(bytes, HCPE_RESULT)
        };
        entry.result = Some(self.result(result, position.side())?);
        Ok(entry)
    }

    /// The legal move with this number; none for 0.
    fn mv<R: Rules>(self, position: &Position<R>, packed: u16) -> Result<Option<Move<R>>, Fault> {
        if packed == 0 {
            return Ok(None);
        }
        match self.packing().unpack_move(packed) {
            Some(mv) if position.is_legal(mv) => Ok(Some(mv)),
            _ => Err((MOVE, LearnReason::BestMove(packed))),
        }
    }

    /// The result for the player to move.
    const fn result(self, byte: u8, mover: Colour) -> Result<Verdict, Fault> {
        let winner = match (self, byte) {
            (_, 0) => return Ok(Verdict::Draw),
            (Self::Psv, 1) => mover,
            // -1 in a byte.
            (Self::Psv, 0xff) => return Ok(Verdict::Loss),
            (Self::Hcpe, 1) => Colour::Sente,
            (Self::Hcpe, 2) => Colour::Gote,
            (Self::Psv, _) => return Err((PSV_RESULT, LearnReason::Result(byte))),
            _ => return Err((HCPE_RESULT, LearnReason::Result(byte))),
        };
        if winner as u8 == mover as u8 { Ok(Verdict::Win) } else { Ok(Verdict::Loss) }
    }
}

/// Bytes from a place on.
fn array<const N: usize>(bytes: &[u8], from: usize) -> [u8; N] {
    std::array::from_fn(|byte| bytes[from + byte])
}
