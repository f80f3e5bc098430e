//! Who moved, who begins and who lost, as records say it: out of turn, with handicaps, by a sign, a mark or the result.

use shogi_records::{End, Format, Reading, Record, usi};
use shogi_rules::Shogi;
use shogi_rules::shogi_core::Colour::{self, Gote, Sente};

/// The game read from a text, with its notices as printed.
struct Read {
    record: Record<Shogi>,
    notices: Vec<String>,
}

#[track_caller]
fn read(text: &str) -> Read {
    let format = Format::detect(text).unwrap();
    let Reading { mut records, notices, .. } =
        format.read::<Shogi>(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(records.len(), 1, "{text}");
    let notices = notices.iter().map(ToString::to_string).collect();
    Read { record: records.remove(0), notices }
}

impl Read {
    fn moves(&self) -> usize {
        self.record.moves().len()
    }

    fn end(&self) -> (End, Option<Colour>) {
        let ending = self.record.ending().unwrap();
        (ending.end.clone(), ending.by)
    }

    fn comments(&self) -> Vec<&str> {
        self.record.ending().unwrap().comments.iter().map(String::as_str).collect()
    }
}

/// Every format that can hold a record gives it back, and the others its winner or none.
#[track_caller]
fn is_written_everywhere(record: &Record<Shogi>) {
    for format in Format::ALL {
        let written = format.write(record).unwrap();
        let again = format.parse::<Shogi>(&written).unwrap();
        if format.left_out(record).is_nothing() {
            assert_eq!(&again, record, "{written}");
        }
        if again.ending().is_some() {
            assert_eq!(again.winner(), record.winner(), "{written}");
        }
    }
}

const CSA: &str = "V2.2\nPI\n+\n";
const DOUBLE_KIF: &str = "1 ７六歩(77)\n2 ２六歩(27)\n";

/// Texts in which a player moves out of turn: how many moves are kept, who has lost, and the words of the move.
const OUT_OF_TURN: [(&str, usize, Colour, &str); 17] = [
    ("+7776FU\n+2726FU\n%+ILLEGAL_ACTION\n", 1, Sente, "+2726FU"),
    ("+7776FU\n+2726FU\n%ILLEGAL_MOVE\n", 1, Sente, "+2726FU"),
    ("+7776FU\n+2726FU\n%ILLEGAL_ACTION\n", 1, Sente, "+2726FU"),
    ("+7776FU\n+2726FU\n", 1, Sente, "+2726FU"),
    ("+7776FU\n-3334FU\n-8384FU\n%-ILLEGAL_ACTION\n", 2, Gote, "-8384FU"),
    ("-3334FU\n%-ILLEGAL_ACTION\n", 0, Gote, "-3334FU"),
    // The sign says that the other player has lost.
    ("+7776FU\n+2726FU\n%-ILLEGAL_ACTION\n", 1, Gote, "+2726FU"),
    ("▲７六歩 △３四歩 ▲２六歩 ▲２五歩\nまで3手で先手の反則負け\n", 3, Sente, "▲２五歩"),
    ("▲７六歩 △３四歩 △同　歩\nまで2手で先手の反則勝ち\n", 2, Gote, "△同　歩"),
    ("▲７六歩 △３四歩 △８四歩\nまで2手で後手の二手指しにより先手の勝ち\n", 2, Gote, "△８四歩"),
    ("▲７六歩 ▲２六歩\nまで1手で後手の勝ち\n", 1, Sente, "▲２六歩"),
    ("先手：先\n後手：後\n\n△３四歩\nまで1手で後手の反則負け\n", 0, Gote, "△３四歩"),
    ("手合割：平手\n1 ３四歩(33)\nまで1手で後手の反則負け\n", 0, Gote, "３四歩(33)"),
    ("手合割：平手\n1 △３四歩(33)\n2 反則勝ち\n", 0, Gote, "△３四歩(33)"),
    ("手合割：平手\n1 ７六歩(77)\n2 ２六歩(27)\n3 反則負け\n", 1, Sente, "２六歩(27)"),
    ("手合割：平手\n1 ７六歩(77)\n2 ２六歩(27)\n3 反則勝ち\n", 1, Sente, "２六歩(27)"),
    ("手合割：二枚落ち\n1 ７六歩(77)\nまで1手で下手の反則負け\n", 0, Sente, "７六歩(77)"),
];

#[test]
fn a_move_out_of_turn_is_the_foul_of_the_player_who_made_it() {
    for (text, moves, loser, words) in OUT_OF_TURN {
        let text = if text.starts_with(['+', '-']) { format!("{CSA}{text}") } else { text.into() };
        let read = read(&text);
        assert_eq!(read.moves(), moves, "{text}");
        assert_eq!(read.end(), (End::Foul, Some(loser)), "{text}");
        assert_eq!(read.record.winner(), Some(!loser), "{text}");
        assert_eq!(read.comments(), [words], "{text}");
        assert_eq!(read.notices.len(), 1, "{text}: {:?}", read.notices);
        assert!(read.notices[0].contains("moves out of turn"), "{text}: {:?}", read.notices);
        is_written_everywhere(&read.record);
    }
}

#[test]
fn kif_and_ki2_name_the_winner_of_a_game_in_which_a_player_moved_twice() {
    let read = read(&format!("{CSA}+7776FU\n+2726FU\n%+ILLEGAL_ACTION\n"));
    let kif = Format::Kif.write(&read.record).unwrap();
    assert!(kif.ends_with("   2 反則勝ち\n*+2726FU\nまで1手で後手の反則勝ち\n"), "{kif}");
    let ki2 = Format::Ki2.write(&read.record).unwrap();
    assert!(ki2.ends_with("▲７六歩\nまで1手で後手の反則勝ち\n*+2726FU\n"), "{ki2}");
    let csa = Format::Csa.write(&read.record).unwrap();
    assert!(csa.ends_with("+7776FU\n%+ILLEGAL_ACTION\n'*+2726FU\n"), "{csa}");
}

#[test]
fn json_and_usi_know_whose_piece_has_moved() {
    let gote = r#"{"moves":["7g7f","2g2f"],"end":{"how":"foul","winner":"gote"}}"#;
    let open = r#"{"moves":["7g7f","2g2f"],"end":{"how":"foul"}}"#;
    let jkf = r#"{"header":{},"moves":[{},{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"}},
        {"move":{"from":{"x":2,"y":7},"to":{"x":2,"y":6},"piece":"FU"}},{"special":"ILLEGAL_ACTION"}]}"#;
    for (text, words) in [
        (gote, "2g2f"),
        (open, "2g2f"),
        (jkf, "▲２六歩(27)"),
        ("startpos moves 7g7f 2g2f win", "2g2f"),
    ] {
        let read = read(text);
        assert_eq!((read.moves(), read.end()), (1, (End::Foul, Some(Sente))), "{text}");
        assert_eq!(read.comments(), [words], "{text}");
        assert_eq!(read.notices.len(), 1, "{text}");
        is_written_everywhere(&read.record);
    }
    // Without a word on the end it is a slip.
    for text in [r#"{"moves":["7g7f","2g2f"]}"#, "startpos moves 7g7f 2g2f"] {
        let error = Format::detect(text).unwrap().parse::<Shogi>(text).unwrap_err();
        assert!(error.to_string().ends_with("it is the other player's turn"), "{error}");
    }
}

