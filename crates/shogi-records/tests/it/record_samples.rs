//! Hand-written records as programs and people write them, and malformed ones with line, column
//! and reason.

use shogi_records::{
    Encoding, End, Format, Record, RecordReason, Recorded, csa, decode, json, ki2, kif, usi,
};
use shogi_rules::shogi_core::{Colour, Faults};
use shogi_rules::{
    Dobutsu, KyotoShogi, Minishogi, SfenReason, Shogi, Shogi34, UsiReason, Violations,
};

/// Reads a file of tests/data in the format it is found to be in.
macro_rules! sample {
    ($rules:ty, $file:literal) => {{
        let (text, encoding) = decode(include_bytes!(concat!("data/", $file))).unwrap();
        let format = Format::detect(&text).unwrap();
        let record = format.parse::<$rules>(&text).unwrap_or_else(|error| panic!("{error}"));
        (record, format, encoding)
    }};
}

const GAME: &str = "position startpos moves 7g7f 3c3d 8h2b+ 3a2b B*4e 6a5b 4e3d";

#[test]
fn one_game_in_every_format() {
    let (full, format, encoding) = sample!(Shogi, "shogi.kif");
    assert_eq!((format, encoding), (Format::Kif, Encoding::Utf8));
    assert_eq!(usi::write(&full), GAME);
    let headers = ["開始日時", "棋戦", "先手", "後手"];
    assert_eq!(full.headers.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>(), headers);
    assert_eq!(full.headers[0].1, "2024/05/01 10:00:00");
    assert_eq!(full.comments, ["開始前のコメント"]);
    assert_eq!(full.moves()[1].comments, ["角道を開ける", "二行目"]);
    let seconds: Vec<_> = full.moves().iter().map(|one| one.seconds).collect();
    assert_eq!(seconds, [16, 5, 62, 1, 30, 0, 2].map(Some));
    let ending = full.ending().unwrap();
    assert_eq!((&ending.end, ending.seconds), (&End::Resignation, Some(9)));
    assert_eq!(ending.comments, ["最後"]);

    let (stored, format, encoding) = sample!(Shogi, "shogi-shift-jis.kif");
    assert_eq!((format, encoding), (Format::Kif, Encoding::ShiftJis));
    assert_eq!(stored, full);

    let (json, format, _) = sample!(Shogi, "shogi.json");
    assert_eq!((format, json), (Format::Json, full.clone()));

    let (mut csa, format, _) = sample!(Shogi, "shogi.csa");
    assert_eq!(format, Format::Csa);
    csa.headers.sort();
    let mut sorted = main_line(&full);
    sorted.headers.sort();
    assert_eq!(csa, sorted);

    let (ki2, format, _) = sample!(Shogi, "shogi.ki2");
    assert_eq!((format, usi::write(&ki2)), (Format::Ki2, GAME.to_owned()));
    assert_eq!(ki2.headers, full.headers);
    assert_eq!(ki2.moves()[1].comments, full.moves()[1].comments);
    assert_eq!(ki2.ending().map(|ending| &ending.end), Some(&End::Resignation));
}

/// The record without variations and bookmarks, which CSA does not hold.
fn main_line(record: &Record<Shogi>) -> Record<Shogi> {
    let mut copy = Record::new(*record.start());
    copy.headers = record.headers.clone();
    copy.comments = record.comments.clone();
    for one in record.moves() {
        let copied = copy.push(one.mv()).unwrap();
        (copied.comments, copied.seconds) = (one.comments.clone(), one.seconds);
    }
    copy.end(record.ending().unwrap().clone());
    copy
}

#[test]
fn other_starts() {
    let (record, ..) = sample!(Shogi, "handicap.kif");
    let start = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
    assert_eq!(usi::write(&record), format!("position sfen {start} moves 7a6b 7g7f"));
    assert!(kif::write(&record).unwrap().ends_with("   3 中断\nまで2手で中断\n"));
    let (record, ..) = sample!(Shogi, "problem.kif");
    let start = "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1";
    assert_eq!(usi::write(&record), format!("position sfen {start} moves G*5b"));
    assert_eq!(record.ending().map(|ending| &ending.end), Some(&End::Checkmate));
}

