//! Garbage as input: each line gets its answer and nothing breaks.

use crate::common;

use std::collections::BTreeSet;

use common::shogi_with;
use proptest::prelude::*;

/// Lines that are nearly SFEN, moves or numbers, and lines of any bytes.
fn line() -> impl Strategy<Value = Vec<u8>> {
    let rank = "[1-9]|[+]?[a-zA-Z][0-9]|[plnsgbrkceteh+PLNSGBRKCE1-5]{0,6}";
    let board = prop::collection::vec(rank, 1..10).prop_map(|ranks| ranks.join("/"));
    let hands = "-|[0-9]{0,2}[plnsgbrkPLNSGBRKCEl]{0,3}|[0-9]{0,30}p";
    let sfen = (board, " [bwx]?", " ?", hands, "( [0-9]{0,12})?")
        .prop_map(|(board, side, gap, hands, number)| [board, side, gap, hands, number].concat());
    let bytes = prop::collection::vec(any::<u8>().prop_filter("no end", |b| *b != b'\n'), 0..40);
    prop_oneof![
        4 => sfen.prop_map(String::into_bytes),
        1 => "[0-9]{0,80}".prop_map(String::into_bytes),
        1 => ".{0,40}".prop_map(|text| text.replace('\n', "").into_bytes()),
        1 => bytes,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, failure_persistence: None, ..Default::default() })]

    #[test]
    fn every_line_is_answered(lines in prop::collection::vec(line(), 1..200)) {
        let mut input = lines.join(&b'\n');
        input.push(b'\n');
        let variants = ["minishogi", "kyotoshogi", "shogi", "shogi34", "dobutsu"];
        let verbs = ["moves", "unmoves", "rank", "unrank", "show --json"];
        let pairs = variants.iter().flat_map(|variant| verbs.map(|verb| format!("{verb} {variant}")));
        for verb in pairs.chain(["classify minishogi --certificate".to_owned()]) {
            let run = shogi_with(&verb, &input);
            prop_assert!(matches!(run.code, Some(0 | 1)), "{}: {}", verb, run.stderr);
            let answers = run.lines();
            prop_assert_eq!(answers.len(), lines.len());
            let kinds: BTreeSet<_> = answers.iter().map(|a| a.get("error").is_some()).collect();
            prop_assert_eq!(run.code == Some(1), kinds.contains(&true));
            for (answer, line) in answers.iter().zip(&lines) {
                let line = String::from_utf8_lossy(line);
                let line = line.strip_suffix('\r').unwrap_or(&line);
                prop_assert_eq!(answer["in"].as_str(), Some(line));
            }
        }
    }
}
