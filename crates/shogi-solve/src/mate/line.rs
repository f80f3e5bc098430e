//! The line of play that a proof leads to.
//!
//! Each proved position has a length that its proof guarantees. The attacker takes the move with the
//! least length after it, the defender the one with the greatest. Lengths may have got shorter since
//! they were added up, so the line is checked from its end: where a position turns out to be
//! shorter than was thought, its length is noted and the player before it chooses again.

use rustc_hash::FxHashMap;
use shogi_core::{Move, Position, checks};
use shogi_rules::Rules;

use super::memory::{Known, UNLIMITED};
use super::search::{MateSearch, step};
use crate::budget::Budget;

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
    let mut played = Played {
        search,
        budget,
        shortened: FxHashMap::default(),
        positions: vec![*root],
        moves: Vec::new(),
        listed: Vec::new(),
    };
    follow(&mut played, exact)?;
    Some(played.moves)
}

/// The position at the end of a line, and those after the moves that come into question there: checks of the
/// attacker, or all moves of the defender.
trait End {
    fn is_over(&self) -> bool;
    fn is_attacking(&self) -> bool;

    /// The least difference between two lengths of mate.
    fn step(&self) -> u16;

    /// Lists the moves; how many there are.
    fn list(&mut self) -> usize;

    /// The length known of the position.
    fn length(&self) -> Option<u16>;

    /// The length known after a listed move, with which the game may be over.
    fn length_after(&self, index: usize) -> Option<u16>;

    /// Notes that a length has turned out to be less than the table knows.
    fn shorten(&mut self, length: u16);

    /// Searches for a mate in so many plies.
    fn run(&mut self, limit: u16) -> Known;

    /// The same after a listed move.
    fn run_after(&mut self, index: usize, limit: u16) -> Known;

    /// Goes on with a listed move.
    fn play(&mut self, index: usize);

    /// Goes back to where so many moves were made.
    fn go_back(&mut self, moves: usize);
}

/// What a player does best, by the index of the move, and the length that follows.
type Choice = (usize, u16);

/// Plays a line to its end; `None` if the budget ends.
fn follow(end: &mut dyn End, exact: bool) -> Option<()> {
    // The lengths that follow from the moves' lengths.
    let mut lengths: Vec<u16> = Vec::new();
    // The length that the line so far promises from here on.
    let mut promised = end.length()?;
    loop {
        while let Some((index, length)) = choose(end, exact, promised)? {
            lengths.push(length);
            end.play(index);
            promised = length - 1;
        }
        let Some(wrong) = last_shortened(&lengths) else { return Some(()) };
        promised = lengths[wrong];
        lengths.truncate(wrong);
        end.go_back(wrong);
    }
}

/// The move for a position that is mate in at most `promised` plies, and its length; nothing at
/// the end of the game. `None` outside if the budget ends.
fn choose(end: &mut dyn End, exact: bool, promised: u16) -> Option<Option<Choice>> {
    if end.is_over() {
        return Some(None);
    }
    let choice = if end.is_attacking() {
        choose_attack(end, promised)?
    } else {
        match choose_defence(end, exact, promised)? {
            Some(choice) => choice,
            None => return Some(None),
        }
    };
    if end.length().is_none_or(|length| choice.1 < length) {
        end.shorten(choice.1);
    }
    Some(Some(choice))
}

fn choose_attack(end: &mut dyn End, promised: u16) -> Option<Choice> {
    for _ in 0..2 {
        let mut best: Option<Choice> = None;
        for index in 0..end.list() {
            if let Some(length) = end.length_after(index).map(|length| length + 1) {
                if best.is_none_or(|(_, least)| length < least) {
                    best = Some((index, length));
                }
            }
        }
        if best.is_some_and(|(_, length)| length <= promised) {
            return best;
        }
        // The proof has gone from the table.
        proved(end.run(promised), promised)?;
    }
    None
}

