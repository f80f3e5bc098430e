//! Tasks on tablebases whose files are elsewhere.
//!
//! A task answers `{"missing": [[start, end], ...]}` where it needs bytes of the file. The host then supplies these and
//! all that it has supplied for the task before, and calls the task again.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use serde::Serialize;
use shogi_variants::RuleSet;
use shogi_variants::operations::probe;
use shogi_variants::rules::{Dobutsu, Rules as _, Shogi34};
use shogi_variants::tablebase::{
    FileError, FileParts, Stored, Tablebase, World, read_variant_from,
};

use crate::{Answer, Arguments, json, text};

/// What errors call the file: the host knows its address.
const NAME: &str = "tablebase";

/// A tablebase, open once the beginning of its file is there.
struct RemoteTable {
    parts: FileParts,
    table: Option<Box<dyn Table>>,
}

thread_local! {
    /// The tablebases by their numbers, and how many there were.
    static TABLES: RefCell<(BTreeMap<usize, RemoteTable>, usize)> =
        const { RefCell::new((BTreeMap::new(), 0)) };
}

/// What a tablebase is of.
#[derive(Serialize)]
struct About {
    variant: &'static str,
    pieces: String,
    positions: u64,
    /// Whether plies are stored, and not verdicts alone.
    plies: bool,
}

/// The tasks on a tablebase. `AnyTablebase` of the libraries has more, and so more code.
trait Table {
    fn about(&self) -> Answer;
    fn probe(&self, position: &str) -> Answer;
}

impl<R: RuleSet + World> Table for Tablebase<R> {
    fn about(&self) -> Answer {
        json(&About {
            variant: R::NAME,
            pieces: self.set().to_string(),
            positions: self.totals().positions(),
            plies: self.stored() == Stored::Plies,
        })
    }

    fn probe(&self, position: &str) -> Answer {
        json(&probe(self, position, None).map_err(text)?)
    }
}

/// Answers a task, if it is one of these.
pub(crate) fn answer(task: &str, arguments: &mut Arguments<'_>) -> Option<Answer> {
    Some(match task {
        "table" => add(arguments),
        "about-table" => of_table(arguments, |table, _| table.about()),
        "probe" => of_table(arguments, |table, arguments| table.probe(arguments.text()?)),
        "close-table" => close(arguments),
        _ => return None,
    })
}

/// Adds the tablebase of a file of so many bytes; its number is the answer.
fn add(arguments: &mut Arguments<'_>) -> Answer {
    let parts = FileParts::new(arguments.parsed()?);
    TABLES.with_borrow_mut(|(tables, added)| {
        *added += 1;
        tables.insert(*added, RemoteTable { parts, table: None });
        Ok(added.to_string())
    })
}

/// Takes bytes of a file for the next task.
pub(crate) fn supply(table: usize, place: u64, bytes: Vec<u8>) {
    TABLES.with_borrow(|(tables, _)| {
        if let Some(remote) = tables.get(&table) {
            remote.parts.supply(place, bytes);
        }
    });
}

/// Answers a task on a tablebase, which the first argument names.
fn of_table(
    arguments: &mut Arguments<'_>,
    task: impl Fn(&dyn Table, &mut Arguments<'_>) -> Answer,
) -> Answer {
    let number: usize = arguments.parsed()?;
    TABLES.with_borrow_mut(|(tables, _)| {
        let remote = tables.get_mut(&number).ok_or("the tablebase is closed")?;
        let answer = remote.open().and_then(|table| task(table, arguments));
        remote.parts.clear();
        let missing = remote.parts.take_missing();
        if missing.is_empty() { answer } else { json(&Missing::new(&missing)) }
    })
}

impl RemoteTable {
    fn open(&mut self) -> Result<&dyn Table, String> {
        let table = match self.table.take() {
            Some(table) => table,
            None => open(&self.parts)?,
        };
        Ok(&**self.table.insert(table))
    }
}

/// Opens a tablebase by the variant that its file names.
fn open(parts: &FileParts) -> Result<Box<dyn Table>, String> {
    fn read<R: RuleSet + World>(parts: &FileParts) -> Result<Box<dyn Table>, FileError> {
        Ok(Box::new(Tablebase::<R>::read(Box::new(parts.clone()), Path::new(NAME))?))
    }
    let variant = read_variant_from(Box::new(parts.clone()), Path::new(NAME)).map_err(text)?;
    let table = match variant.as_str() {
        Dobutsu::NAME => read::<Dobutsu>(parts),
        Shogi34::NAME => read::<Shogi34>(parts),
        _ => return Err(format!("there are no tablebases of {variant:?}")),
    };
    table.map_err(text)
}

/// The bytes that a task needs.
#[derive(Serialize)]
struct Missing {
    missing: Vec<[u64; 2]>,
}

impl Missing {
    fn new(ranges: &[Range<u64>]) -> Self {
        Self { missing: ranges.iter().map(|range| [range.start, range.end]).collect() }
    }
}

fn close(arguments: &mut Arguments<'_>) -> Answer {
    let number: usize = arguments.parsed()?;
    TABLES.with_borrow_mut(|(tables, _)| tables.remove(&number));
    Ok(String::new())
}
