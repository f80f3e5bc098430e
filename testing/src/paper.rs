//! The published algorithm, plainly: best-first search over all legal predecessors with H.
//!
//! Predecessors come from the crate's unmove generator, which has its own oracles; everything else
//! is written again from the paper (Ishii & Tanaka 2024, section 4.2), without lemmas, descents or
//! bitboards. What the same authors do otherwise on 9x9 is marked.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use shogi_reach::Stage;
use shogi_rules::shogi_core::{Colour, Geometry, Piece, Placement, Role, RuleTable, Square};

fn is_king<R: RuleTable>(piece: Piece) -> bool {
    piece.face.kind.spec::<R>().role == Role::Royal
}

/// How many ranks lie before a square on a player's way forward.
fn ranks_ahead<R: RuleTable>(square: Square<R::Geometry>, colour: Colour) -> u8 {
    if colour == Colour::Sente { square.rank() } else { R::Geometry::HEIGHT - 1 - square.rank() }
}

/// H(pos) with a = b = 10, c = 1, and d = 1 on 5x5, 0 on 9x9. A promoted piece has to go back as
/// many ranks as it is away from the zone; the zone of 5x5 is one rank.
fn heuristic<R: RuleTable>(position: &Placement<R>) -> u32 {
    let mut h = 0;
    let mut kings = Vec::new();
    for (square, piece) in position.pieces() {
        if is_king::<R>(piece) {
            kings.push(square);
        } else {
            h += 10;
        }
        if piece.face.promoted {
            let away = (ranks_ahead::<R>(square, piece.colour) + 1).saturating_sub(R::ZONE);
            h += 10 + u32::from(away);
        }
    }
    let d = u32::from(R::Geometry::HEIGHT == 5);
    h + d * u32::from(kings[0].manhattan(kings[1]) <= 2)
}

fn previous<R: RuleTable>(position: &Placement<R>) -> Vec<Placement<R>> {
    position.unmoves().into_iter().map(|unmove| position.unmake_unchecked(unmove)).collect()
}

fn can_reach_bare_kings<R: RuleTable>(position: &Placement<R>) -> bool {
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
pub fn backward_depth<R: RuleTable>(position: &Placement<R>) -> Option<u32> {
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

fn mirror<G: Geometry>(square: Square<G>) -> (u8, u8) {
    (G::WIDTH - 1 - square.column(), square.rank())
}

/// Where a face stands in the order of comparison: in Minishogi by kinds in the order of the published
/// program, backs before fronts; elsewhere in the order of the rule table, fronts before backs.
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
    } else if can_reach_bare_kings(position) {
        Stage::Ok
    } else {
        Stage::Unreachable { plies: backward_depth(position).expect("a small closed set") }
    }
}
