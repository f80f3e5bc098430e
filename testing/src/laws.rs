//! The laws that the fuzz targets try to break, each a function of the raw input.
//!
//! They stand apart from the targets so that an ordinary test can run them over the seed corpus
//! (crates/shogi-records/tests/it/corpus.rs). An input that is no text, or not the text that the law is
//! about, is passed over.

use shogi_records::{Format, Record};
use shogi_rules::text::Definition;
use shogi_rules::{Rules, Shogi, parse_position, parse_sfen, parse_usi, to_sfen, to_usi};
use shogi_variants::{RuleSet, Variant, Visitor};

/// Applies a law to the input, read by the rules of each variant.
macro_rules! in_every_variant {
    ($law:ident, $input:expr) => {
        if let Ok(text) = std::str::from_utf8($input) {
            struct Law<'t>(&'t str);
            impl Visitor for Law<'_> {
                type Output = ();
                fn visit<R: RuleSet>(self) {
                    $law::<R>(self.0);
                }
            }
            Variant::ALL.iter().for_each(|variant| variant.visit(Law(text)));
        }
    };
}

/// The text of a variant that can be read is written so that it reads the same; each fault names a line of the text.
pub fn variant_text_round_trip(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    match Definition::parse(text) {
        Ok(definition) => {
            assert_eq!(Definition::parse(&definition.to_string()).as_ref(), Ok(&definition));
        }
        Err(error) => {
            let lines = text.lines().count() + 1;
            assert!(error.0.iter().all(|fault| (1..=lines).contains(&fault.line)), "{error}");
        }
    }
}

/// A position that can be read is written so that it reads the same; an error points into the
/// text.
pub fn sfen_round_trip(input: &[u8]) {
    fn law<R: Rules>(text: &str) {
        match parse_sfen::<R>(text) {
            Ok((placement, _)) => {
                assert_eq!(parse_sfen(&to_sfen(&placement)), Ok((placement, 1)));
            }
            Err(error) => assert!(error.position <= text.chars().count(), "{error}"),
        }
    }
    in_every_variant!(law, input);
}

/// A move that can be read is written so that it reads the same; an error points into the text.
pub fn usi_round_trip(input: &[u8]) {
    fn law<R: Rules>(text: &str) {
        match parse_usi::<R>(text) {
            Ok(mv) => assert_eq!(parse_usi(&to_usi(mv)), Ok(mv)),
            Err(error) => assert!(error.position <= text.chars().count(), "{error}"),
        }
    }
    in_every_variant!(law, input);
}

/// Each generated move is legal by [`is_legal`], comes once, and leads to a position of the game
/// whose incremental key is the key from scratch.
///
/// [`is_legal`]: shogi_rules::shogi_core::Placement::is_legal
pub fn legal_moves_are_legal(input: &[u8]) {
    fn law<R: Rules>(text: &str) {
        let Ok(position) = parse_position::<R>(text) else { return };
        let mut moves = position.legal_moves();
        assert_eq!(position.count_moves(), moves.len() as u64);
        assert_eq!(position.has_no_move(), moves.is_empty());
        for &mv in &moves {
            assert!(position.is_legal(mv), "{}", to_usi(mv));
            let next = position.play_unchecked(mv);
            assert_eq!(next.key(), next.recompute_key(), "{}", to_usi(mv));
            // Without a rule against it, the move may have captured the king.
            let king_is_safe = R::royal_safety() || next.king(next.side()).is_some();
            assert!(next.faults().is_empty() || !king_is_safe, "{}", to_usi(mv));
        }
        moves.sort_unstable();
        assert!(moves.windows(2).all(|pair| pair[0] != pair[1]));
    }
    in_every_variant!(law, input);
}

/// Each unmove leads to a position of the game in which the move is legal and leads back, and each
/// move is among the unmoves of the position it leads to.
pub fn unmoves_invert(input: &[u8]) {
    fn law<R: Rules>(text: &str) {
        let Ok(position) = parse_position::<R>(text) else { return };
        for unmove in position.unmoves() {
            let before = position.unmake_unchecked(unmove);
            assert!(before.faults().is_empty(), "{unmove:?}");
            assert!(before.is_legal(unmove.mv), "{unmove:?}");
            assert_eq!(before.play_unchecked(unmove.mv), *position.placement(), "{unmove:?}");
        }
        if R::is_over(&position) {
            return;
        }
        for mv in position.legal_moves() {
            let next = position.play_unchecked(mv);
            let found = next.unmoves().into_iter().any(|unmove| {
                unmove.mv == mv && next.unmake_unchecked(unmove) == *position.placement()
            });
            assert!(found || !next.faults().is_empty(), "{}", to_usi(mv));
        }
    }
    in_every_variant!(law, input);
}

/// A record of standard shogi that can be read is written so that it reads the same; an error
/// names a line of the text.
fn record_round_trip(input: &[u8], format: Format) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    match format.parse::<Shogi>(text) {
        Ok(record) => {
            // Some records cannot be written: a comment may hold what the format has no way to say.
            let Ok(written) = format.write(&record) else { return };
            let again = format.parse::<Shogi>(&written);
            let moves = |record: &Record<Shogi>| {
                record.moves().iter().map(|one| one.mv()).collect::<Vec<_>>()
            };
            assert_eq!(again.as_ref().map(moves).ok(), Some(moves(&record)), "{written}");
        }
        Err(error) => assert!(error.line <= text.lines().count() + 1, "{error}"),
    }
}

/// The law on records for KIF.
pub fn kif_round_trip(input: &[u8]) {
    record_round_trip(input, Format::Kif);
}

/// The law on records for CSA.
pub fn csa_round_trip(input: &[u8]) {
    record_round_trip(input, Format::Csa);
}
