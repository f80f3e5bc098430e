//! The hub: all positions with only the two kings on the board.
//!
//! Every backward search ends in such a position, and every game can be led into one. A construction shows that
//! each of them can be reached from the start. Call a position with bare kings legal if the kings are not
//! adjacent.
//!
//! 1. *The kings walk.* On bare boards the kings can walk from each legal pair of squares, with either side to
//!    move, to every other one. The hands do not matter, so this is a question about a graph with two nodes for
//!    each pair of squares (11,872 on 9x9), whose strong connection is computed ([`Hub::is_connected`]).
//! 2. *A piece changes hands.* There is a position in which a player can drop a piece of a given kind beside
//!    the other king, where the dropper's king does not protect it, and the other king takes it. Whether drop
//!    and capture are legal depends on nothing else in the hands: the capture answers the drop, so no drop is
//!    mate. It is computed, too, that there is one for each kind and player.
//! 3. So from one bare-king position to which a game leads, all others are reached: pieces change hands one
//!    after the other, with walks between, and a last walk leads to the wanted squares.
//!
//! [`Hub::game_to`] constructs this game. On 5x5 there are few enough of these positions (221,616) for a test
//! to list them all.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::FxHashSet;
use shogi_core::{
    Bitboard, Colour, Face, Hand, Kind, Move, Placement, Role, RuleTable, Square, Step,
    step_attacks,
};
use shogi_rules::{Rules, SfenError, parse_sfen};

use crate::search::MetPositions;

/// Why a rule set has no hub.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HubError {
    /// The rule set's own start position cannot be read.
    #[error("the start position is broken: {0}")]
    Start(#[from] SfenError),
    /// No line from the start to bare kings was found.
    #[error("no line from the start position to bare kings within {0} positions")]
    NoLine(usize),
    /// The search for it was stopped.
    #[error("the search for a line from the start position to bare kings was stopped")]
    Stopped,
}

/// A game from the start position to bare kings, which can be continued to every other position with bare
/// kings.
///
/// ```
/// use shogi_rules::{Minishogi, parse_sfen};
/// use shogi_reach::Hub;
/// let hub = Hub::<Minishogi>::new()?;
/// assert!(hub.is_connected());
/// assert_eq!(hub.total(), 221_616);
/// let (bare, _) = parse_sfen::<Minishogi>("k4/5/5/5/4K w 2R2B2G2S2P 1")?;
/// let game = hub.game_to(&bare).ok_or("all bare-king positions can be reached")?;
/// assert_eq!(game.into_iter().fold(*hub.start(), |position, mv| position.play_unchecked(mv)), bare);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Hub<R: RuleTable> {
    start: Placement<R>,
    /// Moves from the start position to the first bare-king position.
    opening: Vec<Move<R>>,
    first: Placement<R>,
}

impl<R: Rules> Hub<R> {
    /// The most positions searched for a line from the start to bare kings: three times as many as shogi needs,
    /// and a second of work.
    const OPENING_NODES: usize = 400_000;

    /// Finds a line from the start position to bare kings: under a millisecond on 5x5, half a second
    /// on 9x9.
    ///
    /// # Errors
    ///
    /// If no line leads from the rule set's start position to bare kings.
    pub fn new() -> Result<Self, HubError> {
        Self::new_until(&AtomicBool::new(false))
    }

    /// Like [`Hub::new`], but stops when the flag is set.
    ///
    /// # Errors
    ///
    /// As [`Hub::new`], and [`HubError::Stopped`] soon after the flag is set.
    pub fn new_until(stop: &AtomicBool) -> Result<Self, HubError> {
        let (start, _) = parse_sfen::<R>(R::start_sfen())?;
        let opening = opening(&start, Self::OPENING_NODES, stop)?;
        let first = after(start, &opening);
        Ok(Self { start, opening, first })
    }

    /// The start position of the game.
    pub fn start(&self) -> &Placement<R> {
        &self.start
    }

