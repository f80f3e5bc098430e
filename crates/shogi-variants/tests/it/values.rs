//! Positions, games and records as values that carry their variant.
#![cfg(all(feature = "record", feature = "serde", feature = "text"))]

use std::collections::HashSet;
use std::thread;

use shogi_variants::core::{Colour, Faults};
use shogi_variants::rules::record::Format;
use shogi_variants::rules::{Minishogi, Reason, Shogi, SmallBoard};
use shogi_variants::{
    AnyGame, AnyPosition, AnyRecord, Error, MoveError, RuleSet, Variant, Visitor,
};

/// A game of pawns and kings.
fn pawns(start: &str) -> Variant {
    let text = format!(
        "name = \"pawns\"\nstart = \"{start}\"\n[pieces]\nP = {{ front = \"pawn\", back = \"gold\" }}\n\
         K = {{ front = \"king\", royal = true }}\n"
    );
    Variant::from_text(&text).unwrap()
}

/// Games that were read as text, on small boards and on one of more than 64 squares, and built-in ones.
fn variants() -> [Variant; 6] {
    let texts =
        ["1k1/1p1/1P1/1K1 b - 1", "2k2/2p2/5/2P2/2K2 b - 1", "3k4/3p4/8/8/8/8/8/8/3P4/3K4 b - 1"];
    let [small, wide, tall] = texts.map(pawns);
    [
        small,
        Variant::Minishogi,
        wide,
        Variant::Shogi,
        tall,
        Variant::built_in_named("micro").unwrap(),
    ]
}

/// Plays the first legal move, in the order of their texts, until the game ends or has so many.
fn play_on(game: &mut AnyGame, plies: usize) {
    while game.plies() < plies && game.outcome().is_none() {
        let moves = game.legal_moves(None).moves;
        game.play(&moves[game.plies() * 7 % moves.len()]).unwrap();
    }
}

#[test]
fn games_of_several_texts_are_played_in_turns_as_each_alone() {
    let alone = variants().map(|variant| {
        let mut game = AnyPosition::start(variant).game();
        play_on(&mut game, 20);
        (game.to_string(), game.position().diagram(None).sfen, game.record())
    });
    let mut games = variants().map(|variant| AnyPosition::start(variant).game());
    for plies in 1..=20 {
        games.iter_mut().for_each(|game| play_on(game, plies));
    }
    for (game, (text, sfen, record)) in games.iter().zip(&alone) {
        assert_eq!(game.to_string(), *text);
        assert_eq!(game.position().to_sfen(None), *sfen);
        assert_eq!(game.record(), *record);
        // What a game has is legal by its own rules.
        let mut again = AnyGame::read(game.variant(), text).unwrap();
        assert_eq!(again, *game);
        while again.undo() {}
        assert_eq!(again.position(), game.start());
    }
}

#[test]
fn values_are_used_on_threads_that_know_no_rules() {
    for variant in variants() {
        let start = AnyPosition::start(variant);
        let here: Vec<_> =
            start.legal_moves(None).iter().map(|mv| start.play(mv).unwrap()).collect();
        let there = thread::scope(|scope| {
            let work = || {
                let moves = start.legal_moves(None);
                moves.iter().map(|mv| start.play(mv).unwrap()).collect::<Vec<_>>()
            };
            scope.spawn(work).join().unwrap()
        });
        assert!(here == there && here.len() > 3);
        assert_eq!(here.iter().collect::<HashSet<_>>().len(), here.len());
        let moved = thread::spawn(move || (start.unmoves().len(), start.to_string())).join();
        assert_eq!(moved.unwrap().1, AnyPosition::start(variant).to_string());
    }
}

#[test]
fn a_position_of_one_variant_is_never_that_of_another() {
    let text = "1k1/1p1/1P1/1K1 b - 1";
    let other = Variant::from_text(&pawns(text).to_text().unwrap().replace("gold", "silver"));
    let [one, other] = [pawns(text), other.unwrap()].map(AnyPosition::start);
    assert_eq!(one.to_string(), other.to_string());
    assert_ne!(one, other);
    assert!(AnyPosition::start(Variant::Minishogi).typed::<Minishogi>().is_some());
    assert!(AnyPosition::start(Variant::Minishogi).typed::<Shogi>().is_none());
}

#[test]
fn a_typed_position_of_a_text_is_had_only_where_its_rules_are_in_use() {
    struct Side<'a>(&'a AnyPosition);
    impl Visitor for Side<'_> {
        type Output = Option<Colour>;
        fn visit<R: RuleSet>(self) -> Option<Colour> {
            Some(self.0.typed::<R>()?.side())
        }
    }
    let [small, _, wide, ..] = variants();
    let start = AnyPosition::start(small);
    assert!(start.typed::<SmallBoard>().is_none());
    assert_eq!(small.visit(Side(&start)), Some(Colour::Sente));
    assert_eq!(wide.visit(Side(&start)), None);
}

#[test]
fn equal_positions_may_have_different_numbers() {
    let read = |text| AnyPosition::read(Variant::Minishogi, text).unwrap();
    let (one, seven) = (read("startpos"), read("rbsgk/4p/5/P4/KGSBR b - 7"));
    assert_eq!(one, seven);
    assert_eq!(seven.play("5d5c").unwrap().move_number(), 8);
    assert_eq!(seven.game().position().to_sfen(None), "rbsgk/4p/5/P4/KGSBR b - 7");
    assert_eq!(one.numbered(7).to_string(), seven.to_string());
}

