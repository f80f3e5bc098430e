//! The heading of several binary formats: a text in JSON.

use std::io::Read;
use std::string::String;

use serde::Deserialize;

use super::{At, FileFormat, Flaw, Reader};

/// The variant of a sealed binary file whose first text is a JSON object with the field `variant`.
/// Nothing else of the file is read, so it need not be complete.
///
/// ```
/// use shogi_files::sealed::{FileFormat, Flaw, Writer, read_variant};
///
/// #[derive(Debug, thiserror::Error)]
/// enum Reason {
///     #[error(transparent)]
///     Flaw(#[from] Flaw),
///     #[error(transparent)]
///     Heading(#[from] serde_json::Error),
/// }
/// const FORMAT: FileFormat =
///     FileFormat { magic: *b"\x89NOTES\r\n", version: 1, name: "notes", most: 1 << 20 };
/// let mut file = Writer::new(Vec::new(), &FORMAT)?;
/// file.sized_text(r#"{"variant":"minishogi","notes":2}"#)?;
/// let file = file.finish()?;
/// assert_eq!(read_variant::<Reason>(&file[..], &FORMAT)?, "minishogi");
/// let error = read_variant::<Reason>(&file[..20], &FORMAT).unwrap_err();
/// assert_eq!(error.to_string(), "at byte 20: the file ends here, but it is not complete");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If the file is of another format or ends within the heading, or the heading has no such field; with
/// the place.
pub fn read_variant<E: From<Flaw> + From<serde_json::Error>>(
    input: impl Read,
    format: &FileFormat,
) -> Result<String, At<E>> {
    #[derive(Deserialize)]
    struct Heading {
        variant: String,
    }
    let mut reader = Reader::new(input, format).map_err(At::convert)?;
    let heading = reader.sized_text("heading").map_err(E::from);
    let heading = heading.and_then(|text| Ok(serde_json::from_str::<Heading>(&text)?));
    Ok(heading.map_err(|reason| reader.at(reason))?.variant)
}
