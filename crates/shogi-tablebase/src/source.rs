//! Sources of the bytes of a file.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::{Arc, Mutex};

use crate::parallel::lock;

/// A source of the bytes of a file: the file itself, bytes in memory, or [parts](FileParts) of a remote file.
pub trait Source: Read + Seek + Send {
    /// Announces the ranges of bytes that are read next, so that a remote source fetches all of them at once.
    ///
    /// # Errors
    ///
    /// If they cannot be read now.
    fn prefetch(&mut self, ranges: &[Range<u64>]) -> io::Result<()> {
        let _ = ranges;
        Ok(())
    }
}

impl Source for File {}

impl<B: AsRef<[u8]> + Send> Source for Cursor<B> {}

/// A remote file, such as on a server that answers range requests, of which some parts have been supplied.
///
/// A task that needs other bytes fails. [`FileParts::take_missing`] then returns the ranges that it needs. Once they
/// are [supplied](FileParts::supply), call the task again. A probe of a position with all its moves takes two calls:
/// one that fails and notes all ranges, and one that succeeds.
///
/// Clones share the bytes: one clone is the source of a tablebase, and another one supplies it.
///
/// ```
/// use std::io::{Read, Seek, SeekFrom};
/// use shogi_tablebase::{FileParts, Source};
///
/// let file = b"the bytes of a file";
/// let parts = FileParts::new(file.len() as u64);
/// let mut source = parts.clone();
/// assert!(source.prefetch(&[4..9, 13..14]).is_err());
/// assert_eq!(parts.take_missing(), [4..9, 13..14]);
/// parts.supply(4, file[4..9].to_vec());
/// source.prefetch(&[4..9])?;
/// source.seek(SeekFrom::Start(4))?;
/// let mut bytes = [0; 5];
/// source.read_exact(&mut bytes)?;
/// assert_eq!(&bytes, b"bytes");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct FileParts {
    supplied: Arc<Mutex<Supplied>>,
    /// Where this clone reads next.
    position: u64,
    length: u64,
}

/// The shared part of the clones of [`FileParts`].
#[derive(Default, Debug)]
struct Supplied {
    /// The parts by the places of their first bytes.
    parts: BTreeMap<u64, Vec<u8>>,
    missing: Vec<Range<u64>>,
}

impl Supplied {
    /// The supplied bytes from a place on; empty if that byte is missing.
    fn from(&self, place: u64) -> &[u8] {
        let mut before = self.parts.range(..=place).rev();
        let rest = before.find_map(|(&start, part)| {
            let skipped = usize::try_from(place - start).ok()?;
            part.get(skipped..).filter(|rest| !rest.is_empty())
        });
        rest.unwrap_or_default()
    }

    /// Notes the bytes of a range that are missing.
    fn note_missing(&mut self, range: &Range<u64>) {
        let mut place = range.start;
        while place < range.end {
            let present = self.from(place).len() as u64;
            if present > 0 {
                place += present;
                continue;
            }
            let next = self.parts.range(place..range.end).next();
            let end = next.map_or(range.end, |(&start, _)| start);
            self.missing.push(place..end);
            place = end;
        }
    }
}

impl FileParts {
    /// A file of `length` bytes, of which none are supplied yet.
    pub fn new(length: u64) -> Self {
        Self { supplied: Arc::default(), position: 0, length }
    }

    /// Supplies the bytes of the file that begin at the byte number `place`, from 0.
    pub fn supply(&self, place: u64, bytes: Vec<u8>) {
        lock(&self.supplied).parts.insert(place, bytes);
    }

    /// Drops all bytes supplied so far.
    pub fn clear(&self) {
        lock(&self.supplied).parts.clear();
    }

    /// Returns the ranges of bytes whose lack made tasks fail since the last call of this function. The ranges of one
    /// task are in ascending order, and do not touch.
    pub fn take_missing(&self) -> Vec<Range<u64>> {
        std::mem::take(&mut lock(&self.supplied).missing)
    }
}

impl Source for FileParts {
    fn prefetch(&mut self, ranges: &[Range<u64>]) -> io::Result<()> {
        let mut supplied = lock(&self.supplied);
        let before = supplied.missing.len();
        for range in ranges {
            supplied.note_missing(range);
        }
        if supplied.missing.len() == before { Ok(()) } else { Err(not_there()) }
    }
}

impl Read for FileParts {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.length.saturating_sub(self.position);
        let wanted = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let mut supplied = lock(&self.supplied);
        let bytes = supplied.from(self.position);
        let count = wanted.min(bytes.len());
        buffer[..count].copy_from_slice(&bytes[..count]);
        if count == 0 && wanted > 0 {
            let range = self.position..self.position + wanted as u64;
            supplied.note_missing(&range);
            return Err(not_there());
        }
        drop(supplied);
        self.position += count as u64;
        Ok(count)
    }
}

impl Seek for FileParts {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let place = match to {
            SeekFrom::Start(place) => Some(place),
            SeekFrom::End(offset) => self.length.checked_add_signed(offset),
            SeekFrom::Current(offset) => self.position.checked_add_signed(offset),
        };
        let outside = || io::Error::new(io::ErrorKind::InvalidInput, "no place in a file");
        self.position = place.ok_or_else(outside)?;
        Ok(self.position)
    }
}

fn not_there() -> io::Error {
    io::Error::new(io::ErrorKind::WouldBlock, "bytes of the file have not come yet")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_parts_are_those_not_yet_supplied() {
        let file: Vec<u8> = (0..100).collect();
        let parts = FileParts::new(100);
        let mut source = parts.clone();
        for range in [10..20, 20..25, 40..60] {
            parts.supply(range.start, file[range.start as usize..range.end as usize].to_vec());
        }
        let mut missing = |range: Range<u64>| {
            let is_there = source.prefetch(std::slice::from_ref(&range)).is_ok();
            let missing: Vec<_> =
                parts.take_missing().iter().map(|range| (range.start, range.end)).collect();
            assert_eq!(is_there, missing.is_empty(), "{range:?}");
            missing
        };
        assert_eq!(missing(10..25), []);
        assert_eq!(missing(50..60), []);
        assert_eq!(missing(0..100), [(0, 10), (25, 40), (60, 100)]);
        assert_eq!(missing(24..41), [(25, 40)]);
        assert_eq!(missing(25..26), [(25, 26)]);
        assert_eq!(missing(7..7), []);
        // A read resumes in the next part.
        source.seek(SeekFrom::Start(12)).unwrap();
        let mut bytes = [0; 13];
        source.read_exact(&mut bytes).unwrap();
        assert_eq!(bytes, file[12..25]);
        let error = source.read(&mut bytes).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::WouldBlock);
        assert_eq!(parts.take_missing().first(), Some(&(25..38)));
        // Where the file ends, nothing is missing.
        assert_eq!(source.seek(SeekFrom::End(0)).unwrap(), 100);
        assert_eq!(source.read(&mut bytes).unwrap(), 0);
        assert!(source.seek(SeekFrom::Current(-101)).is_err());
        parts.clear();
        assert!(source.prefetch(std::slice::from_ref(&(10..20))).is_err());
    }
}