#[test]
fn moves_that_cannot_be_played_are_typed_errors_and_change_nothing() {
    let start = AnyPosition::start(Variant::Minishogi);
    assert!(matches!(start.play("5x5c"), Err(MoveError::Notation(error)) if error.position == 1));
    assert!(matches!(start.play("5d5b"), Err(MoveError::Illegal(_))));
    let mut game = start.game();
    assert!(game.play("5d5b").is_err() && game.play("").is_err() && game.plies() == 0);
    game.resign(Colour::Sente).unwrap();
    let error = game.play("5d5c").unwrap_err();
    assert_eq!(error.to_string(), "the game is over: Gote wins (resignation)");
    let mated = AnyPosition::read(Variant::Minishogi, "4k/4G/4P/5/K4 w - 1").unwrap();
    let error = mated.play("1a2a").unwrap_err();
    assert_eq!(error.to_string(), "the game is over: Sente wins (checkmate)");
    assert!(mated.legal_moves(None).is_empty() && mated.outcome().is_some());
}

#[test]
fn a_king_may_be_missing_only_where_that_is_allowed() {
    let (variant, text) = (Variant::Minishogi, "4k/5/4G/5/5 b G 1");
    let error = AnyPosition::read(variant, text).unwrap_err();
    assert!(matches!(error, Error::Invalid { faults: Faults::NO_SENTE_KING, .. }));
    let problem = AnyPosition::read_allowing(variant, text, Faults::MISSING_KING).unwrap();
    assert!(problem.play("G*1b").unwrap().outcome().is_some());
    assert_eq!(problem.mirror().unwrap().mirror().unwrap(), problem);
}

/// A value written as JSON and read again.
fn again<T: serde::Serialize + serde::de::DeserializeOwned>(value: &T) -> T {
    serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
}

#[test]
fn values_of_all_variants_are_the_same_when_written_and_read_as_data() {
    for variant in variants() {
        assert_eq!(again(&variant), variant);
        let mut game = AnyPosition::start(variant).numbered(5).game();
        play_on(&mut game, 9);
        let position = game.position();
        assert_eq!(again(&position), position);
        assert_eq!(again(&position).move_number(), position.move_number());
        assert_eq!(again(&game), game);
        let mut record = game.record();
        record.set_header("先手", "Ada");
        record.set_header("先手", "Bob");
        assert_eq!(again(&record), record);
        assert_eq!(record.headers(), [("先手".to_owned(), "Bob".to_owned())]);
    }
}

#[test]
fn what_has_ended_a_game_off_the_board_is_kept_in_its_data() {
    let game = || AnyGame::read(Variant::Shogi, "startpos moves 7g7f 3c3d").unwrap();
    let (mut resigned, mut declared, mut illegal) = (game(), game(), game());
    resigned.resign(Colour::Gote).unwrap();
    declared.declare().unwrap();
    illegal.play_as_ruled("7f7d").unwrap();
    let mut agreed = AnyGame::read(Variant::Shogi, "startpos").unwrap();
    agreed.agree_impasse().unwrap();
    for game in [resigned, declared, illegal, agreed] {
        assert_eq!(again(&game), game);
        assert_eq!(again(&game).outcome(), game.outcome());
    }
    // One that goes on after a repetition.
    let rounds = "2h3h 8b7b 3h2h 7b8b ".repeat(3);
    let mut game = AnyGame::read(Variant::Shogi, &format!("startpos moves {rounds}")).unwrap();
    assert_eq!(game.outcome().unwrap().reason, Reason::Repetition);
    assert!(game.play_on() && game.play("2g2f").unwrap().is_none());
    assert_eq!(again(&game), game);
}

#[test]
fn data_that_is_no_value_is_refused_with_the_reason() {
    let refused = |json: &str| serde_json::from_str::<AnyGame>(json).unwrap_err().to_string();
    let start = r#"{"variant":"minishogi","sfen":"startpos"}"#;
    let error = refused(&format!(r#"{{"start":{start},"moves":["5d5c","5d5c"]}}"#));
    assert!(error.starts_with("move 2, \"5d5c\": illegal move"), "{error}");
    let error = refused(r#"{"start":{"variant":"chess","sfen":"startpos"},"moves":[]}"#);
    assert!(error.starts_with("\"chess\" is no variant"), "{error}");
    let over = format!(r#"{{"start":{start},"moves":[],"end":"agreement"}}"#);
    assert!(serde_json::from_str::<AnyGame>(&over).is_err());
    let record = r#"{"variant":"minishogi","record":"{}"}"#;
    assert!(serde_json::from_str::<AnyRecord>(record).is_err());
}

#[test]
fn records_of_texts_are_read_and_written_in_turns() {
    let variants = variants();
    let mut records = variants.map(|variant| {
        let mut game = AnyPosition::start(variant).game();
        play_on(&mut game, 6);
        game.record()
    });
    for format in [Format::Kif, Format::Usi, Format::Json] {
        let texts = records.each_ref().map(|record| record.write(format, None));
        for (record, text) in records.iter().zip(texts) {
            // KIF has no squares for ten ranks.
            let Ok(text) = text else {
                assert_eq!(
                    (format, record.start()),
                    (Format::Kif, AnyPosition::start(variants[4]))
                );
                continue;
            };
            let read = AnyRecord::read(record.variant(), &text, format).unwrap();
            assert!(read.notices.is_empty(), "{:?}", read.notices);
            assert_eq!(read.records[0].moves(None), record.moves(None));
            assert_eq!(read.records[0].lines(None)[0].moves, record.moves(None));
            assert_eq!(read.records[0].game().unwrap(), record.game().unwrap());
        }
    }
    let [small, _, wide, ..] = &mut records;
    let next = wide.game().unwrap().legal_moves(None).moves.swap_remove(0);
    assert!(small.push("4d4c").is_err() && wide.push("9i9h").is_err());
    wide.push(&next).unwrap();
    assert_eq!((small.plies(), wide.plies()), (6, 7));
}
