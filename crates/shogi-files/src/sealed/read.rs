//! Reading a sealed binary file.

use std::io::Read;
use std::string::String;
use std::vec::Vec;

use super::{At, CHECKSUM_BYTES, FileFormat, Flaw};

/// Bytes read from the input at a time.
const CHUNK: u64 = 1 << 16;

/// Reads a file of a [`FileFormat`], hashes the bytes and counts the offset.
///
/// Memory grows only with the bytes that were read, whatever the numbers in the file say; more than
/// [`FileFormat::most`] bytes are refused with [`Flaw::TooLarge`] wherever they are read. The content is
/// known to be unchanged only once [`Reader::finish`] has returned without an error.
#[derive(Debug)]
pub struct Reader<I> {
    input: I,
    /// The part of the input in memory.
    chunk: Vec<u8>,
    /// The number of bytes of the chunk that have been used, and of those that have been hashed.
    used: usize,
    hashed: usize,
    /// The offset of the chunk in the file.
    start: u64,
    budget: Budget,
    hasher: blake3::Hasher,
}

impl<I: Read> Reader<I> {
    /// Begins to read a file: reads its magic bytes and its version.
    ///
    /// # Errors
    ///
    /// [`Flaw::Format`] or [`Flaw::Version`] if the file is empty or of another format or version, with
    /// the place of those bytes; [`Flaw::Truncated`] and [`Flaw::Io`].
    pub fn new(input: I, format: &FileFormat) -> Result<Self, At<Flaw>> {
        let hasher = blake3::Hasher::new();
        let budget = Budget { most: format.most, left: format.most };
        let chunk = Vec::new();
        let mut reader = Self { input, chunk, used: 0, hashed: 0, start: 0, budget, hasher };
        for (place, expected) in format.magic.into_iter().enumerate() {
            match reader.next() {
                Ok(Some(byte)) if byte == expected => {}
                Ok(None) if place > 0 => return Err(reader.at(Flaw::Truncated)),
                Ok(_) => return Err(At { offset: 0, reason: Flaw::Format(format.name) }),
                Err(reason) => return Err(reader.at(reason)),
            }
        }
        let offset = reader.offset();
        let found = u16::from_le_bytes(reader.array().map_err(|reason| reader.at(reason))?);
        if found != format.version {
            let (found, known) = (found.into(), format.version.into());
            return Err(At { offset, reason: Flaw::Version { found, known } });
        }
        Ok(reader)
    }

    /// The number of bytes read.
    pub const fn offset(&self) -> u64 {
        self.start + self.used as u64
    }

    /// An error with the present place in the file.
    pub const fn at<E>(&self, reason: E) -> At<E> {
        At { offset: self.offset(), reason }
    }

    fn hash_used(&mut self) {
        self.hasher.update(&self.chunk[self.hashed..self.used]);
        self.hashed = self.used;
    }

    /// The next bytes of the input: at least one, or none at its end.
    fn fill(&mut self) -> Result<&[u8], Flaw> {
        if self.used == self.chunk.len() {
            self.hash_used();
            self.start += self.used as u64;
            (self.used, self.hashed) = (0, 0);
            self.chunk.clear();
            self.budget.read_chunk(&mut self.input, &mut self.chunk)?;
        }
        Ok(&self.chunk[self.used..])
    }

    /// The next byte; `None` at the end of the input.
    #[inline]
    fn next(&mut self) -> Result<Option<u8>, Flaw> {
        let byte = self.fill()?.first().copied();
        self.used += usize::from(byte.is_some());
        Ok(byte)
    }

    /// Reads a byte.
    ///
    /// # Errors
    ///
    /// [`Flaw::Truncated`] and [`Flaw::Io`].
    #[inline]
    pub fn byte(&mut self) -> Result<u8, Flaw> {
        self.next()?.ok_or(Flaw::Truncated)
    }

