//! Notations: what is written is read back, and whatever is read, errors point into the text.

use proptest::prelude::*;
use shogi_records::{Record, Recorded, json, usi};
use shogi_rules::shogi_core::Position;
use shogi_rules::shogi_core::{Colour, Face, Hand, Kind, Move, Piece, Placement, Role, Square};
use shogi_rules::{
    Dialect, Dobutsu, Game, Gorogoro, GorogoroPlus, Judkins, KyotoShogi, MicroShogi, Minishogi,
    Rules, SfenReason, Shogi, Shogi34, ToriShogi, UsiReason, parse_sfen, parse_usi, to_sfen,
    to_sfen_numbered, to_usi, to_usi_in,
};
use testing::random::Random;
use testing::texts::{edited, hold};

fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) }
}

/// Any placement at all: any piece on any square, any hands.
fn placements<R: Rules>() -> impl Strategy<Value = Placement<R>> {
    let faces: Vec<Face> = Face::all::<R>().collect();
    let colour = prop::sample::select(Colour::ALL.to_vec());
    let piece = (prop::sample::select(faces), colour.clone());
    let piece = piece.prop_map(|(face, colour)| Piece { face, colour });
    let squares: Vec<_> = Square::<R::Geometry>::all().collect();
    let board = prop::collection::vec(prop::option::of(piece), squares.len());
    let held = |kind: Kind| match kind.spec::<R>().role {
        Role::Royal => 0..=0,
        _ => 0..=Hand::capacity(kind),
    };
    let hand = Kind::all::<R>().map(held).collect::<Vec<_>>();
    (board, hand.clone(), hand, colour).prop_map(move |(board, sente, gote, side)| {
        let mut placement = Placement::EMPTY;
        placement.set_side(side);
        for (&square, piece) in squares.iter().zip(board) {
            if let Some(piece) = piece {
                placement.put(square, piece);
            }
        }
        for (colour, counts) in [(Colour::Sente, sente), (Colour::Gote, gote)] {
            for (kind, count) in Kind::all::<R>().zip(counts) {
                placement.hand_mut(colour).set(kind, count);
            }
        }
        placement
    })
}

/// Characters that mean something in one of the notations, and some that do not.
const ALPHABET: &str = "0123456789/+-* abcdefghiklnprstwABCDEGHKLNPRSTX\u{6b69}\u{1f600}";

/// Any move that can be written, legal somewhere or not.
fn moves<R: Rules>() -> Vec<Move<R>> {
    let droppable: Vec<Face> = Face::all::<R>().filter(|face| face.is_droppable::<R>()).collect();
    let mut moves = Vec::new();
    for to in Square::all() {
        moves.extend(droppable.iter().map(|&face| Move::Drop { face, to }));
        for from in Square::all() {
            moves.extend([false, true].map(|turn| Move::Board { from, to, turn }));
        }
    }
    moves
}

/// Reading ends well or with an error in the text or at its end; what was read can be written.
fn read_anything<R: Rules>(text: &str) -> Result<(), TestCaseError> {
    let length = text.chars().count();
    match parse_sfen::<R>(text) {
        Ok((placement, _)) => {
            let (again, number) = parse_sfen::<R>(&to_sfen(&placement)).unwrap();
            prop_assert_eq!((again, number), (placement, 1));
        }
        Err(error) => prop_assert!(error.position <= length, "{:?} in {:?}", error, text),
    }
    match parse_usi::<R>(text) {
        // A text in the other dialect is written in the variant's own.
        Ok(mv) if !R::LISHOGI_LETTERS.is_empty() => {
            prop_assert_eq!(parse_usi::<R>(&to_usi(mv)), Ok(mv));
        }
        Ok(mv) => prop_assert_eq!(to_usi(mv), text),
        Err(error) => prop_assert!(error.position <= length, "{:?} in {:?}", error, text),
    }
    Ok(())
}

macro_rules! laws {
    ($($variant:ident: $rules:ty;)*) => {$(mod $variant {
        use super::*;

        proptest! {
            #![proptest_config(config())]

            #[test]
            fn sfen_is_read_back(placement in placements::<$rules>(), number in 1..u32::MAX) {
                let text = to_sfen(&placement);
                prop_assert_eq!(parse_sfen(&text), Ok((placement, 1)));
                let fields = text.strip_suffix('1').unwrap();
                prop_assert_eq!(parse_sfen(&format!("{fields}{number}")), Ok((placement, number)));
                prop_assert_eq!(parse_sfen(fields.trim_end()), Ok((placement, 1)));
            }
        }

        #[test]
        fn any_text_is_read() {
            hold(config(), any::<String>(), read_anything::<$rules>);
        }

        #[test]
        fn any_text_of_our_letters_is_read() {
            hold(config(), "[0-9/+*a-zA-Z -]{0,40}", read_anything::<$rules>);
        }

        #[test]
        fn mistyped_sfen_is_read() {
            let texts = placements::<$rules>().prop_map(|placement| to_sfen(&placement));
            hold(config(), edited(texts, ALPHABET, 3), read_anything::<$rules>);
        }

        #[test]
        fn mistyped_usi_is_read() {
            let texts = prop::sample::select(moves::<$rules>()).prop_map(to_usi);
            hold(config(), edited(texts, ALPHABET, 3), read_anything::<$rules>);
        }

        #[test]
        fn usi_is_read_back() {
            for mv in moves::<$rules>() {
                assert_eq!(parse_usi::<$rules>(&to_usi(mv)), Ok(mv));
            }
        }
    })*};
}
laws! {
    minishogi: Minishogi;
    kyotoshogi: KyotoShogi;
    shogi: Shogi;
    shogi34: Shogi34;
    dobutsu: Dobutsu;
}

