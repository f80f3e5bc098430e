//! The networks of the crate, which lie in it compressed: by `zstd -19 --no-check`, to two thirds.

use std::io::Read;

use ruzstd::decoding::StreamingDecoder;

/// Decompresses a file; `None` if it is damaged.
pub(crate) fn unpack(mut packed: &[u8]) -> Option<Vec<u8>> {
    let mut file = Vec::new();
    StreamingDecoder::new(&mut packed).ok()?.read_to_end(&mut file).ok()?;
    Some(file)
}
