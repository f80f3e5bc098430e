//! The published algorithm, plainly: best-first search over all legal predecessors with H.
//!
//! Predecessors come from the crate's unmove generator, which has its own oracles; everything else
//! is written again from the paper (Ishii & Tanaka 2024, section 4.2), without lemmas, descents or
//! bitboards.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use shogi_rank::Stage;
use shogi_rules::Minishogi;
use shogi_rules::shogi_core::{Colour, Piece, Placement, Role, Square};

type Position = Placement<Minishogi>;

fn is_king(piece: Piece) -> bool {
    piece.face.kind.spec::<Minishogi>().role == Role::Royal
}

fn is_pawn(piece: Piece) -> bool {
    piece.face.kind == Minishogi::PAWN && !piece.face.promoted
}

/// H(pos) with a = b = 10 and c = d = 1.
fn heuristic(position: &Position) -> u32 {
    let mut h = 0;
    let mut kings = Vec::new();
    for (square, piece) in position.pieces() {
        if is_king(piece) {
            kings.push(square);
        } else {
            h += 10;
        }
        if piece.face.promoted {
            let away =
                if piece.colour == Colour::Sente { square.rank() } else { 4 - square.rank() };
            h += 10 + u32::from(away);
        }
    }
    h + u32::from(kings[0].manhattan(kings[1]) <= 2)
}

fn previous(position: &Position) -> Vec<Position> {
    position.unmoves().into_iter().map(|unmove| position.unmake(unmove)).collect()
}

fn can_reach_bare_kings(position: &Position) -> bool {
    let mut seen = HashSet::from([*position]);
    let mut list = vec![*position];
    let mut queue = BinaryHeap::from([(Reverse(heuristic(position)), 0)]);
    while let Some((Reverse(h), index)) = queue.pop() {
        if h == 0 {
            return true;
        }
        for before in previous(&list[index]) {
            if seen.insert(before) {
                queue.push((Reverse(heuristic(&before)), list.len()));
                list.push(before);
            }
        }
    }
    false
}

/// Plies that an unreachable position can be traced back, layer by layer; `None` after 20.
pub fn backward_depth(position: &Position) -> Option<u32> {
    let mut seen = HashSet::from([*position]);
    let mut layer = vec![*position];
    for plies in 0..20 {
        layer = layer.iter().flat_map(previous).filter(|before| seen.insert(*before)).collect();
        if layer.is_empty() {
            return Some(plies);
        }
    }
    None
}

fn mirror(square: Square<shogi_rules::shogi_core::Board5x5>) -> (u8, u8) {
    (4 - square.column(), square.rank())
}

/// Whether the mirror image is lexicographically smaller: lists of squares, kings first.
fn mirror_is_smaller(position: &Position) -> bool {
    let mut lists = Vec::new();
    for mirrored in [false, true] {
        let mut list: Vec<_> = position
            .pieces()
            .map(|(square, piece)| {
                let at = if mirrored { mirror(square) } else { (square.column(), square.rank()) };
                (!is_king(piece), piece.face, piece.colour, at)
            })
            .collect();
        list.sort_unstable();
        lists.push(list);
    }
    lists[1] < lists[0]
}

fn pawns_are_legal(position: &Position) -> bool {
    let mut files = HashSet::new();
    position.pieces().filter(|(_, piece)| is_pawn(*piece)).all(|(square, piece)| {
        let last = if piece.colour == Colour::Sente { 0 } else { 4 };
        square.rank() != last && files.insert((piece.colour, square.column()))
    })
}

/// The stage at which the paper's program drops a position.
pub fn classify(position: &Position) -> Stage {
    if mirror_is_smaller(position) {
        Stage::Flip
    } else if !pawns_are_legal(position) {
        Stage::Pawn
    } else if position.in_check(!position.side()) {
        Stage::King
    } else if can_reach_bare_kings(position) {
        Stage::Ok
    } else {
        Stage::Unreachable { plies: backward_depth(position).expect("a small closed set") }
    }
}
