//! The part of a build that is independent of the rules: bytes, progress and files.

use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::time::{Duration, Instant};

use shogi_files::sealed;

use crate::build::BuildProgress;
use crate::checkpoint::{Checkpoint, IsDrawn};
use crate::container::{self, Container};
use crate::deep::{self, Deep};
use crate::error::{BuildError, FileError};
use crate::header::{Header, Stage, Stored, Subject, Totals};
use crate::loaded::Loaded;
use crate::parallel::{self, BLOCK, lock};
use crate::retrograde::{Field, Resolved, STRETCH};
use crate::value::{Counts, DRAW, ILLEGAL, LONGEST, Value, bits_of};

/// Bytes in a block of a tablebase before compression: small, since one probe decompresses a whole block.
pub(crate) const FILE_BLOCK: u32 = 1 << 14;
/// Bytes in a block of a checkpoint, which is read from end to end.
pub(crate) const CHECKPOINT_BLOCK: u32 = 1 << 20;
/// Compression levels of zstd for a tablebase and for a checkpoint.
pub(crate) const LEVELS: [i32; 2] = [9, 1];
/// Blocks between two looks at the clock: at least, at most, and the wanted time.
const GROUP: (u64, u64, Duration) = (1 << 6, 1 << 10, Duration::from_millis(200));
/// A checkpoint is due after this time, and after this multiple of the time that writing one takes.
const SPELL: (Duration, u32) = (Duration::from_secs(60), 20);
/// Memory besides a byte for each position and the tables of the index.
const OVERHEAD: u64 = 32 << 20;

/// The state of a build.
pub(crate) struct BuildState {
    subject: Subject,
    /// Numbers of the index.
    size: u64,
    pub(crate) field: Field,
    pub(crate) deep: Deep,
    /// Bytes needed without `deep`, and the limit.
    memory: (u64, Option<u64>),
    pub(crate) stage: Stage,
    pub(crate) counts: Counts,
    checkpoint: Option<PathBuf>,
}

impl BuildState {
    /// A new build of `size` numbers, whose index takes `tables` bytes.
    pub(crate) fn new(
        subject: Subject,
        size: u64,
        tables: u64,
        memory: Option<u64>,
    ) -> Result<Self, BuildError> {
        let need = size + size / (STRETCH / 2) + tables + OVERHEAD;
        check_memory(need, memory)?;
        Ok(Self {
            subject,
            size,
            field: Field::new(size),
            deep: Deep::default(),
            memory: (need, memory),
            stage: Stage { plies: None, block: 0, resolved: 0, counts: None },
            counts: Counts::Wide,
            checkpoint: None,
        })
    }

    /// Keeps a checkpoint in a directory, which is created if missing, and resumes from an existing one.
    /// Removes unfinished files of killed processes.
    pub(crate) fn keep_checkpoint(
        &mut self,
        directory: &Path,
        is_drawn: &IsDrawn<'_>,
    ) -> Result<(), FileError> {
        std::fs::create_dir_all(directory)
            .map_err(|error| FileError { path: directory.to_owned(), reason: error.into() })?;
        let path = directory.join(self.subject.checkpoint());
        sealed::check_replaceable(&path)
            .map_err(|error| FileError { path: path.clone(), reason: error.into() })?;
        if path.exists() {
            self.load(&path, is_drawn)?;
        }
        self.checkpoint = Some(path);
        Ok(())
    }

