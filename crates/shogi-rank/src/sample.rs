//! Samples of a space, each of which depends on nothing but the seed and its number.

use std::ops::Range;

use num_bigint::BigUint;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use shogi_core::{Placement, RuleTable};

use crate::space::{Order, Space};

/// What follows the seed in the key of the generator, so that no other use of the same seed draws
/// the same numbers.
const DOMAIN: [u8; 24] = *b"shogi-rank uniform ranks";

/// Bits drawn beyond those of the size; the chance of no rank is off by a factor of more than
/// 1 +- 2^-64.
const SPARE_BITS: u64 = 64;

/// Uniformly distributed members of a space, numbered from 0.
///
/// Sample i is made of the i-th run of 32-bit words of a ChaCha8 key stream (four words for spaces
/// of less than 2^64 placements), read as a fraction of the size and rounded down. The bias is
/// below 2^-64 relative to a rank's chance. A sample depends on the seed and its number alone, so
/// threads, shards and blocks of any size draw the same samples.
///
/// ```
/// use shogi_rank::{Sampler, Space};
/// use shogi_rules::Minishogi;
/// let space = Space::<Minishogi>::new();
/// let sampler = Sampler::new(&space, 2018);
/// let block: Vec<u64> = sampler.ranks(100..103).collect();
/// assert_eq!(sampler.ranks(102..103).next(), Some(block[2]));
/// ```
#[derive(Debug)]
pub struct Sampler<'a, R: RuleTable> {
    space: &'a Space<R>,
    start: ChaCha8Rng,
    size: BigUint,
    /// 32-bit words for each sample of a wide space.
    words: u64,
}

/// 32-bit words for each sample of a space of less than 2^64 placements.
const NARROW_WORDS: u64 = 4;

impl<'a, R: RuleTable> Sampler<'a, R> {
    /// The samples of a space with this seed.
    pub fn new(space: &'a Space<R>, seed: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..].copy_from_slice(&DOMAIN);
        let size = space.size();
        let words = (size.bits() + SPARE_BITS).div_ceil(32);
        Self { space, start: ChaCha8Rng::from_seed(key), size, words }
    }

    /// The generator at the start of a sample of `words` words.
    fn stream(&self, sample: u64, words: u64) -> ChaCha8Rng {
        let mut stream = self.start.clone();
        stream.set_word_pos(u128::from(sample) * u128::from(words));
        stream
    }

    /// The native ranks of samples `range` of a space of less than 2^64 placements; for a wider
    /// space there are none, see [`Sampler::wide_rank`].
    ///
    /// A few nanoseconds a sample.
    pub fn ranks(&self, range: Range<u64>) -> Ranks {
        let size = self.space.size_u64();
        let range = if size.is_some() { range } else { 0..0 };
        let stream = self.stream(range.start, NARROW_WORDS);
        Ranks { stream, size: size.unwrap_or(0), left: range.end.saturating_sub(range.start) }
    }

    /// The native rank of a sample of a space of any size.
    pub fn wide_rank(&self, sample: u64) -> BigUint {
        if let Some(rank) = self.ranks(sample..sample.saturating_add(1)).next() {
            return rank.into();
        }
        let mut stream = self.stream(sample, self.words);
        let words = (0..self.words).map(|_| stream.next_u32()).collect();
        (BigUint::new(words) * &self.size) >> (32 * self.words)
    }

    /// The placements of samples `range`.
    ///
    /// ```
    /// use shogi_rank::{Sampler, Space};
    /// use shogi_rules::Minishogi;
    /// let space = Space::<Minishogi>::new();
    /// let sampler = Sampler::new(&space, 2018);
    /// let in_check = sampler.placements(0..1000).filter(|p| p.in_check(p.side())).count();
    /// assert!((600..900).contains(&in_check));
    /// ```
    pub fn placements(&self, range: Range<u64>) -> impl Iterator<Item = Placement<R>> {
        let wide = if self.space.size_u64().is_some() { 0..0 } else { range.clone() };
        let narrow = self.ranks(range).map(|rank| self.space.unrank_u64(Order::Native, rank));
        let wide = wide.map(|i| self.space.unrank(Order::Native, &self.wide_rank(i)));
        // Every rank drawn is below the size, so that no error is dropped here.
        narrow.chain(wide).filter_map(Result::ok)
    }
}

/// The native ranks of consecutive samples; see [`Sampler::ranks`].
#[derive(Clone, Debug)]
pub struct Ranks {
    stream: ChaCha8Rng,
    size: u64,
    left: u64,
}

impl Iterator for Ranks {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        self.left = self.left.checked_sub(1)?;
        let (low, high) = (u128::from(self.stream.next_u64()), u128::from(self.stream.next_u64()));
        let size = u128::from(self.size);
        Some(((high * size + ((low * size) >> 64)) >> 64) as u64)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(self.left);
        (left.unwrap_or(usize::MAX), left.ok())
    }
}
