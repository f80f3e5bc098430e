//! Writing a proof file, entry by entry.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::marker::PhantomData;

use shogi_core::{Colour, Position};
use shogi_files::sealed;
use shogi_rules::{Rules, rules_hash, to_sfen};

use crate::canonical::canonical;
use crate::header::{CLAIMS, FORMAT, REPETITIONS, Section, TEXT_FOLLOWS, number};
use crate::pack::Kings;
use crate::strategy::{StepError, StrategyStep, entry, sorted_moves};
use crate::{Claim, Proof, Repetition};

/// Why a proof file could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// Writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The section table does not have one section for each prover of the claim.
    #[error("the claim needs {0} sections")]
    Sections(usize),
    /// The name of the rule set or the root is too long for its field.
    #[error("the {0} is too long")]
    TooLong(&'static str),
    /// An entry that cannot be part of a strategy.
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
    /// Writes the proof as a file of the format that docs/reference/proof-format.md describes.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to, or the name of the rule set has more than 255 bytes.
    pub fn write(&self, mut out: impl Write) -> Result<(), WriteError> {
        self.write_to(&mut out)
    }

    fn write_to(&self, out: &mut dyn Write) -> Result<(), WriteError> {
        let mut sections = Vec::new();
        for strategy in self.strategies() {
            let entries = strategy.len() as u64;
            sections.push(Section { repetition: strategy.repetition(), entries });
        }
        let mut writer = Writer::new(out, self.root(), self.claim(), &sections)?;
        for strategy in self.strategies() {
            for number in strategy.sorted() {
                if let Some(position) = strategy.position(number) {
                    writer.entry(&position, strategy.step(number))?;
                }
            }
        }
        writer.finish().map(drop)
    }
}

/// Writes a proof file from entries in order and keeps none of them.
///
/// ```
/// use shogi_proof::{Claim, Proof, Repetition, Section, StrategyStep, Writer};
/// use shogi_rules::Shogi34;
/// use shogi_rules::shogi_core::{Colour, Position};
///
/// let root: Position<Shogi34> = "rnk/2p/P2/KNR b - 1".parse()?;
/// let sections = [Section { repetition: Repetition::Absent, entries: 1 }];
/// let mut writer = Writer::new(Vec::new(), &root, Claim::Win { prover: Colour::Sente }, &sections)?;
/// writer.entry(&root, StrategyStep { mv: "1d1b".parse()?, rank: 1 })?;
/// let file = writer.finish()?;
/// assert_eq!(Proof::<Shogi34>::read(&file[..])?.check()?.plies, Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Writer<R: Rules, W: Write> {
    out: sealed::Writer<W>,
    sections: Sections,
    kings: Kings,
    row: Row,
    rules: PhantomData<R>,
}

/// An entry as it is written.
#[derive(Default)]
struct Row {
    /// The packed position of the entry; empty at the start of a section.
    previous: Vec<u8>,
    buffer: Vec<u8>,
}

impl Row {
    /// Moves to the entry with this packed position, the number of its move, and its rank if it has
    /// one.
    fn set(&mut self, packed: &[u8], index: u32, rank: Option<u32>) -> Result<(), WriteError> {
        if *packed <= self.previous[..] {
            return Err(WriteError::Order);
        }
        self.buffer.clear();
        put_rest(&mut self.buffer, packed, &self.previous);
        varint(&mut self.buffer, index);
        if let Some(rank) = rank {
            varint(&mut self.buffer, rank);
        }
        self.previous.clear();
        self.previous.extend_from_slice(packed);
        Ok(())
    }
}

/// The sections of a file that is being written.
struct Sections {
    /// Provers, and how many entries are still to be written for each; the current one first.
    left: VecDeque<(Colour, Section)>,
    /// Entries of all sections.
    announced: u64,
    /// Entries that were written, or refused.
    written: u64,
}

impl Sections {
    fn new(claim: Claim, sections: &[Section]) -> Self {
        let left = claim.provers().iter().copied().zip(sections.iter().copied()).collect();
        let announced =
            sections.iter().fold(0_u64, |sum, section| sum.saturating_add(section.entries));
        Self { left, announced, written: 0 }
    }

