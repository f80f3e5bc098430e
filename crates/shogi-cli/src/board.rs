//! A board drawn in a terminal, with colours where it has them.

use std::env;
use std::io::IsTerminal;

use shogi_rules::shogi_core::Colour;
use shogi_variants::operations::{Diagram, Held, Mark};

/// How a board is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// With kanji instead of letters.
    pub kanji: bool,
    /// With colours: Gote's pieces red, promoted ones bold, the square moved to last reversed.
    pub colours: bool,
}

/// Whether colours may be written to a stream: never into files and pipes, nor where `NO_COLOR` is set.
pub fn takes_colours(stream: &impl IsTerminal) -> bool {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    stream.is_terminal()
        && !is_set("NO_COLOR")
        && env::var_os("TERM").is_none_or(|term| term != "dumb")
}

impl Style {
    /// The board and the hands of a position, seen by Sente; `last` is the column and the rank that was moved to last.
    pub fn draw(self, diagram: &Diagram, last: Option<(usize, usize)>) -> String {
        let mut text = self.hand(Colour::Gote, &diagram.hands[Colour::Gote.index()]);
        text.push_str("   ");
        for file in (1..=diagram.width()).rev() {
            text.push_str(&format!("{file:>2} "));
        }
        text.push('\n');
        for ((rank, name), squares) in (0..).zip('a'..).zip(&diagram.ranks) {
            text.push_str(&format!(" {name} "));
            for (column, square) in squares.iter().enumerate() {
                let drawn =
                    square.as_ref().map_or_else(|| " . ".to_owned(), |mark| self.piece(mark));
                let is_last = self.colours && last == Some((column, rank));
                text.push_str(&if is_last { format!("\x1b[7m{drawn}\x1b[27m") } else { drawn });
            }
            text.push('\n');
        }
        text + &self.hand(Colour::Sente, &diagram.hands[Colour::Sente.index()])
    }

    fn hand(self, colour: Colour, held: &[Held]) -> String {
        let piece = |held: &Held| {
            let letter = if self.kanji { held.kanji } else { held.letter };
            if held.count > 1 { format!(" {letter}{}", held.count) } else { format!(" {letter}") }
        };
        let pieces: String = held.iter().map(piece).collect();
        format!("   {colour} holds{}\n", if pieces.is_empty() { " nothing" } else { &pieces })
    }

    /// A piece, three columns wide: kanji take two of them.
    fn piece(self, Mark { face, kanji, colour }: &Mark) -> String {
        let is_gote = *colour == Colour::Gote;
        let drawn = match (self.kanji, is_gote) {
            (true, _) => {
                let width = if kanji.is_ascii() { " " } else { "" };
                format!("{}{kanji}{width}", if is_gote { 'v' } else { ' ' })
            }
            (false, true) => format!("{:>2} ", face.to_ascii_lowercase()),
            (false, false) => format!("{face:>2} "),
        };
        match (self.colours, is_gote) {
            (true, true) => format!("\x1b[31m{drawn}\x1b[39m"),
            _ => drawn,
        }
    }
}

#[cfg(test)]
mod tests {
    use shogi_rules::Dialect;
    use shogi_variants::Variant;

    use super::*;

    fn drawn(kanji: bool, colours: bool) -> String {
        let rules = Variant::Minishogi.rules();
        let position = "startpos moves 1e1b 1a1b";
        let diagram = rules.diagram(position, Some(Dialect::Lishogi)).unwrap();
        Style { kanji, colours }.draw(&diagram, Some((4, 1)))
    }

    #[test]
    fn a_board_is_drawn_with_letters_or_kanji() {
        assert_eq!(
            drawn(false, false),
            "   Gote holds R\n    5  4  3  2  1 \n a  r  b  s  g  . \n b  .  .  .  .  k \n c  .  .  .  .  . \n \
             d  P  .  .  .  . \n e  K  G  S  B  . \n   Sente holds P\n"
        );
        assert!(drawn(true, false).contains(" b  .  .  .  . v玉\n"), "{}", drawn(true, false));
    }

    #[test]
    fn colours_change_no_character() {
        for kanji in [false, true] {
            let mut coloured = drawn(kanji, true);
            assert!(coloured.contains("\x1b[7m\x1b[31m"));
            for code in ["\x1b[31m", "\x1b[39m", "\x1b[7m", "\x1b[27m"] {
                coloured = coloured.replace(code, "");
            }
            assert_eq!(coloured, drawn(kanji, false));
        }
    }
}
