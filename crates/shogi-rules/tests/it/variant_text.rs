//! Variants as text: what is read, what is refused and why, and that nothing makes the reader panic.

use std::fs;
use std::path::Path;

use shogi_records::{ki2, kif, usi};
use shogi_rules::shogi_core::{Dialect, Drops, Promotion};
use shogi_rules::text::{BUILT_IN, Definition, TextVariant};
use shogi_rules::{
    Dobutsu, Gorogoro, GorogoroPlus, Judkins, KyotoShogi, MicroShogi, Minishogi, RepetitionRule,
    Rules, Shogi, Shogi34, SmallBoard, Stalemate, ToriShogi, parse_position, parse_usi, rules_hash,
    to_sfen, to_usi,
};
use testing::random::Random;

/// A small game with a key of each table.
const GAME: &str = r#"name = "mygame"
title = "My game"
start = "kg1r/p3/4/3P/R1GK b - 1"
promotion.when = "optional"
promotion.zone = 1
[pieces]
P = { front = "pawn", back = "gold" }
G = { front = "gold" }
R = { front = "rook up", back = "dragon", count = 4 }
K = { front = "king", royal = true }
[drops]
pawns_on_a_file = 1
[repetition]
times = 4
result = "draw"
"#;

fn game() -> String {
    GAME.replace("rook up", "rook")
}

/// The texts of all games that come with the project.
fn texts() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut texts = Vec::new();
    for folder in ["variants", "crates/shogi-rules/src/text/games"] {
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "toml") {
                texts.push(fs::read_to_string(path).unwrap());
            }
        }
    }
    assert!(texts.len() >= 8, "{}", texts.len());
    texts.push(Definition::of::<Dobutsu>("Dobutsu shogi").unwrap().to_string());
    texts
}

/// All faults of a text, one a line.
fn faults(text: &str) -> String {
    Definition::parse(text).map(|found| panic!("{found}")).unwrap_err().to_string()
}

#[test]
fn missing_rules_default_to_standard_shogi() {
    let text = "name = \"plain\"\nstart = \"1k1/3/1K1 b - 1\"\n[pieces]\nK = { front = \"king\", royal = true }\n";
    let plain = Definition::parse(text).unwrap();
    let (rules, table) = (&plain.rules, &plain.rules.table);
    assert_eq!((plain.title.as_str(), table.width, table.height), ("plain", 3, 3));
    assert_eq!((table.promotion, table.zone), (Promotion::Optional, 3));
    assert_eq!((table.pawns_on_a_file, table.kinds[0].count), (Some(1), 2));
    assert_eq!((table.goal, table.dialect), (None, Dialect::Lishogi));
    assert!(!table.allows_drop_pawn_mate && !table.allows_immobile && !table.allows_immobile_drops);
    assert_eq!(rules.repetition, RepetitionRule::SENNICHITE);
    assert_eq!((rules.stalemate, rules.impasse), (Stalemate::Loss, None));
}

#[test]
fn every_text_of_the_project_is_read_and_written_again() {
    for text in texts() {
        let definition = Definition::parse(&text).unwrap_or_else(|error| panic!("{text}\n{error}"));
        let written = definition.to_string();
        assert_eq!(Definition::parse(&written).unwrap(), definition, "{written}");
    }
}

#[test]
fn pieces_that_are_dropped_by_rules_of_their_own_are_read_and_written_again() {
    let text = game().replace(
        r#"R = { front = "rook", back = "dragon", count = 4 }"#,
        r#"R = { front = "rook", back = "dragon", drops = "either" }
S = { front = "silver", back = "gold", count = 2, drops = "back" }"#,
    );
    let found = Definition::parse(&text).unwrap();
    let dropped: Vec<_> = found.rules.table.kinds.iter().map(|kind| kind.drops).collect();
    assert_eq!(dropped[2..4], [Drops::Either, Drops::Back]);
    assert_eq!(Definition::parse(&found.to_string()).unwrap(), found);
}

/// The rules of a compiled rule set, written as a text and read, and those of a text of the project.
fn as_text<R: Rules>(title: &str) -> Definition {
    let compiled = Definition::of::<R>(title).unwrap();
    let read = Definition::parse(&compiled.to_string())
        .unwrap_or_else(|error| panic!("{compiled}{error}"));
    assert_eq!(read, compiled, "{compiled}");
    read
}

