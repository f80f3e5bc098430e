//! The entries of a strategy, in compact memory.
//!
//! Each entry has a number, from 0 in the order of arrival. Keys lie one after another in one row of
//! bytes, steps in a row of their own; the hash table holds nothing but numbers. A map from keys to
//! steps takes nearly twice the memory, and a set of entries can be as small as one byte for each.

use std::cmp::Ordering;
use std::hash::BuildHasher;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxBuildHasher;
use shogi_core::{Move, RuleTable};

use crate::strategy::{StepError, StrategyStep};

/// Steps by the bytes of packed positions.
#[derive(Clone, Debug)]
pub(crate) struct Steps<R: RuleTable> {
    keys: Keys,
    moves: Vec<Move<R>>,
}

/// The keys and ranks of entries, in one type for all rule sets.
#[derive(Clone, Debug, Default)]
struct Keys {
    bytes: Vec<u8>,
    /// Where in `bytes` each entry's key ends; it begins where the one before ends.
    ends: Vec<u64>,
    /// The numbers of the entries that were not removed.
    numbers: HashTable<u32>,
    ranks: Vec<u32>,
}

impl<R: RuleTable> Default for Steps<R> {
    fn default() -> Self {
        Self { keys: Keys::default(), moves: Vec::new() }
    }
}

impl<R: RuleTable> Steps<R> {
    /// Number of entries.
    pub fn len(&self) -> usize {
        self.keys.numbers.len()
    }

    /// A bound above every number assigned so far, those of removed entries included.
    pub fn bound(&self) -> usize {
        self.moves.len()
    }

    /// The numbers of all entries, in no order.
    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        self.keys.numbers.iter().copied()
    }

    /// The numbers of all entries in rising order of ranks.
    pub fn by_rank(&self) -> Vec<u32> {
        self.keys.by_rank()
    }

    /// The numbers of the entries with a rank above this one, in rising order of ranks.
    pub fn by_rank_above(&self, rank: u32) -> Vec<u32> {
        self.keys.by_rank_above(rank)
    }

    /// The numbers of all entries, by their keys.
    pub fn sorted(&self) -> Vec<u32> {
        self.keys.sorted()
    }

    /// The entry with the first key of those that are not marked.
    pub fn first_without(&self, marks: &[bool]) -> Option<u32> {
        self.keys.first_without(marks)
    }

    /// The key of an entry.
    pub fn key(&self, number: u32) -> &[u8] {
        self.keys.key(number)
    }

    /// The step of an entry.
    pub fn step(&self, number: u32) -> StrategyStep<R> {
        StrategyStep { mv: self.moves[number as usize], rank: self.rank(number) }
    }

    /// The rank of an entry.
    pub fn rank(&self, number: u32) -> u32 {
        self.keys.ranks[number as usize]
    }

    /// Sets the step of an entry.
    pub fn set_step(&mut self, number: u32, step: StrategyStep<R>) {
        self.moves[number as usize] = step.mv;
        self.keys.ranks[number as usize] = step.rank;
    }

    /// The number of the entry with a key.
    pub fn find(&self, wanted: &[u8]) -> Option<u32> {
        self.keys.find(wanted)
    }

    /// Sets the step of a key, in place of an earlier one.
    ///
    /// # Errors
    ///
    /// If all numbers have been assigned.
    pub fn set(&mut self, added: &[u8], step: StrategyStep<R>) -> Result<(), StepError> {
        let number = self.keys.add(added)?;
        if number as usize == self.moves.len() {
            self.moves.push(step.mv);
        }
        self.set_step(number, step);
        Ok(())
    }

    /// Removes an entry and returns its step. Neither its number nor its memory is reused.
    pub fn remove(&mut self, removed: &[u8]) -> Option<StrategyStep<R>> {
        let number = self.keys.remove(removed)?;
        Some(self.step(number))
    }
}

/// The same keys with the same steps, whatever their numbers.
impl<R: RuleTable> PartialEq for Steps<R> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len()
            && self.numbers().all(|number| {
                let found = other.find(self.key(number));
                found.is_some_and(|found| other.step(found) == self.step(number))
            })
    }
}

impl<R: RuleTable> Eq for Steps<R> {}

