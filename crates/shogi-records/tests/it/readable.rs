//! Moves as people read them: no two legal moves of a position are written alike.

use std::collections::HashSet;

use shogi_records::{Recorded, to_japanese, to_western};
use shogi_rules::shogi_core::{Faults, Position};
use shogi_rules::{Shogi, Shogi34, parse_position, parse_sfen, parse_usi};
use testing::for_every_variant;
use testing::games::games;

fn no_two_moves_are_written_alike<R: Recorded>(count: usize) {
    let mut written = 0;
    for game in games::<R>(7, count, 60) {
        let mut position = game.positions()[0];
        let mut last = None;
        for &mv in game.moves() {
            let moves = position.legal_moves();
            let japanese: HashSet<_> =
                moves.iter().map(|&mv| to_japanese(&position, mv, last)).collect();
            let western: HashSet<_> = moves.iter().map(|&mv| to_western(&position, mv)).collect();
            assert_eq!((japanese.len(), western.len()), (moves.len(), moves.len()));
            written += moves.len();
            position = position.play_unchecked(mv);
            last = Some(mv.to());
        }
    }
    assert!(written > 10 * count, "{written}");
}

for_every_variant!(moves_are_told_apart: no_two_moves_are_written_alike(50; shogi: 10));

#[track_caller]
fn written(sfen: &str, usi: &str, before: Option<&str>) -> (String, String) {
    let position = parse_position::<Shogi>(sfen).unwrap();
    let last = before.map(|usi| parse_usi::<Shogi>(usi).unwrap().to());
    let mv = parse_usi(usi).unwrap();
    (to_japanese(&position, mv, last), to_western(&position, mv))
}

#[test]
fn moves_read_as_in_books() {
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let pair = |japanese: &str, western: &str| (japanese.to_owned(), western.to_owned());
    assert_eq!(written(start, "4i5h", None), pair("▲５八金右", "G4i-5h"));
    assert_eq!(written(start, "7g7f", None), pair("▲７六歩", "P-7f"));
    let open = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 1";
    assert_eq!(written(open, "8h2b+", None), pair("▲２二角成", "Bx2b+"));
    assert_eq!(written(open, "8h2b", None), pair("▲２二角不成", "Bx2b="));
    let taken = "lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w b 1";
    assert_eq!(written(taken, "3a2b", Some("8h2b+")), pair("△同　銀", "Sx2b"));
    let hand = "4k4/9/9/9/9/9/9/9/4K4 b G 1";
    assert_eq!(written(hand, "G*5b", None), pair("▲５二金", "G*5b"));
}

#[test]
fn the_origin_distinguishes_pieces_that_words_do_not() {
    let (placement, _) = parse_sfen::<Shogi34>("+B+B+B/3/3/2K b - 1").unwrap();
    let position = Position::new_allowing(placement, Faults::MISSING_KING).unwrap();
    let mv = parse_usi("2a2b").unwrap();
    assert_eq!(to_japanese(&position, mv, None), "▲２二馬(21)");
    assert_eq!(to_western(&position, mv), "+B2a-2b");
}
