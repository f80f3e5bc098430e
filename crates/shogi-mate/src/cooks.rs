//! Other solutions of a problem beside the line of its answer (cooks, yozume).

use shogi_core::{Move, Position, checks};
use shogi_rules::Rules;

use super::book::Book;
use super::memory::UNLIMITED;
use super::search::MateSearch;
use crate::budget::Budget;

/// Moves played for each open move in the first round; each further round has twice as many.
const FIRST_TURN: u64 = 1 << 12;

/// The attacker's other mating moves along the line of an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alternatives<R: Rules> {
    /// All first moves that mate in the least length, in order; the line's own is one of them.
    pub first_moves: Vec<Move<R>>,
    /// All other moves beside the line that mate, in order: later ones, and first moves that mate in
    /// more plies.
    pub cooks: Vec<Cook<R>>,
    /// The other last moves, in order, if they are distinguished from cooks: beside a line of
    /// [`MateSolver::solve_by_the_book`](super::MateSolver::solve_by_the_book) of more than one ply.
    pub last_moves: Vec<Move<R>>,
    /// Whether all other moves are known not to mate. If not, the budget ended first, and there may be more
    /// first moves and cooks.
    pub complete: bool,
    /// Moves played in this search.
    pub nodes: u64,
    /// Positions entered in this search.
    pub expansions: u64,
}

/// A move of the attacker that mates beside the one in the line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cook<R: Rules> {
    /// Plies of the line before it; even.
    pub ply: usize,
    /// The move.
    pub mv: Move<R>,
    /// Plies to the mate, this move included, against any defence; an upper bound if more than are left in the
    /// line.
    pub plies: u32,
}

/// A search for mates beside a line: [`alternatives`] or [`alternatives_by_the_book`].
pub type BesideLine<R> =
    fn(&mut MateSearch<'_, R>, &Position<R>, &[Move<R>], &mut Budget<'_>) -> Alternatives<R>;

/// The extent of the search for other solutions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sought {
    All,
    Any,
}

/// A move that does not mate within the length of the line, with the position after it.
#[derive(Clone, Copy)]
struct Open<R: Rules> {
    ply: usize,
    mv: Move<R>,
    after: Position<R>,
}

/// Searches all checks beside an exact line: first for mates within its length, then for any, with
/// equal and growing shares of the budget.
pub fn alternatives<R: Rules>(
    search: &mut MateSearch<'_, R>,
    root: &Position<R>,
    line: &[Move<R>],
    budget: &mut Budget<'_>,
) -> Alternatives<R> {
    let before = budget.spent();
    let (mut first_moves, mut cooks, mut open) = (Vec::new(), Vec::new(), Vec::new());
    let mut position = *root;
    for (ply, &in_line) in line.iter().enumerate() {
        if search.is_attacking(&position) {
            let left = (line.len() - ply) as u16;
            for &mv in &checks(&position) {
                let after = position.play_unchecked(mv);
                if mv == in_line {
                    if ply == 0 {
                        first_moves.push(mv);
                    }
                    continue;
                }
                let known = search.run(&after, left - 1, budget);
                let never = known.is_refuted() && known.length == UNLIMITED;
                if known.is_proved() && ply == 0 {
                    first_moves.push(mv);
                } else if known.is_proved() {
                    note(&mut cooks, Cook { ply, mv, plies: u32::from(known.length) + 1 });
                } else if !never {
                    open.push(Open { ply, mv, after });
                }
            }
        }
        position = position.play_unchecked(in_line);
    }
    let complete = decide(search, open, &mut cooks, Sought::All, budget);
    Move::sort(&mut first_moves);
    let nodes = budget.spent() - before;
    let last_moves = Vec::new();
    Alternatives {
        first_moves,
        cooks,
        last_moves,
        complete,
        nodes,
        expansions: search.expansions(),
    }
}

