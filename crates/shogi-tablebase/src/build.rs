//! Building a tablebase: passes, progress, checkpoints and the file.

use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::container::{self, Container};
use crate::deep::{self, Deep};
use crate::error::{BuildError, FileError, FileReason};
use crate::header::{Header, Stage, Stored, Totals, different};
use crate::index::{Index, Members};
use crate::pieces::PieceSet;
use crate::retrograde::{BLOCK, Field, Passes, Resolved, STRETCH};
use crate::value::{Counts, DRAW, ILLEGAL, LONGEST, Value, bits_of};
use crate::world::World;

/// Bytes in a block of a tablebase before compression: small, since a block is what is
/// decompressed for one position.
const FILE_BLOCK: u32 = 1 << 14;
/// Bytes in a block of a checkpoint, which is read from end to end.
const CHECKPOINT_BLOCK: u32 = 1 << 20;
/// How hard zstd tries for a tablebase, and for a checkpoint.
const LEVELS: [i32; 2] = [9, 1];
/// Blocks that are gone through between two looks at the clock.
const GROUP: u64 = 1 << 10;
/// A checkpoint is due after this time, and after so many times the time that one takes.
const SPELL: (Duration, u32) = (Duration::from_secs(60), 20);
/// Memory besides a byte for each position and the tables of the index.
const OVERHEAD: u64 = 32 << 20;

/// How far a build has come.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    /// The plies of the positions that are being gone through; `None` while the moves are being
    /// counted.
    pub plies: Option<u32>,
    /// Positions gone through in this pass.
    pub done: u64,
    /// Positions that this pass goes through: all numbers of the index, or those resolved last where
    /// these are listed.
    pub size: u64,
    /// Positions resolved in this pass so far.
    pub resolved: u64,
}

/// Builds the table of all positions with a set of pieces.
///
/// Runs in the rayon pool it is called in; the result does not depend on the number of threads.
pub struct Builder<R: World> {
    index: Index<R>,
    field: Field,
    deep: Deep,
    /// Bytes that are needed without `deep`, and how many may be used.
    memory: (u64, Option<u64>),
    stage: Stage,
    counts: Counts,
    checkpoint: Option<PathBuf>,
}

impl<R: World> Builder<R> {
    /// A build from the beginning, with at most `memory` bytes: one for each number of the index, and
    /// later 24 for each position of more than 238 plies.
    ///
    /// # Errors
    ///
    /// If there is no index for the set, or the table needs more memory.
    pub fn new(set: PieceSet<R>, memory: Option<u64>) -> Result<Self, BuildError> {
        let index = Index::new(set, Members::Safe)?;
        let need = index.size() + index.size() / (STRETCH / 2) + index.bytes() + OVERHEAD;
        check_memory(need, memory)?;
        let field = Field::new(index.size());
        Ok(Self {
            index,
            field,
            deep: Deep::default(),
            memory: (need, memory),
            stage: Stage { plies: None, block: 0, resolved: 0, counts: None },
            counts: Counts::Wide,
            checkpoint: None,
        })
    }

    /// Keeps a checkpoint in a directory, which is made, and goes on from the one that is there.
    ///
    /// # Errors
    ///
    /// If the checkpoint is of another build or damaged, or the directory cannot be made.
    pub fn with_checkpoint(mut self, directory: &Path) -> Result<Self, BuildError> {
        std::fs::create_dir_all(directory)
            .map_err(|error| FileError { path: directory.to_owned(), reason: error.into() })?;
        let path = directory.join(format!("{}-{}.checkpoint", R::NAME, self.index.set()));
        if path.exists() {
            self.load(&path)?;
        }
        self.checkpoint = Some(path);
        Ok(self)
    }

    /// The numbering of the positions.
    pub const fn index(&self) -> &Index<R> {
        &self.index
    }

