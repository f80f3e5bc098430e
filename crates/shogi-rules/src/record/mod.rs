//! Records of whole games: KIF, KI2, CSA, USI, JSON and JKF.
//!
//! A [`Record`] holds a start, a main line and variations with comments, times and bookmarks, and the end of
//! each. Its moves are legal: reading checks them by the rules, and written records can be played.
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
//! let text = "手合割：平手\n   1 ７六歩(77)\n   2 ３五歩(33)\n   3 ２六歩(27)\n";
//! let error = kif::parse::<Shogi>(text).unwrap_err();
//! assert_eq!(error.to_string(), "line 3, column 6: the move 3c3e is illegal: the piece cannot go there");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What each format can hold:
//!
//! | format | variants | headers | comments | bookmarks | times | variations | end | first number | games |
//! |---|---|---|---|---|---|---|---|---|---|
//! | [`kif`] | all | yes | yes | yes | yes | yes | yes | of moves | one |
//! | [`ki2`] | all, where its words distinguish the moves | yes | yes | yes | no | yes | yes | no | one |
//! | [`csa`] | 9x9, and Minishogi as CSA's rules on 5x5 | yes | yes | no | yes | no | most | no | several |
//! | [`usi`] | all | no | no | no | no | no | no | yes | a line for each |
//! | [`json`] | all | yes | yes | yes | yes | yes | yes | yes | a line for each |
//! | [`jkf`] | as CSA | of each name one | yes | yes | yes | yes | yes | no | a line for each |
//!
//! Writing leaves out the parts that a format cannot hold; [`Format::left_out`] counts them.
//!
//! A game that ended by an illegal move is read up to that move, which is kept with the [`Ending`]. So in KIF,
//! KI2, CSA and JKF an illegal move is not an error if no move follows it. In USI and JSON it is an error
//! unless the end of the game follows it; JSON has a place for it in the end. A move out of turn is kept as a
//! comment.
//!
//! Text that contradicts the rules or the record itself is read without loss and reported: [`Format::read`]
//! returns a [`Notice`] of each case.
//!
//! Texts are [`str`] here; [`decode`] and [`encode`] convert them from and to bytes in UTF-8, Shift-JIS or
//! EUC-JP, and [`Format`] chooses a format at run time.

mod any;
mod board;
mod builder;
pub mod csa;
mod csa_write;
mod cursor;
mod encoding;
mod end;
mod error;
mod format;
mod growing;
pub mod jkf;
pub mod json;
mod json_text;
mod kakinoki;
pub mod ki2;
pub mod kif;
mod left_out;
mod names;
mod notice;
mod opening;
mod readable;
mod summary;
mod tree;
mod typed;
pub mod usi;

pub use encoding::{DecodeError, EncodeError, Encoding, decode, decode_as, encode};
pub use end::{End, Ending};
pub use error::{RecordError, RecordReason, WriteError};
pub use format::{Format, UnknownFormat};
pub use left_out::LeftOut;
pub use names::{ANIMAL_NAMES, Name, Recorded, SHOGI_NAMES};
pub use notice::{Notice, NoticeReason, Reading};
pub use readable::{to_japanese, to_western};
pub use tree::{Branch, Line, Record, RecordMove};
pub use typed::{TypedMoveError, read_move};
