//! A tiny world with a win of more plies than a byte holds.

use std::collections::HashSet;
use std::sync::LazyLock;

use shogi_core::*;
use shogi_rules::{Outcome, Reason, Rules, to_sfen};
use shogi_tablebase::{World, shogi_core};

geometry! {
    /// Three files and eight ranks.
    pub Board3x8: 3 x 8 in u32;
}

/// Kings and an elephant on a long trail of positions: who leaves it has lost, and at its end there is
/// no other way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Trail;

impl RuleTable for Trail {
    type Geometry = Board3x8;
    const KINDS: &'static [KindSpec] =
        &[KindSpec::new('E', 1, Movement::ELEPHANT, None), KindSpec::royal('K')];

    fn is_over(placement: &Placement<Self>) -> bool {
        !TRAIL.contains(&name(placement))
    }
}

impl Rules for Trail {
    const NAME: &'static str = "trail";
    const START: &'static str = "1k1/3/3/3/3/3/3/EK1 b - 1";

    fn ending(placement: &Placement<Self>) -> Option<Outcome> {
        Self::is_over(placement).then(|| Outcome::win(placement.side(), Reason::Stalemate))
    }
}

impl World for Trail {}

/// Positions on the trail. The winner is to move in the first one, the third one and so on.
pub const LENGTH: usize = 244;

/// The trail, by names of positions.
static TRAIL: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let start = shogi_rules::parse_sfen(Trail::START).expect("a position").0;
    (1..).find_map(|seed| trail(start, seed)).expect("a trail")
});

/// A name for a position, its mirror image and both with the players exchanged.
fn name(placement: &Placement<Trail>) -> String {
    let exchanged = placement.exchange_colours();
    let sente = if placement.side() == Colour::Sente { placement } else { &exchanged };
    to_sfen(sente).min(to_sfen(&sente.mirror()))
}

fn after(placement: &Placement<Trail>) -> Vec<Placement<Trail>> {
    placement.legal_moves().into_iter().map(|mv| placement.play_unchecked(mv)).collect()
}

/// Walks at random until the trail is long enough. No earlier position but the last has a move to one
/// in which the loser is to move, and this has none to an earlier one: so the winner cannot be faster,
/// and the loser neither turns back nor leaves the winner in place.
fn trail(start: Placement<Trail>, mut seed: u64) -> Option<HashSet<String>> {
    let mut last = start;
    let mut trail = HashSet::from([name(&start)]);
    // The positions that can follow those before the last.
    let mut passed = HashSet::new();
    while trail.len() < LENGTH {
        let loser_is_next = trail.len() % 2 == 1;
        let mut next = after(&last);
        let is_met = |placement: &Placement<Trail>| trail.contains(&name(placement));
        let is_apart = |placement: &Placement<Trail>| {
            !passed.contains(&name(placement)) && !after(placement).iter().any(is_met)
        };
        let moves: Vec<_> = next.iter().map(name).collect();
        next.retain(|placement| !is_met(placement) && (!loser_is_next || is_apart(placement)));
        seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        last = *next.get((seed >> 33) as usize % next.len().max(1))?;
        passed.extend(moves);
        trail.insert(name(&last));
    }
    Some(trail)
}
