//! The book's count of mates, written out from its definition in docs/how/mate.md.

use std::collections::HashMap;

use shogi_core::{Faults, Kind, Move, Position};
use shogi_rules::{Rules, Verdict};
use shogi_solve::mate::checks;
use shogi_solve::shogi_core;

/// Whether a reply to the check of a slider interposes: it moves neither the king nor captures. None
/// does where a king may be left in check.
pub fn interposes<R: Rules>(position: &Position<R>, reply: Move<R>) -> bool {
    let by_king = match reply {
        Move::Board { from, .. } => position.king(position.side()) == Some(from),
        Move::Drop { .. } => false,
    };
    R::royal_safety() && !by_king && position.piece(reply.to()).is_none()
}

/// The definition of docs/how/mate.md, written out.
pub struct Oracle<R: Rules> {
    known: HashMap<(u64, u32), Option<u32>>,
    rules: std::marker::PhantomData<R>,
}

impl<R: Rules> Default for Oracle<R> {
    fn default() -> Self {
        Self { known: HashMap::new(), rules: std::marker::PhantomData }
    }
}

impl<R: Rules> Oracle<R> {
    /// The length of a mate within so many plies.
    pub fn length(&mut self, position: &Position<R>, attacking: bool, within: u32) -> Option<u32> {
        if let Some(&known) = self.known.get(&(position.key(), within)) {
            return known;
        }
        let length = match (R::verdict(position), attacking) {
            (Some(Verdict::Win), true) | (Some(Verdict::Loss), false) => Some(0),
            (Some(_), _) => None,
            (None, true) => within.checked_sub(1).and_then(|left| {
                let after = |&mv: &Move<R>| self.length(&position.play(mv), false, left);
                checks(position).iter().filter_map(after).min().map(|length| length + 1)
            }),
            (None, false) => self.defence(position, within).map(|(length, _)| length),
        };
        self.known.insert((position.key(), within), length);
        length
    }

    /// The length by a reply, if it is played out.
    fn played(&mut self, position: &Position<R>, reply: Move<R>, within: u32) -> Option<u32> {
        let left = within.checked_sub(1)?;
        self.length(&position.play(reply), true, left).map(|length| length + 1)
    }

    /// The length by an interposition if it is taken and given back.
    fn taken_back(&mut self, position: &Position<R>, reply: Move<R>, within: u32) -> Option<u32> {
        let (attacker, interposed) = (!position.side(), position.play(reply));
        let captures = checks(&interposed).into_iter().filter(|capture| capture.to() == reply.to());
        let mut shortest = None;
        for capture in captures {
            let next = interposed.play(capture);
            let king = next.king(!attacker).unwrap();
            if !next.attackers(king, attacker, next.occupied()).contains(reply.to()) {
                continue;
            }
            let mut placement = *next.placement();
            let kind = interposed.piece(reply.to()).unwrap().face.kind;
            placement.hand_mut(attacker).take(kind);
            placement.hand_mut(!attacker).add(kind);
            let back = Position::new_allowing(placement, Faults::MISSING_KING).unwrap();
            let length = self.length(&back, false, within);
            shortest = shortest.into_iter().chain(length).min();
        }
        shortest
    }

    /// The length of a position with the defender to move, and its replies that last so long.
    pub fn defence(&mut self, position: &Position<R>, within: u32) -> Option<(u32, Vec<Move<R>>)> {
        let replies = position.legal_moves();
        let (mut length, mut pairs) = (0, Vec::new());
        for &reply in &replies {
            let played = self.played(position, reply, within);
            if interposes(position, reply) {
                pairs.push((reply, played, self.taken_back(position, reply, within)));
            } else {
                length = length.max(played?);
                // Never useless.
                pairs.push((reply, played, None));
            }
        }
        let mut before = 0;
        loop {
            let longer = |length: Option<u32>, than| length.is_none_or(|length| length > than);
            let counted =
                pairs.iter().filter(|pair| longer(pair.1, length) && longer(pair.2, length));
            let counted: Vec<_> = counted.map(|pair| pair.1).collect();
            if counted.is_empty() {
                let last = |than| {
                    let lasting =
                        pairs.iter().filter(|pair| pair.1 == Some(length) && longer(pair.2, than));
                    lasting.map(|pair| pair.0).collect::<Vec<_>>()
                };
                let best = last(length);
                return Some((length, if best.is_empty() { last(before) } else { best }));
            }
            before = length;
            length = counted.into_iter().flatten().min()?;
        }
    }

    /// The fewest pieces left in the attacker's hand by a line of best moves.
    pub fn left(&mut self, position: &Position<R>, attacking: bool, length: u32) -> u32 {
        let attacker = if attacking { position.side() } else { !position.side() };
        let moves = match (length, attacking) {
            (0, _) => {
                let hand = position.hand(attacker);
                return Kind::all::<R>().map(|kind| u32::from(hand.count(kind))).sum();
            }
            (_, true) => {
                let mut moves = checks(position);
                moves.retain(|&mv| self.length(&position.play(mv), false, length - 1).is_some());
                moves
            }
            (_, false) => self.defence(position, length).unwrap().1,
        };
        let after = |mv| self.left(&position.play(mv), !attacking, length - 1);
        moves.into_iter().map(after).min().unwrap()
    }
}
