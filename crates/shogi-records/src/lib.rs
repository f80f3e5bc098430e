#![doc = include_str!("../README.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

//! # Formats
//!
//! The parts that each format can hold:
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

// A map of the room. Each line builds on those above it.
//
// format                         the list of formats. Start reading here
// end, error, notice             how a game ended; what is wrong with a text, and what is odd
// names, text                    names of pieces and starts, also of games that are read as text
// tree, any                      a record, typed, and as writers see it, without its rule set
// opening, growing, builder      a record while it is read
// cursor, encoding, json_text    characters, bytes, JSON
// kakinoki, kif, ki2, csa, usi, json, jkf   a format each; kakinoki has what KIF and KI2 share
// readable, typed                moves as books write them, and as people type them
// left_out, summary              what a format cannot hold; the headers

extern crate alloc;
#[cfg(feature = "text")]
extern crate std;

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
#[cfg(feature = "text")]
mod text;
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
