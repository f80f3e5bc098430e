//! Diagrams: the pieces by their squares, in the letters of SFEN. Every picture of a position is drawn from one.

mod svg;
mod text;

use alloc::string::String;
use alloc::vec::Vec;
use core::{fmt, mem};

use shogi_records::{Name, Recorded};
use shogi_rules::shogi_core::{Colour, Placement, picture};
use shogi_rules::{Dialect, to_sfen_numbered};

/// A piece on the board.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Mark {
    /// Its face in SFEN, in upper case, with the plus of a turned piece.
    pub face: String,
    /// The kanji on it; where the dialect's letters have none, the last letter.
    pub kanji: char,
    /// Its owner.
    pub colour: Colour,
}

/// Pieces of a kind in a hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Held {
    /// Their letter in SFEN, in upper case.
    pub letter: char,
    /// The kanji on them; where the dialect's letters have none, the letter.
    pub kanji: char,
    /// How many they are.
    pub count: u32,
}

/// A position as it is drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Diagram {
    /// The position in SFEN.
    pub sfen: String,
    /// The board rank by rank from the top, each from the left.
    pub ranks: Vec<Vec<Option<Mark>>>,
    /// Sente's and Gote's hand, the most valuable pieces first.
    pub hands: [Vec<Held>; 2],
    /// The player to move.
    pub side: Colour,
}

impl Diagram {
    /// The diagram of a position in the letters of a dialect, as the one before the first move.
    pub fn new<R: Recorded>(placement: &Placement<R>, dialect: Dialect) -> Self {
        Self::numbered(placement, dialect, 1)
    }

    /// Likewise, with the number of the next move.
    pub fn numbered<R: Recorded>(placement: &Placement<R>, dialect: Dialect, number: u32) -> Self {
        let sfen = to_sfen_numbered(placement, dialect, number);
        Self::of_sfen(sfen, placement.side(), R::names())
    }

    fn of_sfen(sfen: String, side: Colour, names: &[Name]) -> Self {
        let mut fields = sfen.split(' ');
        let board = fields.next().unwrap_or_default();
        let ranks = board.split('/').map(|text| rank(text, names)).collect();
        let held = fields.nth(1).unwrap_or_default();
        let hands = [hand(held, Colour::Sente, names), hand(held, Colour::Gote, names)];
        Self { ranks, hands, side, sfen }
    }

    /// The number of files.
    pub fn width(&self) -> usize {
        self.ranks.first().map_or(0, Vec::len)
    }

    /// Draws with SFEN's letters: upper case Sente's, a plus before a turned piece.
    ///
    /// ```
    /// use shogi_variants::Variant;
    /// let diagram = Variant::Dobutsu.rules().diagram("startpos", None)?;
    /// assert!(diagram.letters().to_string().ends_with("Sente to move"));
    /// # Ok::<(), shogi_variants::Error>(())
    /// ```
    pub fn letters(&self) -> impl fmt::Display {
        Drawing { diagram: self, draw: |diagram, f| picture::draw(&diagram.sfen, f) }
    }

    /// Draws with kanji, as game records in the KIF format do: `v` stands before Gote's pieces. The
    /// diagram has to be one in the lishogi dialect.
    pub fn kanji(&self) -> impl fmt::Display {
        Drawing { diagram: self, draw: text::kanji }
    }

    /// Draws an SVG picture: the board, Gote's hand at the upper left, Sente's at the lower right, and a
    /// dot at the corner of the player to move. The same diagram always gives the same bytes.
    pub fn svg(&self) -> impl fmt::Display {
        Drawing { diagram: self, draw: svg::letters }
    }

    /// Draws with vectors and kanji: a diagram in the lishogi dialect, for readers who have a Japanese font.
    ///
    /// ```
    /// use shogi_variants::Variant;
    /// use shogi_variants::rules::Dialect;
    /// let diagram = Variant::Dobutsu.rules().diagram("startpos", Some(Dialect::Lishogi))?;
    /// assert!(diagram.svg_kanji().to_string().contains(">獅</text>"));
    /// # Ok::<(), shogi_variants::Error>(())
    /// ```
    pub fn svg_kanji(&self) -> impl fmt::Display {
        Drawing { diagram: self, draw: svg::kanji }
    }
}

/// A diagram drawn in one way.
struct Drawing<'a> {
    diagram: &'a Diagram,
    draw: fn(&Diagram, &mut fmt::Formatter<'_>) -> fmt::Result,
}

impl fmt::Display for Drawing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.draw)(self.diagram, f)
    }
}

/// The kanji on a face that the lishogi dialect writes so.
pub(super) fn kanji(face: &str, names: &[Name]) -> char {
    let name = names.iter().find(|name| name.letters == face);
    name.map_or_else(|| face.chars().last().unwrap_or(' '), |name| name.kanji)
}

fn owner(letter: char) -> Colour {
    if letter.is_ascii_uppercase() { Colour::Sente } else { Colour::Gote }
}

/// Reads a rank as SFEN writes it.
fn rank(text: &str, names: &[Name]) -> Vec<Option<Mark>> {
    let mut squares = Vec::new();
    let mut face = String::new();
    let mut empty = 0;
    for character in text.chars() {
        if let Some(digit) = character.to_digit(10) {
            empty = 10 * empty + digit as usize;
            continue;
        }
        squares.resize(squares.len() + mem::take(&mut empty), None);
        face.push(character.to_ascii_uppercase());
        if character != '+' {
            let face = mem::take(&mut face);
            let (kanji, colour) = (kanji(&face, names), owner(character));
            squares.push(Some(Mark { face, kanji, colour }));
        }
    }
    squares.resize(squares.len() + empty, None);
    squares
}

/// Reads a player's part of the hands as SFEN writes them.
fn hand(text: &str, colour: Colour, names: &[Name]) -> Vec<Held> {
    let mut held = Vec::new();
    let mut count = 0;
    for character in text.chars() {
        if let Some(digit) = character.to_digit(10) {
            count = 10 * count + digit;
        } else {
            if character.is_ascii_alphabetic() && owner(character) == colour {
                let letter = character.to_ascii_uppercase();
                let kanji = kanji(letter.encode_utf8(&mut [0; 4]), names);
                held.push(Held { letter, kanji, count: count.max(1) });
            }
            count = 0;
        }
    }
    held
}
