//! A file of bytes in compressed blocks: written whole or not at all, read at random.
//!
//! ```text
//! magic, version    8 and 2 bytes
//! length            8 bytes: all up to and with the checksum
//! length            4 bytes, of the header
//! header            JSON
//! table             for each block: where it ends (8 bytes), the first 8 bytes of its BLAKE3
//! checksum          32 bytes, BLAKE3 of everything above
//! blocks            zstd
//! ```
//!
//! If the header says so, a block ends with the plies of some of its bytes; see [`deep`](crate::deep). Numbers
//! are little-endian; ends count from the first block. The part before the blocks is a sealed file of its own;
//! see [`shogi_files::sealed`].

use std::fs::File;
use std::io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use shogi_files::sealed::{self, At, CHECKSUM_BYTES, FileFormat, Flaw};

use crate::compression::{Decompressor, compress};
use crate::deep;
use crate::error::{FileError, FileReason};
use crate::header::{Header, different};
use crate::parallel::{self, lock};
use crate::source::Source;

/// The format of the files of this crate. The most bytes are those before the blocks.
pub const FORMAT: FileFormat =
    FileFormat { magic: *b"\x89TABLE\r\n", version: 1, name: "tablebase", most: 1 << 26 };
/// Bytes of magic, version and the two lengths.
const FIXED: u64 = 8 + 2 + 8 + 4;
/// The longest header that is read.
const LONGEST_HEADER: u32 = 1 << 16;
/// Bytes for a block in the table.
const ENTRY: u64 = 16;
/// Bytes that are compressed before they are written out.
const BATCH: u64 = 16 << 20;

/// The division of bytes into blocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// All bytes.
    pub(crate) size: u64,
    /// Bytes in a block; the last one may have fewer.
    pub(crate) block: u32,
    /// Whether plies that bytes cannot hold follow the bytes of their block. They do not count as bytes of the
    /// block.
    pub(crate) has_deep: bool,
}

impl Layout {
    pub(crate) const fn blocks(self) -> u64 {
        self.size.div_ceil(self.block as u64)
    }

    /// The most bytes of a block with its appended plies, before compression.
    fn most(self) -> usize {
        let block = self.block as usize;
        if self.has_deep { deep::most(block) } else { block }
    }

    /// The table of a file whose blocks begin at `start`: for each block its end and its checksum.
    fn table(self, entries: &[u8], start: u64) -> Result<Vec<(u64, [u8; 8])>, FileReason> {
        // Incompressible bytes grow hardly at all.
        let longest = 2 * self.most() as u64 + 256;
        let mut table = Vec::with_capacity(entries.len() / ENTRY as usize);
        let mut last = start;
        for entry in entries.chunks_exact(ENTRY as usize) {
            let (end, checksum) = entry.split_at(8);
            let number = |bytes: &[u8]| bytes.try_into().map_err(|_| FileReason::Damaged);
            let end = u64::from_le_bytes(number(end)?).saturating_add(start);
            let length = end.checked_sub(last).ok_or(FileReason::Damaged)?;
            if length > longest {
                let expected = format!("at most {longest}");
                return Err(different("length of a block", &length.to_string(), &expected));
            }
            last = end;
            table.push((end, number(checksum)?));
        }
        Ok(table)
    }

    /// The bytes in a block.
    pub(crate) fn range(self, block: u64) -> Range<u64> {
        let start = block * u64::from(self.block);
        start..self.size.min(start + u64::from(self.block))
    }
}

/// Writes a file in place of an old one, in one step. `fill` supplies the bytes of a range.
pub(crate) fn write(
    path: &Path,
    header: &Header,
    level: i32,
    fill: &(dyn Fn(Range<u64>) -> Vec<u8> + Sync),
) -> Result<(), FileError> {
    sealed::replace(path, |file| write_to(file, header, level, fill))
        .map_err(|error| FileError { path: path.to_owned(), reason: error.into() })
}

