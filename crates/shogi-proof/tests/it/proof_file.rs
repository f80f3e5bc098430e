//! Proof files: read as they were written, and refused if anything in them is changed.

use crate::naive;

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use naive::{position, safe, start, win};
use proptest::prelude::*;
use shogi_core::{Colour, KindSpec, RuleTable};
use shogi_files::sealed::Flaw;
use shogi_proof::{
    Claim, Proof, ReadError, ReadReason, Reader, Repetition, Section, StepError, Strategy,
    StrategyStep, WriteError, Writer, rules_text,
};
use shogi_rules::shogi_core;
use shogi_rules::{
    Dobutsu, KyotoShogi, Minishogi, RepetitionRule, Rules, Shogi, Shogi34, Verdict, parse_sfen,
    to_sfen,
};

use Colour::{Gote, Sente};
use ReadReason::File;

/// A proof of a win in nine plies, and its file.
fn sample() -> (Proof<Shogi34>, Vec<u8>) {
    let proof = win(start("KBL"), Sente, 9);
    let file = written(&proof);
    (proof, file)
}

/// The file of the sample, for what reads it many times.
static SAMPLE: LazyLock<Vec<u8>> = LazyLock::new(|| sample().1);

/// A proof of a draw: two sections without ranks.
fn draw() -> Proof<KyotoShogi> {
    let root = position("4k/5/5/5/K4 b - 1");
    let of = |prover| {
        let is_good = |verdict| verdict != Verdict::Loss;
        safe(root, prover, Repetition::Draw, is_good, |_, mv| mv)
    };
    Proof::new(root, Claim::Draw, vec![of(Sente), of(Gote)]).unwrap()
}

fn written<R: Rules>(proof: &Proof<R>) -> Vec<u8> {
    let mut file = Vec::new();
    proof.write(&mut file).unwrap();
    file
}

/// The file with its checksum made right again.
fn sealed(mut file: Vec<u8>) -> Vec<u8> {
    let body = file.len() - 32;
    let checksum = blake3::hash(&file[..body]);
    file[body..].copy_from_slice(checksum.as_bytes());
    file
}

#[track_caller]
fn refused(file: &[u8]) -> ReadError {
    Proof::<Shogi34>::read(file).unwrap_err()
}

/// Where the claim stands in the sample: the section table and the entries follow.
fn claim_offset(file: &[u8]) -> usize {
    let reader = Reader::new(file).unwrap();
    8 + 2 + 1 + reader.header().variant.len() + 32 + 2 + reader.header().root.len()
}

#[test]
fn files_are_read_as_they_were_written() {
    let (proof, file) = sample();
    let read = Proof::read(&file[..]).unwrap();
    assert_eq!(read, proof);
    assert_eq!(read.check(), proof.check());
    assert!(read.check().is_ok());

    let draw = draw();
    let file = written(&draw);
    let read = Proof::read(&file[..]).unwrap();
    assert_eq!(read, draw);
    assert_eq!(written(&read), file);

    let empty = Proof::<Minishogi>::new(
        position(Minishogi::START),
        Claim::NotLose { prover: Gote },
        vec![Strategy::new(Gote, Repetition::Win)],
    );
    let empty = empty.unwrap();
    assert_eq!(Proof::read(&written(&empty)[..]).unwrap(), empty);
}

#[test]
fn the_head_can_be_read_alone_and_entries_one_by_one() {
    let (proof, file) = sample();
    let reader = Reader::new(&file[..]).unwrap();
    let header = reader.header().clone();
    assert_eq!((header.variant.as_str(), header.claim), ("shogi34", proof.claim()));
    assert_eq!(header.root, shogi_rules::to_sfen(proof.root()));
    let entries = proof.strategies()[0].len() as u64;
    assert_eq!(header.sections, [Section { repetition: Repetition::Absent, entries }]);
    let read: Vec<_> = reader.entries::<Shogi34>().unwrap().map(Result::unwrap).collect();
    let expected: Vec<_> = proof.strategies()[0].iter().collect();
    assert!(read.iter().map(|entry| (entry.position, entry.step)).eq(expected));
    assert!(read.iter().all(|entry| entry.section == 0));
}

#[test]
fn every_bit_counts() {
    let (_, file) = sample();
    for byte in 0..file.len() {
        for bit in 0..8 {
            let mut changed = file.clone();
            changed[byte] ^= 1 << bit;
            refused(&changed);
        }
    }
}

