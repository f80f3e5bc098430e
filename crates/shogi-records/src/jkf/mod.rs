//! JKF, the JSON of json-kifu-format, used by web programs.
//!
//! ```json
//! {"header": {"先手": "Ada"}, "initial": {"preset": "HIRATE"},
//!  "moves": [{"comments": ["..."]},
//!            {"move": {"color": 0, "from": {"x": 7, "y": 7}, "to": {"x": 7, "y": 6}, "piece": "FU"},
//!             "time": {"now": {"m": 0, "s": 16}, "total": {"h": 0, "m": 0, "s": 16}},
//!             "forks": [[{"move": {}}]]},
//!            {"special": "TORYO"}]}
//! ```
//!
//! The first element has the comments before the first move. `forks` are the lines played instead of an
//! element, either a move or the end. Pieces have their codes of CSA, so JKF exists for the same variants as
//! CSA; starts are written with their board unless they are named starts of standard shogi. Bookmarks are
//! comments that begin with `&`, as json-kifu-format reads them from KIF. Before a comment that begins so, also
//! after spaces, one more space is written, which reading removes. A line that continues after the last move of
//! a line without an end is written as a fork of that move, and begins with it.

mod parts;
mod read;
mod write;

use alloc::string::String;

use super::Record;
use super::builder;
use super::error::{RecordError, WriteError};
use super::names::{Recorded, Vocabulary};

pub(super) use self::read::{is_jkf, read_all};
pub(super) use self::write::headers;

/// Reads a record.
///
/// # Errors
///
/// The first part of the text that is not JSON of this shape or that breaks the rules, and variants for which
/// JKF does not exist.
///
/// ```
/// use shogi_rules::Shogi;
/// use shogi_records::{End, jkf, usi};
/// let text = r#"{"header": {}, "moves": [{},
///     {"move": {"color": 0, "from": {"x": 7, "y": 7}, "to": {"x": 7, "y": 6}, "piece": "FU"}},
///     {"special": "CHUDAN"}]}"#;
/// let record = jkf::parse::<Shogi>(text)?;
/// assert_eq!(usi::write(&record), "position startpos moves 7g7f");
/// assert_eq!(record.ending().map(|ending| &ending.end), Some(&End::Interruption));
/// # Ok::<(), shogi_records::RecordError>(())
/// ```
pub fn parse<R: Recorded>(text: &str) -> Result<Record<R>, RecordError> {
    builder::parse(text, read::read)
}

/// Writes a record on one line. Of several headers with the same name only the last is kept.
///
/// # Errors
///
/// If JKF does not exist for the variant.
pub fn write<R: Recorded>(record: &Record<R>) -> Result<String, WriteError> {
    write::written(record, &Vocabulary::of::<R>())
}