    /// Reads `N` bytes; for whole numbers: `u32::from_le_bytes(reader.array()?)`.
    ///
    /// # Errors
    ///
    /// [`Flaw::Truncated`] and [`Flaw::Io`].
    #[inline]
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], Flaw> {
        if let Some(&array) = self.chunk[self.used..].first_chunk() {
            self.used += N;
            return Ok(array);
        }
        let mut array = [0; N];
        for byte in &mut array {
            *byte = self.byte()?;
        }
        Ok(array)
    }

    /// Reads `length` bytes.
    ///
    /// # Errors
    ///
    /// [`Flaw::Truncated`] and [`Flaw::Io`].
    pub fn bytes(&mut self, length: u64) -> Result<Vec<u8>, Flaw> {
        let mut bytes = Vec::new();
        let mut left = length;
        while left > 0 {
            let next = self.fill()?;
            let taken = next.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            if taken == 0 {
                return Err(Flaw::Truncated);
            }
            bytes.extend(&next[..taken]);
            self.used += taken;
            left -= taken as u64;
        }
        Ok(bytes)
    }

    /// Reads a text of `length` bytes in UTF-8; errors call it `name`.
    ///
    /// # Errors
    ///
    /// [`Flaw::Text`], [`Flaw::Truncated`] and [`Flaw::Io`].
    pub fn text(&mut self, length: u64, name: &'static str) -> Result<String, Flaw> {
        String::from_utf8(self.bytes(length)?).map_err(|_| Flaw::Text(name))
    }

    /// Reads a text that [`Writer::sized_text`](super::Writer::sized_text) has written; errors call it
    /// `name`.
    ///
    /// # Errors
    ///
    /// As [`Reader::text`].
    pub fn sized_text(&mut self, name: &'static str) -> Result<String, Flaw> {
        let length = u32::from_le_bytes(self.array()?);
        self.text(length.into(), name)
    }

    /// Reads a number below 2^32 in LEB128, seven bits a byte from the lowest, in as few bytes as
    /// possible.
    ///
    /// # Errors
    ///
    /// [`Flaw::Number`], [`Flaw::Truncated`] and [`Flaw::Io`].
    #[inline]
    pub fn varint(&mut self) -> Result<u32, Flaw> {
        let mut number = 0u64;
        for shift in (0..).step_by(7).take(5) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                let padded = byte == 0 && shift > 0;
                let number = u32::try_from(number).ok().filter(|_| !padded);
                return number.ok_or(Flaw::Number);
            }
        }
        Err(Flaw::Number)
    }

    /// Reads and compares the checksum, and checks that nothing follows.
    ///
    /// # Errors
    ///
    /// [`Flaw::Checksum`], [`Flaw::Trailing`], [`Flaw::Truncated`] and [`Flaw::Io`].
    pub fn finish(&mut self) -> Result<(), At<Flaw>> {
        self.hash_used();
        let checksum = self.hasher.finalize();
        let offset = self.offset();
        let found = self.array::<CHECKSUM_BYTES>().map_err(|reason| self.at(reason))?;
        if found != *checksum.as_bytes() {
            return Err(At { offset, reason: Flaw::Checksum });
        }
        let end = self.offset();
        match self.next() {
            Ok(None) => Ok(()),
            Ok(Some(_)) => Err(At { offset: end, reason: Flaw::Trailing }),
            Err(reason) => Err(self.at(reason)),
        }
    }

    /// Reads the rest of the file only to check its checksum.
    ///
    /// # Errors
    ///
    /// [`Flaw::Checksum`], [`Flaw::TooLarge`] and [`Flaw::Io`].
    pub fn check_rest(mut self) -> Result<(), At<Flaw>> {
        let offset = self.offset();
        self.hash_used();
        let rest = self.chunk.split_off(self.used);
        match ends_with_checksum(self.hasher, rest, &mut self.budget, &mut self.input) {
            Ok(true) => Ok(()),
            Ok(false) => Err(At { offset, reason: Flaw::Checksum }),
            Err(reason) => Err(At { offset, reason }),
        }
    }

    /// The error for content that is refused here: [`Flaw::Checksum`] if the file is damaged, which then
    /// is the cause, else `reason`. Reads the rest of the file to find out.
    pub fn refusal<E: From<Flaw>>(self, reason: E) -> At<E> {
        let refused = self.at(reason);
        match self.check_rest() {
            Ok(()) => refused,
            Err(damaged) => At { reason: damaged.reason.into(), ..refused },
        }
    }
}

/// The largest number of bytes of a file, and how many of them may still be read.
#[derive(Debug)]
struct Budget {
    most: u64,
    left: u64,
}

impl Budget {
    /// Appends some bytes of the input and returns their number, 0 at the end. Compiled once for all
    /// inputs.
    fn read_chunk(&mut self, input: &mut dyn Read, bytes: &mut Vec<u8>) -> Result<usize, Flaw> {
        let read = input.take(CHUNK).read_to_end(bytes)?;
        let left = self.left.checked_sub(read as u64);
        self.left = left.ok_or(Flaw::TooLarge { most: self.most })?;
        Ok(read)
    }
}

/// Whether the rest of a file, from these bytes on, ends with the checksum of the whole file.
fn ends_with_checksum(
    mut hasher: blake3::Hasher,
    mut rest: Vec<u8>,
    budget: &mut Budget,
    input: &mut dyn Read,
) -> Result<bool, Flaw> {
    loop {
        let content = rest.len().saturating_sub(CHECKSUM_BYTES);
        hasher.update(&rest[..content]);
        rest.drain(..content);
        if budget.read_chunk(input, &mut rest)? == 0 {
            return Ok(rest == hasher.finalize().as_bytes());
        }
    }
}