/// The texts of random games, in either dialect, are read back: positions, moves and the games themselves.
pub(super) fn games_are_read_back<R: Recorded>(random: &mut Random, games: usize) {
    for number in 1..=games {
        let mut game = Game::<R>::from_start().numbered_from(number as u32);
        while game.moves().len() < 60 && game.outcome().is_none() {
            let position = *game.position();
            for dialect in [Dialect::Lishogi, Dialect::Fairy] {
                let text = to_sfen_numbered(&position, dialect, game.move_number());
                let read = parse_sfen::<R>(&text).unwrap();
                assert_eq!(read, (*position.placement(), game.move_number()), "{text}");
                for mv in position.legal_moves() {
                    let text = to_usi_in(mv, &position, dialect);
                    assert_eq!(parse_usi::<R>(&text), Ok(mv), "{text} in {position}");
                }
            }
            game.play(random.pick(&position.legal_moves())).unwrap();
        }
        let record = Record::from(&game);
        for dialect in [Dialect::Lishogi, Dialect::Fairy] {
            let text = usi::write_in(&record, dialect);
            let read = usi::parse::<R>(&text).unwrap_or_else(|error| panic!("{error} in {text}"));
            let moves = |record: &Record<R>| record.moves().iter().map(|one| one.mv()).collect();
            let (again, played): (Vec<_>, Vec<_>) = (moves(&read), moves(&record));
            assert_eq!((again, read.first_number), (played, number as u32), "{text}");
            let text = json::write_in(&record, dialect);
            assert_eq!(json::parse::<R>(&text).as_ref(), Ok(&record), "{text}");
        }
    }
}

#[test]
fn written_games_are_read_back_in_both_dialects() {
    let mut random = Random::new(15);
    games_are_read_back::<Minishogi>(&mut random, 10);
    games_are_read_back::<KyotoShogi>(&mut random, 10);
    games_are_read_back::<Shogi>(&mut random, 3);
    games_are_read_back::<Shogi34>(&mut random, 10);
    games_are_read_back::<Dobutsu>(&mut random, 10);
    games_are_read_back::<MicroShogi>(&mut random, 20);
    games_are_read_back::<Judkins>(&mut random, 10);
    games_are_read_back::<Gorogoro>(&mut random, 10);
    games_are_read_back::<GorogoroPlus>(&mut random, 10);
    games_are_read_back::<ToriShogi>(&mut random, 5);
}

#[test]
fn a_piece_that_a_capture_turns_to_its_front_is_read_with_a_minus() {
    let position: Position<MicroShogi> = "1k2/2p1/2+L1/4/3K b Rr 1".parse().unwrap();
    let mv = parse_usi("2c2b-").unwrap();
    assert_eq!(parse_usi("2c2b+"), Ok(mv));
    assert_eq!(to_usi_in(mv, &position, Dialect::Fairy), "2c2b-");
    let line = "position sfen 1k2/2p1/2+L1/4/3K b Rr 1 moves 2c2b-";
    assert_eq!(line.parse::<Game<MicroShogi>>().unwrap().moves(), [mv]);
    assert_eq!(usi::parse::<MicroShogi>(line).unwrap().moves()[0].mv(), mv);
    // Where a piece that was turned stays so, there is no such move.
    assert!(parse_usi::<Minishogi>("2c2b-").is_err());
}

/// Problem collections have it, although it should be left out.
#[test]
fn a_count_of_one_in_hand_is_read() {
    let read = |hands| parse_sfen::<Minishogi>(&format!("rbsgk/5/5/P4/KG2R b {hands} 1"));
    assert_eq!(read("1Sb"), read("Sb"));
    assert!(read("Sb").is_ok());
}

