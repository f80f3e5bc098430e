//! Writing a sealed binary file.

use std::io::{self, BufWriter, Write};

use super::FileFormat;

/// Writes a file of a [`FileFormat`] and hashes the bytes.
///
/// ```
/// use std::io::Write;
/// use shogi_files::sealed::{FileFormat, Reader, Writer};
/// const FORMAT: FileFormat =
///     FileFormat { magic: *b"\x89SCORE\r\n", version: 1, name: "score", most: 1 << 20 };
/// let mut writer = Writer::new(Vec::new(), &FORMAT)?;
/// writer.write_all(&7u32.to_le_bytes())?;
/// let file = writer.finish()?;
///
/// let mut reader = Reader::new(&file[..], &FORMAT)?;
/// assert_eq!(u32::from_le_bytes(reader.array()?), 7);
/// reader.finish()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Writer<W: Write> {
    out: BufWriter<W>,
    hasher: blake3::Hasher,
}

impl<W: Write> Writer<W> {
    /// Begins a file: writes the magic bytes and the version.
    pub fn new(out: W, format: &FileFormat) -> io::Result<Self> {
        let mut writer = Self { out: BufWriter::new(out), hasher: blake3::Hasher::new() };
        writer.write_all(&format.magic)?;
        writer.write_all(&format.version.to_le_bytes())?;
        Ok(writer)
    }

    /// Writes a text of less than 4 GiB, preceded by the number of its bytes in 32 bits,
    /// little-endian.
    pub fn sized_text(&mut self, text: &str) -> io::Result<()> {
        self.write_all(&(text.len() as u32).to_le_bytes())?;
        self.write_all(text.as_bytes())
    }

    /// Ends the file: writes the checksum and returns the output.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.write_all(self.hasher.finalize().as_bytes())?;
        self.out.flush()?;
        self.out.into_inner().map_err(io::IntoInnerError::into_error)
    }
}

impl<W: Write> Write for Writer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
