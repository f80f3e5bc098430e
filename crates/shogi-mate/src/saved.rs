//! The parts that checkpoints of searches share: why one is refused, names, lists and the entries of a table.

use std::io::{self, Read, Write};

use shogi_files::sealed::{self, At, Flaw};

use crate::table::Entry;

/// Why a checkpoint cannot be read, and where.
pub type CheckpointError = At<CheckpointReason>;

/// The faults that a checkpoint can have.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointReason {
    /// The file cannot be read, or was not written as a checkpoint.
    #[error(transparent)]
    File(#[from] Flaw),
    /// The hash of its rules differs from that of the variant.
    #[error("it was made by other rules of the same name")]
    Rules,
    /// A field has an impossible value.
    #[error("the {0} is not one that is written")]
    Field(&'static str),
    /// The checkpoint belongs to another search.
    #[error("the checkpoint is of another run: its {field} is {found}, not {wanted}")]
    Mismatch {
        /// The difference.
        field: &'static str,
        /// The value in the file.
        found: String,
        /// The value of this run.
        wanted: String,
    },
    /// A certificate in the file does not hold.
    #[error("a certificate does not hold: {0}")]
    Certificate(String),
}

/// The error for a checkpoint of another run.
pub fn mismatch(field: &'static str, found: &str, wanted: &str) -> CheckpointReason {
    CheckpointReason::Mismatch { field, found: found.to_owned(), wanted: wanted.to_owned() }
}

/// The error for refused content: that the file is damaged, if it is, else the reason.
pub fn refusal(input: sealed::Reader<impl Read>, reason: CheckpointReason) -> CheckpointError {
    match reason {
        CheckpointReason::File(_) => input.at(reason),
        _ => input.refusal(reason),
    }
}

/// Reads a text after its length in two bytes.
///
/// # Errors
///
/// If it cannot be read, or is not UTF-8.
pub fn text(
    input: &mut sealed::Reader<impl Read>,
    name: &'static str,
) -> Result<String, CheckpointReason> {
    let length = u16::from_le_bytes(input.array()?);
    Ok(input.text(length.into(), name)?)
}

/// An item of a list, by its number in a byte.
///
/// # Errors
///
/// If it cannot be read, or the list has no such item.
pub fn item<T: Copy>(
    input: &mut sealed::Reader<impl Read>,
    list: &[T],
    name: &'static str,
) -> Result<T, CheckpointReason> {
    let number = input.byte()?;
    list.get(usize::from(number)).copied().ok_or(CheckpointReason::Field(name))
}

/// Reads how many entries of a table follow.
///
/// # Errors
///
/// If it cannot be read.
pub fn read_count(input: &mut sealed::Reader<impl Read>) -> Result<u64, CheckpointReason> {
    Ok(u64::from_le_bytes(input.array()?))
}

/// Reads so many entries of a table, each of which is given to `keep`.
///
/// # Errors
///
/// If one cannot be read or has impossible numbers.
pub fn read_entries(
    input: &mut sealed::Reader<impl Read>,
    entries: u64,
    mut keep: impl FnMut(Entry),
) -> Result<(), CheckpointReason> {
    for _ in 0..entries {
        let entry = Entry::from_bytes(input.array()?);
        keep(entry.ok_or(CheckpointReason::Field("entry of a table"))?);
    }
    Ok(())
}

/// The number of an item of a list that holds every value.
pub fn number<T: PartialEq>(list: &[T], item: &T) -> u8 {
    list.iter().position(|listed| listed == item).unwrap_or(list.len()) as u8
}

/// Writes a text after its length in two bytes.
///
/// # Errors
///
/// If the text is longer, or cannot be written.
pub fn write_text(out: &mut impl Write, text: &str) -> io::Result<()> {
    let length = u16::try_from(text.len()).map_err(io::Error::other)?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(text.as_bytes())
}
