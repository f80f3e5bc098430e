//! The law of the fuzz target on USI, on the committed seed corpus.

use testing::usi_laws;

use std::fs;
use std::path::Path;

/// Seeds named `bad-...` have something that is complained of, all others nothing.
#[test]
fn usi_session() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/usi_session");
    let mut files = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        // The name of the file is the only trace of a failure inside the law.
        println!("{}", path.display());
        let input = fs::read(&path).unwrap();
        usi_laws::usi_session(&input);
        let named_bad = path.file_name().unwrap().to_string_lossy().starts_with("bad-");
        assert_eq!(usi_laws::answers(&input).contains("info string error: "), named_bad);
        files += 1;
    }
    assert!(files >= 10, "{files} files in {}", folder.display());
}

/// Random scraps of sessions, as a fuzzer would make them of the corpus.
#[test]
fn usi_session_of_scraps() {
    use rand::RngExt as _;
    use rand::seq::IndexedRandom as _;
    use rand_chacha::rand_core::SeedableRng as _;

    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/usi_session");
    let mut words: Vec<Vec<u8>> = Vec::new();
    let mut paths: Vec<_> = fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        let seed = fs::read(path).unwrap();
        let all = seed.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        words.extend(all.filter(|word| *word != b"quit").map(<[u8]>::to_vec));
    }
    for _ in 0..60 {
        let mut input = Vec::new();
        for _ in 0..random.random_range(1..40) {
            input.extend(words.choose(&mut random).unwrap());
            input.push(*[b' ', b' ', b' ', b'\n', b'\t', 0xff].choose(&mut random).unwrap());
        }
        println!("{:?}", String::from_utf8_lossy(&input));
        usi_laws::usi_session(&input);
    }
}
