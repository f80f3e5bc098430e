//! The faults of the text of a variant, with their places and corrections.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use shogi_core::SpecFault;

/// Why a text does not define a variant: all faults, in the order of the text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", FaultLines(.0))]
pub struct TextError(pub Vec<TextFault>);

/// A fault in the text of a variant.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, {key}: {reason}")]
pub struct TextFault {
    /// The line, from 1.
    pub line: usize,
    /// The key whose value is wrong, such as `promotion.zone`.
    pub key: String,
    /// The fault.
    pub reason: TextReason,
}

/// The faults that the text of a variant can have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TextReason {
    /// The text is larger than any variant.
    #[error("the text has {found} bytes; a variant has {most} at most")]
    TooLong {
        /// The size of the text in bytes.
        found: usize,
        /// The largest size in bytes.
        most: usize,
    },
    /// The text is not TOML.
    #[error("{0}")]
    Syntax(String),
    /// The key has no meaning here.
    #[error("there is no such key{}", Nearest(.nearest, ", write "))]
    UnknownKey {
        /// The known key with the most similar spelling, or all known keys.
        nearest: Alternatives,
    },
    /// The word has no meaning here.
    #[error("{found:?} means nothing here{}", Nearest(.nearest, ", write "))]
    UnknownWord {
        /// The word.
        found: String,
        /// The known word with the most similar spelling, or all known words.
        nearest: Alternatives,
    },
    /// A required key is missing.
    #[error("the key is missing; write {0}")]
    Missing(&'static str),
    /// The value has the wrong type.
    #[error("the value must be {expected}, not {found}")]
    Type {
        /// The expected type.
        expected: &'static str,
        /// The type that was found.
        found: &'static str,
    },
    /// The number is too small or too large.
    #[error("the number must be {least} to {most}")]
    Number {
        /// The smallest number.
        least: i64,
        /// The largest number.
        most: i64,
    },
    /// The name cannot be used in files and scripts.
    #[error("a name has 1 to 32 letters a to z, digits, - and _, and begins with a letter")]
    Name,
    /// The text is empty, is too long or has line breaks.
    #[error("the text must have 1 to {most} characters on one line")]
    Words {
        /// The largest number of characters.
        most: usize,
    },
    /// A word in a region stands for no squares.
    #[error(
        "{0:?} is no square of the board; write squares such as 5e, ranks such as *a and files such as 5*"
    )]
    NoSquare(String),
    /// A region has no squares.
    #[error("a region needs a square, such as 5e, or a rank, such as *a")]
    EmptyRegion,
    /// A royal piece is never dropped.
    #[error("a royal piece is never dropped")]
    RoyalDrops,
    /// There is no such direction.
    #[error("{0:?} is no direction; the directions are F B L R FL FR BL BR, seen from the owner")]
    Direction(String),
    /// There is no such jump.
    #[error(
        "{0:?} is no jump; write squares forward or back and left or right, such as F2L1 or B2"
    )]
    Jump(String),
    /// The movement is empty.
    #[error("every piece moves: write a movement, such as \"gold\" or \"step F\"")]
    NoMovement,
    /// A part of a movement is incomplete.
    #[error("{0:?} needs what follows it: {1}")]
    Incomplete(String, &'static str),
    /// The letter cannot name a piece.
    #[error("a piece has one letter A to Z")]
    Letter,
    /// Two pieces have the same letter.
    #[error("the letter {0} already stands for another piece")]
    LetterTaken(char),
    /// Two faces have the same kanji, so records could not distinguish them.
    #[error(
        "{0} already stands for another face; write a second character in which the two differ"
    )]
    KanjiTaken(String),
    /// There are too many kinds of pieces.
    #[error(
        "a variant has at most {most} kinds of pieces, with their backs as the other faces of them"
    )]
    TooManyKinds {
        /// The largest number of kinds.
        most: usize,
    },
    /// A royal piece has a key that it cannot have.
    #[error("a royal piece has no back, and is never dropped")]
    RoyalBack,
    /// There is no royal piece, or there are several kinds.
    #[error("one kind of piece must be royal, and {found} are; write royal = true for it")]
    Royals {
        /// How many there are.
        found: usize,
    },
    /// The start is not an SFEN.
    #[error("{0}")]
    Start(String),
    /// The board has too many ranks or squares.
    #[error(
        "the board has {width} files and {height} ranks; there is room for 3 to 15 ranks and {most} squares"
    )]
    Board {
        /// The number of files.
        width: usize,
        /// The number of ranks.
        height: usize,
        /// The largest number of squares.
        most: usize,
    },
    /// A player has no royal piece at the start, or several.
    #[error(
        "each player must have one {letter} on the board at the start; Sente has {sente}, Gote {gote}"
    )]
    StartRoyals {
        /// The letter of the royal piece.
        letter: char,
        /// The number of Sente's.
        sente: usize,
        /// The number of Gote's.
        gote: usize,
    },
    /// A file has too many pawns at the start.
    #[error("{player} has {found} pawns on file {file} at the start; {most} may be there")]
    StartPawns {
        /// Their owner.
        player: &'static str,
        /// How many there are.
        found: usize,
        /// The file, counted from the right.
        file: usize,
        /// The largest number allowed.
        most: u8,
    },
    /// A piece at the start can never move.
    #[error(
        "the {letter} on {square} can never move; write [moves] dead_end = \"legal\" if it may stand there"
    )]
    StartDeadEnd {
        /// The letter of the piece.
        letter: char,
        /// The square.
        square: String,
    },
    /// A piece stands outside its region at the start.
    #[error("the {letter} stands on {square} at the start, which is outside its region")]
    StartRegion {
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
    /// The promotion zone is deeper than the board.
    #[error("the zone has {zone} ranks; the board has {height}")]
    Zone {
        /// The ranks of the zone.
        zone: u8,
        /// Ranks of the board.
        height: u8,
    },
    /// Pieces turn over back and forth, but pawns are limited.
    #[error(
        "pieces that turn over at every move or capture may become pawns anywhere; write \
         pawns_on_a_file = \"any\" in [drops]"
    )]
    TurningPawns,
    /// The goal is deeper than the board.
    #[error("the goal has {goal} ranks; the board has {height}")]
    Goal {
        /// The ranks of the goal.
        goal: u8,
        /// Ranks of the board.
        height: u8,
    },
    /// Kings must not face each other, but may be left in attack.
    #[error(
        "kings that may be left in attack may face each other; write into_check = \"illegal\", or facing_kings = \"legal\""
    )]
    FacingKings,
    /// Mates by pawn drops are forbidden, but the variant has no mate.
    #[error(
        "where moves into check are legal there is no mate to forbid; write pawn_mate = \"legal\" in [drops]"
    )]
    NoMate,
    /// The set has fewer pieces than the start position.
    #[error("the start has {found} of these pieces; the set must have as many")]
    Count {
        /// Pieces at the start.
        found: usize,
    },
    /// There are more pieces of a kind than a hand can hold.
    #[error("there are {found} of these pieces; a hand holds {most} of them{}", HandAdvice(.first))]
    HandTooSmall {
        /// How many there are.
        found: usize,
        /// The number that a hand can hold.
        most: u8,
        /// The number that it can hold of the first kind.
        first: u8,
    },
    /// The pieces and switches do not make a rule table.
    #[error("{0}")]
    Table(SpecFault),
}

/// The words that could be meant by an unknown word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Alternatives {
    /// The one word with a similar spelling.
    Nearest(&'static str),
    /// All known words, if none is similar.
    All(&'static [&'static str]),
}

impl Alternatives {
    /// The known words that an unknown word may mean: the nearest by edit distance if it is near, else all.
    pub(super) fn to(found: &str, known: &'static [&'static str]) -> Self {
        let most = 1 + found.chars().count() / 4;
        let nearest = known.iter().map(|word| (distance(found, word), *word)).min();
        match nearest {
            Some((edits, word)) if edits <= most => Self::Nearest(word),
            _ => Self::All(known),
        }
    }
}

/// The number of letters to insert, delete, change or swap with the next one to turn one word into the other
/// (optimal string alignment).
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<_>, Vec<_>) = (one.chars().collect(), other.chars().collect());
    // Words longer than any key have the largest distance.
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

/// Displays a correction.
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

/// Displays the advice to list a kind first, where a hand holds more pieces.
struct HandAdvice<'a>(&'a u8);

impl fmt::Display for HandAdvice<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ", and {} of the piece that is listed first", self.0)
    }
}

/// Displays faults, one per line.
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
