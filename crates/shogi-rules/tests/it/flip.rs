//! Which of two mirror images stands for both, where the kings do not decide.

use std::collections::BTreeSet;

use shogi_rules::shogi_core::passes_flip;
use shogi_rules::{Minishogi, Shogi, parse_sfen, to_sfen};
use testing::random::Random;
use testing::sample::{Style, scatter};

/// The pieces of a printed board: `+p` at a column from the left and a row from the top.
fn pieces(board: &str) -> Vec<(String, (usize, usize))> {
    let mut pieces = Vec::new();
    for (row, text) in board.split('/').enumerate() {
        let (mut column, mut promoted) = (0, false);
        for character in text.chars() {
            if let Some(empty) = character.to_digit(10) {
                column += empty as usize;
            } else if character == '+' {
                promoted = true;
            } else {
                let plus = if promoted { "+" } else { "" };
                pieces.push((format!("{plus}{character}"), (column, row)));
                (column, promoted) = (column + 1, false);
            }
        }
    }
    pieces
}

/// The rule in its own words, on the printed board of Minishogi: Sente's king, Gote's king, then for
/// each kind in the order G P S R B: promoted Sente's, promoted Gote's, unpromoted Sente's, unpromoted
/// Gote's; at the first difference between a set and its mirror image, columns from the left and
/// downwards, the position with a piece on the lower square stays.
fn stays(board: &str) -> bool {
    let pieces = pieces(board);
    let kinds = ["G", "P", "S", "R", "B"];
    let of_kind = |kind: &str| {
        let small = kind.to_lowercase();
        [format!("+{kind}"), format!("+{small}"), kind.to_owned(), small]
    };
    let sets =
        ["K".to_owned(), "k".to_owned()].into_iter().chain(kinds.into_iter().flat_map(of_kind));
    for name in sets {
        let squares = pieces.iter().filter(|(piece, _)| *piece == name).map(|&(_, square)| square);
        let here: BTreeSet<_> = squares.collect();
        let mirrored = here.iter().map(|&(column, row)| (4 - column, row)).collect();
        if let Some(lowest) = here.symmetric_difference(&mirrored).min() {
            return here.contains(lowest);
        }
    }
    true
}

/// Positions with both kings on the middle file, and whether they stay; found by hand.
const EXAMPLES: [(&str, bool); 32] = [
    // One kind: the left one stays.
    ("2k2/G4/5/5/2K2", true),
    ("2k2/4G/5/5/2K2", false),
    ("2k2/g4/5/5/2K2", true),
    ("2k2/4g/5/5/2K2", false),
    // Sente's before Gote's.
    ("2k2/g3G/5/5/2K2", false),
    ("2k2/G3g/5/5/2K2", true),
    // What stands on the middle file or in pairs says nothing.
    ("2k2/5/2G2/4g/2K2", false),
    ("2k2/1g1g1/5/+S3s/2K2", true),
    ("2k2/1g1g1/5/S3+s/2K2", false),
    ("2k2/2P2/4+s/S4/2K2", false),
    // A position that is its own mirror image.
    ("2k2/2G2/2p2/1b1b1/2K2", true),
    // Gold before pawn, pawn before silver, silver before rook, rook before bishop.
    ("2k2/P3G/5/5/2K2", false),
    ("2k2/G3P/5/5/2K2", true),
    ("2k2/+P3g/5/5/2K2", false),
    ("2k2/S3p/5/5/2K2", false),
    ("2k2/p3S/5/5/2K2", true),
    ("2k2/+S3p/5/5/2K2", false),
    ("2k2/R3s/5/5/2K2", false),
    ("2k2/s3+R/5/5/2K2", true),
    ("2k2/B3R/5/5/2K2", false),
    ("2k2/r3+B/5/5/2K2", true),
    ("2k2/b3+R/5/5/2K2", false),
    // Promoted before unpromoted, whoever they belong to.
    ("2k2/P3+P/5/5/2K2", false),
    ("2k2/+P3P/5/5/2K2", true),
    ("2k2/P3+p/5/5/2K2", false),
    ("2k2/+p3P/5/5/2K2", true),
    ("2k2/+p3+P/5/5/2K2", false),
    ("2k2/+B3+b/5/5/2K2", true),
    // Of several the lowest square that has no counterpart: columns first.
    ("2k2/4s/s4/5/2K2", false),
    ("2k2/s4/4s/5/2K2", true),
    ("2k2/3G1/G4/5/2K2", true),
    ("2k2/1G3/4G/5/2K2", false),
];

#[test]
fn with_both_kings_on_the_middle_file_the_other_pieces_decide() {
    for (board, expected) in EXAMPLES {
        assert_eq!(stays(board), expected, "{board}");
        let (placement, _) = parse_sfen::<Minishogi>(&format!("{board} b - 1")).unwrap();
        assert_eq!(passes_flip(&placement), expected, "{board}");
        let mirror = placement.mirror();
        assert_eq!(passes_flip(&mirror), !expected || mirror == placement, "{board}");
    }
}

#[test]
fn random_positions_of_minishogi_agree_with_the_rule_in_words() {
    let mut random = Random::new(5);
    let mut undecided_by_kings = 0;
    for number in 0..20_000 {
        let placement = scatter::<Minishogi>(&mut random, Style::ALL[number % Style::ALL.len()]);
        let sfen = to_sfen(&placement);
        let board = sfen.split(' ').next().unwrap();
        assert_eq!(passes_flip(&placement), stays(board), "{sfen}");
        undecided_by_kings += usize::from(
            pieces(board)
                .iter()
                .filter(|(piece, (column, _))| piece.eq_ignore_ascii_case("k") && *column == 2)
                .count()
                == 2,
        );
    }
    assert!(undecided_by_kings > 500, "{undecided_by_kings}");
}

#[test]
fn other_rule_tables_compare_their_faces_in_the_order_of_the_table() {
    // Standard shogi: pawn, lance, ..., and fronts before backs.
    for (board, expected) in [
        ("4k4/9/9/P7G/9/9/9/9/4K4", true),
        ("4k4/9/9/P7+P/9/9/9/9/4K4", true),
        ("4k4/9/9/+P7P/9/9/9/9/4K4", false),
        ("4k4/9/9/p7P/9/9/9/9/4K4", false),
    ] {
        let (placement, _) = parse_sfen::<Shogi>(&format!("{board} b - 1")).unwrap();
        assert_eq!(passes_flip(&placement), expected, "{board}");
    }
}
