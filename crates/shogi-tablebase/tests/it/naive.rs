//! Values by the slowest way there is: all positions in a list, and the rules consulted again and again.

use std::collections::HashMap;

use shogi_core::{Colour, Face, Kind, Piece, Placement, Role, Square};
use shogi_rules::Verdict;
use shogi_tablebase::{PieceSet, Value, World, shogi_core};

/// The value of every legal position with the pieces of a set, both players to move, mirror images
/// apart.
pub fn values<R: World>(set: &PieceSet<R>) -> HashMap<Placement<R>, Value> {
    let positions = positions(set);
    let mut values = HashMap::new();
    // In this order, a value found is never revised.
    for plies in 0.. {
        let mut found = Vec::new();
        let mut is_open = plies == 0;
        for placement in positions.iter().filter(|placement| !values.contains_key(*placement)) {
            if let Some(value) = value(placement, plies, &values) {
                found.push((*placement, value));
            }
        }
        is_open |= !found.is_empty();
        values.extend(found);
        // Where kings can be captured or a move loses at once, positions are won in 1 and lost in 2 without any lost in 0.
        if !is_open && plies > 2 {
            break;
        }
    }
    for placement in positions {
        values.entry(placement).or_insert(Value::DRAW);
    }
    values
}

/// The value of a position if it is decided in just so many plies.
fn value<R: World>(
    placement: &Placement<R>,
    plies: u32,
    known: &HashMap<Placement<R>, Value>,
) -> Option<Value> {
    if let Some(verdict) = R::verdict(placement) {
        // After the end a win counts as one ply.
        let after = u32::from(verdict == Verdict::Win);
        let decided = Some(plies).filter(|_| verdict != Verdict::Draw);
        return (plies == after).then_some(Value { verdict, plies: decided });
    }
    let after = |mv| {
        let after = placement.play_unchecked(mv);
        // A king was captured.
        let missing = Colour::ALL.into_iter().any(|colour| after.king(colour).is_none());
        let lost = Value { verdict: Verdict::Loss, plies: Some(0) };
        if missing { Some(lost) } else { known.get(&after).copied() }
    };
    let replies: Vec<_> = placement.legal_moves().into_iter().map(after).collect();
    let is = |reply: &Option<Value>, verdict| reply.is_some_and(|value| value.verdict == verdict);
    let plies_of = |reply: &Option<Value>| reply.and_then(|value| value.plies);
    if let Some(best) = replies.iter().filter(|r| is(r, Verdict::Loss)).filter_map(plies_of).min() {
        return (best + 1 == plies).then_some(Value { verdict: Verdict::Win, plies: Some(plies) });
    }
    let all = replies.iter().all(|reply| is(reply, Verdict::Win));
    let longest = replies.iter().filter_map(plies_of).max();
    let value = Value { verdict: Verdict::Loss, plies: Some(plies) };
    (all && longest.is_some_and(|longest| longest + 1 == plies)).then_some(value)
}

/// Every legal position with the pieces of a set.
pub fn positions<R: World>(set: &PieceSet<R>) -> Vec<Placement<R>> {
    let mut list = Vec::new();
    place(set, Placement::EMPTY, 0, &mut list);
    list
}

/// Puts pieces on the squares from a number on, in all ways.
fn place<R: World>(
    set: &PieceSet<R>,
    placement: Placement<R>,
    square: usize,
    list: &mut Vec<Placement<R>>,
) {
    let Some(at) = Square::from_index(square) else {
        hands(set, placement, 0, list);
        return;
    };
    place(set, placement, square + 1, list);
    for face in Face::all::<R>() {
        if placement.kind(face.kind).len() == u32::from(set.count(face.kind)) {
            continue;
        }
        for colour in Colour::ALL {
            let mut next = placement;
            next.put(at, Piece { face, colour });
            place(set, next, square + 1, list);
        }
    }
}

/// Divides what is not on the board between the hands, in all ways.
fn hands<R: World>(
    set: &PieceSet<R>,
    placement: Placement<R>,
    kind: usize,
    list: &mut Vec<Placement<R>>,
) {
    let Some(kind_of) = Kind::all::<R>().nth(kind) else {
        for side in Colour::ALL {
            let mut placement = placement;
            placement.set_side(side);
            if placement.faults().is_empty() {
                list.push(placement);
            }
        }
        return;
    };
    let rest = set.count(kind_of) - placement.kind(kind_of).len() as u8;
    if kind_of.spec::<R>().role == Role::Royal {
        if rest == 0 {
            hands(set, placement, kind + 1, list);
        }
        return;
    }
    for sente in 0..=rest {
        let mut next = placement;
        next.hand_mut(Colour::Sente).set(kind_of, sente);
        next.hand_mut(Colour::Gote).set(kind_of, rest - sente);
        hands(set, next, kind + 1, list);
    }
}
