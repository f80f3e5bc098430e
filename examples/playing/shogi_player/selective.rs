//! Selective deepening: every move at the root has a depth of its own, and the move that looks best is deepened.

use std::cmp::Reverse;

use shogi_rules::shogi_core::Move;
use shogi_rules::{Game, Rules};
use shogi_search::{Action, Control, Evaluator, Limits, Player, Score};

use crate::contestants::{Choice, Contestant};

/// A move at the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Candidate<M> {
    pub mv: M,
    /// How good it is; as bad as can be before it is searched.
    pub score: i32,
    /// The depth to which it is searched.
    pub depth: u32,
}

/// The least depth of every move and the greatest of any.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Depths {
    pub minimum: u32,
    pub maximum: u32,
}

/// Deepens moves as the text has it, until all are searched to the least depth or `search` gives no score: the moves,
/// the best first. What is decided, its score at least `won` or at most `-won`, is not deepened, and a won game is over.
pub fn deepen<M: Copy>(
    moves: &[M],
    Depths { minimum, maximum }: Depths,
    won: i32,
    mut search: impl FnMut(M, u32) -> Option<i32>,
) -> Vec<Candidate<M>> {
    let mut all: Vec<_> =
        moves.iter().map(|&mv| Candidate { mv, score: i32::MIN, depth: 0 }).collect();
    for candidate in &mut all {
        let Some(score) = search(candidate.mv, 1) else { break };
        (candidate.score, candidate.depth) = (score, 1);
    }
    loop {
        all.sort_by_key(|candidate| Reverse(candidate.score));
        if all.first().is_none_or(|best| best.score >= won) {
            return all;
        }
        let is_open = |candidate: &Candidate<M>| candidate.score > -won && candidate.depth > 0;
        let is_shallow = all.iter().any(|one| is_open(one) && one.depth < minimum);
        let next = all.iter_mut().find(|one| is_open(one) && one.depth < maximum);
        let Some(next) = next.filter(|_| is_shallow) else { return all };
        let Some(score) = search(next.mv, next.depth + 1) else { return all };
        (next.score, next.depth) = (score, next.depth + 1);
    }
}

/// A player of the library that searches the position after each move, and divides its nodes among them by selective
/// deepening.
#[derive(Debug)]
pub struct Selective<R: Rules, E: Evaluator<R>> {
    pub player: Player<R, E>,
    pub depths: Depths,
}

impl<R: Rules, E: Evaluator<R>> Contestant<R> for Selective<R, E> {
    fn clear(&mut self) {
        self.player.clear();
    }

    fn choose(&mut self, game: &Game<R>, most: u64) -> Choice<R> {
        if game.may_declare() {
            return Choice { action: Action::Declare, depth: 0, nodes: 0 };
        }
        let moves = game.position().legal_moves();
        let mut nodes = 0;
        let found = deepen(&moves, self.depths, Score::DECIDED, |mv, depth| {
            (nodes < most).then_some(())?;
            let (score, visited) = self.score(game, mv, depth, most - nodes);
            nodes += visited;
            score
        });
        let best = found.first().copied();
        let action = best.map_or(Action::Resign, |best| Action::Play(best.mv));
        Choice { action, depth: best.map_or(0, |best| best.depth + 1), nodes }
    }
}

impl<R: Rules, E: Evaluator<R>> Selective<R, E> {
    /// How good a move is by a search to this depth of the position after it, if it takes no more nodes than these.
    fn score(&mut self, game: &Game<R>, mv: Move<R>, depth: u32, most: u64) -> (Option<i32>, u64) {
        let mut next = game.clone();
        match next.play(mv) {
            Err(_) => return (None, 0),
            Ok(Some(outcome)) => {
                let score = match outcome.winner() {
                    Some(winner) if winner == game.position().side() => Score::WinIn(1).order(),
                    Some(_) => Score::LossIn(1).order(),
                    None => 0,
                };
                return (Some(score), 1);
            }
            Ok(None) => {}
        }
        let limits = Limits { depth: Some(depth), nodes: Some(most), ..Limits::default() };
        let line = self.player.think(&next, &limits, &Control::new(), |_| {});
        let score = line.score.order();
        let is_whole = line.depth >= depth || score.abs() >= Score::DECIDED;
        (is_whole.then_some(-score), line.nodes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Deepens by a table of scores, a row for each move, and gives what was searched in order.
    fn order(scores: [[i32; 4]; 3], minimum: u32, maximum: u32) -> (Vec<(usize, u32)>, usize) {
        let mut asked = Vec::new();
        let depths = Depths { minimum, maximum };
        let found = deepen(&[0, 1, 2], depths, 1_000, |mv: usize, depth| {
            asked.push((mv, depth));
            Some(scores[mv][depth as usize - 1])
        });
        (asked, found[0].mv)
    }

    #[test]
    fn the_best_move_is_deepened_until_every_move_has_the_least_depth() {
        // The text's depths. The first move stays best to its greatest depth, then the second has its turn.
        let (asked, best) = order([[9, 9, 9, 9], [5, 6, 1, 0], [3, 2, 0, 0]], 2, 4);
        let first = [(0, 1), (1, 1), (2, 1)];
        let then = [(0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (2, 2)];
        assert_eq!((asked, best), ([&first[..], &then[..]].concat(), 0));
        // It gives way where it disappoints.
        let (asked, best) = order([[9, 1, 0, 0], [5, 6, 6, 6], [3, 2, 0, 0]], 2, 4);
        let then = [(0, 2), (1, 2), (1, 3), (1, 4), (2, 2)];
        assert_eq!((asked, best), ([&first[..], &then[..]].concat(), 1));
    }

    #[test]
    fn what_is_won_or_lost_is_not_deepened() {
        let (asked, best) = order([[2_000, 0, 0, 0], [5, 6, 6, 6], [3, 2, 0, 0]], 2, 4);
        assert_eq!((asked.len(), best), (3, 0));
        let (asked, _) = order([[-2_000, 0, 0, 0], [5, 5, 5, 5], [3, 3, 3, 3]], 2, 2);
        assert_eq!(asked, [(0, 1), (1, 1), (2, 1), (1, 2), (2, 2)]);
    }
}
