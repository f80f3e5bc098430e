//! The hub: all positions with only the two kings on the board.
//!
//! Every backward search ends in such a position, and every game can be led into one. That each of
//! them can be reached from the start is shown by construction. Call a position with bare kings
//! legal if the kings are not adjacent.
//!
//! 1. *The kings walk.* On bare boards each legal pair of squares with either side to move can be
//!    walked to from each other one by kings' moves alone. What is in the hands does not matter for
//!    that, so it is a question about a graph of two nodes for each pair of squares (11,872 on 9x9),
//!    and its strong connection is computed ([`Hub::is_connected`]).
//! 2. *A piece changes hands.* There is a position in which a player can drop a piece of a given
//!    kind beside the other king, where his own king does not protect it, and the other king takes
//!    it. Whether drop and capture are legal depends on nothing else in the hands: the capture
//!    answers the drop, so no drop is mate. That there is one for each kind and player is computed
//!    likewise.
//! 3. So from one bare-king position, which a game leads to, all others are reached: one piece after
//!    the other changes hands where it has to, with walks between, and a last walk goes to the
//!    squares wanted.
//!
//! [`Hub::game_to`] makes the game of that proof. On 5x5 there are few enough of these positions
//! (221,616) for a test to list them all.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use rustc_hash::FxHashSet;
use shogi_core::{
    Bitboard, Colour, Face, Hand, Kind, Move, Placement, Role, RuleTable, Square, Step,
    step_attacks,
};
use shogi_rules::{Rules, SfenError, parse_sfen};

/// Why there is no hub for a rule set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HubError {
    /// The rule set's own start position cannot be read.
    #[error("the start position is broken: {0}")]
    Start(#[from] SfenError),
    /// No line from the start to bare kings was found.
    #[error("no line from the start position to bare kings within {0} positions")]
    NoLine(usize),
}

/// A game from the start position to bare kings, from which one can go on to all other positions
/// with bare kings.
///
/// ```
/// use shogi_rules::{Minishogi, parse_sfen};
/// use shogi_reach::Hub;
/// let hub = Hub::<Minishogi>::new()?;
/// assert!(hub.is_connected());
/// assert_eq!(hub.total(), 221_616);
/// let (bare, _) = parse_sfen::<Minishogi>("k4/5/5/5/4K w 2R2B2G2S2P 1")?;
/// let game = hub.game_to(&bare).ok_or("all bare-king positions can be reached")?;
/// assert_eq!(game.into_iter().fold(*hub.start(), |position, mv| position.play(mv)), bare);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Hub<R: RuleTable> {
    start: Placement<R>,
    /// Moves from the start position to the first bare-king position.
    opening: Vec<Move<R>>,
    first: Placement<R>,
}

impl<R: Rules> Hub<R> {
    /// Most positions looked at for the line from the start to bare kings.
    const OPENING_NODES: usize = 1_000_000;

    /// Finds a line from the start position to bare kings: under a millisecond on 5x5, half a second
    /// on 9x9.
    ///
    /// # Errors
    ///
    /// If the rule set's start position leads nowhere.
    pub fn new() -> Result<Self, HubError> {
        let (start, _) = parse_sfen::<R>(R::START)?;
        let opening =
            opening(&start, Self::OPENING_NODES).ok_or(HubError::NoLine(Self::OPENING_NODES))?;
        let first = opening.iter().fold(start, |placement, &mv| placement.play(mv));
        Ok(Self { start, opening, first })
    }

    /// The start position of the game.
    pub fn start(&self) -> &Placement<R> {
        &self.start
    }

    /// Number of legal bare-king positions there are: kings not adjacent, every distribution of
    /// the other pieces over the hands, either side to move.
    pub fn total(&self) -> u64 {
        let hands = kinds::<R>().map(|kind| u64::from(kind.spec::<R>().count) + 1);
        2 * pairs::<R>().count() as u64 * hands.product::<u64>()
    }

