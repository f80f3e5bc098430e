//! Orders of lists by numbers, with one sort for all.

/// The indices of a list from the least item to the greatest; equal ones stay in their order.
pub(crate) fn in_rising_order(items: &[u64]) -> Vec<usize> {
    let mut sorted = Vec::with_capacity(items.len());
    for (index, &item) in items.iter().enumerate() {
        sorted.push((item, index));
    }
    sorted.sort_unstable();
    sorted.into_iter().map(|(_, index)| index).collect()
}

/// Sorts what has weights, the smallest first; what weighs the same stays in its order.
pub(crate) fn sort_rising(weighted: &mut Vec<(f64, usize)>) {
    let mut ranks = Vec::with_capacity(weighted.len());
    for &(weight, _) in &*weighted {
        ranks.push(rank(weight));
    }
    let mut sorted = Vec::with_capacity(weighted.len());
    for index in in_rising_order(&ranks) {
        sorted.push(weighted[index]);
    }
    *weighted = sorted;
}

/// A number that grows with a weight, in the order of [`f64::total_cmp`].
const fn rank(weight: f64) -> u64 {
    let bits = weight.to_bits();
    if weight.is_sign_negative() { !bits } else { bits | 1 << 63 }
}
