//! Positions that come apart while the kings pace (lemma L7) can be reached: against games that the rules have
//! checked, and against all positions of a small board.

use shogi_rank::{Ranking, Space};
use shogi_reach::{Certificate, Hub, Reach, SearchLimit, passes_king, passes_pawn};
use shogi_rules::shogi_core::{Colour, RuleTable};
use shogi_rules::{Gorogoro, Judkins, KyotoShogi, Minishogi, Rules, Shogi, to_sfen};
use testing::random::Random;
use testing::sample::{Style, legal};

use crate::whole::{PawnAndRook, Sliders, hubs, played};

/// How many of some positions with few pieces on the board come apart; each of them gets a game.
fn come_apart<R: Rules>(positions: usize) -> usize {
    let (reach, hub) = (Reach::<R>::new(SearchLimit::default()), Hub::new().unwrap());
    let mut random = Random::new(7);
    let mut found = 0;
    for _ in 0..positions {
        let position = *legal::<R>(&mut random, Style::FULL_HANDS).placement();
        if reach.comes_apart(&position) {
            found += 1;
            let certificate = reach.certify(&hub, &position).unwrap();
            assert!(matches!(certificate, Certificate::Game { .. }), "{}", to_sfen(&position));
            assert_eq!(certificate.verify::<R>(), Ok(()), "{}", to_sfen(&position));
        }
    }
    found
}

#[test]
fn positions_that_come_apart_are_certified() {
    let found = come_apart::<Minishogi>(5_000);
    assert!(found > 2_000, "{found}");
    let found = come_apart::<KyotoShogi>(1_000);
    assert!(found > 200, "{found}");
    let found = come_apart::<Gorogoro>(1_000);
    assert!(found > 200, "{found}");
    let found = come_apart::<Judkins>(1_000);
    assert!(found > 200, "{found}");
    let found = come_apart::<Shogi>(100);
    assert!(found > 10, "{found}");
}

/// How many legal positions of a table come apart; each of them was found by playing.
fn all_that_come_apart<R: RuleTable>() -> usize {
    let (space, reach) = (Space::<R>::new().unwrap(), Reach::<R>::new(SearchLimit::default()));
    let played = played(hubs::<R>()[0]);
    let mut found = 0;
    for rank in 0..space.size_u64().unwrap() {
        let of_sente = space.unrank_u64(rank).unwrap();
        for side in Colour::ALL {
            let mut placement = of_sente;
            placement.set_side(side);
            let is_legal = passes_pawn(&placement) && passes_king(&placement);
            if is_legal && reach.comes_apart(&placement) {
                assert!(played.contains(&placement), "{placement:?}");
                found += 1;
            }
        }
    }
    found
}

#[test]
fn all_positions_certified_on_a_small_board_were_played() {
    let found = all_that_come_apart::<Sliders>();
    assert!(found > 100, "{found}");
    let found = all_that_come_apart::<PawnAndRook>();
    assert!(found > 100, "{found}");
}