    /// Builds until all positions are resolved or `watch` breaks, and returns whether all are. `pass` runs
    /// over some blocks, over all positions or the marked ones, and returns the resolved positions.
    pub(crate) fn run(
        &mut self,
        pass: &dyn Fn(&Self, Range<u64>, bool) -> Resolved,
        watch: &mut dyn FnMut(&BuildProgress) -> ControlFlow<()>,
    ) -> Result<bool, BuildError> {
        // The marks before a checkpoint are not known: its pass and the next one go through everything.
        let resumed = self.stage.plies.map(|plies| plies + 1);
        let mut saved = (Instant::now(), SPELL.0);
        let mut group_size = GROUP.0;
        loop {
            let plies = self.stage.plies;
            let all = plies.is_none_or(|plies| plies <= 2) || plies <= resumed;
            let size = match plies {
                Some(plies) if plies > LONGEST => self.deep.list(plies).len() as u64,
                _ => self.size,
            };
            let blocks = size.div_ceil(BLOCK);
            while self.stage.block < blocks {
                let group = self.stage.block..blocks.min(self.stage.block + group_size);
                let start = Instant::now();
                self.stage.block = group.end;
                let resolved = pass(self, group, all);
                group_size = match start.elapsed() < GROUP.2 {
                    true => GROUP.1.min(2 * group_size),
                    false => GROUP.0.max(group_size / 2),
                };
                self.stage.resolved += resolved.count;
                self.deep.extend(plies.unwrap_or(0) + 1, &resolved.deep);
                let progress = BuildProgress {
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
                    return Ok(false);
                }
            }
            self.deep.sort();
            if self.stage.resolved == 0 && plies.is_some_and(|plies| plies >= 2) {
                return Ok(true);
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

    /// Ends the build: the unresolved positions are drawn. Returns the numbers of positions by value, except
    /// those that are left out.
    pub(crate) fn finish(&self, is_left_out: &(dyn Fn(u64) -> bool + Sync)) -> Totals {
        let all = Mutex::new(Totals::default());
        parallel::in_blocks(self.field.bytes.len() as u64, &|ranks| {
            let mut totals = Totals::default();
            for (rank, byte) in self.field.range(ranks) {
                if self.counts.is_open(byte.load(Relaxed)) {
                    byte.store(DRAW, Relaxed);
                }
                if let Some(value) = Value::of_byte(byte.load(Relaxed))
                    && !is_left_out(rank)
                {
                    totals = totals.with(value);
                }
            }
            let mut all = lock(&all);
            *all = all.merged(&totals);
        });
        let mut totals = *lock(&all);
        totals.longest = self.deep.longest().unwrap_or(totals.longest);
        totals
    }

    /// Writes a finished tablebase and removes the checkpoint.
    pub(crate) fn write_tablebase(
        &self,
        path: &Path,
        stored: Stored,
        totals: Totals,
    ) -> Result<(), FileError> {
        let mut header = self.header(stored, FILE_BLOCK);
        header.totals = Some(totals);
        self.write(path, &header, LEVELS[0])?;
        if let Some(checkpoint) = self.checkpoint.as_ref().filter(|path| path.exists()) {
            std::fs::remove_file(checkpoint)
                .map_err(|error| FileError { path: checkpoint.clone(), reason: error.into() })?;
        }
        Ok(())
    }

    fn save(&mut self) -> Result<(), FileError> {
        let Some(path) = &self.checkpoint else { return Ok(()) };
        self.deep.sort();
        let mut header = self.header(Stored::Plies, CHECKPOINT_BLOCK);
        header.stage = Some(Stage { counts: Some(self.counts), ..self.stage });
        self.write(path, &header, LEVELS[1])
    }

    pub(crate) fn header(&self, stored: Stored, block: u32) -> Header {
        let mut header = Header::new(&self.subject, self.size, stored, block);
        header.deep = if stored == Stored::Plies { self.deep.len() } else { 0 };
        header
    }

    pub(crate) fn write(&self, path: &Path, header: &Header, level: i32) -> Result<(), FileError> {
        let byte = |rank: u64| {
            self.field.bytes.get(rank as usize).map_or(ILLEGAL, |byte| byte.load(Relaxed))
        };
        container::write(path, header, level, &|range| match header.stored {
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

    pub(crate) fn load(&mut self, path: &Path, is_drawn: &IsDrawn<'_>) -> Result<(), FileError> {
        let own = self.header(Stored::Plies, CHECKPOINT_BLOCK);
        let (field, deep) = (&mut self.field, &mut self.deep);
        let opened = Container::open(path, 1)?;
        let checkpoint = Checkpoint::new(&opened, &own, is_drawn)?;
        let stage = *checkpoint.stage();
        checkpoint.read(&mut |block| {
            for &(place, plies) in block.longer {
                deep.extend(plies, &[block.start + place as u64]);
            }
            for (place, &(mut value)) in (block.start..).zip(block.bytes) {
                if stage.counts.is_none() && Counts::Narrow.is_open(value) {
                    value = Counts::UNCOUNTED;
                }
                field.bytes[place as usize].store(value, Relaxed);
            }
        })?;
        self.stage = stage;
        self.counts = stage.counts_or_older();
        Ok(())
    }

    /// The values of a finished build in memory.
    pub(crate) fn into_values(self) -> Loaded {
        let bytes = self.field.bytes.into_iter().map(AtomicU8::into_inner).collect();
        Loaded::new(bytes, self.deep.by_rank())
    }
}

/// Fails if more bytes of memory are needed than allowed.
fn check_memory(need: u64, allowed: Option<u64>) -> Result<(), BuildError> {
    match allowed.filter(|&allowed| allowed < need) {
        Some(allowed) => {
            Err(BuildError::Memory { need: need.div_ceil(1 << 20), allowed: allowed >> 20 })
        }
        None => Ok(()),
    }
}
