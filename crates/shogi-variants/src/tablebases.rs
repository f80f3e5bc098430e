//! The tablebases of a directory, as values for a player.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use shogi_core::Position;
use shogi_search::{KnownValue, KnownValues};
use shogi_tablebase::{FileError, PieceSet, Tablebase, Value, World, file_name};

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
    /// What was looked for, with what was found.
    opened: Mutex<Vec<(PieceSet<R>, Opened<R>)>>,
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
}

impl<R: World> KnownValues<R> for Tablebases<R> {
    fn in_directory(directory: &Path) -> Self {
        Self { directory: directory.to_owned(), opened: Mutex::default() }
    }

    fn value(&self, position: &Position<R>) -> Option<KnownValue> {
        let table = self.table(PieceSet::of(position)).ok()?;
        let Value { verdict, plies } = table.probe(position).ok()?;
        Some(KnownValue { verdict, plies })
    }

    fn missing(&self, position: &Position<R>) -> Option<String> {
        let error = self.table(PieceSet::of(position)).err()?;
        Some(format!("the player plays without a tablebase: {error}"))
    }
}