    /// Whether every legal bare-king position can be reached from the start: the computed steps of
    /// the proof that this module begins with.
    pub fn is_connected(&self) -> bool {
        self.kings_walk_everywhere() && self.all_kinds_change_hands()
    }

    /// Step 1: from the first pair of squares the kings walk to all pairs, and from all pairs to it.
    fn kings_walk_everywhere(&self) -> bool {
        let bare = |colours: [Square<R::Geometry>; 2], side| {
            let mut placement = self.first;
            placement.remove(Bitboard::ALL);
            *placement.hand_mut(Colour::Sente) = Hand::EMPTY;
            *placement.hand_mut(Colour::Gote) = Hand::EMPTY;
            for (square, colour) in colours.into_iter().zip(Colour::ALL) {
                let king = self.first.king(colour).and_then(|king| self.first.piece(king));
                king.into_iter().for_each(|king| placement.put(square, king));
            }
            placement.set_side(side);
            placement
        };
        let Some(first) = pairs::<R>().next() else { return false };
        let first = bare(first, Colour::Sente);
        let all = 2 * pairs::<R>().count();
        let forward = spread(&first, |placement, give| {
            placement.legal_moves().into_iter().for_each(|mv| give(placement.play(mv)));
        });
        let backward = spread(&first, |placement, give| {
            let _: ControlFlow<()> = placement.generate_unmoves(|_, before| {
                give(*before);
                ControlFlow::Continue(())
            });
        });
        forward.len() == all && backward.len() == all
    }

    /// Step 2: from the first bare-king position each player can walk to where he gives away a piece
    /// of a kind that he has, for each kind.
    fn all_kinds_change_hands(&self) -> bool {
        Colour::ALL.into_iter().all(|giver| {
            kinds::<R>().all(|kind| {
                let mut placement = self.first;
                *placement.hand_mut(!giver) = Hand::EMPTY;
                *placement.hand_mut(giver) = Hand::EMPTY;
                placement.hand_mut(giver).add(kind);
                walk(&placement, |at| transfer(at, giver, kind).is_some()).is_some()
            })
        })
    }

    /// A game from the start position to a bare-king position; `None` if it is no legal one of the
    /// full set.
    ///
    /// Some milliseconds on 9x9, where it has some 100 to 250 plies.
    pub fn game_to(&self, target: &Placement<R>) -> Option<Vec<Move<R>>> {
        let (mut moves, mut at) = (self.opening.clone(), self.first);
        for kind in kinds::<R>() {
            let [has, wants] = [&at, target].map(|p| p.hand(Colour::Sente).count(kind));
            let giver = if has > wants { Colour::Sente } else { Colour::Gote };
            for _ in 0..has.abs_diff(wants) {
                let there = walk(&at, |at| transfer(at, giver, kind).is_some())?;
                at = there.iter().fold(at, |at, &mv| at.play(mv));
                let exchange = transfer(&at, giver, kind)?;
                at = at.play(exchange[0]).play(exchange[1]);
                moves.extend(there.into_iter().chain(exchange));
            }
        }
        moves.extend(walk(&at, |at| at == target)?);
        Some(moves)
    }
}

/// The kinds that can be in hand.
fn kinds<R: RuleTable>() -> impl Iterator<Item = Kind> {
    Kind::all::<R>().filter(|kind| kind.spec::<R>().role != Role::Royal)
}

/// The pairs of squares that are neither the same nor adjacent.
fn pairs<R: RuleTable>() -> impl Iterator<Item = [Square<R::Geometry>; 2]> {
    Square::all().flat_map(|a| {
        let near = step_attacks(Step::King, Colour::Sente, a) | Bitboard::of(a);
        (!near).into_iter().map(move |b| [a, b])
    })
}

