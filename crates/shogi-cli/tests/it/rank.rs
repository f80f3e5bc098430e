//! The verbs of the space of candidates: rank, unrank, count.

use crate::common;

use common::{START, shogi, shogi_with};
use serde_json::{Value, json};

/// The number of Minishogi's candidates.
const SIZE: u64 = 16_014_219_505_238_849_250;

#[test]
fn orders_number_as_published() {
    let answer = shogi_with("unrank minishogi --order ishii-tanaka", "1\n").json();
    assert_eq!(answer, json!({ "in": "1", "sfen": "kpb2/Ksb2/gs3/gr3/pr3 b - 1" }));
    let answer = shogi_with("rank minishogi --order ishii-tanaka", START).json();
    assert_eq!(answer, json!({ "in": START, "rank": "922954480167522874" }));
    let blanks = shogi_with("unrank minishogi", " 5 \n5\n").lines();
    assert_eq!(blanks[0]["sfen"], blanks[1]["sfen"]);
    shogi("rank minishogi --order alphabetical").fails(2, "native, ishii-tanaka and king-legal");
}

#[test]
fn only_legal_positions_have_a_number_among_them() {
    let beyond = shogi_with("unrank minishogi --order king-legal", "3444239420851162025\n");
    assert!(beyond.lines()[0]["error"].as_str().unwrap().contains("outside the space"));
    let checked = "4k/4R/5/5/K4 b R2B2G2S2P 1";
    let run = shogi_with("rank minishogi --order king-legal", format!("{checked}\n"));
    assert!(run.lines()[0]["error"].as_str().unwrap().contains("check"), "{}", run.stdout);
    shogi("rank shogi --order king-legal").fails(2, "too large");
}

#[test]
fn count_names_the_classes_of_checks() {
    let answer = shogi("count minishogi --strata --json").json();
    let size = |value: &serde_json::Value| value.as_str().unwrap().parse::<u64>().unwrap();
    let classes = answer["strata"]["classes"].as_array().unwrap();
    let first = json!({ "checks": "quiet by a bare king on a bare king", "size": "110808" });
    assert_eq!(classes[0], first);
    let excluded = size(&answer["strata"]["excluded"]);
    let sum: u64 = excluded + classes.iter().map(|class| size(&class["size"])).sum::<u64>();
    assert_eq!((excluded, sum), (2_108_475_168_251_078_526, 6_888_478_838_177_592_162));
    let text = shogi("count kyotoshogi --strata").stdout;
    assert!(text.contains("excluded") && text.contains("2759650189031165"), "{text}");
    shogi("count shogi --strata").fails(2, "too large");
    shogi("count dobutsu --strata").fails(2, "not available for dobutsu: kings can be captured");
}

#[test]
fn what_has_no_rank_and_no_placement_says_why() {
    let run = shogi_with("unrank minishogi", format!("{SIZE}\n-1\n1e3\n{}\n5 5", "9".repeat(500)));
    assert_eq!(run.code, Some(1));
    let errors = ["outside the space", "'-' is no", "'e' is no", "at most", "' ' is no"];
    for (answer, error) in run.lines().iter().zip(errors) {
        assert!(answer["error"].as_str().unwrap().contains(error), "{answer}");
    }
    let incomplete = "4k/5/5/5/K4 w - 1";
    let run = shogi_with("rank minishogi", incomplete);
    assert_eq!(run.code, Some(1));
    assert!(run.lines()[0]["error"].as_str().unwrap().contains("missing"), "{}", run.stdout);
}

#[test]
fn numbers_say_whether_they_are_of_the_exchanged_position_or_of_the_mirror_image() {
    let start = shogi_with("rank minishogi", START).json()["rank"].clone();
    let turned = "rbsgk/4p/5/P4/KGSBR w - 1";
    let mirrored = "kgsbr/p4/5/4P/RBSGK b - 1";
    let both = "kgsbr/p4/5/4P/RBSGK w - 1";
    for (sfen, flags) in [
        (turned, json!({ "exchanged": true })),
        (mirrored, json!({ "mirrored": true })),
        (both, json!({ "exchanged": true, "mirrored": true })),
    ] {
        let mut expected = json!({ "in": sfen, "rank": start });
        for (flag, value) in flags.as_object().unwrap() {
            expected[flag] = value.clone();
        }
        assert_eq!(shogi_with("rank minishogi", sfen).json(), expected);
    }
}

#[test]
fn count_gives_exact_decimal_strings() {
    let folded = shogi("count minishogi --json").json();
    assert_eq!(folded["candidates"], SIZE.to_string());
    assert_eq!(folded["flip"], "15497631786737057850");
    assert_eq!(folded["king"], "3444239420851162025");
    assert_eq!(shogi("count minishogi --mirror folded --json").json(), folded);
    let distinct = shogi("count minishogi --mirror distinct --json").json();
    assert_eq!(distinct["candidates"], "30995263558526805000");
    assert_eq!(distinct["pawn"], "24917722146793660410");
    assert_eq!(distinct["king"], "6888478838177592162");
    assert_eq!(distinct["pawn_kings_apart"], "18967288597804483326");
    let by_hand: Vec<u128> = folded["by_hand"]
        .as_array()
        .unwrap()
        .iter()
        .map(|number| number.as_str().unwrap().parse().unwrap())
        .collect();
    assert_eq!(by_hand.len(), 11);
    assert_eq!(folded["total"], by_hand.iter().sum::<u128>().to_string());
    assert_eq!(folded["total"], distinct["candidates"]);
    let text = shogi("count minishogi").stdout;
    assert!(text.contains("16014219505238849250") && text.contains("after king"), "{text}");
    assert!(!shogi("count shogi").stdout.contains("after king"));
    assert_eq!(shogi("count shogi --json").json().get("king"), Some(&Value::Null));
    shogi("count minishogi --mirror sideways").fails(2, "distinct, folded");
}

#[test]
fn count_takes_the_pieces_of_a_start() {
    let rkb = shogi("count shogi34 --start RKB --json").json();
    assert_eq!(rkb, shogi("count shogi34 --start BRK --json").json());
    // Kings, then two pawns, two bishops and two rooks in either hand.
    assert_eq!(rkb["by_hand"][6], (12 * 11 * 3 * 3 * 3).to_string());
    // All on the board: 10 squares for 6 pieces, each with two faces and two owners.
    let on_board = 12 * 11 * (10 * 9 / 2) * (8 * 7 / 2) * (6 * 5 / 2) * 4u64.pow(6);
    assert_eq!(rkb["by_hand"][0], on_board.to_string());
    assert!(rkb.get("pawn").is_none(), "{rkb}");
    let text = shogi("count shogi34 --start RKB").stdout;
    assert!(text.contains(rkb["total"].as_str().unwrap()), "{text}");
    shogi("count shogi34 --start RKX").fails(2, "RKX");
}

#[test]
fn the_text_of_a_count_leaves_out_rows_without_placements() {
    let text = shogi("count shogi34").stdout;
    let rows: Vec<_> = text.lines().filter(|line| line.contains(" in hand ")).collect();
    assert_eq!(rows.len(), 11, "{text}");
    assert!(rows.iter().all(|row| !row.ends_with(" 0")), "{text}");
    let all = shogi("count shogi34 --json").json();
    assert_eq!(all["by_hand"][0], "0");
}
