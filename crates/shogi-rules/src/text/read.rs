//! From a document to a definition, key by key.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::ops::Range;

use super::definition::{
    Definition, DropFace, FaceDefinition, KindDefinition, MAX_KINDS, Repeated, When,
};
use super::document::{Faults, Field, Section};
use super::error::TextReason;
use super::motion::Motion;
use super::start::Start;
use crate::impasse::ImpasseRule;

const ROOT: &[&str] = &[
    "name",
    "title",
    "start",
    "promotion",
    "pieces",
    "drops",
    "moves",
    "stalemate",
    "repetition",
    "impasse",
];
const PROMOTION: &[&str] = &["when", "zone"];
const DROPS: &[&str] = &["face", "pawns_on_a_file", "pawn_mate", "dead_end"];
const MOVES: &[&str] = &["dead_end"];
const REPETITION: &[&str] = &["times", "result", "perpetual_check"];
const PIECE: &[&str] = &[
    "front",
    "back",
    "royal",
    "count",
    "name",
    "back_name",
    "kanji",
    "back_kanji",
    "back_letter",
    "value",
    "back_value",
];

/// What is illegal in standard shogi and may be legal in a variant.
const LEGAL: &[&str] = &["illegal", "legal"];

/// Most characters of names and titles.
const MAX_TITLE: usize = 60;
/// Most that a face can be worth, in hundredths of a pawn.
const MAX_VALUE: i64 = 20_000;

/// Where in the text the parts of a definition stand that are checked against each other.
#[derive(Default)]
pub(super) struct Places {
    spans: BTreeMap<String, Range<usize>>,
    /// The start position, as read.
    pub(super) start: Option<Start>,
}

impl Places {
    fn note(&mut self, field: &Field<'_, '_>) {
        self.spans.insert(field.path.clone(), field.span.clone());
    }

    /// Where a key stands; the other key's place where it is not there.
    pub(super) fn of(&self, key: &str, or: &str) -> (String, Range<usize>) {
        let found = self.spans.get_key_value(key).or_else(|| self.spans.get_key_value(or));
        found.map_or((key.to_string(), 0..0), |(key, span)| (key.clone(), span.clone()))
    }
}

/// Reads a definition, all keys that there are.
pub(super) fn definition(
    faults: &mut Faults<'_>,
    root: &Section<'_, '_>,
) -> Option<(Definition, Places)> {
    root.deny_others(faults, ROOT);
    let mut places = Places::default();
    for field in root.fields() {
        places.note(&field);
    }
    let name = required(faults, root, "name", "name = \"mygame\"", read_name);
    let title = optional(faults, root, "title", |field| field.words(MAX_TITLE).map(String::from));
    let kinds = pieces(faults, root, &mut places);
    let (promotion, zone) = promotion(faults, root, &mut places);
    let start = root.require(faults, "start", "start = \"1k1/1p1/1P1/1K1 b - 1\"");
    let (kinds, start) = (kinds?, start?);
    let parsed = start.text().and_then(|text| Start::parse(text, &kinds));
    let parsed = faults.keep(&start, parsed)?;
    let name = name?;
    let mut definition = Definition {
        title: title.unwrap_or_else(|| name.clone()),
        name,
        width: parsed.width as u8,
        height: parsed.height as u8,
        kinds,
        start: start.text().ok()?.split_whitespace().collect::<Vec<_>>().join(" "),
        promotion,
        zone: if promotion.has_zone() { zone } else { 0 },
        drop_face: DropFace::Front,
        pawns_on_a_file: Some(1),
        allows_pawn_mate: false,
        allows_dead_drop: false,
        allows_dead_move: false,
        stalemate_draws: false,
        repetition_times: 4,
        repetition: Repeated::NoResult,
        perpetual_check_loses: true,
        impasse: None,
    };
    drops(faults, root, &mut definition, &mut places);
    ends(faults, root, &mut definition);
    counts(&mut definition, &parsed);
    places.start = Some(parsed);
    Some((definition, places))
}

/// Reads the value of a key that may be missing.
fn optional<T>(
    faults: &mut Faults<'_>,
    section: &Section<'_, '_>,
    name: &str,
    read: impl FnOnce(&Field<'_, '_>) -> Result<T, TextReason>,
) -> Option<T> {
    let field = section.get(name)?;
    let read = read(&field);
    faults.keep(&field, read)
}

