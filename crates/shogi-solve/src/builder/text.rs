//! Rules, positions and moves as texts in the files of a build.

use shogi_core::{Move, Position};
use shogi_rules::{Rules, hash_digits, parse_position, parse_usi, rules_hash, to_usi};

/// The hash of the rules in hexadecimal digits.
pub(super) fn rules_digits<R: Rules>() -> String {
    hash_digits(rules_hash::<R>())
}

/// Moves in USI notation, with a blank between each two.
pub(super) fn moves_to_text<R: Rules>(moves: &[Move<R>]) -> String {
    let mut text = String::new();
    for &mv in moves {
        if !text.is_empty() {
            text.push(' ');
        }
        text += &to_usi(mv);
    }
    text
}

/// Moves from USI notation, or what is wrong with one.
pub(super) fn moves_from_texts<R: Rules>(
    texts: &mut dyn Iterator<Item = &str>,
) -> Result<Vec<Move<R>>, String> {
    let mut moves = Vec::new();
    for text in texts {
        moves.push(move_from_text(text)?);
    }
    Ok(moves)
}

/// A move from USI notation, or what is wrong with it.
pub(super) fn move_from_text<R: Rules>(text: &str) -> Result<Move<R>, String> {
    parse_usi(text).map_err(|error| error.to_string())
}

/// A position from SFEN, or what is wrong with it.
pub(super) fn position_from_text<R: Rules>(text: &str) -> Result<Position<R>, String> {
    parse_position(text).map_err(|error| error.to_string())
}
