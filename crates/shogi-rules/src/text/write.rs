//! Writing a definition as a text, as a person would.

use alloc::format;
use alloc::string::String;
use core::fmt;

use shogi_core::{Dialect, Drops, Kind, KindSpec, Promotion, TableSpec};

use super::definition::{
    DIALECT, DIALECTS, DROPPED, DROPS, Definition, FaceText, PROMOTIONS, REPEATED, RESULTS, WHEN,
    has_zone, is_royal,
};
use super::movement::in_words;
use super::start::{Pieces, Start};
use crate::impasse::ImpasseRule;
use crate::repetition::RepetitionResult;
use crate::spec::Stalemate;

impl fmt::Display for Definition {
    /// Writes the text that [`Definition::parse`] reads back. Rules of standard shogi are left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { title, rules, .. } = self;
        writeln!(f, "name = {}", quoted(&rules.name))?;
        if *title != rules.name {
            writeln!(f, "title = {}", quoted(title))?;
        }
        writeln!(f, "start = {}", quoted(&rules.start))?;
        let table = &rules.table;
        if table.dialect != Dialect::Lishogi {
            writeln!(f, "dialect = {}", quoted(word(DIALECT, &DIALECTS, table.dialect)))?;
        }
        if table.promotion != Promotion::Optional {
            let when = word(WHEN, &PROMOTIONS, table.promotion);
            writeln!(f, "promotion.when = {}", quoted(when))?;
        }
        if has_zone(table.promotion) && table.zone != 3 {
            writeln!(f, "promotion.zone = {}", table.zone)?;
        }
        if rules.stalemate == Stalemate::Draw {
            f.write_str("stalemate = \"draw\"\n")?;
        }
        match rules.impasse {
            None => {}
            Some(ImpasseRule::TwentyFourPoints) => f.write_str("impasse = \"24 points\"\n")?,
            Some(ImpasseRule::TwentySevenPoints) => f.write_str("impasse = \"27 points\"\n")?,
        }
        let goal = table.goal.unwrap_or(table.safe_goal);
        if let ranks @ 1.. = goal {
            writeln!(f, "goal = {ranks}")?;
        }
        f.write_str("\n[pieces]\n")?;
        let drops = common_drops(table);
        for (index, kind) in table.kinds.iter().enumerate() {
            writeln!(f, "{} = {{ {} }}", kind.letter, self.piece(index, kind, drops))?;
        }
        write_drops(table, drops, f)?;
        write_moves(table, f)?;
        self.write_repetition(f)
    }
}

/// The face with which most pieces with a back are dropped.
fn common_drops(table: &TableSpec) -> Drops {
    let with_back = |drops| {
        let dropped = |kind: &&KindSpec| kind.back.is_some() && kind.drops == drops;
        table.kinds.iter().filter(dropped).count()
    };
    // Where two are equally frequent, the front comes first.
    let mut common = Drops::Front;
    for drops in DROPS {
        if with_back(drops) > with_back(common) {
            common = drops;
        }
    }
    common
}

impl Definition {
    fn piece(&self, index: usize, kind: &KindSpec, drops: Drops) -> String {
        let table = &self.rules.table;
        let mut text = format!("front = {}", quoted(&in_words(kind.front)));
        if let Some(back) = kind.back {
            text += &format!(", back = {}", quoted(&in_words(back)));
        }
        let extra = table.extra(Kind::new(index as u8));
        for (key, captures) in ["captures", "back_captures"].into_iter().zip(extra.captures) {
            if let Some(captures) = captures {
                text += &format!(", {key} = {}", quoted(&in_words(captures)));
            }
        }
        for (key, region) in [("region", extra.region), ("drop_region", extra.drop_region)] {
            if let Some(region) = region {
                text +=
                    &format!(", {key} = {}", quoted(&region.to_text(table.width, table.height)));
            }
        }
        if is_royal(kind) {
            text += ", royal = true";
        }
        if let Some([front, back]) = self.faces.get(index) {
            text += &details(front, "");
            text += &details(back, "back_");
        }
        for &(letter, face) in table.letters.iter().filter(|(_, face)| face.kind.index() == index) {
            let key = if face.promoted { "back_letter" } else { "front_letter" };
            text += &format!(", {key} = \"{letter}\"");
        }
        if kind.back.is_some() && kind.drops != drops {
            text += &format!(", drops = {}", quoted(word(DROPPED, &DROPS, kind.drops)));
        }
        if !is_royal(kind) && self.pieces_at_start(index) != usize::from(kind.count) {
            text += &format!(", count = {}", kind.count);
        }
        text
    }

    /// The number of pieces of a kind at the start.
    fn pieces_at_start(&self, index: usize) -> usize {
        let table = &self.rules.table;
        let pieces = Pieces { kinds: &table.kinds, letters: &table.letters };
        Start::parse(&self.rules.start, pieces).map_or(0, |start| start.count(index))
    }

    fn write_repetition(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let repetition = self.rules.repetition;
        let mut text = String::new();
        if repetition.count != 4 {
            text += &format!("times = {}\n", repetition.count);
        }
        if repetition.result != RepetitionResult::NoResult {
            text += &format!("result = {}\n", quoted(word(REPEATED, &RESULTS, repetition.result)));
        }
        if !repetition.perpetual_check {
            text += "perpetual_check = \"legal\"\n";
        }
        if text.is_empty() { Ok(()) } else { write!(f, "\n[repetition]\n{text}") }
    }
}

fn write_drops(table: &TableSpec, drops: Drops, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut text = String::new();
    if drops != Drops::Front {
        text += &format!("face = {}\n", quoted(word(DROPPED, &DROPS, drops)));
    }
    match table.pawns_on_a_file {
        Some(1) => {}
        Some(most) => text += &format!("pawns_on_a_file = {most}\n"),
        None => text += "pawns_on_a_file = \"any\"\n",
    }
    if table.allows_drop_pawn_mate {
        text += "pawn_mate = \"legal\"\n";
    }
    if table.allows_immobile_drops {
        text += "dead_end = \"legal\"\n";
    }
    if !text.is_empty() {
        write!(f, "\n[drops]\n{text}")?;
    }
    Ok(())
}

fn write_moves(table: &TableSpec, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut text = String::new();
    if table.allows_immobile {
        text += "dead_end = \"legal\"\n";
    }
    if table.goal.is_some() {
        text += "into_check = \"legal\"\n";
    }
    if table.forbids_facing_kings {
        text += "facing_kings = \"illegal\"\n";
    }
    if table.must_capture {
        text += "captures = \"forced\"\n";
    }
    if text.is_empty() { Ok(()) } else { write!(f, "\n[moves]\n{text}") }
}

/// The details of a face in words.
fn details(face: &FaceText, prefix: &str) -> String {
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

/// A text in quotes: the texts of a definition need no escapes other than backslashes.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
