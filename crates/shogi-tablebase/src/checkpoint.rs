//! Reads the checkpoint of a build and checks its stage against its bytes.
//!
//! A build that resumes from a stage that it never reached writes a false table. The positions done in a pass
//! cannot be recognised without repeating it; everything else in the stage is compared with the bytes.

use std::collections::BTreeMap;

use crate::container::Container;
use crate::deep;
use crate::error::{FileError, StageError};
use crate::header::{Header, Stage, different};
use crate::parallel::BLOCK;
use crate::value::{Counts, DRAW, ILLEGAL, LONGEST, byte_of, is_deep};

/// The most threads that may resolve the same position at the same time; each of them counts it.
const MOST_THREADS: u64 = 1 << 16;

/// Whether the position with a number is drawn before any move, since the game is over.
pub(crate) type IsDrawn<'a> = dyn Fn(u64) -> bool + 'a;

/// The checkpoint of a build, checked.
pub(crate) struct Checkpoint<'a> {
    container: &'a Container,
    stage: Stage,
    /// Whether some positions have more plies than a byte holds.
    has_deep: bool,
}

/// A block of a checkpoint.
pub(crate) struct Block<'a> {
    /// Its first number.
    pub(crate) start: u64,
    pub(crate) bytes: &'a [u8],
    /// Places and plies of positions with more plies than a byte holds.
    pub(crate) longer: &'a [(usize, u32)],
}

impl<'a> Checkpoint<'a> {
    /// Checks an opened checkpoint of a build whose header would equal `own` except for the stage.
    pub(crate) fn new(
        (container, header): &'a (Container, Header),
        own: &Header,
        is_drawn: &IsDrawn<'_>,
    ) -> Result<Self, FileError> {
        let own = Header { stage: header.stage, deep: header.deep, ..own.clone() };
        let refused = |reason| FileError { path: container.path().to_owned(), reason };
        let Some(stage) = header.stage.filter(|_| *header == own) else {
            let set = format!("{} {}", header.variant, header.pieces);
            let expected = format!("a checkpoint of {} {}", own.variant, own.pieces);
            return Err(refused(different("content", &set, &expected)));
        };
        let checkpoint = Self { container, stage, has_deep: header.deep > 0 };
        let mut stored = StoredCounts::new(stage, header);
        let mut found = Ok(());
        checkpoint.read(&mut |block| {
            if found.is_ok() {
                found = stored.add(&block, is_drawn);
            }
        })?;
        let checked = found.and_then(|()| stored.check());
        checked.map_err(|error| refused(error.into()))?;
        Ok(checkpoint)
    }

    /// The stage of the build.
    pub(crate) const fn stage(&self) -> &Stage {
        &self.stage
    }

    /// Visits each block in order.
    pub(crate) fn read(&self, visit: &mut dyn FnMut(Block<'_>)) -> Result<(), FileError> {
        for number in 0..self.container.layout().blocks() {
            let bytes = self.container.block(number)?;
            let start = self.container.layout().range(number).start;
            let length = self.container.length(number);
            let longer: Vec<_> =
                if self.has_deep { deep::plies_in(&bytes, length).collect() } else { Vec::new() };
            visit(Block { start, bytes: &bytes[..length], longer: &longer });
        }
        Ok(())
    }
}

impl Stage {
    /// How moves are counted.
    pub(crate) fn counts_or_older(&self) -> Counts {
        self.counts.unwrap_or(Counts::Narrow)
    }

    /// The most plies that a position may have. Up to two plies are found while moves are counted.
    fn most_plies(&self) -> u32 {
        self.plies.map_or(2, |plies| plies.saturating_add(1).max(2))
    }
}

/// Counts over the bytes of a checkpoint, to be compared with its stage.
struct StoredCounts {
    stage: Stage,
    /// Numbers of the index; positions from the second number on are not begun.
    numbers: u64,
    begun: u64,
    /// How many positions have more plies than a byte holds, by the header.
    longer: u64,
    /// How often each byte occurs, and how often each number of plies among the longer positions.
    bytes: [u64; 256],
    plies: BTreeMap<u32, u64>,
}

impl StoredCounts {
    fn new(stage: Stage, header: &Header) -> Self {
        let numbers = header.numbers;
        let begun = match stage.plies {
            None => numbers.min(stage.block.saturating_mul(BLOCK)),
            Some(_) => numbers,
        };
        let plies = BTreeMap::new();
        Self { stage, numbers, begun, longer: header.deep, bytes: [0; 256], plies }
    }

