//! Mates in one against every move tried.

use shogi_rules::shogi_core::{Move, Position};
use shogi_rules::{Dobutsu, KyotoShogi, Minishogi, Rules, Shogi, Shogi34, Verdict, mate_in_one};
use testing::random::Random;
use testing::sample::{Style, legal};

/// The first move after which the opponent is in check, or without a royal piece, and has lost.
pub(super) fn tried<R: Rules>(position: &Position<R>) -> Option<Move<R>> {
    position.legal_moves().into_iter().find(|&mv| {
        let next = position.play_unchecked(mv);
        let checked = next.is_check() || next.king(next.side()).is_none();
        checked && R::verdict(&next) == Some(Verdict::Loss)
    })
}

/// Compares scattered positions and those some random moves on from them.
fn agrees<R: Rules>(positions: usize) {
    let mut random = Random::new(6);
    let (mut mates, mut others) = (0, 0);
    for _ in 0..positions {
        let style = random.pick(&Style::ALL);
        let mut position = legal::<R>(&mut random, style);
        for _ in 0..8 {
            if R::verdict(&position).is_some() {
                break;
            }
            let found = mate_in_one(&position);
            assert_eq!(found, tried(&position), "{position:?}");
            mates += usize::from(found.is_some());
            others += usize::from(found.is_none());
            position = position.play_unchecked(random.pick(&position.legal_moves()));
        }
    }
    assert!(mates > positions / 20 && others > positions, "{mates} mates, {others} others");
}

#[test]
fn a_mate_in_one_is_the_first_that_trying_every_move_finds() {
    agrees::<Minishogi>(3_000);
    agrees::<KyotoShogi>(3_000);
    agrees::<Shogi>(500);
    agrees::<Shogi34>(3_000);
    agrees::<Dobutsu>(3_000);
}
