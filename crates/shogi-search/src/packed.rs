//! Moves in 16 bits, the form in archives of games.

use shogi_core::{Face, Kind, Move, Position, RuleTable, Square};
use shogi_rules::{Game, Rules};

/// No move.
pub(crate) const NONE: u16 = 0;

const TURN: u16 = 1 << 14;
const DROP: u16 = 1 << 15;

/// A move as a number that is never 0: no board move ends where it began.
///
/// ```
/// use shogi_rules::{Minishogi, parse_usi};
/// use shogi_search::packed::{pack, unpack};
/// let mv = parse_usi::<Minishogi>("5e5d")?;
/// assert_eq!(unpack(pack(mv)), Some(mv));
/// assert_eq!(unpack::<Minishogi>(0), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub fn pack<R: RuleTable>(mv: Move<R>) -> u16 {
    match mv {
        Move::Board { from, to, turn } => {
            to.index() as u16 | (from.index() as u16) << 7 | if turn { TURN } else { 0 }
        }
        Move::Drop { face, to } => DROP | to.index() as u16 | (face.index() as u16) << 7,
    }
}

/// The move with this number; `None` if no move of the rule table has it.
pub fn unpack<R: RuleTable>(packed: u16) -> Option<Move<R>> {
    let to = Square::from_index(usize::from(packed & 127))?;
    let other = usize::from(packed >> 7 & 127);
    let turn = packed & TURN != 0;
    if packed & DROP == 0 {
        let from = Square::from_index(other)?;
        return (from != to).then_some(Move::Board { from, to, turn });
    }
    if other >> 1 >= R::kinds().len() || turn {
        return None;
    }
    let face = Face { kind: Kind::new((other >> 1) as u8), promoted: other & 1 != 0 };
    face.is_droppable::<R>().then_some(Move::Drop { face, to })
}

/// Whether a packed move of a position captures.
#[inline]
pub(crate) fn captures<R: RuleTable>(position: &Position<R>, packed: u16) -> bool {
    let to = Square::from_index(usize::from(packed & 127));
    packed != NONE && packed & DROP == 0 && to.is_some_and(|to| position.piece(to).is_some())
}

/// The numbers of moves.
pub(crate) fn packed<R: RuleTable>(moves: &[Move<R>]) -> Vec<u16> {
    let mut packed = Vec::with_capacity(moves.len());
    for &mv in moves {
        packed.push(pack(mv));
    }
    packed
}

/// The moves with these numbers.
pub(crate) fn unpacked<R: RuleTable>(packed: &[u16]) -> Vec<Move<R>> {
    let mut moves = Vec::with_capacity(packed.len());
    for &number in packed {
        if let Some(mv) = unpack(number) {
            moves.push(mv);
        }
    }
    moves
}

/// Plays a packed move and returns whether it is legal.
pub(crate) fn play<R: Rules>(game: &mut Game<R>, mv: u16) -> bool {
    unpack(mv).is_some_and(|mv| game.play(mv).is_ok())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use shogi_rules::{KyotoShogi, Shogi, parse_position};

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
