//! Published values, against the pages that they are published on.

use std::collections::BTreeMap;
use std::fs;

use shogi_variants::Variant;
use shogi_variants::rules::Verdict;

/// A page of results; `None` outside of the repository.
fn page(name: &str) -> Option<String> {
    fs::read_to_string(format!("{}/../../docs/results/{name}", env!("CARGO_MANIFEST_DIR"))).ok()
}

/// The cells of the rows of tables.
fn cells(page: &str) -> impl Iterator<Item = Vec<&str>> {
    let rows = page.lines().filter(|line| line.starts_with('|'));
    rows.map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
}

/// A value as pages print it.
fn printed(variant: Variant, position: &str) -> String {
    let known = variant.known_value(position).unwrap().unwrap();
    match known.plies {
        Some(plies) => format!("{} in {plies}", known.value),
        None => known.value.to_string(),
    }
}

#[test]
fn every_position_with_a_published_value_is_legal_and_stands_once() {
    let mut all = 0;
    for (name, _) in Variant::built_in() {
        let variant = Variant::built_in_named(name).unwrap();
        let mut seen = BTreeMap::new();
        for position in variant.known_positions() {
            let position = position.unwrap();
            let known = variant.known_value(&position).unwrap().unwrap();
            assert_eq!(known.plies.is_none(), known.value == Verdict::Draw, "{position}");
            assert!(page(known.page).is_some_and(|page| page.len() > 1_000), "{}", known.page);
            let sfen = variant.rules().position(&position, None).unwrap();
            assert_eq!(seen.insert(sfen, known), None, "{position}");
            all += 1;
        }
    }
    assert_eq!(all, 102);
}

#[test]
fn the_starts_of_3x4_shogi_have_the_values_of_their_page() {
    let page = page("tablebases.md").unwrap();
    let mut starts = 0;
    for row in cells(&page).filter(|row| row.len() == 8) {
        for (name, value) in [(row[0], row[1]), (row[4], row[5])] {
            let Ok(start) = Variant::Shogi34.rules().named_start(name) else { continue };
            assert_eq!(printed(Variant::Shogi34, &start), value, "{name}");
            starts += 1;
        }
    }
    assert_eq!(starts, 77);
}

#[test]
fn the_first_moves_that_lose_have_the_plies_of_their_pages() {
    for (variant, name, moves) in
        [(Variant::Minishogi, "minishogi_first_moves.md", 4), (Variant::KyotoShogi, "kyoto.md", 6)]
    {
        let page = page(name).unwrap();
        let lost = cells(&page).filter(|row| row.get(2) == Some(&"**won by Gote**"));
        let mut found = 0;
        for row in lost {
            let position = format!("startpos moves {}", row[0]);
            assert_eq!(printed(variant, &position), format!("win in {}", row[4]), "{position}");
            found += 1;
        }
        assert_eq!(found, moves, "{name}");
    }
}

#[test]
fn a_mirror_image_has_the_value_and_other_positions_have_none() {
    let start = Variant::Shogi34.rules().named_start("KBR").unwrap();
    assert_eq!(start, "rbk/2p/P2/KBR b - 1");
    let known = Variant::Shogi34.known_value(&start).unwrap();
    assert_eq!(Variant::Shogi34.known_value("kbr/p2/2P/RBK b - 1").unwrap(), known);
    assert_eq!(Variant::Shogi34.known_value("rbk/2p/P2/KBR w - 1").unwrap(), None);
    assert_eq!(Variant::Shogi.known_value("startpos").unwrap(), None);
    assert!(Variant::Shogi.known_value("9/9").is_err());
}
