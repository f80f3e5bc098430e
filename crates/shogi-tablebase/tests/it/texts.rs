//! Worlds that are read as text: every value against the list of all positions.

use shogi_rules::text::TextVariant;
use shogi_rules::{SmallBoard, rules_hash};
use shogi_tablebase::shogi_core::NotClassic;
use shogi_tablebase::{Index, IndexError, Members, PieceSet, Stored, Tablebase};

use crate::values::{agrees, build};

/// A game on nine squares with these pieces, its start, and more lines before and after them.
fn text(start: &str, before: &str, pieces: &str, after: &str) -> TextVariant {
    let text = format!(
        "name = \"nine\"\nstart = \"{start}\"\npromotion.zone = 1\n{before}\n[pieces]\n{pieces}\n\
         K = {{ front = \"king\", royal = true }}\n{after}\n[repetition]\nresult = \"draw\"\nperpetual_check = \"legal\"\n"
    );
    TextVariant::load(&text).unwrap_or_else(|error| panic!("{text}{error}"))
}

/// Compares every value with the list, and checks the file by the rules; the plies of the longest game.
fn all_agree(variant: TextVariant) -> u32 {
    variant.rules().within(|| {
        let full = PieceSet::<SmallBoard>::full();
        let longest = agrees::<SmallBoard>(&full.to_string());
        let path = build(full, Stored::Plies, &format!("text-{:x}", rules_hash::<SmallBoard>()[0]));
        let table = Tablebase::<SmallBoard>::open(&path).unwrap();
        table.verify_all(|_| {}).unwrap();
        std::fs::remove_file(path).unwrap();
        longest
    })
}

const ROOK: &str = "P = { front = \"pawn\", back = \"gold\" }\nR = { front = \"rook\" }";
const KINGS: &str = "1k1/3/1K1 b RP 1";

#[test]
fn values_of_games_as_text_agree_with_the_list() {
    assert!(all_agree(text(KINGS, "", ROOK, "")) > 5);
    all_agree(text(KINGS, "stalemate = \"draw\"", ROOK, ""));
    all_agree(text(
        KINGS,
        "",
        ROOK,
        "[moves]\ninto_check = \"legal\"\n[drops]\npawn_mate = \"legal\"",
    ));
    all_agree(text(
        KINGS,
        "promotion.when = \"capture\"",
        ROOK,
        "[drops]\npawns_on_a_file = \"any\"",
    ));
}

#[test]
fn values_of_pieces_of_ones_own_agree_with_the_list() {
    let frog =
        "A = { front = \"step F B + jump F2L1 F2R1\", back = \"slide FL FR up to 2 + step B\" }";
    all_agree(text("1k1/3/1K1 b 2A 1", "", frog, ""));
    let foot = "A = { front = \"step F\", captures = \"step FL FR\", back = \"gold\" }\n\
                S = { front = \"none\", drop_region = \"*b *c\" }";
    all_agree(text("1k1/3/1K1 b AS 1", "", foot, ""));
    let guard = "A = { front = \"rook\", region = \"*b *c\" }";
    all_agree(text("1k1/3/1K1 b 2A 1", "goal = 1", guard, ""));
    all_agree(text(
        "1k1/3/2K b 2A 1",
        "",
        "A = { front = \"rook\" }",
        "[moves]\nfacing_kings = \"illegal\"",
    ));
}

#[test]
fn games_whose_values_do_not_follow_from_moves_alone_are_refused_by_the_rule() {
    let refused = |variant: TextVariant| {
        variant.rules().within(|| {
            let full = PieceSet::<SmallBoard>::full();
            // All positions can be listed, since repetitions do not matter to that.
            assert!(Index::new(full, Members::All).is_ok());
            Index::new(full, Members::Safe).unwrap_err()
        })
    };
    let duty = text(KINGS, "", ROOK, "[moves]\ncaptures = \"forced\"");
    assert_eq!(refused(duty), NotClassic::MustCapture.into());
    let points = text(KINGS, "impasse = \"24 points\"", ROOK, "");
    assert_eq!(refused(points), IndexError::Impasse);
    let perpetual = "name = \"nine\"\nstart = \"1k1/3/1K1 b - 1\"\n[pieces]\nK = { front = \"king\", royal = true }\n";
    assert_eq!(refused(TextVariant::load(perpetual).unwrap()), IndexError::PerpetualCheck);
    let lopsided = text("1k1/3/1K1 b 2A 1", "", "A = { front = \"step F R\" }", "");
    lopsided.rules().within(|| {
        let index = Index::new(PieceSet::<SmallBoard>::full(), Members::All);
        assert_eq!(index.unwrap_err(), IndexError::Mirror);
    });
}
