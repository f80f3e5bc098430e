//! The laws of the fuzz targets, on the committed seed corpus.
//!
//! A law passes over what it cannot read, so each seed must be what its name says: those named
//! `bad-...` are malformed or illegal, all others good.

use testing::laws;

use std::fs;
use std::path::Path;

use shogi_records::Format;
use shogi_rules::text::Definition;
use shogi_rules::{Minishogi, Shogi, parse_position, parse_sfen, parse_usi};

/// Runs a law on every file of a target's corpus.
fn run(target: &str, law: fn(&[u8]), is_good: fn(&str) -> bool) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let mut files = 0;
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        // The name of the file is the only trace of a failure inside a law.
        println!("{}", path.display());
        let input = fs::read(&path).unwrap();
        law(&input);
        let named_bad = path.file_name().unwrap().to_string_lossy().starts_with("bad-");
        assert_eq!(std::str::from_utf8(&input).is_ok_and(is_good), !named_bad);
        files += 1;
    }
    assert!(files >= 10, "{files} files in {}", folder.display());
}

macro_rules! targets {
    ($($target:ident: $is_good:expr;)*) => {$(
        #[test]
        fn $target() {
            run(stringify!($target), laws::$target, $is_good);
        }
    )*};
}
targets! {
    sfen_round_trip: |text| parse_sfen::<Minishogi>(text).is_ok();
    usi_round_trip: |text| parse_usi::<Minishogi>(text).is_ok();
    legal_moves_are_legal: |text| parse_position::<Minishogi>(text).is_ok();
    unmoves_invert: |text| parse_position::<Minishogi>(text).is_ok();
    kif_round_trip: |text| Format::Kif.parse::<Shogi>(text).is_ok();
    variant_text_round_trip: |text| Definition::parse(text).is_ok();
    csa_round_trip: |text| Format::Csa.parse::<Shogi>(text).is_ok();
}