fn write_to(
    file: &mut File,
    header: &Header,
    level: i32,
    fill: &(dyn Fn(Range<u64>) -> Vec<u8> + Sync),
) -> io::Result<()> {
    let layout = header.layout();
    let header = serde_json::to_vec(header)?;
    let head = FIXED + header.len() as u64 + layout.blocks() * ENTRY + CHECKSUM_BYTES as u64;
    // The table is known when the blocks are.
    let mut out = BufWriter::new(&mut *file);
    out.seek(SeekFrom::Start(head))?;
    let mut table = Vec::new();
    let mut end = 0u64;
    let mut next = 0;
    while next < layout.blocks() {
        let blocks = (BATCH / u64::from(layout.block)).max(1);
        let batch = next..layout.blocks().min(next + blocks);
        next = batch.end;
        let compressed = |block| compress(&fill(layout.range(block)), level);
        for block in parallel::map(batch, &compressed) {
            let block = block?;
            out.write_all(&block)?;
            end += block.len() as u64;
            table.extend(end.to_le_bytes());
            table.extend(&blake3::hash(&block).as_bytes()[..8]);
        }
    }
    out.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.seek(SeekFrom::Start(0))?;
    let mut out = sealed::Writer::new(file, &FORMAT)?;
    out.write_all(&head.to_le_bytes())?;
    out.write_all(&(header.len() as u32).to_le_bytes())?;
    out.write_all(&header)?;
    out.write_all(&table)?;
    out.finish()?;
    Ok(())
}

/// A file open for reading.
pub(crate) struct Container {
    path: PathBuf,
    layout: Layout,
    /// By block, where it ends in the file, and its checksum.
    table: Vec<(u64, [u8; 8])>,
    /// Where the blocks begin.
    start: u64,
    opened: Mutex<Opened>,
    /// The block read last for each block number modulo `kept`.
    cache: Vec<Mutex<Option<Cached>>>,
    kept: AtomicUsize,
}

/// The number of a block and its bytes.
type Cached = (u64, Vec<u8>);

struct Opened {
    source: Box<dyn Source>,
    decompressor: Decompressor<'static>,
}

impl Container {
    /// Opens a file and checks everything except its blocks.
    pub(crate) fn open(path: &Path, cached: usize) -> Result<(Self, Header), FileError> {
        let file = File::open(path)
            .map_err(|error| FileError { path: path.to_owned(), reason: error.into() })?;
        Self::read(Box::new(file), path, cached)
    }

    /// Like [`Container::open`], for any source; errors name it by `path`.
    pub(crate) fn read(
        source: Box<dyn Source>,
        path: &Path,
        cached: usize,
    ) -> Result<(Self, Header), FileError> {
        Self::read_source(source, path, cached)
            .map_err(|reason| FileError { path: path.to_owned(), reason })
    }

    fn read_source(
        mut file: Box<dyn Source>,
        path: &Path,
        cached: usize,
    ) -> Result<(Self, Header), FileReason> {
        let length = file.seek(SeekFrom::End(0))?;
        file.seek(SeekFrom::Start(0))?;
        let fixed = read_up_to(&mut *file, FIXED)?;
        // A file without a length is refused for its magic bytes or as too short.
        let head = fixed.get(10..18).and_then(|bytes| bytes.try_into().ok());
        let head = head.map_or(FIXED, u64::from_le_bytes);
        let cut = || FileReason::Sealed(At { offset: length, reason: Flaw::Truncated });
        if fixed.starts_with(&FORMAT.magic) {
            let before_blocks = 0..head.min(length).min(FORMAT.most);
            file.prefetch(slice::from_ref(&before_blocks))?;
        }
        file.seek(SeekFrom::Start(0))?;
        let mut reader = sealed::Reader::new((&mut file).take(head), &FORMAT)?;
        let at = |reader: &sealed::Reader<_>, flaw| FileReason::Sealed(reader.at(flaw));
        reader.array::<8>().map_err(|flaw| at(&reader, flaw))?;
        if head > length {
            return Err(cut());
        }
        let text = reader.array().map(u32::from_le_bytes).map_err(|flaw| at(&reader, flaw))?;
        if text > LONGEST_HEADER {
            return Err(FileReason::Damaged);
        }
        let text = reader.bytes(text.into()).map_err(|flaw| at(&reader, flaw))?;
        let rest = head.saturating_sub(FIXED + text.len() as u64 + CHECKSUM_BYTES as u64);
        let entries = reader.bytes(rest).map_err(|flaw| at(&reader, flaw))?;
        reader.finish()?;
        let header: Header = serde_json::from_slice(&text)?;
        let layout = header.checked_layout()?;
        if layout.blocks().checked_mul(ENTRY) != Some(rest) {
            let expected = layout.blocks().to_string();
            return Err(different("number of blocks", &(rest / ENTRY).to_string(), &expected));
        }
        let table = layout.table(&entries, head)?;
        let end = table.last().map_or(head, |&(end, _)| end);
        if length < end {
            return Err(cut());
        }
        if length > end {
            return Err(FileReason::Sealed(At { offset: end, reason: Flaw::Trailing }));
        }
        let opened = Opened { source: file, decompressor: Decompressor::new()? };
        let cache: Vec<_> = (0..table.len().max(1)).map(|_| Mutex::new(None)).collect();
        let kept = AtomicUsize::new(cached.clamp(1, cache.len()));
        let container = Self {
            path: path.to_owned(),
            layout,
            table,
            start: head,
            opened: Mutex::new(opened),
            cache,
            kept,
        };
        Ok((container, header))
    }

