//! Serialized values are read back; other values are refused with a reason.
#![cfg(feature = "serde")]

use serde_json::{from_str, json, to_value};
use shogi_core::{Bitboard, Board3x4, Board5x5, Board9x9, Colour, Geometry, Square, picture};

/// Every square, and the set of it and all before it.
fn round_trips<G: Geometry>() {
    let mut set = Bitboard::<G>::EMPTY;
    for square in Square::<G>::all() {
        set.insert(square);
        let text = serde_json::to_string(&square).unwrap();
        assert_eq!(text, format!("\"{square}\""));
        assert_eq!(from_str::<Square<G>>(&text).unwrap(), square);
        assert_eq!(square.to_string().parse(), Ok(square));
        let list = serde_json::to_string(&set).unwrap();
        assert_eq!(from_str::<Bitboard<G>>(&list).unwrap(), set);
    }
}

#[test]
fn squares_and_bitboards_are_read_back() {
    round_trips::<Board3x4>();
    round_trips::<Board5x5>();
    round_trips::<Board9x9>();
}

#[test]
fn the_forms_are_these() {
    let corners = picture!(Board3x4:
        # . #
        . . .
        . . .
        # . .
    );
    assert_eq!(to_value(corners).unwrap(), json!(["3a", "3d", "1a"]));
    assert_eq!(to_value(Colour::ALL).unwrap(), json!(["sente", "gote"]));
    let colours: [Colour; 2] = from_str(r#"["gote", "sente"]"#).unwrap();
    assert_eq!(colours, [Colour::Gote, Colour::Sente]);
}

#[test]
fn texts_that_are_not_squares_are_refused() {
    for text in ["", "5", "a", "5f", "6a", "0a", "05a", "+5a", "5A", "5aa", " 5a", "5\u{6b69}"] {
        let error = from_str::<Square<Board5x5>>(&json!(text).to_string()).unwrap_err();
        assert!(error.to_string().starts_with("a square is a file 1 to 5 and a rank a to e"));
    }
    let error = from_str::<Square<Board5x5>>("7").unwrap_err();
    assert!(error.to_string().contains("expected a square such as \"1a\""), "{error}");
    assert!(from_str::<Bitboard<Board5x5>>(r#"["1a", "1f"]"#).is_err());
    assert!(from_str::<Bitboard<Board5x5>>("31").is_err());
    assert!(from_str::<Colour>(r#""black""#).is_err());
}