#[test]
fn a_royal_piece_that_may_be_captured_is_read_and_written_again() {
    let text = game().replace("[drops]", "[moves]\ninto_check = \"legal\"\n[drops]");
    let text = text.replace("pawns_on_a_file = 1", "pawn_mate = \"legal\"");
    for (goal, expected) in [("", 0), ("goal = 0\n", 0), ("goal = 2\n", 2)] {
        let found = Definition::parse(&(goal.to_owned() + &text)).unwrap();
        assert_eq!(found.rules.table.goal, Some(expected));
        assert_eq!(Definition::parse(&found.to_string()).unwrap(), found);
        let words = found.in_words();
        assert!(words.contains("who captures it has won"), "{words}");
        assert_eq!(words.contains("on the last 2 ranks and is not attacked"), expected == 2);
    }
    // The opponent's king may stand in attack at the start.
    let open = text.replace("kg1r/p3/4/3P/R1GK", "k2r/4/4/3P/R1GK");
    assert!(Definition::parse(&open).is_ok());
}

#[test]
fn rules_beyond_movements_are_read_and_written_again_and_are_part_of_the_name_of_the_rules() {
    let hash =
        |text: &str| TextVariant::load(text).unwrap().rules().within(rules_hash::<SmallBoard>);
    let plain = game();
    let mut hashes = vec![hash(&plain)];
    for (key, from, to) in [
        ("captures", "\"gold\" }", "\"gold\", captures = \"step FL FR\" }"),
        ("back_captures", "\"gold\" }", "\"gold\", back_captures = \"none\" }"),
        ("region", "\"gold\" }\nR", "\"gold\", region = \"*d *e 1c\" }\nR"),
        ("drop_region", "\"gold\" }\nR", "\"gold\", drop_region = \"*d *e 4*\" }\nR"),
        ("front = \"none\"", "\"gold\" }\nR", "\"none\" }\nR"),
        ("goal = 2", "[pieces]", "goal = 2\n[pieces]"),
        ("facing_kings", "[drops]", "[moves]\nfacing_kings = \"illegal\"\n[drops]"),
        ("captures = \"forced\"", "[drops]", "[moves]\ncaptures = \"forced\"\n[drops]"),
    ] {
        // A pawn that captures aside leaves its file.
        let text =
            plain.replacen(from, to, 1).replace("pawns_on_a_file = 1", "pawns_on_a_file = \"any\"");
        let found = Definition::parse(&text).unwrap_or_else(|error| panic!("{text}{error}"));
        let written = found.to_string();
        assert!(written.contains(key), "{written}");
        assert_eq!(Definition::parse(&written).unwrap(), found, "{written}");
        assert_ne!(
            found.in_words() + &found.movements(),
            Definition::parse(&plain).unwrap().in_words()
        );
        hashes.push(hash(&text));
    }
    // What changes nothing is not written.
    let same = plain.replacen("\"gold\" }", "\"gold\", captures = \"pawn\" }", 1);
    assert_eq!(hash(&same), hashes[0]);
    let distinct: std::collections::HashSet<_> = hashes.iter().collect();
    assert_eq!(distinct.len(), hashes.len());
}

#[test]
fn a_second_letter_for_a_front_is_read_and_written_again() {
    let text = game().replace("\"rook\",", "\"rook\", front_letter = \"S\",");
    for (dialect, first) in [("", "kg1s/p3"), ("dialect = \"fairy\"\n", "kg1r/p3")] {
        let variant = TextVariant::load(&(dialect.to_owned() + &text)).unwrap();
        assert_eq!(
            &Definition::parse(&variant.definition().to_string()).unwrap(),
            variant.definition()
        );
        variant.rules().within(|| {
            assert!(to_sfen(&SmallBoard::start()).starts_with(first));
            let read = |sfen| parse_position::<SmallBoard>(sfen).unwrap();
            assert_eq!(read("kg1s/p3/4/3P/S1GK b - 1"), SmallBoard::start());
        });
    }
}

#[test]
fn compiled_rule_sets_are_written_as_texts() {
    as_text::<Minishogi>("Minishogi");
    as_text::<KyotoShogi>("Kyoto shogi");
    as_text::<Shogi>("Standard shogi");
    as_text::<Shogi34>("3x4 shogi");
    as_text::<Dobutsu>("Dobutsu shogi");
    let texts: Vec<_> = BUILT_IN.iter().map(|game| Definition::parse(game.text).unwrap()).collect();
    assert_eq!(as_text::<Gorogoro>(&texts[0].title).rules, texts[0].rules);
    assert_eq!(as_text::<GorogoroPlus>(&texts[1].title).rules, texts[1].rules);
    assert_eq!(as_text::<Judkins>(&texts[2].title).rules, texts[2].rules);
    assert_eq!(as_text::<MicroShogi>(&texts[3].title).rules, texts[3].rules);
    assert_eq!(as_text::<ToriShogi>(&texts[4].title).rules, texts[4].rules);
}

