//! How a face moves, in words: `step F B + slide L R up to 2 + jump F2L1`.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::error::{Alternatives, TextReason};

/// The eight directions by name, seen from the owner of a piece: squares to the right, squares forward.
pub(super) const DIRECTIONS: [(&str, (i8, i8)); 8] = [
    ("F", (0, 1)),
    ("B", (0, -1)),
    ("L", (-1, 0)),
    ("R", (1, 0)),
    ("FL", (-1, 1)),
    ("FR", (1, 1)),
    ("BL", (-1, -1)),
    ("BR", (1, -1)),
];

/// The pieces of standard shogi, whose movements have their names.
const NAMED: [(&str, &str); 10] = [
    ("pawn", "step F"),
    ("lance", "slide F"),
    ("knight", "jump F2L1 F2R1"),
    ("silver", "step F FL FR BL BR"),
    ("gold", "step F B L R FL FR"),
    ("bishop", "slide FL FR BL BR"),
    ("rook", "slide F B L R"),
    ("horse", "slide FL FR BL BR + step F B L R"),
    ("dragon", "slide F B L R + step FL FR BL BR"),
    ("king", "step F B L R FL FR BL BR"),
];

/// The words that a part of a movement begins with.
const WORDS: &[&str] = &[
    "pawn", "lance", "knight", "silver", "gold", "bishop", "rook", "horse", "dragon", "king",
    "step", "slide", "jump",
];

/// Squares that a slide or a jump can go at most: boards have no more ranks, and few have more files.
pub(super) const FARTHEST: u8 = 14;

/// Everything that a face can do on the board.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Motion {
    /// Single steps and jumps, whatever stands between: squares to the right and squares forward, seen from
    /// the owner.
    pub leaps: BTreeSet<(i8, i8)>,
    /// Slides over empty squares by their directions, written as steps, with the number of squares that
    /// they go at most; `None` to the edge of the board.
    pub slides: BTreeMap<(i8, i8), Option<u8>>,
}

impl Motion {
    /// Reads a movement.
    pub(super) fn parse(text: &str) -> Result<Self, TextReason> {
        let mut motion = Self::default();
        for part in text.split('+') {
            motion.add_part(part)?;
        }
        motion.simplify();
        Ok(motion)
    }

    fn add_part(&mut self, part: &str) -> Result<(), TextReason> {
        let mut words = part.split_whitespace();
        let Some(first) = words.next() else {
            return Err(TextReason::Incomplete("+".into(), "a movement, such as \"gold\""));
        };
        let rest: Vec<_> = words.collect();
        match (first, rest.as_slice()) {
            ("step", directions) => self.add_steps(directions),
            ("slide", [directions @ .., "up", "to", most]) => {
                self.add_slides(directions, Some(squares(most)?))
            }
            ("slide", directions) => self.add_slides(directions, None),
            ("jump", []) => Err(TextReason::Incomplete("jump".into(), "a jump, such as F2L1")),
            ("jump", jumps) => jumps.iter().try_for_each(|jump| {
                self.leaps.insert(read_jump(jump)?);
                Ok(())
            }),
            (name, rest) => self.add_named(name, rest),
        }
    }

    fn add_named(&mut self, name: &str, rest: &[&str]) -> Result<(), TextReason> {
        let unknown = |word: &str| TextReason::UnknownWord {
            found: word.into(),
            nearest: Alternatives::to(word, WORDS),
        };
        let named = NAMED.iter().find(|(known, _)| *known == name).ok_or_else(|| unknown(name))?;
        if let Some(word) = rest.first() {
            return Err(TextReason::Incomplete(
                format!("{name} {word}"),
                "a plus between two movements",
            ));
        }
        named.1.split('+').try_for_each(|part| self.add_part(part))
    }

    fn add_steps(&mut self, directions: &[&str]) -> Result<(), TextReason> {
        for direction in read_directions("step", directions)? {
            self.leaps.insert(direction);
        }
        Ok(())
    }

    fn add_slides(&mut self, directions: &[&str], most: Option<u8>) -> Result<(), TextReason> {
        for direction in read_directions("slide", directions)? {
            let longest = self.slides.entry(direction).or_insert(most);
            *longest = longest.zip(most).map(|(one, other)| one.max(other));
        }
        Ok(())
    }

    /// Brings movements that are the same into one form: a slide of one square is a step, and a step is part
    /// of a slide in its direction.
    fn simplify(&mut self) {
        let single: Vec<_> = self
            .slides
            .iter()
            .filter(|(_, most)| **most == Some(1))
            .map(|(&step, _)| step)
            .collect();
        for step in single {
            self.slides.remove(&step);
            self.leaps.insert(step);
        }
        self.leaps.retain(|step| !self.slides.contains_key(step));
    }

    /// The movement in words, as short as a name or one part of each sort makes it; what
    /// [`Motion::parse`] reads back.
    pub(super) fn in_words(&self) -> String {
        for (name, words) in NAMED {
            if Self::parse(words).is_ok_and(|named| named == *self) {
                return name.into();
            }
        }
        let mut parts = Vec::new();
        let mut lengths: Vec<_> = self.slides.values().copied().collect();
        lengths.sort_unstable();
        lengths.dedup();
        for most in lengths {
            let limit = most.map_or(String::new(), |most| format!(" up to {most}"));
            let directions = named_directions(|step| self.slides.get(&step) == Some(&most));
            parts.push(format!("slide{directions}{limit}"));
        }
        let steps = named_directions(|step| self.leaps.contains(&step));
        if !steps.is_empty() {
            parts.push(format!("step{steps}"));
        }
        let is_jump = |leap: &&(i8, i8)| leap.0.abs().max(leap.1.abs()) > 1;
        let jumps: String = self
            .leaps
            .iter()
            .rev()
            .filter(is_jump)
            .map(|&leap| format!(" {}", jump(leap)))
            .collect();
        if !jumps.is_empty() {
            parts.push(format!("jump{jumps}"));
        }
        parts.join(" + ")
    }