/// Reads the value of a key that must be there.
fn required<T>(
    faults: &mut Faults<'_>,
    section: &Section<'_, '_>,
    name: &str,
    such_as: &'static str,
    read: impl FnOnce(&Field<'_, '_>) -> Result<T, TextReason>,
) -> Option<T> {
    let field = section.require(faults, name, such_as)?;
    let read = read(&field);
    faults.keep(&field, read)
}

fn read_name(field: &Field<'_, '_>) -> Result<String, TextReason> {
    let name = field.text()?;
    let fits = (1..=32).contains(&name.len())
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-_".contains(&b));
    if fits { Ok(name.into()) } else { Err(TextReason::Name) }
}

fn promotion(faults: &mut Faults<'_>, root: &Section<'_, '_>, places: &mut Places) -> (When, u8) {
    let (mut when, mut zone) = (When::Optional, 3);
    if let Some(section) = root.section(faults, "promotion", PROMOTION) {
        for field in section.fields() {
            places.note(&field);
        }
        let read =
            optional(faults, &section, "when", |field| field.one_of(When::WORDS, &When::ALL));
        when = read.unwrap_or(when);
        let read = optional(faults, &section, "zone", |field| field.number(0, 15));
        zone = read.map_or(zone, |zone| zone as u8);
    }
    (when, zone)
}

fn drops(
    faults: &mut Faults<'_>,
    root: &Section<'_, '_>,
    definition: &mut Definition,
    places: &mut Places,
) {
    let legal = |field: &Field<'_, '_>| field.one_of(LEGAL, &[false, true]);
    if let Some(section) = root.section(faults, "drops", DROPS) {
        for field in section.fields() {
            places.note(&field);
        }
        let face = optional(faults, &section, "face", |field| {
            field.one_of(DropFace::WORDS, &DropFace::ALL)
        });
        definition.drop_face = face.unwrap_or(definition.drop_face);
        let limit = optional(faults, &section, "pawns_on_a_file", |field| match field.is_text() {
            true => field.one_of(&["any"], &[None]),
            false => field.number(1, 15).map(|limit| Some(limit as u8)),
        });
        definition.pawns_on_a_file = limit.unwrap_or(definition.pawns_on_a_file);
        definition.allows_pawn_mate =
            optional(faults, &section, "pawn_mate", legal).unwrap_or_default();
        definition.allows_dead_drop =
            optional(faults, &section, "dead_end", legal).unwrap_or_default();
    }
    if let Some(section) = root.section(faults, "moves", MOVES) {
        definition.allows_dead_move =
            optional(faults, &section, "dead_end", legal).unwrap_or_default();
    }
}

/// How the game ends.
fn ends(faults: &mut Faults<'_>, root: &Section<'_, '_>, definition: &mut Definition) {
    let stalemate = optional(faults, root, "stalemate", |field| {
        field.one_of(&["loss", "draw"], &[false, true])
    });
    definition.stalemate_draws = stalemate.unwrap_or_default();
    let impasse = optional(faults, root, "impasse", |field| {
        let rules =
            [None, Some(ImpasseRule::TwentyFourPoints), Some(ImpasseRule::TwentySevenPoints)];
        field.one_of(&["none", "24 points", "27 points"], &rules)
    });
    definition.impasse = impasse.flatten();
    let Some(section) = root.section(faults, "repetition", REPETITION) else { return };
    let times = optional(faults, &section, "times", |field| field.number(2, 100));
    definition.repetition_times = times.map_or(definition.repetition_times, |times| times as u8);
    let result =
        optional(faults, &section, "result", |field| field.one_of(Repeated::WORDS, &Repeated::ALL));
    definition.repetition = result.unwrap_or(definition.repetition);
    let perpetual = optional(faults, &section, "perpetual_check", |field| {
        field.one_of(&["loses", "legal"], &[true, false])
    });
    definition.perpetual_check_loses = perpetual.unwrap_or(true);
}

/// Without a number of its own, a kind has as many pieces as the start.
fn counts(definition: &mut Definition, start: &Start) {
    for (index, kind) in definition.kinds.iter_mut().enumerate() {
        if kind.count == 0 {
            kind.count = start.count(index) as u8;
        }
    }
}

