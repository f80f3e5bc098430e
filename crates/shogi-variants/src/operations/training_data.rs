//! Examples that evaluations are fitted to: archives of self-play, and the community's training data.

use std::boxed::Box;
use std::io::{Read, Write};
use std::string::String;
use std::vec::Vec;

use shogi_files::sealed::At;
use shogi_learn::LearnReason;
use shogi_learn::archive::Archive;
use shogi_learn::self_play::{Effort, SelfPlay};
use shogi_learn::targets::{Aim, Target};
use shogi_learn::training_data::{DataEntry, DataFormat, EntryError, entries};
use shogi_rules::Rules;

use super::Error;
use super::self_play::read;

/// A file of examples to learn from.
pub enum Examples<'e> {
    /// An archive of self-play.
    Archive(&'e [u8]),
    /// The community's training data, which is read once, from its beginning to its end. Entries whose move is illegal
    /// in their position are skipped and added to the count, if there is one; else they are errors.
    Data(DataFormat, &'e mut dyn Read, Option<&'e mut u64>),
}

/// The counts of [`LearningTasks::convert`](super::LearningTasks::convert).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, serde::Serialize)]
pub struct ConvertedData {
    /// How many games were read from archives.
    pub games: u64,
    /// How many positions were written, from all files together.
    pub positions: u64,
}

/// The positions of all files together, with their values.
pub(super) struct Aims<R: Rules> {
    pub(super) targets: Vec<Target<R>>,
    pub(super) games: usize,
    /// Where they are from, in words.
    pub(super) origin: String,
}

/// Reads all files, in their order, and aims at what `aim` says.
pub(super) fn aims<R: Rules>(files: &mut [Examples<'_>], aim: Aim) -> Result<Aims<R>, Error> {
    let mut aims = Aims { targets: Vec::new(), games: 0, origin: String::new() };
    for (index, file) in files.iter_mut().enumerate() {
        let origin = aims.add(file, aim);
        let origin = origin.map_err(|reason| Error::Archive { index, reason: Box::new(reason) })?;
        if index > 0 {
            aims.origin.push_str("; ");
        }
        aims.origin.push_str(&origin);
    }
    Ok(aims)
}

impl<R: Rules> Aims<R> {
    /// Adds those of a file; says where they are from.
    fn add(&mut self, file: &mut Examples<'_>, aim: Aim) -> Result<String, Error> {
        match file {
            Examples::Archive(bytes) => {
                let archive: Archive<R> = read(bytes)?;
                let games = archive.games.len();
                self.games += games;
                let origin = played(games, archive.evaluation(), archive.settings());
                self.targets.extend(aim.of_games(&[archive]));
                Ok(origin)
            }
            Examples::Data(format, input, skipped) => {
                let mut judged = Vec::new();
                for entry in read_data::<R>(*format, input, skipped) {
                    let entry = entry?;
                    if !format.has_results() {
                        return Err(Error::NoResults(format.name()));
                    }
                    judged.extend(entry.judged());
                }
                let origin = std::format!("{} positions of {}", judged.len(), format.name());
                self.targets.extend(aim.of_positions(&judged));
                Ok(origin)
            }
        }
    }
}

/// The entries of training data, but those with an illegal move where these are counted.
fn read_data<'d, R: Rules>(
    format: DataFormat,
    input: &'d mut dyn Read,
    skipped: &'d mut Option<&mut u64>,
) -> impl Iterator<Item = Result<DataEntry<R>, Error>> {
    format.read::<R, _>(input).filter_map(move |entry| match (entry, skipped.as_deref_mut()) {
        (Err(At { reason: LearnReason::BestMove(_), .. }), Some(count)) => {
            *count += 1;
            None
        }
        (entry, _) => Some(entry.map_err(Error::library)),
    })
}

/// How games of an archive were played.
fn played(games: usize, evaluation: &str, settings: &SelfPlay) -> String {
    let SelfPlay { seed, effort, .. } = settings;
    let effort = match effort {
        Effort::Nodes(nodes) => std::format!("{nodes} nodes"),
        Effort::Milliseconds(time) => std::format!("{time} ms"),
    };
    std::format!("{games} games by {evaluation}, seed {seed}, {effort} a move")
}

/// Writes all files in another format, one after the other.
pub(super) fn convert<R: Rules>(
    files: &mut [Examples<'_>],
    to: DataFormat,
    out: &mut dyn Write,
) -> Result<ConvertedData, Error> {
    let mut converted = ConvertedData::default();
    for (index, file) in files.iter_mut().enumerate() {
        let blamed = |reason| Error::Archive { index, reason: Box::new(reason) };
        let mut write = |entry: &DataEntry<R>| {
            converted.positions += 1;
            to.write(entry, out).map_err(|error| match error {
                EntryError::Io(error) => Error::library(error),
                error => blamed(Error::library(error)),
            })
        };
        match file {
            Examples::Archive(bytes) => {
                let archive = read::<R>(bytes).map_err(blamed)?;
                for game in &archive.games {
                    entries(game, to).try_for_each(|entry| write(&entry))?;
                }
                converted.games += archive.games.len() as u64;
            }
            Examples::Data(format, input, skipped) => {
                for entry in read_data(*format, input, skipped) {
                    write(&entry.map_err(blamed)?)?;
                }
            }
        }
    }
    Ok(converted)
}
