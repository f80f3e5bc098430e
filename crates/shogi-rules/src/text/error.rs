//! What is wrong with the text of a variant, where, and what to write instead.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use shogi_core::SpecFault;

/// Why a text is no variant: everything that was found, in the order of the text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", FaultLines(.0))]
pub struct TextError(pub Vec<TextFault>);

/// One thing that is wrong with the text of a variant.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, {key}: {reason}")]
pub struct TextFault {
    /// The line, from 1.
    pub line: usize,
    /// The key whose value is wrong, such as `promotion.zone`.
    pub key: String,
    /// What is wrong with it.
    pub reason: TextReason,
}

/// What can be wrong with the text of a variant.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TextReason {
    /// The text is larger than any variant.
    #[error("the text has {found} bytes; a variant has {most} at most")]
    TooLong {
        /// Its bytes.
        found: usize,
        /// Most bytes of a text.
        most: usize,
    },
    /// It is no TOML.
    #[error("{0}")]
    Syntax(String),
    /// A key that means nothing here.
    #[error("there is no such key{}", Nearest(.nearest, ", write "))]
    UnknownKey {
        /// The known key that is spelt most alike, or all known keys.
        nearest: Alternatives,
    },
    /// A word that means nothing here.
    #[error("{found:?} means nothing here{}", Nearest(.nearest, ", write "))]
    UnknownWord {
        /// The word.
        found: String,
        /// The known word that is spelt most alike, or all known words.
        nearest: Alternatives,
    },
    /// A key that every variant has.
    #[error("the key is missing; write {0}")]
    Missing(&'static str),
    /// A value of another type.
    #[error("the value must be {expected}, not {found}")]
    Type {
        /// What is expected.
        expected: &'static str,
        /// What was found.
        found: &'static str,
    },
    /// A number that is too small or too large.
    #[error("the number must be {least} to {most}")]
    Number {
        /// The smallest number.
        least: i64,
        /// The largest number.
        most: i64,
    },
    /// A name that files and scripts could not use.
    #[error("a name has 1 to 32 letters a to z, digits, - and _, and begins with a letter")]
    Name,
    /// A text that is empty, too long or has line breaks.
    #[error("the text must have 1 to {most} characters on one line")]
    Words {
        /// Most characters.
        most: usize,
    },
    /// A direction that does not exist.
    #[error("{0:?} is no direction; the directions are F B L R FL FR BL BR, seen from the owner")]
    Direction(String),
    /// A jump that does not exist.
    #[error(
        "{0:?} is no jump; write squares forward or back and left or right, such as F2L1 or B2"
    )]
    Jump(String),
    /// A movement without a word.
    #[error("every piece moves: write a movement, such as \"gold\" or \"step F\"")]
    NoMovement,
    /// A part of a movement that says nothing.
    #[error("{0:?} needs what follows it: {1}")]
    Incomplete(String, &'static str),
    /// A letter that cannot name a piece.
    #[error("a piece has one letter A to Z")]
    Letter,
    /// Two pieces with the same letter.
    #[error("the letter {0} already stands for another piece")]
    LetterTaken(char),
    /// Two faces with the same kanji, of which records could not say which is meant.
    #[error(
        "{0} already stands for another face; write a second character in which the two differ"
    )]
    KanjiTaken(String),
    /// More kinds of pieces than there is room for.
    #[error(
        "a variant has at most {most} kinds of pieces, with their backs as the other faces of them"
    )]
    TooManyKinds {
        /// Most kinds.
        most: usize,
    },
    /// A key that a royal piece cannot have.
    #[error("a royal piece has no back, and is never dropped")]
    RoyalBack,
    /// No royal piece, or several kinds of them.
    #[error("one kind of piece must be royal, and {found} are; write royal = true for it")]
    Royals {
        /// How many there are.
        found: usize,
    },
    /// The start is no SFEN.
    #[error("{0}")]
    Start(String),
    /// The board has more ranks or squares than there is room for.
    #[error(
        "the board has {width} files and {height} ranks; there is room for 3 to 15 ranks and {most} squares"
    )]
    Board {
        /// The number of files.
        width: usize,
        /// The number of ranks.
        height: usize,
        /// Most squares.
        most: usize,
    },
    /// A player has no royal piece at the start, or several.
    #[error(
        "each player must have one {letter} on the board at the start; Sente has {sente}, Gote {gote}"
    )]
    StartRoyals {
        /// The letter of the royal piece.
        letter: char,
        /// Those of Sente.
        sente: usize,
        /// Those of Gote.
        gote: usize,
    },
    /// Too many pawns on a file at the start.
    #[error("{player} has {found} pawns on file {file} at the start; {most} may be there")]
    StartPawns {
        /// Whose they are.
        player: &'static str,
        /// How many there are.
        found: usize,
        /// The file, counted from the right.
        file: usize,
        /// How many there may be.
        most: u8,
    },
    /// A piece that can never move.
    #[error(
        "the {letter} on {square} can never move; write [moves] dead_end = \"legal\" if it may stand there"
    )]
    StartDeadEnd {
        /// The letter of the piece.
        letter: char,
        /// The square.
        square: String,
    },
    /// The player who is not to move is in check at the start.
    #[error("{player} is in check at the start, with the other player to move")]
    StartCheck {
        /// The player.
        player: &'static str,
    },
    /// A promotion zone that is deeper than the board.
    #[error("the zone has {zone} ranks; the board has {height}")]
    Zone {
        /// Ranks of the zone.
        zone: u8,
        /// Ranks of the board.
        height: u8,
    },
    /// Pieces that turn over back and forth, with a limit on pawns.
    #[error(
        "pieces that turn over at every move or capture may become pawns anywhere; write \
         pawns_on_a_file = \"any\" in [drops]"
    )]
    TurningPawns,
    /// A goal that is deeper than the board.
    #[error("the goal has {goal} ranks; the board has {height}")]
    Goal {
        /// Ranks of the goal.
        goal: u8,
        /// Ranks of the board.
        height: u8,
    },
    /// A goal for a royal piece that must not be left in attack.
    #[error(
        "a goal is for a royal piece that may be captured; write [moves] into_check = \"legal\", or no goal"
    )]
    GoalOfSafeRoyal,
    /// Mates by pawn drops are illegal where there is no mate.
    #[error(
        "where moves into check are legal there is no mate to forbid; write pawn_mate = \"legal\" in [drops]"
    )]
    NoMate,
    /// Fewer pieces in the set than at the start.
    #[error("the start has {found} of these pieces; the set must have as many")]
    Count {
        /// Pieces at the start.
        found: usize,
    },
    /// More pieces of a kind than a hand holds.
    #[error("there are {found} of these pieces; a hand holds {most} of them{}", HandAdvice(.first))]
    HandTooSmall {
        /// How many there are.
        found: usize,
        /// How many a hand holds.
        most: u8,
        /// How many it holds of the first kind.
        first: u8,
    },
    /// The pieces and switches make no rule table.
    #[error("{0}")]
    Table(SpecFault),
}

