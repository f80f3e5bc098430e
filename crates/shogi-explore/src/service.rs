//! Tablebases for programs elsewhere: which there are, and the value of a position with all its moves.
//!
//! The answers have the form of lichess's tablebase server, with moves in USI notation.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Value, json};
use shogi_rules::Verdict;
use shogi_variants::Variant;
use shogi_variants::operations::{AnyTablebase, Probed};

use crate::explorer::refused;
use crate::fault::Fault;
use crate::files::{FileContent, OpenError, OpenReason, Opened};

/// Tablebases that are served, by the variant and the pieces.
///
/// ```no_run
/// use shogi_explore::Service;
/// let service = Service::open(&["dobutsu.tablebase"])?;
/// let answer = service.probe("dobutsu", "startpos")?;
/// assert_eq!((&answer["category"], &answer["dtm"]), (&"loss".into(), &(-78).into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Service {
    tables: BTreeMap<ServedPieces, ServedTable>,
}

/// An open tablebase and its file.
struct ServedTable {
    table: Arc<dyn AnyTablebase>,
    path: PathBuf,
}

/// The name of a variant, and the usual name of the file of a tablebase.
type ServedPieces = (&'static str, String);

/// A tablebase in [`Service::about`].
#[derive(Serialize)]
struct Served<'a> {
    variant: &'static str,
    name: &'a str,
    pieces: String,
    positions: u64,
    /// Whether plies are stored, and not verdicts alone.
    plies: bool,
}

/// The value of a position.
#[derive(Serialize)]
struct ServedValue {
    variant: &'static str,
    sfen: String,
    /// `win`, `loss` or `draw` for the player to move.
    category: &'static str,
    /// Plies to the end: more than 0 for a win, at most 0 for a loss.
    dtm: Option<i64>,
    /// The best first.
    moves: Vec<ServedMove>,
}

/// A move with the value of the position after it, which is the opponent's to move.
#[derive(Serialize)]
struct ServedMove {
    usi: String,
    category: &'static str,
    dtm: Option<i64>,
}

impl Service {
    /// Opens tablebases. Of two with the same pieces the last one is served.
    ///
    /// # Errors
    ///
    /// The first file that is no tablebase, has no position, is damaged, or cannot be read.
    pub fn open<P: AsRef<Path>>(paths: &[P]) -> Result<Self, OpenError> {
        let mut tables = BTreeMap::new();
        for path in paths {
            let path = path.as_ref();
            let (pieces, table) = Opened::open(path).and_then(|opened| {
                served(opened).map_err(|reason| OpenError { path: path.to_owned(), reason })
            })?;
            tables.insert(pieces, ServedTable { table, path: path.to_owned() });
        }
        Ok(Self { tables })
    }

    /// The version, and which tablebases there are.
    ///
    /// # Errors
    ///
    /// If a file cannot be read any more.
    pub fn about(&self) -> Result<Value, Fault> {
        let mut tablebases = Vec::new();
        for ((variant, name), ServedTable { table, .. }) in &self.tables {
            let summary = table.summary().map_err(|error| refused(name, error))?;
            let (pieces, positions) = (summary.pieces, summary.totals.positions());
            let plies = table.has_plies();
            tablebases.push(Served { variant, name, pieces, positions, plies });
        }
        Ok(json!({ "version": env!("CARGO_PKG_VERSION"), "tablebases": tablebases }))
    }

    /// The file of the tablebase with this usual name, if there is one.
    pub fn file(&self, name: &str) -> Option<&Path> {
        let mut tables = self.tables.iter();
        tables.find(|((_, usual), _)| usual == name).map(|(_, served)| served.path.as_path())
    }

    /// The value of a position and of its moves, the best first. `category` and `dtm`, the plies to the end, are for
    /// the player to move, who has played it in `moves`: a move after which the opponent loses wins.
    ///
    /// # Errors
    ///
    /// [`Fault::Absent`] if there is no such variant or it has no tablebases, [`Fault::Refused`] if the text stands
    /// for no legal position or the file cannot be read, [`Fault::NoTable`] if no tablebase has its pieces.
    pub fn probe(&self, variant: &str, sfen: &str) -> Result<Value, Fault> {
        let variant: Variant = variant.parse().map_err(|_| Fault::Absent)?;
        let world = variant.tablebases().ok_or(Fault::Absent)?;
        let (_, name) = world.set_of(sfen).map_err(|error| refused(sfen, error))?;
        let key = (variant.name(), name);
        let served = self.tables.get(&key).ok_or_else(|| Fault::NoTable(key.1.clone()))?;
        let probed = served.table.probe(sfen, None).map_err(|error| refused(sfen, error))?;
        let written = variant.rules().position(sfen, None);
        let sfen = written.map_err(|error| refused(sfen, error))?;
        serde_json::to_value(value_of(variant, sfen, probed)).map_err(|_| Fault::Lost)
    }
}

/// A tablebase among those that are served.
fn served(opened: Opened) -> Result<(ServedPieces, Arc<dyn AnyTablebase>), OpenReason> {
    let variant = opened.variant;
    let FileContent::Table { table, root } = opened.content else {
        return Err(OpenReason::NoTable);
    };
    let world = variant.tablebases().ok_or(OpenReason::NoTable)?;
    let (_, name) = world.set_of(&root.ok_or(OpenReason::Empty)?)?;
    Ok(((variant.name(), name), table))
}

fn value_of(variant: Variant, sfen: String, probed: Probed) -> ServedValue {
    let moves = probed.moves.into_iter().map(|played| {
        let after = played.value.for_opponent();
        // The move itself is one of its plies.
        let plies = played.plies.map(|plies| plies.saturating_sub(1));
        ServedMove { usi: played.mv, category: after.name(), dtm: distance(after, plies) }
    });
    let moves = moves.collect();
    let (category, dtm) = (probed.value.name(), distance(probed.value, probed.plies));
    ServedValue { variant: variant.name(), sfen, category, dtm, moves }
}

/// Plies to the end, with a sign for who wins.
fn distance(verdict: Verdict, plies: Option<u32>) -> Option<i64> {
    let plies = i64::from(plies?);
    match verdict {
        Verdict::Win => Some(plies),
        Verdict::Loss => Some(-plies),
        Verdict::Draw => None,
    }
}
