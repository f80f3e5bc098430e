//! Moves as people type them are read back, in every notation and every variant.

use shogi_records::{Recorded, read_move, to_japanese, to_western};
use shogi_rules::{Dialect, KyotoShogi, Rules as _, Shogi, parse_position, to_usi, to_usi_in};
use testing::for_every_variant;
use testing::games::games;

fn typed_forms_are_read_back<R: Recorded>(count: usize) {
    let mut read = 0;
    for game in games::<R>(11, count, 60) {
        let mut position = game.positions()[0];
        let mut last = None;
        for &played in game.moves() {
            for mv in position.legal_moves() {
                let western = to_western(&position, mv);
                let japanese = to_japanese(&position, mv, last);
                let fairy = to_usi_in(mv, &position, Dialect::Fairy);
                for text in [to_usi(mv), fairy, western, japanese] {
                    assert_eq!(read_move(&position, last, &text), Ok(mv), "{text}");
                    read += 1;
                }
            }
            position = position.play_unchecked(played);
            last = Some(played.to());
        }
    }
    assert!(read > 40 * count, "{read}");
}

for_every_variant!(typed_moves_are_read_back: typed_forms_are_read_back(20; shogi: 4));

/// The move in USI that a text means, or the error.
fn typed(sfen: &str, text: &str) -> String {
    let position = parse_position::<Shogi>(sfen).unwrap();
    match read_move(&position, None, text) {
        Ok(mv) => to_usi(mv),
        Err(error) => error.to_string(),
    }
}

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

#[test]
fn a_move_is_read_however_it_is_typed() {
    for text in [
        "7g7f",
        "7G7F",
        "7g-7f",
        "77-76",
        "7776",
        "77 76",
        "7g7f=",
        "P-7f",
        "p-7f",
        "P7f",
        "P76",
        "P7g-7f",
        "P7g7f",
        "７六歩",
        "76歩",
        "7六歩",
        "▲７六歩",
        "７六歩(77)",
        "７六歩（77）",
    ] {
        assert_eq!(typed(START, text), "7g7f", "{text}");
    }
}

#[test]
fn the_origin_distinguishes_a_piece_from_others() {
    assert_eq!(typed(START, "G-5h"), "this may be G6i-5h or G4i-5h");
    assert_eq!(typed(START, "G4i-5h"), "4i5h");
    assert_eq!(typed(START, "58金右"), "4i5h");
    assert_eq!(typed(START, "58金"), "more than one legal move fits this");
}

#[test]
fn a_choice_of_promotion_must_be_given() {
    let near = "4k4/9/2P6/9/9/9/9/9/4K4 b P 1";
    assert_eq!(typed(near, "P-7b"), "this may be P-7b= or P-7b+");
    assert_eq!(typed(near, "P-7b+"), "7c7b+");
    assert_eq!(typed(near, "P-7b="), "7c7b");
    assert_eq!(typed(near, "7c7b"), "7c7b");
    assert_eq!(typed(near, "72歩成"), "7c7b+");
    // At the last rank there is no choice.
    let last = "4k4/2P6/9/9/9/9/9/9/4K4 b P 1";
    for text in ["P-7a", "7b7a", "71歩", "7271"] {
        assert_eq!(typed(last, text), "7b7a+", "{text}");
    }
    for text in ["7b7a=", "71歩不成"] {
        assert_eq!(typed(last, text), "7b7a", "{text}");
    }
}

#[test]
fn drops_are_read_in_every_notation() {
    let hand = "4k4/9/9/9/9/9/9/9/4K4 b GP 1";
    for text in ["G*5e", "g*5e", "G'5e", "G*55", "G5e", "５五金打", "55金"] {
        assert_eq!(typed(hand, text), "G*5e", "{text}");
    }
}

#[test]
fn an_illegal_move_is_read_where_it_is_clear_which_is_meant() {
    // The rules say why it is illegal.
    assert_eq!(typed(START, "7g7e"), "7g7e");
    assert_eq!(typed(START, "R-5e"), "2h5e");
    assert_eq!(typed(START, "P*5e"), "P*5e");
    assert_eq!(typed(START, "P-5d"), "none of the pieces P can go there");
    assert_eq!(typed(START, "Px7f"), "there is nothing to capture");
    assert_eq!(typed(START, "X-5e"), "no piece has the letter 'X'");
    assert_eq!(typed(START, "7g7j"), "a square is a file 1 to 9 and a rank a to i");
    for text in
        ["", "7", "77", "7g", "P", "+", "castle", "歩", "７六", "同歩", "7g7f7e", "＊", "P*"]
    {
        let answer = typed(START, text);
        assert!(!answer.starts_with(|c: char| c.is_ascii_digit()), "{text}: {answer}");
    }
}

#[test]
fn pieces_that_turn_at_every_move_need_no_mark() {
    let position = KyotoShogi::start();
    let move_of = |text: &str| read_move(&position, None, text).map(to_usi::<KyotoShogi>);
    for text in ["S-3d", "4e3d", "34銀(45)"] {
        assert_eq!(move_of(text), Ok("4e3d+".into()), "{text}");
    }
}
