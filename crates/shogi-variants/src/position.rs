//! Positions of any variant as values.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::hash::{Hash, Hasher};

use shogi_rules::shogi_core::picture::draw;
use shogi_rules::shogi_core::{Colour, Faults, Position, RuleTable as _};
use shogi_rules::{Dialect, Game, Outcome, Rules as _, Verdict, to_sfen_numbered, to_usi_in};

#[cfg(feature = "record")]
use crate::operations::Diagram;
use crate::operations::{Error, MoveError, played, read_move_number, read_placement};
use crate::variant::{call, held, value_of_any_variant};
use crate::{AnyGame, RuleSet, Variant};

value_of_any_variant!(AnyPosition: Positions of Position);

/// A legal position of any variant, with the number of its next move. It does not change: [`AnyPosition::play`] returns
/// another one.
///
/// A position carries its variant. One of a game that was read as text works by the rules of that game wherever it is used:
/// several games can be used in turns, and on any thread.
///
/// Equal positions may have different numbers. `None` for a dialect stands for the variant's own.
///
/// ```
/// use shogi_variants::{AnyPosition, Variant};
/// let start = AnyPosition::start(Variant::Minishogi);
/// let position = start.play("5d5c")?;
/// assert_eq!(position.to_string(), "rbsgk/4p/P4/5/KGSBR w - 2");
/// assert_eq!(position, AnyPosition::read(Variant::Minishogi, "startpos moves 5d5c")?);
/// assert_eq!(position.legal_moves(None).len(), 13);
/// let error = position.play("5c5a").unwrap_err();
/// assert_eq!(error.to_string(), "illegal move: the player has no such piece");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// With the feature `serde` it is a pair of texts, from which it is read again:
///
/// ```
/// # #[cfg(feature = "serde")] {
/// use shogi_variants::{AnyPosition, Variant};
/// let start = AnyPosition::start(Variant::Dobutsu);
/// let json = serde_json::to_string(&start)?;
/// assert_eq!(json, r#"{"variant":"dobutsu","sfen":"gle/1c1/1C1/ELG b - 1"}"#);
/// assert_eq!(serde_json::from_str::<AnyPosition>(&json)?, start);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(into = "PositionText", try_from = "PositionText")
)]
pub struct AnyPosition {
    variant: Variant,
    number: u32,
    held: Positions,
}

impl AnyPosition {
    /// The position that a variant starts from.
    pub fn start(variant: Variant) -> Self {
        Self::of(variant, call!(variant, R => R::start().into()))
    }

    /// The start with this name, in variants that have several.
    ///
    /// # Errors
    ///
    /// If the variant names no starts, or none so.
    pub fn named_start(variant: Variant, name: &str) -> Result<Self, Error> {
        let held = call!(variant, R => Ok::<Positions, Error>(Position::new(R::named_start(name)?)?.into()));
        held.map(|held| Self::of(variant, held))
    }

    /// Reads a legal position: SFEN in either dialect, `startpos`, or what the USI command `position` has, moves included.
    ///
    /// # Errors
    ///
    /// If the text stands for no legal position.
    pub fn read(variant: Variant, text: &str) -> Result<Self, Error> {
        Self::read_allowing(variant, text, Faults::empty())
    }

    /// Reads a position as [`AnyPosition::read`] does, and lets these faults pass: [`Faults::MISSING_KING`] for mate problems.
    ///
    /// # Errors
    ///
    /// If the text stands for no such position.
    pub fn read_allowing(variant: Variant, text: &str, allowed: Faults) -> Result<Self, Error> {
        call!(variant, R => {
            let number = read_move_number::<R>(text)?;
            let position = Position::<R>::new_allowing(read_placement(text)?, allowed)?;
            Ok(Self { variant, number, held: position.into() })
        })
    }

    /// A position before the first move of a game.
    pub(crate) const fn of(variant: Variant, held: Positions) -> Self {
        Self { variant, number: 1, held }
    }

    /// The same position with another number of its next move; 0 counts as 1.
    #[must_use]
    pub const fn numbered(mut self, number: u32) -> Self {
        self.number = if number == 0 { 1 } else { number };
        self
    }

    /// The number of the next move, which SFEN ends with.
    pub const fn move_number(&self) -> u32 {
        self.number
    }

    /// The player to move.
    pub fn side(&self) -> Colour {
        held!(self, &self.held, Positions<R>(position) => position.side())
    }

    /// The Zobrist key, the same in every run.
    pub fn key(&self) -> u64 {
        held!(self, &self.held, Positions<R>(position) => position.key())
    }

    /// Whether the king of the player to move is in check.
    pub fn is_check(&self) -> bool {
        held!(self, &self.held, Positions<R>(position) => position.is_check())
    }

    /// The end of the game on the board, if it is over.
    pub fn outcome(&self) -> Option<Outcome> {
        held!(self, &self.held, Positions<R>(position) => R::ending(position))
    }

    /// The end for the player to move.
    pub fn verdict(&self) -> Option<Verdict> {
        held!(self, &self.held, Positions<R>(position) => R::verdict(position))
    }

    /// The position in SFEN.
    pub fn to_sfen(&self, dialect: Option<Dialect>) -> String {
        held!(self, &self.held, Positions<R>(position) => {
            to_sfen_numbered(position, dialect.unwrap_or(R::dialect()), self.number)
        })
    }

