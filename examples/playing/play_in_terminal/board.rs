//! A board as a picture of characters.

use shogi_rules::record::Recorded;
use shogi_rules::shogi_core::{Colour, Geometry, Placement, Square};
use shogi_rules::{Dialect, to_sfen_in};

/// How a board is drawn.
pub struct Picture {
    /// With kanji instead of letters.
    pub kanji: bool,
    /// With colours: Gote's pieces red, the square moved to last reversed.
    pub colours: bool,
}

impl Picture {
    /// The board and the hands of a position, seen by Sente.
    pub fn of<R: Recorded>(
        &self,
        placement: &Placement<R>,
        last: Option<Square<R::Geometry>>,
    ) -> String {
        let dialect = if self.kanji { Dialect::Lishogi } else { R::DIALECT };
        let sfen = to_sfen_in(placement, dialect);
        let mut fields = sfen.split(' ');
        let (board, hands) = (fields.next().unwrap_or_default(), fields.nth(1).unwrap_or_default());
        let hand = |colour| {
            let pieces: Vec<_> = pieces_in_hand(hands)
                .into_iter()
                .filter(|(_, letter)| owner(letter) == colour)
                .map(|(count, letter)| format!("{}{count}", self.piece::<R>(&letter)))
                .collect();
            format!("  {colour}: {}\n", pieces.join(" "))
        };
        let mut text = hand(Colour::Gote);
        text.push_str("   ");
        for file in (1..=R::Geometry::WIDTH).rev() {
            text.push_str(&format!(" {file} "));
        }
        text.push('\n');
        for ((rank, name), row) in (0..).zip('a'..).zip(board.split('/')) {
            text.push_str(&format!(" {name} "));
            for (column, cell) in (0..).zip(cells(row)) {
                let square = match &cell {
                    None => " . ".to_owned(),
                    Some(letter) => self.piece::<R>(letter),
                };
                let moved = last.is_some() && Square::new(column, rank) == last;
                text.push_str(&if moved && self.colours {
                    format!("\x1b[7m{square}\x1b[27m")
                } else {
                    square
                });
            }
            text.push('\n');
        }
        text + &hand(Colour::Sente)
    }

    /// A piece, three columns wide: kanji take two of them.
    fn piece<R: Recorded>(&self, letter: &str) -> String {
        let name = R::NAMES.iter().find(|name| letter.eq_ignore_ascii_case(name.letters));
        let gote = owner(letter) == Colour::Gote;
        let shown = match name.filter(|_| self.kanji) {
            Some(name) => format!("{}{}", if gote { 'v' } else { ' ' }, name.mark),
            None => format!("{letter:>2} "),
        };
        if gote && self.colours { format!("\x1b[31m{shown}\x1b[39m") } else { shown }
    }
}

fn owner(letter: &str) -> Colour {
    if letter.ends_with(|c: char| c.is_ascii_lowercase()) { Colour::Gote } else { Colour::Sente }
}

/// The squares of a rank of SFEN.
fn cells(row: &str) -> Vec<Option<String>> {
    let mut cells = Vec::new();
    let mut plus = String::new();
    for character in row.chars() {
        match character.to_digit(10) {
            Some(empty) => cells.extend((0..empty).map(|_| None)),
            None if character == '+' => plus.push('+'),
            None => cells.push(Some(std::mem::take(&mut plus) + &character.to_string())),
        }
    }
    cells
}

/// The pieces of the hands of SFEN with their numbers.
fn pieces_in_hand(hands: &str) -> Vec<(u32, String)> {
    let (mut pieces, mut count) = (Vec::new(), 0);
    for character in hands.chars().filter(|&character| character != '-') {
        match character.to_digit(10) {
            Some(digit) => count = 10 * count + digit,
            None => {
                pieces.push((count.max(1), character.to_string()));
                count = 0;
            }
        }
    }
    pieces
}
