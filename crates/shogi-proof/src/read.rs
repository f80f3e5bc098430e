//! Reads a proof file entry by entry and trusts nothing in it.

use std::io::Read;

use shogi_core::{Colour, Faults, KindSpec, Position};
use shogi_files::sealed::{self, At, Flaw};
use shogi_rules::{Rules, parse_position, parse_problem, rules_hash, to_sfen};
use smallvec::SmallVec;

use crate::Claim;
use crate::Proof;
use crate::canonical::is_canonical;
use crate::header::{CLAIMS, FORMAT, Header, MAX_TEXT, REPETITIONS, Section, TEXT_FOLLOWS};
use crate::pack::{Kings, Layout, Packed, TooManyPieces, squares, unpack};
use crate::strategy::{Repetition, StepError, Strategy, StrategyStep, sorted_moves};

/// Why a proof file cannot be read, and where reading stopped.
pub type ReadError = At<ReadReason>;

/// The faults that a proof file can have.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadReason {
    /// The file cannot be read, or was not written as a proof file.
    #[error(transparent)]
    File(#[from] Flaw),
    /// The text of the rules is too long.
    #[error("the rules have {0} bytes, more than any")]
    Text(u32),
    /// No claim has this number.
    #[error("no claim has the number {0}")]
    Claim(u8),
    /// No value of a repetition has this number.
    #[error("no worth of a repetition has the number {0}")]
    Repetition(u8),
    /// The proof is for another rule set.
    #[error("the proof is for {found:?}, not for {expected}")]
    Variant {
        /// The rule set of the file.
        found: String,
        /// The rule set it was read for.
        expected: &'static str,
    },
    /// The rule set has this name but different rules.
    #[error("the proof was made by other rules of the same name")]
    Rules,
    /// The root is not a legal position, or its SFEN is not in normal form.
    #[error("the root is not good: {0}")]
    Root(String),
    /// An entry shares more bytes with the one before it than that entry has.
    #[error("the entry shares {0} bytes with the one before, which is not longer")]
    Shared(u32),
    /// An entry is not in order, or shares more bytes with the one before it than it states.
    #[error("the entry does not come after the one before")]
    Order,
    /// The entry is not a position.
    #[error(transparent)]
    Pieces(#[from] TooManyPieces),
    /// The entry is not a legal position of the game.
    #[error("the entry is no legal position: {0}")]
    Illegal(Faults),
    /// The entry's position is not packed in its proper code.
    #[error("the entry is not packed as it should be")]
    Packing,
    /// The entry is the mirror image of the canonical position.
    #[error("the entry is the mirror image of the one to be stored")]
    Mirror,
    /// The entry cannot be part of a strategy.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The number of the move exceeds the number of legal moves.
    #[error("move number {index}, from 0, of a position with {legal} legal moves")]
    Move {
        /// The number of the move.
        index: u32,
        /// The number of legal moves.
        legal: usize,
    },
}

/// A proof file whose head has been read.
///
/// Memory is allocated only for data that has been read, whatever the numbers in the file say.
///
/// ```
/// use shogi_proof::{Claim, Proof, Reader, Repetition, Strategy};
/// use shogi_rules::Shogi34;
/// use shogi_rules::shogi_core::{Colour, Position};
///
/// let root: Position<Shogi34> = "rnk/2p/P2/KNR b - 1".parse()?;
/// let mut strategy = Strategy::new(Colour::Sente, Repetition::Absent);
/// strategy.insert(&root, "1d1b".parse()?, 1)?;
/// let mut file = Vec::new();
/// Proof::new(root, Claim::Win { prover: Colour::Sente }, vec![strategy])?.write(&mut file)?;
///
/// let reader = Reader::new(&file[..])?;
/// assert_eq!(reader.header().variant, "shogi34");
/// for entry in reader.entries::<Shogi34>()? {
///     assert_eq!(entry?.step.mv.to_string(), "1d1b");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Reader<I> {
    source: sealed::Reader<I>,
    header: Header,
}

impl<I: Read> Reader<I> {
    /// Reads the head of a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or does not begin with the head of a proof file.
    pub fn new(input: I) -> Result<Self, ReadError> {
        let mut source = sealed::Reader::new(input, &FORMAT).map_err(At::convert)?;
        // The beginning of the part being read, to which its errors point.
        let mut start = source.offset();
        let header = read_header(&mut source, &mut start);
        let header = header.map_err(|reason| located(&source, start, reason))?;
        Ok(Self { source, header })
    }