/// What could be meant instead of an unknown word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Alternatives {
    /// This word is spelt much the same.
    Nearest(&'static str),
    /// No word is; these are all.
    All(&'static [&'static str]),
}

impl Alternatives {
    /// What a word may stand for among the known ones: the nearest by edit distance if it is near, else all.
    pub(super) fn to(found: &str, known: &'static [&'static str]) -> Self {
        let most = 1 + found.chars().count() / 4;
        let nearest = known.iter().map(|word| (distance(found, word), *word)).min();
        match nearest {
            Some((edits, word)) if edits <= most => Self::Nearest(word),
            _ => Self::All(known),
        }
    }
}

/// How many letters have to be put in, left out, changed or exchanged with the next one to make one word of
/// another (optimal string alignment).
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<_>, Vec<_>) = (one.chars().collect(), other.chars().collect());
    // Longer words than any key are as far away as any.
    if one.len() > 64 {
        return one.len();
    }
    let mut rows = alloc::vec![alloc::vec![0; other.len() + 1]; one.len() + 1];
    for i in 0..=one.len() {
        for j in 0..=other.len() {
            if i == 0 || j == 0 {
                rows[i][j] = i + j;
                continue;
            }
            let changed = rows[i - 1][j - 1] + usize::from(one[i - 1] != other[j - 1]);
            let mut least = changed.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = least;
        }
    }
    rows[one.len()][other.len()]
}

/// Displays what to write instead.
struct Nearest<'a>(&'a Alternatives, &'static str);

impl fmt::Display for Nearest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Alternatives::Nearest(word) => write!(f, "; did you mean {word:?}?"),
            Alternatives::All(words) => {
                for (i, word) in words.iter().enumerate() {
                    let before = match i {
                        0 => self.1,
                        _ if i + 1 == words.len() => " or ",
                        _ => ", ",
                    };
                    write!(f, "{before}{word:?}")?;
                }
                Ok(())
            }
        }
    }
}

/// Displays where more pieces fit.
struct HandAdvice<'a>(&'a u8);

impl fmt::Display for HandAdvice<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ", and {} of the piece that is listed first", self.0)
    }
}

/// Displays faults, one a line.
struct FaultLines<'a>(&'a [TextFault]);

impl fmt::Display for FaultLines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.0.iter().enumerate() {
            let separator = if i == 0 { "" } else { "\n" };
            write!(f, "{separator}{fault}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_named_if_one_is_near() {
        let known = &["zone", "when"];
        assert_eq!(Alternatives::to("zonne", known), Alternatives::Nearest("zone"));
        assert_eq!(Alternatives::to("wehn", known), Alternatives::Nearest("when"));
        assert_eq!(Alternatives::to("depth", known), Alternatives::All(known));
        assert_eq!(Alternatives::to(&"z".repeat(1_000), known), Alternatives::All(known));
    }

    #[test]
    fn a_change_an_exchange_and_a_letter_more_or_less_count_one_each() {
        for (one, other, edits) in [
            ("", "", 0),
            ("zone", "zine", 1),
            ("zone", "zoen", 1),
            ("zone", "on", 2),
            ("", "abc", 3),
        ] {
            assert_eq!(
                (distance(one, other), distance(other, one)),
                (edits, edits),
                "{one} {other}"
            );
        }
    }
}