impl Keys {
    fn key(&self, number: u32) -> &[u8] {
        key(&self.bytes, &self.ends, number)
    }

    fn by_rank(&self) -> Vec<u32> {
        let rank = |number| self.ranks[number as usize];
        self.in_order(&|one, other| rank(one).cmp(&rank(other)))
    }

    fn by_rank_above(&self, rank: u32) -> Vec<u32> {
        let numbers = self.by_rank();
        let first = numbers.partition_point(|&number| self.ranks[number as usize] <= rank);
        numbers[first..].to_vec()
    }

    fn sorted(&self) -> Vec<u32> {
        self.in_order(&|one, other| self.key(one).cmp(self.key(other)))
    }

    fn in_order(&self, compare: &dyn Fn(u32, u32) -> Ordering) -> Vec<u32> {
        let mut numbers: Vec<_> = self.numbers.iter().copied().collect();
        numbers.sort_unstable_by(|&one, &other| compare(one, other));
        numbers
    }

    fn first_without(&self, marks: &[bool]) -> Option<u32> {
        let unmarked = self.numbers.iter().copied().filter(|&number| !marks[number as usize]);
        unmarked.min_by_key(|&number| self.key(number))
    }

    fn find(&self, wanted: &[u8]) -> Option<u32> {
        self.numbers.find(hash(wanted), |&number| self.key(number) == wanted).copied()
    }

    /// The number of a key, new or not.
    fn add(&mut self, added: &[u8]) -> Result<u32, StepError> {
        let next = u32::try_from(self.ends.len()).map_err(|_| StepError::Full)?;
        let Self { bytes, ends, numbers, ranks } = self;
        let found = numbers.entry(
            hash(added),
            |&number| key(bytes, ends, number) == added,
            |&number| hash(key(bytes, ends, number)),
        );
        match found {
            Entry::Occupied(entry) => Ok(*entry.get()),
            Entry::Vacant(place) => {
                place.insert(next);
                bytes.extend(added);
                ends.push(bytes.len() as u64);
                ranks.push(0);
                Ok(next)
            }
        }
    }

    fn remove(&mut self, removed: &[u8]) -> Option<u32> {
        let Self { bytes, ends, numbers, .. } = self;
        let entry = numbers
            .find_entry(hash(removed), |&number| key(bytes, ends, number) == removed)
            .ok()?;
        Some(entry.remove().0)
    }
}

fn key<'a>(keys: &'a [u8], ends: &[u64], number: u32) -> &'a [u8] {
    let start = number.checked_sub(1).map_or(0, |before| ends[before as usize]);
    &keys[start as usize..ends[number as usize] as usize]
}

fn hash(key: &[u8]) -> u64 {
    FxBuildHasher.hash_one(key)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;
    use shogi_rules::Shogi34;

    use super::*;

    fn step(rank: u32) -> StrategyStep<Shogi34> {
        StrategyStep { mv: shogi_rules::parse_usi("1d1b").unwrap(), rank }
    }

    proptest! {
        #[test]
        fn steps_are_kept_as_in_a_map(
            calls in prop::collection::vec((prop::collection::vec(0_u8..3, 0..4), 0_u32..9), 0..300),
        ) {
            let (mut steps, mut map) = (Steps::default(), HashMap::new());
            for (key, rank) in calls {
                if rank == 0 {
                    prop_assert_eq!(steps.remove(&key).map(|step| step.rank), map.remove(&key));
                } else {
                    steps.set(&key, step(rank)).unwrap();
                    map.insert(key, rank);
                }
            }
            let found = steps.numbers().map(|number| (steps.key(number).to_vec(), steps.step(number).rank));
            prop_assert_eq!(found.collect::<HashMap<_, _>>(), map.clone());
            let mut again = Steps::default();
            for (key, &rank) in &map {
                let number = steps.find(key).unwrap();
                prop_assert_eq!(steps.step(number).rank, rank);
                prop_assert!((number as usize) < steps.bound());
                again.set(key, step(rank)).unwrap();
            }
            prop_assert_eq!(&steps, &again);
            prop_assert_eq!(steps.len(), map.len());
            again.set(b"longer than all", step(1)).unwrap();
            prop_assert!(steps != again && steps.find(b"longer than all").is_none());
        }
    }
}