    /// Adds a block. Before the end of the build a position is drawn only where the game is over at once;
    /// positions not begun have the same byte.
    fn add(&mut self, block: &Block<'_>, is_drawn: &IsDrawn<'_>) -> Result<(), StageError> {
        for (rank, &byte) in (block.start..).zip(block.bytes) {
            self.bytes[usize::from(byte)] += 1;
            let is_fitting = match byte {
                DRAW => rank >= self.begun || is_drawn(rank),
                _ => rank < self.begun,
            };
            if !is_fitting {
                return Err(StageError::Begun);
            }
        }
        let most = self.stage.most_plies();
        for &(place, plies) in block.longer {
            if !(LONGEST + 1..=most).contains(&plies) || block.bytes[place] != byte_of(plies) {
                return Err(StageError::Plies { plies, most });
            }
            *self.plies.entry(plies).or_default() += 1;
        }
        Ok(())
    }

    /// Number of positions with this many plies.
    fn count(&self, plies: u32) -> u64 {
        match u8::try_from(plies) {
            Ok(byte) if plies <= LONGEST => self.bytes[usize::from(byte)],
            _ => self.plies.get(&plies).copied().unwrap_or(0),
        }
    }

    /// Compares the counts with the stage.
    fn check(&self) -> Result<(), StageError> {
        let Stage { plies, block, .. } = self.stage;
        self.check_counts()?;
        for byte in (0..=u8::MAX).filter(|&byte| self.bytes[usize::from(byte)] > 0) {
            self.check_byte(byte)?;
        }
        if self.plies.values().sum::<u64>() != self.longer {
            return Err(StageError::Longer);
        }
        // A pass that resolves nothing is the last.
        let passed = 3..=plies.unwrap_or(0);
        if let Some(plies) = passed.into_iter().find(|&plies| self.count(plies) == 0) {
            return Err(StageError::Passed(plies));
        }
        let size = match plies {
            Some(plies) if plies > LONGEST => self.count(plies),
            _ => self.numbers,
        };
        let blocks = size.div_ceil(BLOCK);
        if block > blocks {
            return Err(StageError::Block { block, blocks });
        }
        self.check_resolved()
    }

    fn check_counts(&self) -> Result<(), StageError> {
        let counts = self.stage.counts_or_older();
        let needed = Counts::beside(self.stage.most_plies());
        // Where the plies leave room for many moves, older builds counted few.
        let is_older = counts == Counts::Narrow && needed == Counts::Wide;
        if counts == needed || is_older { Ok(()) } else { Err(StageError::Counts) }
    }

    fn check_byte(&self, byte: u8) -> Result<(), StageError> {
        let (counts, most) = (self.stage.counts_or_older(), self.stage.most_plies());
        if matches!(byte, DRAW | ILLEGAL) || counts.is_open(byte) {
            return Ok(());
        }
        if counts == Counts::Deep && is_deep(byte) || u32::from(byte) <= most.min(LONGEST) {
            return Ok(());
        }
        Err(StageError::Plies { plies: byte.into(), most })
    }

