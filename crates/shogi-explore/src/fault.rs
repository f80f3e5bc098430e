//! Why a request got no answer, as JSON.

use serde_json::{Value, json};
use shogi_variants::operations::Unanswered;

/// Why a request got no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The question was understood and has no answer, for the reason that the program would give.
    #[error("{reason}")]
    Refused {
        /// The line that the question was about.
        line: String,
        /// Why there is no answer.
        reason: String,
    },
    /// The request is no question: it is no JSON, or fields are missing, unknown or of the wrong type.
    #[error("{0}")]
    Malformed(String),
    /// Nothing is served under this path.
    #[error("nothing is served under this path")]
    Absent,
    /// The path is served, by another method.
    #[error("this path is not served by this method")]
    Method,
    /// No tablebase of a position's pieces is there; this would be the usual name of its file.
    #[error("no tablebase of these pieces is served ({0})")]
    NoTable(String),
    /// The request comes from a page of another site, or is meant for another host.
    #[error("{0}")]
    Foreign(&'static str),
    /// The request has more bytes than are read.
    #[error("a request has at most {0} bytes")]
    TooLarge(usize),
    /// The address has sent more requests than it may at a time.
    #[error("too many requests from this address; try again in a second")]
    TooFast,
    /// As many requests as can be answered at once are being answered.
    #[error("too many requests at once; try again")]
    Busy,
    /// The answer was not there in time.
    #[error("the answer took more than {0} s")]
    TimedOut(u64),
    /// The answer was lost, by a mistake of the program.
    #[error("the answer was lost")]
    Lost,
}

impl Fault {
    /// A word for what kind of fault it is.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Refused { .. } => "refused",
            Self::Malformed(_) => "malformed",
            Self::Absent => "absent",
            Self::Method => "method",
            Self::NoTable(_) => "no-table",
            Self::Foreign(_) => "foreign",
            Self::TooLarge(_) => "too-large",
            Self::TooFast => "too-fast",
            Self::Busy => "busy",
            Self::TimedOut(_) => "timed-out",
            Self::Lost => "lost",
        }
    }

    /// The status of HTTP.
    pub const fn status(&self) -> u16 {
        match self {
            Self::Refused { .. } => 422,
            Self::Malformed(_) => 400,
            Self::Absent | Self::NoTable(_) => 404,
            Self::Method => 405,
            Self::Foreign(_) => 403,
            Self::TooLarge(_) => 413,
            Self::TooFast => 429,
            Self::Busy => 503,
            Self::TimedOut(_) => 504,
            Self::Lost => 500,
        }
    }

    /// The object that is sent: for a refused question that of the batch verbs, with `in` and `error`,
    /// for all others `kind` and `error`.
    pub fn to_json(&self) -> Value {
        match self {
            Self::Refused { line, reason } => json!(Unanswered { line, error: reason.clone() }),
            fault => json!({ "kind": fault.kind(), "error": fault.to_string() }),
        }
    }
}
