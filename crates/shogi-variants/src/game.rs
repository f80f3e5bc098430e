//! Games of any variant as values.

use alloc::borrow::ToOwned as _;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::hash::{Hash, Hasher};

#[cfg(feature = "record")]
use shogi_records::Record;
use shogi_rules::shogi_core::{Colour, RuleTable as _};
use shogi_rules::{
    Dialect, Game, GameOver, ImpasseError, Outcome, PlayError, Reason, parse_usi, to_usi_in,
};

#[cfg(feature = "record")]
use crate::AnyRecord;
use crate::operations::{Error, MoveError, Moves, read_game};
use crate::position::Positions;
use crate::variant::{call, held, value_of_any_variant};
use crate::{AnyPosition, Variant};

value_of_any_variant!(AnyGame: Games of Game);

/// A game of any variant: a start, the moves made from it, and its end by the rules, repetition and impasse included.
///
/// Like an [`AnyPosition`] it carries its variant, so that games of several texts can be played in turns and on any thread:
///
/// ```
/// # #[cfg(feature = "text")] {
/// use shogi_variants::{AnyGame, AnyPosition, Variant};
/// let pieces = "[pieces]\nP = { front = \"pawn\", back = \"gold\" }\nK = { front = \"king\", royal = true }\n";
/// let text = |start| format!("name = \"pawns\"\nstart = \"{start}\"\n{pieces}");
/// let small = Variant::from_text(&text("1k1/1p1/1P1/1K1 b - 1"))?;
/// let wide = Variant::from_text(&text("2k2/2p2/5/2P2/2K2 b - 1"))?;
///
/// let mut games = [small, wide].map(|variant| AnyPosition::start(variant).game());
/// games[0].play("2c2b")?;
/// games[1].play("3d3c")?;
/// games[0].play("2a2b")?;
/// assert_eq!(games[0].to_string(), "position startpos moves 2c2b 2a2b");
/// assert_eq!(games[1].position().to_string(), "2k2/2p2/2P2/5/2K2 w - 2");
///
/// let [small, wide] = games;
/// let elsewhere = std::thread::spawn(move || small.legal_moves(None).moves.len());
/// assert_eq!((elsewhere.join().unwrap(), wide.legal_moves(None).moves.len()), (9, 6));
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// With the feature `serde` it is the start, the moves, and what has ended it off the board.
#[derive(Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(into = "as_data::GameText", try_from = "as_data::GameText")
)]
pub struct AnyGame {
    variant: Variant,
    held: Games,
    /// The illegal move that has ended it, if one has.
    offence: Option<String>,
}

impl AnyGame {
    /// Reads a game: a position in any form that [`AnyPosition::read`] takes, in which one player may have no king, and the
    /// moves behind it. After a repetition the game may go on, as when it is played on in a program.
    ///
    /// # Errors
    ///
    /// If the text stands for no such game.
    pub fn read(variant: Variant, text: &str) -> Result<Self, Error> {
        call!(variant, R => Ok(Self::of(variant, read_game::<R>(text)?.into())))
    }

    /// A game as its moves and its end on the board show it.
    pub(crate) const fn of(variant: Variant, held: Games) -> Self {
        Self { variant, held, offence: None }
    }

    /// The position after so many moves.
    fn at(&self, plies: usize, position: impl Into<Positions>) -> AnyPosition {
        let plies = u32::try_from(plies).unwrap_or(u32::MAX);
        let number = self.first_number().saturating_add(plies);
        AnyPosition::of(self.variant, position.into()).numbered(number)
    }

    /// The position before the first move.
    pub fn start(&self) -> AnyPosition {
        held!(self, &self.held, Games<R>(game) => self.at(0, game.positions()[0]))
    }

    /// The position to be played in.
    pub fn position(&self) -> AnyPosition {
        held!(self, &self.held, Games<R>(game) => self.at(game.moves().len(), *game.position()))
    }

    /// The start and the position after each move.
    pub fn positions(&self) -> Vec<AnyPosition> {
        held!(self, &self.held, Games<R>(game) => {
            let positions = game.positions().iter().enumerate();
            positions.map(|(plies, position)| self.at(plies, *position)).collect()
        })
    }

    /// The moves made so far in USI notation.
    pub fn moves(&self, dialect: Option<Dialect>) -> Vec<String> {
        held!(self, &self.held, Games<R>(game) => {
            let dialect = dialect.unwrap_or(R::dialect());
            let made = game.moves().iter().zip(game.positions());
            made.map(|(&mv, position)| to_usi_in(mv, position, dialect)).collect()
        })
    }

    /// How many moves were made.
    pub fn plies(&self) -> usize {
        held!(self, &self.held, Games<R>(game) => game.moves().len())
    }

    /// The number of the first move.
    pub fn first_number(&self) -> u32 {
        held!(self, &self.held, Games<R>(game) => game.first_number())
    }

    /// The legal moves, none where the game is over, and how it has ended.
    pub fn legal_moves(&self, dialect: Option<Dialect>) -> Moves {
        held!(self, &self.held, Games<R>(game) => Moves::of(game, dialect))
    }

    /// How many times the position has come up so far, this time included.
    pub fn repetitions(&self) -> usize {
        held!(self, &self.held, Games<R>(game) => game.repetitions())
    }

    /// The end of the game, if it is over.
    pub fn outcome(&self) -> Option<Outcome> {
        held!(self, &self.held, Games<R>(game) => game.outcome())
    }

