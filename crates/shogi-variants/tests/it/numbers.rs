//! Numbers of positions, whoever is to move.
#![cfg(feature = "rank")]

use shogi_variants::Variant;
use shogi_variants::operations::Numbering;

#[test]
fn a_position_with_gote_to_move_has_the_number_of_the_one_with_colours_exchanged() {
    for (variant, orders) in [
        (Variant::Minishogi, ["native", "ishii-tanaka", "king-legal"].as_slice()),
        (Variant::KyotoShogi, &["native", "king-legal"]),
        (Variant::Shogi, &["native"]),
        (Variant::Dobutsu, &["native"]),
    ] {
        let moves = variant.rules().moves("startpos", None).unwrap().moves;
        for order in orders {
            let numbering: Numbering = order.parse().unwrap();
            let numbered = variant.ranking().numbered(numbering).unwrap();
            for mv in &moves {
                let ranked = numbered.rank(&format!("startpos moves {mv}")).unwrap();
                assert!(ranked.exchanged, "{variant} {order}: {mv}");
                // The number leads back to it, from the view of the other player.
                let sfen = numbered.unrank(&ranked.rank, None).unwrap();
                assert!(sfen.contains(" b "), "{sfen}");
                let again = numbered.rank(&sfen).unwrap();
                assert_eq!((again.rank, again.exchanged), (ranked.rank, false), "{sfen}");
            }
        }
    }
}
