//! Wins within a number of plies, with what is known as ends and as a guide.

use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::rc::Rc;

use shogi_core::{Colour, Hand, Move, Position};
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
    let (leaf, wins) = (RefCell::new(leaf), RefCell::default());
    let shared = Shared { known, game: RulesGame::new(), leaf, wins };
    let is_costly = shared.leaf.borrow().is_costly();
    let met = Met { positions: vec![*root], moves: Vec::new(), above: None, shared: &shared };
    let plies_left = match search(Rc::new(met), prover, is_costly, plies, options, budget) {
        Ok(plies_left) => plies_left,
        Err(found) => return Ok(found),
    };
    let wins = shared.wins.into_inner();
    for index in in_rising_order(&plies_left) {
        let (position, mv) = wins[index];
        // Each rests on those before it, so that only a collision of keys leaves one without its replies.
        if !known.note(&position, mv, plies_left[index] as u32)? {
            return Ok(Within::Open);
        }
    }
    Ok(Within::Won)
}

/// Searches from a root; has the wins that it needs kept, and gives the plies that are left in each, or what was
/// found if none are needed.
fn search(
    root: Rc<dyn Spots + '_>,
    prover: Colour,
    is_costly: bool,
    plies: u32,
    options: Options,
    budget: &mut Budget<'_>,
) -> Result<Vec<u64>, Within> {
    let game = Known { prover, positions: PhantomData };
    let root = Countdown { spots: root, spot: 0, left: plies };
    let mut search = DfPn::new(&game, Goal::win(prover), Guided { is_costly }, options);
    match search.search(&root, budget) {
        Finding::Proved { .. } => {}
        Finding::Unknown { .. } => return Err(Within::Open),
        _ => return Err(Within::NotWon),
    }
    if game.verdict(&root).is_some() {
        return Err(Within::Won);
    }
    // Without cycles what is found is certain, and comes to an end.
    let mut nodes = Nodes::new(&game, &root);
    let bytes = root.spots.bytes();
    let deciding = &mut None;
    let ground = Grounds::new(&mut search, &mut nodes, deciding);
    let wins = winning_moves(&mut ground.with_bytes_elsewhere(bytes), budget);
    let mut plies_left = Vec::new();
    for (number, index) in wins.ok_or(Within::Open)? {
        let Countdown { spots, spot, left } = nodes.position(number);
        spots.keep(*spot, index);
        plies_left.push(u64::from(*left));
    }
    Ok(plies_left)
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
        Some(index.map(|index| index..index + 1))
    });
    (all == Some(true)).then_some(wins)
}

/// Positions of any rule set, by their numbers. A look whether one is won already takes far longer than a virtual
/// call, so that the search is compiled once.
trait Spots {
    fn side(&self, spot: usize) -> Colour;
    fn key(&self, spot: usize) -> u64;
    fn parts(&self, spot: usize) -> Parts;
    fn is_check(&self, spot: usize) -> bool;

    /// The result for the player to move if the game is over by the rules.
    fn end(&self, spot: usize) -> Option<Verdict>;

    /// The plies within which the position is known to be won, if it is.
    fn rank(&self, spot: usize) -> Option<u32>;

    fn count_moves(&self, spot: usize) -> usize;

    /// The positions after all moves in their order, and how many there are.
    fn children<'s>(self: Rc<Self>, spot: usize) -> (Rc<dyn Spots + 's>, usize)
    where
        Self: 's;

    /// The position after the move of this number, alone.
    fn play<'s>(self: Rc<Self>, spot: usize, index: usize) -> Rc<dyn Spots + 's>
    where
        Self: 's;

    /// The numbers of a leaf of the game without a limit.
    fn numbers(&self, spot: usize, goal: Goal) -> (u32, u32);

    /// Keeps the position as won by the move of this number.
    fn keep(&self, spot: usize, index: usize);

    /// Bytes that a position takes.
    fn bytes(&self) -> usize;
}

/// What all positions of a search share.
struct Shared<'k, R: Rules, L> {
    known: &'k Shortening<R>,
    game: RulesGame<R>,
    leaf: RefCell<L>,
    /// Positions that are won, with the move.
    wins: RefCell<Vec<(Position<R>, Move<R>)>>,
}

/// Positions of a rule set, and the one that they were met from, each by a move.
struct Met<'s, 'k, R: Rules, L> {
    positions: Vec<Position<R>>,
    moves: Vec<Move<R>>,
    above: Option<(Rc<Self>, usize)>,
    shared: &'s Shared<'k, R, L>,
}

