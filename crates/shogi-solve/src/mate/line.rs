//! The line of play that a proof leads to.
//!
//! Each proved position has a length that its proof guarantees. The attacker takes the move with the
//! least length after it, the defender the one with the greatest. Lengths may have got shorter since
//! they were added up, so the line is checked from its end: where a position turns out to be
//! shorter than was thought, its length is noted and the player before it chooses again.

use rustc_hash::FxHashMap;
use shogi_core::{Move, Position};
use shogi_rules::Rules;

use super::memory::UNLIMITED;
use super::search::{MateSearch, step};
use crate::budget::Budget;
use shogi_core::checks;

/// A line from a position proved to be mate to the end of the game. Its length is guaranteed.
///
/// With `exact`, the length of the root is the least possible one, and the defender's moves are those
/// that no shorter mate answers, as far as the budget lets that be known.
///
/// `None` if entries that it needs were dropped from the table and the budget does not suffice for
/// proving them again.
pub fn line<R: Rules>(
    search: &mut MateSearch<'_, R>,
    root: &Position<R>,
    exact: bool,
    budget: &mut Budget<'_>,
) -> Option<Vec<Move<R>>> {
    Line { search, exact, budget, shortened: FxHashMap::default() }.follow(root)
}

/// A position of the line, with the move made there.
struct LineStep<R: Rules> {
    position: Position<R>,
    mv: Move<R>,
    /// The length that follows from the moves' lengths.
    length: u16,
}

/// What a player does best, and the length that follows.
type Choice<R> = (Move<R>, u16);

struct Line<'s, 't, 'b, R: Rules> {
    search: &'s mut MateSearch<'t, R>,
    exact: bool,
    budget: &'s mut Budget<'b>,
    /// Lengths that turned out to be less than the table knows, by key.
    shortened: FxHashMap<u64, u16>,
}

impl<R: Rules> Line<'_, '_, '_, R> {
    fn follow(&mut self, root: &Position<R>) -> Option<Vec<Move<R>>> {
        let mut steps: Vec<LineStep<R>> = Vec::new();
        let mut position = *root;
        // The length that the line so far promises from here on.
        let mut promised = self.length(root)?;
        loop {
            while let Some((mv, length)) = self.choose(&position, promised)? {
                steps.push(LineStep { position, mv, length });
                position = position.play(mv);
                promised = length - 1;
            }
            let Some(wrong) = last_shortened(&steps) else {
                let mut line = Vec::with_capacity(steps.len());
                for step in &steps {
                    line.push(step.mv);
                }
                return Some(line);
            };
            let step = &steps[wrong];
            (position, promised) = (step.position, step.length);
            steps.truncate(wrong);
        }
    }

    /// The move for a position that is mate in at most `promised` plies, and its length; nothing at
    /// the end of the game. `None` outside if the budget ends.
    fn choose(&mut self, position: &Position<R>, promised: u16) -> Option<Option<Choice<R>>> {
        if R::is_over(position) {
            return Some(None);
        }
        let attacking = self.search.is_attacking(position);
        let choice = if attacking {
            self.choose_attack(position, promised)?
        } else {
            match self.choose_defence(position, promised)? {
                Some(choice) => choice,
                None => return Some(None),
            }
        };
        if self.length(position).is_none_or(|length| choice.1 < length) {
            self.shortened.insert(position.key(), choice.1);
        }
        Some(Some(choice))
    }

    fn choose_attack(&mut self, position: &Position<R>, promised: u16) -> Option<Choice<R>> {
        for _ in 0..2 {
            let mut best: Option<Choice<R>> = None;
            for mv in checks(position) {
                let next = position.play(mv);
                let length = self.length(&next);
                if let Some(length) = length.map(|length| length + 1) {
                    if best.is_none_or(|(_, least)| length < least) {
                        best = Some((mv, length));
                    }
                }
            }
            if best.is_some_and(|(_, length)| length <= promised) {
                return best;
            }
            // The proof has gone from the table.
            self.prove_again(position, promised)?;
        }
        None
    }

    fn choose_defence(
        &mut self,
        position: &Position<R>,
        promised: u16,
    ) -> Option<Option<Choice<R>>> {
        let mut replies = Vec::new();
        for &mv in &position.legal_moves() {
            let next = position.play(mv);
            let length = match self.length(&next) {
                Some(length) if length < promised => length,
                _ => self.prove_again(&next, promised.checked_sub(1)?)?,
            };
            replies.push((mv, length + 1));
        }
        if self.exact {
            while let Some((mv, length)) = first_longest::<R>(&replies) {
                let Some(shorter) = length.checked_sub(1 + step::<R>()) else { break };
                let known = self.search.run(&position.play(mv), shorter, self.budget);
                if !known.is_proved() {
                    return Some(Some((mv, length)));
                }
                for reply in &mut replies {
                    if reply.0 == mv {
                        reply.1 = known.length + 1;
                    }
                }
            }
        }
        Some(first_longest::<R>(&replies))
    }

    /// The length known of a position, which may be the end of the game.
    fn length(&self, position: &Position<R>) -> Option<u16> {
        if R::is_over(position) || !self.search.is_attacking(position) && position.has_no_move() {
            Some(0)
        } else {
            let shortened = self.shortened.get(&position.key()).copied();
            let known = self.search.known_length(position);
            known.min(shortened).or(known).or(shortened)
        }
    }

    /// Proves again that a position is mate in at most so many plies.
    fn prove_again(&mut self, position: &Position<R>, promised: u16) -> Option<u16> {
        debug_assert!(promised < UNLIMITED, "a mate has a length");
        let known = self.search.run(position, promised, self.budget);
        known.is_proved().then_some(known.length)
    }
}

/// The first of the longest replies.
fn first_longest<R: Rules>(replies: &[Choice<R>]) -> Option<Choice<R>> {
    let mut longest: Option<Choice<R>> = None;
    for &reply in replies {
        if longest.is_none_or(|(_, length)| reply.1 > length) {
            longest = Some(reply);
        }
    }
    longest
}

/// The last step whose length is not one more than that of the step after it: the move made there has
/// turned out to be shorter than was thought.
fn last_shortened<R: Rules>(steps: &[LineStep<R>]) -> Option<usize> {
    let (mut index, mut after) = (steps.len(), 0);
    while index > 0 {
        index -= 1;
        if steps[index].length != after + 1 {
            return Some(index);
        }
        after = steps[index].length;
    }
    None
}