#[test]
fn every_byte_is_needed() {
    let (_, file) = sample();
    assert!(matches!(refused(b"").reason, File(Flaw::Format(_))));
    for length in 1..file.len() {
        let error = refused(&file[..length]);
        assert!(matches!(error.reason, File(Flaw::Truncated)), "{error}");
        assert_eq!(error.offset, length as u64);
    }
    let mut longer = file.clone();
    longer.push(0);
    let error = refused(&longer);
    assert!(matches!(error.reason, File(Flaw::Trailing)));
    assert_eq!(error.offset, file.len() as u64);
}

/// Any change behind a right checksum is refused, or it gives another proof with just this file.
#[test]
fn a_file_that_can_be_read_is_the_only_one_of_its_proof() {
    let (proof, file) = sample();
    let (mut read, mut holding) = (0, 0);
    for byte in 0..file.len() - 32 {
        for change in [1, 2, 3, 0x40, 0x80, 0xff] {
            let mut changed = file.clone();
            changed[byte] ^= change;
            let changed = sealed(changed);
            let Ok(other) = Proof::<Shogi34>::read(&changed[..]) else { continue };
            assert_eq!(written(&other), changed);
            assert_ne!(other, proof);
            read += 1;
            holding += u32::from(other.check().is_ok());
        }
    }
    assert!(read > 100, "{read}");
    // Only ranks of the root or of another move that mates may change.
    assert!(holding < read / 4, "{holding} of {read}");
}

#[test]
fn the_head_is_refused_with_its_reason() {
    let (_, file) = sample();
    let claim = claim_offset(&file);
    let refused_with = |offset: usize, bytes: &[u8]| {
        let mut changed = file.clone();
        changed[offset..offset + bytes.len()].copy_from_slice(bytes);
        refused(&sealed(changed))
    };
    assert!(matches!(refused_with(3, b"x").reason, File(Flaw::Format(_))));
    let error = refused_with(8, &[7, 0]);
    assert!(matches!(error.reason, File(Flaw::Version { found: 7, .. })));
    assert_eq!(error.to_string(), "at byte 8: version 7 of the format, but only 1 is known");
    assert!(matches!(refused_with(11, b"\xff").reason, File(Flaw::Text(_))));
    assert!(matches!(refused_with(11, b"S").reason, ReadReason::Variant { .. }));
    assert!(matches!(refused_with(20, b"xx").reason, ReadReason::Rules));
    for root in [b"x", b"2"] {
        assert!(matches!(refused_with(claim - 1, root).reason, ReadReason::Root(_)));
    }
    let error = refused_with(claim, &[5]);
    assert!(matches!(error.reason, ReadReason::Claim(5)));
    assert_eq!(error.offset, claim as u64);
    assert!(matches!(refused_with(claim + 1, &[3]).reason, ReadReason::Repetition(3)));
    // More entries than any file has: it ends first, and nothing was set aside for them.
    let error = refused_with(claim + 2, &[0xff; 8]);
    assert!(!matches!(error.reason, File(Flaw::Checksum)), "{error}");
}

#[test]
fn entries_are_refused_with_their_reason() {
    let (proof, file) = sample();
    let entries = claim_offset(&file) + 10;
    let (first, step) = proof.strategies()[0].iter().next().unwrap();
    let packed = shogi_proof::Packed::of(&first).unwrap();
    let length = packed.as_bytes().len();
    let refused_with = |offset: usize, bytes: &[u8]| {
        let mut changed = file.clone();
        changed.splice(entries + offset..entries + offset + 1, bytes.iter().copied());
        refused(&sealed(changed))
    };
    assert!(step.rank < 0x80);
    let shared = refused_with(0, &[1]);
    assert!(matches!(shared.reason, ReadReason::Shared(1)));
    assert_eq!(shared.offset, entries as u64);
    let many = refused_with(length + 1, &[0x7f]);
    assert!(matches!(many.reason, ReadReason::Move { index: 0x7f, .. }), "{many}");
    for padded in [&[0x80, 0][..], &[0xff, 0xff, 0xff, 0xff, 0x7f], &[0xff; 6]] {
        let error = refused_with(length + 2, padded);
        assert!(matches!(error.reason, File(Flaw::Number)), "{error}");
    }
    let order = refused_with(length + 3, &[0]);
    assert!(matches!(order.reason, ReadReason::Order | ReadReason::Shared(_)), "{order}");
    let padding = packed.as_bytes()[length - 1] | 1;
    let padded = refused_with(length, &[padding]);
    assert!(
        packed.as_bytes()[length - 1] == padding || matches!(padded.reason, ReadReason::Packing),
        "{padded}"
    );
    let mut whole = file.clone();
    let end = whole.len() - 1;
    whole[end] ^= 1;
    assert!(matches!(refused(&whole).reason, File(Flaw::Checksum)));
}

/// Rules of the same name, but with nifu.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
struct Nifu;

