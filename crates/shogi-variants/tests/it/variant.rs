//! Variants by name, and tasks on them.
#![cfg(feature = "rules")]

use shogi_variants::rules::record::Format;
use shogi_variants::{Error, Variant};

#[test]
fn a_name_and_only_a_name_is_a_variant() {
    for &variant in Variant::ALL {
        assert_eq!(variant.to_string().parse(), Ok(variant));
        assert_eq!(variant.rules().name(), variant.name());
        assert_eq!(format!("{variant:>12}").len(), 12);
        assert!(variant.title().contains(['5', '9', '3']), "{}", variant.title());
    }
    let error = "chess".parse::<Variant>().unwrap_err();
    let compiled = "minishogi, kyotoshogi, shogi, shogi34, dobutsu";
    let texts = ", gorogoro, gorogoroplus, judkins, micro, torishogi";
    let read = if cfg!(feature = "text") { texts } else { "" };
    let expected = format!("\"chess\" is no variant: the variants are {compiled}{read}");
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_position_is_read_in_every_form() {
    let rules = Variant::Minishogi.rules();
    let start = "rbsgk/4p/5/P4/KGSBR b - 1";
    for text in [
        start,
        "startpos",
        "  startpos ",
        "position startpos",
        "sfen rbsgk/4p/5/P4/KGSBR b - 1",
        "\u{feff}rbsgk/4p/5/P4/KGSBR b -",
        "\t position sfen rbsgk/4p/5/P4/KGSBR b - 1 moves",
    ] {
        assert_eq!(rules.position(text, None).unwrap(), start, "{text:?}");
    }
    for text in [
        "startpos moves 5d5c",
        "startpos  moves 5d5c\t",
        "position sfen rbsgk/4p/5/P4/KGSBR b - 1 moves 5d5c",
    ] {
        assert_eq!(rules.position(text, None).unwrap(), "rbsgk/4p/P4/5/KGSBR w - 2", "{text:?}");
    }
    for text in ["", "startpos 5d5c", "startpos moves 5d5a", "position", "sfen", "start"] {
        assert!(rules.position(text, None).is_err(), "{text:?}");
    }
}

#[test]
fn the_number_of_the_next_move_is_kept() {
    let rules = Variant::Minishogi.rules();
    let text = "rbsgk/4p/P4/5/KGSBR w - 7";
    assert_eq!(rules.position(text, None).unwrap(), text);
    assert_eq!(rules.diagram(text, None).unwrap().sfen, text);
    let after = "rbs1k/3gp/P4/5/KGSBR b - 8";
    let line = format!("position sfen {text} moves 2a2b");
    assert_eq!(rules.position(&line, None).unwrap(), after);
    assert_eq!(rules.diagram(&line, None).unwrap().sfen, after);
    // Predecessors are positions of no game.
    let before = rules.retractions(text, None).unwrap();
    assert!(before.iter().all(|one| one.sfen.ends_with(" 1")));
    for format in [Format::Usi, Format::Json, Format::Kif] {
        let converted = rules.convert(&line, Format::Usi, format, None).unwrap();
        let says_sfen = format != Format::Kif;
        assert_eq!(converted.games[0].contains(text), says_sfen, "{}", converted.games[0]);
        let again = rules.convert(&converted.games[0], format, Format::Usi, None).unwrap();
        assert_eq!((again.games, again.left_out.is_nothing()), (vec![line.clone()], true));
    }
    let csa = rules.convert(&line, Format::Usi, Format::Csa, None).unwrap();
    assert_eq!(csa.left_out.numbers, 1);
}

#[test]
fn an_error_points_into_the_whole_text() {
    let moves = |text| Variant::Minishogi.rules().moves(text, None).unwrap_err();
    for (text, position) in [("rbsgk/4p/x", 9), ("  rbsgk/4p/x", 11), ("sfen rbsgk/4p/x", 14)] {
        let Error::Sfen(error) = moves(text) else { panic!("{text:?}") };
        assert_eq!(error.position, position, "{text:?}");
    }
}

#[test]
fn only_one_variant_names_its_starts() {
    let named = |variant: Variant| variant.rules().named_start("kbr");
    assert_eq!(named(Variant::Shogi34).unwrap(), "rbk/2p/P2/KBR b - 1");
    let error = named(Variant::Dobutsu).unwrap_err();
    assert_eq!(error.to_string(), "dobutsu takes no start by name");
}