/// Changes of a good text, with the line, the key and words of the answer.
const REFUSED: &[(&str, &str, &str)] = &[
    (
        "promotion.zone",
        "promotion.zonne",
        "line 5, promotion.zonne: there is no such key; did you mean \"zone\"?",
    ),
    ("[drops]", "[drop]", "line 11, drop: there is no such key; did you mean \"drops\"?"),
    (
        "back = \"dragon\"",
        "bakc = \"dragon\"",
        "line 9, pieces.R.bakc: there is no such key; did you mean \"back\"?",
    ),
    (
        "times = 4",
        "repetitions = 4",
        "line 14, repetition.repetitions: there is no such key, write \"times\", \"result\" or \"perpetual_check\"",
    ),
    ("name = \"mygame\"\n", "", "name: the key is missing; write name = \"mygame\""),
    ("\"mygame\"", "\"My game\"", "line 1, name: a name has 1 to 32 letters"),
    ("title = \"My game\"", "title = \"\"", "line 2, title: the text must have 1 to 60 characters"),
    (
        "title = \"My game\"",
        "title = 3",
        "line 2, title: the value must be a text in quotes, not integer",
    ),
    ("kg1r/p3", "kg1r/p4", "line 3, start: rank 2 (\"p4\") has 5 squares; the first has 4"),
    ("kg1r/p3", "xg1r/p3", "line 3, start: no piece has the letter 'x'"),
    ("kg1r/p3", "k+g1r/p3", "line 3, start: +g: this piece has no back"),
    ("kg1r/p3/4/3P/R1GK", "kg1r/R1GK", "line 3, start: the board has 4 files and 2 ranks"),
    ("kg1r/p3/4/3P/R1GK", "99/99/99", "line 3, start: the board has 99 files and 2 ranks"),
    ("b - 1\"", "x - 1\"", "line 3, start: write b (Sente) or w (Gote)"),
    ("b - 1\"", "b\"", "line 3, start: write the pieces in hand"),
    ("b - 1\"", "b K 1\"", "line 3, start: K is royal and cannot be in hand"),
    ("b - 1\"", "b PP 1\"", "line 3, start: P is in the hands twice"),
    ("b - 1\"", "b - 7\"", "line 3, start: the move number must be 1"),
    (
        "kg1r/p3/4/3P",
        "kg1r/p3/3P/3P",
        "line 3, start: Sente has 2 pawns on file 1 at the start; 1 may be there",
    ),
    ("kg1r/p3", "kgPr/p3", "line 3, start: the P on 2a can never move"),
    ("kg1r/p3/4/3P/R1GK", "k2r/4/4/3P/R1GK", "line 3, start: Gote is in check at the start"),
    (
        "kg1r/p3",
        "1g1r/p3",
        "line 3, start: each player must have one K on the board at the start; Sente has 1, Gote 0",
    ),
    ("kg1r/p3", "kgkr/p3", "Sente has 1, Gote 2"),
    ("P = {", "PP = {", "line 7, pieces.PP: a piece has one letter A to Z"),
    (
        "G = { front = \"gold\" }",
        "G = { front = \"golf\" }",
        "line 8, pieces.G.front: \"golf\" means nothing here; did you mean \"gold\"?",
    ),
    (
        "G = { front = \"gold\" }",
        "G = { front = \"step F FF\" }",
        "line 8, pieces.G.front: \"FF\" is no direction",
    ),
    (
        "G = { front = \"gold\" }",
        "G = { front = \"jump F99\" }",
        "line 8, pieces.G.front: \"F99\" is no jump",
    ),
    ("G = { front = \"gold\" }", "G = { }", "line 8, pieces.G: the key is missing; write front"),
    (
        "G = { front = \"gold\" }",
        "G = \"gold\"",
        "line 8, pieces.G: the value must be a table, not string",
    ),
    (
        "G = { front = \"gold\" }",
        "G = { front = \"gold\", back_name = \"x\" }",
        "line 8, pieces.G.back_name: the key is missing",
    ),
    (
        "G = { front = \"gold\" }",
        "G = { front = \"gold\" }\nG = { front = \"king\" }",
        "line 9, pieces.G: duplicate key",
    ),
    (
        "G = { front = \"gold\" }",
        "G = { front = \"gold\", royal = true }",
        "line 6, pieces: one kind of piece must be royal, and 2 are",
    ),
    ("royal = true", "royal = false", "line 6, pieces: one kind of piece must be royal, and 0 are"),
    (
        "royal = true",
        "royal = 1",
        "line 10, pieces.K.royal: the value must be true or false, not integer",
    ),
    (
        "royal = true",
        "royal = true, back = \"gold\"",
        "line 10, pieces.K.back: a royal piece has no back",
    ),
    ("count = 4", "count = 1", "line 9, pieces.R: the start has 2 of these pieces"),
    (
        "count = 4",
        "count = 16",
        "line 9, pieces.R: there are 16 of these pieces; a hand holds 15 of them, and 31 of the piece that is listed first",
    ),
    (
        "count = 4",
        "back_letter = \"G\"",
        "line 9, pieces.R.back_letter: the letter G already stands for another piece",
    ),
    (
        "count = 4",
        "kanji = \"左車\", back_kanji = \"左車\"",
        "line 9, pieces.R.back_kanji: 左車 already stands for another face",
    ),
    ("zone = 1", "zone = 6", "line 5, promotion.zone: the zone has 6 ranks; the board has 5"),
    ("zone = 1", "zone = -1", "line 5, promotion.zone: the number must be 0 to 15"),
    (
        "zone = 1",
        "zone = 99999999999999999999",
        "line 5, promotion.zone: the number must be 0 to 15",
    ),
    (
        "\"optional\"",
        "\"sometimes\"",
        "line 4, promotion.when: \"sometimes\" means nothing here, write \"optional\", \"forced\", \"every move\", \"capture\" or \"never\"",
    ),
    ("\"optional\"", "\"every move\"", "line 12, drops.pawns_on_a_file: pieces that turn over"),
    (
        "pawns_on_a_file = 1\n",
        "pawns_on_a_file = \"twelve\"\n",
        "line 12, drops.pawns_on_a_file: \"twelve\" means nothing here, write \"any\"",
    ),
    (
        "\"draw\"",
        "\"gote win\"",
        "line 15, repetition.result: \"gote win\" means nothing here; did you mean \"gote wins\"?",
    ),
    ("times = 4", "times = 1", "line 14, repetition.times: the number must be 2 to 100"),
    ("[repetition]", "[repetition", "line 13, the text: "),
    (
        "zone = 1",
        "zone = 1\nmoves.into_check = \"legal\"\nmoves.facing_kings = \"illegal\"",
        "line 7, moves.facing_kings: kings that may be left in attack may face each other; write into_check = \"illegal\", or facing_kings = \"legal\"",
    ),
    (
        "zone = 1",
        "zone = 1\nmoves.captures = \"must\"",
        "line 6, moves.captures: \"must\" means nothing here, write \"optional\" or \"forced\"",
    ),
    (
        "\"gold\" }\nR",
        "\"gold\", region = \"*a 9z\" }\nR",
        "line 8, pieces.G.region: \"9z\" is no square of the board; write squares such as 5e, ranks such as *a and files such as 5*",
    ),
    (
        "\"gold\" }\nR",
        "\"gold\", drop_region = \" \" }\nR",
        "line 8, pieces.G.drop_region: a region needs a square, such as 5e, or a rank, such as *a",
    ),
    (
        "\"gold\" }\nR",
        "\"gold\", region = \"*a\" }\nR",
        "line 3, start: the G stands on 2e at the start, which is outside its region",
    ),
    (
        "\"gold\" }\nR",
        "\"gold\", back_captures = \"king\" }\nR",
        "line 8, pieces.G.back_captures: the key is missing; write the back that it belongs to: back = \"gold\", or another movement",
    ),
    (
        "royal = true",
        "royal = true, drop_region = \"*e\"",
        "line 10, pieces.K.drop_region: a royal piece is never dropped",
    ),
    (
        "zone = 1",
        "zone = 1\ngoal = 6\nmoves.into_check = \"legal\"",
        "line 6, goal: the goal has 6 ranks; the board has 5",
    ),
    (
        "zone = 1",
        "zone = 1\nmoves.into_check = \"legal\"",
        "line 6, moves.into_check: where moves into check are legal there is no mate to forbid; write pawn_mate = \"legal\" in [drops]",
    ),
    (
        "zone = 1",
        "zone = 1\nmoves.in_check = \"legal\"",
        "line 6, moves.in_check: there is no such key; did you mean \"into_check\"?",
    ),
    (
        "zone = 1",
        "zone = 1\nmoves.into_check = \"maybe\"",
        "line 6, moves.into_check: \"maybe\" means nothing here, write \"illegal\" or \"legal\"",
    ),
    (
        "zone = 1",
        "zone = 1\ndialect = \"fairi\"",
        "line 6, dialect: \"fairi\" means nothing here; did you mean \"fairy\"?",
    ),
    (
        "count = 4",
        "front_letter = \"G\"",
        "line 9, pieces.R.front_letter: the letter G already stands for another piece",
    ),
    (
        "count = 4",
        "front_letter = \"S\", back_letter = \"S\"",
        "line 9, pieces.R.back_letter: the letter S already stands for another piece",
    ),
];

