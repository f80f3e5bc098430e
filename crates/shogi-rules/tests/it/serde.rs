//! Positions and moves in a data format.
#![cfg(feature = "serde")]

use serde::{Deserialize, Serialize};
use serde_json::{from_str, json, to_value};
use shogi_rules::shogi_core::{Move, Placement, Position};
use shogi_rules::{KyotoShogi, Minishogi, Rules};
use testing::for_every_variant;

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(bound = "")]
struct Record<R: Rules> {
    start: Position<R>,
    end: Placement<R>,
    last: Move<R>,
    moves: Vec<Move<R>>,
}

fn round_trip<R: Rules>() {
    let start: Position<R> = R::start();
    let moves: Vec<Move<R>> = start.legal_moves().into_iter().collect();
    let last = moves[0];
    let record = Record { start, end: start.placement().play_unchecked(last), last, moves };
    let text = serde_json::to_string(&record).unwrap();
    assert_eq!(from_str::<Record<R>>(&text).unwrap(), record);
}

for_every_variant!(every_variant_is_read_back: round_trip());

#[test]
fn the_dialect_is_the_variants_own() {
    let start = r#""p+nks+l/5/5/5/+LSK+NP b - 1""#;
    let sfen: Placement<KyotoShogi> = from_str(start).unwrap();
    assert_eq!(to_value(sfen).unwrap(), json!("pgkst/5/5/5/TSKGP b - 1"));
    let usi: Move<KyotoShogi> = from_str(r#""+N*4b""#).unwrap();
    assert_eq!(to_value(usi).unwrap(), json!("G*4b"));
}

#[test]
fn reasons_are_passed_on() {
    let record = |start: &str, last: &str| {
        let value = json!({
            "start": start, "end": "4k/5/5/5/K4 b - 1", "last": last, "moves": [],
        });
        serde_json::from_value::<Record<Minishogi>>(value).map_err(|error| error.to_string())
    };
    assert!(record(Minishogi::START, "5d5c").is_ok());
    let cases = [
        (record("rbsgk", "5d5c"), "at character 6: the board must have 5 ranks"),
        (
            record("5/5/5/5/5 b - 1", "5d5c"),
            "illegal position: Sente has no king; Gote has no king",
        ),
        (record(Minishogi::START, "5d5x"), "at character 4: a square is a file 1 to 5"),
    ];
    for (result, expected) in cases {
        let error = result.unwrap_err();
        assert!(error.starts_with(expected), "{error}");
    }
    let error = from_str::<Move<Minishogi>>("7").unwrap_err().to_string();
    assert!(error.contains("expected a move in USI notation"), "{error}");
    let error = from_str::<Placement<Minishogi>>("[]").unwrap_err().to_string();
    assert!(error.contains("expected a position in SFEN"), "{error}");
}
