//! The bytes that maps take.

/// The most bytes of a map from keys with this many items: at least seven of sixteen places are in
/// use, and each has an extra byte.
///
/// ```
/// use shogi_mate::map_bytes;
/// assert_eq!(map_bytes::<u64>(7), 16 * (8 + 8 + 1));
/// ```
pub const fn map_bytes<T>(items: usize) -> usize {
    items * (size_of::<(u64, T)>() + 1) * 16 / 7
}
