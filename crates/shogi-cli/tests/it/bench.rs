//! `bench`: the signature of the player's search.

use crate::common;

use common::shogi;
use shogi_variants::Variant;

#[test]
fn the_nodes_are_the_same_in_every_run_and_those_of_all_variants_together() {
    let run = || shogi("bench --depth 4 --searches 5 --json").json();
    let (first, second) = (run(), run());
    assert_eq!(first["nodes"], second["nodes"]);
    let each = first["variants"].as_object().unwrap();
    assert_eq!(each.len(), Variant::ALL.len());
    let total: u64 = each.values().map(|variant| variant["nodes"].as_u64().unwrap()).sum();
    assert_eq!(first["nodes"], total);
    for (name, variant) in each {
        assert!(variant["searches"] == 5 && variant["nodes"].as_u64() > Some(100), "{name}");
    }
    assert!(first["nodes_per_second"].as_u64() > Some(0) && first["seconds"].is_f64());
}

#[test]
fn one_variant_has_the_nodes_that_it_has_among_all() {
    let all = shogi("bench --depth 3 --searches 4 --json").json();
    let one = shogi("bench dobutsu --depth 3 --searches 4 --json").json();
    assert_eq!(one["nodes"], all["variants"]["dobutsu"]["nodes"]);
    let deeper = shogi("bench dobutsu --depth 4 --searches 4").stdout;
    assert!(deeper.lines().count() == 2 && deeper.contains(" nodes/s)"), "{deeper}");
    shogi("bench dobutsu --depth 0").fails(2, "1..=100");
    shogi("bench chess").fails(2, "chess");
}
