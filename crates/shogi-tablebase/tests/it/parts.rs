//! Files elsewhere, of which parts come as they are needed.

use std::fs;
use std::ops::Range;
use std::path::Path;

use shogi_rules::Dobutsu;
use shogi_tablebase::{FileParts, Stored, Tablebase, read_variant_from};

use crate::values::build;
use crate::worlds::set;

/// A file elsewhere, with the ranges that were read of it.
struct Elsewhere {
    file: Vec<u8>,
    parts: FileParts,
    read: Vec<Range<u64>>,
}

impl Elsewhere {
    fn new(file: Vec<u8>) -> Self {
        let parts = FileParts::new(file.len() as u64);
        Self { file, parts, read: Vec::new() }
    }

    /// Calls a task until nothing is missing, and returns how often.
    fn call<T, E>(
        &mut self,
        mut task: impl FnMut(&FileParts) -> Result<T, E>,
    ) -> (Result<T, E>, u32) {
        let mut calls = 0;
        loop {
            let answer = task(&self.parts);
            calls += 1;
            let missing = self.parts.take_missing();
            if missing.is_empty() {
                self.parts.clear();
                return (answer, calls);
            }
            assert!(answer.is_err(), "what is missing is an error");
            for range in missing {
                let bytes = self.file[range.start as usize..range.end as usize].to_vec();
                self.parts.supply(range.start, bytes);
                self.read.push(range);
            }
        }
    }

    fn bytes_read(&mut self) -> u64 {
        self.read.drain(..).map(|range| range.end - range.start).sum()
    }
}

#[test]
fn a_probe_reads_the_blocks_of_the_position_and_its_moves_at_once() {
    for stored in [Stored::Plies, Stored::Verdict] {
        let path = build(set::<Dobutsu>("C1E1G1L2"), stored, &format!("parts-{stored:?}"));
        let whole = Tablebase::<Dobutsu>::open(&path).unwrap();
        let file = fs::read(&path).unwrap();
        let head = u64::from_le_bytes(file[10..18].try_into().unwrap());
        let mut elsewhere = Elsewhere::new(file);
        let name = Path::new("elsewhere");
        let open = |parts: &FileParts| {
            assert_eq!(read_variant_from(Box::new(parts.clone()), name)?, "dobutsu");
            Tablebase::<Dobutsu>::read(Box::new(parts.clone()), name)
        };
        let (table, calls) = elsewhere.call(open);
        let table = table.unwrap();
        // The beginning says how long the part before the blocks is.
        assert_eq!((elsewhere.bytes_read(), calls), (head, 3));
        // Nothing is kept from one probe to the next.
        table.keep(0);
        let longest_block = 2 * 5 * (1 << 14) + 256;
        let mut probed = 0;
        for rank in (0..whole.index().size()).step_by(4_999) {
            let Some(placement) = whole.index().unrank_u64(rank) else { continue };
            if !placement.faults().is_empty() {
                continue;
            }
            let (moves, calls) = elsewhere.call(|_| table.moves(&placement));
            let moves = moves.unwrap();
            assert_eq!(moves, whole.moves(&placement).unwrap());
            assert!(calls <= 2, "{calls} calls");
            assert!(elsewhere.read.len() <= moves.len() + 1);
            assert!(elsewhere.bytes_read() <= (moves.len() as u64 + 1) * longest_block);
            let (value, calls) = elsewhere.call(|_| table.probe(&placement));
            assert_eq!(value.unwrap(), whole.probe(&placement).unwrap());
            assert!(calls <= 2 && elsewhere.read.len() <= 1);
            elsewhere.read.clear();
            probed += 1;
        }
        assert!(probed > 50, "{probed} positions");
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn damage_of_a_part_is_found_by_the_probe_that_reads_it() {
    let path = build(set::<Dobutsu>("C1G1L2"), Stored::Plies, "parts-damage");
    let file = fs::read(&path).unwrap();
    let head = u64::from_le_bytes(file[10..18].try_into().unwrap()) as usize;
    let name = Path::new("elsewhere");
    let open = |parts: &FileParts| Tablebase::<Dobutsu>::read(Box::new(parts.clone()), name);
    for place in [0, 9, 17, 30, head - 1] {
        let mut damaged = file.clone();
        damaged[place] ^= 1;
        let mut elsewhere = Elsewhere::new(damaged);
        assert!(elsewhere.call(open).0.is_err(), "byte {place}");
        assert!(elsewhere.bytes_read() <= 1 << 26);
    }
    let mut elsewhere = Elsewhere::new(file.clone());
    let table = elsewhere.call(open).0.unwrap();
    elsewhere.file[head] ^= 1;
    let error = elsewhere.call(|_| table.value(0)).0.unwrap_err().to_string();
    assert_eq!(error, "elsewhere: a checksum does not match: the file was changed or damaged");
    elsewhere.file[head] ^= 1;
    elsewhere.call(|_| table.value(0)).0.unwrap();
    // A length that is not the file's.
    for length in [file.len() - 1, file.len() + 1] {
        let mut elsewhere =
            Elsewhere { parts: FileParts::new(length as u64), ..Elsewhere::new(file.clone()) };
        assert!(elsewhere.call(open).0.is_err());
    }
    fs::remove_file(path).unwrap();
}