#[test]
fn small_boards() {
    let (record, ..) = sample!(Minishogi, "minishogi.kif");
    assert_eq!(usi::write(&record), "position startpos moves 3e3d 3a3b 1e1d");
    let (record, ..) = sample!(KyotoShogi, "kyotoshogi.kif");
    let moves = "position startpos moves 5e5d+ 4a4b+ 5d5a+ 3a2b R*5c";
    assert_eq!(usi::write(&record), moves);
    let (record, ..) = sample!(Dobutsu, "dobutsu.kif");
    assert_eq!(usi::write(&record), "position sfen g1e/1l1/1LE/2G w Cc 1 moves 2b2c");
    let (record, ..) = sample!(Shogi34, "shogi34.kif");
    assert_eq!(usi::write(&record), "position startpos moves 2c2b 2a2b P*2c");
}

#[test]
fn kif_is_written_as_programs_expect_it() {
    let (full, ..) = sample!(Shogi, "shogi.kif");
    let expected = "\
手合割：平手
開始日時：2024/05/01 10:00:00
棋戦：練習対局
先手：あや
後手：文子
手数----指手---------消費時間--
*開始前のコメント
   1 ７六歩(77)   ( 0:16/00:00:16)
   2 ３四歩(33)   ( 0:05/00:00:05)
*角道を開ける
*二行目
   3 ２二角成(88) ( 1:02/00:01:18)+
   4 同　銀(31)   ( 0:01/00:00:06)
&しおり
   5 ４五角打     ( 0:30/00:01:48)
   6 ５二金(61)   ( 0:00/00:00:06)
   7 ３四角(45)   ( 0:02/00:01:50)
   8 投了         ( 0:09/00:00:15)
*最後
まで7手で先手の勝ち

変化：3手
   3 ２六歩(27)   ( 0:03/00:00:19)
   4 ここまで
";
    assert_eq!(kif::write(&full).unwrap(), expected);
    let record = usi::parse::<Dobutsu>("sfen g1e/1l1/1LE/2G w Cc 1 moves 2b2c").unwrap();
    let expected = "\
手合割：どうぶつしょうぎ
後手の持駒：ひ　
  ３ ２ １
+---------+
|vき ・vぞ|一
| ・vら ・|二
| ・ ら ぞ|三
| ・ ・ き|四
+---------+
先手の持駒：ひ　
後手番
手数----指手---------消費時間--
   1 ２三ら(22)
";
    assert_eq!(kif::write(&record).unwrap(), expected);
}

#[test]
fn spellings_that_are_read() {
    let plain = kif::parse::<Shogi>("1 ７六歩(77)\n2 ８四歩(83)\n").unwrap();
    for text in [
        "手合割:平手\r\n1 76歩(77)\r\n2 △８4歩(83)\r\n",
        "\u{feff}先手番\n 1  ☗７六歩(77)　\n 2 ８四歩(83)+\n\n",
        "▲七六歩 △84歩",
        "▲７六歩(77)\n▽８四歩直\nまで、2手で中断",
    ] {
        let format = Format::detect(text).unwrap();
        let record = format.parse::<Shogi>(text).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(record.moves(), plain.moves(), "{text}");
    }
    // Names of pieces, and the unmarked turns of variants that leave no choice.
    let text = "sfen 3k5/9/9/9/9/9/4+R4/9/3K5 b - 1 moves 5g5f";
    let dragon = usi::parse::<Shogi>(text).unwrap();
    let written = kif::write(&dragon).unwrap();
    for name in ["竜", "成飛"] {
        let text = written.replace("５六龍", &format!("５六{name}"));
        assert_eq!(kif::parse::<Shogi>(&text).as_ref(), Ok(&dragon), "{text}");
    }
    let kyoto = kif::parse::<KyotoShogi>("手合割：京都将棋\n1 ５四と(55)\n").unwrap();
    assert_eq!(usi::write(&kyoto), "position startpos moves 5e5d+");
    let kyoto = ki2::parse::<KyotoShogi>("▲５四と").unwrap();
    assert_eq!(usi::write(&kyoto), "position startpos moves 5e5d+");
    let animals = kif::parse::<Dobutsu>("1 ２二ひよこ(23)\n2 同玉(21)\n").unwrap();
    assert_eq!(usi::write(&animals), "position startpos moves 2c2b 2a2b");
}

