//! The networks of the crate, compressed by `zstd -19 --no-check` to two thirds.

use ruzstd::decoding::FrameDecoder;

/// Decompresses a file; `None` if it is damaged or was compressed to less than a third of its length.
pub(crate) fn unpack(packed: &[u8]) -> Option<Vec<u8>> {
    let mut file = Vec::with_capacity(3 * packed.len());
    FrameDecoder::new().decode_all_to_vec(packed, &mut file).ok()?;
    Some(file)
}
