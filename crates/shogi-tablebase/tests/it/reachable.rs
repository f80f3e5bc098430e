//! Positions that can arise from a start, against a search over placements.

use std::collections::BTreeSet;

use shogi_core::{Colour, Placement, RuleTable as _};
use shogi_rules::{Dobutsu, parse_sfen, to_sfen};
use shogi_tablebase::{Reachable, shogi_core};

/// A name for a position, its mirror image and both with the players exchanged.
fn name(placement: &Placement<Dobutsu>) -> String {
    let exchanged = placement.exchange_colours();
    let sente = if placement.side() == Colour::Sente { placement } else { &exchanged };
    to_sfen(sente).min(to_sfen(&sente.mirror()))
}

/// The number of positions from a start.
fn count(start: Placement<Dobutsu>, until_capture: bool) -> u64 {
    let mut met = BTreeSet::from([name(&start)]);
    let mut open = vec![start];
    while let Some(placement) = open.pop() {
        let capturable = placement.in_check(!placement.side());
        if Dobutsu::is_over(&placement) || until_capture && capturable {
            continue;
        }
        for mv in placement.legal_moves() {
            let after = placement.play_unchecked(mv);
            if Colour::ALL.iter().all(|&c| after.king(c).is_some()) && met.insert(name(&after)) {
                open.push(after);
            }
        }
    }
    met.len() as u64
}

#[test]
fn each_position_that_arises_from_a_start_is_counted_once() {
    // Both lions on the middle file: of the two mirror images one has the larger number.
    for sfen in ["1l1/3/3/EL1 b - 1", "1l1/3/3/1LE b - 1", "1l1/1c1/3/1L1 w - 1"] {
        let start = parse_sfen(sfen).unwrap().0;
        for until_capture in [false, true] {
            let [all] = Reachable::new(&start, until_capture).unwrap().count(|_| 0);
            assert_eq!(all, count(start, until_capture), "{sfen}");
        }
    }
}