#[test]
fn ends_of_ki2() {
    let both = "▲７六歩 △３四歩\n";
    let [sente, gote] = Colour::ALL.map(Some);
    for (words, end, by) in [
        ("まで2手で後手の勝ち", End::Resignation, sente),
        ("まで2手で先手の勝ち", End::Resignation, gote),
        ("まで2手で勝ち", End::Resignation, sente),
        ("まで2手で時間切れにより後手の勝ち", End::TimeUp, sente),
        ("まで2手で先手の切れ負け", End::TimeUp, sente),
        ("まで2手で後手の時間切れ負け", End::TimeUp, gote),
        ("まで2手で先手の反則負け", End::Foul, sente),
        ("まで2手で後手の反則勝ち", End::Foul, sente),
        ("まで2手で先手の反則勝ち", End::Foul, gote),
        ("まで2手で後手の反則負け", End::Foul, gote),
        ("まで2手で反則勝ち", End::Foul, gote),
        ("まで2手で反則負け", End::Foul, sente),
        ("まで2手で先手の不戦敗", End::Default, sente),
        ("まで2手で先手の不戦勝", End::Default, gote),
        ("まで2手で先手の入玉勝ち", End::Declaration, sente),
        ("まで2手で後手の入玉勝ち", End::Declaration, gote),
        ("まで2手で千日手", End::Repetition, None),
        ("まで2手で持将棋", End::Impasse, None),
        ("まで2手で引き分け", End::Draw, None),
        ("まで2手で封じ手", End::SealedMove, None),
        ("まで2手詰", End::Checkmate, sente),
        ("まで2手で詰み", End::Checkmate, sente),
        ("まで2手で雨", End::Other("雨".to_owned()), None),
        ("まで2手で先手の都合", End::Other("先手の都合".to_owned()), None),
    ] {
        let record = ki2::parse::<Shogi>(&format!("{both}{words}\n")).unwrap();
        let ending = record.ending().unwrap();
        assert_eq!((&ending.end, ending.by), (&end, by), "{words}");
        let again = ki2::parse::<Shogi>(&ki2::write(&record).unwrap());
        assert_eq!(again.as_ref(), Ok(&record), "{words}");
    }
}

#[test]
fn starts_of_csa() {
    let read = |text: &str| csa::parse::<Shogi>(text).map(|record| usi::write(&record));
    let bare = "position sfen 4k4/9/9/9/9/9/9/9/4K4 w";
    let rest = "P-00AL";
    assert_eq!(
        read(&format!("P+59OU00FU00FU\nP-51OU\n{rest}\n-\n")),
        Ok(format!("{bare} 2P2r2b4g4s4n4l16p 1"))
    );
    let pieces = "PI82HI22KA\nP+00HI\n+\n+7776FU\n%CHUDAN\n";
    let sfen = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b R 1";
    assert_eq!(read(pieces), Ok(format!("position sfen {sfen} moves 7g7f")));
    // Spaces that mail programs have eaten.
    let ranks = "P1 * * * *-OU * * * *\nP2 *\n";
    let error = csa::parse::<Shogi>(ranks).unwrap_err();
    assert_eq!((error.line, error.column), (2, 5));
    let mini = csa::parse::<Minishogi>("PI\n+\n+3534GI\n").unwrap();
    assert_eq!(usi::write(&mini), "position startpos moves 3e3d");
}

#[track_caller]
fn refused<R: Recorded>(
    format: Format,
    text: &str,
    line: usize,
    column: usize,
    reason: RecordReason,
) {
    let error = format.parse::<R>(text).map(|record: Record<R>| usi::write(&record)).unwrap_err();
    assert_eq!((error.line, error.column, &error.reason), (line, column, &reason), "{text}");
}

