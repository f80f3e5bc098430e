//! The player as the oracle of a proof, which names the moves that a builder follows.

use shogi_core::Move;
use shogi_rules::{Game, Rules};
use shogi_solve::builder::{NamedMove, NamingRequest, NextMove};
use shogi_solve::{Goal, RulesGame};

use crate::evaluate::Evaluator;
use crate::limits::{Control, Limits};
use crate::packed::{pack, packed, unpack};
use crate::player::Player;
use crate::score::Score;

/// Number of best moves that are named in order of score.
const LINES: usize = 3;

/// The player searches more if more than this many expansions were spent on a position.
const SPENT: u32 = 100_000;

/// Nodes of the longest search for one position, unless the square-root rule gives more.
const LONGEST: u64 = 12_000_000;

/// Scores, in hundredths of a pawn: a position looks won, cannot look more clearly won, and (negative) cannot
/// look more clearly lost.
const CLEAR: i32 = 400;
const WON: i32 = 1_200;
const LOST: i32 = 1_500;

/// Hundredths of a pawn that change the factor of a move by e, below and above [`CLEAR`].
const SCALES: [f64; 2] = [200.0, 400.0];

/// The factor of each further line, and of each move that the player does not name.
const RANK_FACTOR: f64 = 2.0;
const OTHERS_FACTOR: f64 = 3.0;

/// A player that names moves, as in the algorithm by which Kyoto shogi was solved (Shioda & Ito,
/// "Kyoto Shogi Is Weakly Solved", 2021).
///
/// Three moves come in order of score. A move with 400 hundredths of a pawn counts once; the count grows by a
/// factor of e for each 200 below that and falls by e for each 400 above it, up to 1,200; each line counts
/// twice as much as the one above it. The other moves follow in their ranking, each three times as much as the
/// one before. So positions that look lost, and the moves that lead to them, are expensive, and of two winning
/// moves the clearer one is followed.
///
/// If more than 100,000 expansions were spent on a position, the player visits more positions, in proportion to
/// the square root, and at least one for each expansion up to 12 million. It then names moves there again,
/// since a long search near the root is worth its time. Earlier positions of the game are ignored.
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
    /// An oracle that visits `nodes` positions to name the moves of a position, and more if more than 100,000
    /// expansions, or more than `nodes`, were spent on it.
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

/// The factors of the packed moves: the first moves of the best line and of the other lines found, then the
/// moves as ranked.
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

/// The limits of a search for a position, by the expansions spent on it.
fn limits(nodes: u64, spent: u64) -> Limits {
    let share = (spent as f64 / f64::from(SPENT)).sqrt().max(1.0);
    let nodes = (nodes as f64 * share) as u64;
    Limits::nodes(nodes.max(spent.min(LONGEST)))
}

/// The factor of a move with this score, relative to one that just looks won, to a hundredth.
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
