//! Records of games in other formats.

use shogi_records::Format;

use super::{Answer, Session, Task};
use crate::operations::Converted;
use crate::{Error, Variant};

/// Writes the records of a text in another format.
///
/// ```
/// use shogi_variants::Variant;
/// use shogi_variants::rules::record::Format;
/// use shogi_variants::solve::Budget;
/// use shogi_variants::tasks::{ConvertTask, Session, Task as _};
/// let (task, record) = (ConvertTask { from: None, to: Format::Kif }, "startpos moves 5d5c");
/// let mut session = Session::new(Budget::unlimited());
/// let kif = task.answer(Variant::Minishogi, record, &mut session)?;
/// assert!(kif.games[0].contains("５三歩(54)") && kif.from == Format::Usi);
/// # Ok::<(), shogi_variants::Error>(())
/// ```
///
/// The answer is an error if the format is not recognised, the text is no such record, or the other format has no way to write
/// its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct ConvertTask {
    /// Format of the record [default: recognised from the record].
    #[serde(default, deserialize_with = "super::read::optional_name")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FORMAT",
        value_parser = super::choice::parser(<Format as super::choice::Named>::CHOICES)))]
    pub from: Option<Format>,
    /// Format of the output.
    #[serde(deserialize_with = "super::read::name")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FORMAT",
        value_parser = super::choice::parser(<Format as super::choice::Named>::CHOICES)))]
    pub to: Format,
}

impl ConvertTask {
    /// The game that a record is of: [`Variant::of_record`], the games of `first` tried first.
    ///
    /// # Errors
    ///
    /// If the format is not recognised, or the text is no record of any game.
    #[cfg(feature = "text")]
    pub fn game_of(&self, record: &str, first: &[Variant]) -> Result<Variant, Error> {
        Variant::of_record(record, self.format_of(record)?, first)
    }

    fn format_of(&self, record: &str) -> Result<Format, Error> {
        self.from.or_else(|| Format::detect(record)).ok_or(Error::UnknownFormat)
    }
}

impl Task for ConvertTask {
    const NAME: &'static str = "convert";
    type Answer = Converted;

    fn answer(&self, variant: Variant, line: &str, session: &mut Session<'_>) -> Answer<Converted> {
        variant.rules().convert(line, self.format_of(line)?, self.to, session.dialect)
    }
}