impl<'m, R: Rules, L: Leaf<RulesGame<R>>> Spots for Met<'m, '_, R, L> {
    fn side(&self, spot: usize) -> Colour {
        self.positions[spot].side()
    }

    fn key(&self, spot: usize) -> u64 {
        self.positions[spot].key()
    }

    fn parts(&self, spot: usize) -> Parts {
        self.shared.game.parts(&self.positions[spot])
    }

    fn is_check(&self, spot: usize) -> bool {
        self.positions[spot].is_check()
    }

    fn end(&self, spot: usize) -> Option<Verdict> {
        R::verdict(&self.positions[spot])
    }

    fn rank(&self, spot: usize) -> Option<u32> {
        self.shared.known.rank(&self.positions[spot])
    }

    fn count_moves(&self, spot: usize) -> usize {
        self.shared.game.count_moves(&self.positions[spot])
    }

    fn children<'s>(self: Rc<Self>, spot: usize) -> (Rc<dyn Spots + 's>, usize)
    where
        Self: 's,
    {
        let position = &self.positions[spot];
        let (mut positions, mut moves) = (Vec::new(), Vec::new());
        // The closures never break.
        let _ = position.generate_dyn(&mut |batch| {
            position.play_batch(batch, |mv, next| {
                positions.push(*next);
                moves.push(mv);
                ControlFlow::Continue(())
            })
        });
        let (count, shared) = (moves.len(), self.shared);
        (Rc::new(Met { positions, moves, above: Some((self, spot)), shared }), count)
    }

    fn play<'s>(self: Rc<Self>, spot: usize, index: usize) -> Rc<dyn Spots + 's>
    where
        Self: 's,
    {
        let mv = self.mv(spot, index);
        let (positions, moves) = (vec![self.positions[spot].play(mv)], vec![mv]);
        let shared = self.shared;
        Rc::new(Met { positions, moves, above: Some((self, spot)), shared })
    }

    fn numbers(&self, spot: usize, goal: Goal) -> (u32, u32) {
        let Shared { game, leaf, .. } = self.shared;
        let (leaf, position) = (&mut *leaf.borrow_mut(), &self.positions[spot]);
        match &self.above {
            Some((above, from)) => {
                let above = &above.positions[*from];
                leaf.numbers_below(game, goal, above, self.moves[spot], position)
            }
            None => leaf.numbers(game, goal, position),
        }
    }

    fn keep(&self, spot: usize, index: usize) {
        self.shared.wins.borrow_mut().push((self.positions[spot], self.mv(spot, index)));
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + size_of::<Position<R>>()
    }
}

impl<R: Rules, L> Met<'_, '_, R, L> {
    /// The move of this number of a position.
    fn mv(&self, spot: usize, index: usize) -> Move<R> {
        let mut moves = Vec::new();
        self.shared.game.moves(&self.positions[spot], &mut moves);
        moves[index]
    }
}

/// A position, and the plies within which it has to be won.
#[derive(Clone)]
struct Countdown<'s> {
    spots: Rc<dyn Spots + 's>,
    spot: usize,
    left: u32,
}

impl fmt::Debug for Countdown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Countdown").field("left", &self.left).finish_non_exhaustive()
    }
}

impl Countdown<'_> {
    fn side(&self) -> Colour {
        self.spots.side(self.spot)
    }

    fn rank(&self) -> Option<u32> {
        self.spots.rank(self.spot)
    }

    /// What tells positions with other plies left apart, the fractional part of the golden ratio as in
    /// many hash functions, its bits mixed once more.
    const fn mark(&self) -> u64 {
        let spread = (self.left as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (spread ^ (spread >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    }
}

/// A rule set by which the prover has to win within the plies that are left; where a win is known, the game
/// is over.
struct Known<'s> {
    prover: Colour,
    positions: PhantomData<&'s ()>,
}

impl<'s> GameGraph for Known<'s> {
    type Position = Countdown<'s>;
    /// The number of a move of a position.
    type Move = usize;

    fn side(&self, countdown: &Countdown<'s>) -> Colour {
        countdown.side()
    }

    fn verdict(&self, countdown: &Countdown<'s>) -> Option<Verdict> {
        if let Some(verdict) = countdown.spots.end(countdown.spot) {
            return Some(verdict);
        }
        match (countdown.left, countdown.side() == self.prover) {
            (0, true) => Some(Verdict::Loss),
            (0, false) => Some(Verdict::Win),
            (left, true) => {
                countdown.rank().is_some_and(|rank| rank <= left).then_some(Verdict::Win)
            }
            (_, false) => None,
        }
    }

    fn moves(&self, Countdown { spots, spot, .. }: &Countdown<'s>, moves: &mut Vec<usize>) {
        moves.extend(0..spots.count_moves(*spot));
    }

    /// Nothing is played where no ply is left, since the game is over there.
    fn play(&self, Countdown { spots, spot, left }: &Countdown<'s>, index: usize) -> Countdown<'s> {
        Countdown { spots: Rc::clone(spots).play(*spot, index), spot: 0, left: left - 1 }
    }

    fn children(&self, above: &Countdown<'s>, mut visit: impl FnMut(usize, Countdown<'s>)) {
        let (spots, count) = Rc::clone(&above.spots).children(above.spot);
        for spot in 0..count {
            visit(spot, Countdown { spots: Rc::clone(&spots), spot, left: above.left - 1 });
        }
    }

    fn count_moves(&self, Countdown { spots, spot, .. }: &Countdown<'s>) -> usize {
        spots.count_moves(*spot)
    }

    fn key(&self, countdown: &Countdown<'s>) -> u64 {
        countdown.spots.key(countdown.spot) ^ countdown.mark()
    }

    fn parts(&self, countdown: &Countdown<'s>) -> Parts {
        let Parts { board, hand } = countdown.spots.parts(countdown.spot);
        Parts { board: board ^ countdown.mark(), hand }
    }

    fn dominates(&self, hand: u32, other: u32) -> bool {
        Hand::from_bits(hand).dominates(Hand::from_bits(other))
    }

    fn is_check(&self, Countdown { spots, spot, .. }: &Countdown<'s>) -> bool {
        spots.is_check(*spot)
    }
}

/// How many times smaller the proof number is of a position that is known to be won, though in too many plies.
const GUIDE: u32 = 4;

/// The numbers of a leaf of the game without a limit, smaller where a win is known.
struct Guided {
    is_costly: bool,
}

impl<'s> Leaf<Known<'s>> for Guided {
    fn is_costly(&self) -> bool {
        self.is_costly
    }

    fn numbers(&self, _: &Known<'s>, goal: Goal, below: &Countdown<'s>) -> (u32, u32) {
        let (proof, disproof) = below.spots.numbers(below.spot, goal);
        let is_known = proof > 0 && below.rank().is_some();
        (if is_known { (proof / GUIDE).max(1) } else { proof }, disproof)
    }
}
