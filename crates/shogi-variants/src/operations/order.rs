//! Sorting, compiled once for whatever is sorted.

use alloc::vec::Vec;
use core::cmp::Ordering;

/// The numbers below `items`, in the order of what they stand for; which of equal ones comes first is not said.
pub(super) fn in_order(items: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<_> = (0..items).collect();
    order.sort_unstable_by(|&one, &other| compare(one, other));
    order
}
