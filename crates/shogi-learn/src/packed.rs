//! The networks of the crate, which lie in it compressed: by `zstd -19 --no-check`, to two thirds.

use std::io::Read;

use ruzstd::decoding::StreamingDecoder;

/// The file of a variant among files by the name of the variant, unpacked.
pub(crate) fn unpack(files: &[(&str, &[u8])], variant: &str) -> Option<Vec<u8>> {
    let (_, packed) = files.iter().find(|(name, _)| *name == variant)?;
    let mut file = Vec::new();
    StreamingDecoder::new(*packed).ok()?.read_to_end(&mut file).ok()?;
    Some(file)
}
