//! Variants of Fairy-Stockfish: what can be said in a text plays as the game here, and what cannot is named.
#![cfg(feature = "text")]

use shogi_rules::shogi_core::{Dialect, perft, to_usi_in};
use shogi_rules::text::{BUILT_IN, Definition, ImportError, TextVariant, import_fairy};
use shogi_rules::{KyotoShogi, LargeBoard, Minishogi, Rules, Shogi, SmallBoard, parse_position};

/// The sequences of so many moves from the start of a game read as text.
fn sequences(definition: Definition, depth: u8) -> u64 {
    let text = TextVariant::of(definition).unwrap();
    text.rules().within(|| match text.rules().is_small() {
        true => perft(SmallBoard::start().placement(), depth),
        false => perft(LargeBoard::start().placement(), depth),
    })
}

/// The text of one of the files in `variants`.
fn file(name: &str) -> Definition {
    let path = format!("{}/../../variants/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    Definition::parse(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn built_in(name: &str) -> Definition {
    let game = BUILT_IN.iter().find(|game| game.name == name).unwrap();
    Definition::parse(game.text).unwrap()
}

/// FNV-1a of 32 bits, as the tables have it of moves.
fn fnv(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Compares a position with a line of a table: its SFEN, how the game has ended, the number of moves, and their hash.
fn compare<R: Rules>(game: &str, line: &str) {
    let [sfen, end, count, hash] = line.split('\t').collect::<Vec<_>>()[..] else {
        panic!("{game}: {line}")
    };
    let position =
        parse_position::<R>(sfen).unwrap_or_else(|error| panic!("{game}: {sfen}: {error}"));
    let verdict = R::verdict(&position).map_or("-", |verdict| verdict.name());
    assert_eq!(verdict, end, "{game}: {sfen}");
    let mut moves: Vec<String> = match end {
        "-" => position
            .legal_moves()
            .iter()
            .map(|&mv| to_usi_in(mv, &position, Dialect::Fairy))
            .collect(),
        _ => Vec::new(),
    };
    moves.sort();
    let found: String = moves.iter().map(|mv| format!("{mv} ")).collect();
    let expected = (count.to_owned(), hash.to_owned());
    assert_eq!(
        (moves.len().to_string(), format!("{:08x}", fnv(&found))),
        expected,
        "{game}: {sfen}: {found}"
    );
}

fn compare_table<R: Rules>(game: &str, table: &str) -> usize {
    let mut lines = table.lines();
    let counts = lines.next().unwrap().split('\t').skip(1);
    for (depth, count) in (1..).zip(counts) {
        let found = perft(R::start().placement(), depth);
        assert_eq!(found.to_string(), count, "{game}: perft {depth}");
    }
    lines.inspect(|line| compare::<R>(game, line)).count()
}

/// The tables are written by tools/fairy_fixtures.py.
#[test]
fn imported_games_have_the_moves_and_the_ends_of_fairy_stockfish() {
    let folder = format!("{}/tests/it/data/fairy", env!("CARGO_MANIFEST_DIR"));
    let mut games = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "ini") {
            continue;
        }
        let name = path.file_stem().unwrap().to_str().unwrap();
        let ini = std::fs::read_to_string(&path).unwrap();
        let table = std::fs::read_to_string(path.with_extension("tsv")).unwrap();
        let game = import_fairy(&ini, name).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(Definition::parse(&game.to_string()), Ok(game.clone()), "{game}");
        let text = TextVariant::of(game).unwrap();
        let positions = text.rules().within(|| compare_table::<SmallBoard>(name, &table));
        assert_eq!(positions, 500, "{name}");
        games += 1;
    }
    assert!(games >= 3, "{games}");
}

/// A section without settings of its own, of a game that is known.
fn imported(base: &str) -> Definition {
    let ini = format!("[own:{base}]\n");
    import_fairy(&ini, "own").unwrap_or_else(|error| panic!("{base}: {error}"))
}