fn illegal(usi: &str, broken: Violations) -> RecordReason {
    RecordReason::Illegal { usi: usi.to_owned(), broken }
}

#[test]
fn malformed_kif() {
    use RecordReason::*;
    let refused = |text: &str, line, column, reason| {
        refused::<Shogi>(Format::Kif, text, line, column, reason);
    };
    refused("", 1, 1, Missing("a record"));
    refused("\n\n", 3, 1, Missing("a record"));
    refused("hello\n", 1, 1, UnknownLine);
    refused("：値\n", 1, 1, UnknownLine);
    refused("手合割：半手\n", 1, 5, UnknownStart("半手".into()));
    refused("手合割：5五将棋\n", 1, 5, UnknownStart("5五将棋".into()));
    refused("手合割：その他\n1 ７六歩(77)\n", 1, 5, Missing("the board diagram"));
    refused("先手の持駒：歩\n", 2, 1, Missing("the board diagram"));
    refused("先手の持駒：玉\n", 1, 7, NotInHand);
    refused("先手の持駒：金十八\n", 1, 8, TooLarge);
    refused("先手の持駒：犬\n", 1, 7, Expected("a piece"));
    refused("|歩\n", 1, 2, Expected("a space or v before each square"));
    refused("| 犬\n", 1, 3, Expected("a piece"));
    refused("| ・ ・ ・ ・ ・ ・ ・ ・|\n", 1, 18, Expected("a space or v before each square"));
    refused("| ・ ・ ・ ・ ・ ・ ・ ・ ・ ・|\n", 1, 20, Expected("a bar after the last square"));
    let empty = "| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n";
    refused(&empty.repeat(8), 9, 1, Missing("a rank of the board diagram"));
    refused(&empty.repeat(10), 10, 2, OffBoard);
    let twice = format!("| 歩{}{}", &empty[5..], "| 歩 ・ ・ ・ ・ ・ ・ ・ ・|\n".repeat(8));
    refused(&twice, 10, 1, Start(Faults::NIFU | Faults::IMMOBILE));
    refused("0 ７六歩(77)\n", 1, 1, MoveNumber { expected: 1 });
    refused(" 1 ７六歩(77)\n 3 ３四歩(33)\n", 2, 2, MoveNumber { expected: 2 });
    refused("99999999999 ７六歩(77)\n", 1, 1, TooLarge);
    refused("1 △７六歩(77)\n2 ３四歩(33)\n", 1, 3, WrongSide);
    refused("1 同　歩(77)\n", 1, 3, NothingBefore);
    refused("1 ７\n", 1, 3, Expected("a square"));
    refused("1 ７零歩(77)\n", 1, 3, Expected("a square"));
    refused("1 ７六犬(77)\n", 1, 5, Expected("a piece"));
    refused("1 ７六歩\n", 1, 6, Expected("the origin in brackets, or 打"));
    refused("1 ７六歩(7)\n", 1, 7, Expected("a square"));
    refused("1 ７六歩(777)\n", 1, 9, Expected("a closing bracket"));
    refused("1 ７六歩(76)\n2 ３四歩(33)\n", 1, 5, WrongPiece);
    refused("1 ７六銀(77)\n2 ３四歩(33)\n", 1, 5, WrongPiece);
    refused("1 ３四歩(33)\n2 ３四歩(33)\n", 1, 5, WrongSide);
    refused("1 ７五歩(77)\n2 ３四歩(33)\n", 1, 3, illegal("7g7e", Violations::NO_SUCH_MOVE));
    refused("1 ７六歩成(77)\n2 ３四歩(33)\n", 1, 3, illegal("7g7f+", Violations::WRONG_FACE));
    refused("1 ７六歩打\n2 ３四歩(33)\n", 1, 3, illegal("P*7f", Violations::NO_SUCH_PIECE));
    refused("1 ７六歩(77) (0:1x)\n", 1, 15, Expected("a closing bracket"));
    refused("1 ７六歩(77) (x)\n", 1, 12, Expected("a time such as 0:16"));
    refused("1 ７六歩(77) (16)\n", 1, 14, Expected("a colon"));
    refused("1 ７六歩(77) (4000000000:99)\n", 1, 23, TooLarge);
    refused("1 ７六歩(77) 良い手\n", 1, 11, Expected("the end of the line"));
    refused("1 投了\n2 ７六歩(77)\n", 2, 1, AfterEnd);
    refused("1 \n", 1, 3, Expected("a move or how the game ended"));
    refused("1 ７六歩(77)\n変化：\n", 2, 4, Expected("the number of a move"));
    refused("1 ７六歩(77)\n変化：3手\n", 2, 4, NoSuchPlace);
    refused("1 ７六歩(77)\n変化：0手\n", 2, 4, NoSuchPlace);
    refused("1 ７六歩(77)\n変化：1手\n2 ３四歩(33)\n", 3, 1, MoveNumber { expected: 1 });
}