#[test]
fn no_move_follows_one_out_of_turn() {
    for text in [
        "PI\n+\n+7776FU\n+2726FU\n-3334FU\n",
        "▲７六歩 ▲２六歩 △３四歩\n",
        "1 ７六歩(77)\n2 ２六歩(27)\n3 ３四歩(33)\n",
    ] {
        let error = Format::detect(text).unwrap().parse::<Shogi>(text).unwrap_err();
        assert!(error.to_string().ends_with("it is the other player's turn"), "{error}");
    }
}

#[test]
fn the_result_decides_who_has_lost() {
    for (end, result, how, loser) in [
        ("3 投了", "まで2手で先手の勝ち", End::Resignation, Gote),
        ("3 投了", "まで2手で後手の負け", End::Resignation, Gote),
        ("3 詰み", "まで2手で先手の勝ち", End::Checkmate, Gote),
        ("3 反則負け", "まで2手で後手の反則負け", End::Foul, Gote),
        ("3 反則負け", "まで2手で先手の反則勝ち", End::Foul, Gote),
        ("3 不戦敗", "まで2手で先手の勝ち", End::Default, Gote),
        ("3 中断", "まで2手で先手の勝ち", End::Interruption, Gote),
    ] {
        let text = format!("手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n{end}\n{result}\n");
        let read = read(&text);
        assert_eq!(read.end(), (how, Some(loser)), "{text}");
        assert_eq!(read.record.winner(), Some(!loser), "{text}");
        assert_eq!(read.comments(), [end], "{text}");
        assert_eq!(read.notices.len(), 1, "{text}");
        assert!(read.notices[0].starts_with("line 5, column 1: this result"), "{text}");
        is_written_everywhere(&read.record);
    }
    // The clock is not bound to the turn, and some ends are of nobody.
    for (end, result, how, loser) in [
        ("3 切れ負け", "まで2手で時間切れにより先手の勝ち", End::TimeUp, Gote),
        ("3 切れ負け", "まで2手で後手の時間切れにより先手の勝ち", End::TimeUp, Gote),
        ("3 千日手", "まで2手で千日手により先手の勝ち", End::Repetition, Gote),
        ("3 雨", "まで2手で先手の勝ち", End::Other("雨".into()), Gote),
        // These agree.
        ("3 投了", "まで2手で後手の勝ち", End::Resignation, Sente),
        ("3 詰み", "まで2手で後手の勝ち", End::Checkmate, Sente),
        ("3 投了", "まで2手で勝ち", End::Resignation, Sente),
        ("3 切れ負け", "まで2手で先手の時間切れにより後手の勝ち", End::TimeUp, Sente),
        ("3 反則勝ち", "まで2手で先手の反則勝ち", End::Foul, Gote),
    ] {
        let text = format!("手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n{end}\n{result}\n");
        let read = read(&text);
        assert_eq!(read.end(), (how, Some(loser)), "{text}");
        assert_eq!(read.comments(), Vec::<&str>::new(), "{text}");
        assert_eq!(read.notices, Vec::<String>::new(), "{text}");
        is_written_everywhere(&read.record);
    }
}

