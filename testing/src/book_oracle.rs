//! Problems as problem books count them, by brute force: the definition of `docs/how/mate.md` written out.
//!
//! It knows the legal moves, which of them give check, and verdicts. It shares nothing with the search for mates: no
//! proof numbers, no proofs that hold for other hands, no bounds by other counts. What it has found out of a position
//! it keeps under the key of that very position.

use std::collections::HashMap;

use shogi_rules::shogi_core::{Faults, Kind, Move, Position, checks};
use shogi_rules::{Rules, Verdict};

/// Whether a reply to the check of a slider interposes: it moves neither the king nor captures. None
/// does where a king may be left in check.
pub fn interposes<R: Rules>(position: &Position<R>, reply: Move<R>) -> bool {
    let by_king = match reply {
        Move::Board { from, .. } => position.king(position.side()) == Some(from),
        Move::Drop { .. } => false,
    };
    R::royal_safety() && !by_king && position.piece(reply.to()).is_none()
}

/// What is known of a length.
#[derive(Clone, Copy)]
enum Length {
    Exact(u32),
    MoreThan(u32),
}

/// The definition of `docs/how/mate.md`, written out.
pub struct Oracle<R: Rules> {
    lengths: HashMap<u64, Length>,
    refuted: HashMap<u64, u32>,
    rules: std::marker::PhantomData<R>,
}

impl<R: Rules> Default for Oracle<R> {
    fn default() -> Self {
        Self { lengths: HashMap::new(), refuted: HashMap::new(), rules: std::marker::PhantomData }
    }
}

/// The depth under which a position is kept that is refuted whatever the depth.
const FOR_GOOD: u32 = u32::MAX;

impl<R: Rules> Oracle<R> {
    /// The length of a mate within so many plies.
    pub fn length(&mut self, position: &Position<R>, attacking: bool, within: u32) -> Option<u32> {
        match self.lengths.get(&position.key()) {
            Some(&Length::Exact(length)) => return Some(length).filter(|&length| length <= within),
            Some(&Length::MoreThan(limit)) if within <= limit => return None,
            _ => {}
        }
        let length = match (R::verdict(position), attacking) {
            (Some(Verdict::Win), true) | (Some(Verdict::Loss), false) => Some(0),
            (Some(_), _) => None,
            (None, true) => self.attack(position, within),
            (None, false) => self.defence(position, within).map(|(length, _)| length),
        };
        let known = length.map_or(Length::MoreThan(within), Length::Exact);
        self.lengths.insert(position.key(), known);
        length
    }

    /// The length with the attacker to move: one limit after the other, so that no longer mate is looked for than needed.
    fn attack(&mut self, position: &Position<R>, within: u32) -> Option<u32> {
        let after: Vec<_> =
            checks(position).into_iter().map(|mv| position.play_unchecked(mv)).collect();
        let mut limits = 0..within;
        let is_mate =
            |limit: &u32| after.iter().any(|next| self.length(next, false, *limit).is_some());
        limits.find(is_mate).map(|limit| limit + 1)
    }

    /// The length by a reply, if it is played out.
    fn played(&mut self, position: &Position<R>, reply: Move<R>, within: u32) -> Option<u32> {
        let left = within.checked_sub(1)?;
        self.length(&position.play_unchecked(reply), true, left).map(|length| length + 1)
    }

    /// Whether an interposition is useless beside a mate in so many plies: it is taken and given back, and the mate
    /// takes no longer.
    pub fn is_useless(&mut self, position: &Position<R>, reply: Move<R>, length: u32) -> bool {
        let (attacker, interposed) = (!position.side(), position.play_unchecked(reply));
        let mut captures = checks(&interposed);
        captures.retain(|capture| capture.to() == reply.to());
        captures.into_iter().any(|capture| {
            let next = interposed.play_unchecked(capture);
            let king = next.king(!attacker).unwrap();
            if !next.attackers(king, attacker, next.occupied()).contains(reply.to()) {
                return false;
            }
            let mut placement = *next.placement();
            let kind = interposed.piece(reply.to()).unwrap().face.kind;
            placement.hand_mut(attacker).take(kind);
            placement.hand_mut(!attacker).add(kind);
            let back = Position::new_allowing(placement, Faults::MISSING_KING).unwrap();
            self.length(&back, false, length).is_some()
        })
    }

    /// The length of a position with the defender to move, and its replies that last so long.
    pub fn defence(&mut self, position: &Position<R>, within: u32) -> Option<(u32, Vec<Move<R>>)> {
        let (interpositions, others): (Vec<_>, Vec<_>) =
            position.legal_moves().iter().copied().partition(|&reply| interposes(position, reply));
        let (mut length, mut lasting) = (0, Vec::new());
        for &reply in &others {
            let played = self.played(position, reply, within)?;
            length = length.max(played);
            lasting.push((reply, played));
        }
        let mut last_counted = Vec::new();
        loop {
            let mut counted = interpositions.clone();
            counted.retain(|&reply| self.played(position, reply, length).is_none());
            counted.retain(|&reply| !self.is_useless(position, reply, length));
            if counted.is_empty() {
                break;
            }
            let played = |&reply: &Move<R>| Some((reply, self.played(position, reply, within)?));
            let played: Vec<_> = counted.iter().filter_map(played).collect();
            length = played.iter().map(|pair| pair.1).min()?;
            last_counted =
                played.into_iter().filter(|pair| pair.1 == length).map(|pair| pair.0).collect();
        }
        lasting.retain(|pair| pair.1 == length);
        let mut best: Vec<_> = lasting.into_iter().map(|pair| pair.0).collect();
        for reply in interpositions {
            let lasts = self.played(position, reply, length) == Some(length);
            if lasts && !self.is_useless(position, reply, length) {
                best.push(reply);
            }
        }
        Some((length, if best.is_empty() { last_counted } else { best }))
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
                moves.retain(|&mv| {
                    self.length(&position.play_unchecked(mv), false, length - 1).is_some()
                });
                moves
            }
            (_, false) => self.defence(position, length).unwrap().1,
        };
        let after = |mv| self.left(&position.play_unchecked(mv), !attacking, length - 1);
        moves.into_iter().map(after).min().unwrap()
    }

    /// Whether there is shown to be no mate at all from a position, however long: the attacker runs out of checks
    /// within so many plies on every line. Not shown where that takes more positions than the effort that is left.
    pub fn is_refuted(
        &mut self,
        position: &Position<R>,
        attacking: bool,
        within: u32,
        effort: &mut u64,
    ) -> bool {
        match self.refuted.get(&position.key()) {
            Some(&FOR_GOOD) => return true,
            Some(&tried) if within <= tried => return false,
            _ => {}
        }
        let mut next = |mv: Move<R>| {
            let is_beyond = within == 0 || *effort == 0;
            *effort = effort.saturating_sub(1);
            !is_beyond
                && self.is_refuted(&position.play_unchecked(mv), !attacking, within - 1, effort)
        };
        let refuted = match (R::verdict(position), attacking) {
            (Some(Verdict::Win), true) | (Some(Verdict::Loss), false) => false,
            (Some(_), _) => true,
            (None, true) => checks(position).into_iter().all(&mut next),
            (None, false) => position.legal_moves().iter().any(|&mv| next(mv)),
        };
        self.refuted.insert(position.key(), if refuted { FOR_GOOD } else { within });
        refuted
    }
}
