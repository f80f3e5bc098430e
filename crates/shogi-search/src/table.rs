//! The transposition table.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use crate::score::{MAX_PLY, MIN_WIN};

/// The relation of a stored score to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// The true score is at most the stored one.
    Upper,
    /// The true score is at least the stored one.
    Lower,
    /// The stored score is exact.
    Exact,
    /// Nothing is known but the evaluation.
    None,
}

impl Bound {
    /// The bound of a best score found by a search between `alpha` and `beta`.
    #[inline]
    pub(crate) const fn of(score: i32, alpha: i32, beta: i32) -> Self {
        if score >= beta {
            Self::Lower
        } else if score > alpha {
            Self::Exact
        } else {
            Self::Upper
        }
    }
}

/// The entry of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TableEntry {
    /// The best move, packed, or [`NONE`](crate::packed::NONE).
    pub(crate) best: u16,
    /// The score, for the player to move.
    pub(crate) score: i32,
    /// The evaluation of the position itself.
    pub(crate) eval: i32,
    /// The depth of the search that found the score; 0 for a quiescence search.
    pub(crate) depth: i32,
    /// The bound of the score.
    pub(crate) bound: Bound,
    /// Whether the position has been one of a principal variation.
    pub(crate) pv: bool,
}

impl TableEntry {
    /// The score, if it makes a search to `depth` unnecessary (transposition cutoff).
    #[inline]
    pub(crate) fn cutoff(&self, alpha: i32, beta: i32, depth: i32) -> Option<i32> {
        (self.depth >= depth && self.decides(alpha, beta)).then_some(self.score)
    }

    /// Whether there is a score.
    #[inline]
    pub(crate) const fn is_scored(&self) -> bool {
        !matches!(self.bound, Bound::None)
    }

    /// Whether the true score is at least the stored one.
    #[inline]
    pub(crate) const fn is_least(&self) -> bool {
        matches!(self.bound, Bound::Lower | Bound::Exact)
    }

    /// Whether the score is exact, or a bound outside of the window.
    #[inline]
    pub(crate) const fn decides(&self, alpha: i32, beta: i32) -> bool {
        match self.bound {
            Bound::None => false,
            Bound::Exact => true,
            Bound::Lower => self.score >= beta,
            Bound::Upper => self.score <= alpha,
        }
    }
}

/// Entries of a bucket.
const BUCKET: usize = 4;

/// One entry: its content, and the key exclusive-or the content. An entry half written by another
/// thread matches no key (Hyatt & Mann, "A lock-less transposition table implementation for
/// parallel search", ICGA Journal 2002).
#[derive(Default)]
struct Slot {
    locked: AtomicU64,
    content: AtomicU64,
}

/// The entries in which a position may be, on a cache line of their own.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; BUCKET]);

/// A table of fixed size that keeps the deepest and newest entries.
///
/// An entry is used only if all 64 bits of the key agree, and its move only if it is legal in the
/// position.
pub(crate) struct TranspositionTable {
    buckets: Vec<Bucket>,
    generation: AtomicU8,
}

/// Bits of the content: 16 move, 16 score, 16 evaluation, 8 depth, 5 generation, 1 principal variation, 2 bound plus one.
const GENERATIONS: u8 = 31;

impl TranspositionTable {
    /// A table of at most this size, at least one bucket.
    pub(crate) fn new(bytes: usize) -> Self {
        let count = (bytes / size_of::<Bucket>()).max(1);
        let buckets = (0..count).map(|_| Bucket::default()).collect();
        Self { buckets, generation: AtomicU8::new(0) }
    }

    /// Clears the table.
    pub(crate) fn clear(&mut self) {
        for bucket in &mut self.buckets {
            *bucket = Bucket::default();
        }
        *self.generation.get_mut() = 0;
    }

    /// Begins a new generation: entries stored from now on are newer.
    pub(crate) fn next_generation(&self) {
        self.generation.store((self.generation.load(Relaxed) + 1) & GENERATIONS, Relaxed);
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        &self.buckets[((u128::from(key) * self.buckets.len() as u128) >> 64) as usize]
    }

    /// Fetches the entries of the position with this key into the cache, where the processor has an instruction for that.
    /// A player without networks does without it, and without the crate that has it, which networks bring.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        #[cfg(all(feature = "evaluations", target_arch = "x86_64", target_feature = "sse"))]
        safe_arch::prefetch_t0(self.bucket(key));
        #[cfg(not(all(feature = "evaluations", target_arch = "x86_64", target_feature = "sse")))]
        let _ = key;
    }

    /// The entry of the position with this key, `ply` plies from the root.
    #[inline]
    pub(crate) fn probe(&self, key: u64, ply: usize) -> Option<TableEntry> {
        for slot in &self.bucket(key).0 {
            let content = slot.content.load(Relaxed);
            if slot.locked.load(Relaxed) ^ content == key && content != 0 {
                let mut entry = decode(content);
                entry.score = from_here(entry.score, ply);
                return Some(entry);
            }
        }
        None
    }

    /// Stores the entry of a position; it may replace a less valuable one.
    #[inline]
    pub(crate) fn store(&self, key: u64, ply: usize, mut entry: TableEntry) {
        entry.score += to_end(entry.score, ply);
        let generation = self.generation.load(Relaxed);
        let mut chosen = None;
        let mut least = i32::MAX;
        for slot in &self.bucket(key).0 {
            let content = slot.content.load(Relaxed);
            if slot.locked.load(Relaxed) ^ content == key && content != 0 {
                let old = decode(content);
                if entry.best == crate::packed::NONE {
                    entry.best = old.best;
                }
                let newer = generation_of(content) != generation;
                let deep = entry.depth + 4 + 2 * i32::from(entry.pv);
                if entry.bound != Bound::Exact && deep <= old.depth && !newer {
                    return;
                }
                chosen = Some(slot);
                break;
            }
            let age = i32::from(generation.wrapping_sub(generation_of(content)) & GENERATIONS);
            let worth = if content == 0 { i32::MIN } else { decode(content).depth - 4 * age };
            if worth < least {
                (least, chosen) = (worth, Some(slot));
            }
        }
        if let Some(slot) = chosen {
            let content = encode(&entry, generation);
            slot.content.store(content, Relaxed);
            slot.locked.store(key ^ content, Relaxed);
        }
    }

    /// Entries of this search in thousandths, from a sample.
    pub(crate) fn hashfull(&self) -> u32 {
        let buckets = &self.buckets[..self.buckets.len().min(1000 / BUCKET)];
        let sample = buckets.len() * BUCKET;
        let generation = self.generation.load(Relaxed);
        let used =
            buckets.iter().flat_map(|bucket| &bucket.0).map(|slot| slot.content.load(Relaxed));
        let used = used.filter(|&content| content != 0 && generation_of(content) == generation);
        (used.count() * 1000 / sample) as u32
    }
}

