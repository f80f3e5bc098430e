//! Stable sorts by a number.

/// The indices of a list from the least item to the greatest.
pub(crate) fn in_rising_order(items: &[u64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by_key(|&index| items[index]);
    order
}

/// Sorts by weight, the smallest first.
pub(crate) fn sort_rising(weighted: &mut [(f64, usize)]) {
    weighted.sort_by(|(one, _), (other, _)| one.total_cmp(other));
}
