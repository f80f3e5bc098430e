//! The transposition table.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use crate::score::{LEAST_WIN, MOST_PLIES};

/// What a stored score says of the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// It is at most this.
    Upper,
    /// It is at least this.
    Lower,
    /// It is this.
    Exact,
}

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// The best move, packed, or none.
    pub(crate) best: u16,
    /// The score, for the player to move.
    pub(crate) score: i32,
    /// The evaluation of the position itself.
    pub(crate) value: i32,
    /// How deep the search was that found it.
    pub(crate) depth: i32,
    /// What the score says.
    pub(crate) bound: Bound,
}

/// Entries that share a place.
const WAYS: usize = 4;

/// One entry: its content, and the key exclusive-or the content. An entry half written by another
/// thread has a key that nobody asks for (Hyatt & Mann, "A lock-less transposition table
/// implementation for parallel search", ICGA Journal 2002).
#[derive(Default)]
struct Slot {
    locked: AtomicU64,
    content: AtomicU64,
}

/// A table of fixed size that keeps the deepest and newest of what it is told.
///
/// An entry is used only where all 64 bits of the key agree, and its move only if it is legal in
/// the position at hand.
pub(crate) struct Table {
    slots: Vec<Slot>,
    generation: AtomicU8,
}

/// Bits of the content: 16 move, 16 score, 16 value, 8 depth, 6 generation, 2 bound plus one.
const GENERATIONS: u8 = 63;

impl Table {
    /// A table of at most this size, at least one place.
    pub(crate) fn new(bytes: usize) -> Self {
        let places = (bytes / (WAYS * size_of::<Slot>())).max(1);
        let slots = (0..places * WAYS).map(|_| Slot::default()).collect();
        Self { slots, generation: AtomicU8::new(0) }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        for slot in &mut self.slots {
            *slot = Slot::default();
        }
        *self.generation.get_mut() = 0;
    }

    /// What is told from now on is newer than what was told before.
    pub(crate) fn next_generation(&self) {
        self.generation.store((self.generation.load(Relaxed) + 1) & GENERATIONS, Relaxed);
    }

    #[inline]
    fn place(&self, key: u64) -> &[Slot] {
        let places = (self.slots.len() / WAYS) as u128;
        let start = ((u128::from(key) * places) >> 64) as usize * WAYS;
        &self.slots[start..start + WAYS]
    }

    /// What is known of the position with this key, `ply` plies from the root.
    #[inline]
    pub(crate) fn find(&self, key: u64, ply: usize) -> Option<Entry> {
        for slot in self.place(key) {
            let content = slot.content.load(Relaxed);
            if slot.locked.load(Relaxed) ^ content == key && content != 0 {
                let mut entry = decode(content);
                entry.score = from_here(entry.score, ply);
                return Some(entry);
            }
        }
        None
    }

    /// Tells what was found of a position; it may replace what is worth less.
    #[inline]
    pub(crate) fn store(&self, key: u64, ply: usize, mut entry: Entry) {
        entry.score += to_end(entry.score, ply);
        let generation = self.generation.load(Relaxed);
        let mut chosen = None;
        let mut least = i32::MAX;
        for slot in self.place(key) {
            let content = slot.content.load(Relaxed);
            if slot.locked.load(Relaxed) ^ content == key && content != 0 {
                let old = decode(content);
                if entry.best == crate::packed::NONE {
                    entry.best = old.best;
                }
                let newer = generation_of(content) != generation;
                if entry.bound != Bound::Exact && entry.depth + 3 < old.depth && !newer {
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

    /// How full the table is with what is new, in thousandths, from a sample.
    pub(crate) fn fill(&self) -> u32 {
        let sample = &self.slots[..self.slots.len().min(1000)];
        let generation = self.generation.load(Relaxed);
        let used = sample.iter().map(|slot| slot.content.load(Relaxed));
        let used = used.filter(|&content| content != 0 && generation_of(content) == generation);
        (used.count() * 1000 / sample.len()) as u32
    }
}

/// Wins are stored as seen from the position, not from the root.
const fn to_end(score: i32, ply: usize) -> i32 {
    if score >= LEAST_WIN {
        ply as i32
    } else if score <= -LEAST_WIN {
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

fn encode(entry: &Entry, generation: u8) -> u64 {
    let depth = entry.depth.clamp(-1, 2 * MOST_PLIES as i32 - 2) + 1;
    u64::from(entry.best)
        | u64::from(entry.score as i16 as u16) << 16
        | u64::from(entry.value as i16 as u16) << 32
        | (depth as u64 & 255) << 48
        | u64::from(generation & GENERATIONS) << 56
        | (entry.bound as u64 + 1) << 62
}

const fn decode(content: u64) -> Entry {
    Entry {
        best: content as u16,
        score: (content >> 16) as i16 as i32,
        value: (content >> 32) as i16 as i32,
        depth: (content >> 48 & 255) as i32 - 1,
        bound: match content >> 62 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::WIN;

    #[test]
    fn entries_come_back_and_wins_count_from_the_position() {
        let table = Table::new(1 << 12);
        for (key, score) in [(1, 35), (u64::MAX, -20_000), (1 << 63, WIN - 9), (77, 12 - WIN)] {
            let entry = Entry { best: 4711, score, value: -123, depth: 9, bound: Bound::Lower };
            table.store(key, 4, entry);
            assert_eq!(table.find(key, 4), Some(entry));
        }
        assert_eq!(table.find(1 << 63, 0).map(|entry| entry.score), Some(WIN - 5));
        assert_eq!(table.find(77, 6).map(|entry| entry.score), Some(14 - WIN));
        assert_eq!(table.find(2, 0), None);
    }

    #[test]
    fn full_places_lose_what_is_old_and_shallow() {
        let table = Table::new(1);
        let entry = |depth| Entry { best: 1, score: 0, value: 0, depth, bound: Bound::Exact };
        for key in 1..=4 {
            table.store(key, 0, entry(key as i32));
        }
        table.store(5, 0, entry(2));
        assert_eq!((table.find(1, 0), table.find(5, 0)), (None, Some(entry(2))));
        table.next_generation();
        table.store(6, 0, entry(0));
        table.store(7, 0, entry(0));
        assert!(table.find(6, 0).is_some() && table.find(4, 0).is_some());
    }

    #[test]
    fn all_fields_survive_at_their_bounds() {
        for bound in [Bound::Upper, Bound::Lower, Bound::Exact] {
            for depth in [-1, 0, 254] {
                let entry = Entry { best: u16::MAX, score: -30_000, value: 20_000, depth, bound };
                assert_eq!(decode(encode(&entry, 63)), entry);
                assert_eq!(generation_of(encode(&entry, 63)), 63);
            }
        }
    }
}