/// Like [`alternatives`], beside an exact line by the book's count. At the last move only other immediate mates
/// are searched.
pub fn alternatives_by_the_book<R: Rules>(
    search: &mut MateSearch<'_, R>,
    root: &Position<R>,
    line: &[Move<R>],
    budget: &mut Budget<'_>,
) -> Alternatives<R> {
    by_the_book(search, root, line, Sought::All, budget)
}

/// Like [`alternatives_by_the_book`], but once another solution is found, mates longer than the line are not
/// searched, and the result is incomplete.
pub fn another_by_the_book<R: Rules>(
    search: &mut MateSearch<'_, R>,
    root: &Position<R>,
    line: &[Move<R>],
    budget: &mut Budget<'_>,
) -> Alternatives<R> {
    by_the_book(search, root, line, Sought::Any, budget)
}

fn by_the_book<R: Rules>(
    search: &mut MateSearch<'_, R>,
    root: &Position<R>,
    line: &[Move<R>],
    sought: Sought,
    budget: &mut Budget<'_>,
) -> Alternatives<R> {
    let before = budget.spent();
    let (mut first_moves, mut cooks, mut last_moves) = (Vec::new(), Vec::new(), Vec::new());
    let (mut open, mut complete) = (Vec::new(), true);
    let mut book = Book::new(search, budget);
    let mut position = *root;
    for (ply, &in_line) in line.iter().enumerate() {
        let left = (line.len() - ply) as u16;
        let moves = if book.is_attacking(&position) { checks(&position) } else { Vec::new() };
        for mv in moves {
            let after = position.play_unchecked(mv);
            if mv == in_line {
                if ply == 0 {
                    first_moves.push(mv);
                }
                continue;
            }
            let Some(known) = book.length(&after, left - 1) else {
                complete = false;
                continue;
            };
            match known {
                Some(_) if ply == 0 => first_moves.push(mv),
                Some(_) if left == 1 => last_moves.push(mv),
                Some(length) => note(&mut cooks, Cook { ply, mv, plies: u32::from(length) + 1 }),
                None if ply > 0 && left == 1 => {}
                None => open.push(Open { ply, mv, after }),
            }
        }
        position = position.play_unchecked(in_line);
    }
    complete &= match sought {
        Sought::Any if first_moves.len() > 1 => false,
        _ => decide(search, open, &mut cooks, sought, budget),
    };
    Move::sort(&mut first_moves);
    Move::sort(&mut last_moves);
    let nodes = budget.spent() - before;
    Alternatives {
        first_moves,
        cooks,
        last_moves,
        complete,
        nodes,
        expansions: search.expansions(),
    }
}

/// Searches open moves for any mate. Returns whether all are decided.
fn decide<R: Rules>(
    search: &mut MateSearch<'_, R>,
    mut open: Vec<Open<R>>,
    cooks: &mut Vec<Cook<R>>,
    sought: Sought,
    budget: &mut Budget<'_>,
) -> bool {
    let mut turn = FIRST_TURN;
    while !open.is_empty() && !budget.is_over() {
        let mut left = Vec::new();
        for &Open { ply, mv, after } in &open {
            if sought == Sought::Any && !cooks.is_empty() {
                return false;
            }
            let known = budget.slice(turn, |budget| search.run(&after, UNLIMITED, budget));
            if known.is_proved() {
                note(cooks, Cook { ply, mv, plies: u32::from(known.length) + 1 });
            }
            if !known.is_final() {
                left.push(Open { ply, mv, after });
            }
        }
        open = left;
        turn = turn.saturating_mul(2);
    }
    open.is_empty()
}

/// Inserts a cook into a sorted list.
fn note<R: Rules>(cooks: &mut Vec<Cook<R>>, cook: Cook<R>) {
    let mut place = cooks.len();
    while place > 0 && cooks[place - 1] >= cook {
        place -= 1;
    }
    cooks.insert(place, cook);
}