/// All positions that are reached by steps from one, itself included.
fn spread<R: RuleTable>(
    from: &Placement<R>,
    steps: impl Fn(&Placement<R>, &mut dyn FnMut(Placement<R>)),
) -> FxHashSet<Placement<R>> {
    let mut seen = FxHashSet::from_iter([*from]);
    let mut queue = vec![*from];
    while let Some(placement) = queue.pop() {
        steps(&placement, &mut |next| {
            if seen.insert(next) {
                queue.push(next);
            }
        });
    }
    seen
}

/// A drop by `giver`, who must be to move, that the other king can take, and the capture.
fn transfer<R: RuleTable>(
    placement: &Placement<R>,
    giver: Colour,
    kind: Kind,
) -> Option<[Move<R>; 2]> {
    let (own, other) = (placement.king(giver)?, placement.king(!giver)?);
    if placement.side() != giver || !placement.hand(giver).has(kind) {
        return None;
    }
    let near = |king| step_attacks(Step::King, giver, king);
    let offered = near(other) - near(own) - Bitboard::of(own);
    let exchanges = offered.into_iter().map(|to| {
        let capture = Move::Board { from: other, to, turn: false };
        [Move::Drop { face: Face::front(kind), to }, capture]
    });
    let is_legal = |&[drop, capture]: &[Move<R>; 2]| {
        placement.is_legal(drop) && placement.play(drop).is_legal(capture)
    };
    exchanges.into_iter().find(is_legal)
}

/// A shortest way to a position wanted, by moves of bare kings.
fn walk<R: RuleTable>(
    from: &Placement<R>,
    wanted: impl Fn(&Placement<R>) -> bool,
) -> Option<Vec<Move<R>>> {
    let mut nodes = vec![(*from, None)];
    let mut seen = FxHashSet::from_iter([*from]);
    let mut next = 0;
    while let Some(&(placement, _)) = nodes.get(next) {
        if wanted(&placement) {
            return Some(line_to(&nodes, next));
        }
        for mv in board_moves(&placement) {
            let after = placement.play(mv);
            if seen.insert(after) {
                nodes.push((after, Some((next, mv))));
            }
        }
        next += 1;
    }
    None
}

/// A position met, with the index of the one before it and the move between them.
type Node<R> = (Placement<R>, Option<(usize, Move<R>)>);

/// The moves that led to a node.
fn line_to<R: RuleTable>(nodes: &[Node<R>], mut at: usize) -> Vec<Move<R>> {
    let mut line = Vec::new();
    while let Some((before, mv)) = nodes[at].1 {
        line.push(mv);
        at = before;
    }
    line.reverse();
    line
}

/// The legal moves that are no drops.
fn board_moves<R: RuleTable>(placement: &Placement<R>) -> impl Iterator<Item = Move<R>> {
    placement.legal_moves().into_iter().filter(|mv| matches!(mv, Move::Board { .. }))
}

/// A line from `start` to bare kings: best-first forward, where a piece on the board weighs as much
/// as a number of plies, so that the line does not wander. Drops lead away from bare kings.
fn opening<R: RuleTable>(start: &Placement<R>, limit: usize) -> Option<Vec<Move<R>>> {
    const PLIES_A_PIECE: u32 = 6;
    let cost = |placement: &Placement<R>, plies| {
        Reverse(PLIES_A_PIECE * placement.occupied().len() + plies)
    };
    let mut nodes: Vec<Node<R>> = vec![(*start, None)];
    let mut seen = FxHashSet::from_iter([*start]);
    let mut queue = BinaryHeap::from([(cost(start, 0), 0, 0)]);
    while let Some((_, index, plies)) = queue.pop() {
        let placement = nodes[index].0;
        if placement.occupied() == placement.royals() {
            return Some(line_to(&nodes, index));
        }
        if nodes.len() > limit {
            return None;
        }
        for mv in board_moves(&placement) {
            let next = placement.play(mv);
            if seen.insert(next) {
                nodes.push((next, Some((index, mv))));
                queue.push((cost(&next, plies + 1), nodes.len() - 1, plies + 1));
            }
        }
    }
    None
}
