//! Who plays the games: players of the library, and the text's search to fixed depths.

use shogi_rules::shogi_core::Move;
use shogi_rules::{Game, Rules};
use shogi_search::{Action, Control, Evaluator, Limits, Player};

use crate::ideas::ALL;
use crate::selective::{Depths, deepen};
use crate::text::{LOSS, TextSearch};

/// Someone who plays.
pub trait Contestant<R: Rules> {
    /// Forgets everything before another game.
    fn clear(&mut self);

    /// Chooses what to do in a game that is not over, with at most so many nodes, if its effort is not fixed.
    fn choose(&mut self, game: &Game<R>, nodes: u64) -> Choice<R>;
}

/// What was chosen, the depth of its search, and how many nodes all searches took.
#[derive(Clone, Copy, Debug)]
pub struct Choice<R: Rules> {
    pub action: Action<R>,
    pub depth: u32,
    pub nodes: u64,
}

impl<R: Rules, E: Evaluator<R>> Contestant<R> for Player<R, E> {
    fn clear(&mut self) {
        Player::clear(self);
    }

    fn choose(&mut self, game: &Game<R>, nodes: u64) -> Choice<R> {
        let line = self.think(game, &Limits::nodes(nodes), &Control::new(), |_| {});
        Choice { action: line.action, depth: line.depth, nodes: line.nodes }
    }
}

/// The text's search, with all of its ideas.
#[derive(Debug)]
pub struct TextPlayer<'e, R: Rules, E> {
    search: TextSearch<'e, R, E>,
    depths: Depths,
}

impl<'e, R: Rules, E: Evaluator<R>> TextPlayer<'e, R, E> {
    /// A player that deepens selectively between these depths, or, if they are the same, all moves ply by ply.
    pub fn new(evaluation: &'e E, depths: Depths) -> Self {
        Self { search: TextSearch::new(evaluation, ALL), depths }
    }

    /// The best move by selective deepening, with its depth.
    fn selective(&mut self, game: &Game<R>) -> Option<(Move<R>, u32)> {
        let position = game.position();
        let moves = position.legal_moves();
        let search = &mut self.search;
        let found = deepen(&moves, self.depths, -LOSS, |mv, depth| {
            Some(-search.value(&position.play_unchecked(mv), depth - 1)?)
        });
        found.first().map(|best| (best.mv, best.depth))
    }

    /// The best move by searches of all moves, deeper and deeper.
    fn iterative(&mut self, game: &Game<R>) -> Option<(Move<R>, u32)> {
        let mut best = None;
        for depth in 1..=self.depths.maximum {
            best = self.search.best(game.position(), depth);
        }
        best.map(|mv| (mv, self.depths.maximum))
    }
}

impl<R: Rules, E: Evaluator<R>> Contestant<R> for TextPlayer<'_, R, E> {
    fn clear(&mut self) {
        self.search.clear();
    }

    fn choose(&mut self, game: &Game<R>, _: u64) -> Choice<R> {
        self.search.clear();
        let before = self.search.nodes();
        let best = match self.depths.minimum == self.depths.maximum {
            true => self.iterative(game),
            false => self.selective(game),
        };
        let action = best.map_or(Action::Resign, |(mv, _)| Action::Play(mv));
        let depth = best.map_or(0, |(_, depth)| depth);
        Choice { action, depth, nodes: self.search.nodes() - before }
    }
}

#[cfg(test)]
mod tests {
    use shogi_rules::{Minishogi, parse_position};
    use shogi_search::{Material, Values};

    use super::*;

    #[test]
    fn both_ways_of_deepening_find_a_mate() {
        let evaluation = Material::<Minishogi>::new(Values::by_freedom::<Minishogi>());
        // The rook is dropped in front of the king, the gold guards it.
        let mated = Game::new(parse_position::<Minishogi>("4k/5/4G/5/K4 b R 1").unwrap());
        for (minimum, maximum) in [(2, 2), (3, 3), (2, 4)] {
            let depths = Depths { minimum, maximum };
            let mut player = TextPlayer::new(&evaluation, depths);
            let Action::Play(mv) = player.choose(&mated, 0).action else { panic!() };
            assert!(mated.position().play_unchecked(mv).is_mate(), "{depths:?}");
        }
    }
}
