//! Building a tablebase: passes, progress, checkpoints and the file.

use std::ops::{ControlFlow, Range};
use std::path::Path;

use shogi_rules::{Stalemate, Verdict};

use crate::checkpoint::Checkpoint;
use crate::container::Container;
use crate::error::{BuildError, FileError};
use crate::header::{Header, Stored, Subject, Totals};
use crate::index::{Index, Members};
use crate::loaded::Loaded;
use crate::parallel::BLOCK;
use crate::pieces::PieceSet;
use crate::retrograde::{Passes, Resolved, resolve};
use crate::value::LONGEST;
use crate::work::{BuildState, CHECKPOINT_BLOCK};
use crate::world::World;

/// The progress of a build.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BuildProgress {
    /// The plies of the positions in this pass; `None` while moves are being counted.
    pub plies: Option<u32>,
    /// Positions done in this pass.
    pub done: u64,
    /// Positions in this pass: all numbers of the index, or the positions resolved last where these are listed.
    pub size: u64,
    /// Positions resolved in this pass so far.
    pub resolved: u64,
}

/// Builds the table of all positions of a set of pieces.
///
/// Runs in the rayon pool of the caller; the result does not depend on the number of threads.
pub struct Builder<R: World> {
    index: Index<R>,
    pub(crate) work: BuildState,
}

impl<R: World> Builder<R> {
    /// A new build with at most `memory` bytes: one for each number of the index, and later 24 for each
    /// position of more than 238 plies.
    ///
    /// # Errors
    ///
    /// If there is no index for the set, or the table needs more memory.
    pub fn new(set: PieceSet<R>, memory: Option<u64>) -> Result<Self, BuildError> {
        let index = Index::new(set, Members::Safe)?;
        let subject = Subject::of(index.set());
        let work = BuildState::new(subject, index.size(), index.bytes(), memory)?;
        Ok(Self { index, work })
    }

    /// Keeps a checkpoint in a directory, which is created if missing, and resumes from an existing one.
    /// Removes unfinished files of killed processes.
    ///
    /// # Errors
    ///
    /// If the checkpoint is damaged or of another build, its stage is impossible, or the directory cannot be
    /// created or written to.
    pub fn with_checkpoint(mut self, directory: &Path) -> Result<Self, BuildError> {
        let Self { index, work } = &mut self;
        work.keep_checkpoint(directory, &|rank| is_drawn_at_once(index, rank))?;
        Ok(self)
    }

    /// The numbering of the positions.
    pub const fn index(&self) -> &Index<R> {
        &self.index
    }

    /// Builds until all positions are resolved or `watch` breaks. Then writes a checkpoint, if one is kept; a
    /// later call resumes from there.
    ///
    /// # Errors
    ///
    /// If a checkpoint cannot be written, or the positions of many plies need more memory than is allowed. In
    /// that case a checkpoint is written, and a builder with more memory can resume.
    pub fn run(
        &mut self,
        mut watch: impl FnMut(&BuildProgress) -> ControlFlow<()>,
    ) -> Result<Option<Finished<'_, R>>, BuildError> {
        let Self { index, work } = self;
        let done = work.run(&|work, blocks, all| pass(index, work, blocks, all), &mut watch)?;
        Ok(done.then(|| self.finish()))
    }

    /// The values of a completed build, in memory.
    pub(crate) fn into_values(self) -> Loaded {
        self.finish();
        self.work.into_values()
    }

    /// Ends the build: the unresolved positions are drawn.
    pub(crate) fn finish(&self) -> Finished<'_, R> {
        let totals = self.work.finish(&|rank| self.index.is_second_twin(rank));
        Finished { builder: self, totals }
    }
}

/// Runs a pass over some blocks and returns the resolved positions.
fn pass<R: World>(index: &Index<R>, work: &BuildState, blocks: Range<u64>, all: bool) -> Resolved {
    let passes = Passes::new(index, &work.field, work.counts);
    resolve(blocks, &|block| match work.stage.plies {
        None => {
            passes.begin(block);
            Resolved::default()
        }
        Some(plies) if plies > LONGEST => {
            let listed = work.deep.list(plies).chunks(BLOCK as usize).nth(block as usize);
            passes.advance_listed(listed.unwrap_or_default(), plies)
        }
        Some(plies) => passes.advance(block, plies, all),
    })
}

