//! Values that this project has found: starts and first moves with a proof, starts with a tablebase.

use alloc::string::String;

use shogi_rules::shogi_core::Placement;
use shogi_rules::{Rules, Verdict};

use crate::operations::read_placement;
use crate::variant::call;
use crate::{Error, RuleSet, Variant};

/// One line for each position; the first lines, which begin with `#`, say what stands where.
const TABLE: &str = include_str!("known.tsv");

/// The value of a position that is published with this project: the answer of [`Variant::known_value`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct PublishedValue {
    /// The value for the player to move.
    pub value: Verdict,
    /// The plies to the end; `None` for a draw.
    pub plies: Option<u32>,
    /// Whether the plies are those of best play by both; those of a proof are a bound.
    pub exact: bool,
    /// The page in `docs/results` that shows how it was found.
    pub page: &'static str,
    /// The command that makes the proof or the tablebase behind it; proofs are expanded in a copy of the repository.
    pub command: &'static str,
}

impl Variant {
    /// The published value of a position, or of its mirror image: starts and first moves that were solved.
    ///
    /// ```
    /// use shogi_variants::Variant;
    /// use shogi_variants::rules::Verdict;
    /// let start = Variant::Dobutsu.known_value("startpos")?.unwrap();
    /// assert_eq!((start.value, start.plies, start.exact), (Verdict::Loss, Some(78), true));
    /// // Gote wins, and has at most 59 plies to play.
    /// let pushed = Variant::Minishogi.known_value("startpos moves 5d5c")?.unwrap();
    /// assert_eq!((pushed.value, pushed.plies, pushed.exact), (Verdict::Win, Some(59), false));
    /// assert!(Variant::Minishogi.known_value("startpos")?.is_none());
    /// # Ok::<(), shogi_variants::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the text stands for no placement; an illegal one has no value.
    pub fn known_value(self, position: &str) -> Result<Option<PublishedValue>, Error> {
        if !self.is_built_in() {
            return Ok(None);
        }
        call!(self, R => known_value::<R>(position))
    }

    /// All positions with a published value, as texts that stand for positions.
    pub fn known_positions(self) -> impl Iterator<Item = Result<String, Error>> {
        let own = rows().filter(move |row| row.game == self.name());
        own.map(move |row| match row.position.strip_prefix("startpos") {
            Some(_) => Ok(row.position.into()),
            None => self.rules().named_start(row.position),
        })
    }
}

/// A line of the table.
struct Row {
    game: &'static str,
    position: &'static str,
    value: PublishedValue,
}

/// All lines; one that is not as it should be is left out, which a test would see.
fn rows() -> impl Iterator<Item = Row> {
    TABLE.lines().filter_map(|line| {
        let mut fields = line.split('\t');
        let (game, position) = (fields.next()?, fields.next()?);
        let value = match fields.next()? {
            "win" => Verdict::Win,
            "loss" => Verdict::Loss,
            "draw" => Verdict::Draw,
            _ => return None,
        };
        let plies = fields.next()?.parse().ok();
        let exact = fields.next()? == "exact";
        let (page, command) = (fields.next()?, fields.next()?);
        let value = PublishedValue { value, plies, exact, page, command };
        Some(Row { game, position, value })
    })
}

fn known_value<R: RuleSet>(text: &str) -> Result<Option<PublishedValue>, Error> {
    let placement = read_placement::<R>(text)?;
    let image = R::is_mirror_symmetric().then(|| placement.mirror());
    for row in rows().filter(|row| row.game == R::name()) {
        let known = placement_of::<R>(row.position)?;
        if known == placement || image == Some(known) {
            return Ok(Some(row.value));
        }
    }
    Ok(None)
}

/// The placement of a line: after moves from the start, or a start by its name.
fn placement_of<R: Rules>(text: &str) -> Result<Placement<R>, Error> {
    match text.starts_with("startpos") {
        true => read_placement(text),
        false => Ok(R::named_start(text)?),
    }
}