#[test]
fn an_end_that_csa_has_no_word_for_becomes_a_comment() {
    let read = read("手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 投了\nまで2手で先手の勝ち\n");
    let csa = Format::Csa.write(&read.record).unwrap();
    assert!(csa.ends_with("-3334FU\n'*3 投了\n'*まで2手で先手の勝ち\n"), "{csa}");
    assert_eq!(Format::Csa.left_out(&read.record).ends, 1);
}

#[test]
fn a_second_end_that_differs_is_reported() {
    let read = read("PI\n+\n+7776FU\n%TORYO\n%CHUDAN\n%TORYO\n");
    assert_eq!(read.end(), (End::Resignation, Some(Gote)));
    assert_eq!(read.comments(), ["%CHUDAN", "%TORYO"]);
    let expected = "line 5, column 1: the game has ended before this, which is kept as a comment";
    assert_eq!(read.notices, [expected]);
}

/// A drop of a rook that Sente does not have.
const ILLEGAL: &str = "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 ４五飛打\n";

#[test]
fn a_game_that_ends_by_an_illegal_move_shows_it() {
    for (rest, how, loser, is_told) in [
        ("", End::Foul, Sente, true),
        ("まで3手で後手の勝ち\n", End::Foul, Sente, false),
        ("4 反則負け\n", End::Foul, Sente, false),
        ("4 反則勝ち\n", End::Foul, Sente, false),
        ("まで3手で先手の反則負け\n", End::Foul, Sente, false),
        ("4 投了\n", End::Resignation, Gote, true),
        ("まで3手で先手の勝ち\n", End::Resignation, Gote, true),
        // The result names the other player, and it is obeyed.
        ("まで3手で後手の反則負け\n", End::Foul, Gote, true),
    ] {
        let text = format!("{ILLEGAL}{rest}");
        let read = read(&text);
        assert_eq!(read.end(), (how, Some(loser)), "{text}");
        let ending = read.record.ending().unwrap();
        assert!(ending.illegal_move.is_some() && ending.comments.is_empty(), "{text}");
        assert_eq!(!read.notices.is_empty(), is_told, "{text}: {:?}", read.notices);
        for notice in &read.notices {
            let expected = "line 4, column 3: the game ends with a move against the rules: the move R*4e is illegal: \
                            the player has no such piece";
            assert_eq!(notice, expected);
        }
        is_written_everywhere(&read.record);
    }
}