    /// The byte with a number below the size, and its plies if the byte cannot hold them.
    pub(crate) fn entry(&self, number: u64) -> Result<(u8, Option<u32>), FileError> {
        let block = number / u64::from(self.layout.block);
        let offset = (number % u64::from(self.layout.block)) as usize;
        let length = self.length(block);
        let entry = |bytes: &[u8]| {
            let byte = bytes[..length].get(offset).copied().ok_or_else(|| self.damaged())?;
            let plies = || deep::plies_at(bytes, length, offset);
            Ok((byte, if self.layout.has_deep { plies() } else { None }))
        };
        let kept = self.kept.load(Ordering::Relaxed) as u64;
        let slot = &self.cache[(block % kept) as usize];
        if let Some((_, bytes)) = lock(slot).as_ref().filter(|(cached, _)| *cached == block) {
            return entry(bytes);
        }
        let bytes = self.block(block)?;
        let found = entry(&bytes);
        *lock(slot) = Some((block, bytes));
        found
    }

    /// Keeps up to this many bytes of blocks from now on. Blocks already kept elsewhere stay until they are
    /// replaced.
    pub(crate) fn keep(&self, bytes: u64) {
        let blocks = bytes / u64::from(self.layout.block);
        let kept = usize::try_from(blocks).unwrap_or(usize::MAX).clamp(1, self.cache.len());
        self.kept.store(kept, Ordering::Relaxed);
    }

    /// Number of bytes in a block, without the appended plies.
    pub(crate) fn length(&self, block: u64) -> usize {
        let range = self.layout.range(block);
        range.end.saturating_sub(range.start) as usize
    }

    /// The bytes of a block with the appended plies.
    pub(crate) fn block(&self, block: u64) -> Result<Vec<u8>, FileError> {
        self.read_block(block).map_err(|reason| FileError { path: self.path.clone(), reason })
    }

    /// Announces that the bytes with these numbers are read next, so that blocks that are not kept can be
    /// fetched.
    pub(crate) fn prefetch(&self, numbers: impl Iterator<Item = u64>) -> Result<(), FileError> {
        let kept = self.kept.load(Ordering::Relaxed) as u64;
        let slot_of = |block: u64| (block % kept) as usize;
        let is_kept = |block: &u64| {
            lock(&self.cache[slot_of(*block)]).as_ref().is_some_and(|(cached, _)| cached == block)
        };
        let blocks = numbers.map(|number| number / u64::from(self.layout.block));
        let (present, mut blocks): (Vec<_>, Vec<_>) = blocks.partition(is_kept);
        if blocks.is_empty() {
            return Ok(());
        }
        let absent = blocks.len();
        for block in present {
            // A block that is read may take the place of one that is kept.
            if blocks[..absent].iter().any(|&other| slot_of(other) == slot_of(block)) {
                blocks.push(block);
            }
        }
        blocks.sort_unstable();
        blocks.dedup();
        let mut ranges: Vec<Range<u64>> = Vec::new();
        let refused = |reason| FileError { path: self.path.clone(), reason };
        for block in blocks {
            let (range, _) = self.place_of(block).map_err(refused)?;
            match ranges.last_mut() {
                Some(last) if last.end == range.start => last.end = range.end,
                _ => ranges.push(range),
            }
        }
        lock(&self.opened).source.prefetch(&ranges).map_err(|error| refused(error.into()))
    }

