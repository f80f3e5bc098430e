//! Probing of positions.

use std::path::Path;

use shogi_core::{Move, Placement};
use shogi_rules::Verdict;

use crate::container::Container;
use crate::error::{FileError, FileReason, ProbeError};
use crate::header::{Header, Stored, Totals};
use crate::index::{Index, Members};
use crate::pieces::PieceSet;
use crate::source::Source;
use crate::value::Value;
use crate::world::World;

/// The name of the variant of a tablebase or checkpoint, from its header.
///
/// # Errors
///
/// If the file cannot be read or its header is damaged.
pub fn read_variant(path: &Path) -> Result<String, FileError> {
    Ok(Container::open(path, 1)?.1.variant)
}

/// Like [`read_variant`], for any source; errors name it by `path`.
///
/// # Errors
///
/// If the bytes cannot be read or the header is damaged.
pub fn read_variant_from(source: Box<dyn Source>, path: &Path) -> Result<String, FileError> {
    Ok(Container::read(source, path, 1)?.1.variant)
}

/// The usual name of the file for a set, such as `shogi34-GS.tablebase`.
pub fn file_name<R: World>(set: &PieceSet<R>) -> String {
    if R::default_set().as_ref() == Some(set) {
        format!("{}.tablebase", R::name())
    } else {
        format!("{}-{}.tablebase", R::name(), R::name_of(set))
    }
}

/// Number of blocks kept decompressed: 4 MiB.
const CACHED: usize = 256;

/// A tablebase file, open for probing; shared by threads.
///
/// Opening reads and checks the header and the table of blocks. A block is read, checked and
/// decompressed when a position in it is probed, and kept for a while.
///
/// ```no_run
/// use std::path::Path;
/// use shogi_rules::{Dobutsu, Rules};
/// use shogi_tablebase::Tablebase;
///
/// let table = Tablebase::<Dobutsu>::open(Path::new("dobutsu.tablebase"))?;
/// let start = Dobutsu::start();
/// assert_eq!(table.probe(&start)?.plies, Some(78));
/// for (mv, value) in table.moves(&start)? {
///     println!("{mv} {} {:?}", value.verdict.name(), value.plies);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Tablebase<R: World> {
    index: Index<R>,
    container: Container,
    stored: Stored,
    totals: Totals,
}

