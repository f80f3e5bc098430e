//! A definition as a text, as a person would write it.

use alloc::format;
use alloc::string::String;
use core::fmt;

use super::definition::{Definition, DropFace, FaceDefinition, KindDefinition, Repeated, When};
use crate::impasse::ImpasseRule;

impl fmt::Display for Definition {
    /// Writes the text that [`Definition::parse`] reads back. What is as in standard shogi is left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "name = {}", quoted(&self.name))?;
        if self.title != self.name {
            writeln!(f, "title = {}", quoted(&self.title))?;
        }
        writeln!(f, "start = {}", quoted(&self.start))?;
        if self.promotion != When::Optional {
            let when = word(When::WORDS, &When::ALL, self.promotion);
            writeln!(f, "promotion.when = {}", quoted(when))?;
        }
        if self.promotion.has_zone() && self.zone != 3 {
            writeln!(f, "promotion.zone = {}", self.zone)?;
        }
        if self.stalemate_draws {
            f.write_str("stalemate = \"draw\"\n")?;
        }
        match self.impasse {
            None => {}
            Some(ImpasseRule::TwentyFourPoints) => f.write_str("impasse = \"24 points\"\n")?,
            Some(ImpasseRule::TwentySevenPoints) => f.write_str("impasse = \"27 points\"\n")?,
        }
        f.write_str("\n[pieces]\n")?;
        for kind in &self.kinds {
            writeln!(f, "{} = {{ {} }}", kind.letter, self.piece(kind))?;
        }
        self.write_drops(f)?;
        self.write_repetition(f)
    }
}

impl Definition {
    fn piece(&self, kind: &KindDefinition) -> String {
        let mut text = format!("front = {}", quoted(&kind.front.motion.in_words()));
        if let Some(back) = &kind.back {
            text += &format!(", back = {}", quoted(&back.motion.in_words()));
        }
        if kind.is_royal {
            text += ", royal = true";
        }
        text += &details(&kind.front, "");
        if let Some(back) = &kind.back {
            text += &details(back, "back_");
        }
        if let Some(letter) = kind.back_letter {
            text += &format!(", back_letter = \"{letter}\"");
        }
        if self.pieces_at_start(kind) != usize::from(kind.count) {
            text += &format!(", count = {}", kind.count);
        }
        text
    }

    /// How many pieces of a kind there are at the start.
    fn pieces_at_start(&self, kind: &KindDefinition) -> usize {
        let start = super::start::Start::parse(&self.start, &self.kinds);
        let index = self.kinds.iter().position(|other| other.letter == kind.letter);
        start.ok().zip(index).map_or(0, |(start, index)| start.count(index))
    }

    fn write_drops(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        if self.drop_face != DropFace::Front {
            let face = word(DropFace::WORDS, &DropFace::ALL, self.drop_face);
            text += &format!("face = {}\n", quoted(face));
        }
        match self.pawns_on_a_file {
            Some(1) => {}
            Some(most) => text += &format!("pawns_on_a_file = {most}\n"),
            None => text += "pawns_on_a_file = \"any\"\n",
        }
        if self.allows_pawn_mate {
            text += "pawn_mate = \"legal\"\n";
        }
        if self.allows_dead_drop {
            text += "dead_end = \"legal\"\n";
        }
        if !text.is_empty() {
            write!(f, "\n[drops]\n{text}")?;
        }
        if self.allows_dead_move {
            f.write_str("\n[moves]\ndead_end = \"legal\"\n")?;
        }
        Ok(())
    }

    fn write_repetition(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        if self.repetition_times != 4 {
            text += &format!("times = {}\n", self.repetition_times);
        }
        if self.repetition != Repeated::NoResult {
            let result = word(Repeated::WORDS, &Repeated::ALL, self.repetition);
            text += &format!("result = {}\n", quoted(result));
        }
        if !self.perpetual_check_loses {
            text += "perpetual_check = \"legal\"\n";
        }
        if text.is_empty() { Ok(()) } else { write!(f, "\n[repetition]\n{text}") }
    }
}

/// What is said of a face beside its movement.
fn details(face: &FaceDefinition, prefix: &str) -> String {
    let mut text = String::new();
    if let Some(name) = &face.name {
        text += &format!(", {prefix}name = {}", quoted(name));
    }
    if let Some(kanji) = &face.kanji {
        text += &format!(", {prefix}kanji = {}", quoted(kanji));
    }
    if let Some(value) = face.value {
        text += &format!(", {prefix}value = {value}");
    }
    text
}

/// The word for a value.
fn word<T: PartialEq>(words: &'static [&'static str], values: &[T], value: T) -> &'static str {
    let place = values.iter().position(|other| *other == value);
    place.and_then(|place| words.get(place)).copied().unwrap_or_default()
}

/// A text in quotes: no text of a definition has characters that need more than a backslash.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