    /// Checks that the positions that this pass has resolved exist, each counted once or by several threads at
    /// a time.
    fn check_resolved(&self) -> Result<(), StageError> {
        let resolved = self.stage.resolved;
        let (least, most) = match self.stage.plies {
            None => (0, 0),
            Some(plies) => {
                let there = self.count(plies.saturating_add(1));
                // Those of up to two plies are found before, too.
                (if plies < 2 { 0 } else { there }, there.saturating_mul(MOST_THREADS))
            }
        };
        if (least..=most).contains(&resolved) {
            Ok(())
        } else {
            Err(StageError::Resolved(resolved))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::ops::ControlFlow;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    use shogi_rules::{Dobutsu, Shogi34};

    use super::*;
    use crate::header::Stored;
    use crate::work::{CHECKPOINT_BLOCK, LEVELS};
    use crate::{BuildError, BuildProgress, Builder, PieceSet, World, check_checkpoint};

    /// The build of a set that was stopped in the pass of these plies, after its last position.
    fn stopped<R: World>(set: PieceSet<R>, plies: Option<u32>) -> Builder<R> {
        let mut builder = Builder::new(set, None).unwrap();
        let stop = |progress: &BuildProgress| {
            let is_there = progress.plies == plies;
            if is_there { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        assert!(builder.run(stop).unwrap().is_none());
        builder
    }

    /// Why the check and a build refuse a checkpoint with this stage; `None` if they accept it.
    fn refusal<R: World>(builder: &Builder<R>, stage: Stage) -> Option<String> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Relaxed);
        let name = format!("stage-{number}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).unwrap();
        let subject = crate::header::Subject::of(builder.index().set());
        let path = folder.join(subject.checkpoint());
        let mut header = builder.work.header(Stored::Plies, CHECKPOINT_BLOCK);
        header.stage = Some(stage);
        builder.work.write(&path, &header, LEVELS[1]).unwrap();
        let checked = check_checkpoint::<R>(&path).err().map(|error| error.to_string());
        let again = Builder::new(*builder.index().set(), None).unwrap().with_checkpoint(&folder);
        let resumed = again.err().map(|error| match error {
            BuildError::File(error) => error.to_string(),
            error => panic!("{error}"),
        });
        assert_eq!(checked, resumed);
        fs::remove_dir_all(folder).unwrap();
        checked
            .map(|error| error.strip_prefix(&format!("{}: ", path.display())).unwrap().to_owned())
    }

    fn refuses<R: World>(set: &str) {
        let set = PieceSet::<R>::parse(set).unwrap();
        for plies in [None, Some(0), Some(1), Some(2), Some(3), Some(6), Some(7)] {
            let builder = stopped(set, plies);
            let own = Stage { counts: Some(builder.work.counts), ..builder.work.stage };
            assert_eq!(refusal(&builder, own), None, "{own:?}");
            let refused = |stage: Stage| {
                let reason =
                    refusal(&builder, stage).unwrap_or_else(|| panic!("{stage:?} is taken"));
                assert!(reason.starts_with("the stage is none of a build: "), "{reason}");
            };
            refused(Stage { plies: Some(1 << 31), ..own });
            refused(Stage { plies: Some(u32::MAX), ..own });
            refused(Stage { block: 1 << 63, ..own });
            refused(Stage { block: own.block + 1, ..own });
            refused(Stage { resolved: 1 << 63, ..own });
            refused(Stage { counts: Some(Counts::Narrow), ..own });
            refused(Stage { counts: Some(Counts::Deep), ..own });
            refused(Stage { counts: None, ..own });
            match plies {
                None => refused(Stage { block: 0, ..own }),
                Some(plies) if plies >= 2 => {
                    refused(Stage { plies: None, ..own });
                    refused(Stage { plies: None, resolved: 0, ..own });
                    refused(Stage { plies: Some(plies + 1), ..own });
                    refused(Stage { plies: Some(plies + 3), resolved: 0, ..own });
                    refused(Stage { plies: Some(plies - 1), ..own });
                    refused(Stage { resolved: 0, ..own });
                }
                Some(_) => {}
            }
        }
    }

    #[test]
    fn a_stage_that_no_build_reaches_is_refused() {
        refuses::<Shogi34>("P1G1K2");
        refuses::<Dobutsu>("C2E1L2");
    }

    #[test]
    fn positions_whose_moves_are_not_counted_are_found() {
        let set = PieceSet::<Shogi34>::parse("P1G1K2").unwrap();
        let fresh = Builder::new(set, None).unwrap();
        let stage = |plies, block| Stage { plies, block, resolved: 0, counts: Some(Counts::Wide) };
        assert_eq!(refusal(&fresh, stage(None, 0)), None);
        for begun in [stage(None, 1), stage(Some(0), 0), stage(Some(1), 0)] {
            let reason = refusal(&fresh, begun).unwrap();
            assert!(reason.ends_with("other positions are begun"), "{reason}");
        }
    }
}