#[test]
fn an_illegal_move_before_win_loses_a_line_of_usi() {
    let read = read("position startpos moves 7g7f 3c3d 2g2c win");
    assert_eq!((read.moves(), read.end()), (2, (End::Foul, Some(Sente))));
    assert!(read.record.ending().unwrap().illegal_move.is_some());
    let read = self::read("position startpos moves 7g7f 3c3d 2g2c resign");
    assert_eq!((read.moves(), read.end()), (2, (End::Resignation, Some(Gote))));
    assert_eq!(read.notices.len(), 1);
}

/// The board of a start without promoted pieces and empty hands, drawn without a line that says who begins.
fn diagram(sfen: &str) -> String {
    let mut text = String::from(
        "後手の持駒：なし\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n",
    );
    for rank in sfen.split(' ').next().unwrap().split('/') {
        text.push('|');
        for letter in rank.chars() {
            if let Some(count) = letter.to_digit(10) {
                text.push_str(&" ・".repeat(count as usize));
                continue;
            }
            text.push(if letter.is_lowercase() { 'v' } else { ' ' });
            let at = "PLNSGBRK".find(letter.to_ascii_uppercase()).unwrap();
            text.extend("歩香桂銀金角飛玉".chars().nth(at));
        }
        text.push_str("|\n");
    }
    text + "+---------------------------+\n先手の持駒：なし\n"
}

/// A legal first move of Gote in every handicap.
const GOTE_FIRST: [&str; 2] = ["△５二玉 ▲７六歩", "1 ５二玉(51)\n2 ７六歩(77)"];

#[test]
fn the_name_of_a_handicap_says_who_begins() {
    use shogi_records::Recorded as _;
    for (name, sfen) in Shogi::HANDICAPS {
        let own = usi::parse::<Shogi>(&format!("sfen {sfen} moves 5a5b 7g7f")).unwrap();
        let board = diagram(sfen);
        let short = name.trim_end_matches('ち');
        for (title, board) in
            [(*name, ""), (*name, board.as_str()), (short, ""), (short, board.as_str())]
        {
            for moves in GOTE_FIRST {
                let text = format!("手合割：{title}\n{board}上手：上\n下手：下\n{moves}\n");
                let read = read(&text);
                assert_eq!(usi::write(&read.record), usi::write(&own), "{text}");
                assert_eq!(read.notices, Vec::<String>::new(), "{text}");
            }
            let text = format!("手合割：{title}\n{board}上手：上\n");
            assert_eq!(read(&text).record.start(), own.start(), "{text}");
        }
        for format in Format::ALL {
            let again = format.parse::<Shogi>(&format.write(&own).unwrap()).unwrap();
            assert_eq!(usi::write(&again), usi::write(&own), "{format}");
        }
    }
}

#[test]
fn the_first_move_says_who_begins_in_a_diagram() {
    let board = diagram("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL")
        .replace("先手の", "下手の")
        .replace("後手の", "上手の");
    for title in ["", "手合割：その他\n", "手合割：詰将棋\n", "手合割：七枚落ち\n"]
    {
        for moves in GOTE_FIRST {
            let text = format!("{title}{board}{moves}\n");
            assert_eq!((read(&text).moves(), read(&text).notices.len()), (2, 0), "{text}");
        }
        for moves in ["▲７六歩 △５二玉", "1 ７六歩(77)\n2 ５二玉(51)"] {
            let text = format!("{title}{board}{moves}\n");
            assert_eq!((read(&text).moves(), read(&text).notices.len()), (2, 0), "{text}");
        }
        // A line that says it counts more.
        let text = format!("{title}{board}下手番\n△５二玉\nまで1手で上手の反則負け\n");
        assert_eq!((read(&text).moves(), read(&text).record.winner()), (0, Some(Sente)), "{text}");
    }
    let plain = diagram("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL");
    let text = format!("手合割：平手\n{plain}△３四歩\nまで1手で後手の反則負け\n");
    let read = read(&text);
    assert_eq!((read.moves(), read.record.winner()), (0, Some(Sente)), "{text}");
}

