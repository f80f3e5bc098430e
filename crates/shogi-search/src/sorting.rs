//! Sorting by numbers, compiled once for all rule sets.

/// The indices of keys in the order of these, the least first; those of equal keys stay in their order.
pub(crate) fn ascending(keys: &[i32]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by_key(|&index| keys[index]);
    order
}
