//! A position drawn as an SVG picture: the same position always gives the same bytes.
//!
//! The pieces carry the letters of SFEN, or kanji: a picture that depends on a Japanese font shows empty boxes
//! where there is none.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use core::fmt::{self, Formatter};

use shogi_rules::shogi_core::Colour;

use super::text::{FILES, NUMBERS, in_kanji};
use super::{Diagram, Held, Mark};

/// Side of a square of the board.
const SQUARE: i32 = 60;
/// Width of the column beside the board that holds a hand.
const HAND: i32 = 90;
/// Room around everything, where the names of files and ranks stand too.
const MARGIN: i32 = 30;

/// The outline of Sente's piece around its centre: a wedge that points up the board.
const OUTLINE: &str = "M0-26 17-19 23 26-23 26-17-19Z";

/// The inks of a plain and of a promoted piece's letter.
const PLAIN: &str = "#111";
const PROMOTED: &str = "#b3202a";

/// The names of pieces, files and ranks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Letters,
    Kanji,
}

impl Script {
    const fn fonts(self) -> &'static str {
        match self {
            Self::Letters => "sans-serif",
            Self::Kanji => "Noto Serif CJK JP, Hiragino Mincho ProN, Yu Mincho, MS Mincho, serif",
        }
    }

    /// The name of a file, from the right, or of a rank, from the top, counted from 0.
    fn coordinate(self, number: i32, names: &[char; 9], plain: &str) -> String {
        match self {
            Self::Letters => plain.to_owned(),
            Self::Kanji => {
                names.get(number as usize).map_or_else(|| plain.to_owned(), char::to_string)
            }
        }
    }

    fn face(self, letters: &str, kanji: char) -> String {
        if self == Self::Kanji { kanji.to_string() } else { letters.to_owned() }
    }

    fn count(self, count: u32) -> String {
        if self == Self::Kanji { in_kanji(count) } else { count.to_string() }
    }
}

/// Draws with the letters of SFEN: see [`draw`].
pub(super) fn letters(diagram: &Diagram, f: &mut Formatter<'_>) -> fmt::Result {
    draw(diagram, Script::Letters, f)
}

/// Draws with kanji: see [`draw`].
pub(super) fn kanji(diagram: &Diagram, f: &mut Formatter<'_>) -> fmt::Result {
    draw(diagram, Script::Kanji, f)
}

/// Draws a diagram in the lishogi dialect: the board, Gote's hand at the upper left, Sente's at the
/// lower right, and a dot at the corner of the player to move.
fn draw(diagram: &Diagram, script: Script, f: &mut Formatter<'_>) -> fmt::Result {
    let frame = BoardFrame::of(diagram);
    let BoardFrame { left, top, right, bottom, .. } = frame;
    let (width, height) = (right + HAND + MARGIN, bottom + MARGIN);
    writeln!(
        f,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"{}\" text-anchor=\"middle\">\n\
         <title>{}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>",
        script.fonts(),
        diagram.sfen,
    )?;
    frame.draw_grid(f)?;
    frame.draw_coordinates(script, f)?;
    frame.draw_pieces(diagram, script, f)?;
    let (x, y) = match diagram.side {
        Colour::Sente => (right + 12, bottom - 8),
        Colour::Gote => (left - 12, top + 8),
    };
    writeln!(f, "<circle cx=\"{x}\" cy=\"{y}\" r=\"6\" fill=\"#333\"/>")?;
    for colour in [Colour::Gote, Colour::Sente] {
        frame.draw_hand(colour, &diagram.hands[colour.index()], script, f)?;
    }
    f.write_str("</svg>\n")
}

/// Where the board lies in the picture.
struct BoardFrame {
    columns: i32,
    rows: i32,
    left: i32,
    top: i32,
    right: i32,
    bottom: i32,
}

impl BoardFrame {
    fn of(diagram: &Diagram) -> Self {
        let (columns, rows) = (diagram.width() as i32, diagram.ranks.len() as i32);
        let (left, top) = (MARGIN + HAND, MARGIN);
        let (right, bottom) = (left + columns * SQUARE, top + rows * SQUARE);
        Self { columns, rows, left, top, right, bottom }
    }

