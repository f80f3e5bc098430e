//! Sorting by numbers, compiled once for all rule sets.

/// The indices of keys in the order of these, the least first; those of equal keys stay in their order.
pub(crate) fn ascending(keys: &[i32]) -> Vec<usize> {
    let mut order = Vec::with_capacity(keys.len());
    for (index, key) in keys.iter().enumerate() {
        // Moves of a position are so few that each may find its place among those before.
        let place = order.partition_point(|&other: &usize| keys[other] <= *key);
        order.insert(place, index);
    }
    order
}
