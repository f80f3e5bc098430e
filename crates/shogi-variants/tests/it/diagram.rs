//! Pictures of positions.
#![cfg(feature = "record")]

use shogi_variants::core::Colour;
use shogi_variants::operations::{Diagram, Held, Mark};
use shogi_variants::rules::{Dialect, Shogi, parse_sfen};

#[test]
fn a_diagram_shows_what_sfen_says() {
    let sfen = "4k4/9/9/9/9/4+r4/9/9/P3K3b b 2RG12ps 1";
    let (placement, _) = parse_sfen::<Shogi>(sfen).unwrap();
    let diagram = Diagram::new(&placement, Dialect::Lishogi);
    assert_eq!((diagram.width(), diagram.ranks.len()), (9, 9));
    assert!(diagram.ranks.iter().all(|rank| rank.len() == 9));
    let dragon = Mark { face: "+R".to_owned(), kanji: '龍', colour: Colour::Gote };
    assert_eq!(diagram.ranks[5][4], Some(dragon));
    let held = |letter, kanji, count| Held { letter, kanji, count };
    assert_eq!(diagram.hands[0], [held('R', '飛', 2), held('G', '金', 1)]);
    assert_eq!(diagram.hands[1], [held('S', '銀', 1), held('P', '歩', 12)]);
}
