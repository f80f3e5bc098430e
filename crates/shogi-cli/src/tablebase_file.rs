//! Tablebases that lie where the program looks for them.

use std::env;
use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::Result;
use shogi_variants::Variant;
use shogi_variants::operations::{AnyTablebase, TablebaseTasks};

/// Most positions of a proof that is drawn from a tablebase: about 10 GB of memory.
pub const MAX_DRAWN: usize = 50_000_000;

/// The tablebase that has the value of a position.
pub enum TablebaseFile {
    /// The file.
    Found(PathBuf, Box<dyn AnyTablebase>),
    /// There is none, and it can be made.
    Missing(Making),
}

/// How a tablebase is made, and what that takes.
pub struct Making {
    /// The command.
    command: String,
    /// How many positions it goes through.
    size: u64,
}

impl fmt::Display for Making {
    /// Writes the command with the time, disk space and memory it takes. They are those of Dobutsu shogi's
    /// 167 million positions on two cores (40 s, 56 MB, 168 MB), in proportion; where other games differ,
    /// it is by less than two to one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { command, size } = self;
        let millions = *size as f64 / 1e6;
        let [seconds, megabytes, memory] =
            [0.24, 0.335, 1.0].map(|each| (each * millions).max(1.0));
        write!(
            f,
            "{command} (about {seconds:.0} s, {megabytes:.0} MB, {memory:.0} MB of memory meanwhile)"
        )
    }
}

impl TablebaseFile {
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
        let mut files = places.into_iter().flatten().map(|place| place.join(&name));
        if let Some(path) = files.find(|path| path.is_file()) {
            return Ok(Some(Self::open(world, &path)?));
        }
        // Pieces that are set up by hand may have too many positions for any tablebase.
        let making = |size| Self::Missing(Making { command: command(variant, &set, &name), size });
        Ok(world.size_for(position).ok().map(making))
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

/// The command that makes the tablebase of a set.
fn command(variant: Variant, set: &str, name: &str) -> String {
    let only = name == format!("{variant}.tablebase");
    let class = if only { String::new() } else { format!(" --class {set}") };
    format!("shogi tablebase build {variant}{class} --out {name}")
}
