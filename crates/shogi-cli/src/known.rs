//! Tablebases that lie where the program looks for them.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::Result;
use shogi_variants::Variant;
use shogi_variants::operations::{AnyTablebase, AnyWorld};

/// Most positions of a proof that is drawn from a tablebase: about 10 GB of memory.
pub const MAX_DRAWN: usize = 50_000_000;

/// The tablebase with a position.
pub enum Known {
    /// The file.
    Table(PathBuf, Box<dyn AnyTablebase>),
    /// There is none, and this command makes it.
    Missing(String),
}

impl Known {
    /// Looks for the tablebase of a position in the current directory and in
    /// `$XDG_CACHE_HOME/shogi-variants` (`~/.cache/shogi-variants`); `None` for variants without any.
    ///
    /// # Errors
    ///
    /// If a file is there but cannot be used, or the position is illegal.
    pub fn find(variant: Variant, position: &str) -> Result<Option<Self>> {
        let Some(world) = variant.tablebases() else { return Ok(None) };
        let (set, name) = world.set_of(position)?;
        let places = [Some(PathBuf::new()), cache()];
        let file = places.into_iter().flatten().map(|place| place.join(&name));
        Ok(Some(match file.into_iter().find(|path| path.is_file()) {
            Some(path) => Self::open(world, &path)?,
            None => Self::Missing(command(variant, &set, &name)),
        }))
    }

    fn open(world: &dyn AnyWorld, path: &Path) -> Result<Self> {
        Ok(Self::Table(path.to_owned(), world.open(path)?))
    }
}

/// The folder for files that can be made again.
fn cache() -> Option<PathBuf> {
    let named = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = named("XDG_CACHE_HOME").or_else(|| Some(named("HOME")?.join(".cache")))?;
    Some(folder.join("shogi-variants"))
}

/// The command that makes the tablebase of a set.
fn command(variant: Variant, set: &str, name: &str) -> String {
    let only = name == format!("{variant}.tablebase");
    let class = if only { String::new() } else { format!(" --class {set}") };
    format!("shogi tablebase build {variant}{class} --out {name}")
}