    /// Whether the movement is that of a pawn of standard shogi.
    pub(super) fn is_pawn(&self) -> bool {
        self.slides.is_empty() && self.leaps.len() == 1 && self.leaps.contains(&(0, 1))
    }
}

/// The names of the directions of which a predicate holds, each after a blank.
fn named_directions(holds: impl Fn((i8, i8)) -> bool) -> String {
    let named = DIRECTIONS.iter().filter(|(_, step)| holds(*step));
    named.map(|(name, _)| format!(" {name}")).collect()
}

fn read_directions(word: &str, names: &[&str]) -> Result<Vec<(i8, i8)>, TextReason> {
    if names.is_empty() {
        return Err(TextReason::Incomplete(word.into(), "a direction, such as FL"));
    }
    let direction = |name: &&str| {
        let known = DIRECTIONS.iter().find(|(known, _)| known == name);
        known.map(|&(_, step)| step).ok_or_else(|| TextReason::Direction((*name).into()))
    };
    names.iter().map(direction).collect()
}

fn squares(text: &str) -> Result<u8, TextReason> {
    let number = text.parse().ok().filter(|number| (1..=FARTHEST).contains(number));
    number.ok_or(TextReason::Number { least: 1, most: FARTHEST.into() })
}

/// Reads a jump such as `F2L1`: forward or back first, then left or right; either may be missing, and so may
/// a number 1.
fn read_jump(text: &str) -> Result<(i8, i8), TextReason> {
    let error = || TextReason::Jump(text.into());
    let mut rest = text;
    let mut along = |positive: char, negative: char| -> Result<i8, TextReason> {
        let sign = match rest.chars().next() {
            Some(letter) if letter == positive => 1,
            Some(letter) if letter == negative => -1,
            _ => return Ok(0),
        };
        let digits = rest[1..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - 1);
        let number = match &rest[1..=digits] {
            "" => 1,
            digits => {
                digits.parse().ok().filter(|n| (1..=FARTHEST).contains(n)).ok_or_else(error)?
            }
        };
        rest = &rest[1 + digits..];
        Ok(sign * number as i8)
    };
    let forward = along('F', 'B')?;
    let right = along('R', 'L')?;
    if rest.is_empty() && (right, forward) != (0, 0) { Ok((right, forward)) } else { Err(error()) }
}

/// A jump as it is written.
fn jump((right, forward): (i8, i8)) -> String {
    let along = |squares: i8, positive, negative| match squares {
        0 => String::new(),
        _ => format!("{}{}", if squares > 0 { positive } else { negative }, squares.abs()),
    };
    along(forward, 'F', 'B') + &along(right, 'R', 'L')
}

impl core::fmt::Display for Motion {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.in_words())
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;

    use super::*;

    fn reason(text: &str) -> String {
        Motion::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn what_is_written_is_read_back() {
        for (name, words) in NAMED {
            let motion = Motion::parse(words).unwrap();
            assert_eq!(Motion::parse(name), Ok(motion.clone()));
            assert_eq!(motion.in_words(), name);
        }
        for words in [
            "slide B FL FR + slide BL BR up to 2 + step F L R",
            "jump F2L2 F2R2 B2",
            "slide F BR + step BL",
            "jump F2 + step BL BR",
            "step F + jump B1L14",
        ] {
            let motion = Motion::parse(words).unwrap();
            assert_eq!(Motion::parse(&motion.in_words()), Ok(motion), "{words}");
        }
        // What one square reaches is a step, whatever it is called.
        for same in ["slide F up to 1", "jump F1", "jump F", "pawn + pawn", " step  F "] {
            assert!(Motion::parse(same).unwrap().is_pawn(), "{same}");
        }
        assert_eq!(Motion::parse("rook + step F + slide F up to 2").unwrap().in_words(), "rook");
    }

    #[test]
    fn what_is_no_movement_is_named() {
        assert_eq!(reason("step FF"), TextReason::Direction("FF".into()).to_string());
        assert!(reason("pawm").contains("did you mean \"pawn\"?"));
        assert!(reason("queen").contains("\"jump\""));
        assert!(reason("").contains("needs what follows"));
        assert!(reason("gold +").contains("needs what follows"));
        assert!(reason("gold silver").contains("a plus between"));
        assert!(reason("step").contains("a direction"));
        assert!(reason("slide up to 2").contains("a direction"));
        assert!(reason("slide F up to 0").contains("1 to 14"));
        assert!(reason("slide F up 2").contains("\"up\" is no direction"));
        for jump in ["jump F2L", "jump F"] {
            assert!(Motion::parse(jump).is_ok(), "{jump}");
        }
        for jump in
            ["jump L2F1", "jump 2", "jump F0", "jump F15", "jump F999999", "jump ü", "jump F2ü"]
        {
            assert!(reason(jump).contains("is no jump"), "{jump}");
        }
        assert!(reason("jump").contains("a jump"));
    }
}
