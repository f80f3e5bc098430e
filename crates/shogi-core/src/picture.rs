//! A position drawn with the letters of SFEN.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::{self, Write};

/// Draws the board and the hands of an SFEN: upper case Sente's, a plus before a turned piece.
///
/// The text should come from [`to_sfen_in`](crate::to_sfen_in); of any other text the readable parts
/// are drawn.
#[doc(hidden)]
pub fn draw(sfen: &str, out: &mut dyn Write) -> fmt::Result {
    let mut fields = sfen.split(' ');
    let mut next = || fields.next().unwrap_or_default();
    let (board, side, hands) = (next(), next(), next());
    let mut ranks = Vec::new();
    for rank in board.split('/') {
        ranks.push(squares(rank));
    }
    let width = ranks.first().map_or(0, Vec::len);
    writeln!(out, "Gote's hand:  {}", hand(hands, char::is_lowercase))?;
    for file in (1..=width).rev() {
        write!(out, "  {file:>2}")?;
    }
    let line = format!(" +{}", "---+".repeat(width));
    writeln!(out, "\n{line}")?;
    for (name, rank) in ('a'..).zip(&ranks) {
        out.write_str(" ")?;
        for square in rank {
            write!(out, "|{square:>2} ")?;
        }
        writeln!(out, "| {name}\n{line}")?;
    }
    writeln!(out, "Sente's hand: {}", hand(hands, char::is_uppercase))?;
    write!(out, "{} to move", if side == "w" { "Gote" } else { "Sente" })
}

/// The squares of a rank, empty ones as empty texts.
fn squares(rank: &str) -> Vec<String> {
    let (mut squares, mut number, mut piece) = (Vec::new(), 0, String::new());
    for character in rank.chars() {
        if let Some(digit) = character.to_digit(10) {
            number = 10 * number + digit as usize;
            continue;
        }
        squares.resize(squares.len() + core::mem::take(&mut number), String::new());
        piece.push(character);
        if character != '+' {
            squares.push(core::mem::take(&mut piece));
        }
    }
    squares.resize(squares.len() + number, String::new());
    squares
}

/// A player's pieces in hand: `R Px2`.
fn hand(hands: &str, is_owned: fn(char) -> bool) -> String {
    let (mut words, mut number) = (Vec::new(), String::new());
    for character in hands.chars() {
        if character.is_ascii_digit() {
            number.push(character);
            continue;
        }
        let count = core::mem::take(&mut number);
        if is_owned(character) {
            let times = if count.is_empty() { "" } else { "x" };
            words.push(format!("{character}{times}{count}"));
        }
    }
    if words.is_empty() { "-".to_owned() } else { words.join(" ") }
}