    /// The head.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// An iterator over the entries; none is kept.
    ///
    /// # Errors
    ///
    /// If the proof is for other rules, or the root is not a legal position by them.
    pub fn entries<R: Rules>(self) -> Result<Entries<R, I>, ReadError> {
        let Self { source, header } = self;
        let root = match root::<R>(&header) {
            Ok(root) => root,
            Err(reason) => return Err(source.at(reason)),
        };
        let left = header.sections.first().map_or(0, |section| section.entries);
        let (section, previous) = (0, SmallVec::new());
        Ok(Entries { source, header, root, section, left, previous, ended: false })
    }

    /// The whole proof in memory.
    ///
    /// # Errors
    ///
    /// The first fault in the file.
    pub fn proof<R: Rules>(self) -> Result<Proof<R>, ReadError> {
        let mut entries = self.entries::<R>()?;
        let Header { claim, ref sections, .. } = entries.header;
        let mut strategies = Vec::new();
        for (index, &prover) in claim.provers().iter().enumerate() {
            let repetition = sections[index].repetition;
            strategies.push(Strategy::following(&entries.root, prover, repetition));
        }
        while let Some((packed, entry)) = entries.read()? {
            let added = strategies[entry.section].insert_packed(&packed, entry.step);
            if let Err(error) = added {
                return Err(entries.source.at(error.into()));
            }
        }
        Ok(Proof { root: entries.root, claim, strategies })
    }
}

impl<R: Rules> Proof<R> {
    /// Reads a proof from a file of the format that docs/reference/proof-format.md describes.
    ///
    /// Does not check that it proves its claim; see [`Proof::check`].
    ///
    /// # Errors
    ///
    /// The first fault in the file.
    pub fn read(input: impl Read) -> Result<Self, ReadError> {
        let input: Box<dyn Read + '_> = Box::new(input);
        Reader::new(input)?.proof()
    }
}

/// The root, if the file is for these rules.
fn root<R: Rules>(header: &Header) -> Result<Position<R>, ReadReason> {
    check_rules(header, R::name(), &rules_hash::<R>())?;
    let problem = || {
        let Claim::Win { prover } = header.claim else { return None };
        let root = parse_problem::<R>(&header.root).ok()?;
        (R::royal_safety() && root.king(prover).is_none()).then_some(root)
    };
    match parse_position::<R>(&header.root).or_else(|error| problem().ok_or(error)) {
        Ok(root) => check_sfen(&to_sfen(&root), &header.root).map(|()| root),
        Err(reason) => Err(ReadReason::Root(reason.to_string())),
    }
}

/// Checks that a root is written in normal form.
fn check_sfen(sfen: &str, written: &str) -> Result<(), ReadReason> {
    if sfen == written {
        return Ok(());
    }
    Err(ReadReason::Root("it is not written as it should be".to_owned()))
}

fn check_rules(header: &Header, name: &'static str, rules: &[u8; 32]) -> Result<(), ReadReason> {
    if header.variant != name {
        return Err(ReadReason::Variant { found: header.variant.clone(), expected: name });
    }
    if header.rules != *rules {
        return Err(ReadReason::Rules);
    }
    Ok(())
}

/// A reason with its place: the end of the file where it ends early, otherwise the start of the
/// wrong part.
fn located(source: &sealed::Reader<impl Read>, start: u64, reason: ReadReason) -> ReadError {
    match reason {
        ReadReason::File(Flaw::Truncated | Flaw::Io(_)) => source.at(reason),
        _ => ReadError { offset: start, reason },
    }
}

fn read_header(
    source: &mut sealed::Reader<impl Read>,
    start: &mut u64,
) -> Result<Header, ReadReason> {
    let length = u64::from(source.byte()?);
    let variant = source.text(length, "name of the rule set")?;
    let rules = source.array()?;
    let (variant, text) = match variant.strip_prefix(TEXT_FOLLOWS) {
        None => (variant, None),
        Some(name) => {
            *start = source.offset();
            let length = u32::from_le_bytes(source.array()?);
            if length > MAX_TEXT {
                return Err(ReadReason::Text(length));
            }
            (name.to_owned(), Some(source.text(length.into(), "rules")?))
        }
    };
    *start = source.offset();
    let length = u64::from(u16::from_le_bytes(source.array()?));
    let root = source.text(length, "root")?;
    *start = source.offset();
    let claim = source.byte()?;
    let &claim = CLAIMS.get(usize::from(claim)).ok_or(ReadReason::Claim(claim))?;
    let mut sections = Vec::new();
    for _ in claim.provers() {
        *start = source.offset();
        let repetition = source.byte()?;
        let &repetition =
            REPETITIONS.get(usize::from(repetition)).ok_or(ReadReason::Repetition(repetition))?;
        sections.push(Section { repetition, entries: u64::from_le_bytes(source.array()?) });
    }
    Ok(Header { variant, text, rules, root, claim, sections })
}

/// One entry of a proof file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry<R: Rules> {
    /// The number of its section, from 0.
    pub section: usize,
    /// The position.
    pub position: Position<R>,
    /// The step there; its move is legal.
    pub step: StrategyStep<R>,
}

