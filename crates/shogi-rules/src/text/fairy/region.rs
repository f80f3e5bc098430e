//! Sets of squares as Fairy-Stockfish writes them: `d4 e4`, `*5` for a rank, `a*` for a file.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// Squares by file and rank, from 0 and from the corner at White's left.
pub(super) type Squares = BTreeSet<(usize, usize)>;

/// Reads squares; `None` if a word names no square of the board.
pub(super) fn squares(text: &str, (width, height): (usize, usize)) -> Option<Squares> {
    let mut squares = Squares::new();
    for word in text.split_whitespace().filter(|&word| word != "-") {
        let file = word.chars().next().filter(char::is_ascii)?;
        let files = match file {
            '*' => 0..width,
            'a'..='p' => one((file as usize) - usize::from(b'a'), width)?,
            _ => return None,
        };
        let ranks = match &word[1..] {
            "*" => 0..height,
            number => one(number.parse::<usize>().ok()?.checked_sub(1)?, height)?,
        };
        squares.extend(files.flat_map(|file| ranks.clone().map(move |rank| (file, rank))));
    }
    Some(squares)
}

/// The range of one number below a bound.
fn one(number: usize, bound: usize) -> Option<core::ops::Range<usize>> {
    (number < bound).then_some(number..number + 1)
}

/// A square after a half turn of the board.
pub(super) fn turned(
    (file, rank): (usize, usize),
    (width, height): (usize, usize),
) -> (usize, usize) {
    (width - 1 - file, height - 1 - rank)
}

/// The squares in the words of a text.
pub(super) fn in_words(squares: &Squares, (width, height): (usize, usize)) -> String {
    let usi = |&(file, rank): &(usize, usize)| {
        format!("{}{}", width - file, char::from(b'a' + (height - 1 - rank) as u8))
    };
    squares.iter().map(usi).collect::<Vec<_>>().join(" ")
}