    /// The current section, without those that have no entries left.
    fn current(&mut self) -> Option<(Colour, Repetition)> {
        while self.left.front().is_some_and(|(_, section)| section.entries == 0) {
            self.left.pop_front();
        }
        self.left.front().map(|&(prover, section)| (prover, section.repetition))
    }

    /// The error for more or fewer entries than there should be.
    const fn miscount(&self) -> WriteError {
        WriteError::Count { announced: self.announced, written: self.written }
    }

    /// Counts an entry of the current section and returns whether it is the last one.
    fn count(&mut self) -> bool {
        let Some((_, section)) = self.left.front_mut() else { return true };
        section.entries -= 1;
        section.entries == 0
    }
}

impl<R: Rules, W: Write> Writer<R, W> {
    /// Writes the head, before the entries.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to, the number of sections is not that of the claim's provers, or a
    /// text is too long for its field.
    pub fn new(
        out: W,
        root: &Position<R>,
        claim: Claim,
        sections: &[Section],
    ) -> Result<Self, WriteError> {
        let rules = RuleSetNames { name: R::name(), text: R::text(), hash: rules_hash::<R>() };
        let buffer = head(&rules, &to_sfen(root), claim, sections)?;
        let mut out = sealed::Writer::new(out, &FORMAT)?;
        out.write_all(&buffer)?;
        let sections = Sections::new(claim, sections);
        let kings = Kings::of(root);
        Ok(Self { out, sections, kings, row: Row::default(), rules: PhantomData })
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
        self.sections.written += 1;
        let Some((prover, repetition)) = self.sections.current() else {
            return Err(self.sections.miscount());
        };
        let (packed, step) = entry(prover, repetition, self.kings, position, step)?;
        let moves = sorted_moves(&canonical(position).0);
        let mut index = 0;
        while moves.get(index).is_some_and(|&mv| mv != step.mv) {
            index += 1;
        }
        let ranked = repetition == Repetition::Absent;
        self.row.set(packed.as_bytes(), index as u32, ranked.then_some(step.rank))?;
        self.out.write_all(&self.row.buffer)?;
        if self.sections.count() {
            self.row.previous.clear();
        }
        Ok(())
    }

    /// Writes the checksum and returns the writer.
    ///
    /// # Errors
    ///
    /// If entries are missing or `out` cannot be written to.
    pub fn finish(mut self) -> Result<W, WriteError> {
        match self.sections.current() {
            None => Ok(self.out.finish()?),
            Some(_) => Err(self.sections.miscount()),
        }
    }
}

/// A rule set as the head names it.
struct RuleSetNames {
    name: &'static str,
    text: Option<String>,
    hash: [u8; 32],
}

/// The head, before the entries.
fn head(
    rules: &RuleSetNames,
    root: &str,
    claim: Claim,
    sections: &[Section],
) -> Result<Vec<u8>, WriteError> {
    if sections.len() != claim.provers().len() {
        return Err(WriteError::Sections(claim.provers().len()));
    }
    let mut head = Vec::new();
    let name = match rules.text {
        None => rules.name.to_owned(),
        Some(_) => format!("{TEXT_FOLLOWS}{}", rules.name),
    };
    head.push(u8::try_from(name.len()).map_err(|_| WriteError::TooLong("name"))?);
    head.extend(name.as_bytes());
    head.extend(rules.hash);
    if let Some(text) = &rules.text {
        let length = u32::try_from(text.len()).map_err(|_| WriteError::TooLong("text"))?;
        head.extend(length.to_le_bytes());
        head.extend(text.as_bytes());
    }
    let length = u16::try_from(root.len()).map_err(|_| WriteError::TooLong("root"))?;
    head.extend(length.to_le_bytes());
    head.extend(root.as_bytes());
    head.push(number(&CLAIMS, &claim));
    for section in sections {
        head.push(number(&REPETITIONS, &section.repetition));
        head.extend(section.entries.to_le_bytes());
    }
    Ok(head)
}

/// Appends the number of bytes that a packed position shares with the one before, and its other bytes.
fn put_rest(buffer: &mut Vec<u8>, bytes: &[u8], previous: &[u8]) {
    let shared = bytes.iter().zip(previous).take_while(|(a, b)| a == b).count();
    varint(buffer, shared as u32);
    buffer.extend(&bytes[shared..]);
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
