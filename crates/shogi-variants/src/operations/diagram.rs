//! What stands where, in the letters of SFEN: what every picture of a position is drawn from.

use alloc::string::String;
use alloc::vec::Vec;

use shogi_rules::record::Recorded;
use shogi_rules::shogi_core::{Colour, Placement};
use shogi_rules::{Dialect, to_sfen_in};

/// A piece on the board.
#[derive(Clone, PartialEq, Eq, Debug)]
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
    /// The diagram of a position in the letters of a dialect.
    pub fn new<R: Recorded>(placement: &Placement<R>, dialect: Dialect) -> Self {
        let sfen = to_sfen_in(placement, dialect);
        let mut fields = sfen.split(' ');
        let ranks = fields.next().unwrap_or_default().split('/').map(rank::<R>).collect();
        let hands = fields.nth(1).unwrap_or_default();
        let hands = Colour::ALL.map(|colour| hand::<R>(hands, colour));
        Self { ranks, hands, side: placement.side(), sfen }
    }

    /// The number of files.
    pub fn width(&self) -> usize {
        self.ranks.first().map_or(0, Vec::len)
    }
}

/// The kanji on a face that the lishogi dialect writes so.
fn kanji<R: Recorded>(face: &str) -> char {
    let name = R::NAMES.iter().find(|name| name.letters == face);
    name.map_or_else(|| face.chars().last().unwrap_or(' '), |name| name.kanji)
}

fn owner(letter: char) -> Colour {
    if letter.is_ascii_uppercase() { Colour::Sente } else { Colour::Gote }
}

/// Reads a rank as SFEN writes it.
fn rank<R: Recorded>(text: &str) -> Vec<Option<Mark>> {
    let mut squares = Vec::new();
    let mut face = String::new();
    for character in text.chars() {
        if let Some(empty) = character.to_digit(10) {
            squares.resize(squares.len() + empty as usize, None);
            continue;
        }
        face.push(character.to_ascii_uppercase());
        if character != '+' {
            let face = core::mem::take(&mut face);
            let (kanji, colour) = (kanji::<R>(&face), owner(character));
            squares.push(Some(Mark { face, kanji, colour }));
        }
    }
    squares
}

/// Reads a player's part of the hands as SFEN writes them.
fn hand<R: Recorded>(text: &str, colour: Colour) -> Vec<Held> {
    let mut held = Vec::new();
    let mut count = 0;
    for character in text.chars() {
        if let Some(digit) = character.to_digit(10) {
            count = 10 * count + digit;
        } else {
            if character.is_ascii_alphabetic() && owner(character) == colour {
                let letter = character.to_ascii_uppercase();
                let kanji = kanji::<R>(letter.encode_utf8(&mut [0; 4]));
                held.push(Held { letter, kanji, count: count.max(1) });
            }
            count = 0;
        }
    }
    held
}

#[cfg(test)]
mod tests {
    use alloc::borrow::ToOwned as _;

    use shogi_rules::{Shogi, parse_sfen};

    use super::*;

    #[test]
    fn reads_what_sfen_writes() {
        let sfen = "4k4/9/9/9/9/4+r4/9/9/P3K3b b 2RG12ps 1";
        let (placement, _) = parse_sfen::<Shogi>(sfen).unwrap();
        let diagram = Diagram::new(&placement, Dialect::Lishogi);
        assert_eq!((diagram.width(), diagram.ranks.len()), (9, 9));
        assert!(diagram.ranks.iter().all(|rank| rank.len() == 9));
        let dragon = Mark { face: "+R".to_owned(), kanji: '龍', colour: Colour::Gote };
        assert_eq!(diagram.ranks[5][4], Some(dragon));
        let held = |letter, kanji, count| Held { letter, kanji, count };
        assert_eq!(diagram.hands[0], [held('R', '飛', 2), held('G', '金', 1)]);
        assert_eq!(diagram.hands[1], [held('S', '銀', 1), held('P', '歩', 12)]);
    }
}
