//! Which game a record is of.

use alloc::vec::Vec;

use shogi_records::Format;

use super::Error;
use crate::Variant;

impl Variant {
    /// The game that a record is of: the first one by whose rules it is read as it stands; if none is, the one with the
    /// fewest notices. The games of `first` are tried first, then shogi, then the others that are built in.
    ///
    /// # Errors
    ///
    /// If it is a record of none of them: what is wrong by the rules of the game that it is read furthest by. In USI
    /// `startpos` stands for the start of any game: [`Error::SeveralGames`] where it fits more than one game, and none
    /// of `first`.
    ///
    /// A position in SFEN is not refused so: its pieces are those of few games, and where they are those of several, as of
    /// shogi and a game like it, the first one tried is meant.
    ///
    /// ```
    /// use shogi_variants::Variant;
    /// use shogi_variants::rules::record::Format;
    /// let text = "position startpos moves 5d5c 2a3b";
    /// assert_eq!(Variant::of_record(text, Format::Usi, &[])?, Variant::Minishogi);
    /// let error = Variant::of_record("startpos moves 7g7f 3c3e", Format::Usi, &[]).unwrap_err();
    /// assert!(error.to_string().starts_with("line 1, column 21: the move 3c3e is illegal"));
    /// let kings = "sfen 4k4/9/9/9/9/9/9/9/4K4 b G 1 moves G*5b";
    /// assert_eq!(Variant::of_record(kings, Format::Usi, &[])?, Variant::Shogi);
    /// let unclear = "startpos moves 2c2b";
    /// assert!(Variant::of_record(unclear, Format::Usi, &[]).is_err());
    /// assert_eq!(Variant::of_record(unclear, Format::Usi, &[Variant::Dobutsu])?, Variant::Dobutsu);
    /// # Ok::<(), shogi_variants::Error>(())
    /// ```
    pub fn of_record(record: &str, from: Format, first: &[Self]) -> Result<Self, Error> {
        let is_unclear = from == Format::Usi && record.contains("startpos");
        let mut fitting: Vec<(usize, Self)> = Vec::new();
        let mut furthest: Option<Error> = None;
        for variant in Self::candidates(first) {
            let is_preferred = !is_unclear || first.contains(&variant);
            match variant.rules().notices(record, from) {
                Ok(notices) if notices.is_empty() && is_preferred => return Ok(variant),
                Ok(notices) => fitting.push((notices.len(), variant)),
                Err(error) => {
                    if furthest.as_ref().is_none_or(|other| place(other) < place(&error)) {
                        furthest = Some(error);
                    }
                }
            }
        }
        let fewest = fitting.iter().map(|&(notices, _)| notices).min();
        fitting.retain(|&(notices, _)| Some(notices) == fewest);
        match (&fitting[..], furthest) {
            (&[(_, variant)], _) => Ok(variant),
            (&[(_, variant), ..], _) if !is_unclear || first.contains(&variant) => Ok(variant),
            (&[_, ..], _) => {
                let names = fitting.iter().map(|(_, variant)| variant.name());
                Err(Error::SeveralGames(names.collect()))
            }
            (&[], Some(error)) => Err(error),
            // Shogi is always tried, and gives one or the other.
            (&[], None) => Ok(Self::Shogi),
        }
    }

    /// The games that a record may be of, in the order in which they are tried.
    fn candidates(first: &[Self]) -> impl Iterator<Item = Self> + '_ {
        let built_in = Self::built_in().filter_map(|(name, _)| Self::built_in_named(name).ok());
        let others =
            [Self::Shogi].into_iter().chain(built_in.filter(|other| *other != Self::Shogi));
        first.iter().copied().chain(others.filter(|other| !first.contains(other)))
    }
}

/// How far a text was read.
fn place(error: &Error) -> (usize, usize) {
    match error {
        Error::Record(error) => (error.line, error.column),
        _ => (0, 0),
    }
}
