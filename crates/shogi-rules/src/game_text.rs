//! Games as text: the start and the moves in USI, as in the command `position`.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use shogi_core::{Position, PositionError, UsiError, parse_sfen, parse_usi, to_sfen_numbered};

use crate::game::{Game, PlayError};
use crate::rules::Rules;

/// Why a text is not a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GameError<R: Rules> {
    /// The text begins with neither `startpos` nor `sfen`.
    #[error("a game begins with startpos, or with sfen and a position")]
    Start,
    /// The position after `sfen` cannot be read.
    #[error("in the SFEN, {0}")]
    Position(#[from] PositionError<R>),
    /// Something other than `moves` follows the start.
    #[error("only the word moves and the moves may follow the start, not {0:?}")]
    Trailing(String),
    /// A move is not in USI notation.
    #[error("move {number}, {text:?}: {error}")]
    Notation {
        /// Which move it is, from 1.
        number: usize,
        /// As it is written.
        text: String,
        /// The fault.
        error: UsiError,
    },
    /// A move cannot be played.
    #[error("move {number}, {text:?}: {error}")]
    Play {
        /// Which move it is, from 1.
        number: usize,
        /// As it is written.
        text: String,
        /// Why not.
        error: PlayError,
    },
}

impl<R: Rules> fmt::Display for Game<R> {
    /// Writes the start and the moves. An end off the board, such as a resignation, is lost.
    ///
    /// ```
    /// use shogi_rules::{Game, Minishogi};
    /// let game: Game<Minishogi> = "startpos moves 5d5c 2a3b".parse()?;
    /// assert_eq!(game.moves().len(), 2);
    /// assert_eq!(game.to_string(), "position startpos moves 5d5c 2a3b");
    ///
    /// let error = "position startpos moves 5d5b".parse::<Game<Minishogi>>().unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     r#"move 1, "5d5b": illegal move: the piece cannot go there"#,
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = &self.positions()[0];
        let sfen = to_sfen_numbered(start, R::dialect(), self.first_number());
        if sfen == R::start_sfen() {
            f.write_str("position startpos")?;
        } else {
            write!(f, "position sfen {sfen}")?;
        }
        let mut separator = " moves ";
        for mv in self.moves() {
            write!(f, "{separator}{mv}")?;
            separator = " ";
        }
        Ok(())
    }
}

impl<R: Rules> fmt::Debug for Game<R> {
    /// Shows the start and the moves, the end if there is one, and rules other than the variant's
    /// own.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")?;
        if let Some(outcome) = self.outcome() {
            write!(f, ", {outcome}")?;
        }
        if self.repetition_rule() != R::repetition() {
            write!(f, ", {:?}", self.repetition_rule())?;
        }
        if self.entering_king_rule() != R::impasse().into() {
            write!(f, ", {:?}", self.entering_king_rule())?;
        }
        Ok(())
    }
}

impl<R: Rules> FromStr for Game<R> {
    type Err = GameError<R>;

    /// Reads `startpos` or `sfen` with a position, and the moves after the word `moves`, in either
    /// dialect; the word `position` may stand before it.
    fn from_str(text: &str) -> Result<Self, GameError<R>> {
        let mut words = text.split_whitespace().peekable();
        words.next_if_eq(&"position");
        let (start, number) = match words.next() {
            Some("startpos") => (R::start(), 1),
            Some("sfen") => {
                let mut sfen = String::new();
                while let Some(word) = words.next_if(|&word| word != "moves") {
                    let separator = if sfen.is_empty() { "" } else { " " };
                    sfen.extend([separator, word]);
                }
                let (placement, number) = parse_sfen(&sfen).map_err(PositionError::from)?;
                (Position::new(placement).map_err(PositionError::from)?, number)
            }
            _ => return Err(GameError::Start),
        };
        let mut game = Self::new(start).numbered_from(number);
        match words.next() {
            None | Some("moves") => {}
            Some(other) => return Err(GameError::Trailing(other.to_owned())),
        }
        for (number, word) in (1..).zip(words) {
            let text = || word.to_owned();
            let mv = parse_usi(word).map_err(|error| GameError::Notation {
                number,
                text: text(),
                error,
            })?;
            game.play(mv).map_err(|error| GameError::Play { number, text: text(), error })?;
        }
        Ok(game)
    }
}