#[test]
fn malformed_sfen() {
    let width = SfenReason::RankWidth { expected: 5 };
    let count = SfenReason::RankCount { expected: 5 };
    let held = |most| SfenReason::HandCount { most };
    let missing = SfenReason::Missing;
    let board = "rbsgk/4p/5/P4/KGSBR";
    let cases = [
        ("", 0, width),
        ("rbsg/4p/5/P4/KGSBR b - 1", 4, width),
        ("rbsgkp/4p/5/P4/KGSBR b - 1", 5, width),
        ("rbsgk/4p/5/P4/KGSB b - 1", 18, width),
        ("6/4p/5/P4/KGSBR b - 1", 0, width),
        ("r5/4p/5/P4/KGSBR b - 1", 1, width),
        ("0rbsgk/4p/5/P4/KGSBR b - 1", 0, width),
        ("99999999999/4p/5/P4/KGSBR b - 1", 0, width),
        ("rbsgk", 5, count),
        ("rbsgk/4p/5/P4 b - 1", 13, count),
        ("rbsgk/4p/5/P4/KGSBR/5 b - 1", 19, count),
        ("rbsgx/4p/5/P4/KGSBR b - 1", 4, SfenReason::UnknownPiece('x')),
        ("rbsgk/4\u{6b69}/5/P4/KGSBR b - 1", 7, SfenReason::UnknownPiece('\u{6b69}')),
        ("rbs++k/4p/5/P4/KGSBR b - 1", 4, SfenReason::UnknownPiece('+')),
        ("rbsgk/4+/5/P4/KGSBR b - 1", 8, SfenReason::UnknownPiece('/')),
        ("rbs+gk/4p/5/P4/KGSBR b - 1", 3, SfenReason::CannotPromote),
        ("rbsg+k/4p/5/P4/KGSBR b - 1", 4, SfenReason::CannotPromote),
        ("rbsg+", 5, missing("a piece")),
        (board, 19, missing("the side to move")),
        (&format!("{board} "), 20, missing("the side to move")),
        (&format!("{board} x - 1"), 20, SfenReason::SideToMove),
        (&format!("{board} B - 1"), 20, SfenReason::SideToMove),
        (&format!("{board} b"), 21, missing("the hands")),
        (&format!("{board} b "), 22, missing("the hands")),
        (&format!("{board} bb - 1"), 21, missing("the hands")),
        (&format!("{board} b -P 1"), 23, SfenReason::UnknownPiece('P')),
        (&format!("{board} b X 1"), 22, SfenReason::UnknownPiece('X')),
        (&format!("{board} b +P 1"), 22, SfenReason::UnknownPiece('+')),
        (&format!("{board} b 01P 1"), 22, held(31)),
        (&format!("{board} b 32P 1"), 22, held(31)),
        (&format!("{board} b P16S 1"), 23, held(15)),
        (&format!("{board} b 2"), 22, held(31)),
        (&format!("{board} b 0P 1"), 22, held(31)),
        (&format!("{board} b 02P 1"), 22, held(31)),
        (&format!("{board} b 2 1"), 22, held(31)),
        (&format!("{board} b PK 1"), 23, SfenReason::KingInHand),
        (&format!("{board} b Pk 1"), 23, SfenReason::KingInHand),
        (&format!("{board} b PpSP 1"), 25, SfenReason::HandTwice),
        (&format!("{board} b P2P 1"), 23, SfenReason::HandTwice),
        (&format!("{board} b - x"), 24, SfenReason::MoveNumber),
        (&format!("{board} b - 0"), 24, SfenReason::MoveNumber),
        (&format!("{board} b - 1x"), 25, SfenReason::MoveNumber),
        (&format!("{board} b - 1 2"), 25, SfenReason::Trailing),
    ];
    for (text, position, reason) in cases {
        let error = parse_sfen::<Minishogi>(text).unwrap_err();
        assert_eq!((error.position, error.reason), (position, reason), "{text:?}");
    }
}

#[test]
fn malformed_usi() {
    let square = UsiReason::Square { files: 5, last_rank: 'e' };
    let cases = [
        ("", 0, square),
        ("6e5e", 0, square),
        ("0e5e", 0, square),
        ("\u{ff15}e5e", 0, square),
        ("resigns", 0, square),
        ("resign", 0, UsiReason::End("resign")),
        ("win", 0, UsiReason::End("win")),
        ("5", 1, square),
        ("5f5e", 1, square),
        ("55e", 1, square),
        ("5e", 2, square),
        ("5e6e", 2, square),
        ("5e5E", 3, square),
        ("5e4", 3, square),
        ("5e4e-", 4, UsiReason::Trailing),
        ("5e4e++", 5, UsiReason::Trailing),
        ("X*3c", 0, UsiReason::Drop('X')),
        ("K*3c", 0, UsiReason::Drop('K')),
        ("p*3c", 0, UsiReason::Drop('p')),
        ("**3c", 0, UsiReason::Drop('*')),
        ("P*", 2, square),
        ("P*3", 3, square),
        ("P*6c", 2, square),
        ("P*3f", 3, square),
        ("P*3c+", 4, UsiReason::Trailing),
    ];
    for (text, position, reason) in cases {
        let error = parse_usi::<Minishogi>(text).unwrap_err();
        assert_eq!((error.position, error.reason), (position, reason), "{text:?}");
    }
}
