//! The published algorithm, written plainly: best-first search over all legal predecessors.
//!
//! Predecessors come from the crate's unmove generator, which has its own oracles; everything else is written
//! again from the paper (Ishii & Tanaka 2024, section 4.2), without lemmas, descents or bitboards. It is the
//! baseline that [`Reach`](crate::Reach) is measured against and tested with. Where the same authors differ on
//! 9x9, a comment says so.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use shogi_core::{Colour, Geometry, Piece, Placement, Role, RuleTable, Square};

use crate::Stage;

/// The weights of H, which is 0 exactly where only the kings are on the board, more than two steps apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weights {
    /// a: for each piece on the board but the kings.
    pub piece: u32,
    /// b: for each promoted piece.
    pub promoted: u32,
    /// c: for each rank that a promoted piece has to go back to the zone.
    pub rank: u32,
    /// d: where the kings are at most two steps apart.
    pub kings: u32,
}

impl Weights {
    /// Those of the paper on Minishogi: 10, 10, 1 and 1. The authors' program has 10 in place of the last.
    pub const MINISHOGI: Self = Self { piece: 10, promoted: 10, rank: 1, kings: 1 };
    /// Those of the paper on 9x9, which has no term for the kings.
    pub const SHOGI: Self = Self { kings: 0, ..Self::MINISHOGI };

    const fn of_board<R: RuleTable>() -> Self {
        if R::Geometry::HEIGHT == 5 { Self::MINISHOGI } else { Self::SHOGI }
    }

    /// The value H of a position.
    pub fn of<R: RuleTable>(self, position: &Placement<R>) -> u32 {
        let mut h = 0;
        let mut kings = Vec::new();
        for (square, piece) in position.pieces() {
            if is_king::<R>(piece) {
                kings.push(square);
            } else {
                h += self.piece;
            }
            if piece.face.promoted {
                // The zone of 5x5 is one rank.
                let away = (ranks_ahead::<R>(square, piece.colour) + 1).saturating_sub(R::ZONE);
                h += self.promoted + self.rank * u32::from(away);
            }
        }
        h + self.kings * u32::from(kings[0].manhattan(kings[1]) <= 2)
    }
}

/// The result of a search and its cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Search {
    /// Whether bare kings were reached; `None` if the limit was reached first.
    pub reached: Option<bool>,
    /// Positions taken from the queue.
    pub taken: usize,
    /// Positions met, each once.
    pub met: usize,
    /// Whether each position taken is a predecessor of the one taken before it, so that one path was enough.
    pub one_path: bool,
}

fn is_king<R: RuleTable>(piece: Piece) -> bool {
    piece.face.kind.spec::<R>().role == Role::Royal
}

/// How many ranks lie before a square on a player's way forward.
fn ranks_ahead<R: RuleTable>(square: Square<R::Geometry>, colour: Colour) -> u8 {
    if colour == Colour::Sente { square.rank() } else { R::Geometry::HEIGHT - 1 - square.rank() }
}

fn previous<R: RuleTable>(position: &Placement<R>) -> Vec<Placement<R>> {
    position.unmoves().into_iter().map(|unmove| position.unmake_unchecked(unmove)).collect()
}

/// Whether the published H is 0: only the kings are on the board, on 5x5 more than two steps apart. It does not depend on
/// the weights of a search, so that H can be tried without any of its terms.
fn is_goal<R: RuleTable>(position: &Placement<R>) -> bool {
    Weights::of_board::<R>().of(position) == 0
}