    /// Builds until all is resolved, or `watch` breaks; then a checkpoint is written if one is
    /// kept, and a later call goes on from there.
    ///
    /// # Errors
    ///
    /// If a checkpoint cannot be written, or the positions of many plies need more memory than is
    /// allowed; then a checkpoint is written, and a builder with more goes on from there.
    pub fn run(
        &mut self,
        mut watch: impl FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<Option<Finished<'_, R>>, BuildError> {
        // What was marked before a checkpoint is not known: its pass and the next go through all.
        let resumed = self.stage.plies.map(|plies| plies + 1);
        let mut saved = (Instant::now(), SPELL.0);
        loop {
            let plies = self.stage.plies;
            let all = plies.is_none_or(|plies| plies <= 2) || plies <= resumed;
            let size = match plies {
                Some(plies) if plies > LONGEST => self.deep.list(plies).len() as u64,
                _ => self.index.size(),
            };
            let blocks = size.div_ceil(BLOCK);
            while self.stage.block < blocks {
                let group = self.stage.block..blocks.min(self.stage.block + GROUP);
                self.stage.block = group.end;
                let resolved = self.pass(group, plies, all);
                self.stage.resolved += resolved.count;
                self.deep.extend(plies.unwrap_or(0) + 1, &resolved.deep);
                let progress = Progress {
                    plies,
                    done: (self.stage.block * BLOCK).min(size),
                    size,
                    resolved: self.stage.resolved,
                };
                let fits = check_memory(self.memory.0 + self.deep.bytes(), self.memory.1);
                let stopped = watch(&progress).is_break();
                if stopped || fits.is_err() || saved.0.elapsed() > saved.1 {
                    let start = Instant::now();
                    self.save()?;
                    saved = (Instant::now(), SPELL.0.max(start.elapsed() * SPELL.1));
                }
                fits?;
                if stopped {
                    return Ok(None);
                }
            }
            self.deep.sort();
            if self.stage.resolved == 0 && plies.is_some_and(|plies| plies >= 2) {
                return Ok(Some(self.finish()));
            }
            let next = plies.map_or(0, |plies| plies + 1);
            let counts = self.counts.max(Counts::beside(next + 1));
            if counts != self.counts {
                self.field.cut_down(self.counts, counts);
                self.counts = counts;
            }
            self.stage = Stage { plies: Some(next), block: 0, resolved: 0, counts: None };
        }
    }

    /// Goes through some blocks, and returns what was resolved.
    fn pass(&self, blocks: Range<u64>, plies: Option<u32>, all: bool) -> Resolved {
        let passes = Passes::new(&self.index, &self.field, self.counts);
        let one = |block| match plies {
            None => {
                passes.begin(block);
                Resolved::default()
            }
            Some(plies) if plies > LONGEST => {
                let listed = self.deep.list(plies).chunks(BLOCK as usize).nth(block as usize);
                passes.advance_listed(listed.unwrap_or_default(), plies)
            }
            Some(plies) => passes.advance(block, plies, all),
        };
        blocks.into_par_iter().map(one).reduce(Resolved::default, Resolved::merged)
    }

