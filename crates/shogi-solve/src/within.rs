//! Wins within a number of plies, with what is known as ends and as a guide.

use std::ops::ControlFlow;

use shogi_core::{Colour, Move, Position};
use shogi_proof::{Shortening, StepError};
use shogi_rules::{Rules, Verdict};

use crate::budget::Budget;
use crate::certify::{Collection, Ground, Grounds, Nodes, Step, known_move};
use crate::df_pn::{DfPn, Options};
use crate::game::{GameGraph, Goal, Parts, RulesGame};
use crate::leaf::Leaf;
use crate::order::in_rising_order;
use crate::search::{Finding, Search};

/// What [`win_within`] has found.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Within {
    /// A win within the plies; the positions that it needs are noted.
    Won,
    /// There is none, but for collisions of 64-bit keys.
    NotWon,
    /// The budget was spent before, or the table has no room for the proof.
    Open,
}

/// Searches for a win within so many plies from a position, and notes the moves that it takes.
///
/// `known` tells who wins and what is won already: a position that it has a win for within the plies that are
/// left is an end of the search, and one that it has only a longer win for is looked at first. So a
/// proof is made shorter by a search of the few lines that are too long, which finds a shorter way for each:
/// in Kyoto shogi a few thousand expansions take eight plies off a proof of a million positions. A
/// position with fewer plies left is another position to the search, which so has no cycles.
///
/// # Errors
///
/// If there is no room for what is found.
///
/// ```
/// use shogi_rules::shogi_core::Colour;
/// use shogi_rules::{Shogi34, parse_position};
/// use shogi_solve::df_pn::Options;
/// use shogi_solve::proof::Shortening;
/// use shogi_solve::{Budget, Unit, Within, win_within};
///
/// let root = parse_position::<Shogi34>("rnk/2p/P2/KNR b - 1")?;
/// let mut known = Shortening::new(Colour::Sente);
/// let mut budget = Budget::unlimited();
/// let found = win_within(&mut known, &root, 1, Unit, Options::default(), &mut budget)?;
/// assert_eq!((found, known.plies(&root)), (Within::Won, Some(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn win_within<R: Rules, L: Leaf<RulesGame<R>>>(
    known: &mut Shortening<R>,
    root: &Position<R>,
    plies: u32,
    leaf: L,
    options: Options,
    budget: &mut Budget<'_>,
) -> Result<Within, StepError> {
    let prover = known.prover();
    let root = Countdown { position: *root, left: plies };
    let (mut wins, mut plies_left) = (Vec::new(), Vec::new());
    {
        let game = Known { known, game: RulesGame::new() };
        let mut search = DfPn::new(&game, Goal::win(prover), Guided { leaf }, options);
        match search.search(&root, budget) {
            Finding::Proved { .. } => {}
            Finding::Unknown { .. } => return Ok(Within::Open),
            _ => return Ok(Within::NotWon),
        }
        if game.verdict(&root).is_some() {
            return Ok(Within::Won);
        }
        // Without cycles what is found is certain, and comes to an end.
        let mut nodes = Nodes::new(&game, &root);
        let Some(steps) =
            winning_moves(&mut Grounds::new(&mut search, &mut nodes, &mut None), budget)
        else {
            return Ok(Within::Open);
        };
        for step in steps {
            let Countdown { position, left } = nodes.position(step.0);
            wins.push((*position, nodes.mv(&game, step)));
            plies_left.push(u64::from(*left));
        }
    }
    for index in in_rising_order(&plies_left) {
        let (position, mv) = wins[index];
        // Each rests on those before it, so that only a collision of keys leaves one without its replies.
        if !known.note(&position, mv, plies_left[index] as u32)? {
            return Ok(Within::Open);
        }
    }
    Ok(Within::Won)
}

/// The prover's moves of the shortest proof that is known; a position of which the table has lost it is searched
/// again. `None` if the budget is spent before, or there is no memory for them.
fn winning_moves(ground: &mut dyn Ground, budget: &mut Budget<'_>) -> Option<Vec<Step>> {
    let mut wins = Vec::new();
    let all = Collection::new().collect(ground, budget, &mut |ground, number, budget| {
        let mut index = known_move(ground, number);
        if index.is_none() && matches!(ground.search(number, budget), Finding::Proved { .. }) {
            index = ground.decisive_move(number);
        }
        wins.push((number, index?));
        Some(index)
    });
    (all == Some(true)).then_some(wins)
}

/// A position, and the plies within which it has to be won.
#[derive(Clone, Debug)]
struct Countdown<R: Rules> {
    position: Position<R>,
    left: u32,
}

