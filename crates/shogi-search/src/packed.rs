//! Moves in 16 bits.

use shogi_core::{Face, Kind, Move, RuleTable, Square};

/// No move.
pub(crate) const NONE: u16 = 0;

const TURN: u16 = 1 << 14;
const DROP: u16 = 1 << 15;

/// A move as a number that is never [`NONE`]: no board move ends where it began.
#[inline]
pub(crate) fn pack<R: RuleTable>(mv: Move<R>) -> u16 {
    match mv {
        Move::Board { from, to, turn } => {
            to.index() as u16 | (from.index() as u16) << 7 | if turn { TURN } else { 0 }
        }
        Move::Drop { face, to } => DROP | to.index() as u16 | (face.index() as u16) << 7,
    }
}

/// The move with this number; `None` for a number that no move of the rule table has.
#[cfg_attr(
    not(feature = "self-play"),
    allow(
        dead_code,
        reason = "only archives of games keep packed moves that have no position beside them"
    )
)]
pub(crate) fn unpack<R: RuleTable>(packed: u16) -> Option<Move<R>> {
    let to = Square::from_index(usize::from(packed & 127))?;
    let other = usize::from(packed >> 7 & 127);
    if packed & DROP == 0 {
        let (from, turn) = (Square::from_index(other)?, packed & TURN != 0);
        return (from != to).then_some(Move::Board { from, to, turn });
    }
    let kind = Kind::all::<R>().nth(other >> 1)?;
    let face = Face { kind, promoted: other & 1 != 0 };
    (packed & TURN == 0 && face.is_droppable::<R>()).then_some(Move::Drop { face, to })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use shogi_rules::{KyotoShogi, Rules, Shogi, parse_position};

    use super::*;

    fn check<R: Rules>(sfen: &str) {
        let moves = parse_position::<R>(sfen).unwrap().legal_moves();
        let packed: BTreeSet<u16> = moves.iter().map(|&mv| pack(mv)).collect();
        assert!(packed.len() == moves.len() && !packed.contains(&NONE));
        assert!(moves.iter().all(|&mv| unpack(pack(mv)) == Some(mv)));
        for number in 0..=u16::MAX {
            assert!(unpack::<R>(number).is_none_or(|mv| pack(mv) == number));
        }
    }

    #[test]
    fn no_two_moves_of_a_position_have_one_number() {
        check::<Shogi>("R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1");
        check::<KyotoShogi>("pgks1/5/5/5/TSKG1 b TP 1");
    }
}
