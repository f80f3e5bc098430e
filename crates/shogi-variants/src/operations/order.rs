//! Sorting, compiled once for whatever is sorted.

use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::mem;

/// The numbers below `items`, in the order of what they stand for; which of equal ones comes first is not said.
pub(super) fn in_order(items: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<_> = (0..items).collect();
    order.sort_unstable_by(|&one, &other| compare(one, other));
    order
}

/// The texts in order.
pub(super) fn sorted(mut texts: Vec<String>) -> Vec<String> {
    let mut sorted = Vec::with_capacity(texts.len());
    for number in in_order(texts.len(), &|one, other| texts[one].cmp(&texts[other])) {
        sorted.push(mem::take(&mut texts[number]));
    }
    sorted
}
