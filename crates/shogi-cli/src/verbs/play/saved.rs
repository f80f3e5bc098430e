//! The file that keeps a game.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow};
use shogi_records::{Encoding, Format, RecordError, decode};
use shogi_rules::shogi_core::Colour;
use shogi_search::Level;
use shogi_variants::Error;
use shogi_variants::play::AnyPlay;

use crate::end::Usage;
use crate::file;
use crate::variant::Variant;

/// The headers that name the players.
const PLAYERS: [&str; 2] = ["先手", "後手"];
/// The name of the person.
const YOU: &str = "You";
/// The name of the player, before the number of its level.
const PLAYER: &str = "shogi, level ";

/// The file of a game.
pub struct Saved {
    path: PathBuf,
    /// Its contents.
    record: Option<String>,
}

/// A record that was found in the file of a game.
#[derive(Clone, Copy)]
pub struct Found<'a> {
    /// The file.
    pub path: &'a Path,
    text: &'a str,
}

impl Saved {
    /// The file at a path, with the record in it if it exists.
    ///
    /// # Errors
    ///
    /// Where it cannot be read or written; [`Usage`] where it is standard output.
    pub fn at(path: &Path) -> Result<Self> {
        if file::is_standard(path) {
            let reason = "--save needs a file, not standard output".to_owned();
            return Err(Usage(reason).into());
        }
        let record = if path.exists() {
            let bytes = file::read(path, file::MOST_RECORD_BYTES)?;
            Some(decode(&bytes).with_context(|| file::name(path))?.0)
        } else {
            None
        };
        file::check_writable(path)?;
        Ok(Self { path: path.to_owned(), record })
    }

    /// The record that was found, if there was one.
    pub fn record(&self) -> Option<Found<'_>> {
        self.record.as_deref().map(|text| Found { path: &self.path, text })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Writes the record of a game, in the encoding that is the custom for the name of the file, or in UTF-8 where that lacks
/// a character.
pub fn write(game: &AnyPlay, path: &Path) -> Result<()> {
    let text = game.kif()?;
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    let by_custom = Format::Kif.to_bytes(&text, Encoding::of_extension(&extension));
    file::write_whole(path, &by_custom.unwrap_or_else(|_| text.into_bytes()))
}

/// The game of a record.
pub fn resume(variant: Variant, found: Found<'_>, level: Level) -> Result<AnyPlay> {
    variant.resume_play(found.text, level).map_err(|error| match error {
        Error::Record(RecordError { line, column, reason }) => {
            anyhow!("{}:{line}:{column}: {reason}", file::name(found.path))
        }
        error => anyhow!(error).context(file::name(found.path)),
    })
}

/// Names both players in the record.
pub fn name_players(game: &mut AnyPlay, you: Colour, level: Level) {
    let player = format!("{PLAYER}{}", level.number());
    for colour in Colour::ALL {
        let name = if colour == you { YOU } else { &player };
        game.set_header(PLAYERS[colour.index()], name);
    }
}

/// The side of the person, if the record says so.
pub fn side_of(game: &AnyPlay) -> Option<Colour> {
    Colour::ALL.into_iter().find(|colour| game.header(PLAYERS[colour.index()]) == Some(YOU))
}

/// The number of the player's level, if the record says so.
pub fn level_of(game: &AnyPlay) -> Option<u8> {
    let names = PLAYERS.into_iter().filter_map(|header| game.header(header)?.strip_prefix(PLAYER));
    let number = names.filter_map(|number| number.parse().ok()).next();
    number.filter(|&number| Level::new(number).is_some())
}