#[test]
fn the_games_that_sections_build_on_are_those_that_are_played_here() {
    let of = |definition: Result<Definition, _>| definition.unwrap();
    for (base, game, depth) in [
        ("minishogi", of(Definition::of::<Minishogi>("")), 4),
        ("shogi", of(Definition::of::<Shogi>("")), 3),
        ("kyotoshogi", of(Definition::of::<KyotoShogi>("")), 4),
        ("judkins", built_in("judkins"), 4),
        ("gorogoro", built_in("gorogoro"), 4),
        ("gorogoroplus", built_in("gorogoroplus"), 3),
        ("microshogi", built_in("micro"), 5),
        ("torishogi", built_in("torishogi"), 4),
        ("euroshogi", file("euroshogi"), 3),
        ("yarishogi", file("yarishogi"), 3),
    ] {
        let import = imported(base);
        let (own, other) = (&import.rules.table, &game.rules.table);
        assert_eq!((own.promotion, own.zone), (other.promotion, other.zone), "{base}");
        assert_eq!(own.pawns_on_a_file, other.pawns_on_a_file, "{base}");
        assert_eq!(own.allows_drop_pawn_mate, other.allows_drop_pawn_mate, "{base}");
        assert_eq!(own.allows_immobile, other.allows_immobile, "{base}");
        assert_eq!(own.allows_immobile_drops, other.allows_immobile_drops, "{base}");
        assert_eq!(import.rules.stalemate, game.rules.stalemate, "{base}");
        assert_eq!(import.rules.repetition.count, game.rules.repetition.count, "{base}");
        // A text that was written is read back.
        assert_eq!(Definition::parse(&import.to_string()), Ok(import.clone()), "{base}");
        assert_eq!(sequences(import, depth), sequences(game, depth), "{base}");
    }
}

/// A game without a base, as a file may have it.
const WHOLE: &str = "
# A remark.
[small]
variantTemplate = shogi
maxRank = 4
maxFile = c
shogiPawn = p
customPiece1 = r:W
king = k:K
gold = g
startFen = rkr/1p1/1P1/RKR[] w - - 0 1
pieceDrops = true
capturesToHand = true
promotionRegionWhite = *4
promotionRegionBlack = *1
promotedPieceType = p:g
dropNoDoubled = p
immobilityIllegal = true
stalemateValue = loss
nMoveRule = 0
castling = false
";

#[test]
fn a_game_is_read_without_a_base() {
    let small = import_fairy(WHOLE, "small").unwrap();
    let text = small.to_string();
    assert!(text.starts_with("name = \"small\"\nstart = \"rkr/1p1/1P1/RKR b - 1\"\n"), "{text}");
    assert!(text.contains("R = { front = \"step F R B L\" }"), "{text}");
    assert!(text.contains("P = { front = \"pawn\", back = \"gold\" }"), "{text}");
    assert!(text.contains("times = 3\nresult = \"draw\"\nperpetual_check = \"legal\"\n"), "{text}");
    // As pyffish 0.0.90 counts them.
    assert_eq!(sequences(small, 3), 91);
}

#[test]
fn a_section_builds_on_another_of_the_file() {
    let ini = format!(
        "{WHOLE}[tall:small]\nmaxRank = 5\nstartFen = rkr/1p1/3/1P1/RKR[] w - - 0 1\npromotionRegionWhite = *5\n"
    );
    assert_eq!(import_fairy(&ini, "tall").unwrap().rules.table.height, 5);
    let circle = "[a:b]\n[b:a]\n";
    assert_eq!(import_fairy(circle, "a"), Err(ImportError::Circle("a".into())));
    let error = import_fairy("[a:chess]\n", "a").unwrap_err().to_string();
    assert!(
        error.starts_with("the variant builds on \"chess\", which is not in the file"),
        "{error}"
    );
    let error = import_fairy(circle, "c").unwrap_err().to_string();
    assert_eq!(error, "there is no section [c]; there are a, b");
}