impl RuleTable for Nifu {
    type Geometry = <Shogi34 as RuleTable>::Geometry;
    const KINDS: &'static [KindSpec] = Shogi34::KINDS;
    const ALLOWS_NIFU: bool = true;
}

impl Rules for Nifu {
    const NAME: &'static str = Shogi34::NAME;
    const START: &'static str = Shogi34::START;
    const REPETITION: RepetitionRule = Shogi34::REPETITION;
}

#[test]
fn other_rules_are_refused() {
    let (_, file) = sample();
    let error = Proof::<Nifu>::read(&file[..]).unwrap_err();
    assert!(matches!(error.reason, ReadReason::Rules));
    let error = Proof::<Dobutsu>::read(&file[..]).unwrap_err();
    assert!(matches!(&error.reason, ReadReason::Variant { found, .. } if found == "shogi34"));
}

#[test]
fn the_document_shows_the_rules_of_every_variant_as_they_are_hashed() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/proof-format.md");
    let document = fs::read_to_string(path).unwrap();
    let texts = [
        rules_text::<Minishogi>(),
        rules_text::<KyotoShogi>(),
        rules_text::<Shogi>(),
        rules_text::<Shogi34>(),
        rules_text::<Dobutsu>(),
    ];
    for text in texts {
        assert!(document.contains(&format!("\n```\n{text}```\n")), "{text}");
    }
}

#[test]
fn the_document_shows_positions_in_the_form_of_the_root() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/proof-format.md");
    let document = fs::read_to_string(path).unwrap();
    // From plus signs in Kyoto shogi, and from hands in another order.
    for sfen in [
        to_sfen(&parse_sfen::<Shogi>(Shogi::START).unwrap().0),
        to_sfen(&parse_sfen::<KyotoShogi>("p+nks+l/5/5/5/+LSK+NP b - 1").unwrap().0),
        to_sfen(&parse_sfen::<Minishogi>("4k/5/5/5/K4 w 2pgB2SR 1").unwrap().0),
    ] {
        assert!(document.contains(&format!("\n{sfen}\n")), "{sfen}");
    }
}

#[test]
fn a_writer_takes_entries_in_order_only() {
    let (proof, file) = sample();
    let strategy = &proof.strategies()[0];
    let steps: Vec<_> = strategy.iter().collect();
    let entries = steps.len() as u64;
    let section = Section { repetition: Repetition::Absent, entries };
    let writer = || Writer::new(Vec::new(), proof.root(), proof.claim(), &[section]).unwrap();

    let mut whole = writer();
    for &(position, step) in &steps {
        // The mirror image is as good.
        let twin = shogi_core::Position::new(position.mirror()).unwrap();
        whole.entry(&twin, strategy.get(&twin).unwrap()).unwrap();
        assert_eq!(strategy.get(&position), Some(step));
    }
    let again = whole.entry(&steps[0].0, steps[0].1);
    assert!(matches!(again, Err(WriteError::Count { announced, written })
        if announced == entries && written == entries + 1));
    assert_eq!(whole.finish().unwrap(), file);

    let mut disordered = writer();
    disordered.entry(&steps[1].0, steps[1].1).unwrap();
    let back = disordered.entry(&steps[0].0, steps[0].1);
    assert!(matches!(back, Err(WriteError::Order)));
    assert!(matches!(disordered.finish(), Err(WriteError::Count { .. })));

    let (position, StrategyStep { mv, rank }) = steps[0];
    let after = position.play_unchecked(mv);
    let other = writer().entry(&after, StrategyStep { mv, rank });
    assert!(matches!(other, Err(WriteError::Step(StepError::Side))));
    let none = Writer::<Shogi34, _>::new(Vec::new(), proof.root(), proof.claim(), &[]);
    assert!(matches!(none, Err(WriteError::Sections(1))));
}

/// Reads bytes by the rules of each variant; none may panic.
fn read_by_all_rules(bytes: &[u8]) {
    fn read<R: Rules>(bytes: &[u8]) {
        if let Ok(proof) = Proof::<R>::read(bytes) {
            assert_eq!(written(&proof), bytes);
            let _ = proof.check();
        }
    }
    read::<Shogi34>(bytes);
    read::<KyotoShogi>(bytes);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_bytes_are_read_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        read_by_all_rules(&bytes);
    }

    #[test]
    fn any_bytes_after_a_good_head_are_read_without_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..200), entries in 0u64..20,
        cyclic in any::<bool>(),
    ) {
        let claim = claim_offset(&SAMPLE);
        let mut forged = SAMPLE[..claim].to_vec();
        forged.extend([0, u8::from(cyclic)]);
        forged.extend(entries.to_le_bytes());
        forged.extend(bytes);
        forged.extend([0; 32]);
        read_by_all_rules(&sealed(forged));
    }
}
