//! The 256 bits of a packed position, from the lowest of the first byte.

use super::{BYTES, UnpackReason};

/// How many bits there are.
const BITS: usize = 8 * BYTES;

/// Bits that are being read.
pub(super) struct BitReader<'b> {
    bytes: &'b [u8; BYTES],
    at: usize,
}

impl<'b> BitReader<'b> {
    pub(super) const fn new(bytes: &'b [u8; BYTES]) -> Self {
        Self { bytes, at: 0 }
    }

    /// The number of bits taken so far.
    pub(super) const fn at(&self) -> usize {
        self.at
    }

    /// Whether all bits were taken.
    pub(super) const fn is_over(&self) -> bool {
        self.at == BITS
    }

    /// The next eight bits; bits beyond the last are 0.
    pub(super) fn peek(&self) -> u8 {
        let byte = |number: usize| u16::from(self.bytes.get(number).copied().unwrap_or(0));
        let pair = byte(self.at / 8) | byte(self.at / 8 + 1) << 8;
        (pair >> (self.at % 8)) as u8
    }

    /// Takes the next `count` bits, at most eight.
    pub(super) fn take(&mut self, count: u8) -> Result<u8, UnpackReason> {
        let taken = self.peek() & (0xff >> (8 - count));
        if self.at + usize::from(count) > BITS {
            return Err(UnpackReason::End);
        }
        self.at += usize::from(count);
        Ok(taken)
    }
}

/// Bits that are being written; those of a legal position always fit.
#[derive(Default)]
pub(super) struct BitWriter {
    bytes: [u8; BYTES],
    at: usize,
}

impl BitWriter {
    /// Adds the lowest `count` bits, at most eight.
    pub(super) fn put(&mut self, bits: u8, count: u8) {
        let pair = u16::from(bits) << (self.at % 8);
        for (number, byte) in (self.at / 8..).zip(pair.to_le_bytes()) {
            if let Some(place) = self.bytes.get_mut(number) {
                *place |= byte;
            }
        }
        self.at += usize::from(count);
    }

    pub(super) const fn bytes(self) -> [u8; BYTES] {
        self.bytes
    }
}
