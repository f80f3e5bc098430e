//! The line of play of a proof.
//!
//! Each proved position has a length that its proof guarantees. The attacker takes the move with the least
//! length after it, the defender the one with the greatest. Lengths may have become shorter since they were
//! computed, so the line is checked from its end: if a position turns out to be shorter, its length is noted
//! and the player before it chooses again.

use rustc_hash::FxHashMap;
use shogi_core::{Move, Position, checks};
use shogi_rules::Rules;

use super::memory::{Known, UNLIMITED};
use super::search::{MateSearch, step};
use crate::budget::Budget;

/// A line from a position proved to be mate in at most `length` plies to the end of the game. Its length is guaranteed.
///
/// With `exact`, the length of the root is the least possible, and the defender's moves allow no shorter mate,
/// as far as the budget permits checking that.
///
/// `None` if the table dropped needed entries and the budget does not suffice to prove them again.
pub fn line<R: Rules>(
    search: &mut MateSearch<'_, R>,
    root: &Position<R>,
    length: u16,
    exact: bool,
    budget: &mut Budget<'_>,
) -> Option<Vec<Move<R>>> {
    let mut played = Played::new(search, budget, root);
    played.follow(length, exact)?;
    Some(played.moves)
}

/// A player's best move, by its index, and the resulting length.
pub type Choice = (usize, u16);

/// A line under construction.
pub struct Played<'s, 't, 'b, R: Rules> {
    /// The search.
    pub search: &'s mut MateSearch<'t, R>,
    /// The budget.
    pub budget: &'s mut Budget<'b>,
    /// Lengths shorter than those in the table, by key.
    shortened: FxHashMap<u64, u16>,
    /// The root and the positions after each move; never empty.
    positions: Vec<Position<R>>,
    moves: Vec<Move<R>>,
    /// The candidate moves at the end; empty until listed.
    listed: Vec<Move<R>>,
}

impl<'s, 't, 'b, R: Rules> Played<'s, 't, 'b, R> {
    /// A line without moves.
    pub fn new(
        search: &'s mut MateSearch<'t, R>,
        budget: &'s mut Budget<'b>,
        root: &Position<R>,
    ) -> Self {
        Self {
            search,
            budget,
            shortened: FxHashMap::default(),
            positions: vec![*root],
            moves: Vec::new(),
            listed: Vec::new(),
        }
    }

    /// Plays the line to its end; `None` if the budget ends.
    fn follow(&mut self, length: u16, exact: bool) -> Option<()> {
        // The lengths that follow from the moves' lengths.
        let mut lengths: Vec<u16> = Vec::new();
        // The length that the line so far promises from here on.
        let mut promised = self.length_of(self.last())?.min(length);
        loop {
            while !self.has_ended() {
                let (index, length) = self.choose(exact, promised)?;
                lengths.push(length);
                self.play(index);
                promised = length - 1;
            }
            let Some(wrong) = last_shortened(&lengths) else { return Some(()) };
            promised = lengths[wrong];
            lengths.truncate(wrong);
            self.go_back(wrong);
        }
    }

    /// Whether the game is over, or the defender has no move.
    pub fn has_ended(&mut self) -> bool {
        R::is_over(self.last()) || !self.is_attacking() && self.list() == 0
    }

    /// The move in a position that is mate in at most `promised` plies, with its length. `None` if the budget
    /// ends.
    pub fn choose(&mut self, exact: bool, promised: u16) -> Option<Choice> {
        let choice = match self.is_attacking() {
            true => self.choose_attack(promised)?,
            false => self.choose_defence(exact, promised)?,
        };
        if self.length_of(self.last()).is_none_or(|length| choice.1 < length) {
            self.shortened.insert(self.last().key(), choice.1);
        }
        Some(choice)
    }

    fn choose_attack(&mut self, promised: u16) -> Option<Choice> {
        let mut best: Option<Choice> = None;
        for index in 0..self.list() {
            if let Some(length) = self.length_of(&self.after(index)).map(|length| length + 1)
                && best.is_none_or(|(_, least)| length < least)
            {
                best = Some((index, length));
            }
        }
        if best.is_some_and(|(_, length)| length <= promised) {
            return best;
        }
        // The table has lost what the proof says of the move, or had no room for it.
        let position = &self.positions[self.moves.len()];
        let (known, mv) = self.search.run_anew(position, promised, self.budget);
        let length = proved(known, promised)?;
        let index = self.listed.iter().position(|&listed| Some(listed) == mv)?;
        Some((index, length))
    }

    fn choose_defence(&mut self, exact: bool, promised: u16) -> Option<Choice> {
        let mut replies = Vec::new();
        for index in 0..self.list() {
            let length = match self.length_of(&self.after(index)) {
                Some(length) if length < promised => length,
                _ => {
                    let promised = promised.checked_sub(1)?;
                    proved(self.run_after(index, promised), promised)?
                }
            };
            replies.push((index, length + 1));
        }
        if exact {
            while let Some((index, length)) = first_longest(&replies) {
                let Some(shorter) = length.checked_sub(1 + step::<R>()) else { break };
                let known = self.run_after(index, shorter);
                if !known.is_proved() {
                    return Some((index, length));
                }
                replies[index].1 = known.length + 1;
            }
        }
        first_longest(&replies)
    }

