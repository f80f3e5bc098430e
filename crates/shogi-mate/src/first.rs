//! The numbers of a position met for the first time, without searching below it.

use std::ops::ControlFlow;

use shogi_core::{Bitboard, Hand, Origin, Position, has_check};
use shogi_rules::Rules;

use super::memory::{Known, UNLIMITED};
use super::{hands, interposition};
use crate::numbers::ProofNumbers;

/// A position met for the first time, with the attacker to move.
pub fn first_attack<R: Rules>(position: &Position<R>, limit: u16) -> Known {
    if !has_check(position) {
        let kept = hands::disproof_of_attack(position, hands::total(position));
        Known::refuted(UNLIMITED, kept)
    } else if limit == 0 {
        Known::refuted(0, hands::total(position))
    } else {
        Known::open(ProofNumbers::UNIT)
    }
}

/// A position met for the first time, with the defender to move: the more evasions, the harder. If `BOOK`,
/// interpositions take no ply.
pub fn first_defence<R: Rules, const BOOK: bool>(position: &Position<R>, limit: u16) -> Known {
    let line = match limit {
        0 if BOOK => interposition::squares(position),
        _ => Bitboard::EMPTY,
    };
    let (mut moves, mut drops, mut first, mut evasion) = (0, Bitboard::EMPTY, None, None);
    // The closure never breaks.
    let _ = position.generate_dyn(&mut |batch| {
        match batch.origin {
            Origin::Hand => drops |= batch.keep,
            _ => moves += batch.len(),
        }
        first = first.or_else(|| batch.moves().next());
        if BOOK && limit == 0 {
            evasion = evasion.or_else(|| batch.moves().find(|mv| !line.contains(mv.to())));
        }
        ControlFlow::Continue(())
    });
    let played = if BOOK { evasion } else { first };
    match (first, played) {
        (None, _) => Known::proved(0, hands::proof_of_defence(position, Hand::EMPTY)),
        (_, Some(mv)) if limit == 0 => {
            let kept = hands::disproof_of_defence(position, mv, hands::total(position));
            Known::refuted(0, kept)
        }
        (Some(_), _) => {
            let phi = moves + u32::from(!drops.is_empty());
            Known::open(ProofNumbers { phi, ..ProofNumbers::UNIT })
        }
    }
}
