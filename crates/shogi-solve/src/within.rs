//! Wins within a number of plies, with known wins as ends and as a guide.

use shogi_core::{Colour, Move, Position};
use shogi_proof::{Shortening, StepError};
use shogi_rules::{Rules, Verdict};

use crate::certify::{Collection, known_move};
use crate::df_pn::{DfPn, Options};
use crate::game::{GameGraph, Goal, Parts, RulesGame};
use crate::leaf::Leaf;
use crate::numbered::{Numbered, NumberedMove, Positions, Prover};
use crate::order::in_rising_order;
use crate::search::{Finding, Search as _};
use shogi_mate::{Budget, OutOfBudget};

/// The result of [`win_within`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Within {
    /// A win within the plies, whose positions are noted.
    Won,
    /// No win within the plies, unless 64-bit keys collide.
    NotWon,
    /// Undecided: the budget was spent first, or the table has no room for the proof.
    Open,
}

/// Searches for a win within this many plies from a position, and notes its moves.
///
/// `known` names the winner and has the known wins: a position with a known win within the remaining plies is
/// an end of the search, and one with only a longer win is searched first. So a proof is shortened by searching
/// only its few lines that are too long: in Kyoto shogi a few thousand expansions take eight plies off a proof
/// of a million positions. Positions with different remaining plies are distinct, so the search has no cycles.
///
/// # Errors
///
/// If there is no room for the findings.
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
    let game = CountdownGame { prover, known, game: RulesGame::new() };
    let root = Countdown { position: *root, left: plies };
    let mut search = DfPn::new(&game, Goal::win(prover), Guided { leaf }, options);
    match search.search(&root, budget) {
        Finding::Proved { .. } => {}
        Finding::Unknown { .. } => return Ok(Within::Open),
        Finding::Disproved => return Ok(Within::NotWon),
    }
    if game.verdict(&root).is_some() {
        return Ok(Within::Won);
    }
    // Without cycles findings are certain, and the search ends.
    let (mut positions, deciding) = (Positions::new(&game, &root), &mut None);
    let wins = winning_moves(&mut Numbered::new(&mut search, &mut positions, deciding), budget);
    let Some(wins) = wins else { return Ok(Within::Open) };
    let (mut steps, mut plies_left) = (Vec::new(), Vec::new());
    for win in wins {
        let Countdown { position, left } = *positions.position(win.0);
        steps.push((position, positions.mv(&game, win), left));
        plies_left.push(u64::from(left));
    }
    for index in in_rising_order(&plies_left) {
        let (position, mv, left) = steps[index];
        // Each position rests on earlier ones, so only a collision of keys leaves one without its replies.
        if !known.note(&position, mv, left)? {
            return Ok(Within::Open);
        }
    }
    Ok(Within::Won)
}

/// The prover's moves of the shortest known proof; positions that the table has lost are searched again. `None`
/// if the budget is spent first, or there is no memory for them.
fn winning_moves(prover: &mut dyn Prover, budget: &mut Budget<'_>) -> Option<Vec<NumberedMove>> {
    let mut wins = Vec::new();
    let all = Collection::new().collect(prover, budget, &mut |prover, number, budget| {
        let mut index = known_move(prover, number);
        if index.is_none() && matches!(prover.search(number, budget), Finding::Proved { .. }) {
            index = prover.decisive_move(number);
        }
        let index = index.ok_or(OutOfBudget)?;
        wins.push((number, index));
        Ok(Some(index..index + 1))
    });
    (all == Ok(true)).then_some(wins)
}

/// A position with the plies within which it must be won.
#[derive(Clone, Debug)]
struct Countdown<R: Rules> {
    position: Position<R>,
    left: u32,
}