    /// Number of legal bare-king positions: kings not adjacent, every distribution of the other pieces over the
    /// hands, either side to move.
    pub fn total(&self) -> u64 {
        let mut total = 2 * pairs::<R>().len() as u64;
        for kind in kinds::<R>() {
            total *= u64::from(kind.spec::<R>().count) + 1;
        }
        total
    }

    /// Whether every legal bare-king position can be reached from the start: the computed steps of the proof at
    /// the head of this module.
    pub fn is_connected(&self) -> bool {
        self.kings_walk_everywhere() && self.all_kinds_change_hands()
    }

    /// Step 1: from the first pair of squares the kings walk to all pairs, and from all pairs to it.
    fn kings_walk_everywhere(&self) -> bool {
        let pairs = pairs::<R>();
        let Some(&squares) = pairs.first() else { return false };
        let mut bare = self.first;
        bare.remove(Bitboard::all());
        for colour in Colour::ALL {
            *bare.hand_mut(colour) = Hand::EMPTY;
            if let Some(king) = self.first.king(colour).and_then(|king| self.first.piece(king)) {
                bare.put(squares[colour.index()], king);
            }
        }
        bare.set_side(Colour::Sente);
        let all = 2 * pairs.len();
        spread(&bare, all_after) == all && spread(&bare, all_before) == all
    }

    /// Step 2: from the first bare-king position each player can walk to a position in which they give away a
    /// piece of a given kind, for each kind.
    fn all_kinds_change_hands(&self) -> bool {
        for giver in Colour::ALL {
            for kind in kinds::<R>() {
                let mut placement = self.first;
                *placement.hand_mut(!giver) = Hand::EMPTY;
                *placement.hand_mut(giver) = Hand::EMPTY;
                placement.hand_mut(giver).add(kind);
                if walk_to_transfer(&placement, giver, kind).is_none() {
                    return false;
                }
            }
        }
        true
    }

    /// A game from the start position to a bare-king position; `None` if the target is not a legal bare-king
    /// position with the full set.
    ///
    /// Some milliseconds on 9x9, where it has some 100 to 250 plies.
    pub fn game_to(&self, target: &Placement<R>) -> Option<Vec<Move<R>>> {
        let (mut moves, mut at) = (self.opening.clone(), self.first);
        for kind in kinds::<R>() {
            let has = at.hand(Colour::Sente).count(kind);
            let wants = target.hand(Colour::Sente).count(kind);
            let giver = if has > wants { Colour::Sente } else { Colour::Gote };
            for _ in 0..has.abs_diff(wants) {
                let mut transfer = walk_to_transfer(&at, giver, kind)?;
                at = after(at, &transfer);
                moves.append(&mut transfer);
            }
        }
        moves.append(&mut walk(&at, &|at| at == target)?);
        Some(moves)
    }
}

/// The kinds that can be in hand.
fn kinds<R: RuleTable>() -> impl Iterator<Item = Kind> {
    Kind::all::<R>().filter(|kind| kind.spec::<R>().role != Role::Royal)
}

/// The pairs of squares that are neither the same nor adjacent.
fn pairs<R: RuleTable>() -> Vec<[Square<R::Geometry>; 2]> {
    let mut pairs = Vec::new();
    for a in Square::all() {
        let near = step_attacks(Step::King, Colour::Sente, a) | Bitboard::of(a);
        for b in !near {
            pairs.push([a, b]);
        }
    }
    pairs
}

/// The position after some moves.
fn after<R: RuleTable>(mut placement: Placement<R>, moves: &[Move<R>]) -> Placement<R> {
    for &mv in moves {
        placement = placement.play_unchecked(mv);
    }
    placement
}

/// The positions after all moves.
fn all_after<R: RuleTable>(placement: &Placement<R>) -> Vec<Placement<R>> {
    let mut all = Vec::new();
    for mv in placement.legal_moves() {
        all.push(placement.play_unchecked(mv));
    }
    all
}

/// The positions before all unmoves.
fn all_before<R: RuleTable>(placement: &Placement<R>) -> Vec<Placement<R>> {
    let mut all = Vec::new();
    for (_, before) in placement.predecessors() {
        all.push(before);
    }
    all
}