    /// The position at the end.
    pub fn last(&self) -> &Position<R> {
        &self.positions[self.moves.len()]
    }

    /// The position after a listed move.
    pub fn after(&self, index: usize) -> Position<R> {
        self.last().play_unchecked(self.listed[index])
    }

    /// Whether the attacker is to move at the end.
    pub fn is_attacking(&self) -> bool {
        self.search.is_attacking(self.last())
    }

    /// Lists the moves and returns their number.
    pub fn list(&mut self) -> usize {
        if self.listed.is_empty() {
            self.listed = match self.is_attacking() {
                true => checks(self.last()).to_vec(),
                false => self.last().legal_moves().to_vec(),
            };
        }
        self.listed.len()
    }

    /// The known length of a position, which may be the end of the game.
    pub fn length_of(&self, position: &Position<R>) -> Option<u16> {
        let shortened = self.shortened.get(&position.key()).copied();
        least(self.search.length_of(position), shortened)
    }

    /// Searches for a mate in at most `limit` plies after a listed move.
    fn run_after(&mut self, index: usize, limit: u16) -> Known {
        self.search.run(&self.after(index), limit, self.budget)
    }

    /// Searches for a mate in at most `limit` plies from the end, with at most `nodes` nodes.
    pub fn run(&mut self, limit: u16, nodes: u64) -> Known {
        let position = *self.last();
        let search = &mut *self.search;
        self.budget.slice(nodes, |budget| search.run(&position, limit, budget))
    }

    /// Searches for a mate in at most `limit` plies after a listed move, with at most `nodes` nodes.
    pub fn try_after(&mut self, index: usize, limit: u16, nodes: u64) -> Known {
        let after = self.after(index);
        let search = &mut *self.search;
        self.budget.slice(nodes, |budget| search.run(&after, limit, budget))
    }

    /// A listed move.
    pub fn listed(&self, index: usize) -> Move<R> {
        self.listed[index]
    }

    /// Plays a listed move.
    pub fn play(&mut self, index: usize) {
        self.positions.push(self.after(index));
        self.moves.push(self.listed[index]);
        self.listed.clear();
    }

    /// Takes back the last move; there must be one.
    pub fn take_back(&mut self) -> Option<Move<R>> {
        let played = self.moves.last().copied();
        self.go_back(self.moves.len() - 1);
        played
    }

    /// Takes back moves until `moves` are left.
    fn go_back(&mut self, moves: usize) {
        self.moves.truncate(moves);
        self.positions.truncate(moves + 1);
        self.listed.clear();
    }
}

/// The length of a mate that was proved again in at most `promised` plies.
fn proved(known: Known, promised: u16) -> Option<u16> {
    debug_assert!(promised < UNLIMITED, "a mate has a length");
    known.is_proved().then_some(known.length)
}

/// The first of the longest replies.
fn first_longest(replies: &[Choice]) -> Option<Choice> {
    let mut longest: Option<Choice> = None;
    for &reply in replies {
        if longest.is_none_or(|(_, length)| reply.1 > length) {
            longest = Some(reply);
        }
    }
    longest
}

/// The last length that is not one more than the next one: the move made there turned out to be shorter.
fn last_shortened(lengths: &[u16]) -> Option<usize> {
    let after = |index: usize| lengths.get(index + 1).map_or(0, |&next| next);
    (0..lengths.len()).rev().find(|&index| lengths[index] != after(index) + 1)
}

/// The less of two lengths.
fn least(known: Option<u16>, shortened: Option<u16>) -> Option<u16> {
    known.min(shortened).or(known).or(shortened)
}

#[cfg(test)]
mod tests {
    use shogi_rules::{Minishogi, parse_position};

    use super::*;
    use crate::table::TranspositionTable;

    /// A mate in 13 whose proof has lost what it says of the first move: a table has no room for it where many
    /// hands have been met with the same board.
    #[test]
    fn a_line_is_found_without_the_entries_of_the_moves() {
        let root = parse_position::<Minishogi>("r1k2/2p2/5/2P2/2K2 b RBGSbgs 1").unwrap();
        let budget = &mut Budget::unlimited();
        let mut table = TranspositionTable::growing_to(16 << 20);
        let known = MateSearch::new(&mut table, root.side()).run(&root, UNLIMITED, budget);
        assert!(known.is_proved());
        for &mv in &checks(&root) {
            let board = root.play_unchecked(mv).board_key();
            let hands: Vec<_> = table.entries(board).map(|entry| entry.hand).collect();
            assert!(hands.into_iter().all(|hand| table.remove(board, hand)));
        }
        let mut search = MateSearch::new(&mut table, root.side());
        let line = line(&mut search, &root, known.length, false, budget).expect("a line");
        assert!(line.len() <= usize::from(known.length));
        let end = line.iter().fold(root, |position, &mv| position.play(mv).unwrap());
        assert!(end.has_no_move());
    }
}