impl<R: Rules> Countdown<R> {
    /// What tells positions with other plies left apart, the fractional part of the golden ratio as in
    /// many hash functions, its bits mixed once more.
    const fn mark(&self) -> u64 {
        let spread = (self.left as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (spread ^ (spread >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    }
}

/// A rule set by which the prover has to win within the plies that are left; where a win is known, the game
/// is over.
struct Known<'k, R: Rules> {
    known: &'k Shortening<R>,
    game: RulesGame<R>,
}

impl<R: Rules> GameGraph for Known<'_, R> {
    type Position = Countdown<R>;
    type Move = Move<R>;

    fn side(&self, Countdown { position, .. }: &Countdown<R>) -> Colour {
        position.side()
    }

    fn verdict(&self, Countdown { position, left }: &Countdown<R>) -> Option<Verdict> {
        let prover_moves = position.side() == self.known.prover();
        if let Some(verdict) = R::verdict(position) {
            return Some(verdict);
        }
        match (*left, prover_moves) {
            (0, true) => Some(Verdict::Loss),
            (0, false) => Some(Verdict::Win),
            (_, true) => {
                let rank = self.known.rank(position);
                rank.is_some_and(|rank| rank <= *left).then_some(Verdict::Win)
            }
            (_, false) => None,
        }
    }

    fn moves(&self, Countdown { position, .. }: &Countdown<R>, moves: &mut Vec<Move<R>>) {
        self.game.moves(position, moves);
    }

    fn sort_for_files(&self, moves: &mut [Move<R>]) {
        self.game.sort_for_files(moves);
    }

    /// Nothing is played where no ply is left, since the game is over there.
    fn play(&self, above: &Countdown<R>, mv: Move<R>) -> Countdown<R> {
        Countdown { position: above.position.play(mv), left: above.left - 1 }
    }

    fn children(&self, above: &Countdown<R>, mut visit: impl FnMut(Move<R>, Countdown<R>)) {
        let Countdown { position, left } = above;
        // The closures never break.
        let _ = position.generate_dyn(&mut |batch| {
            position.play_batch(batch, |mv, next| {
                visit(mv, Countdown { position: *next, left: left - 1 });
                ControlFlow::Continue(())
            })
        });
    }

    fn count_moves(&self, Countdown { position, .. }: &Countdown<R>) -> usize {
        self.game.count_moves(position)
    }

    fn key(&self, countdown: &Countdown<R>) -> u64 {
        self.game.key(&countdown.position) ^ countdown.mark()
    }

    fn parts(&self, countdown: &Countdown<R>) -> Parts {
        let Parts { board, hand } = self.game.parts(&countdown.position);
        Parts { board: board ^ countdown.mark(), hand }
    }

    fn dominates(&self, hand: u32, other: u32) -> bool {
        self.game.dominates(hand, other)
    }

    fn is_check(&self, Countdown { position, .. }: &Countdown<R>) -> bool {
        self.game.is_check(position)
    }
}

/// How many times smaller the proof number is of a position that is known to be won, though in too many plies.
const GUIDE: u32 = 4;

/// The numbers of a leaf of the game without a limit, smaller where a win is known.
struct Guided<L> {
    leaf: L,
}

impl<L> Guided<L> {
    fn guide<R: Rules>(
        game: &Known<'_, R>,
        Countdown { position, .. }: &Countdown<R>,
        (proof, disproof): (u32, u32),
    ) -> (u32, u32) {
        let is_known = proof > 0 && game.known.rank(position).is_some();
        (if is_known { (proof / GUIDE).max(1) } else { proof }, disproof)
    }
}

impl<'k, R: Rules, L: Leaf<RulesGame<R>>> Leaf<Known<'k, R>> for Guided<L> {
    fn is_costly(&self) -> bool {
        self.leaf.is_costly()
    }

    fn numbers(&self, game: &Known<'k, R>, goal: Goal, below: &Countdown<R>) -> (u32, u32) {
        Self::guide(game, below, self.leaf.numbers(&game.game, goal, &below.position))
    }

    fn numbers_below(
        &mut self,
        game: &Known<'k, R>,
        goal: Goal,
        above: &Countdown<R>,
        mv: Move<R>,
        below: &Countdown<R>,
    ) -> (u32, u32) {
        let (above, position) = (&above.position, &below.position);
        let numbers = self.leaf.numbers_below(&game.game, goal, above, mv, position);
        Self::guide(game, below, numbers)
    }
}
