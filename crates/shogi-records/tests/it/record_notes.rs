//! Comments and bookmarks, and variations that only end, in the formats that have them.

use shogi_records::{Branch, End, Ending, Format, Record, jkf, json, ki2, kif};
use shogi_rules::shogi_core::Colour;
use shogi_rules::{Shogi, parse_usi};

/// The record of a few moves.
fn record(moves: &[&str]) -> Record<Shogi> {
    let mut record = Record::from_start();
    for mv in moves {
        record.push(parse_usi(mv).unwrap()).unwrap();
    }
    record
}

#[test]
fn a_comment_that_begins_as_a_bookmark_stays_a_comment() {
    for comment in ["&", "&mark", " &mark", "   && mark", " plain", "a&b", "'&"] {
        let mut noted = record(&["7g7f"]);
        noted.comments.push(comment.to_owned());
        noted.bookmarks.push(comment.to_owned());
        let one = noted.push(parse_usi("3c3d").unwrap()).unwrap();
        one.comments.push(comment.to_owned());
        one.bookmarks.push("mark".to_owned());
        noted.end(Ending { comments: vec![comment.to_owned()], ..End::Resignation.into() });
        let of_jkf = jkf::parse::<Shogi>(&jkf::write(&noted).unwrap()).unwrap();
        assert_eq!(of_jkf, noted, "{comment:?}");
        let of_kif = kif::parse::<Shogi>(&kif::write(&of_jkf).unwrap()).unwrap();
        assert_eq!(of_kif, noted, "{comment:?}");
        assert_eq!(json::parse::<Shogi>(&json::write(&of_kif)).unwrap(), noted, "{comment:?}");
    }
    // json-kifu-format has bookmarks so; a foreign comment that looks like one behind a space is written as it was.
    let text =
        r#"{"header":{},"initial":{"preset":"HIRATE"},"moves":[{"comments":[" &one","&two"]}]}"#;
    let read = jkf::parse::<Shogi>(text).unwrap();
    assert_eq!(
        (&read.comments[..], &read.bookmarks[..]),
        (&["&one".to_owned()][..], &["two".to_owned()][..])
    );
    assert_eq!(jkf::write(&read).unwrap().trim_end(), text);
}

#[test]
fn a_variation_of_an_end_that_cannot_be_written_leaves_nothing_behind() {
    let lost_by_the_other = Ending { by: Some(Colour::Sente), ..End::TimeUp.into() };
    let in_two_lines = Ending::from(End::Other("a\nb".to_owned()));
    let count = |text: &str, word: &str| text.matches(word).count();
    for (format, heading, ending) in [
        (Format::Kif, "変化", lost_by_the_other.clone()),
        (Format::Kif, "変化", in_two_lines.clone()),
        (Format::Ki2, "変化", in_two_lines),
        (Format::Jkf, "forks", lost_by_the_other),
    ] {
        let plain = record(&["7g7f", "3c3d"]);
        let mut varied = plain.clone();
        varied.branch(Branch { line: 0, at: 1 });
        varied.end(ending);
        assert_eq!(varied.lines().len(), 2);
        let text = format.write(&varied).unwrap();
        assert_eq!(text, format.write(&plain).unwrap(), "{format:?}");
        let left_out = format.left_out(&varied);
        assert_eq!((left_out.ends, left_out.variations), (1, 0), "{format:?}");
        // What can be written beside it is.
        varied.branch(Branch { line: 0, at: 1 });
        varied.end(End::Resignation);
        varied.branch(Branch { line: 0, at: 1 });
        varied.push(parse_usi("8c8d").unwrap()).unwrap();
        let text = format.write(&varied).unwrap();
        let headings = if format == Format::Jkf { 1 } else { 2 };
        assert_eq!(count(&text, heading), headings, "{text}");
        let read = &format.parse_all::<Shogi>(&text).unwrap()[0];
        assert_eq!(read.lines().len(), 3, "{text}");
    }
}

#[test]
fn notes_are_of_the_move_before_them_also_at_the_beginning_of_a_variation() {
    let text = "手合割：平手\n*start\n手数----指手---------消費時間--\n*start too\n   1 ７六歩(77)\n*1\n   2 ３四歩(33)\n&2\n\
                   3 ２六歩(27)\n*3\nまで3手で中断\n*end\n&end\n\n変化：3手\n*2 again\n   3 ６六歩(67)\n*3b\n\
                変化：2手\n*1 again\n   2 ８四歩(83)\n&2b\n   3 投了\n*end of 2b\n";
    let read = kif::parse::<Shogi>(text).unwrap();
    assert_eq!(read.comments, ["start", "start too"]);
    let notes = |line: usize, at: usize| {
        let one = &read.lines()[line].moves()[at];
        (one.comments.join("|"), one.bookmarks.join("|"))
    };
    let pair = |comments: &str, bookmarks: &str| (comments.to_owned(), bookmarks.to_owned());
    assert_eq!(notes(0, 0), pair("1|1 again", ""));
    assert_eq!(notes(0, 1), pair("2 again", "2"));
    assert_eq!(notes(0, 2), pair("3", ""));
    assert_eq!(notes(1, 0), pair("3b", ""));
    assert_eq!(notes(2, 0), pair("", "2b"));
    let end = |line: usize| read.lines()[line].ending().unwrap().comments.join("|");
    assert_eq!((end(0), end(2)), ("end".to_owned(), "end of 2b".to_owned()));
    assert_eq!(
        ki2::parse::<Shogi>("*0\n▲７六歩 △３四歩\n*2\n変化：2手\n*1\n△８四歩\n").unwrap().moves()
            [0]
        .comments,
        ["1"]
    );
}
