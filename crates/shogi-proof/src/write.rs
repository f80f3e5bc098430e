//! Writing a proof file, entry by entry.

use std::io::{self, Write};

use shogi_core::Position;
use shogi_rules::{Rules, rules_hash, sealed, to_sfen};

use crate::canonical::canonical;
use crate::header::{CLAIMS, FORMAT, REPETITIONS, Section, number};
use crate::strategy::{StepError, Strategy, StrategyStep, sorted_moves};
use crate::{Claim, Proof, Repetition};

/// Why a proof file could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// Writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The section table has not one section for each prover of the claim.
    #[error("the claim needs {0} sections")]
    Sections(usize),
    /// The name of the rule set or the root is too long for its field.
    #[error("the {0} is too long")]
    TooLong(&'static str),
    /// An entry that cannot be one.
    #[error(transparent)]
    Step(#[from] StepError),
    /// An entry does not come after the one before it in the order of [`Packed`](crate::Packed).
    #[error("the entries are not in order")]
    Order,
    /// More or fewer entries than the section table has.
    #[error("the section table has {announced} entries, but {written} were written")]
    Count {
        /// Entries of all sections in the table.
        announced: u64,
        /// Entries written, that of the error included.
        written: u64,
    },
}

impl<R: Rules> Proof<R> {
    /// Writes the proof as a file of the format that docs/proof-format.md describes.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to, or the name of the rule set has more than 255 bytes.
    pub fn write(&self, out: impl Write) -> Result<(), WriteError> {
        let section = |strategy: &Strategy<R>| Section {
            repetition: strategy.repetition(),
            entries: strategy.len() as u64,
        };
        let sections: Vec<_> = self.strategies().iter().map(section).collect();
        let mut writer = Writer::new(out, self.root(), self.claim(), &sections)?;
        for (position, step) in self.strategies().iter().flat_map(|strategy| strategy.iter()) {
            writer.entry(&position, step)?;
        }
        writer.finish().map(drop)
    }
}

/// Writes a proof file from entries that come in order, none of which is kept.
pub struct Writer<R: Rules, W: Write> {
    out: sealed::Writer<W>,
    /// The strategies still to be written, without entries, and how many each will have; the
    /// current one first.
    sections: std::vec::IntoIter<(Strategy<R>, u64)>,
    current: Option<(Strategy<R>, u64)>,
    /// The entry before; empty at the start of a section.
    previous: Vec<u8>,
    announced: u64,
    written: u64,
    buffer: Vec<u8>,
}

impl<R: Rules, W: Write> Writer<R, W> {
    /// Writes what comes before the entries.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to, the sections are not as many as the claim's provers, or a
    /// text is too long for its field.
    pub fn new(
        out: W,
        root: &Position<R>,
        claim: Claim,
        sections: &[Section],
    ) -> Result<Self, WriteError> {
        if sections.len() != claim.provers().len() {
            return Err(WriteError::Sections(claim.provers().len()));
        }
        let mut head = Vec::new();
        let name = u8::try_from(R::NAME.len()).map_err(|_| WriteError::TooLong("name"))?;
        head.push(name);
        head.extend(R::NAME.as_bytes());
        head.extend(rules_hash::<R>());
        let sfen = to_sfen(root);
        let length = u16::try_from(sfen.len()).map_err(|_| WriteError::TooLong("root"))?;
        head.extend(length.to_le_bytes());
        head.extend(sfen.as_bytes());
        head.push(number(&CLAIMS, &claim));
        for section in sections {
            head.push(number(&REPETITIONS, &section.repetition));
            head.extend(section.entries.to_le_bytes());
        }
        let mut out = sealed::Writer::new(out, &FORMAT)?;
        out.write_all(&head)?;
        let strategies =
            claim.provers().iter().zip(sections).map(|(&prover, section)| {
                (Strategy::new(prover, section.repetition), section.entries)
            });
        let sections = strategies.collect::<Vec<_>>().into_iter();
        let entries = sections.as_slice().iter().map(|(_, entries)| *entries);
        let announced = entries.fold(0, u64::saturating_add);
        let (current, previous) = (None, Vec::new());
        let mut writer =
            Self { out, sections, current, previous, announced, written: 0, buffer: head };
        writer.next_section();
        Ok(writer)
    }

    /// Goes on to the next section that has entries.
    fn next_section(&mut self) {
        self.current = self.sections.find(|(_, entries)| *entries > 0);
        self.previous.clear();
    }

    /// Writes an entry: a position, or its mirror image, and the step there. Entries of a section
    /// come in rising order of [`Packed`](crate::Packed).
    ///
    /// # Errors
    ///
    /// If the entry does not belong here, see [`WriteError`].
    pub fn entry(
        &mut self,
        position: &Position<R>,
        step: StrategyStep<R>,
    ) -> Result<(), WriteError> {
        self.written += 1;
        let (announced, written) = (self.announced, self.written);
        let Some((strategy, left)) = &mut self.current else {
            return Err(WriteError::Count { announced, written });
        };
        let (packed, step) = strategy.entry(position, step)?;
        let bytes = packed.as_bytes();
        let shared = bytes.iter().zip(&self.previous).take_while(|(a, b)| a == b).count();
        if *bytes <= self.previous[..] {
            return Err(WriteError::Order);
        }
        let moves = sorted_moves(&canonical(position).0);
        let index = moves.iter().take_while(|&&mv| mv != step.mv).count();
        self.buffer.clear();
        varint(&mut self.buffer, shared as u32);
        self.buffer.extend(&bytes[shared..]);
        varint(&mut self.buffer, index as u32);
        if strategy.repetition() == Repetition::Absent {
            varint(&mut self.buffer, step.rank);
        }
        *left -= 1;
        let section_ends = *left == 0;
        self.out.write_all(&self.buffer)?;
        self.previous.clear();
        self.previous.extend(bytes);
        if section_ends {
            self.next_section();
        }
        Ok(())
    }

    /// Writes the checksum, and returns what was written to.
    ///
    /// # Errors
    ///
    /// If entries are missing or `out` cannot be written to.
    pub fn finish(self) -> Result<W, WriteError> {
        if self.current.is_some() {
            let (announced, written) = (self.announced, self.written);
            return Err(WriteError::Count { announced, written });
        }
        Ok(self.out.finish()?)
    }
}

/// Appends a number in LEB128: seven bits a byte from the lowest, the highest bit set in all but
/// the last.
fn varint(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}
