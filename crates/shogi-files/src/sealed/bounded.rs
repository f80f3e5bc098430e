//! Reading whole files, with a limit on their size.

use std::io::Read;
use std::vec::Vec;

use super::{At, FileFormat, Flaw};

/// Reads all of an input of at most `most` bytes. Memory grows only with the bytes that were read.
///
/// ```
/// use shogi_files::sealed::{Flaw, read_bounded};
/// assert_eq!(read_bounded(&b"seven"[..], 5)?, b"seven");
/// let endless = std::io::repeat(0);
/// assert!(matches!(read_bounded(endless, 5), Err(Flaw::TooLarge { most: 5 })));
/// # Ok::<(), Flaw>(())
/// ```
///
/// # Errors
///
/// [`Flaw::TooLarge`] if there are more bytes, of which only the first is read; [`Flaw::Io`].
pub fn read_bounded(mut input: impl Read, most: u64) -> Result<Vec<u8>, Flaw> {
    read_onto(Vec::new(), &mut input, most)
}

/// Appends the rest of an input to `bytes`, up to `most` bytes in total.
fn read_onto(mut bytes: Vec<u8>, input: &mut dyn Read, most: u64) -> Result<Vec<u8>, Flaw> {
    let left = most.saturating_add(1).saturating_sub(bytes.len() as u64);
    input.take(left).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(Flaw::TooLarge { most }) } else { Ok(bytes) }
}

impl FileFormat {
    /// Reads a whole file of the format after checking its magic bytes. The rest of the content is not
    /// checked.
    ///
    /// ```
    /// use shogi_files::sealed::{FileFormat, Flaw};
    /// const FORMAT: FileFormat =
    ///     FileFormat { magic: *b"\x89NOTES\r\n", version: 1, name: "notes", most: 1 << 20 };
    /// assert_eq!(FORMAT.read_whole(&b"\x89NOTES\r\n..."[..])?.len(), 11);
    /// assert!(FORMAT.read_whole(std::io::repeat(0)).is_err());
    /// # Ok::<(), shogi_files::sealed::At<Flaw>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Flaw::Format`] for other magic bytes, [`Flaw::TooLarge`] for more than [`FileFormat::most`]
    /// bytes, and [`Flaw::Io`]; with the place.
    pub fn read_whole(&self, mut input: impl Read) -> Result<Vec<u8>, At<Flaw>> {
        self.read_whole_from(&mut input)
    }

    fn read_whole_from(&self, input: &mut dyn Read) -> Result<Vec<u8>, At<Flaw>> {
        let mut bytes = Vec::new();
        let begun = input.take(self.magic.len() as u64).read_to_end(&mut bytes);
        let at = |offset, reason| At { offset, reason };
        begun.map_err(|error| at(0, error.into()))?;
        if bytes != self.magic {
            return Err(at(0, Flaw::Format(self.name)));
        }
        let read = read_onto(bytes, input, self.most);
        read.map_err(|reason| match reason {
            Flaw::TooLarge { .. } => at(self.most, reason),
            reason => at(0, reason),
        })
    }
}