/// Algorithm 2 of the paper, can_reach_KK: takes the position of least H from the queue until it is bare kings, and adds
/// its predecessors. Keeps at most about `limit` positions.
///
/// ```
/// use shogi_reach::published::{Weights, search};
/// use shogi_rules::Minishogi;
/// let position = "4k/1+P3/3+s1/5/K3+r b R2B2GSP 1".parse::<shogi_core::Position<Minishogi>>()?;
/// let found = search(position.placement(), Weights::MINISHOGI, 1_000_000);
/// assert_eq!(found.reached, Some(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn search<R: RuleTable>(position: &Placement<R>, weights: Weights, limit: usize) -> Search {
    let mut seen = HashSet::from([*position]);
    // Each with the number of the position that it is a predecessor of.
    let mut list = vec![(*position, 0)];
    let mut queue = BinaryHeap::from([(Reverse(weights.of(position)), 0)]);
    let mut found = Search { reached: Some(false), taken: 0, met: 1, one_path: true };
    let mut last = 0;
    while let Some((_, index)) = queue.pop() {
        let (position, after) = list[index];
        found.one_path &= after == last;
        found.taken += 1;
        last = index;
        if is_goal(&position) {
            found.reached = Some(true);
            break;
        }
        for before in previous(&position) {
            if seen.insert(before) {
                queue.push((Reverse(weights.of(&before)), list.len()));
                list.push((before, index));
            }
        }
        if list.len() > limit {
            found.reached = None;
            break;
        }
    }
    Search { met: list.len(), ..found }
}

/// Plies backwards from an unreachable position until nothing new is found, layer by layer.
pub fn backward_depth<R: RuleTable>(position: &Placement<R>) -> u32 {
    let mut seen = HashSet::from([*position]);
    let mut layer = vec![*position];
    for plies in 0.. {
        layer = layer.iter().flat_map(previous).filter(|before| seen.insert(*before)).collect();
        if layer.is_empty() {
            return plies;
        }
    }
    u32::MAX
}

fn mirror<G: Geometry>(square: Square<G>) -> (u8, u8) {
    (G::WIDTH - 1 - square.column(), square.rank())
}

/// The place of a face in the order of comparison: in Minishogi by kinds in the order of the published program,
/// backs before fronts; elsewhere in the order of the rule table, fronts before backs.
fn order<R: RuleTable>(Piece { face, .. }: Piece) -> (Option<usize>, bool) {
    let letters: String = R::KINDS.iter().map(|kind| kind.letter).collect();
    if letters == "PSGBRK" {
        ("GPSRB".find(face.kind.spec::<R>().letter), !face.promoted)
    } else {
        (Some(face.kind.index()), face.promoted)
    }
}

/// Whether the mirror image is lexicographically smaller: lists of squares, kings first.
fn mirror_is_smaller<R: RuleTable>(position: &Placement<R>) -> bool {
    let mut lists = Vec::new();
    for mirrored in [false, true] {
        let mut list: Vec<_> = position
            .pieces()
            .map(|(square, piece)| {
                let at = if mirrored { mirror(square) } else { (square.column(), square.rank()) };
                (!is_king::<R>(piece), order::<R>(piece), piece.colour, at)
            })
            .collect();
        list.sort_unstable();
        lists.push(list);
    }
    lists[1] < lists[0]
}

/// Neither two pawns of a player on a file nor pieces that could not move: on 9x9 lances and knights
/// are dropped together with the pawns.
fn pawns_are_legal<R: RuleTable>(position: &Placement<R>) -> bool {
    let mut files = HashSet::new();
    position.pieces().filter(|(_, piece)| !piece.face.promoted).all(|(square, piece)| {
        let ahead = ranks_ahead::<R>(square, piece.colour);
        match piece.face.kind.spec::<R>().letter {
            'P' => ahead >= 1 && files.insert((piece.colour, square.column())),
            'L' => ahead >= 1,
            'N' => ahead >= 2,
            _ => true,
        }
    })
}

/// The stage at which the paper's program drops a position.
pub fn classify<R: RuleTable>(position: &Placement<R>) -> Stage {
    if mirror_is_smaller(position) {
        Stage::Flip
    } else if !pawns_are_legal(position) {
        Stage::Pawn
    } else if position.in_check(!position.side()) {
        Stage::King
    } else if search(position, Weights::of_board::<R>(), usize::MAX).reached == Some(true) {
        Stage::Ok
    } else {
        Stage::Unreachable { plies: backward_depth(position) }
    }
}