#[test]
fn faults_are_named_with_line_key_and_a_fix() {
    Definition::parse(&game()).unwrap();
    for (right, wrong, expected) in REFUSED {
        let changed = game().replacen(right, wrong, 1);
        assert_ne!(changed, game(), "{right}");
        let found = faults(&changed);
        assert!(found.contains(expected), "{wrong}\nexpected {expected}\nfound    {found}");
    }
}

#[test]
fn all_faults_are_reported_at_once_in_the_order_of_the_text() {
    let text = game().replace("zone = 1", "zonne = 1").replace("times = 4", "times = 0");
    let found = faults(&text.replace("\"My game\"", "5"));
    let lines: Vec<_> = found.lines().map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!(lines, ["line 2", "line 5", "line 14"]);
}

#[test]
fn a_ninth_kind_and_a_large_text_are_refused() {
    let more: String =
        "ABCDE".chars().map(|letter| format!("{letter} = {{ front = \"gold\" }}\n")).collect();
    let text = game().replace("[drops]", &(more + "[drops]"));
    assert!(faults(&text).contains("line 15, pieces.E: a variant has at most 8 kinds"));
    let large = game() + &"#".repeat(1 << 16);
    assert!(faults(&large).contains("a variant has 65536 at most"));
}

/// Changes a text here and there: bytes, whole lines, words of other places.
fn mutate(random: &mut Random, text: &str) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for _ in 0..1 + random.below(4) {
        let at = random.below(text.len());
        let length = 1 + random.below(12);
        let end = (at + length).min(text.len());
        match random.below(5) {
            0 => drop(text.drain(at..end)),
            1 => {
                text[at] = random
                    .pick(&['"', '=', '{', '}', '[', ']', '+', '9', 'K', '\n', '\0', 'ü', '.'])
            }
            2 => {
                let part = text[at..end].to_vec();
                let to = random.below(text.len());
                text.splice(to..to, part);
            }
            3 => text.swap(at, end - 1),
            _ => {
                let number = random.pick(&["-1", "0", "128", "9999999999999999999999"]);
                text.splice(at..at, number.chars());
            }
        }
        if text.is_empty() {
            text.push(' ');
        }
    }
    text.into_iter().collect()
}

