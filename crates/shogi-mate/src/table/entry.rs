//! An entry of the table, and the words in which it is stored.

/// A slot in memory: board; hand and pn; dn, length, amount and flags. Words rather than a struct, because
/// the system hands out a vector of zero words without touching it.
pub type Slot = [u64; 3];
/// A slot without an entry; no entry has the amount 0.
pub const VACANT: Slot = [0; 3];
/// Steps of an amount for each doubling of the work.
const STEPS: u32 = 4;
/// A final entry stays as long as an open one with 2^8 times the work, since it need not be searched again.
const FINAL_BONUS: usize = 8 * STEPS as usize;

/// More than the greatest worth of an entry.
pub const WORTHS: usize = 512;

/// The entry of a position, 24 bytes in the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Key of the position without the hands.
    pub board: u64,
    /// The hand of one player, [`Hand::bits`](crate::shogi_core::Hand::bits) or another encoding.
    pub hand: u32,
    /// The proof number; 0 means proved.
    pub pn: u32,
    /// The disproof number; 0 means disproved.
    pub dn: u32,
    /// A number of plies, whose meaning the caller defines.
    pub length: u16,
    /// The work spent below this position, scaled by [`Entry::amount_of`]. Sweeps and full windows keep
    /// large amounts longer; 0 counts as 1.
    pub amount: u8,
    /// Bits whose meaning the caller defines.
    pub flags: u8,
}

impl Entry {
    /// The proof number of a disproved position and the disproof number of a proved one.
    pub const INFINITE: u32 = u32::MAX / 4;

    /// Bytes of an entry.
    pub const BYTES: usize = size_of::<Slot>();

    /// Whether the position is proved or disproved.
    #[inline]
    pub const fn is_final(&self) -> bool {
        self.pn == 0 || self.dn == 0
    }

    /// The amount for this much work, such as positions visited, from 1 to 255: four times the binary
    /// logarithm.
    pub const fn amount_of(work: u64) -> u8 {
        let work = if work == 0 { 1 } else { work };
        let log = work.ilog2();
        // The two bits after the highest.
        let fraction = ((work << (63 - log)) >> 61 & 3) as u32;
        let amount = 1 + STEPS * log + fraction;
        if amount > 255 { 255 } else { amount as u8 }
    }

    /// The entry as bytes: the fields in order, each little-endian.
    pub fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        for (bytes, word) in bytes.chunks_exact_mut(8).zip(self.pack()) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// The entry with these bytes; `None` if no search stores such an entry: both numbers 0, a number above
    /// [`Entry::INFINITE`], or the amount 0.
    ///
    /// ```
    /// use shogi_mate::table::Entry;
    /// let entry = Entry { board: 5, hand: 1, pn: 7, ..Entry::default() };
    /// assert_eq!(Entry::from_bytes(entry.to_bytes()), Some(entry));
    /// assert_eq!(Entry::from_bytes([0; Entry::BYTES]), None);
    /// ```
    pub fn from_bytes(bytes: [u8; Self::BYTES]) -> Option<Self> {
        let mut slot = VACANT;
        for (word, bytes) in slot.iter_mut().zip(bytes.chunks_exact(8)) {
            *word = bytes.iter().rfold(0, |word, &byte| word << 8 | u64::from(byte));
        }
        let entry = Self::unpack(slot);
        let numbers = (entry.pn != 0 || entry.dn != 0)
            && entry.pn <= Self::INFINITE
            && entry.dn <= Self::INFINITE;
        (numbers && !is_vacant(&slot)).then_some(entry)
    }

    #[inline]
    pub(super) const fn pack(self) -> Slot {
        let amount = if self.amount == 0 { 1 } else { self.amount };
        let meta = (self.length as u64) | (amount as u64) << 16 | (self.flags as u64) << 24;
        [self.board, self.hand as u64 | (self.pn as u64) << 32, self.dn as u64 | meta << 32]
    }

    #[inline]
    pub(super) const fn unpack([board, low, high]: Slot) -> Self {
        Self {
            board,
            hand: low as u32,
            pn: (low >> 32) as u32,
            dn: high as u32,
            length: (high >> 32) as u16,
            amount: (high >> 48) as u8,
            flags: (high >> 56) as u8,
        }
    }

    /// The value of keeping it, below [`WORTHS`].
    pub(super) const fn worth(&self) -> usize {
        self.amount as usize + if self.is_final() { FINAL_BONUS } else { 0 }
    }
}

impl Default for Entry {
    /// An unknown open position: both numbers 1, all other fields 0 except the amount.
    fn default() -> Self {
        Self { board: 0, hand: 0, pn: 1, dn: 1, length: 0, amount: 1, flags: 0 }
    }
}

/// Whether a slot has no entry.
#[inline(always)]
pub const fn is_vacant(slot: &Slot) -> bool {
    // The amount, which no entry has as 0.
    slot[2] >> 48 & 0xff == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_grow_with_the_logarithm() {
        assert_eq!([1, 2, 3, 4, 8].map(Entry::amount_of), [1, 5, 7, 9, 13]);
        assert_eq!(Entry::amount_of(0), 1);
        assert_eq!(Entry::amount_of(u64::MAX), 255);
        assert!((1..100_000).all(|work| Entry::amount_of(work) <= Entry::amount_of(work + 1)));
    }
}
