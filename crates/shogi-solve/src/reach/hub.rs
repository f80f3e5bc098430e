//! The hub: all positions with only the two kings on the board.
//!
//! Every backward search ends in such a position, and every game can be led into one. Whether they
//! are connected among each other is computed, not assumed: a king steps, or a player drops a piece
//! beside the other king, which takes it, so that pieces change hands.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use rustc_hash::{FxHashMap, FxHashSet};
use shogi_core::{
    Bitboard, Colour, Kind, Move, Origin, Placement, Role, RuleTable, Square, Step, step_attacks,
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

/// How a hub position was first reached: from which one, by one or two moves.
struct Node<R: RuleTable> {
    placement: Placement<R>,
    from: u32,
    moves: (Move<R>, Option<Move<R>>),
}

/// All bare-king positions that can be reached from the start, with a game to each.
///
/// On 5x5 there are 221,616 of them; computing takes under a second and some 50 MB.
pub struct Hub<R: RuleTable> {
    start: Placement<R>,
    /// Moves from the start position to the first bare-king position.
    opening: Vec<Move<R>>,
    first: Placement<R>,
    nodes: Vec<Node<R>>,
    index: FxHashMap<Placement<R>, u32>,
}

impl<R: Rules> Hub<R> {
    /// Most positions looked at for the line from the start to bare kings.
    const OPENING_NODES: usize = 1_000_000;

    /// Finds a line from the start position to bare kings, then explores from there.
    ///
    /// # Errors
    ///
    /// If the rule set's start position leads nowhere.
    pub fn new() -> Result<Self, HubError> {
        let (start, _) = parse_sfen::<R>(R::START)?;
        let (opening, first) =
            opening(&start, Self::OPENING_NODES).ok_or(HubError::NoLine(Self::OPENING_NODES))?;
        let mut hub =
            Self { start, opening, first, nodes: Vec::new(), index: FxHashMap::default() };
        hub.explore();
        Ok(hub)
    }

    /// The start position of the game.
    pub fn start(&self) -> &Placement<R> {
        &self.start
    }

    /// Number of bare-king positions that can be reached.
    pub fn reached(&self) -> usize {
        self.nodes.len() + 1
    }

    /// Number of legal bare-king positions there are: kings not adjacent, every distribution of
    /// the other pieces over the hands, either side to move.
    pub fn total(&self) -> usize {
        let pairs: usize = Square::<R::Geometry>::all()
            .map(|king| {
                let near = step_attacks(Step::King, Colour::Sente, king) | Bitboard::of(king);
                (!near).len() as usize
            })
            .sum();
        let hands: usize = Kind::all::<R>()
            .filter(|kind| kind.spec::<R>().role != Role::Royal)
            .map(|kind| usize::from(kind.spec::<R>().count) + 1)
            .product();
        2 * pairs * hands
    }

    /// Whether every legal bare-king position can be reached.
    pub fn is_connected(&self) -> bool {
        self.reached() == self.total()
    }

    /// A game from the start position to a bare-king position, or `None` if it is not reached.
    pub fn game_to(&self, target: &Placement<R>) -> Option<Vec<Move<R>>> {
        let mut reversed = Vec::new();
        let mut at = if *target == self.first { 0 } else { *self.index.get(target)? };
        while at != 0 {
            let node = &self.nodes[at as usize - 1];
            reversed.extend(node.moves.1);
            reversed.push(node.moves.0);
            at = node.from;
        }
        let tail = reversed.into_iter().rev();
        Some(self.opening.iter().copied().chain(tail).collect())
    }

    /// Breadth-first over the bare-king positions. Node 0 is the first one, node i is
    /// `nodes[i - 1]`.
    fn explore(&mut self) {
        let mut next = 0;
        while next <= self.nodes.len() {
            let placement = match next {
                0 => self.first,
                n => self.nodes[n - 1].placement,
            };
            let mut found = Vec::new();
            hub_moves(&placement, |moves, placement| found.push((moves, placement)));
            for (moves, placement) in found {
                if placement != self.first && !self.index.contains_key(&placement) {
                    self.nodes.push(Node { placement, from: next as u32, moves });
                    self.index.insert(placement, self.nodes.len() as u32);
                }
            }
            next += 1;
        }
    }
}

/// Gives the bare-king positions one step away: after a king's move, or after a drop beside the
/// other king and its capture.
fn hub_moves<R: RuleTable>(
    placement: &Placement<R>,
    mut give: impl FnMut((Move<R>, Option<Move<R>>), Placement<R>),
) {
    let us = placement.side();
    let (Some(own), Some(other)) = (placement.king(us), placement.king(!us)) else { return };
    let reach = |king| step_attacks(Step::King, us, king);
    let offered = reach(other) - reach(own) - Bitboard::of(own);
    let _: ControlFlow<()> = placement.generate(|batch| {
        if let Origin::Board(_) = batch.origin {
            for made in batch.moves() {
                give((made, None), placement.after(made));
            }
        } else {
            for to in batch.keep & offered {
                let drop = Move::Drop { face: batch.face, to };
                let capture = Move::Board { from: other, to, turn: false };
                give((drop, Some(capture)), placement.after(drop).after(capture));
            }
        }
        ControlFlow::Continue(())
    });
}

/// A line from `start` to bare kings: best-first forward, fewest pieces on the board first.
fn opening<R: RuleTable>(
    start: &Placement<R>,
    limit: usize,
) -> Option<(Vec<Move<R>>, Placement<R>)> {
    // Each position with the index of the one before it and the move between them.
    let mut nodes = vec![(*start, None::<(u32, Move<R>)>)];
    let mut seen = FxHashSet::from_iter([*start]);
    let mut queue = BinaryHeap::from([(Reverse(start.occupied().len()), 0u32)]);
    while let Some((_, index)) = queue.pop() {
        let placement = nodes[index as usize].0;
        if placement.occupied() == placement.royals() {
            let mut line = Vec::new();
            let mut at = index;
            while let Some((from, made)) = nodes[at as usize].1 {
                line.push(made);
                at = from;
            }
            line.reverse();
            return Some((line, placement));
        }
        if nodes.len() > limit {
            return None;
        }
        for made in placement.legal_moves() {
            let next = placement.after(made);
            // Drops lead away from bare kings.
            if matches!(made, Move::Board { .. }) && seen.insert(next) {
                nodes.push((next, Some((index, made))));
                queue.push((Reverse(next.occupied().len()), nodes.len() as u32 - 1));
            }
        }
    }
    None
}