    /// What is left is drawn.
    pub(crate) fn finish(&self) -> Finished<'_, R> {
        let fold = |totals: Totals, rank: usize| {
            let byte = &self.field.bytes[rank];
            if self.counts.is_open(byte.load(Relaxed)) {
                byte.store(DRAW, Relaxed);
            }
            let value = Value::of_byte(byte.load(Relaxed));
            let counted = value.filter(|_| !self.index.is_second_twin(rank as u64));
            counted.map_or(totals, |value| totals.with(value))
        };
        let ranks = (0..self.field.bytes.len()).into_par_iter();
        let totals = ranks.fold(Totals::default, fold);
        let mut totals = totals.reduce(Totals::default, |a, b| a.merged(&b));
        totals.longest = self.deep.longest().unwrap_or(totals.longest);
        Finished { builder: self, totals }
    }

    fn save(&mut self) -> Result<(), FileError> {
        let Some(path) = &self.checkpoint else { return Ok(()) };
        self.deep.sort();
        let mut header = self.header(Stored::Plies, CHECKPOINT_BLOCK);
        header.stage = Some(Stage { counts: Some(self.counts), ..self.stage });
        self.write(path, &header, LEVELS[1])
    }

    fn header(&self, stored: Stored, block: u32) -> Header {
        let mut header = Header::new(self.index.set(), self.index.size(), stored, block);
        header.deep = if stored == Stored::Plies { self.deep.len() } else { 0 };
        header
    }

    fn write(&self, path: &Path, header: &Header, level: i32) -> Result<(), FileError> {
        let byte = |rank: u64| {
            self.field.bytes.get(rank as usize).map_or(ILLEGAL, |byte| byte.load(Relaxed))
        };
        let layout = header.layout();
        container::write(path, header, layout, level, |range| match header.stored {
            Stored::Plies => {
                let mut bytes = range.clone().map(byte).collect();
                deep::append(&mut bytes, &self.deep.plies(range));
                bytes
            }
            Stored::Verdict => {
                let four = |number: u64| {
                    (0..4).fold(0, |bits, place| {
                        bits | bits_of(byte(4 * number + place)) << (2 * place)
                    })
                };
                range.map(four).collect()
            }
        })
    }

    fn load(&mut self, path: &Path) -> Result<(), FileError> {
        let own = self.header(Stored::Plies, CHECKPOINT_BLOCK);
        let (field, deep) = (&mut self.field, &mut self.deep);
        let opened = Container::open(path, 1, Header::layout)?;
        let stage = read_checkpoint(&opened, &own, |stage, start, bytes, longer| {
            for &(place, plies) in longer {
                deep.extend(plies, &[start + place as u64]);
            }
            for (place, &(mut value)) in (start..).zip(bytes) {
                if stage.counts.is_none() && Counts::Narrow.is_open(value) {
                    value = Counts::UNCOUNTED;
                }
                field.bytes[place as usize].store(value, Relaxed);
            }
        })?;
        self.stage = stage;
        self.counts = stage.counts.unwrap_or(Counts::Narrow);
        Ok(())
    }
}

/// Reads an opened checkpoint of a build whose header would be `own` but for the stage. `block` is given the
/// stage and of each block its first number, its bytes, and the places and plies of what no byte holds.
fn read_checkpoint(
    (container, header): &(Container, Header),
    own: &Header,
    mut block: impl FnMut(&Stage, u64, &[u8], &[(usize, u32)]),
) -> Result<Stage, FileError> {
    let refused = |reason| FileError { path: container.path().to_owned(), reason };
    let own = Header { stage: header.stage, deep: header.deep, ..own.clone() };
    let stage = header.stage.filter(|_| *header == own).ok_or_else(|| {
        let set = format!("{} {}", header.variant, header.pieces);
        let expected = format!("a checkpoint of {} {}", own.variant, own.pieces);
        refused(different("content", &set, &expected))
    })?;
    let most = stage.plies.map_or(0, |plies| plies.saturating_add(1));
    for number in 0..container.layout().blocks() {
        let bytes = container.block(number)?;
        let (start, length) = (container.layout().range(number).start, container.length(number));
        let longer: Vec<_> =
            if header.deep > 0 { deep::plies_in(&bytes, length).collect() } else { Vec::new() };
        if !longer.iter().all(|(_, plies)| (LONGEST + 1..=most).contains(plies)) {
            return Err(refused(FileReason::Damaged));
        }
        block(&stage, start, &bytes[..length], &longer);
    }
    Ok(stage)
}

/// Checks a checkpoint by its checksums and against its rule set. Gives the number of positions that the build
/// goes through and the plies it has come to, `None` while the moves are being counted; all is `None` for a
/// finished tablebase, which is not read further.
///
/// # Errors
///
/// If the file cannot be read, is damaged or of other rules.
pub fn check_checkpoint<R: World>(path: &Path) -> Result<Option<(u64, Option<u32>)>, FileError> {
    let opened = Container::open(path, 1, Header::layout)?;
    let header = &opened.1;
    if header.stage.is_none() {
        return Ok(None);
    }
    let refused = |reason| FileError { path: path.to_owned(), reason };
    let set = header.set::<R>().map_err(refused)?;
    let index = Index::new(set, Members::Safe).map_err(|error| refused(error.into()))?;
    let own = Header::new(index.set(), index.size(), Stored::Plies, CHECKPOINT_BLOCK);
    let stage = read_checkpoint(&opened, &own, |_, _, _, _| {})?;
    Ok(Some((index.size(), stage.plies)))
}

