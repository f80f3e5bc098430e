//! From the typed errors of the libraries to the exceptions of `shogi_variants.errors`.

use std::io;
use std::ops::RangeInclusive;
use std::path::Path;

use pyo3::call::PyCallArgs;
use pyo3::exceptions::{PyMemoryError, PyOSError};
use pyo3::prelude::*;
use shogi_variants::core::Faults;
use shogi_variants::operations::Error;
use shogi_variants::proof::{ReadError, ReadReason};
use shogi_variants::rank::RankError;
use shogi_variants::rules::packed::UnpackError;
use shogi_variants::rules::record::{DecodeError, RecordError, WriteError};
use shogi_variants::rules::sealed::Flaw;
use shogi_variants::rules::text::TextLoadError;
use shogi_variants::rules::{PlayError, SfenError, UsiError, Violations};
use shogi_variants::search::SettingsError;
use shogi_variants::tablebase::{BuildError, FileError, FileReason, ProbeError, VerifyError};
use shogi_variants::{MoveError, UnknownVariant, core};

/// An error with the exception that stands for it.
pub trait Raise {
    /// The exception.
    fn raise(self) -> PyErr;
}

/// An exception of `shogi_variants.errors`.
fn exception(name: &str, arguments: impl for<'py> PyCallArgs<'py>) -> PyErr {
    Python::attach(|py| {
        let made = py
            .import("shogi_variants.errors")
            .and_then(|module| module.getattr(name))
            .and_then(|class| class.call1(arguments));
        made.map_or_else(|error| error, PyErr::from_value)
    })
}

/// An exception that has a message only.
pub fn named(name: &str, message: &dyn std::fmt::Display) -> PyErr {
    exception(name, (message.to_string(),))
}

/// What a proof, a certificate or a table fails at.
pub fn refuted(message: &dyn std::fmt::Display, position: String, reason: String) -> PyErr {
    exception("RefutedError", (message.to_string(), position, reason))
}

/// A number that is not within the bounds of an argument.
pub fn out_of_range(
    argument: &str,
    value: &Bound<'_, PyAny>,
    range: &RangeInclusive<u64>,
) -> PyErr {
    let (least, most) = (*range.start(), *range.end());
    // Python writes no number of more than some thousand digits.
    let text = value.str().map_or_else(|_| "a number".to_owned(), |text| text.to_string());
    let message = format!("{argument}: {text} is out of range: it can be {least} to {most}");
    let value = value.clone().unbind();
    exception("OutOfRangeError", (message, argument.to_owned(), value, least, most))
}

/// Why a file could not be read or written, with its name as Python's own errors have it.
pub fn os_error(error: &io::Error, path: &Path) -> PyErr {
    let Some(code) = error.raw_os_error() else { return file_error(error, path) };
    Python::attach(|py| {
        let text = py.import("os").and_then(|os| os.call_method1("strerror", (code,)));
        match text {
            Ok(text) => PyOSError::new_err((code, text.unbind(), path.as_os_str().to_owned())),
            Err(error) => error,
        }
    })
}

/// A file whose content is not what it should be.
pub fn file_error(error: &dyn std::fmt::Display, path: &Path) -> PyErr {
    let (path, text) = (path.display().to_string(), error.to_string());
    let message = if text.starts_with(&path) { text } else { format!("{path}: {text}") };
    exception("FileError", (message, path))
}

/// A text, or the file with this name, that is no variant.
pub fn no_variant(error: TextLoadError, path: Option<&Path>) -> PyErr {
    let path = path.map(|path| path.display().to_string());
    let message = path
        .as_ref()
        .map_or_else(|| error.to_string(), |path| format!("{path} is no variant: {error}"));
    let faults = match error {
        TextLoadError::Text(error) => error.0,
        _ => Vec::new(),
    };
    let faults = faults.into_iter().map(|fault| (fault.line, fault.key, fault.reason.to_string()));
    exception("VariantError", (message, faults.collect::<Vec<_>>(), path))
}

/// A proof file that cannot be read.
pub fn unreadable(error: &ReadError, path: &Path) -> PyErr {
    match &error.reason {
        ReadReason::File(Flaw::Io(reason)) => os_error(reason, path),
        _ => file_error(error, path),
    }
}

/// Says which item of many an error is about.
pub fn of_item(error: PyErr, number: usize) -> PyErr {
    Python::attach(|py| {
        // Python 3.10 has no notes: the error is the same without.
        let note = format!("item {number} of the batch");
        let _ = error.value(py).call_method1("add_note", (note,));
    });
    error
}

/// Bytes that are no packed position, or a number that is no move of it.
pub fn packed_error(message: String, bit: Option<usize>, reason: String) -> PyErr {
    exception("PackedError", (message, bit, reason))
}

/// A name that is none of those known, or what else makes no sense.
pub fn value_error(message: impl std::fmt::Display) -> PyErr {
    pyo3::exceptions::PyValueError::new_err(message.to_string())
}

/// A move that cannot be played.
pub fn unplayable(error: &PlayError, mv: &str) -> PyErr {
    match error {
        PlayError::Over(over) => named("GameOverError", over),
        PlayError::Illegal(broken) => {
            let message = format!("{mv}: {error}");
            let violations = broken.iter().map(|one: Violations| one.to_string());
            exception("IllegalMoveError", (message, mv.to_owned(), tuple(violations)))
        }
    }
}

/// A move, given as text, that is not played.
pub fn unplayed(error: MoveError, mv: &str) -> PyErr {
    match error {
        MoveError::Notation(error) => error.raise(),
        MoveError::Illegal(error) => unplayable(&error, mv),
    }
}