fn choose_defence(end: &mut dyn End, exact: bool, promised: u16) -> Option<Option<Choice>> {
    let mut replies = Vec::new();
    for index in 0..end.list() {
        let length = match end.length_after(index) {
            Some(length) if length < promised => length,
            _ => {
                let promised = promised.checked_sub(1)?;
                proved(end.run_after(index, promised), promised)?
            }
        };
        replies.push((index, length + 1));
    }
    if exact {
        while let Some((index, length)) = first_longest(&replies) {
            let Some(shorter) = length.checked_sub(1 + end.step()) else { break };
            let known = end.run_after(index, shorter);
            if !known.is_proved() {
                return Some(Some((index, length)));
            }
            replies[index].1 = known.length + 1;
        }
    }
    Some(first_longest(&replies))
}

/// The length of a mate that was proved again in at most so many plies.
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

/// The last length that is not one more than the one after it: the move made there has turned out to be shorter
/// than was thought.
fn last_shortened(lengths: &[u16]) -> Option<usize> {
    let after = |index: usize| lengths.get(index + 1).map_or(0, |&next| next);
    (0..lengths.len()).rev().find(|&index| lengths[index] != after(index) + 1)
}

/// A line as it is played.
struct Played<'s, 't, 'b, R: Rules> {
    search: &'s mut MateSearch<'t, R>,
    budget: &'s mut Budget<'b>,
    /// Lengths that turned out to be less than the table knows, by key.
    shortened: FxHashMap<u64, u16>,
    /// The root and the positions after each move; there is always one.
    positions: Vec<Position<R>>,
    moves: Vec<Move<R>>,
    /// The moves that come into question at the end; none before they are listed.
    listed: Vec<Move<R>>,
}

impl<R: Rules> Played<'_, '_, '_, R> {
    fn last(&self) -> &Position<R> {
        &self.positions[self.moves.len()]
    }

    fn after(&self, index: usize) -> Position<R> {
        self.last().play(self.listed[index])
    }

    /// The length known of a position, which may be the end of the game.
    fn length_of(&self, position: &Position<R>) -> Option<u16> {
        if R::is_over(position) || !self.search.is_attacking(position) && position.has_no_move() {
            return Some(0);
        }
        let shortened = self.shortened.get(&position.key()).copied();
        least(self.search.known_length(position), shortened)
    }
}

/// The less of two lengths.
fn least(known: Option<u16>, shortened: Option<u16>) -> Option<u16> {
    known.min(shortened).or(known).or(shortened)
}

impl<R: Rules> End for Played<'_, '_, '_, R> {
    fn is_over(&self) -> bool {
        R::is_over(self.last())
    }

    fn is_attacking(&self) -> bool {
        self.search.is_attacking(self.last())
    }

    fn step(&self) -> u16 {
        step::<R>()
    }

    fn list(&mut self) -> usize {
        if self.listed.is_empty() {
            self.listed = match self.is_attacking() {
                true => checks(self.last()).to_vec(),
                false => self.last().legal_moves().to_vec(),
            };
        }
        self.listed.len()
    }

    fn length(&self) -> Option<u16> {
        self.length_of(self.last())
    }

    fn length_after(&self, index: usize) -> Option<u16> {
        self.length_of(&self.after(index))
    }

    fn shorten(&mut self, length: u16) {
        self.shortened.insert(self.last().key(), length);
    }

    fn run(&mut self, limit: u16) -> Known {
        self.search.run(&self.positions[self.moves.len()], limit, self.budget)
    }

    fn run_after(&mut self, index: usize, limit: u16) -> Known {
        self.search.run(&self.after(index), limit, self.budget)
    }

    fn play(&mut self, index: usize) {
        self.positions.push(self.after(index));
        self.moves.push(self.listed[index]);
        self.listed.clear();
    }

    fn go_back(&mut self, moves: usize) {
        self.moves.truncate(moves);
        self.positions.truncate(moves + 1);
        self.listed.clear();
    }
}