/// Wins are stored as seen from the position, not from the root.
const fn to_end(score: i32, ply: usize) -> i32 {
    if score >= MIN_WIN {
        ply as i32
    } else if score <= -MIN_WIN {
        -(ply as i32)
    } else {
        0
    }
}

const fn from_here(score: i32, ply: usize) -> i32 {
    score - to_end(score, ply)
}

const fn generation_of(content: u64) -> u8 {
    (content >> 56) as u8 & GENERATIONS
}

fn encode(entry: &TableEntry, generation: u8) -> u64 {
    let depth = entry.depth.clamp(-1, 2 * MAX_PLY as i32 - 2) + 1;
    u64::from(entry.best)
        | u64::from(entry.score as i16 as u16) << 16
        | u64::from(entry.eval as i16 as u16) << 32
        | (depth as u64 & 255) << 48
        | u64::from(generation & GENERATIONS) << 56
        | u64::from(entry.pv) << 61
        | bound_bits(entry.bound) << 62
}

const fn bound_bits(bound: Bound) -> u64 {
    match bound {
        Bound::None => 0,
        Bound::Upper => 1,
        Bound::Lower => 2,
        Bound::Exact => 3,
    }
}

const fn decode(content: u64) -> TableEntry {
    TableEntry {
        best: content as u16,
        score: (content >> 16) as i16 as i32,
        eval: (content >> 32) as i16 as i32,
        depth: (content >> 48 & 255) as i32 - 1,
        bound: match content >> 62 {
            0 => Bound::None,
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        },
        pv: content >> 61 & 1 != 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::WIN;

    #[test]
    fn entries_are_read_back_and_wins_count_from_the_position() {
        let table = TranspositionTable::new(1 << 12);
        for (key, score) in [(1, 35), (u64::MAX, -20_000), (1 << 63, WIN - 9), (77, 12 - WIN)] {
            let entry = TableEntry {
                best: 4711,
                score,
                eval: -123,
                depth: 9,
                bound: Bound::Lower,
                pv: true,
            };
            table.store(key, 4, entry);
            assert_eq!(table.probe(key, 4), Some(entry));
        }
        assert_eq!(table.probe(1 << 63, 0).map(|entry| entry.score), Some(WIN - 5));
        assert_eq!(table.probe(77, 6).map(|entry| entry.score), Some(14 - WIN));
        assert_eq!(table.probe(2, 0), None);
    }

    #[test]
    fn an_evaluation_alone_decides_nothing() {
        let (bound, pv) = (Bound::None, false);
        let entry =
            TableEntry { best: crate::packed::NONE, score: 0, eval: 80, depth: -1, bound, pv };
        let table = TranspositionTable::new(1 << 12);
        table.store(9, 2, entry);
        assert_eq!(table.probe(9, 2), Some(entry));
        assert!(!entry.is_scored() && !entry.is_least());
        assert_eq!(entry.cutoff(-100, -99, -1), None);
        // Any search finds more.
        let searched = TableEntry { score: -40, depth: 0, bound: Bound::Upper, ..entry };
        table.store(9, 2, searched);
        assert_eq!(table.probe(9, 2), Some(searched));
    }

    #[test]
    fn full_buckets_lose_what_is_old_and_shallow() {
        let table = TranspositionTable::new(1);
        let bound = Bound::Exact;
        let entry = |depth| TableEntry { best: 1, score: 0, eval: 0, depth, bound, pv: false };
        for key in 1..=4 {
            table.store(key, 0, entry(key as i32));
        }
        table.store(5, 0, entry(2));
        assert_eq!((table.probe(1, 0), table.probe(5, 0)), (None, Some(entry(2))));
        table.next_generation();
        table.store(6, 0, entry(0));
        table.store(7, 0, entry(0));
        assert!(table.probe(6, 0).is_some() && table.probe(4, 0).is_some());
    }

    #[test]
    fn all_fields_survive_at_their_bounds() {
        for bound in [Bound::None, Bound::Upper, Bound::Lower, Bound::Exact] {
            for depth in [-1, 0, 254] {
                let (best, score, eval, pv) = (u16::MAX, -30_000, 20_000, depth == 0);
                let entry = TableEntry { best, score, eval, depth, bound, pv };
                assert_eq!(decode(encode(&entry, GENERATIONS)), entry);
                assert_eq!(generation_of(encode(&entry, GENERATIONS)), GENERATIONS);
            }
        }
    }
}