    /// Draws the board without pieces.
    fn draw_grid(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let &Self { columns, rows, left, top, right, bottom } = self;
        let (width, height) = (right - left, bottom - top);
        write!(
            f,
            "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"#f4d58d\"/>\n\
             <path stroke=\"#333\" fill=\"none\" d=\""
        )?;
        for column in 0..=columns {
            write!(f, "M{} {top}V{bottom}", left + column * SQUARE)?;
        }
        for row in 0..=rows {
            write!(f, "M{left} {}H{right}", top + row * SQUARE)?;
        }
        f.write_str("\"/>\n")
    }

    /// Writes the names of files and ranks.
    fn draw_coordinates(&self, script: Script, f: &mut Formatter<'_>) -> fmt::Result {
        let &Self { columns, rows, left, top, right, .. } = self;
        f.write_str("<g font-size=\"14\" fill=\"#333\">\n")?;
        for column in 0..columns {
            let x = left + column * SQUARE + SQUARE / 2;
            let file = columns - column;
            let name = script.coordinate(file - 1, &FILES, &file.to_string());
            writeln!(f, "<text x=\"{x}\" y=\"{}\">{name}</text>", top - 10)?;
        }
        for (row, name) in (0..rows).zip('a'..) {
            let y = top + row * SQUARE + SQUARE / 2 + 5;
            let name = script.coordinate(row, &NUMBERS, name.encode_utf8(&mut [0; 4]));
            writeln!(f, "<text x=\"{}\" y=\"{y}\">{name}</text>", right + 12)?;
        }
        f.write_str("</g>\n")
    }

    /// Draws the pieces on the board.
    fn draw_pieces(&self, diagram: &Diagram, script: Script, f: &mut Formatter<'_>) -> fmt::Result {
        for (row, rank) in (0..).zip(&diagram.ranks) {
            for (column, square) in (0..).zip(rank) {
                if let Some(Mark { face, kanji, colour }) = square {
                    let (x, y) = (self.left + column * SQUARE, self.top + row * SQUARE);
                    let ink = if face.starts_with('+') { PROMOTED } else { PLAIN };
                    let piece = Piece { face: &script.face(face, *kanji), ink, colour: *colour };
                    piece.draw(f, x + SQUARE / 2, y + SQUARE / 2)?;
                }
            }
        }
        Ok(())
    }

    /// Draws a hand beside the board, from the player's left.
    fn draw_hand(
        &self,
        colour: Colour,
        hand: &[Held],
        script: Script,
        f: &mut Formatter<'_>,
    ) -> fmt::Result {
        let (x, first, direction) = match colour {
            Colour::Gote => (MARGIN + HAND / 2 - 15, self.top + SQUARE / 2, 1),
            Colour::Sente => (self.right + HAND / 2 + 15, self.bottom - SQUARE / 2, -1),
        };
        // Pieces of many kinds overlap rather than leave the picture.
        let step = SQUARE.min((self.bottom - self.top) / (hand.len() as i32).max(1));
        for (place, &Held { letter, kanji, count }) in (0..).zip(hand) {
            let y = first + direction * step * place;
            let face = script.face(letter.encode_utf8(&mut [0; 4]), kanji);
            Piece { face: &face, ink: PLAIN, colour }.draw(f, x, y)?;
            if count > 1 {
                let (x, y, count) = (x + 34, y + 6, script.count(count));
                writeln!(f, "<text x=\"{x}\" y=\"{y}\" font-size=\"18\">{count}</text>")?;
            }
        }
        Ok(())
    }
}

/// A piece as it is drawn.
struct Piece<'a> {
    face: &'a str,
    ink: &'static str,
    colour: Colour,
}

impl Piece<'_> {
    /// Draws the piece around a point, Gote's upside down.
    fn draw(&self, f: &mut Formatter<'_>, x: i32, y: i32) -> fmt::Result {
        let Self { face, ink, colour } = self;
        let turned = if *colour == Colour::Gote { " rotate(180)" } else { "" };
        writeln!(
            f,
            "<g transform=\"translate({x} {y}){turned}\">\
             <path d=\"{OUTLINE}\" fill=\"#fff6dc\" stroke=\"#6b4a1b\"/>\
             <text y=\"11\" font-size=\"24\" font-weight=\"bold\" fill=\"{ink}\">{face}</text></g>"
        )
    }
}