impl<R: Rules> Countdown<R> {
    /// A mark of the remaining plies for keys: a multiple of the golden ratio's fractional part, mixed once
    /// more.
    const fn mark(&self) -> u64 {
        let spread = (self.left as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (spread ^ (spread >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    }
}

/// A game in which the prover must win within the remaining plies; at a known win the game is over.
struct CountdownGame<'k, R: Rules> {
    prover: Colour,
    known: &'k Shortening<R>,
    game: RulesGame<R>,
}

impl<R: Rules> GameGraph for CountdownGame<'_, R> {
    type Position = Countdown<R>;
    type Move = Move<R>;

    fn side(&self, Countdown { position, .. }: &Countdown<R>) -> Colour {
        position.side()
    }

    fn verdict(&self, Countdown { position, left }: &Countdown<R>) -> Option<Verdict> {
        let verdict = self.game.verdict(position);
        if verdict.is_some() {
            return verdict;
        }
        match (*left, position.side() == self.prover) {
            (0, true) => Some(Verdict::Loss),
            (0, false) => Some(Verdict::Win),
            (left, true) => {
                let rank = self.known.rank(position);
                rank.is_some_and(|rank| rank <= left).then_some(Verdict::Win)
            }
            (_, false) => None,
        }
    }

    fn moves(&self, Countdown { position, .. }: &Countdown<R>, moves: &mut Vec<Move<R>>) {
        self.game.moves(position, moves);
    }

    /// Called only with plies left, since otherwise the game is over.
    fn play(&self, Countdown { position, left }: &Countdown<R>, mv: Move<R>) -> Countdown<R> {
        Countdown { position: position.play_unchecked(mv), left: left - 1 }
    }

    fn children(&self, above: &Countdown<R>, mut visit: impl FnMut(Move<R>, Countdown<R>)) {
        let left = above.left - 1;
        self.game.children(&above.position, |mv, position| visit(mv, Countdown { position, left }));
    }

    fn count_moves(&self, Countdown { position, .. }: &Countdown<R>) -> usize {
        self.game.count_moves(position)
    }

    fn key(&self, countdown: &Countdown<R>) -> u64 {
        countdown.position.key() ^ countdown.mark()
    }

    fn parts(&self, countdown: &Countdown<R>) -> Parts {
        let Parts { board, hand } = self.game.parts(&countdown.position);
        Parts { board: board ^ countdown.mark(), hand }
    }

    fn dominates(&self, hand: u32, other: u32) -> bool {
        self.game.dominates(hand, other)
    }

    fn is_check(&self, Countdown { position, .. }: &Countdown<R>) -> bool {
        position.is_check()
    }
}

/// The divisor of the proof number of a position that is known to be won, but in too many plies.
const GUIDE: u32 = 4;

/// The numbers of an unlimited leaf, smaller if a win is known.
struct Guided<L> {
    leaf: L,
}

impl<R: Rules, L: Leaf<RulesGame<R>>> Leaf<CountdownGame<'_, R>> for Guided<L> {
    fn is_costly(&self) -> bool {
        self.leaf.is_costly()
    }

    fn numbers(
        &self,
        game: &CountdownGame<'_, R>,
        goal: Goal,
        Countdown { position, .. }: &Countdown<R>,
    ) -> (u32, u32) {
        guided(game, position, self.leaf.numbers(&game.game, goal, position))
    }

    fn numbers_below(
        &mut self,
        game: &CountdownGame<'_, R>,
        goal: Goal,
        above: &Countdown<R>,
        mv: Move<R>,
        Countdown { position, .. }: &Countdown<R>,
    ) -> (u32, u32) {
        let numbers = self.leaf.numbers_below(&game.game, goal, &above.position, mv, position);
        guided(game, position, numbers)
    }
}

/// The numbers of a position, reduced if a win of it is known.
fn guided<R: Rules>(
    game: &CountdownGame<'_, R>,
    position: &Position<R>,
    (proof, disproof): (u32, u32),
) -> (u32, u32) {
    let is_known = proof > 0 && game.known.rank(position).is_some();
    (if is_known { (proof / GUIDE).max(1) } else { proof }, disproof)
}
