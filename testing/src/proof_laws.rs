//! The law of the fuzz target on proof files.
//!
//! It stands apart from the other laws, which need the rules only, so that an ordinary test of the
//! solver's crate can run it over the seed corpus (crates/shogi-proof/tests/it/corpus.rs).

use shogi_proof::{Proof, Reader};
use shogi_variants::{RuleSet, Variant, Visitor};

/// Bytes that can be read as a proof are just those that the proof is written as, and checking it
/// ends with an answer. An error points into the file.
///
/// The input is a file without its checksum, which is added, so that not only files survive whose
/// checksum was guessed.
pub fn proof_file(input: &[u8]) {
    struct Law<'f>(&'f [u8]);
    impl Visitor for Law<'_> {
        type Output = ();
        fn visit<R: RuleSet>(self) {
            let Self(file) = self;
            match Proof::<R>::read(file) {
                Ok(proof) => {
                    let mut written = Vec::new();
                    let result = proof.write(&mut written);
                    assert!(result.is_ok() && written == file, "{result:?}");
                    // A proof that holds and one that does not are both an answer.
                    let _ = proof.check();
                    let _ = (proof.line(), proof.longest_line());
                }
                Err(error) => assert!(error.offset <= file.len() as u64, "{error}"),
            }
        }
    }
    let file = sealed(input);
    let Ok(reader) = Reader::new(&file[..]) else { return };
    if let Ok(variant) = reader.header().variant.parse::<Variant>() {
        variant.visit(Law(&file));
    }
}

/// The input with its checksum.
pub fn sealed(input: &[u8]) -> Vec<u8> {
    [input, blake3::hash(input).as_bytes()].concat()
}