    /// The diagram of the position, to be read or drawn.
    #[cfg(feature = "record")]
    pub fn diagram(&self, dialect: Option<Dialect>) -> Diagram {
        held!(self, &self.held, Positions<R>(position) => {
            Diagram::numbered::<R>(position, dialect.unwrap_or(R::dialect()), self.number)
        })
    }

    /// The legal moves in USI notation; none at an end.
    pub fn legal_moves(&self, dialect: Option<Dialect>) -> Vec<String> {
        held!(self, &self.held, Positions<R>(position) => legal_moves::<R>(position, dialect))
    }

    /// The position after a move in USI notation.
    ///
    /// # Errors
    ///
    /// If the text is no move, the move is illegal, or the game has ended on the board.
    pub fn play(&self, mv: &str) -> Result<Self, MoveError> {
        let next = held!(self, &self.held, Positions<R>(position) => {
            played(position, mv).map(Positions::from)
        });
        Ok(Self { number: self.number.saturating_add(1), held: next?, ..*self })
    }

    /// The mirror image, files counted from the other side.
    ///
    /// # Errors
    ///
    /// If it is illegal, where the rules of the variant are not symmetric.
    pub fn mirror(&self) -> Result<Self, Error> {
        let mirrored = held!(self, &self.held, Positions<R>(position) => {
            Position::new_allowing(position.placement().mirror(), Faults::MISSING_KING)
                .map(Positions::from)
                .map_err(Error::from)
        });
        Ok(Self { held: mirrored?, ..*self })
    }

    /// The positions from which one legal move leads here, each with that move in USI notation.
    ///
    /// ```
    /// use shogi_variants::{AnyPosition, Variant};
    /// let position = AnyPosition::read(Variant::Minishogi, "startpos moves 5d5c")?;
    /// for (before, mv) in position.unmoves() {
    ///     assert_eq!(before.play(&mv)?, position);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn unmoves(&self) -> Vec<(Self, String)> {
        held!(self, &self.held, Positions<R>(position) => {
            let before = unmoves::<R>(position).into_iter();
            before.map(|(before, mv)| (Self::of(self.variant, before.into()), mv)).collect()
        })
    }

    /// A game that begins here.
    ///
    /// ```
    /// use shogi_variants::{AnyPosition, Variant};
    /// let mut game = AnyPosition::start(Variant::Minishogi).game();
    /// for mv in ["1e1d", "5a5b", "1d1e", "5b5a"].repeat(3) {
    ///     game.play(mv)?;
    /// }
    /// assert_eq!(game.outcome().unwrap().to_string(), "Gote wins (repetition)");
    /// assert!(game.undo() && game.outcome().is_none() && game.plies() == 11);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn game(&self) -> AnyGame {
        let held = held!(self, &self.held, Positions<R>(position) => {
            Game::new(*position).numbered_from(self.number).into()
        });
        AnyGame::of(self.variant, held)
    }
}

fn legal_moves<R: RuleSet>(position: &Position<R>, dialect: Option<Dialect>) -> Vec<String> {
    if R::is_over(position) {
        return Vec::new();
    }
    let dialect = dialect.unwrap_or(R::dialect());
    let moves = position.placement().legal_moves().into_iter();
    moves.map(|mv| to_usi_in(mv, position, dialect)).collect()
}

fn unmoves<R: RuleSet>(position: &Position<R>) -> Vec<(Position<R>, String)> {
    let mut all = Vec::new();
    for (unmove, before) in position.placement().predecessors() {
        // A game does not go on after its end.
        if R::verdict(&before).is_some() {
            continue;
        }
        // What a legal unmove leads to is legal as far as the position itself is.
        if let Ok(before) = Position::new_allowing(before, Faults::MISSING_KING) {
            all.push((before, to_usi_in(unmove.mv, &before, R::dialect())));
        }
    }
    all
}

impl PartialEq for AnyPosition {
    fn eq(&self, other: &Self) -> bool {
        self.variant == other.variant && self.held == other.held
    }
}

impl Eq for AnyPosition {}

impl Hash for AnyPosition {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.variant, self.key()).hash(state);
    }
}

impl fmt::Display for AnyPosition {
    /// Writes SFEN, or with `{:#}` a picture of the board and the hands.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sfen = self.to_sfen(None);
        if f.alternate() { draw(&sfen, f) } else { f.pad(&sfen) }
    }
}

impl fmt::Debug for AnyPosition {
    /// The variant and SFEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.variant, self.to_sfen(None))
    }
}

/// How a position is written and read as data.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct PositionText {
    variant: Variant,
    sfen: String,
}

#[cfg(feature = "serde")]
impl From<AnyPosition> for PositionText {
    fn from(position: AnyPosition) -> Self {
        Self { variant: position.variant, sfen: position.to_sfen(None) }
    }
}

#[cfg(feature = "serde")]
impl TryFrom<PositionText> for AnyPosition {
    type Error = Error;

    fn try_from(text: PositionText) -> Result<Self, Error> {
        Self::read_allowing(text.variant, &text.sfen, Faults::MISSING_KING)
    }
}