#[test]
fn each_setting_without_a_translation_is_named() {
    let refused = |more: &str| match import_fairy(&format!("{WHOLE}{more}"), "small") {
        Err(ImportError::Unsayable(all)) => all.iter().map(ToString::to_string).collect(),
        other => vec![format!("{other:?}")],
    };
    let one = |more: &str, expected: &str| assert_eq!(refused(more), [expected], "{more}");
    one("mustDrop = true\n", "line 22, mustDrop = true: no rule here makes a drop a duty");
    one(
        "flagPiece = g\nflagRegionWhite = *4\nflagRegionBlack = *1\n",
        "line 22, flagPiece = g: a goal here is for the king",
    );
    one(
        "flagPiece = k\nflagRegionWhite = *2\nflagRegionBlack = *1\n",
        "line 23, flagRegionWhite = *2: a goal is of whole ranks at the far side here, the same for both players",
    );
    one(
        "flagMove = true\n",
        "line 22, flagMove = true: a goal here is for the king, which wins as soon as it comes there",
    );
    one(
        "nMoveRule = 50\n",
        "line 22, nMoveRule = 50: there is no draw here after some number of moves",
    );
    one(
        "customPiece1 = r:WeF\n",
        "line 22, customPiece1 = r:WeF: no piece here captures another that passes by it",
    );
    one(
        "mobilityRegionWhiteKing = *1\n",
        "line 22, mobilityRegionWhiteKing = *1: both players have the same region here, turned by half",
    );
    one(
        "whiteDropRegion = *9\n",
        "line 22, whiteDropRegion = *9: squares are written such as e5, and ranks such as *5",
    );
    one(
        "cannon = r\n",
        "line 22, cannon = r: a slide here ends at the first piece, and no piece hops over others as it slides",
    );
    one(
        "dropNoDoubled = r\n",
        "line 22, dropNoDoubled = r: pieces on a file are limited where they move as pawns",
    );
    let regions = [
        "line 22, promotionRegionWhite = c4: the zone is of whole ranks at the far side here",
        "line 15, promotionRegionBlack = *1: both players have the same zone here",
    ];
    assert_eq!(refused("promotionRegionWhite = c4\n"), regions);
    one(
        "stalemateValue = win\n",
        "line 22, stalemateValue = win: who cannot move draws or loses here",
    );
    let without_king = [
        "line 11, startFen = rkr/1p1/1P1/RKR[] w - - 0 1: no piece has the letter 'k'",
        "king: just one kind is royal here, and each player has one of it",
    ];
    assert_eq!(refused("king = -\n"), without_king);
    one(
        "startFen = rkr/1p1/RKR[] w - - 0 1\n",
        "line 22, startFen = rkr/1p1/RKR[] w - - 0 1: the board has not 3 files and 4 ranks",
    );
    // Both are named, in the order of their names.
    assert_eq!(refused("mustDrop = true\nconnectN = 3\n").len(), 2);
    // What is off says nothing.
    assert!(import_fairy(&format!("{WHOLE}mustCapture = false\n"), "small").is_ok());
}

#[test]
fn garbage_is_refused_without_a_panic() {
    for line in [
        "maxRank = 99",
        "maxFile = ",
        "startFen = ",
        "startFen = é/k",
        "startFen = 99999999999999999999k",
        "promotedPieceType = p:z",
        "promotedPieceType = :",
        "shogiPawn = ",
        "customPiece1 = r:",
        "customPiece1 = r:R99999",
        "nFoldRule = x",
        "dropNoDoubledCount = -1",
        "king = k:é",
    ] {
        let _ = import_fairy(&format!("{WHOLE}{line}\n"), "small");
    }
    assert!(import_fairy("", "x").is_err() && import_fairy("[", "[").is_err());
}
