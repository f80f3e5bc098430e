//! The tablebases of a directory, as values for a player.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::fmt::Display;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use shogi_core::Position;
use shogi_search::{KnownValue, KnownValues};
use shogi_tablebase::{FileError, PieceSet, ProbeError, Tablebase, Value, World, file_name};

/// The tablebases in a directory under their usual names
/// ([`file_name`]), each opened when a position with its pieces comes up.
///
/// ```no_run
/// use std::path::Path;
/// use std::sync::Arc;
/// use shogi_rules::Dobutsu;
/// use shogi_search::{Evaluation, KnownValues as _, Player, Settings};
/// use shogi_variants::{Tablebases, search as shogi_search, rules as shogi_rules};
/// let tables = Tablebases::<Dobutsu>::in_directory(Path::new("tables"));
/// let player = Player::new(Evaluation::standard(), Settings::default());
/// let player = player.with_known_values(Arc::new(tables));
/// ```
pub struct Tablebases<R: World> {
    directory: PathBuf,
    /// The sets that were looked for, with the tables that were found.
    opened: Mutex<Vec<(PieceSet<R>, Opened<R>)>>,
    faults: Mutex<Faults>,
}

/// The faults in looking positions up, each of them once.
#[derive(Default)]
struct Faults {
    all: Vec<String>,
    /// How many of them were taken.
    taken: usize,
}

/// A tablebase, or why it cannot be used.
type Opened<R> = Result<Arc<Tablebase<R>>, Arc<FileError>>;

impl<R: World> Tablebases<R> {
    /// The tablebase of a set.
    fn table(&self, set: PieceSet<R>) -> Opened<R> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, table)) = opened.iter().find(|(known, _)| *known == set) {
            return table.clone();
        }
        let table = Tablebase::open(&self.directory.join(file_name(&set)));
        let table = table.map(Arc::new).map_err(Arc::new);
        opened.push((set, table.clone()));
        table
    }

    /// Why the tablebase of a set cannot be used, if so.
    fn missing_of(&self, set: PieceSet<R>) -> Option<String> {
        Some(without(&self.table(set).err()?))
    }

    /// Keeps what went wrong in a tablebase.
    fn keep_fault(&self, fault: String) {
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        if !faults.all.contains(&fault) {
            faults.all.push(fault);
        }
    }
}

fn without(reason: &dyn Display) -> String {
    format!("the player plays without a tablebase: {reason}")
}

/// Why a directory is without any tablebase of a variant, if so.
fn missing_in(directory: &Path, variant: &str) -> Option<String> {
    let name = format!("{variant}-");
    let is_table = |file: &OsStr| {
        let file = file.to_string_lossy();
        file.starts_with(&name) && file.ends_with(".tablebase")
    };
    let reason = match fs::read_dir(directory) {
        Ok(files) => {
            let mut names = files.flatten().map(|file| file.file_name());
            if names.any(|file| is_table(&file)) {
                return None;
            }
            format!("there is none of {variant}")
        }
        Err(error) => error.to_string(),
    };
    Some(without(&format_args!("{}: {reason}", directory.display())))
}

impl<R: World> KnownValues<R> for Tablebases<R> {
    fn in_directory(directory: &Path) -> Self {
        let (opened, faults) = (Mutex::default(), Mutex::default());
        Self { directory: directory.to_owned(), opened, faults }
    }

    fn value(&self, position: &Position<R>) -> Option<KnownValue> {
        let table = self.table(PieceSet::of(position)).ok()?;
        match table.probe(position) {
            Ok(Value { verdict, plies }) => Some(KnownValue { verdict, plies }),
            Err(ProbeError::Pieces { .. } | ProbeError::Illegal(_)) => None,
            Err(ProbeError::File(error)) => {
                self.keep_fault(error.to_string());
                None
            }
            Err(error) => {
                self.keep_fault(format!("{}: {error}", table.path().display()));
                None
            }
        }
    }

    fn missing(&self, position: &Position<R>) -> Option<String> {
        self.missing_of(PieceSet::of(position))
    }

    fn unusable(&self) -> Option<String> {
        match R::default_set() {
            Some(only) => self.missing_of(only),
            None => missing_in(&self.directory, R::NAME),
        }
    }

    fn take_faults(&self) -> Vec<String> {
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = faults.taken;
        faults.taken = faults.all.len();
        faults.all[taken..].to_vec()
    }
}