    /// Where a block is in the file, and its checksum.
    fn place_of(&self, block: u64) -> Result<(Range<u64>, [u8; 8]), FileReason> {
        let place = usize::try_from(block).map_err(|_| FileReason::Damaged)?;
        let &(end, checksum) = self.table.get(place).ok_or(FileReason::Damaged)?;
        let start = if place == 0 { self.start } else { self.table[place - 1].0 };
        Ok((start..end, checksum))
    }

    fn read_block(&self, block: u64) -> Result<Vec<u8>, FileReason> {
        let (range, checksum) = self.place_of(block)?;
        let count = range.end - range.start;
        let mut opened = lock(&self.opened);
        opened.source.prefetch(slice::from_ref(&range))?;
        opened.source.seek(SeekFrom::Start(range.start))?;
        let compressed = read_up_to(&mut *opened.source, count)?;
        let is_whole = compressed.len() as u64 == count;
        if !is_whole || blake3::hash(&compressed).as_bytes()[..8] != checksum {
            return Err(FileReason::Damaged);
        }
        let length = self.length(block);
        let has_deep = self.layout.has_deep;
        let bytes = opened.decompressor.decompress(&compressed, self.layout.most());
        let bytes = bytes.map_err(|_| FileReason::Damaged)?;
        let appended = bytes.get(..length).filter(|_| has_deep).map_or(0, deep::appended);
        if bytes.len() == length + appended { Ok(bytes) } else { Err(FileReason::Damaged) }
    }

    fn damaged(&self) -> FileError {
        FileError { path: self.path.clone(), reason: FileReason::Damaged }
    }

    /// The layout of the bytes.
    pub(crate) const fn layout(&self) -> Layout {
        self.layout
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// The next `count` bytes of a file, or fewer at its end.
fn read_up_to(file: &mut dyn Source, count: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(count).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use shogi_rules::Dobutsu;

    use super::*;
    use crate::header::Stored;
    use crate::{Builder, PieceSet, Tablebase};

    /// Why a table with blocks of this size is refused; `None` if it is accepted.
    fn refusal(block: u32) -> Option<String> {
        let set = PieceSet::<Dobutsu>::parse("C1L2").unwrap();
        let mut builder = Builder::new(set, None).unwrap();
        builder.run(|_| ControlFlow::Continue(())).unwrap().unwrap();
        let mut header = builder.work.header(Stored::Plies, block);
        header.totals = Some(*builder.finish().totals());
        let path = std::env::temp_dir().join(format!("block-{block}-{}", std::process::id()));
        builder.work.write(&path, &header, 1).unwrap();
        let opened = Tablebase::<Dobutsu>::open(&path);
        std::fs::remove_file(path).unwrap();
        opened.err().map(|error| error.reason.to_string())
    }

    #[test]
    fn blocks_larger_than_those_written_are_refused() {
        assert_eq!(refusal(100), None);
        assert_eq!(refusal(1 << 14), None);
        for block in [(1 << 14) + 1, 1 << 20, u32::MAX] {
            let expected = format!(
                "the number of bytes in a block is {block}, but at most 16384 and not 0 was expected"
            );
            assert_eq!(refusal(block), Some(expected));
        }
    }

    #[test]
    fn a_block_that_cannot_be_so_long_in_the_file_is_refused() {
        let layout = Layout { size: 40, block: 16, has_deep: false };
        let table = |ends: [u64; 3]| {
            let entry = |end: u64| [end.to_le_bytes(), [0; 8]].concat();
            layout.table(&ends.map(entry).concat(), 100)
        };
        let table_of = table([10, 20, 30]).unwrap();
        assert_eq!(table_of.iter().map(|&(end, _)| end).collect::<Vec<_>>(), [110, 120, 130]);
        let error = table([10, 20, 1 << 40]).unwrap_err().to_string();
        assert!(error.starts_with("the length of a block is"), "{error}");
        assert!(matches!(table([10, 9, 30]), Err(FileReason::Damaged)));
        assert!(table([u64::MAX, u64::MAX, u64::MAX]).is_err());
    }
}