#[test]
fn malformed_ki2() {
    use RecordReason::*;
    let refused = |text: &str, line, column, reason| {
        refused::<Shogi>(Format::Ki2, text, line, column, reason);
    };
    refused("▲\n", 1, 2, Expected("a square"));
    refused("△７六歩 △３四歩\n", 1, 1, WrongSide);
    refused("▲７六歩 ▲３四歩 ▲２六歩\n", 1, 6, WrongSide);
    refused("▲同　歩\n", 1, 2, NothingBefore);
    refused("▲５八金\n", 1, 2, Ambiguous);
    refused("▲５八金寄\n△３四歩", 1, 2, NoSuchMove);
    refused("▲５五歩\n△３四歩", 1, 2, illegal("P*5e", Violations::NO_SUCH_PIECE));
    refused("▲５五歩成\n△３四歩", 1, 2, NoSuchMove);
    refused("▲７六歩成 △３四歩\n", 1, 2, illegal("7g7f+", Violations::WRONG_FACE));
    refused("まで0手で中断\n▲７六歩\n", 2, 1, AfterEnd);
    refused("1 ７六歩(77)\n", 1, 1, UnknownLine);
}

#[test]
fn malformed_csa() {
    use RecordReason::*;
    let refused = |text: &str, line, column, reason| {
        refused::<Shogi>(Format::Csa, text, line, column, reason);
    };
    refused("", 1, 1, Missing("the start position"));
    refused("V2.2\nPI\n", 3, 1, Missing("the side to move"));
    refused("+\n", 1, 1, Missing("the start position"));
    refused("Vx\n", 1, 2, Expected("a version"));
    refused("N*\n", 1, 1, UnknownLine);
    refused("$EVENT\n", 1, 7, Expected("a colon"));
    refused("Q\n", 1, 1, UnknownLine);
    refused("PI\n+7776FU\n", 2, 1, Missing("the side to move"));
    refused("PI82KA\n", 1, 3, WrongPiece);
    refused("PI82\n", 1, 5, Expected("the two letters of a piece"));
    refused("P0\n", 1, 1, UnknownLine);
    refused("P1 * * *\n", 1, 9, Expected("a piece with its sign, or *, for each square"));
    refused("P+00TO\n", 1, 5, NotInHand);
    refused("P+55FU55FU\n", 1, 7, Occupied);
    refused("P+50FU\n", 1, 3, Expected("a square"));
    refused("P+59OU\nP-58OU\n+\n", 3, 1, Start(Faults::OPPONENT_IN_CHECK));
    refused("PI\n+\n+\n", 3, 1, UnknownLine);
    refused("PI\n+\nPI\n", 3, 1, UnknownLine);
    refused("PI\n+\nT5\n", 3, 1, NothingBefore);
    refused("PI\n+\n-3334FU\n+7776FU\n", 3, 1, WrongSide);
    refused("PI\n+\n+7776FU,T1,-3334XX\n", 3, 17, Expected("the two letters of a piece"));
    refused("PI\n+\n+7776KI\n-3334FU\n", 3, 6, WrongPiece);
    refused("PI\n+\n+7775FU\n-3334FU\n", 3, 1, illegal("7g7e", Violations::NO_SUCH_MOVE));
    refused("PI\n+\n+0055FU\n-3334FU\n", 3, 1, illegal("P*5e", Violations::NO_SUCH_PIECE));
    refused("PI\n+\n+7776FUx\n", 3, 8, Expected("the end of the line"));
    refused("PI\n+\n+7776FU\nTx\n", 4, 2, Expected("seconds"));
    refused("PI\n+\n%\n", 3, 1, UnknownLine);
    refused("PI\n+\n%TORYO\n+7776FU\n", 4, 1, AfterEnd);
    let error = csa::parse::<KyotoShogi>("PI\n+\n").unwrap_err();
    assert_eq!(error.reason, NotForVariant(Format::Csa));
}

