//! Findings of searches, to learn from.

use shogi_core::{Colour, Position};
use shogi_rules::{Rules, parse_position, to_sfen};
use shogi_solve::{SearchOutcome, Searched};

/// A searched position with its outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record<R: Rules> {
    /// The position.
    pub position: Position<R>,
    /// The player whose win was to be proved.
    pub prover: Colour,
    /// The outcome of the search.
    pub outcome: SearchOutcome,
    /// Expansions spent on the position and below it, at least 1.
    pub expansions: u32,
}

/// A line that is not a record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line:?} is no record of a searched position")]
pub struct RecordError {
    /// The line.
    pub line: String,
}

impl<R: Rules> Record<R> {
    /// 0 if the prover is to move, else 1.
    pub(super) fn head(&self) -> usize {
        usize::from(self.position.side() != self.prover)
    }

    /// The record on one line: prover (`b` or `w`), outcome (`+`, `-` or `?`), expansions, SFEN.
    ///
    /// ```
    /// use shogi_learn::effort::Record;
    /// use shogi_solve::SearchOutcome;
    /// use shogi_rules::shogi_core::Colour;
    /// use shogi_rules::{Dobutsu, Rules, parse_position};
    /// let position = parse_position::<Dobutsu>(Dobutsu::START)?;
    /// let record =
    ///     Record { position, prover: Colour::Gote, outcome: SearchOutcome::Open, expansions: 40 };
    /// assert_eq!(record.to_line(), format!("w ? 40 {}", Dobutsu::START));
    /// assert_eq!(Record::from_line(&record.to_line())?, record);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_line(&self) -> String {
        line(self.prover, self.outcome, self.expansions, &to_sfen(&self.position))
    }

    /// The record on a line that [`Record::to_line`] has written.
    ///
    /// # Errors
    ///
    /// If the line is malformed or its position illegal.
    pub fn from_line(line: &str) -> Result<Self, RecordError> {
        let record = fields(line).and_then(|(prover, outcome, expansions, sfen)| {
            let position = parse_position(sfen).ok()?;
            Some(Self { position, prover, outcome, expansions })
        });
        record.ok_or_else(|| RecordError { line: line.to_owned() })
    }
}

/// A record on one line, with its position in SFEN.
fn line(prover: Colour, outcome: SearchOutcome, expansions: u32, sfen: &str) -> String {
    let prover = if prover == Colour::Sente { 'b' } else { 'w' };
    let outcome = match outcome {
        SearchOutcome::Proved => '+',
        SearchOutcome::Disproved => '-',
        SearchOutcome::Open => '?',
    };
    format!("{prover} {outcome} {expansions} {sfen}")
}

/// Reads a line that [`line`] has written.
fn fields(line: &str) -> Option<(Colour, SearchOutcome, u32, &str)> {
    let mut fields = line.splitn(4, ' ');
    let prover = match fields.next()? {
        "b" => Colour::Sente,
        "w" => Colour::Gote,
        _ => return None,
    };
    let outcome = match fields.next()? {
        "+" => SearchOutcome::Proved,
        "-" => SearchOutcome::Disproved,
        "?" => SearchOutcome::Open,
        _ => return None,
    };
    let expansions = fields.next()?.parse().ok().filter(|&expansions| expansions > 0)?;
    Some((prover, outcome, expansions, fields.next()?))
}

/// Converts the harvest of searches to records, for the prover of the searches.
pub fn to_records<R: Rules>(
    searched: Vec<Searched<Position<R>>>,
    prover: Colour,
) -> impl Iterator<Item = Record<R>> {
    searched.into_iter().map(move |Searched { position, outcome, expansions }| Record {
        position,
        prover,
        outcome,
        expansions,
    })
}