#[test]
fn a_kif_without_an_end_behind_a_double_move_is_read_too() {
    let read = read(&format!("手合割：平手\n{DOUBLE_KIF}"));
    assert_eq!((read.moves(), read.end()), (1, (End::Foul, Some(Sente))));
}

/// Results with another cause than the end above them: the winner whom they name holds.
#[test]
fn a_result_that_names_another_winner_than_the_end_above_it_holds() {
    for (word, result, end, winner) in [
        ("投了", "後手の反則負け", End::Foul, Sente),
        ("投了", "時間切れにより先手の勝ち", End::TimeUp, Sente),
        ("詰み", "二歩により先手の勝ち", End::Foul, Sente),
        ("切れ負け", "後手の反則負け", End::Foul, Sente),
        ("反則負け", "時間切れにより先手の勝ち", End::TimeUp, Sente),
        ("中断", "後手の反則負け", End::Foul, Sente),
        ("千日手", "時間切れにより後手の勝ち", End::TimeUp, Gote),
    ] {
        let text =
            format!("手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 {word}\nまで2手で{result}\n");
        let read = read(&text);
        assert_eq!(read.record.winner(), Some(winner), "{text}");
        assert_eq!(read.end().0, end, "{text}");
        assert!(read.comments().iter().any(|comment| comment.contains(word)), "{text}");
        assert_eq!(read.notices.len(), 1, "{text}");
        is_written_everywhere(&read.record);
    }
    // With the same winner the end stays, and the result is a comment.
    let text =
        "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 投了\nまで2手で時間切れにより後手の勝ち\n";
    let read = read(text);
    assert_eq!((read.end().0, read.record.winner()), (End::Resignation, Some(Gote)));
}

#[test]
fn a_result_names_players_by_side_name_or_mark() {
    for (result, end, winner) in [
        ("乙川の勝ち", End::Resignation, Gote),
        ("乙川八段の勝ち", End::Resignation, Gote),
        ("甲野の勝ち", End::Resignation, Sente),
        ("☖の勝ち", End::Resignation, Gote),
        ("▲の勝ち", End::Resignation, Sente),
        ("▲の反則負け", End::Foul, Gote),
        ("時間切れにより甲野の勝ち", End::TimeUp, Sente),
        ("先手の二歩による反則負け", End::Foul, Gote),
        ("先手の王手放置による反則負け", End::Foul, Gote),
        ("先手の反則負", End::Foul, Gote),
        ("後手の反則勝", End::Foul, Gote),
        ("後手の勝ち（先手の反則）", End::Foul, Gote),
    ] {
        let text = format!("先手：甲野\n後手：乙川\n\n▲７六歩    △３四歩\nまで2手で{result}\n");
        let read = read(&text);
        assert_eq!((read.end().0, read.record.winner()), (end, Some(winner)), "{text}");
        is_written_everywhere(&read.record);
    }
}

#[test]
fn a_foul_stays_one_whatever_cause_is_given() {
    for result in ["先手の二手指しによる反則負け", "先手の二手指しで反則負け", "わからない言葉"]
    {
        let text = format!(
            "手合割：平手\n\n▲７六歩    △３四歩    ▲２六歩    ▲２五歩\nまで3手で{result}\n"
        );
        let read = read(&text);
        assert_eq!((read.end().0, read.record.winner()), (End::Foul, Some(Gote)), "{text}");
    }
}

#[test]
fn comments_of_an_end_that_jkf_has_no_word_for_stay_with_the_last_move() {
    let text = "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 投了\nまで2手で先手の勝ち\n";
    let read = read(text);
    let jkf = Format::Jkf.write(&read.record).unwrap();
    assert!(jkf.contains("3 投了"), "{jkf}");
}
