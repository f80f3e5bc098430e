//! The player as the oracle of a proof: it names the moves that a builder follows.

use shogi_core::Move;
use shogi_rules::{Game, Rules};
use shogi_solve::builder::{NamedMove, NamingRequest, NextMove};
use shogi_solve::{Goal, RulesGame};

use crate::evaluate::Evaluator;
use crate::limits::{Control, Limits};
use crate::packed::{pack, packed, unpack};
use crate::player::Player;
use crate::score::Score;

/// How many of the best moves are named in the order of their scores.
const LINES: usize = 3;

/// Where more expansions than these were spent on a position, the player searches more.
const SPENT: u32 = 100_000;

/// Nodes of the longest search for one position, unless the square root is more.
const LONGEST: u64 = 12_000_000;

/// Hundredths of a pawn from which a position looks won, from which it makes no difference how clearly, and
/// below zero so lost that it makes none.
const CLEAR: i32 = 400;
const WON: i32 = 1_200;
const LOST: i32 = 1_500;

/// Hundredths of a pawn that make a move count e times as much, below and above [`CLEAR`].
const SCALES: [f64; 2] = [200.0, 400.0];

/// How many times as much each further line counts, and each move that the player says nothing of.
const RANK_FACTOR: f64 = 2.0;
const OTHERS_FACTOR: f64 = 3.0;

/// A player that names moves, as in the algorithm by which Kyoto shogi was solved (Shioda & Ito,
/// "Kyoto Shogi Is Weakly Solved", 2021).
///
/// Three moves come in the order of their scores. With 400 hundredths of a pawn a move counts once, below that e
/// times as much for each 200, above that e times less for each 400 up to 1,200; each line twice as much as the one
/// above it. The other moves follow as they are ranked, each three times as much as the one before. So a position
/// that looks lost is expensive, and what leads to it, and of two moves that win the clearer one is followed.
///
/// Where more than 100,000 expansions were spent on a position the player visits more positions, by the square
/// root, and at least one for each expansion up to 12 million; and it names moves there again: near the root
/// a long search is worth its time. A position is played as if nothing had gone before it.
///
/// ```
/// use std::ops::ControlFlow;
/// use shogi_search::shogi_core::Colour;
/// use shogi_search::shogi_rules::{Minishogi, parse_position};
/// use shogi_search::{Evaluation, Oracle, Player, Settings};
/// use shogi_solve::builder::{self, Builder};
/// use shogi_solve::{Budget, Goal, RulesGame, Unit};
///
/// let player = Player::new(Evaluation::<Minishogi>::standard(), Settings::default());
/// let root = parse_position("4k/5/2G2/5/K4 b RB 1")?;
/// let game = RulesGame::new();
/// // Jobs so small that the oracle is needed.
/// let settings = builder::Settings {
///     max_expansions: 10,
///     root_max_expansions: 10,
///     first_expansions: 10,
///     ..Default::default()
/// };
/// let mut builder = Builder::new(&game, Goal::win(Colour::Sente), root, Unit, settings);
/// let mut oracle = Oracle::new(player, 10_000);
/// let mut budget = Budget::nodes(1_000_000);
/// builder.run(&mut oracle, &mut budget, &mut |_, _, _| ControlFlow::Continue(()));
/// assert_eq!(builder.state(), builder::ProofState::Proved);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Oracle<R: Rules, E: Evaluator<R>> {
    player: Player<R, E>,
    nodes: u64,
}

impl<R: Rules, E: Evaluator<R>> Oracle<R, E> {
    /// An oracle that visits so many positions for each position that it names moves of, and more where more than
    /// 100,000 expansions, or more than so many, were spent on it.
    pub fn new(mut player: Player<R, E>, nodes: u64) -> Self {
        player.set_lines(LINES);
        Self { player, nodes }
    }
}

impl<R: Rules, E: Evaluator<R>> NextMove<RulesGame<R>> for Oracle<R, E> {
    fn moves(
        &mut self,
        _: &RulesGame<R>,
        _: Goal,
        at: &NamingRequest<RulesGame<R>>,
    ) -> Vec<NamedMove<Move<R>>> {
        let mut found = [None; LINES];
        let limits = limits(self.nodes, at.spent);
        let game = Game::new(at.position);
        let best = self.player.best_line(&game, &[], &limits, &Control::new(), &mut |report| {
            if let Some(slot) = found.get_mut(report.line_number - 1) {
                *slot = report.line.first().map(|&mv| (pack(mv), report.score));
            }
        });
        let first = best.line.first().map(|&mv| (pack(mv), best.score));
        let mut named = Vec::new();
        for (packed, factor) in factors(first, found, &packed(&at.ranked)) {
            if let Some(mv) = unpack(packed) {
                named.push(NamedMove { mv, factor });
            }
        }
        named
    }

    fn thinks_again(&self) -> bool {
        true
    }
}

/// How much each move counts, packed: the first of the best line, those of the other lines that were found, and the moves
/// as they are ranked.
fn factors(
    first: Option<(u16, Score)>,
    found: [Option<(u16, Score)>; LINES],
    ranked: &[u16],
) -> Vec<(u16, f64)> {
    let mut named: Vec<(u16, f64)> = Vec::new();
    let (mut doubt, mut greatest) = (1.0, 1.0);
    for (mv, score) in [first].into_iter().chain(found).flatten() {
        if !is_named(&named, mv) {
            let factor = doubt * factor(score);
            greatest = f64::max(greatest, factor);
            named.push((mv, factor));
            doubt *= RANK_FACTOR;
        }
    }
    let mut factor = greatest;
    for &mv in ranked {
        if !is_named(&named, mv) {
            factor *= OTHERS_FACTOR;
            named.push((mv, factor));
        }
    }
    named
}

fn is_named(named: &[(u16, f64)], mv: u16) -> bool {
    named.iter().any(|&(before, _)| before == mv)
}

/// The limits of a search for a position on which so many expansions were spent.
fn limits(nodes: u64, spent: u64) -> Limits {
    let share = (spent as f64 / f64::from(SPENT)).sqrt().max(1.0);
    let nodes = (nodes as f64 * share) as u64;
    Limits::nodes(nodes.max(spent.min(LONGEST)))
}

/// How many times as much a move with this score counts as one that just looks won, to a hundredth.
fn factor(score: Score) -> f64 {
    let short = f64::from(CLEAR - score.order().clamp(-LOST, WON));
    let scale = SCALES[usize::from(short < 0.0)];
    ((short / scale).exp() * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clearer_win_counts_less_and_a_doubtful_one_more() {
        let scores = [-9_000, -1_500, 0, 200, 400, 800, 1_200, 5_000].map(Score::Value);
        let factors = [13_359.73, 13_359.73, 7.39, 2.72, 1.0, 0.37, 0.14, 0.14];
        assert_eq!(scores.map(factor), factors);
        // Mates and lost games are no more than what looks clear.
        assert_eq!([Score::WinIn(3), Score::LossIn(2)].map(factor), [0.14, 13_359.73]);
    }
}
