//! Seeded random games.

use shogi_rules::{Game, Rules};

use crate::random::Random;

/// Games of random moves from the start of a variant, each until it ends or has `plies` moves.
pub fn games<R: Rules>(seed: u64, games: usize, plies: usize) -> impl Iterator<Item = Game<R>> {
    let mut random = Random::new(seed);
    (0..games).map(move |_| {
        let mut game = Game::from_start();
        while game.outcome().is_none() && game.moves().len() < plies {
            let mv = random.pick(&game.position().legal_moves());
            game.play(mv).expect("a legal move");
        }
        game
    })
}
