//! What stands where, in the letters of SFEN: what every picture of a position is drawn from.

use shogi_rules::shogi_core::{Colour, Placement};
use shogi_rules::{Dialect, Dobutsu, Rules, to_sfen_in};

/// A piece on the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    /// Its face in SFEN, in upper case, with the plus of a turned piece.
    pub face: String,
    /// Its owner.
    pub colour: Colour,
}

/// A position as it is drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagram {
    /// The position in SFEN.
    pub sfen: String,
    /// The board rank by rank from the top, each from the left.
    pub ranks: Vec<Vec<Option<Mark>>>,
    /// Sente's and Gote's hand: letters in upper case with counts, the most valuable first.
    pub hands: [Vec<(char, u32)>; 2],
    /// The player to move.
    pub side: Colour,
    /// Whether the pieces are animals: those of Dobutsu shogi.
    pub animals: bool,
}

impl Diagram {
    /// The diagram of a position in the letters of a dialect.
    pub fn new<R: Rules>(placement: &Placement<R>, dialect: Dialect) -> Self {
        let sfen = to_sfen_in(placement, dialect);
        let mut fields = sfen.split(' ');
        let ranks = fields.next().unwrap_or_default().split('/').map(rank).collect();
        let hands = fields.nth(1).unwrap_or_default();
        let hands = Colour::ALL.map(|colour| hand(hands, colour));
        Self { ranks, hands, side: placement.side(), animals: R::NAME == Dobutsu::NAME, sfen }
    }

    /// The character on a face that the lishogi dialect writes so; the letter where there is none.
    pub fn kanji(&self, face: &str) -> char {
        match (face, self.animals) {
            ("P", false) => '歩',
            ("L", false) => '香',
            ("N", false) => '桂',
            ("S", false) => '銀',
            ("G", false) => '金',
            ("B", false) => '角',
            ("R", false) => '飛',
            ("K", false) => '玉',
            ("+P" | "T", false) => 'と',
            ("+L", false) => '杏',
            ("+N", false) => '圭',
            ("+S", false) => '全',
            ("+B", false) => '馬',
            ("+R", false) => '龍',
            ("P", true) => '雛',
            ("+P", true) => '鶏',
            ("B", true) => '象',
            ("R", true) => '麒',
            ("K", true) => '獅',
            _ => face.chars().last().unwrap_or(' '),
        }
    }

    /// The number of files.
    pub fn width(&self) -> usize {
        self.ranks.first().map_or(0, Vec::len)
    }
}

fn owner(letter: char) -> Colour {
    if letter.is_ascii_uppercase() { Colour::Sente } else { Colour::Gote }
}

/// Reads a rank as SFEN writes it.
fn rank(text: &str) -> Vec<Option<Mark>> {
    let mut squares = Vec::new();
    let mut face = String::new();
    for character in text.chars() {
        if let Some(empty) = character.to_digit(10) {
            squares.resize(squares.len() + empty as usize, None);
            continue;
        }
        face.push(character.to_ascii_uppercase());
        if character != '+' {
            let face = std::mem::take(&mut face);
            squares.push(Some(Mark { face, colour: owner(character) }));
        }
    }
    squares
}

/// Reads a player's part of the hands as SFEN writes them.
fn hand(text: &str, colour: Colour) -> Vec<(char, u32)> {
    let mut held = Vec::new();
    let mut count = 0;
    for character in text.chars() {
        if let Some(digit) = character.to_digit(10) {
            count = 10 * count + digit;
        } else {
            if character.is_ascii_alphabetic() && owner(character) == colour {
                held.push((character.to_ascii_uppercase(), count.max(1)));
            }
            count = 0;
        }
    }
    held
}

#[cfg(test)]
mod tests {
    use shogi_rules::{Shogi, parse_sfen};

    use super::*;

    #[test]
    fn reads_what_sfen_writes() {
        let sfen = "4k4/9/9/9/9/4+r4/9/9/P3K3b b 2RG12ps 1";
        let (placement, _) = parse_sfen::<Shogi>(sfen).unwrap();
        let diagram = Diagram::new(&placement, Dialect::Lishogi);
        assert_eq!((diagram.width(), diagram.ranks.len()), (9, 9));
        assert!(diagram.ranks.iter().all(|rank| rank.len() == 9));
        let dragon = Mark { face: "+R".to_owned(), colour: Colour::Gote };
        assert_eq!(diagram.ranks[5][4], Some(dragon));
        assert_eq!(diagram.hands[0], [('R', 2), ('G', 1)]);
        assert_eq!(diagram.hands[1], [('S', 1), ('P', 12)]);
    }
}