/// Number of positions that steps reach from a given one, itself included.
fn spread<R: RuleTable>(
    from: &Placement<R>,
    steps: fn(&Placement<R>) -> Vec<Placement<R>>,
) -> usize {
    let mut seen = FxHashSet::default();
    seen.insert(*from);
    let mut queue = vec![*from];
    while let Some(placement) = queue.pop() {
        for next in steps(&placement) {
            if seen.insert(next) {
                queue.push(next);
            }
        }
    }
    seen.len()
}

/// A drop by `giver`, who must be to move, that the other king can capture, with the capture.
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
    for to in offered {
        let drop = Move::Drop { face: Face::front(kind), to };
        let capture = Move::Board { from: other, to, turn: false };
        if placement.is_legal(drop) && placement.play_unchecked(drop).is_legal(capture) {
            return Some([drop, capture]);
        }
    }
    None
}

/// A shortest line in which `giver` gives a piece away, the transfer included.
fn walk_to_transfer<R: RuleTable>(
    from: &Placement<R>,
    giver: Colour,
    kind: Kind,
) -> Option<Vec<Move<R>>> {
    let mut way = walk(from, &|at| transfer(at, giver, kind).is_some())?;
    let [drop, capture] = transfer(&after(*from, &way), giver, kind)?;
    way.push(drop);
    way.push(capture);
    Some(way)
}

/// A shortest line to a wanted position, by moves of bare kings without drops.
fn walk<R: RuleTable>(
    from: &Placement<R>,
    wanted: &dyn Fn(&Placement<R>) -> bool,
) -> Option<Vec<Move<R>>> {
    let mut nodes = MetPositions::new(from);
    let mut index = 0;
    while index < nodes.len() {
        if wanted(nodes.placement(index)) {
            return Some(line_to(&nodes, index));
        }
        expand(&mut nodes, index, &mut |_, _| {});
        index += 1;
    }
    None
}

/// The moves that led to a node.
fn line_to<R: RuleTable>(nodes: &MetPositions<R>, index: usize) -> Vec<Move<R>> {
    let mut line = nodes.moves(index);
    line.reverse();
    line
}

/// Adds the positions after a node's moves other than drops, and returns the new ones.
fn expand<R: RuleTable>(
    nodes: &mut MetPositions<R>,
    index: usize,
    give: &mut dyn FnMut(&Placement<R>, usize),
) {
    let placement = *nodes.placement(index);
    for mv in placement.legal_moves() {
        if matches!(mv, Move::Board { .. }) {
            let next = placement.play_unchecked(mv);
            if let Some(new) = nodes.add(&next, (index, mv)) {
                give(&next, new);
            }
        }
    }
}

/// A line from `start` to bare kings: best-first forward, where a piece on the board weighs as much as several
/// plies, so that the line does not wander. Drops are left out, since they lead away from bare kings.
fn opening<R: RuleTable>(
    start: &Placement<R>,
    limit: usize,
    stop: &AtomicBool,
) -> Result<Vec<Move<R>>, HubError> {
    const PLIES_A_PIECE: u32 = 6;
    let cost = |placement: &Placement<R>, plies| {
        Reverse(PLIES_A_PIECE * placement.occupied().len() + plies)
    };
    let mut nodes = MetPositions::new(start);
    let mut queue = BinaryHeap::from([(cost(start, 0), 0, 0)]);
    while let Some((_, index, plies)) = queue.pop() {
        let placement = nodes.placement(index);
        if placement.occupied() == placement.royals() {
            return Ok(line_to(&nodes, index));
        }
        if nodes.len() > limit {
            break;
        }
        if stop.load(Ordering::Relaxed) {
            return Err(HubError::Stopped);
        }
        let plies = plies + 1;
        expand(&mut nodes, index, &mut |next, new| queue.push((cost(next, plies), new, plies)));
    }
    Err(HubError::NoLine(limit))
}
