//! Slow solvers for small positions, to have strategies to test proofs with.

use std::collections::{HashMap, HashSet};

use shogi_core::{Colour, Move, Position};
use shogi_proof::{Claim, Proof, Repetition, Strategy};
use shogi_rules::shogi_core;
use shogi_rules::{Rules, Shogi34, Verdict, parse_position};

/// A start of 3x4 shogi by name.
pub fn start(name: &str) -> Position<Shogi34> {
    Position::new(Shogi34::named_start(name).unwrap()).unwrap()
}

/// A position by SFEN.
pub fn position<R: Rules>(sfen: &str) -> Position<R> {
    parse_position(sfen).unwrap()
}

/// Whether the game has ended, and for whom it is good.
fn ended<R: Rules>(position: &Position<R>, prover: Colour) -> Option<Verdict> {
    R::verdict(position).map(|verdict| match verdict {
        Verdict::Win if position.side() != prover => Verdict::Loss,
        Verdict::Loss if position.side() != prover => Verdict::Win,
        same => same,
    })
}

/// Looks for forced wins by trying all moves to a growing depth.
pub struct Wins<R: Rules> {
    prover: Colour,
    /// By position and number of plies, whether the prover wins within so many.
    known: HashMap<(Position<R>, u32), bool>,
}

impl<R: Rules> Wins<R> {
    pub fn new(prover: Colour) -> Self {
        Self { prover, known: HashMap::new() }
    }

    fn within(&mut self, position: &Position<R>, plies: u32) -> bool {
        if let Some(verdict) = ended(position, self.prover) {
            return verdict == Verdict::Win;
        }
        if plies == 0 {
            return false;
        }
        if let Some(&known) = self.known.get(&(*position, plies)) {
            return known;
        }
        let mut moves = position.legal_moves().into_iter();
        let won = if position.side() == self.prover {
            moves.any(|mv| self.within(&position.play_unchecked(mv), plies - 1))
        } else {
            moves.all(|mv| self.within(&position.play_unchecked(mv), plies - 1))
        };
        self.known.insert((*position, plies), won);
        won
    }

    /// The shortest forced win of at most so many plies.
    pub fn plies(&mut self, position: &Position<R>, most: u32) -> Option<u32> {
        (0..=most).find(|&plies| self.within(position, plies))
    }

    /// Puts shortest wins from a position on into a strategy.
    fn collect(&mut self, position: &Position<R>, most: u32, strategy: &mut Strategy<R>) {
        if ended(position, self.prover).is_some() || strategy.get(position).is_some() {
            return;
        }
        if position.side() != self.prover {
            for mv in position.legal_moves() {
                self.collect(&position.play_unchecked(mv), most - 1, strategy);
            }
            return;
        }
        let plies = self.plies(position, most).expect("the position is won");
        let mut moves = position.legal_moves().into_iter();
        let best = moves.find(|&mv| self.within(&position.play_unchecked(mv), plies - 1)).unwrap();
        strategy.insert(position, best, plies).unwrap();
        self.collect(&position.play_unchecked(best), plies - 1, strategy);
    }
}

/// A proof that a player wins within so many plies.
pub fn win<R: Rules>(root: Position<R>, prover: Colour, most: u32) -> Proof<R> {
    let mut strategy = Strategy::new(prover, Repetition::Absent);
    Wins::new(prover).collect(&root, most, &mut strategy);
    Proof::new(root, Claim::Win { prover }, vec![strategy]).unwrap()
}

/// A strategy that never leaves the positions from which no bad end can be forced, where ends are
/// bad that `is_good` refuses; of two moves it makes the one that `prefers` ranks lower.
pub fn safe<R: Rules, K: Ord>(
    root: Position<R>,
    prover: Colour,
    repetition: Repetition,
    is_good: impl Fn(Verdict) -> bool,
    prefers: impl Fn(&Position<R>, Move<R>) -> K,
) -> Strategy<R> {
    let mut all = vec![root];
    let mut met = HashSet::from([root]);
    let mut next = 0;
    while let Some(position) = all.get(next).copied() {
        next += 1;
        if R::verdict(&position).is_none() {
            let after = position.legal_moves().into_iter().map(|mv| position.play_unchecked(mv));
            all.extend(after.filter(|&after| met.insert(after)));
        }
    }
    let mut safe: HashSet<_> = all.iter().copied().collect();
    loop {
        let keeps = |position: &Position<R>| {
            if let Some(verdict) = ended(position, prover) {
                return is_good(verdict);
            }
            let mut moves = position.legal_moves().into_iter();
            let mut stays = |mv| safe.contains(&position.play_unchecked(mv));
            if position.side() == prover { moves.any(&mut stays) } else { moves.all(&mut stays) }
        };
        let kept: HashSet<_> = safe.iter().filter(|position| keeps(position)).copied().collect();
        if kept.len() == safe.len() {
            break;
        }
        safe = kept;
    }
    let mut strategy = Strategy::new(prover, repetition);
    let mut open = vec![root];
    let mut met = HashSet::from([root]);
    while let Some(position) = open.pop() {
        if R::verdict(&position).is_some() || strategy.get(&position).is_some() {
            continue;
        }
        let mut moves = position.legal_moves().to_vec();
        if position.side() == prover {
            moves.retain(|&mv| safe.contains(&position.play_unchecked(mv)));
            moves.sort_by_key(|&mv| prefers(&position, mv));
            moves.truncate(1);
            strategy.insert(&position, moves[0], 0).unwrap();
        }
        let after = moves.into_iter().map(|mv| position.play_unchecked(mv));
        open.extend(after.filter(|&after| met.insert(after)));
    }
    strategy
}
