//! Compression of blocks by Zstandard: the library in C, or one in Rust for WebAssembly, where a C compiler
//! may be missing.

#[cfg(not(target_family = "wasm"))]
pub(crate) use zstd::bulk::{Decompressor, compress};

#[cfg(target_family = "wasm")]
pub(crate) use rust::{Decompressor, compress};

#[cfg(target_family = "wasm")]
mod rust {
    use std::io;
    use std::marker::PhantomData;

    use ruzstd::decoding::FrameDecoder;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    /// Decompresses one block after the other; the lifetime belongs to a dictionary, which is not used.
    pub(crate) struct Decompressor<'d> {
        decoder: FrameDecoder,
        dictionary: PhantomData<&'d [u8]>,
    }

    impl Decompressor<'_> {
        pub(crate) fn new() -> io::Result<Self> {
            Ok(Self { decoder: FrameDecoder::new(), dictionary: PhantomData })
        }

        /// Decompresses a block to at most `most` bytes.
        pub(crate) fn decompress(&mut self, block: &[u8], most: usize) -> io::Result<Vec<u8>> {
            let mut bytes = vec![0; most];
            let length = self.decoder.decode_all(block, &mut bytes).map_err(io::Error::other)?;
            bytes.truncate(length);
            Ok(bytes)
        }
    }

    /// Compresses bytes at the fastest level, whatever level is wanted.
    pub(crate) fn compress(bytes: &[u8], _level: i32) -> io::Result<Vec<u8>> {
        Ok(compress_to_vec(bytes, CompressionLevel::Fastest))
    }
}
