//! The law of the fuzz target on proof files.
//!
//! It stands apart from the other laws, which need the rules only, so that an ordinary test of the
//! solver's crate can run it over the seed corpus (crates/shogi-proof/tests/it/corpus.rs).

use shogi_proof::{Proof, Reader};
use shogi_rules::{Dobutsu, KyotoShogi, Minishogi, Rules, Shogi, Shogi34};

/// Bytes that can be read as a proof are just those that the proof is written as, and checking it
/// ends with an answer. An error points into the file.
///
/// The input is a file without its checksum, which is added, so that not only files survive whose
/// checksum was guessed.
pub fn proof_file(input: &[u8]) {
    fn law<R: Rules>(file: &[u8]) {
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
    let file = sealed(input);
    let Ok(reader) = Reader::new(&file[..]) else { return };
    match reader.header().variant.as_str() {
        Minishogi::NAME => law::<Minishogi>(&file),
        KyotoShogi::NAME => law::<KyotoShogi>(&file),
        Shogi::NAME => law::<Shogi>(&file),
        Shogi34::NAME => law::<Shogi34>(&file),
        Dobutsu::NAME => law::<Dobutsu>(&file),
        _ => {}
    }
}

/// The input with its checksum.
pub fn sealed(input: &[u8]) -> Vec<u8> {
    [input, blake3::hash(input).as_bytes()].concat()
}
