//! The line of a problem book.
//!
//! Both sides play the best moves by the book's count: the attacker the fastest, the defender the slowest,
//! which are never useless interpositions. Of all such lines it leaves the attacker the fewest pieces in hand.

use rustc_hash::FxHashMap;
use shogi_core::{Move, Position};
use shogi_rules::Rules;

use super::book::Book;
use super::problem;

/// The best continuation of a position.
#[derive(Clone, Copy)]
struct Best<R: Rules> {
    /// Pieces left in the attacker's hand at the end.
    left: u32,
    /// The move; `None` at the end.
    mv: Option<Move<R>>,
}

/// The line from a position that is mate in exactly this many plies by the book's count, and the number of
/// pieces that it leaves in the attacker's hand. `None` if the budget ends.
pub fn solution<R: Rules>(
    book: &mut Book<'_, '_, '_, R>,
    root: &Position<R>,
    length: u16,
) -> Option<(Vec<Move<R>>, u32)> {
    let mut known = FxHashMap::default();
    let left = best(book, &mut known, root, length)?.left;
    let (mut line, mut position) = (Vec::new(), *root);
    while let Some(Best { mv: Some(mv), .. }) = known.get(&position.key()).copied() {
        line.push(mv);
        position = position.play_unchecked(mv);
    }
    Some((line, left))
}

/// Whether a line is one of those that [`solution`] chooses from: best for both sides, with no other leaving
/// fewer pieces. `None` if the budget ends.
pub fn is_solution<R: Rules>(
    book: &mut Book<'_, '_, '_, R>,
    root: &Position<R>,
    line: &[Move<R>],
) -> Option<bool> {
    let length = line.len() as u16;
    if book.length(root, length)? != Some(length) {
        return Some(false);
    }
    let mut position = *root;
    for (&mv, left) in line.iter().zip((1..=length).rev()) {
        let best = match book.is_attacking(&position) {
            true => book.attacks(&position, left - 1)?,
            false => book.defence(&position, left)?.map_or_else(Vec::new, |found| found.replies),
        };
        if !best.contains(&mv) {
            return Some(false);
        }
        position = position.play_unchecked(mv);
    }
    let (_, fewest) = solution(book, root, length)?;
    Some(in_attackers_hand(book, &position) == fewest)
}

fn best<R: Rules>(
    book: &mut Book<'_, '_, '_, R>,
    known: &mut FxHashMap<u64, Best<R>>,
    position: &Position<R>,
    length: u16,
) -> Option<Best<R>> {
    if let Some(&best) = known.get(&position.key()) {
        return Some(best);
    }
    let moves = match length.checked_sub(1) {
        None => Vec::new(),
        Some(left) if book.is_attacking(position) => book.attacks(position, left)?,
        Some(_) => book.defence(position, length)?.map(|defence| defence.replies)?,
    };
    let mut found: Option<Best<R>> = None;
    for mv in moves {
        let left = best(book, known, &position.play_unchecked(mv), length - 1)?.left;
        if found.is_none_or(|found| left < found.left) {
            found = Some(Best { left, mv: Some(mv) });
        }
    }
    let found = found.unwrap_or_else(|| Best { left: in_attackers_hand(book, position), mv: None });
    known.insert(position.key(), found);
    Some(found)
}

/// The attacker's pieces in hand.
fn in_attackers_hand<R: Rules>(book: &Book<'_, '_, '_, R>, position: &Position<R>) -> u32 {
    let side = position.side();
    let attacker = if book.is_attacking(position) { side } else { !side };
    problem::in_hand(position, attacker)
}