#[test]
fn malformed_usi() {
    use RecordReason::*;
    let refused = |text: &str, line, column, reason| {
        refused::<Minishogi>(Format::Usi, text, line, column, reason);
    };
    refused("", 1, 1, Missing("a record"));
    refused("position\n", 1, 9, Expected("startpos or sfen"));
    refused("position here\n", 1, 10, Expected("startpos or sfen"));
    refused("startpos 5d5c\n", 1, 10, Expected("moves"));
    refused(
        "startpos moves 5d5c 5x5y\n",
        1,
        22,
        Usi(UsiReason::Square { files: 5, last_rank: 'e' }),
    );
    refused("startpos moves 5d5b\n", 1, 16, illegal("5d5b", Violations::NO_SUCH_MOVE));
    refused("sfen rbsgk/4p/5/P4/KGSXR b - 1\n", 1, 23, Sfen(SfenReason::UnknownPiece('X')));
    refused("sfen rbsgk/4p/5/PP3/KGSBR b - 1\n", 1, 6, Start(Faults::TOO_MANY_PIECES));
    refused("startpos\nhello\n", 2, 1, Expected("startpos or sfen"));
    refused("startpos moves resign 5d5c", 1, 23, AfterEnd);
}

#[test]
fn malformed_json() {
    use RecordReason::*;
    let refused = |text: &str, line, column, reason| {
        refused::<Minishogi>(Format::Json, text, line, column, reason);
    };
    refused(r#"{"moves": [], "variant": "shogi"}"#, 1, 26, OtherVariant("shogi".into()));
    refused(
        r#"{"start": "rbsgk/4p/5/P4/KGSXR b - 1", "moves": []}"#,
        1,
        29,
        Sfen(SfenReason::UnknownPiece('X')),
    );
    refused("{\"moves\": [\n \"5d5b\"]}", 2, 2, illegal("5d5b", Violations::NO_SUCH_MOVE));
    refused(
        "{\"moves\": [\n {\"move\": \"5d5\"}]}",
        2,
        15,
        Usi(UsiReason::Square { files: 5, last_rank: 'e' }),
    );
    for (text, line, words) in [
        ("", 1, "EOF while parsing a value"),
        ("{}", 1, "missing field `moves`"),
        ("{\n\"moves\": 3}", 2, "invalid type: integer `3`, expected a sequence"),
        ("{\"moves\": [], \"x\": 1}", 1, "unknown field `x`"),
        ("{\"moves\": [\n{\"move\": 3}]}", 2, "invalid type: integer `3`, expected a string"),
        (
            "{\"moves\": [],\n\n \"end\": {\"how\": \"rain\"}}",
            3,
            "unknown way to end a game \"rain\"",
        ),
        (
            "{\"moves\": [],\n \"end\": {\"how\": \"try\", \"word\": \"rain\"}}",
            2,
            "unknown way to end a game \"try\" \"rain\"",
        ),
    ] {
        let error = json::parse::<Minishogi>(text).unwrap_err();
        assert_eq!(error.line, line, "{error}");
        assert!(matches!(&error.reason, Json(found) if found.starts_with(words)), "{error}");
    }
}

#[test]
fn bytes_of_neither_encoding() {
    let error = decode(b"V2.2\nN+\xff\xff\n").unwrap_err();
    assert_eq!(error.to_string(), "line 2, byte 3: this is neither UTF-8 nor Shift-JIS nor EUC-JP");
}
