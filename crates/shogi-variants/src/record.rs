//! Records of games of any variant as values.

use alloc::borrow::ToOwned as _;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::hash::{Hash, Hasher};

use shogi_records::{
    Branch, Ending, Format, LeftOut, Line, Notice, Reading, Record, RecordError, WriteError,
};
use shogi_rules::shogi_core::{Colour, RuleTable as _};
use shogi_rules::{Dialect, Game, parse_usi, to_usi_in};

use crate::operations::{Error, MoveError};
use crate::variant::{call, held, value_of_any_variant};
use crate::{AnyGame, AnyPosition, RuleSet, Variant};

value_of_any_variant!(AnyRecord: Records of Record);

/// The record of a game of any variant: a start, a main line and variations with comments, times and bookmarks, and how each
/// ended. See [`Record`].
///
/// ```
/// use shogi_variants::rules::record::Format;
/// use shogi_variants::{AnyRecord, Variant};
/// let text = "startpos moves 5d5c 2a3b";
/// let read = AnyRecord::read(Variant::Minishogi, text, Format::Usi)?;
/// let record = &read.records[0];
/// assert!(record.write(Format::Kif, None)?.contains("５三歩(54)"));
/// assert_eq!(record.moves(None)[1].mv, "2a3b");
/// assert_eq!(record.game()?.to_string(), "position startpos moves 5d5c 2a3b");
/// assert_eq!(record.game()?.record(), *record);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// With the feature `serde` it is its text in the format JSON beside the variant.
#[derive(Clone, PartialEq, Eq)]
pub struct AnyRecord {
    variant: Variant,
    held: Records,
}

/// The records of a text, for [`AnyRecord::read`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct AnyReading {
    /// The records, at least one.
    pub records: Vec<AnyRecord>,
    /// The notices for a reader of the records, in the order in which they were found.
    pub notices: Vec<Notice>,
}

/// A line of play in a record: the main line, or a variation.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct RecordedLine {
    /// Where a variation leaves another line; `None` for the main line.
    pub branch: Option<Branch>,
    /// How many moves of the game come before its first.
    pub moves_before: usize,
    /// Its moves in order.
    pub moves: Vec<RecordedMove>,
    /// How it ended, if the record says so, such as `resignation`: see [`End::how`](shogi_records::End::how).
    pub end: Option<&'static str>,
}

/// A move of a recorded game.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct RecordedMove {
    /// The move in USI notation.
    pub mv: String,
    /// Comments on it, each a line.
    pub comments: Vec<String>,
    /// Bookmarks behind it, each a line.
    pub bookmarks: Vec<String>,
    /// Seconds thought before it.
    pub seconds: Option<u32>,
}

impl RecordedMove {
    /// The moves of a line.
    fn all<R: RuleSet>(line: &Line<R>, dialect: Option<Dialect>) -> Vec<Self> {
        let dialect = dialect.unwrap_or(R::dialect());
        let moves = line.positions().map(|(position, one)| Self {
            mv: to_usi_in(one.mv(), &position, dialect),
            comments: one.comments.clone(),
            bookmarks: one.bookmarks.clone(),
            seconds: one.seconds,
        });
        moves.collect()
    }
}

fn how<R: RuleSet>(ending: Option<&Ending<R>>) -> Option<&'static str> {
    ending.map(|ending| ending.end.how())
}

impl AnyRecord {
    /// Reads all records of a text.
    ///
    /// # Errors
    ///
    /// If the text is no record of the variant: line, column and reason.
    pub fn read(variant: Variant, text: &str, format: Format) -> Result<AnyReading, RecordError> {
        call!(variant, R => {
            let Reading { records, notices, .. } = format.read::<R>(text)?;
            let records = records.into_iter().map(|record| Self::of(variant, record.into()));
            Ok(AnyReading { records: records.collect(), notices })
        })
    }

    pub(crate) const fn of(variant: Variant, held: Records) -> Self {
        Self { variant, held }
    }

    /// The position before the first move.
    pub fn start(&self) -> AnyPosition {
        held!(self, &self.held, Records<R>(record) => {
            AnyPosition::of(self.variant, (*record.start()).into()).numbered(record.first_number)
        })
    }

    /// Names and values in order, such as 先手 and the name of a player.
    pub fn headers(&self) -> &[(String, String)] {
        held!(self, &self.held, Records<R>(record) => &record.headers)
    }

    /// Sets the value of a name.
    pub fn set_header(&mut self, name: &str, value: &str) {
        held!(self, &mut self.held, Records<R>(record) => {
            match record.headers.iter_mut().find(|(known, _)| known == name) {
                Some((_, known)) => value.clone_into(known),
                None => record.headers.push((name.to_owned(), value.to_owned())),
            }
        });
    }

