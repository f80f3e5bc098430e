//! Comments and bookmarks in the formats that have them.

use shogi_rules::record::{End, Ending, Record, jkf, json, kif};
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
