//! A position drawn with kanji, as game records do.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use core::fmt::{self, Formatter};

use shogi_rules::shogi_core::Colour;

use super::{Diagram, Held, Mark};

/// The names of files, from the right.
pub(super) const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
/// The names of ranks, from the top, which are numbers too.
pub(super) const NUMBERS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// A number below 100 in kanji.
pub(super) fn in_kanji(number: u32) -> String {
    let digit = |value: u32| NUMBERS.get((value as usize).wrapping_sub(1));
    let mut text = String::new();
    text.extend(digit(number / 10).filter(|_| number >= 20));
    text.extend((number >= 10).then_some('十'));
    text.extend(digit(number % 10));
    text
}

/// Draws with kanji, as game records in the KIF format do: `v` stands before Gote's pieces. The
/// diagram is one in the lishogi dialect.
pub(super) fn kanji(diagram: &Diagram, f: &mut Formatter<'_>) -> fmt::Result {
    let hand = |colour: Colour| {
        let mut words = String::new();
        for &Held { kanji, count, .. } in &diagram.hands[colour.index()] {
            words.push(kanji);
            if count > 1 {
                words.push_str(&in_kanji(count));
            }
        }
        if words.is_empty() { "なし".to_owned() } else { words }
    };
    writeln!(f, "後手の持駒：{}", hand(Colour::Gote))?;
    for file in FILES.iter().take(diagram.width()).rev() {
        write!(f, " {file}")?;
    }
    let line = format!("+{}+", "---".repeat(diagram.width()));
    writeln!(f, "\n{line}")?;
    for (name, rank) in NUMBERS.iter().zip(&diagram.ranks) {
        f.write_str("|")?;
        for square in rank {
            match square {
                None => f.write_str(" ・")?,
                Some(Mark { kanji, colour, .. }) => {
                    let owner = if *colour == Colour::Sente { ' ' } else { 'v' };
                    write!(f, "{owner}{kanji}")?;
                }
            }
        }
        writeln!(f, "|{name}")?;
    }
    writeln!(f, "{line}\n先手の持駒：{}", hand(Colour::Sente))?;
    f.write_str(if diagram.side == Colour::Sente { "先手番" } else { "後手番" })
}