fn tuple(words: impl Iterator<Item = String>) -> Py<pyo3::types::PyTuple> {
    let words: Vec<_> = words.collect();
    Python::attach(|py| {
        let made = pyo3::types::PyTuple::new(py, words);
        made.unwrap_or_else(|_| pyo3::types::PyTuple::empty(py)).unbind()
    })
}

fn invalid(message: String, faults: Faults) -> PyErr {
    let faults = tuple(faults.iter().map(|fault: core::Faults| fault.to_string()));
    exception("InvalidPositionError", (message, faults))
}

impl Raise for UnknownVariant {
    fn raise(self) -> PyErr {
        named("UnknownVariantError", &self)
    }
}

impl Raise for SfenError {
    fn raise(self) -> PyErr {
        exception("SfenError", (self.to_string(), self.position, self.reason.to_string()))
    }
}

impl Raise for UsiError {
    fn raise(self) -> PyErr {
        exception("UsiError", (self.to_string(), self.position, self.reason.to_string()))
    }
}

/// The error for a position that was not read as one of a mate problem; where it could be one, the message says how.
pub fn no_position(text: String, faults: Faults) -> PyErr {
    let one_king = [Faults::NO_SENTE_KING, Faults::NO_GOTE_KING].contains(&faults);
    let hint = if one_king { "; a mate problem without it is read with problem=True" } else { "" };
    invalid(format!("{text}{hint}"), faults)
}

impl Raise for UnpackError {
    fn raise(self) -> PyErr {
        packed_error(self.to_string(), Some(self.bit), self.reason.to_string())
    }
}

impl Raise for SettingsError {
    fn raise(self) -> PyErr {
        match self {
            Self::Memory(_) => PyMemoryError::new_err(self.to_string()),
            _ => value_error(self),
        }
    }
}

impl Raise for RankError {
    fn raise(self) -> PyErr {
        named("RankError", &self)
    }
}

impl Raise for RecordError {
    fn raise(self) -> PyErr {
        let reason = self.reason.to_string();
        exception("RecordError", (self.to_string(), Some(self.line), Some(self.column), reason))
    }
}

impl Raise for DecodeError {
    fn raise(self) -> PyErr {
        let (line, column) = (Some(self.line), None::<usize>);
        exception("RecordError", (self.to_string(), line, column, self.to_string()))
    }
}

impl Raise for WriteError {
    fn raise(self) -> PyErr {
        let nowhere = None::<usize>;
        exception("RecordError", (self.to_string(), nowhere, nowhere, self.to_string()))
    }
}

impl Raise for shogi_variants::reach::RefutedCertificate {
    fn raise(self) -> PyErr {
        refuted(&self, self.position.clone(), self.reason.clone())
    }
}

impl Raise for shogi_variants::proof::RefutedProof {
    fn raise(self) -> PyErr {
        refuted(&self, self.sfen.clone(), self.fault.to_string())
    }
}

impl Raise for FileError {
    fn raise(self) -> PyErr {
        match &self.reason {
            FileReason::Io(error) => os_error(error, &self.path),
            _ => file_error(&self, &self.path),
        }
    }
}

impl Raise for Error {
    fn raise(self) -> PyErr {
        match self {
            Self::Sfen(error) => error.raise(),
            Self::Invalid { faults, text } => invalid(text, faults),
            Self::Notation { reason, .. } => {
                let place = (self.to_string(), reason.position, reason.reason.to_string());
                exception("UsiError", place)
            }
            Self::Illegal { ref text, ref reason, .. } => unplayable(reason, text),
            Self::InLine(error) => error.raise(),
            Self::Record(error) => error.raise(),
            Self::Unavailable(_)
            | Self::Uncompiled(_)
            | Self::Unsuited { .. }
            | Self::TooLarge { .. } => named("UnavailableError", &self),
            Self::ListingMemory { megabytes, allowed } => {
                let takes = format!("the listing takes {megabytes} MB of memory");
                named("UnavailableError", &format!("{takes}, and memory_mb allows {allowed}"))
            }
            Self::Memory { .. } => PyMemoryError::new_err(self.to_string()),
            Self::NotInProof => named("NotInProofError", &self),
            Self::Start(_)
            | Self::Line { .. }
            | Self::NoKing(_)
            | Self::NoEvaluation { .. }
            | Self::Set { .. } => value_error(self),
            Self::Library(error) => library(error),
            _ => named("Error", &self),
        }
    }
}

/// An error that the operations pass on as it is.
fn library(error: Box<dyn std::error::Error + Send + Sync>) -> PyErr {
    let error = match error.downcast::<FileError>() {
        Ok(error) => return error.raise(),
        Err(error) => error,
    };
    let error = match error.downcast::<BuildError>().map(|error| *error) {
        Ok(BuildError::File(error)) => return error.raise(),
        Ok(error) => return named("Error", &error),
        Err(error) => error,
    };
    if let Some(error) = error.downcast_ref::<RankError>() {
        return error.clone().raise();
    }
    match error.downcast_ref::<VerifyError>() {
        Some(VerifyError::Refuted { sfen, .. }) => {
            return refuted(&error, sfen.clone(), error.to_string());
        }
        Some(_) => return named("FileError", &error),
        None => {}
    }
    match error.downcast_ref::<ProbeError>() {
        Some(ProbeError::Pieces { .. } | ProbeError::Illegal(_)) => value_error(error),
        Some(_) => named("FileError", &error),
        None => named("Error", &error),
    }
}
