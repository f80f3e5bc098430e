//! From a document to a definition, key by key.

use alloc::collections::BTreeMap;
use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::ops::Range;

use shogi_core::{
    Dialect, Drops, Face, Kind, KindRules, KindSpec, MAX_KINDS, Movement, Promotion, Region, Role,
    TableSpec,
};

use super::definition::{
    DIALECT, DIALECTS, DROPPED, DROPS as DROP_FACES, Definition, FaceText, PROMOTIONS, REPEATED,
    RESULTS, WHEN, has_zone, is_royal,
};
use super::document::{Faults, Field, TomlTable};
use super::error::TextReason;
use super::movement;
use super::start::{Pieces, Start};
use crate::impasse::ImpasseRule;
use crate::repetition::RepetitionRule;
use crate::spec::{RuleSpec, Stalemate};

/// The keys of the document and of its tables; all others are refused.
const ROOT: &[&str] = &[
    "name",
    "title",
    "start",
    "dialect",
    "promotion",
    "pieces",
    "drops",
    "moves",
    "stalemate",
    "repetition",
    "impasse",
    "goal",
];
const PROMOTION: &[&str] = &["when", "zone"];
const DROPS: &[&str] = &["face", "pawns_on_a_file", "pawn_mate", "dead_end"];
const MOVES: &[&str] = &["dead_end", "into_check", "facing_kings", "captures"];
const REPETITION: &[&str] = &["times", "result", "perpetual_check"];
const PIECE: &[&str] = &[
    "front",
    "back",
    "captures",
    "back_captures",
    "region",
    "drop_region",
    "royal",
    "count",
    "name",
    "back_name",
    "kanji",
    "back_kanji",
    "front_letter",
    "back_letter",
    "value",
    "back_value",
    "drops",
];

/// The words for rules that are illegal in standard shogi and may be legal in a variant.
const LEGAL: &[&str] = &["illegal", "legal"];

/// The largest number of characters of names and titles.
const MAX_TITLE: usize = 60;
/// The largest value of a face, in hundredths of a pawn.
const MAX_VALUE: i64 = 20_000;

/// The places in the text of those parts of a definition that are checked against each other.
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

    /// The place of a key, or of another key if it is missing.
    pub(super) fn of(&self, key: &str, or: &str) -> (String, Range<usize>) {
        let found = self.spans.get_key_value(key).or_else(|| self.spans.get_key_value(or));
        found.map_or((key.to_string(), 0..0), |(key, span)| (key.clone(), span.clone()))
    }
}

/// A piece as a line defines it: its rules, separate letters for its front and its back, and the details of its
/// faces.
struct PieceText {
    spec: KindSpec,
    /// Whether the number of pieces is taken from the start position.
    counted: bool,
    letters: [Option<char>; 2],
    drops: Option<Drops>,
    faces: [FaceText; 2],
    captures: [Option<Movement>; 2],
    /// The squares on which it may stand, and those on which it may be dropped, as written.
    regions: [Option<RegionText>; 2],
}

/// A region as written: it is read once the size of the board is known.
struct RegionText {
    text: String,
    path: String,
    span: Range<usize>,
}

/// Reads a definition with all its keys.
pub(super) fn definition(
    faults: &mut Faults<'_>,
    root: &TomlTable<'_, '_>,
) -> Option<(Definition, Places)> {
    root.deny_others(faults, ROOT);
    let mut places = Places::default();
    for field in root.fields() {
        places.note(&field);
    }
    let name = required(faults, root, "name", "name = \"mygame\"", read_name);
    let title = optional(faults, root, "title", |field| field.words(MAX_TITLE).map(String::from));
    let pieces = pieces(faults, root, &mut places);
    let (promotion, zone) = promotion(faults, root, &mut places);
    let start = root.require(faults, "start", "start = \"1k1/1p1/1P1/1K1 b - 1\"");
    let (pieces, start) = (pieces?, start?);
    let (mut kinds, letters): (Vec<_>, _) =
        (pieces.iter().map(|piece| piece.spec).collect(), letters(&pieces));
    let parsed = start
        .text()
        .and_then(|text| Start::parse(text, Pieces { kinds: &kinds, letters: &letters }));
    let parsed = faults.keep(&start, parsed)?;
    for (index, piece) in pieces.iter().enumerate().filter(|(_, piece)| piece.counted) {
        kinds[index].count = if is_royal(&piece.spec) { 2 } else { parsed.count(index) as u8 };
    }
    let dialect = optional(faults, root, "dialect", |field| field.one_of(DIALECT, &DIALECTS));
    let table = TableSpec {
        promotion,
        zone: if has_zone(promotion) { zone } else { 0 },
        dialect: dialect.unwrap_or(Dialect::Lishogi),
        letters,
        extras: extras(faults, &pieces, &parsed),
        ..TableSpec::new(parsed.width as u8, parsed.height as u8, kinds)
    };
    let name = name?;
    let mut rules = RuleSpec {
        name: name.clone(),
        start: start.text().ok()?.split_whitespace().collect::<Vec<_>>().join(" "),
        table,
        repetition: RepetitionRule::SENNICHITE,
        stalemate: Stalemate::Loss,
        impasse: None,
    };
    drops(faults, root, &mut rules.table, &mut places, &pieces);
    moves(faults, root, &mut rules.table, &mut places);
    ends(faults, root, &mut rules);
    places.start = Some(parsed);
    let faces = pieces.into_iter().map(|piece| piece.faces).collect();
    Some((Definition { title: title.unwrap_or(name), rules, faces }, places))
}