/// Every mutated text is read, or refused with a line and a reason; what is read is written and read again.
fn survive(rounds: usize) {
    let texts = texts();
    let mut random = Random::new(1);
    let (mut read, mut refused) = (0, 0);
    for _ in 0..rounds {
        let picked = random.below(texts.len());
        let text = mutate(&mut random, &texts[picked]);
        match Definition::parse(&text) {
            Ok(definition) => {
                assert_eq!(
                    Definition::parse(&definition.to_string()).as_ref(),
                    Ok(&definition),
                    "{text}"
                );
                read += 1;
            }
            Err(error) => {
                let lines = text.lines().count().max(1) + 1;
                assert!(!error.0.is_empty(), "{text}");
                for fault in &error.0 {
                    assert!((1..=lines).contains(&fault.line), "{fault}\n{text}");
                    assert!(
                        !fault.reason.to_string().is_empty() && !fault.key.is_empty(),
                        "{text}"
                    );
                }
                refused += 1;
            }
        }
    }
    assert!(read > rounds / 50 && refused > rounds / 2, "{read} read, {refused} refused");
}

#[test]
fn mutated_texts_are_read_or_refused_with_a_reason() {
    survive(2_000);
}

#[test]
#[ignore = "long, see docs/contributing.md"]
fn mutated_texts_are_read_or_refused_with_a_reason_at_length() {
    survive(100_000);
}