impl<R: World> Tablebase<R> {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is damaged or is not a tablebase of these rules.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        Self::with(Container::open(path, CACHED)?)
    }

    /// Opens a tablebase from any source, such as memory; errors name it by `path`.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::open`].
    pub fn read(source: Box<dyn Source>, path: &Path) -> Result<Self, FileError> {
        Self::with(Container::read(source, path, CACHED)?)
    }

    fn with((container, header): (Container, Header)) -> Result<Self, FileError> {
        let path = container.path().to_owned();
        Self::checked(container, &header).map_err(|reason| FileError { path, reason })
    }

    fn checked(container: Container, header: &Header) -> Result<Self, FileReason> {
        let index = Index::new(header.set::<R>()?, Members::Safe)?;
        let totals = header.totals_of(index.size())?;
        Ok(Self { index, container, stored: header.stored, totals })
    }

    /// Keeps up to this many bytes of positions decompressed from now on (4 MiB at first). If probes go to
    /// all parts of a file, reading a block again takes a hundred times as long as probing a kept one.
    pub fn keep(&self, bytes: u64) {
        self.container.keep(bytes);
    }

    /// The numbering of its positions.
    pub const fn index(&self) -> &Index<R> {
        &self.index
    }

    /// The pieces of its positions.
    pub const fn set(&self) -> &PieceSet<R> {
        self.index.set()
    }

    /// The stored part of each value.
    pub const fn stored(&self) -> Stored {
        self.stored
    }

    /// How many positions have each value, mirror images folded.
    pub const fn totals(&self) -> &Totals {
        &self.totals
    }

    /// The file.
    pub fn path(&self) -> &Path {
        self.container.path()
    }

    /// The value of a position for the player to move.
    ///
    /// # Errors
    ///
    /// If the position is illegal or has other pieces than the tablebase, or the file cannot be
    /// read or is damaged.
    pub fn probe(&self, placement: &Placement<R>) -> Result<Value, ProbeError> {
        self.check_position(placement)?;
        self.probe_legal(placement)
    }

    /// Whether a position is legal and has the right pieces.
    fn check_position(&self, placement: &Placement<R>) -> Result<(), ProbeError> {
        if PieceSet::of(placement) != *self.set() {
            return Err(ProbeError::Pieces {
                found: PieceSet::of(placement).to_string(),
                expected: self.set().to_string(),
            });
        }
        let faults = placement.faults();
        if !faults.is_empty() {
            return Err(ProbeError::Illegal(faults.to_string()));
        }
        Ok(())
    }

    /// The value of a position that is known to be legal and to have the right pieces.
    pub(crate) fn probe_legal(&self, placement: &Placement<R>) -> Result<Value, ProbeError> {
        self.look_up(self.entry_of(placement)?)
    }

    /// Where the value of a legal position is found.
    fn entry_of(&self, placement: &Placement<R>) -> Result<Entry, ProbeError> {
        let plies = |plies| (self.stored == Stored::Plies).then_some(plies);
        if R::is_over(placement) {
            let verdict = R::verdict(placement).unwrap_or(Verdict::Draw);
            return Ok(Entry::Decided(match verdict {
                Verdict::Win => Value { verdict, plies: plies(1) },
                Verdict::Loss => Value { verdict, plies: plies(0) },
                Verdict::Draw => Value::DRAW,
            }));
        }
        if !R::royal_safety() && placement.in_check(!placement.side()) {
            return Ok(Entry::Decided(Value { verdict: Verdict::Win, plies: plies(1) }));
        }
        self.index.rank_u64(placement).map(Entry::Stored).ok_or(ProbeError::Damaged)
    }

    fn look_up(&self, entry: Entry) -> Result<Value, ProbeError> {
        match entry {
            Entry::Decided(value) => Ok(value),
            Entry::Stored(rank) => self.value(rank)?.ok_or(ProbeError::Damaged),
        }
    }

    /// The value of the position with a number; `None` if no legal position has it.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is damaged.
    pub fn value(&self, rank: u64) -> Result<Option<Value>, FileError> {
        stored_value(&self.container, self.stored, rank)
    }

    /// The legal moves with their values for the player who makes them, the best first; empty if the game
    /// is over.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::probe`].
    pub fn moves(&self, placement: &Placement<R>) -> Result<Vec<(Move<R>, Value)>, ProbeError> {
        self.check_position(placement)?;
        if R::is_over(placement) {
            return Ok(Vec::new());
        }
        let mut legal = placement.legal_moves();
        Move::sort(&mut legal);
        let own = self.entry_of(placement)?;
        let mut after = Vec::with_capacity(legal.len());
        for &mv in &legal {
            after.push(self.entry_of(&placement.play_unchecked(mv))?);
        }
        self.prefetch(after.iter().chain([&own]))?;
        self.look_up(own)?;
        let mut values = Vec::with_capacity(legal.len());
        for entry in after {
            values.push(self.look_up(entry)?.before());
        }
        let mut moves = Vec::new();
        for place in best_first(&values) {
            moves.push((legal[place], values[place]));
        }
        Ok(moves)
    }

    /// Announces the values that are looked up next.
    fn prefetch<'e>(&self, entries: impl Iterator<Item = &'e Entry>) -> Result<(), FileError> {
        let positions = self.stored.positions();
        self.container.prefetch(entries.filter_map(|entry| match entry {
            Entry::Decided(_) => None,
            Entry::Stored(rank) => Some(rank / positions),
        }))
    }

    /// A line of best play, at most `plies` long.
    ///
    /// # Errors
    ///
    /// As [`Tablebase::probe`].
    pub fn line(&self, placement: &Placement<R>, plies: u32) -> Result<Vec<Move<R>>, ProbeError> {
        let mut line = Vec::new();
        let mut placement = *placement;
        while line.len() < plies as usize && !R::is_over(&placement) {
            let Some(&(mv, _)) = self.moves(&placement)?.first() else { break };
            placement = placement.play_unchecked(mv);
            line.push(mv);
        }
        Ok(line)
    }

    /// The file's container, for walks over all positions.
    pub(crate) const fn container(&self) -> &Container {
        &self.container
    }
}

/// Where the value of a position is found.
#[derive(Clone, Copy)]
enum Entry {
    /// The rules decide it.
    Decided(Value),
    /// The file has it under a number.
    Stored(u64),
}

/// The value of the position with a number in a file.
#[inline]
fn stored_value(
    container: &Container,
    stored: Stored,
    rank: u64,
) -> Result<Option<Value>, FileError> {
    Ok(match stored {
        Stored::Plies => {
            let (byte, deep) = container.entry(rank)?;
            deep.map(Value::of_plies).or_else(|| Value::of_byte(byte))
        }
        Stored::Verdict => Value::of_bits(container.entry(rank / 4)?.0 >> (2 * (rank % 4))),
    })
}

/// The places of values, from the best to the worst, those of equal ones in order.
fn best_first(values: &[Value]) -> Vec<usize> {
    let mut places = Vec::with_capacity(values.len());
    for (place, value) in values.iter().enumerate() {
        let is_before = |&other: &usize| values[other].order() <= value.order();
        places.insert(places.partition_point(is_before), place);
    }
    places
}
