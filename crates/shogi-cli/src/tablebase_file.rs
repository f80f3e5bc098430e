//! Tablebases that lie where the program looks for them.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::Result;
use shogi_variants::Variant;
use shogi_variants::operations::{AnyTablebase, TablebaseMaking, TablebaseTasks};

/// Most positions of a proof that is drawn from a tablebase: about 10 GB of memory.
pub const MAX_DRAWN: usize = 50_000_000;

/// The tablebase that has the value of a position.
pub enum TablebaseFile {
    /// The file.
    Found(PathBuf, Box<dyn AnyTablebase>),
    /// There is none, and it can be made.
    Missing(TablebaseMaking),
}

impl TablebaseFile {
    /// Looks for the tablebase of a position in the current directory and in
    /// `$XDG_CACHE_HOME/shogi-variants` (`~/.cache/shogi-variants`); `None` for variants without any.
    pub fn find(variant: Variant, position: &str) -> Result<Option<Self>> {
        let Some(world) = variant.tablebases() else { return Ok(None) };
        let (_, name) = world.set_of(position)?;
        let places = [Some(PathBuf::new()), cache()];
        let mut files = places.into_iter().flatten().map(|place| place.join(&name));
        if let Some(path) = files.find(|path| path.is_file()) {
            return Ok(Some(Self::open(world, &path)?));
        }
        Ok(world.making(position)?.map(Self::Missing))
    }

    fn open(world: TablebaseTasks, path: &Path) -> Result<Self> {
        Ok(Self::Found(path.to_owned(), world.open(path)?))
    }
}

/// The folder for files that can be made again.
fn cache() -> Option<PathBuf> {
    let named = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = named("XDG_CACHE_HOME").or_else(|| Some(named("HOME")?.join(".cache")))?;
    Some(folder.join("shogi-variants"))
}