#[test]
fn records_distinguish_pieces_whose_kanji_end_alike() {
    let tori = BUILT_IN.iter().find(|game| game.name == "torishogi").unwrap();
    TextVariant::load(tori.text).unwrap().rules().within(|| {
        let game =
            "position sfen rpckcpl/3f3/s1sssss/2s1S2/SSSSSSS/3F3/LPCKCPR b s 1 moves 1g1f 7a7b";
        let record = usi::parse::<SmallBoard>(game).unwrap();
        let kif = kif::write(&record).unwrap();
        let ki2 = ki2::write(&record).unwrap();
        for (text, read) in [(&kif, kif::parse(&kif)), (&ki2, ki2::parse(&ki2))] {
            // The quails of the picture are one character each.
            assert!(text.contains("右鶉") && text.contains("|v右v雉"), "{text}");
            assert_eq!(usi::write::<SmallBoard>(&read.unwrap()), game, "{text}");
        }
    });
}

/// A piece without kanji is written as its letter, and read as that.
#[test]
fn records_of_pieces_without_kanji_are_read_back() {
    let text = r#"
        name = "letters"
        start = "r1k1r/p3p/5/P3P/R1K1R b - 1"
        promotion.zone = 1
        [pieces]
        P = { front = "pawn", back = "gold", back_letter = "T" }
        R = { front = "rook", back = "dragon", kanji = "飛" }
        K = { front = "king", royal = true }
    "#;
    TextVariant::load(text).unwrap().rules().within(|| {
        let game = "position sfen 2k2/5/T2p1/1+R3/P1K2 b Rp 1 moves 4d4c 3a2a R*1d 2a3a 1d1a+";
        let record = usi::parse::<SmallBoard>(game).unwrap();
        let kif = kif::write(&record).unwrap();
        let ki2 = ki2::write(&record).unwrap();
        assert!(kif.contains("| ・ r ・ ・ ・|四") && kif.contains("先手の持駒：飛"), "{kif}");
        for (text, read) in [(&kif, kif::parse(&kif)), (&ki2, ki2::parse(&ki2))] {
            assert!(text.contains("４三+R") && text.contains("１一飛成"), "{text}");
            assert_eq!(read.unwrap(), record, "{text}");
        }
    });
}

/// A file of two digits is read as it is written, and formats with one digit for a file or a rank have no such board.
#[test]
fn squares_of_wide_boards_are_read_as_they_are_written() {
    let text = r#"
        name = "wide"
        start = "kr13g/16/G13RK b Gg 1"
        promotion.zone = 1
        [pieces]
        G = { front = "gold" }
        R = { front = "rook", back = "dragon" }
        K = { front = "king", royal = true }
    "#;
    TextVariant::load(text).unwrap().rules().within(|| {
        let start = parse_position::<SmallBoard>(SmallBoard::start_sfen()).unwrap();
        let moves = start.legal_moves();
        for &mv in &moves {
            assert_eq!(parse_usi(&to_usi(mv)), Ok(mv));
        }
        for word in ["G*10b", "16c15c", "16c16b", "2c11c"] {
            assert!(moves.iter().any(|&mv| to_usi(mv) == word), "{word}");
        }
        for (word, position) in [("G*17b", 2), ("G*1d", 3), ("16c16", 5), ("16c0b", 3), ("1", 1)] {
            assert_eq!(parse_usi::<SmallBoard>(word).unwrap_err().position, position, "{word}");
        }
        let record = usi::parse::<SmallBoard>("position startpos moves 16c15c G*10b").unwrap();
        assert!(kif::write(&record).is_err() && ki2::write(&record).is_err());
        assert!(kif::parse::<SmallBoard>("手合割：wide\n").is_err());
    });
}

#[test]
fn records_of_dobutsu_shogi_as_a_text_are_those_of_the_game() {
    let game = "position startpos moves 2c2b 2a2b P*2c";
    let compiled = usi::parse::<Dobutsu>(game).unwrap();
    let mut text = Definition::of::<Dobutsu>("Dobutsu shogi").unwrap();
    text.faces[3][0].kanji = Some("獅".to_owned());
    TextVariant::of(text).unwrap().rules().within(|| {
        let read = usi::parse::<SmallBoard>(game).unwrap();
        let written = kif::write(&read).unwrap();
        assert_eq!(written, kif::write(&compiled).unwrap());
        assert_eq!(kif::parse::<SmallBoard>(&written).unwrap(), read);
        assert_eq!(ki2::write(&read).unwrap(), ki2::write(&compiled).unwrap());
    });
}
