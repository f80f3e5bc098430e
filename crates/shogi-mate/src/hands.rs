//! The part of the hand that a result depends on.
//!
//! A mate proved with some pieces in hand is also a mate with more of them, and often with fewer: the *proof
//! hand* has the pieces that the proof used. Likewise a refutation holds for every hand within its *disproof
//! hand*. So one table entry covers many positions (Nagai, "Df-pn algorithm for searching AND/OR trees and its
//! applications", 2002).
//!
//! All pieces that are not on the board are in the two hands, so the attacker's hand fixes the
//! defender's: a proof that relies on the defender not having some kind keeps *all* pieces of that
//! kind in the attacker's hand, and a refutation that drops one leaves one to the defender.

use std::ops::ControlFlow;

use shogi_core::{Batch, Colour, Hand, Kind, Move, Origin, Placement, RuleTable};

use shogi_core::generate_checks_dyn;

/// The most of each kind.
pub fn most<R: RuleTable>(a: Hand, b: Hand) -> Hand {
    combine::<R>(a, b, u8::max)
}

/// The least of each kind.
pub fn least<R: RuleTable>(a: Hand, b: Hand) -> Hand {
    combine::<R>(a, b, u8::min)
}

#[inline]
fn combine<R: RuleTable>(a: Hand, b: Hand, choose: fn(u8, u8) -> u8) -> Hand {
    let mut result = Hand::EMPTY;
    for kind in Kind::all::<R>() {
        result.set(kind, choose(a.count(kind), b.count(kind)));
    }
    result
}

/// The pieces of both hands: the most that the attacker could hold here.
pub fn total<R: RuleTable>(position: &Placement<R>) -> Hand {
    combine::<R>(position.hand(Colour::Sente), position.hand(Colour::Gote), |a, b| a + b)
}

/// The attacker's hand before a move of the attacker that leaves `after`.
///
/// Proof hands and disproof hands pass through moves in the same way: a dropped piece was in hand before, a
/// captured one was not.
pub fn before<R: RuleTable>(position: &Placement<R>, mv: Move<R>, after: Hand) -> Hand {
    let mut before = after;
    match mv {
        Move::Drop { face, .. } => before.add(face.kind),
        Move::Board { to, .. } => {
            if let Some(captured) = position.piece(to) {
                before.take(captured.face.kind);
            }
        }
    }
    before
}

/// The proof hand of a position with the defender to move, in which every legal move is refuted within
/// `replies`: kinds in hand that would allow further moves must stay with the attacker.
pub fn proof_of_defence<R: RuleTable>(position: &Placement<R>, replies: Hand) -> Hand {
    let attacker = position.hand(!position.side());
    let mut result = replies;
    let missing = missing(position, false);
    for kind in Kind::all::<R>() {
        if missing >> kind.index() & 1 == 1 {
            result.set(kind, attacker.count(kind));
        }
    }
    result
}

/// The disproof hand of a position with the attacker to move, in which every check is refuted within `checks`:
/// missing kinds that could give check must stay out of the hand.
pub fn disproof_of_attack<R: RuleTable>(position: &Placement<R>, checks: Hand) -> Hand {
    let mut result = least::<R>(checks, total(position));
    let missing = missing(position, true);
    for kind in Kind::all::<R>() {
        if missing >> kind.index() & 1 == 1 {
            result.set(kind, 0);
        }
    }
    result
}

/// The disproof hand of a position with the defender to move, who by this move refutes every hand within
/// `after`.
pub fn disproof_of_defence<R: RuleTable>(
    position: &Placement<R>,
    mv: Move<R>,
    after: Hand,
) -> Hand {
    let mut all = total(position);
    if let Move::Drop { face, .. } = mv {
        all.take(face.kind);
    }
    least::<R>(after, all)
}

/// The kinds, a bit each, that the opponent has in hand and the player to move lacks, and of which the player
/// would have drops or, with `checks`, checking drops.
fn missing<R: RuleTable>(position: &Placement<R>, checks: bool) -> u8 {
    let us = position.side();
    let mut hand = Hand::EMPTY;
    for kind in Kind::all::<R>() {
        if !position.hand(us).has(kind) && position.hand(!us).has(kind) {
            hand.add(kind);
        }
    }
    let mut found = 0_u8;
    if !hand.is_empty() {
        let mut imagined = *position;
        *imagined.hand_mut(us) = hand;
        let note = &mut |batch: Batch<R>| {
            if batch.origin == Origin::Hand {
                found |= 1 << batch.face.kind.index();
            }
            ControlFlow::Continue(())
        };
        // Nothing breaks off here.
        let _ = match checks {
            true => generate_checks_dyn(&imagined, note),
            false => imagined.generate_dyn(note),
        };
    }
    found
}