/// The rules of single kinds besides their movements; empty if there are none.
fn extras(faults: &mut Faults<'_>, pieces: &[PieceText], start: &Start) -> Vec<KindRules> {
    let mut read = |region: &Option<RegionText>| {
        let RegionText { text, path, span } = region.as_ref()?;
        let reason = match Region::parse(text, start.width as u8, start.height as u8) {
            Ok(region) if region.word() != 0 => return Some(region),
            Ok(_) => TextReason::EmptyRegion,
            Err(found) => TextReason::NoSquare(found),
        };
        faults.add(span.clone(), path, reason);
        None
    };
    let rules = |piece: &PieceText| KindRules {
        captures: piece.captures,
        region: read(&piece.regions[0]),
        drop_region: read(&piece.regions[1]),
    };
    let extras: Vec<_> = pieces.iter().map(rules).collect();
    if extras.iter().all(KindRules::is_empty) { Vec::new() } else { extras }
}

/// The letters for single fronts or backs, besides those that name the pieces.
fn letters(pieces: &[PieceText]) -> Vec<(char, Face)> {
    let letters = pieces.iter().enumerate().flat_map(|(index, piece)| {
        let kind = Kind::new(index as u8);
        let faces = [Face::front(kind), Face::back(kind)];
        piece.letters.into_iter().zip(faces).filter_map(|(letter, face)| Some((letter?, face)))
    });
    letters.collect()
}

/// Reads the value of an optional key.
fn optional<T>(
    faults: &mut Faults<'_>,
    section: &TomlTable<'_, '_>,
    name: &str,
    read: impl FnOnce(&Field<'_, '_>) -> Result<T, TextReason>,
) -> Option<T> {
    let field = section.get(name)?;
    let read = read(&field);
    faults.keep(&field, read)
}

