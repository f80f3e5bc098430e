//! Wins within a number of plies.

use shogi_core::{Colour, Position};
use shogi_rules::{KyotoShogi, Minishogi, Rules, Shogi34, Verdict, parse_position, shogi_core};
use shogi_solve::df_pn::Options;
use shogi_solve::proof::Shortening;
use shogi_solve::{Budget, Limit, Unit, Within, win_within};
use testing::games::games;
use testing::random::Random;

/// Whether a player wins within so many plies, by all lines of play.
fn wins<R: Rules>(position: &Position<R>, player: Colour, left: u32) -> bool {
    let mover = position.side() == player;
    match R::verdict(position) {
        Some(Verdict::Win) => mover,
        Some(Verdict::Loss) => !mover,
        Some(Verdict::Draw) => false,
        None if left == 0 => false,
        None => {
            let mut below =
                position.legal_moves().into_iter().map(|mv| position.play_unchecked(mv));
            let wins = |next: Position<R>| wins(&next, player, left - 1);
            if mover { below.any(wins) } else { below.all(wins) }
        }
    }
}

/// A small table, for thousands of searches.
fn options() -> Options {
    Options { hash_bytes: 1 << 20, ..Options::default() }
}

fn within<R: Rules>(known: &mut Shortening<R>, root: &Position<R>, plies: u32) -> Within {
    let mut budget = Budget::unlimited();
    win_within(known, root, plies, Unit, options(), &mut budget).unwrap()
}

/// Positions of random games, with the player who is proved to win.
fn positions<R: Rules>(number: usize) -> Vec<(Position<R>, Colour)> {
    let mut random = Random::new(7);
    let games = games::<R>(7, number, 60);
    let positions = games.flat_map(|game| game.positions().to_vec());
    positions.map(|position| (position, Colour::ALL[random.below(2)])).collect()
}

/// Compares each position with all lines, from few plies on and from many; how many were won.
fn compare<R: Rules>(games: usize, most: u32) -> usize {
    let mut won = 0;
    for (root, player) in positions::<R>(games) {
        let shortest = (0..=most).find(|&plies| wins(&root, player, plies));
        won += usize::from(shortest.is_some_and(|plies| plies > 0));
        for plies in 0..=most {
            // With nothing known.
            let mut known = Shortening::new(player);
            let found = within(&mut known, &root, plies);
            let expected = match shortest {
                Some(shortest) if shortest <= plies => Within::Won,
                _ => Within::NotWon,
            };
            assert_eq!(found, expected, "{root:?} {player:?} {plies}");
            if found == Within::NotWon {
                assert!(known.is_empty());
                continue;
            }
            // A proof with more plies than are needed makes each shorter one.
            for fewer in (0..plies).rev() {
                let expected = shortest.is_some_and(|shortest| shortest <= fewer);
                let found = within(&mut known, &root, fewer) == Within::Won;
                assert_eq!(found, expected, "{root:?} {player:?} {plies} {fewer}");
            }
            let checked = known.proof(&root).unwrap().check().unwrap();
            assert_eq!(checked.plies, shortest, "{root:?}");
            assert_eq!(known.plies(&root), shortest, "{root:?}");
        }
    }
    won
}

#[test]
fn all_lines_agree() {
    assert!(compare::<Shogi34>(24, 4) > 30);
    assert!(compare::<Minishogi>(12, 3) > 10);
    assert!(compare::<KyotoShogi>(12, 3) > 10);
}

/// A start that Sente wins in seven plies (docs/results/shogi34.md).
fn krb() -> Position<Shogi34> {
    parse_position("brk/2p/P2/KRB b - 1").unwrap()
}

#[test]
fn a_long_win_becomes_shorter_step_by_step() {
    let (root, mut known) = (krb(), Shortening::new(Colour::Sente));
    for plies in [25, 15, 11, 7] {
        assert_eq!(within(&mut known, &root, plies), Within::Won);
        assert!(known.plies(&root).unwrap() <= plies);
        known.proof(&root).unwrap().check().unwrap();
    }
    assert_eq!(within(&mut known, &root, 6), Within::NotWon);
    assert_eq!(known.plies(&root), Some(7));
}

#[test]
fn a_budget_ends_the_search_and_its_findings_stay() {
    let (root, mut known) = (krb(), Shortening::new(Colour::Sente));
    let mut budget = Budget::nodes(20);
    let found = win_within(&mut known, &root, 9, Unit, options(), &mut budget).unwrap();
    assert_eq!((found, budget.ended_by()), (Within::Open, Some(Limit::Nodes)));
    assert!(known.is_empty());
}