    /// Plays a move in USI notation. Returns the outcome if it ends the game.
    ///
    /// # Errors
    ///
    /// If the text is no move, the move is illegal, or the game is over; the game stays as it is.
    pub fn play(&mut self, mv: &str) -> Result<Option<Outcome>, MoveError> {
        held!(self, &mut self.held, Games<R>(game) => Ok(game.play(parse_usi(mv)?)?))
    }

    /// Plays a move as a referee rules it: a player who makes an illegal move has lost at once. See
    /// [`Game::play_as_ruled`].
    ///
    /// # Errors
    ///
    /// If the text is no move, or the game is over.
    pub fn play_as_ruled(&mut self, mv: &str) -> Result<Option<Outcome>, MoveError> {
        let outcome: Result<_, MoveError> = held!(self, &mut self.held, Games<R>(game) => {
            Ok(game.play_as_ruled(parse_usi(mv)?).map_err(PlayError::from)?)
        });
        let is_illegal = |end: Outcome| matches!(end.reason, Reason::IllegalMove(_));
        self.offence = outcome.clone()?.is_some_and(is_illegal).then(|| mv.to_owned());
        outcome
    }

    /// Plays on after an end that not everybody plays by; whether the game goes on. See [`Game::play_on`].
    pub fn play_on(&mut self) -> bool {
        held!(self, &mut self.held, Games<R>(game) => game.play_on())
    }

    /// Takes back what ended the game off the board (a ruling, a declaration, an agreement, a resignation), else the last
    /// move. Whether there was anything to take back.
    pub fn undo(&mut self) -> bool {
        self.offence = None;
        held!(self, &mut self.held, Games<R>(game) => game.undo().is_some())
    }

    /// Ends the game by a player's resignation, whoever is to move.
    ///
    /// # Errors
    ///
    /// If the game is over.
    pub fn resign(&mut self, colour: Colour) -> Result<Outcome, GameOver> {
        held!(self, &mut self.held, Games<R>(game) => game.resign(colour))
    }

    /// Points of all pieces of a player, as they are counted when the players agree on impasse. See [`Game::points`].
    pub fn points(&self, colour: Colour) -> u32 {
        held!(self, &self.held, Games<R>(game) => game.points(colour))
    }

    /// Ends the game by the players' agreement on impasse.
    ///
    /// # Errors
    ///
    /// If the game is over or has no impasse rule.
    pub fn agree_impasse(&mut self) -> Result<Outcome, ImpasseError> {
        held!(self, &mut self.held, Games<R>(game) => game.agree_impasse())
    }

    /// Ends the game by a declaration of the player to move, who loses if it fails.
    ///
    /// # Errors
    ///
    /// If the game is over or has no impasse rule.
    pub fn declare(&mut self) -> Result<Outcome, ImpasseError> {
        held!(self, &mut self.held, Games<R>(game) => game.declare())
    }
}

#[cfg(feature = "record")]
impl AnyGame {
    /// The record of the game, with its end if it has ended.
    pub fn record(&self) -> AnyRecord {
        let held = held!(self, &self.held, Games<R>(game) => Record::from(game).into());
        AnyRecord::of(self.variant, held)
    }
}

impl Hash for AnyGame {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.position(), self.plies()).hash(state);
    }
}

impl fmt::Display for AnyGame {
    /// Writes the start and the moves, as the USI command `position` has them, not how the game has ended off the board.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        held!(self, &self.held, Games<R>(game) => game.fmt(f))
    }
}

impl fmt::Debug for AnyGame {
    /// The variant, the start and the moves, and the end if there is one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.variant)?;
        held!(self, &self.held, Games<R>(game) => fmt::Debug::fmt(game, f))
    }
}

/// How a game is written and read as data.
#[cfg(feature = "serde")]
mod as_data {
    use alloc::format;
    use alloc::string::ToString as _;

    use super::*;

    #[derive(serde::Serialize, serde::Deserialize)]
    pub(super) struct GameText {
        start: AnyPosition,
        moves: Vec<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        end: Option<OffBoard>,
    }

    /// The reason why a game has ended off the board.
    #[derive(serde::Serialize, serde::Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum OffBoard {
        ResignationOf(Colour),
        Agreement,
        Declaration,
        IllegalMove(String),
    }

    impl From<AnyGame> for GameText {
        fn from(game: AnyGame) -> Self {
            let end = game.outcome().and_then(|outcome| match outcome.reason {
                Reason::Resignation => {
                    outcome.winner().map(|winner| OffBoard::ResignationOf(!winner))
                }
                Reason::Impasse => Some(OffBoard::Agreement),
                Reason::Declaration | Reason::FailedDeclaration => Some(OffBoard::Declaration),
                Reason::IllegalMove(_) => game.offence.clone().map(OffBoard::IllegalMove),
                _ => None,
            });
            Self { start: game.start(), moves: game.moves(None), end }
        }
    }

    impl TryFrom<GameText> for AnyGame {
        type Error = String;

        fn try_from(text: GameText) -> Result<Self, String> {
            let mut game = text.start.game();
            for (number, mv) in (1..).zip(&text.moves) {
                game.play_on();
                game.play(mv).map_err(|error| format!("move {number}, {mv:?}: {error}"))?;
            }
            let ended = match text.end {
                None => return Ok(game),
                Some(OffBoard::ResignationOf(player)) => {
                    game.resign(player).err().map(|e| e.to_string())
                }
                Some(OffBoard::Agreement) => game.agree_impasse().err().map(|e| e.to_string()),
                Some(OffBoard::Declaration) => game.declare().err().map(|e| e.to_string()),
                Some(OffBoard::IllegalMove(mv)) => {
                    game.play_as_ruled(&mv).err().map(|e| e.to_string())
                }
            };
            ended.map_or(Ok(game), Err)
        }
    }
}