fn pieces(
    faults: &mut Faults<'_>,
    root: &Section<'_, '_>,
    places: &mut Places,
) -> Option<Vec<KindDefinition>> {
    let field = root.require(
        faults,
        "pieces",
        "[pieces] and a line for each, such as K = { front = \"king\", royal = true }",
    )?;
    let read = field.section();
    let section = faults.keep(&field, read)?;
    let mut kinds: Vec<KindDefinition> = Vec::new();
    let mut complete = true;
    for field in section.fields() {
        places.note(&field);
        if kinds.len() == MAX_KINDS {
            faults.add(
                field.span.clone(),
                &field.path,
                TextReason::TooManyKinds { most: MAX_KINDS },
            );
            return None;
        }
        match piece(faults, &field, &kinds) {
            Some(kind) => kinds.push(kind),
            None => complete = false,
        }
    }
    let royal: Vec<_> = kinds.iter().filter(|kind| kind.is_royal).collect();
    if royal.len() != 1 && complete {
        let reason = TextReason::Royals { found: royal.len() };
        faults.add(section.span.clone(), &section.path, reason);
        return None;
    }
    complete.then_some(kinds)
}

/// Reads a letter that no piece before has.
fn letter(text: &str, before: &[KindDefinition]) -> Result<char, TextReason> {
    let mut chars = text.chars();
    let letter = match (chars.next(), chars.next()) {
        (Some(letter @ 'A'..='Z'), None) => letter,
        _ => return Err(TextReason::Letter),
    };
    let taken = |kind: &KindDefinition| kind.letter == letter || kind.back_letter == Some(letter);
    if before.iter().any(taken) { Err(TextReason::LetterTaken(letter)) } else { Ok(letter) }
}

fn piece(
    faults: &mut Faults<'_>,
    field: &Field<'_, '_>,
    before: &[KindDefinition],
) -> Option<KindDefinition> {
    let read = letter(field.key, before);
    let name = faults.keep(field, read);
    let read = field.section();
    let section = faults.keep(field, read)?;
    section.deny_others(faults, PIECE);
    let front = face(faults, &section, "front", "name", "kanji", "value");
    if front.is_none() && section.get("front").is_none() {
        faults.add(
            field.span.clone(),
            &field.path,
            TextReason::Missing("front = \"gold\", or another movement"),
        );
    }
    let back = face(faults, &section, "back", "back_name", "back_kanji", "back_value");
    let royal = optional(faults, &section, "royal", |field| field.truth()).unwrap_or_default();
    if let Some(back) = section.get("back").filter(|_| royal) {
        faults.add(back.span.clone(), &back.path, TextReason::RoyalBack);
    }
    let back_letter = optional(faults, &section, "back_letter", |field| {
        let found = letter(field.text()?, before)?;
        if Some(found) == name { Err(TextReason::LetterTaken(found)) } else { Ok(found) }
    });
    let count = optional(faults, &section, "count", |field| field.number(1, 128));
    let count = count.map_or(0, |count| count as u8);
    Some(KindDefinition { letter: name?, back_letter, count, is_royal: royal, front: front?, back })
}

/// Reads a face, by the keys that it has.
fn face(
    faults: &mut Faults<'_>,
    section: &Section<'_, '_>,
    key: &str,
    name_key: &str,
    kanji_key: &str,
    value_key: &str,
) -> Option<FaceDefinition> {
    let name =
        optional(faults, section, name_key, |field| field.words(MAX_TITLE).map(String::from));
    let kanji = optional(faults, section, kanji_key, |field| field.words(2).map(String::from));
    let value = optional(faults, section, value_key, |field| field.number(1, MAX_VALUE));
    if section.get(key).is_none() {
        // What is said of a face that is not there would be lost.
        for orphan in
            [name_key, kanji_key, value_key].into_iter().filter_map(|key| section.get(key))
        {
            let reason = TextReason::Missing(
                "the face that it belongs to: back = \"gold\", or another movement",
            );
            if key == "back" {
                faults.add(orphan.span.clone(), &orphan.path, reason);
            }
        }
    }
    let motion = optional(faults, section, key, |field| Motion::parse(field.text()?))?;
    Some(FaceDefinition { motion, name, kanji, value: value.map(|value| value as u32) })
}
