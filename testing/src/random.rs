//! Seeded random numbers, the same at every run.

/// SplitMix64 (Steele, Lea & Flood 2014).
pub struct Random(u64);

impl Random {
    /// The sequence with this seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// 64 random bits.
    const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`.
    pub const fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// True this often in a hundred.
    pub const fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// A number from 0 to 1, without 1.
    pub const fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// One of the items.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}
