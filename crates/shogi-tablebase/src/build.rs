//! Building a tablebase: passes, progress, checkpoints and the file.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::container::{self, Container};
use crate::error::{BuildError, FileError};
use crate::header::{Header, Stage, Stored, Totals, different};
use crate::index::{Index, Members};
use crate::pieces::PieceSet;
use crate::retrograde::{BLOCK, Field, Passes, STRETCH};
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
    /// Numbers of the index gone through in this pass.
    pub done: u64,
    /// Numbers of the index.
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
    stage: Stage,
    counts: Counts,
    checkpoint: Option<PathBuf>,
}

impl<R: World> Builder<R> {
    /// A build from the beginning, with at most `memory` bytes.
    ///
    /// # Errors
    ///
    /// If there is no index for the set, or the table needs more memory.
    pub fn new(set: PieceSet<R>, memory: Option<u64>) -> Result<Self, BuildError> {
        let index = Index::new(set, Members::Safe)?;
        let need = index.size() + index.size() / (STRETCH / 2) + index.bytes() + OVERHEAD;
        if let Some(allowed) = memory.filter(|&allowed| allowed < need) {
            return Err(BuildError::Memory {
                need: need.div_ceil(1 << 20),
                allowed: allowed >> 20,
            });
        }
        let field = Field::new(index.size());
        Ok(Self {
            index,
            field,
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
    /// If a checkpoint cannot be written, or there are wins of more plies than a byte holds.
    pub fn run(
        &mut self,
        mut watch: impl FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<Option<Finished<'_, R>>, BuildError> {
        // What was marked before a checkpoint is not known: its pass and the next go through all.
        let resumed = self.stage.plies.map(|plies| plies + 1);
        let mut saved = (Instant::now(), SPELL.0);
        let blocks = self.index.size().div_ceil(BLOCK);
        loop {
            let plies = self.stage.plies;
            let all = plies.is_none_or(|plies| plies <= 2) || plies <= resumed;
            while self.stage.block < blocks {
                let group = self.stage.block..blocks.min(self.stage.block + GROUP);
                self.stage.block = group.end;
                self.stage.resolved += self.pass(group, plies, all);
                let progress = Progress {
                    plies: plies.map(u32::from),
                    done: (self.stage.block * BLOCK).min(self.index.size()),
                    size: self.index.size(),
                    resolved: self.stage.resolved,
                };
                let stopped = watch(&progress).is_break();
                if stopped || saved.0.elapsed() > saved.1 {
                    let start = Instant::now();
                    self.save()?;
                    saved = (Instant::now(), SPELL.0.max(start.elapsed() * SPELL.1));
                }
                if stopped {
                    return Ok(None);
                }
            }
            if self.stage.resolved == 0 && plies.is_some_and(|plies| plies >= 2) {
                return Ok(Some(self.finish()));
            }
            let next = plies.map_or(0, |plies| plies + 1);
            if next >= LONGEST {
                return Err(BuildError::TooLong(u32::from(next) + 1));
            }
            if next + 1 >= self.counts.none() {
                self.field.narrow();
                self.counts = Counts::Narrow;
            }
            self.stage = Stage { plies: Some(next), block: 0, resolved: 0, counts: None };
        }
    }

    /// Goes through some blocks, and returns how many positions were resolved.
    fn pass(&self, blocks: std::ops::Range<u64>, plies: Option<u8>, all: bool) -> u64 {
        let passes = Passes::new(&self.index, &self.field, self.counts);
        let one = |block| match plies {
            None => {
                passes.begin(block);
                0
            }
            Some(plies) => passes.advance(block, plies, all),
        };
        blocks.into_par_iter().map(one).sum()
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
        let totals = totals.reduce(Totals::default, |a, b| a.merged(&b));
        Finished { builder: self, totals }
    }

    fn save(&self) -> Result<(), FileError> {
        let Some(path) = &self.checkpoint else { return Ok(()) };
        let mut header = self.header(Stored::Plies, CHECKPOINT_BLOCK);
        header.stage = Some(Stage { counts: Some(self.counts), ..self.stage });
        self.write(path, &header, LEVELS[1])
    }

    fn header(&self, stored: Stored, block: u32) -> Header {
        Header::new(self.index.set(), self.index.size(), stored, block)
    }

    fn write(&self, path: &Path, header: &Header, level: i32) -> Result<(), FileError> {
        let byte = |rank: u64| {
            self.field.bytes.get(rank as usize).map_or(ILLEGAL, |byte| byte.load(Relaxed))
        };
        let layout = header.layout();
        container::write(path, header, layout, level, |range| match header.stored {
            Stored::Plies => range.map(byte).collect(),
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
        let (container, header) = Container::open(path, 1, Header::layout)?;
        let mut own = self.header(Stored::Plies, CHECKPOINT_BLOCK);
        own.stage = header.stage;
        let stage = header.stage.filter(|_| header == own).ok_or_else(|| {
            let set = format!("{} {}", header.variant, header.pieces);
            let expected = format!("a checkpoint of {} {}", own.variant, own.pieces);
            FileError { path: path.to_owned(), reason: different("content", &set, &expected) }
        })?;
        for block in 0..container.layout().blocks() {
            let start = container.layout().range(block).start;
            for (place, mut value) in (start..).zip(container.block(block)?) {
                if stage.counts.is_none() && Counts::Narrow.is_open(value) {
                    value = Counts::UNCOUNTED;
                }
                self.field.bytes[place as usize].store(value, Relaxed);
            }
        }
        self.stage = stage;
        self.counts = stage.counts.unwrap_or(Counts::Narrow);
        Ok(())
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
        assert!(bytes(Counts::Narrow, Some(3)) == wide, "from a checkpoint without exact counts");
    }

    #[test]
    fn counts_are_cut_down_once_plies_come_near() {
        let field = Field::new(3);
        let [few, many] = [13, 40].map(|moves| Counts::Wide.byte(moves));
        for (byte, value) in field.bytes.iter().zip([180, few, many]) {
            byte.store(value, Relaxed);
        }
        field.narrow();
        let bytes: Vec<_> = field.bytes.iter().map(|byte| byte.load(Relaxed)).collect();
        assert_eq!(bytes, [180, Counts::Narrow.byte(13), Counts::UNCOUNTED]);
    }
}