/// The entries of a proof file in order, as they are read.
///
/// The checksum is verified only once the iteration has ended without an error.
pub struct Entries<R: Rules, I> {
    source: sealed::Reader<I>,
    header: Header,
    root: Position<R>,
    section: usize,
    /// Entries of the section still to come.
    left: u64,
    /// The packed position before; empty at the start of a section.
    previous: SmallVec<[u8; 16]>,
    ended: bool,
}

impl<R: Rules, I: Read> Entries<R, I> {
    /// The head of the file.
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The position that the claim is about.
    pub const fn root(&self) -> &Position<R> {
        &self.root
    }

    /// Reads the next entry, or the end of the file after the last one.
    pub(crate) fn read(&mut self) -> Result<Option<(Packed, Entry<R>)>, ReadError> {
        while self.left == 0 {
            self.section += 1;
            self.previous.clear();
            let Some(section) = self.header.sections.get(self.section) else {
                self.ended = true;
                return self.source.finish().map(|()| None).map_err(At::convert);
            };
            self.left = section.entries;
        }
        self.left -= 1;
        let start = self.source.offset();
        match self.read_entry() {
            Ok(entry) => Ok(Some(entry)),
            Err(reason) => Err(located(&self.source, start, reason)),
        }
    }

    fn read_entry(&mut self) -> Result<(Packed, Entry<R>), ReadReason> {
        let section = self.section;
        let prover = self.header.claim.provers()[section];
        let kings = Kings::of(&self.root);
        let (bytes, layout) =
            read_layout(&mut self.source, &self.previous, R::kinds(), squares::<R>(), kings)?;
        let (position, packed) = position_of(&layout, kings, prover)?;
        if packed.as_bytes() != &bytes[..] {
            return Err(ReadReason::Packing);
        }
        self.previous = bytes;
        let index = self.source.varint()?;
        let moves = sorted_moves(&position);
        let legal = moves.len();
        let Some(&mv) = moves.get(index as usize) else {
            return Err(ReadReason::Move { index, legal });
        };
        let ranked = self.header.sections[section].repetition == Repetition::Absent;
        let rank = if ranked { self.source.varint()? } else { 0 };
        Ok((packed, Entry { section, position, step: StrategyStep { mv, rank } }))
    }
}

/// The canonical position with these pieces, and its packed form.
fn position_of<R: Rules>(
    layout: &Layout,
    kings: Kings,
    side: Colour,
) -> Result<(Position<R>, Packed), ReadReason> {
    let placement = layout.placement(side);
    if !is_canonical(&placement) {
        return Err(ReadReason::Mirror);
    }
    let position = match Position::new_allowing(placement, kings.faults()) {
        Ok(position) => position,
        Err(error) => return Err(ReadReason::Illegal(error.faults)),
    };
    match Packed::of_canonical(&placement, kings) {
        Some(packed) => Ok((position, packed)),
        None => Err(ReadReason::Packing),
    }
}

/// Reads the code of a position, relative to the one before, with its layout.
fn read_layout(
    source: &mut sealed::Reader<impl Read>,
    previous: &[u8],
    kinds: &[KindSpec],
    squares: usize,
    kings: Kings,
) -> Result<(SmallVec<[u8; 16]>, Layout), ReadReason> {
    let shared = source.varint()?;
    let prefix = previous.get(..shared as usize).ok_or(ReadReason::Shared(shared))?;
    if shared > 0 && prefix.len() == previous.len() {
        return Err(ReadReason::Shared(shared));
    }
    let mut bytes = SmallVec::<[u8; 16]>::from_slice(prefix);
    let (mut replayed, mut wrong) = (0, None);
    let mut next = || {
        if let Some(&byte) = bytes.get(replayed).filter(|_| replayed < shared as usize) {
            replayed += 1;
            return Some(byte);
        }
        let byte = source.byte().map_err(|flaw| wrong = Some(flaw.into())).ok()?;
        // Both are one code longer than their common part, and no code begins another.
        if previous.get(bytes.len()).is_some_and(|&before| byte <= before)
            && bytes.len() == shared as usize
        {
            wrong = Some(ReadReason::Order);
            return None;
        }
        bytes.push(byte);
        Some(byte)
    };
    match unpack(kinds, squares, kings, &mut next) {
        Some(layout) => Ok((bytes, layout)),
        None => Err(wrong.unwrap_or(TooManyPieces.into())),
    }
}

impl<R: Rules, I: Read> Iterator for Entries<R, I> {
    type Item = Result<Entry<R>, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let read = self.read();
        self.ended |= read.is_err();
        read.map(|entry| entry.map(|(_, entry)| entry)).transpose()
    }
}