/// Whether a position is drawn before any move, since the game is over.
fn is_drawn_at_once<R: World>(index: &Index<R>, rank: u64) -> bool {
    index.unrank_u64(rank).is_some_and(|placement| {
        let decided = || matches!(R::verdict(&placement), Some(Verdict::Win | Verdict::Loss));
        let stalemate =
            || R::stalemate() == Stalemate::Draw && R::verdict(&placement) == Some(Verdict::Draw);
        R::is_over(&placement) && !decided() || stalemate()
    })
}

/// Checks the checksums of a checkpoint, its rule set, and that its stage fits its positions. Returns the
/// number of positions of the build and the plies reached, `None` while moves are being counted. For a finished
/// tablebase the whole result is `None`, and its blocks are not read.
///
/// # Errors
///
/// If the file cannot be read, is damaged or of other rules, or its stage is impossible.
pub fn check_checkpoint<R: World>(path: &Path) -> Result<Option<(u64, Option<u32>)>, FileError> {
    let opened = Container::open(path, 1)?;
    let header = &opened.1;
    if header.stage.is_none() {
        return Ok(None);
    }
    let refused = |reason| FileError { path: path.to_owned(), reason };
    let set = header.set::<R>().map_err(refused)?;
    let index = Index::new(set, Members::Safe).map_err(|error| refused(error.into()))?;
    let own = Header::new(&Subject::of(index.set()), index.size(), Stored::Plies, CHECKPOINT_BLOCK);
    let checkpoint = Checkpoint::new(&opened, &own, &|rank| is_drawn_at_once(&index, rank))?;
    Ok(Some((index.size(), checkpoint.stage().plies)))
}

/// A finished build.
pub struct Finished<'a, R: World> {
    builder: &'a Builder<R>,
    totals: Totals,
}

impl<R: World> Finished<'_, R> {
    /// Numbers of positions by value, mirror images folded.
    pub const fn totals(&self) -> &Totals {
        &self.totals
    }

    /// Writes the tablebase, under a temporary name first, and removes the checkpoint.
    ///
    /// # Errors
    ///
    /// If writing fails; the error names the file.
    pub fn write(&self, path: &Path, stored: Stored) -> Result<(), FileError> {
        self.builder.work.write_tablebase(path, stored, self.totals)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::Relaxed;

    use shogi_rules::Shogi34;

    use super::*;
    use crate::retrograde::Field;
    use crate::value::Counts;
    use crate::work::LEVELS;

    /// The bytes of a world whose moves are counted in this way; `after` a pass, without what the first version
    /// of checkpoints did not keep.
    fn bytes(counts: Counts, after: Option<u8>) -> Vec<u8> {
        let set = PieceSet::<Shogi34>::parse("P1G1K2").unwrap();
        let mut builder = Builder::new(set, None).unwrap();
        builder.work.counts = counts;
        let stop = |progress: &BuildProgress| match after {
            Some(plies) if progress.plies == Some(plies.into()) => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        if builder.run(stop).unwrap().is_none() {
            let directory = std::env::temp_dir().join(format!("older-{}", std::process::id()));
            std::fs::create_dir_all(&directory).unwrap();
            let path = directory.join("checkpoint");
            let mut header = builder.work.header(Stored::Plies, CHECKPOINT_BLOCK);
            header.stage = Some(builder.work.stage);
            builder.work.write(&path, &header, LEVELS[1]).unwrap();
            builder = Builder::new(set, None).unwrap();
            builder.work.load(&path, &|_| false).unwrap();
            std::fs::remove_dir_all(directory).unwrap();
            builder.run(|_| ControlFlow::Continue(())).unwrap().unwrap();
        }
        builder.work.field.bytes.iter().map(|byte| byte.load(Relaxed)).collect()
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
