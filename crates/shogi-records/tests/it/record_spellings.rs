//! Spellings that other readers of records accept and this one once refused: numbers from elsewhere, free
//! lines, signed times, digits in hands, kings in hand, and characters that Windows replaces.

use shogi_records::{
    Branch, Encoding, End, Format, Reading, Record, RecordReason, decode, encode, kif, usi,
};
use shogi_rules::Shogi;

#[track_caller]
fn read(text: &str) -> (Record<Shogi>, Vec<String>) {
    let format = Format::detect(text).unwrap();
    let Reading { mut records, notices, .. } =
        format.read::<Shogi>(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    (records.remove(0), notices.iter().map(ToString::to_string).collect())
}

const BOARD: &str = "\
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
| ・ ・ ・ ・v玉 ・ ・ ・ ・|一
| ・ ・ ・ ・ ・ ・ ・ ・ ・|二
| ・ ・ ・ ・ 歩 ・ ・ ・ ・|三
| ・ ・ ・ ・ ・ ・ ・ ・ ・|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六
| ・ ・ ・ ・ ・ ・ ・ ・ ・|七
| ・ ・ ・ ・ ・ ・ ・ ・ ・|八
| ・ ・ ・ ・ ・ ・ ・ ・ ・|九
+---------------------------+
";

#[test]
fn moves_are_numbered_from_where_the_record_begins() {
    let text = format!(
        "{BOARD}先手の持駒：金二\n38 ４二金打\n*王手\n39 ６一玉(51)\n40 ５二金打\nまで40手で先手の勝ち\n\n変化：39手\n39 ６二玉(51)\n"
    );
    let (record, notices) = read(&text);
    assert_eq!((record.first_number, record.moves().len()), (38, 3));
    assert_eq!(record.lines()[1].branch(), Some(Branch { line: 0, at: 1 }));
    assert_eq!(notices, Vec::<String>::new());
    let kif = kif::write(&record).unwrap();
    for part in
        ["  38 ４二金打\n", "  41 投了\nまで40手で先手の勝ち\n", "変化：39手\n  39 ６二玉(51)\n"]
    {
        assert!(kif.contains(part), "{kif}");
    }
    assert_eq!(kif::parse::<Shogi>(&kif).as_ref(), Ok(&record));
    let usi = usi::write(&record);
    assert!(usi.starts_with("position sfen 4k4/9/4P4/9/9/9/9/9/9 b 2G 38 moves G*4b"), "{usi}");
    for format in Format::ALL {
        let text = format.write(&record).unwrap();
        let again = format.parse::<Shogi>(&text).unwrap();
        let is_kept = format.left_out(&record).numbers == 0;
        assert_eq!(again.first_number, if is_kept { 38 } else { 1 }, "{text}");
        assert_eq!(again.moves().len(), 3, "{text}");
    }
    assert_eq!(
        Format::Csa.left_out(&record).sentence(Format::Csa),
        Some("1 variation and 1 move number are not written: CSA has none".into())
    );
    let refused = kif::parse::<Shogi>(&text.replace("39 ６一玉", "40 ６一玉")).unwrap_err();
    assert_eq!(refused.reason, RecordReason::MoveNumber { expected: 39 });
    let refused = kif::parse::<Shogi>(&text.replace("変化：39手", "変化：2手")).unwrap_err();
    assert_eq!(refused.reason, RecordReason::NoSuchPlace);
}

#[test]
fn numbers_from_elsewhere_are_reported_if_the_start_has_a_name() {
    let (record, notices) = read("手合割：平手\n2 ７六歩(77)\n3 ３四歩(33)\n4 投了\n");
    assert_eq!((record.first_number, record.moves().len()), (2, 2));
    assert_eq!(notices, ["line 2, column 1: the moves are numbered from 2"]);
    // The first move is missing.
    let error = kif::parse::<Shogi>("手合割：平手\n2 ３四歩(33)\n3 ２六歩(27)\n").unwrap_err();
    assert_eq!((error.line, error.reason), (2, RecordReason::WrongSide));
}

#[test]
fn a_position_keeps_its_move_number() {
    let sfen = "4k4/9/9/9/9/9/9/9/4K4 w 2P 77";
    let (record, _) = read(sfen);
    assert_eq!(usi::write(&record), format!("position sfen {sfen}"));
    for format in Format::ALL {
        let again = format.parse::<Shogi>(&format.write(&record).unwrap()).unwrap();
        let is_kept = format.left_out(&record).numbers == 0;
        assert_eq!(again.first_number, if is_kept { 77 } else { 1 }, "{format}");
        assert_eq!(is_kept, matches!(format, Format::Usi | Format::Json), "{format}");
    }
}

#[test]
fn free_lines_behind_the_moves_are_comments() {
    let game = "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 投了\n";
    let told = "this is neither a move nor an end, and is kept as a comment";
    let (record, notices) = read(&format!("{game}先手時間切れ\n\n消費時間：▲0分\n"));
    assert_eq!(record.ending().unwrap().end, End::Resignation);
    assert_eq!(record.ending().unwrap().comments, ["先手時間切れ", "消費時間：▲0分"]);
    assert_eq!(notices, [format!("line 5, column 1: {told}"), format!("line 7, column 1: {told}")]);
    let (record, notices) = read("▲７六歩 △３四歩\nまで2手で先手の勝ち\n▲先手：感想\n以上\n");
    assert_eq!(record.ending().unwrap().comments, ["▲先手：感想", "以上"]);
    assert_eq!(notices.len(), 2);
    // Without an end they are of the last move.
    for text in ["手合割：平手\n1 ７六歩(77)\n以下略\n", "▲７六歩\n以下略\n"] {
        let (record, notices) = read(text);
        assert_eq!(record.moves()[0].comments, ["以下略"]);
        assert!(record.ending().is_none() && notices.len() == 1);
    }
    let (record, notices) = read("PI\n+\n+7776FU\n%TORYO\n終局, 15時\n");
    assert_eq!(record.ending().unwrap().comments, ["終局, 15時"]);
    assert_eq!(notices, [format!("line 5, column 1: {told}")]);
    let error = Format::Csa.parse::<Shogi>("PI\n+\n+7776FU\n終局\n").unwrap_err();
    assert_eq!(error.reason, RecordReason::UnknownLine);
}

#[test]
fn no_moves_are_lost_in_a_free_line() {
    // The marks show that it was to be moves.
    let text = "▲７六歩 △３四歩\n　２六歩 △８四歩\n▲２五歩\n";
    let error = Format::Ki2.parse::<Shogi>(text).unwrap_err();
    assert_eq!((error.line, error.reason), (2, RecordReason::UnknownLine));
    let (record, notices) = read("▲７六歩 △３四歩\n長考した。\n▲２六歩\n");
    assert_eq!((record.moves().len(), notices.len()), (3, 1));
    let error = kif::parse::<Shogi>("1 ７六歩(77)\nx 2 ３四歩(33)\n3 ２六歩(27)\n").unwrap_err();
    assert_eq!(error.reason, RecordReason::MoveNumber { expected: 2 });
}

#[test]
fn times_may_have_a_sign_and_a_fraction() {
    let csa = "PI\n+\n+7776FU,T+600\n-3334FU,T0.5\n+8877KA,T-10\n-8384FU,T-0\n%TORYO,T5\n";
    let (record, notices) = read(csa);
    let seconds: Vec<_> = record.moves().iter().map(|one| one.seconds).collect();
    assert_eq!(seconds, [Some(600), Some(0), None, Some(0)]);
    assert_eq!(record.moves()[2].comments, ["T-10"]);
    assert_eq!(record.ending().unwrap().seconds, Some(5));
    let expected = [
        "line 4, column 9: times are kept in whole seconds: fractions are left out",
        "line 5, column 9: a time below zero is kept as a comment",
    ];
    assert_eq!(notices, expected);
    let (record, notices) =
        read("手合割：平手\n1 ７六歩(77) ( -0:10/00:00:00)\n2 ３四歩(33) (0:01.5/)\n");
    assert_eq!(record.moves()[0].comments, ["-0:10/00:00:00"]);
    assert_eq!([record.moves()[0].seconds, record.moves()[1].seconds], [None, Some(1)]);
    assert_eq!(notices.len(), 2);
    // One notice stands for all, and a fraction of zero for none.
    let (_, notices) = read("PI\n+\n+7776FU,T1.5\n-3334FU,T2.25\n+2726FU,T3.000\n%TORYO\n");
    assert_eq!(notices.len(), 1);
    let (_, notices) = read("手合割：平手\n1 ７六歩(77) (0:25.000/)\n");
    assert!(notices.is_empty());
}

#[test]
fn hands_are_counted_in_any_digits() {
    let (usual, _) = read(&format!("{BOARD}先手の持駒：金二　銀　歩十七\n"));
    for hand in [
        "金2　銀1　歩17",
        "金２　銀　歩１７",
        "金二枚　銀一枚　歩一七枚",
        "金2 銀 歩十七",
        "金銀金　歩17　角0",
    ] {
        let (record, notices) = read(&format!("{BOARD}先手の持駒：{hand}\n"));
        assert_eq!((record.start(), notices.len()), (usual.start(), 0), "{hand}");
    }
    for hand in ["歩19", "歩０１９", "歩九九九", "歩二十十", "歩999999999999"] {
        assert!(kif::parse::<Shogi>(&format!("{BOARD}先手の持駒：{hand}\n")).is_err(), "{hand}");
    }
    let (record, _) = read("4k4/9/9/9/9/9/9/9/4K4 b PP2PRpp 9");
    assert_eq!(usi::write(&record), "position sfen 4k4/9/9/9/9/9/9/9/4K4 b R4P2p 9");
    for hands in ["P0P", "PPK", "10P10P", "PP2", "PPx"] {
        let text = format!("4k4/9/9/9/9/9/9/9/4K4 b {hands} 1");
        assert!(usi::parse::<Shogi>(&text).is_err(), "{text}");
    }
}

#[test]
fn a_king_that_is_not_on_the_board_is_left_out_of_the_hand() {
    let [empty, last] = [9, 8].map(|squares| vec!["{}"; squares].join(","));
    let files = vec![format!("[{empty}]"); 8].join(",");
    let jkf = format!(
        r#"{{"header":{{}},"initial":{{"preset":"OTHER","data":{{"color":0,
        "board":[[{{"color":1,"kind":"OU"}},{last}],{files}],"hands":[{{"KI":1}},{{"OU":1}}]}}}},"moves":[{{}}]}}"#
    );
    for text in [
        "8k/9/9/9/9/9/9/9/9 b Gk 1",
        "8k/9/9/9/9/9/9/9/9 b kG 1",
        r#"{"start":"8k/9/9/9/9/9/9/9/9 b Gk 1","moves":[]}"#,
        "P1 *  *  *  *  *  *  *  * -OU\nP-00OU\nP+00KI\n+\n",
        &jkf,
        "後手の持駒：玉\n| ・ ・ ・ ・ ・ ・ ・ ・v玉|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n\
         | ・ ・ ・ ・ ・ ・ ・ ・ ・|三\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n\
         | ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n\
         | ・ ・ ・ ・ ・ ・ ・ ・ ・|九\n先手の持駒：金\n",
    ] {
        let (record, notices) = read(text);
        assert_eq!(usi::write(&record), "position sfen 8k/9/9/9/9/9/9/9/9 b G 1", "{text}");
        assert_eq!(notices.len(), 1, "{text}");
        assert!(notices[0].ends_with("the king in hand is left out"), "{notices:?}");
    }
    // Where both are on the board it is one too many.
    for text in ["k8/9/9/9/9/9/9/9/8K b k 1", "P-11OU\nP+99OU00OU\n+\n"] {
        assert!(Format::detect(text).unwrap().parse::<Shogi>(text).is_err(), "{text}");
    }
}

#[test]
fn characters_of_jis_have_a_place_in_its_encodings() {
    let text = "棋戦：９:00〜17:00 ‖ ¢ £ ¬ — −\n";
    let windows = "棋戦：９:00～17:00 ∥ ￠ ￡ ￢ ― －\n";
    for encoding in [Encoding::ShiftJis, Encoding::EucJp] {
        let bytes = encode(text, encoding).unwrap();
        assert_eq!(decode(&bytes), Ok((windows.to_owned(), encoding)));
        assert_eq!(encode(windows, encoding), Ok(bytes));
    }
    assert_eq!(encode("〜", Encoding::ShiftJis).unwrap(), b"\x81\x60");
}
