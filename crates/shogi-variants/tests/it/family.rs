//! The modules are one family: what one gives, the others take.
#![cfg(all(feature = "reach", feature = "solve"))]

use shogi_variants::core::Placement;
use shogi_variants::rank::{Order, Space};
use shogi_variants::rules::{Minishogi, Rules, parse_position};
use shogi_variants::solve::reach::{Reach, SearchLimit, Stage};

#[test]
fn the_start_has_a_rank_and_is_reachable() {
    let start: Placement<Minishogi> = *parse_position(Minishogi::START).unwrap().placement();
    let space = Space::<Minishogi>::new().unwrap();
    let rank = space.rank::<u64>(&start, Order::Native).unwrap();
    assert_eq!(space.unrank(rank, Order::Native).unwrap(), start);
    assert_eq!(Reach::<Minishogi>::new(SearchLimit::default()).reach(&start), Stage::Ok);
}
