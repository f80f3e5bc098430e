//! Orders of lists by numbers, compiled once for all games.

/// The indices of a list from the least item to the greatest; equal ones stay in their order.
pub(crate) fn in_rising_order(items: &[u64]) -> Vec<usize> {
    let mut order: Vec<_> = (0..items.len()).collect();
    order.sort_by_key(|&index| items[index]);
    order
}

/// Sorts what has weights, the smallest first; what weighs the same stays in its order.
pub(crate) fn sort_rising(weighted: &mut [(f64, usize)]) {
    weighted.sort_by(|a, b| a.0.total_cmp(&b.0));
}
