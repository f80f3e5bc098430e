//! The movement of a face in words: `step F B + slide L R up to 2 + jump F2L1`.

use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;

use shogi_core::{Direction, Movement, RaysAndJumps};

use super::error::{Alternatives, TextReason};

/// The names of the eight directions, from the view of a piece's owner, in the order of [`Direction::ALL`].
const DIRECTIONS: [&str; 8] = ["F", "FR", "R", "BR", "B", "BL", "L", "FL"];

/// The steps of the directions: squares forward, squares to the right.
pub(super) const STEPS: [(i8, i8); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

/// The movements that are named after pieces of standard shogi.
const NAMED: [(&str, Movement); 10] = [
    ("pawn", Movement::PAWN),
    ("lance", Movement::LANCE),
    ("knight", Movement::KNIGHT),
    ("silver", Movement::SILVER),
    ("gold", Movement::GOLD),
    ("bishop", Movement::BISHOP),
    ("rook", Movement::ROOK),
    ("horse", Movement::HORSE),
    ("dragon", Movement::DRAGON),
    ("king", Movement::KING),
];

/// The words with which a part of a movement begins.
const WORDS: &[&str] = &[
    "pawn", "lance", "knight", "silver", "gold", "bishop", "rook", "horse", "dragon", "king",
    "step", "slide", "jump", "none",
];

/// The largest limit of a slide: longer slides end at the edge of any board.
pub(super) const LONGEST_SLIDE: u8 = 14;

/// Reads a movement.
pub(super) fn parse(text: &str) -> Result<Movement, TextReason> {
    if text.trim().is_empty() {
        return Err(TextReason::NoMovement);
    }
    let mut reach = RaysAndJumps::NONE;
    for part in text.split('+') {
        reach = reach.union(read_part(part)?);
    }
    Ok(Movement::of(reach))
}

fn read_part(part: &str) -> Result<RaysAndJumps, TextReason> {
    let mut words = part.split_whitespace();
    let Some(first) = words.next() else {
        return Err(TextReason::Incomplete("+".into(), "a movement, such as \"gold\""));
    };
    let rest: Vec<_> = words.collect();
    match (first, rest.as_slice()) {
        ("none", []) => Ok(RaysAndJumps::NONE),
        ("step", directions) => read_rays("step", directions, 1),
        ("slide", [directions @ .., "up", "to", most]) => {
            read_rays("slide", directions, read_squares(most)?)
        }
        ("slide", directions) => read_rays("slide", directions, RaysAndJumps::FAR),
        ("jump", []) => Err(TextReason::Incomplete("jump".into(), "a jump, such as F2L1")),
        ("jump", jumps) => jumps
            .iter()
            .try_fold(RaysAndJumps::NONE, |reach, jump| Ok(reach.union(read_jump(jump)?))),
        (name, rest) => read_named(name, rest),
    }
}

fn read_named(name: &str, rest: &[&str]) -> Result<RaysAndJumps, TextReason> {
    let Some((_, movement)) = NAMED.iter().find(|(known, _)| *known == name) else {
        let nearest = Alternatives::to(name, WORDS);
        return Err(TextReason::UnknownWord { found: name.into(), nearest });
    };
    match rest.first() {
        None => Ok(movement.reach()),
        Some(word) => {
            Err(TextReason::Incomplete(format!("{name} {word}"), "a plus between two movements"))
        }
    }
}

fn read_rays(word: &str, names: &[&str], range: u8) -> Result<RaysAndJumps, TextReason> {
    if names.is_empty() {
        return Err(TextReason::Incomplete(word.into(), "a direction, such as FL"));
    }
    let mut reach = RaysAndJumps::NONE;
    for name in names {
        let direction = DIRECTIONS.iter().position(|known| known == name);
        let direction = direction.ok_or_else(|| TextReason::Direction((*name).into()))?;
        reach = reach.with_ray(Direction::ALL[direction], range);
    }
    Ok(reach)
}

fn read_squares(text: &str) -> Result<u8, TextReason> {
    let number = text.parse().ok().filter(|number| (1..=LONGEST_SLIDE).contains(number));
    number.ok_or(TextReason::Number { least: 1, most: LONGEST_SLIDE.into() })
}

/// Reads a jump such as `F2L1`: forward or back first, then left or right; either may be missing, and so may
/// a number 1.
fn read_jump(text: &str) -> Result<RaysAndJumps, TextReason> {
    let (forward, rest) = read_distance(text, 'F', 'B');
    let (right, rest) = read_distance(rest, 'R', 'L');
    let jump = forward
        .zip(right)
        .and_then(|(forward, right)| RaysAndJumps::NONE.with_jump(forward, right));
    jump.filter(|_| rest.is_empty()).ok_or_else(|| TextReason::Jump(text.into()))
}

/// Reads a distance in one of two opposite directions, 0 if the text begins with neither, and returns the
/// rest; `None` for a number that no jump has.
fn read_distance(text: &str, positive: char, negative: char) -> (Option<i8>, &str) {
    let (sign, rest) = match (text.strip_prefix(positive), text.strip_prefix(negative)) {
        (Some(rest), _) => (1, rest),
        (_, Some(rest)) => (-1, rest),
        _ => return (Some(0), text),
    };
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (number, rest) = rest.split_at(digits);
    let squares: Option<i8> = if number.is_empty() { Some(1) } else { number.parse().ok() };
    (squares.filter(|&squares| squares > 0).map(|squares| sign * squares), rest)
}

/// A movement in words, by its name if it has one; [`parse`] reads it back.
pub(super) fn in_words(movement: Movement) -> String {
    let named = NAMED.iter().find(|(_, named)| *named == movement);
    named.map_or_else(|| movement.reach().to_string(), |(name, _)| (*name).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(text: &str) -> String {
        parse(text).unwrap_err().to_string()
    }

    #[test]
    fn written_movements_are_read_back() {
        for (name, movement) in NAMED {
            assert_eq!(parse(name), Ok(movement));
            assert_eq!(parse(&movement.reach().to_string()), Ok(movement));
            assert_eq!(in_words(movement), name);
        }
        for words in [
            "slide B FL FR + slide BL BR up to 2 + step F L R",
            "jump F2L2 F2R2 B2",
            "slide F BR + step BL",
            "jump F2 + step BL BR",
            "step F + jump B1L5",
        ] {
            let movement = parse(words).unwrap();
            assert_eq!(parse(&in_words(movement)), Ok(movement), "{words}");
        }
        // A movement of one square is a step, whatever its name.
        for same in ["slide F up to 1", "jump F1", "jump F", "pawn + pawn", " step  F "] {
            assert_eq!(parse(same), Ok(Movement::PAWN), "{same}");
        }
        assert_eq!(in_words(parse("rook + step F + slide F up to 2").unwrap()), "rook");
    }

    #[test]
    fn faults_of_movements_are_named() {
        assert!(reason("step FF").contains("\"FF\" is no direction"));
        assert!(reason("pawm").contains("did you mean \"pawn\"?"));
        assert!(reason("queen").contains("\"jump\""));
        for nothing in ["", "  "] {
            assert!(reason(nothing).contains("every piece moves"), "{}", reason(nothing));
            assert!(!reason(nothing).contains('+'));
        }
        assert!(reason("gold +").contains("needs what follows"));
        assert!(reason("gold silver").contains("a plus between"));
        assert!(reason("step").contains("a direction"));
        assert!(reason("slide up to 2").contains("a direction"));
        assert!(reason("slide F up to 0").contains("1 to 14"));
        assert!(reason("slide F up 2").contains("\"up\" is no direction"));
        for jump in ["jump F2L", "jump F", "jump F5R5", "jump L2"] {
            assert!(parse(jump).is_ok(), "{jump}");
        }
        for jump in ["L2F1", "2", "F0", "F6", "F2L6", "F999999", "ü", "F2ü", "F2 +", "F-1"] {
            let text = format!("jump {jump}");
            assert!(parse(&text).is_err(), "{text}");
        }
        assert!(reason("jump").contains("a jump"));
    }
}