    /// Comments before the first move, each a line.
    pub fn comments(&self) -> &[String] {
        held!(self, &self.held, Records<R>(record) => &record.comments)
    }

    /// All lines, the main line first, each after the one that it leaves.
    pub fn lines(&self, dialect: Option<Dialect>) -> Vec<RecordedLine> {
        held!(self, &self.held, Records<R>(record) => {
            let lines = record.lines().iter().map(|line| RecordedLine {
                branch: line.branch(),
                moves_before: line.moves_before(),
                moves: RecordedMove::all(line, dialect),
                end: how(line.ending()),
            });
            lines.collect()
        })
    }

    /// The moves of the main line.
    pub fn moves(&self, dialect: Option<Dialect>) -> Vec<RecordedMove> {
        held!(self, &self.held, Records<R>(record) => RecordedMove::all(&record.lines()[0], dialect))
    }

    /// How many moves the main line has.
    pub fn plies(&self) -> usize {
        held!(self, &self.held, Records<R>(record) => record.moves().len())
    }

    /// Adds a move in USI notation to the line that was begun last.
    ///
    /// # Errors
    ///
    /// If the text is no move, or the move is not legal after those before it.
    pub fn push(&mut self, mv: &str) -> Result<(), MoveError> {
        held!(self, &mut self.held, Records<R>(record) => {
            record.push(parse_usi(mv)?)?;
            Ok(())
        })
    }

    /// How the game ended, if the record says so: see [`End::how`](shogi_records::End::how).
    pub fn end(&self) -> Option<&'static str> {
        held!(self, &self.held, Records<R>(record) => how(record.ending()))
    }

    /// The winner, if the record says that there is one.
    pub fn winner(&self) -> Option<Colour> {
        held!(self, &self.held, Records<R>(record) => record.winner())
    }

    /// The game, played through by the rules.
    ///
    /// # Errors
    ///
    /// If the record goes on after an end, such as a repetition.
    pub fn game(&self) -> Result<AnyGame, Error> {
        held!(self, &self.held, Records<R>(record) => {
            Ok(AnyGame::of(self.variant, game::<R>(record)?.into()))
        })
    }

    /// The record in a format.
    ///
    /// # Errors
    ///
    /// If the format has no way to write its moves.
    pub fn write(&self, format: Format, dialect: Option<Dialect>) -> Result<String, WriteError> {
        held!(self, &self.held, Records<R>(record) => {
            format.write_in(record, dialect.unwrap_or(R::dialect()))
        })
    }

    /// The parts of the record that a format cannot hold.
    pub fn left_out(&self, format: Format) -> LeftOut {
        held!(self, &self.held, Records<R>(record) => format.left_out(record))
    }
}

fn game<R: RuleSet>(record: &Record<R>) -> Result<Game<R>, Error> {
    let mut game = Game::new(*record.start()).numbered_from(record.first_number);
    for (number, (position, one)) in (1..).zip(record.positions()) {
        let text = || to_usi_in(one.mv(), &position, R::dialect());
        // A record may go on after a repetition, a game does not.
        let played = game.play(one.mv());
        played.map_err(|reason| Error::Illegal { number, text: text(), reason })?;
    }
    Ok(game)
}

impl Hash for AnyRecord {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.start(), self.plies()).hash(state);
    }
}

impl fmt::Debug for AnyRecord {
    /// The variant and all that the record has.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.variant)?;
        held!(self, &self.held, Records<R>(record) => fmt::Debug::fmt(record, f))
    }
}

/// How a record is written and read as data.
#[cfg(feature = "serde")]
mod as_data {
    use serde::de::{Deserialize, Deserializer, Error as _};
    use serde::ser::{Error as _, Serialize, Serializer};

    use super::*;

    #[derive(serde::Serialize, serde::Deserialize)]
    struct RecordText {
        variant: Variant,
        record: String,
    }

    impl Serialize for AnyRecord {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let record = self.write(Format::Json, None).map_err(S::Error::custom)?;
            RecordText { variant: self.variant, record }.serialize(serializer)
        }
    }

    impl<'de> Deserialize<'de> for AnyRecord {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let RecordText { variant, record } = RecordText::deserialize(deserializer)?;
            let read = Self::read(variant, &record, Format::Json).map_err(D::Error::custom)?;
            let first = read.records.into_iter().next();
            first.ok_or_else(|| D::Error::custom("the text has no record"))
        }
    }
}
