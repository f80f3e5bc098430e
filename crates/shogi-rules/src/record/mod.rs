//! Records of whole games: KIF, KI2, CSA, USI and JSON.
//!
//! A [`Record`] is a start, the moves of one line of play with comments and times, and the end. It
//! holds legal moves only, so whatever is read has been checked by the rules, and whatever is
//! written can be played.
//!
//! ```
//! use shogi_rules::record::{Record, csa, ki2, kif};
//! use shogi_rules::{Shogi, parse_usi};
//!
//! let mut record = Record::<Shogi>::from_start();
//! record.headers.push(("先手".into(), "Ada".into()));
//! for mv in ["7g7f", "3c3d", "8h2b+", "3a2b"] {
//!     record.push(parse_usi(mv)?)?;
//! }
//! assert!(ki2::write(&record)?.contains("▲７六歩  △３四歩  ▲２二角成  △同　銀"));
//! assert_eq!(csa::parse::<Shogi>(&csa::write(&record)?)?, record);
//!
//! // Errors name line, column and reason.
//! let text = "手合割：平手\n   1 ７六歩(77)\n   2 ３五歩(33)\n";
//! let error = kif::parse::<Shogi>(text).unwrap_err();
//! assert_eq!(error.to_string(), "line 3, column 6: the move 3c3e is illegal: the piece cannot go there");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What each format can hold:
//!
//! | format | variants | headers | comments | times | end |
//! |---|---|---|---|---|---|
//! | [`kif`] | all | yes | yes | yes | yes |
//! | [`ki2`] | all, where its words distinguish the moves | yes | yes | no | yes |
//! | [`csa`] | 9x9, and Minishogi as CSA's rules on 5x5 | yes | yes | yes | most |
//! | [`usi`] | all | no | no | no | no |
//! | [`json`] | all | yes | yes | yes | yes |
//!
//! What a format cannot hold is left out when it is written. Of variations only the main line is
//! read. A move that breaks the rules is always an error, also where the record goes on to say that
//! it lost the game: such a game is recorded without the move, with [`End::Foul`] as its end.
//!
//! Texts are [`str`] here; [`decode`] and [`encode`] are between them and bytes in UTF-8 or
//! Shift-JIS, and [`Format`] chooses a format at run time.

mod any;
mod board;
pub mod csa;
mod cursor;
mod encoding;
mod end;
mod error;
mod format;
pub mod json;
mod kakinoki;
pub mod ki2;
pub mod kif;
mod names;
mod readable;
pub mod usi;

use alloc::string::String;
use alloc::vec::Vec;

use shogi_core::{Move, Position, RuleTable};

use crate::game::{GameOver, PlayError};
use crate::rules::Rules;
use crate::violations::violations;

pub use encoding::{DecodeError, EncodeError, Encoding, decode, encode};
pub use end::{End, Ending};
pub use error::{RecordError, RecordReason, WriteError};
pub use format::{Format, UnknownFormat};
pub use names::{ANIMAL_NAMES, Name, Recorded, SHOGI_NAMES};
pub use readable::{to_japanese, to_western};

/// The record of one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record<R: RuleTable> {
    /// Names and values in order, such as 先手 and a player's name; each one line.
    pub headers: Vec<(String, String)>,
    /// Comments before the first move, each a line.
    pub comments: Vec<String>,
    /// How the game ended, if the record says so.
    pub ending: Option<Ending>,
    start: Position<R>,
    moves: Vec<RecordMove<R>>,
    last: Position<R>,
}

/// A move of a recorded game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordMove<R: RuleTable> {
    /// Comments on the move, each a line.
    pub comments: Vec<String>,
    /// Seconds thought before it.
    pub seconds: Option<u32>,
    mv: Move<R>,
}

impl<R: RuleTable> RecordMove<R> {
    /// The move itself.
    pub const fn mv(&self) -> Move<R> {
        self.mv
    }
}

impl<R: Rules> Record<R> {
    /// A record of a game from the variant's own start.
    ///
    /// # Panics
    ///
    /// As [`Rules::start`].
    pub fn from_start() -> Self {
        Self::new(R::start())
    }

    /// A record without moves from any position.
    pub const fn new(start: Position<R>) -> Self {
        Self {
            headers: Vec::new(),
            comments: Vec::new(),
            ending: None,
            start,
            moves: Vec::new(),
            last: start,
        }
    }

    /// Adds a move, whose comments and time can then be set.
    ///
    /// # Errors
    ///
    /// Where the move is not legal after those before it, or they have ended the game.
    ///
    /// ```
    /// use shogi_rules::record::Record;
    /// use shogi_rules::{Minishogi, parse_usi};
    /// let mut record = Record::<Minishogi>::from_start();
    /// record.push(parse_usi("5d5c")?)?.seconds = Some(3);
    /// assert!(record.push(parse_usi("5c5b")?).is_err());
    /// assert_eq!(record.moves()[0].seconds, Some(3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn push(&mut self, mv: Move<R>) -> Result<&mut RecordMove<R>, PlayError> {
        if R::is_over(&self.last) {
            if let Some(outcome) = R::ending(&self.last) {
                return Err(GameOver(outcome).into());
            }
        }
        let Some(next) = self.last.try_play(mv) else {
            return Err(PlayError::Illegal(violations(&self.last, mv)));
        };
        self.last = next;
        let at = self.moves.len();
        self.moves.push(RecordMove { comments: Vec::new(), seconds: None, mv });
        Ok(&mut self.moves[at])
    }

    /// The position before the first move.
    pub const fn start(&self) -> &Position<R> {
        &self.start
    }

    /// The position after the last move.
    pub const fn last(&self) -> &Position<R> {
        &self.last
    }

    /// The moves in order.
    pub fn moves(&self) -> &[RecordMove<R>] {
        &self.moves
    }

    /// The moves in order, each with the position it is made in.
    ///
    /// ```
    /// use shogi_rules::record::usi;
    /// use shogi_rules::{Minishogi, to_sfen};
    /// let record = usi::parse::<Minishogi>("position startpos moves 5d5c 2a3b")?;
    /// let boards: Vec<_> = record.positions().map(|(position, _)| to_sfen(&position)).collect();
    /// assert_eq!(boards, ["rbsgk/4p/5/P4/KGSBR b - 1", "rbsgk/4p/P4/5/KGSBR w - 1"]);
    /// # Ok::<(), shogi_rules::record::RecordError>(())
    /// ```
    pub fn positions(&self) -> impl Iterator<Item = (Position<R>, &RecordMove<R>)> {
        let mut next = self.start;
        self.moves.iter().map(move |one| {
            let position = next;
            next = position.play(one.mv);
            (position, one)
        })
    }
}