/// Refuses what needs more bytes of memory than are allowed.
fn check_memory(need: u64, allowed: Option<u64>) -> Result<(), BuildError> {
    match allowed.filter(|&allowed| allowed < need) {
        Some(allowed) => {
            Err(BuildError::Memory { need: need.div_ceil(1 << 20), allowed: allowed >> 20 })
        }
        None => Ok(()),
    }
}

/// A finished build.
pub struct Finished<'a, R: World> {
    builder: &'a Builder<R>,
    totals: Totals,
}

impl<R: World> Finished<'_, R> {
    /// How many positions have each value, mirror images folded.
    pub const fn totals(&self) -> &Totals {
        &self.totals
    }

    /// Writes the tablebase, under a temporary name first, and removes the checkpoint.
    ///
    /// # Errors
    ///
    /// The file, and what failed.
    pub fn write(&self, path: &Path, stored: Stored) -> Result<(), FileError> {
        let mut header = self.builder.header(stored, FILE_BLOCK);
        header.totals = Some(self.totals);
        self.builder.write(path, &header, LEVELS[0])?;
        if let Some(checkpoint) = self.builder.checkpoint.as_ref().filter(|path| path.exists()) {
            std::fs::remove_file(checkpoint)
                .map_err(|error| FileError { path: checkpoint.clone(), reason: error.into() })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use shogi_rules::Shogi34;

    use super::*;

    /// The bytes of a world whose moves are counted in a way; `after` a pass, all that the first
    /// version of checkpoints kept is kept.
    fn bytes(counts: Counts, after: Option<u8>) -> Vec<u8> {
        let set = PieceSet::<Shogi34>::parse("P1G1K2").unwrap();
        let mut builder = Builder::new(set, None).unwrap();
        builder.counts = counts;
        let stop = |progress: &Progress| match after {
            Some(plies) if progress.plies == Some(plies.into()) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        if builder.run(stop).unwrap().is_none() {
            let directory = std::env::temp_dir().join(format!("older-{}", std::process::id()));
            std::fs::create_dir_all(&directory).unwrap();
            let path = directory.join("checkpoint");
            let mut header = builder.header(Stored::Plies, CHECKPOINT_BLOCK);
            header.stage = Some(builder.stage);
            builder.write(&path, &header, LEVELS[1]).unwrap();
            builder = Builder::new(set, None).unwrap();
            builder.load(&path).unwrap();
            std::fs::remove_dir_all(directory).unwrap();
            builder.run(|_| ControlFlow::Continue(())).unwrap().unwrap();
        }
        builder.field.bytes.iter().map(|byte| byte.load(Relaxed)).collect()
    }

    #[test]
    fn values_do_not_depend_on_how_moves_are_counted() {
        let wide = bytes(Counts::Wide, None);
        assert!(bytes(Counts::Narrow, None) == wide);
        assert!(bytes(Counts::Deep, None) == wide);
        assert!(bytes(Counts::Narrow, Some(3)) == wide, "from a checkpoint without exact counts");
    }

    #[test]
    fn counts_are_cut_down_as_plies_come_near() {
        let field = Field::new(4);
        let [few, more, many] = [11, 13, 40].map(|moves| Counts::Wide.byte(moves));
        for (byte, value) in field.bytes.iter().zip([180, few, more, many]) {
            byte.store(value, Relaxed);
        }
        let bytes = || field.bytes.iter().map(|byte| byte.load(Relaxed)).collect::<Vec<_>>();
        field.cut_down(Counts::Wide, Counts::Narrow);
        let [few, more] = [11, 13].map(|moves| Counts::Narrow.byte(moves));
        assert_eq!(bytes(), [180, few, more, Counts::UNCOUNTED]);
        field.cut_down(Counts::Narrow, Counts::Deep);
        let few = Counts::Deep.byte(11);
        assert_eq!(bytes(), [180, few, Counts::UNCOUNTED, Counts::UNCOUNTED]);
    }
}
