//! Damage to files.

use std::fmt::Debug;

/// Asserts that a file is read as it is, and refused when any byte of it is changed, the end is cut off
/// at any place, or something follows.
///
/// # Panics
///
/// If the file is refused, or some damage is not.
pub fn assert_damage_is_found<T, E: Debug>(file: &[u8], read: impl Fn(&[u8]) -> Result<T, E>) {
    read(file).map(drop).expect("the file as it was written");
    for place in 0..file.len() {
        let mut damaged = file.to_vec();
        damaged[place] ^= 0x41;
        assert!(read(&damaged).is_err(), "byte {place}");
        assert!(read(&file[..place]).is_err(), "cut at {place}");
    }
    let longer = [file, b"0"].concat();
    assert!(read(&longer).is_err(), "a byte too many");
}