/// Reads the value of a required key.
fn required<T>(
    faults: &mut Faults<'_>,
    section: &TomlTable<'_, '_>,
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

fn promotion(
    faults: &mut Faults<'_>,
    root: &TomlTable<'_, '_>,
    places: &mut Places,
) -> (Promotion, u8) {
    let (mut when, mut zone) = (Promotion::Optional, 3);
    if let Some(section) = root.section(faults, "promotion", PROMOTION) {
        for field in section.fields() {
            places.note(&field);
        }
        let read = optional(faults, &section, "when", |field| field.one_of(WHEN, &PROMOTIONS));
        when = read.unwrap_or(when);
        let read = optional(faults, &section, "zone", |field| field.number(0, 15));
        zone = read.map_or(zone, |zone| zone as u8);
    }
    (when, zone)
}

fn drops(
    faults: &mut Faults<'_>,
    root: &TomlTable<'_, '_>,
    table: &mut TableSpec,
    places: &mut Places,
    pieces: &[PieceText],
) {
    let mut face = Drops::Front;
    if let Some(section) = root.section(faults, "drops", DROPS) {
        for field in section.fields() {
            places.note(&field);
        }
        let read = optional(faults, &section, "face", |field| field.one_of(DROPPED, &DROP_FACES));
        face = read.unwrap_or(face);
        let limit = optional(faults, &section, "pawns_on_a_file", |field| match field.is_text() {
            true => field.one_of(&["any"], &[None]),
            false => field.number(1, 15).map(|limit| Some(limit as u8)),
        });
        table.pawns_on_a_file = limit.unwrap_or(table.pawns_on_a_file);
        table.allows_drop_pawn_mate =
            optional(faults, &section, "pawn_mate", legal).unwrap_or_default();
        table.allows_immobile_drops =
            optional(faults, &section, "dead_end", legal).unwrap_or_default();
    }
    for (kind, piece) in table.kinds.iter_mut().zip(pieces) {
        if kind.back.is_some() {
            kind.drops = piece.drops.unwrap_or(face);
        }
    }
}

/// Reads where pieces may move, and the goal of the royal piece.
fn moves(
    faults: &mut Faults<'_>,
    root: &TomlTable<'_, '_>,
    table: &mut TableSpec,
    places: &mut Places,
) {
    let mut into_check = false;
    if let Some(section) = root.section(faults, "moves", MOVES) {
        for field in section.fields() {
            places.note(&field);
        }
        table.allows_immobile = optional(faults, &section, "dead_end", legal).unwrap_or_default();
        into_check = optional(faults, &section, "into_check", legal).unwrap_or_default();
        let facing = optional(faults, &section, "facing_kings", legal).unwrap_or(true);
        table.forbids_facing_kings = !facing;
        if let Some(field) = section.get("facing_kings").filter(|_| into_check && !facing) {
            faults.add(field.span.clone(), &field.path, TextReason::FacingKings);
        }
        let forced = optional(faults, &section, "captures", |field| {
            field.one_of(&["optional", "forced"], &[false, true])
        });
        table.must_capture = forced.unwrap_or_default();
    }
    let goal = optional(faults, root, "goal", |field| field.number(0, 15));
    let goal = goal.unwrap_or_default() as u8;
    (table.goal, table.safe_goal) = if into_check { (Some(goal), 0) } else { (None, goal) };
}

/// Reads whether a move that is illegal in standard shogi is legal.
fn legal(field: &Field<'_, '_>) -> Result<bool, TextReason> {
    field.one_of(LEGAL, &[false, true])
}

/// Reads how the game ends.
fn ends(faults: &mut Faults<'_>, root: &TomlTable<'_, '_>, rules: &mut RuleSpec) {
    let results = [Stalemate::Loss, Stalemate::Draw];
    let stalemate =
        optional(faults, root, "stalemate", |field| field.one_of(&["loss", "draw"], &results));
    rules.stalemate = stalemate.unwrap_or(rules.stalemate);
    let impasse = optional(faults, root, "impasse", |field| {
        let known =
            [None, Some(ImpasseRule::TwentyFourPoints), Some(ImpasseRule::TwentySevenPoints)];
        field.one_of(&["none", "24 points", "27 points"], &known)
    });
    rules.impasse = impasse.flatten();
    let Some(section) = root.section(faults, "repetition", REPETITION) else { return };
    let repetition = &mut rules.repetition;
    let times = optional(faults, &section, "times", |field| field.number(2, 100));
    repetition.count = times.map_or(repetition.count, |times| times as u32);
    let result = optional(faults, &section, "result", |field| field.one_of(REPEATED, &RESULTS));
    repetition.result = result.unwrap_or(repetition.result);
    let perpetual = optional(faults, &section, "perpetual_check", |field| {
        field.one_of(&["loses", "legal"], &[true, false])
    });
    repetition.perpetual_check = perpetual.unwrap_or(repetition.perpetual_check);
}

fn pieces(
    faults: &mut Faults<'_>,
    root: &TomlTable<'_, '_>,
    places: &mut Places,
) -> Option<Vec<PieceText>> {
    let such_as = "[pieces] and a line for each, such as K = { front = \"king\", royal = true }";
    let field = root.require(faults, "pieces", such_as)?;
    let read = field.section();
    let section = faults.keep(&field, read)?;
    let mut pieces: Vec<PieceText> = Vec::new();
    let mut complete = true;
    for field in section.fields() {
        places.note(&field);
        if pieces.len() == MAX_KINDS {
            let reason = TextReason::TooManyKinds { most: MAX_KINDS };
            faults.add(field.span.clone(), &field.path, reason);
            return None;
        }
        match piece(faults, &field, &pieces) {
            Some(piece) => pieces.push(piece),
            None => complete = false,
        }
    }
    let found = pieces.iter().filter(|piece| is_royal(&piece.spec)).count();
    if found != 1 && complete {
        faults.add(section.span.clone(), &section.path, TextReason::Royals { found });
        return None;
    }
    complete.then_some(pieces)
}

/// Reads a letter that no earlier piece has.
fn letter(text: &str, before: &[PieceText]) -> Result<char, TextReason> {
    let mut chars = text.chars();
    let letter = match (chars.next(), chars.next()) {
        (Some(letter @ 'A'..='Z'), None) => letter,
        _ => return Err(TextReason::Letter),
    };
    let taken =
        |piece: &PieceText| piece.spec.letter == letter || piece.letters.contains(&Some(letter));
    if before.iter().any(taken) { Err(TextReason::LetterTaken(letter)) } else { Ok(letter) }
}

fn piece(
    faults: &mut Faults<'_>,
    field: &Field<'_, '_>,
    before: &[PieceText],
) -> Option<PieceText> {
    let read = letter(field.key, before);
    let name = faults.keep(field, read);
    let read = field.section();
    let section = faults.keep(field, read)?;
    section.deny_others(faults, PIECE);
    if section.get("front").is_none() {
        let reason = TextReason::Missing("front = \"gold\", or another movement");
        faults.add(field.span.clone(), &field.path, reason);
    }
    let front = movement(faults, &section, "front");
    let royal = optional(faults, &section, "royal", |field| field.truth()).unwrap_or_default();
    let letters = letters_of_faces(faults, &section, before, name);
    let count = optional(faults, &section, "count", |field| field.number(1, 128));
    let back = match section.get("back") {
        Some(back) if royal => {
            faults.add(back.span.clone(), &back.path, TextReason::RoyalBack);
            None
        }
        Some(_) => movement(faults, &section, "back"),
        None => {
            deny_keys_of_back(faults, &section);
            None
        }
    };
    let faces = [
        face(faults, &section, ["name", "kanji", "value"]),
        face(faults, &section, ["back_name", "back_kanji", "back_value"]),
    ];
    deny_taken_kanji(faults, &section, before, &faces);
    let drops = optional(faults, &section, "drops", |field| field.one_of(DROPPED, &DROP_FACES));
    let front = front?;
    let captures = ["captures", "back_captures"].map(|key| movement(faults, &section, key));
    // Captures that are stated although they are the moves add no rule.
    let captures =
        [captures[0].filter(|&own| own != front), captures[1].filter(|&own| Some(own) != back)];
    let regions = ["region", "drop_region"].map(|key| {
        let field = section.get(key)?;
        let text = field.text().map(String::from);
        let (path, span) = (field.path.clone(), field.span.clone());
        faults.keep(&field, text).map(|text| RegionText { text, path, span })
    });
    if let Some(field) = section.get("drop_region").filter(|_| royal) {
        faults.add(field.span.clone(), &field.path, TextReason::RoyalDrops);
    }
    let spec = KindSpec {
        role: match royal {
            true => Role::Royal,
            false if front == Movement::PAWN && captures[0].is_none() => Role::Pawn,
            false => Role::Ordinary,
        },
        ..KindSpec::new(name?, count.map_or(0, |count| count as u8), front, back)
    };
    Some(PieceText { spec, counted: count.is_none(), letters, drops, faces, captures, regions })
}

/// Reads the letters that faces have of their own, which no other piece has.
fn letters_of_faces(
    faults: &mut Faults<'_>,
    section: &TomlTable<'_, '_>,
    before: &[PieceText],
    name: Option<char>,
) -> [Option<char>; 2] {
    let mut letters = [None; 2];
    for (number, key) in ["front_letter", "back_letter"].into_iter().enumerate() {
        letters[number] = optional(faults, section, key, |field| {
            let found = letter(field.text()?, before)?;
            let taken = Some(found) == name || letters.contains(&Some(found));
            if taken { Err(TextReason::LetterTaken(found)) } else { Ok(found) }
        });
    }
    letters
}

/// Reports kanji that another face has.
fn deny_taken_kanji(
    faults: &mut Faults<'_>,
    section: &TomlTable<'_, '_>,
    before: &[PieceText],
    faces: &[FaceText; 2],
) {
    let mut known: Vec<&str> =
        before.iter().flat_map(|piece| &piece.faces).filter_map(kanji).collect();
    for (face, key) in faces.iter().zip(["kanji", "back_kanji"]) {
        if let (Some(word), Some(field)) = (kanji(face), section.get(key)) {
            if known.contains(&word) {
                let reason = TextReason::KanjiTaken(word.into());
                faults.add(field.span.clone(), &field.path, reason);
            }
            known.push(word);
        }
    }
}

fn kanji(face: &FaceText) -> Option<&str> {
    face.kanji.as_deref()
}

/// Reports keys of a back that a piece does not have; they would be lost.
fn deny_keys_of_back(faults: &mut Faults<'_>, section: &TomlTable<'_, '_>) {
    let such_as = "the back that it belongs to: back = \"gold\", or another movement";
    for key in ["back_name", "back_kanji", "back_value", "back_letter", "back_captures", "drops"] {
        if let Some(field) = section.get(key) {
            faults.add(field.span.clone(), &field.path, TextReason::Missing(such_as));
        }
    }
}

fn movement(faults: &mut Faults<'_>, section: &TomlTable<'_, '_>, key: &str) -> Option<Movement> {
    optional(faults, section, key, |field| movement::parse(field.text()?))
}

/// Reads the details of a face, by the keys for its name, its kanji and its value.
fn face(
    faults: &mut Faults<'_>,
    section: &TomlTable<'_, '_>,
    [name, kanji, value]: [&str; 3],
) -> FaceText {
    let value = optional(faults, section, value, |field| field.number(1, MAX_VALUE));
    FaceText {
        name: optional(faults, section, name, |field| field.words(MAX_TITLE).map(String::from)),
        kanji: optional(faults, section, kanji, |field| field.words(2).map(String::from)),
        value: value.map(|value| value as u32),
    }
}
