//! The law of the fuzz target on proof files, on the committed seed corpus.
//!
//! Seeds are files without their checksum. Those named `bad-...` cannot be read, those named
//! `false-...` do not prove what they claim, and all others do.

use crate::naive;
use testing::proof_laws;

use std::fs;
use std::path::Path;

use naive::{position, safe, start, win};
use proof_laws::{proof_file, sealed};
use shogi_core::Colour::{Gote, Sente};
use shogi_proof::{Claim, Proof, Reader, Repetition, Strategy};
use shogi_rules::shogi_core;
use shogi_rules::{Dobutsu, KyotoShogi, Minishogi, Rules, Shogi, Shogi34, Verdict};

/// Whether a file can be read and, if so, whether it proves its claim.
fn judge(file: &[u8]) -> Option<bool> {
    fn judge<R: Rules>(file: &[u8]) -> Option<bool> {
        Proof::<R>::read(file).ok().map(|proof| proof.check().is_ok())
    }
    let reader = Reader::new(file).ok()?;
    match reader.header().variant.as_str() {
        Minishogi::NAME => judge::<Minishogi>(file),
        KyotoShogi::NAME => judge::<KyotoShogi>(file),
        Shogi::NAME => judge::<Shogi>(file),
        Shogi34::NAME => judge::<Shogi34>(file),
        Dobutsu::NAME => judge::<Dobutsu>(file),
        _ => None,
    }
}

#[test]
fn proof_files_are_what_their_names_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/proof_file");
    let mut files = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        // The name of the file is the only trace of a failure inside the law.
        println!("{}", path.display());
        let input = fs::read(&path).unwrap();
        proof_file(&input);
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let expected = match name.split('-').next() {
            Some("bad") => None,
            Some("false") => Some(false),
            _ => Some(true),
        };
        assert_eq!(judge(&sealed(&input)), expected);
        files += 1;
    }
    assert!(files >= 10, "{files} files in {}", folder.display());
}

/// The seeds of the corpus as they are made; a change of the format must make them anew, by this
/// test with `PROOF_SEEDS` set to the folder.
#[test]
fn seeds_can_be_made() {
    let folder = std::env::var_os("PROOF_SEEDS");
    let seed = |name: &str, file: &[u8]| {
        let input = &file[..file.len() - 32];
        proof_file(input);
        if let Some(folder) = &folder {
            fs::write(Path::new(folder).join(name), input).unwrap();
        }
    };
    fn written<R: Rules>(proof: &Proof<R>) -> Vec<u8> {
        let mut file = Vec::new();
        proof.write(&mut file).unwrap();
        file
    }
    for name in ["KNR", "KNL", "RKR", "KRB"] {
        seed(&format!("win-{}", name.to_lowercase()), &written(&win(start(name), Sente, 7)));
    }
    let proof = win(start("KRB"), Sente, 7);
    let file = written(&proof);
    let with =
        |strategy| written(&Proof::new(*proof.root(), proof.claim(), vec![strategy]).unwrap());
    let mut dropped = proof.strategies()[0].clone();
    dropped.remove(proof.root());
    seed("false-missing", &with(dropped));
    let mut ranked = proof.strategies()[0].clone();
    let step = ranked.get(proof.root()).unwrap();
    ranked.insert(proof.root(), step.mv, step.rank - 1).unwrap();
    seed("false-rank", &with(ranked));

    const BARE: &str = "4k/5/5/5/K4 b - 1";
    let is_good = |verdict| verdict != Verdict::Loss;
    let root = position::<KyotoShogi>(BARE);
    let of = |prover| safe(root, prover, Repetition::Draw, is_good, |_, mv| mv);
    let draw = written(&Proof::new(root, Claim::Draw, vec![of(Sente), of(Gote)]).unwrap());
    seed("draw-kyoto", &draw);
    let root = position::<Minishogi>(BARE);
    let of = |prover| safe(root, prover, Repetition::Win, is_good, |_, mv| mv);
    let claims = [("win-repetition", Gote), ("false-repetition", Sente)];
    for (name, prover) in claims {
        let proof = Proof::new(root, Claim::Win { prover }, vec![of(prover)]).unwrap();
        seed(name, &written(&proof));
    }
    let empty = Strategy::<Dobutsu>::new(Sente, Repetition::Absent);
    let root = position(Dobutsu::START);
    let claim = Claim::NotLose { prover: Sente };
    seed("false-empty", &written(&Proof::new(root, claim, vec![empty]).unwrap()));
    let empty = Strategy::<Shogi>::new(Gote, Repetition::Draw);
    let root = position(Shogi::START);
    let claim = Claim::NotLose { prover: Gote };
    seed("false-shogi", &written(&Proof::new(root, claim, vec![empty]).unwrap()));

    seed("bad-truncated", &file[..file.len() - 5]);
    seed("bad-longer", &[&file[..file.len() - 32], &[0; 33]].concat());
    let changed = |offset: usize, byte: u8| {
        let mut file = file.clone();
        file[offset] = byte;
        file
    };
    seed("bad-magic", &changed(0, b'P'));
    seed("bad-version", &changed(8, 9));
    seed("bad-variant", &changed(11, b'x'));
    seed("bad-rules", &changed(20, 0));
}
