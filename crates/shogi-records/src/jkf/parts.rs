//! The objects of JKF that are both read and written.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::names::Vocabulary;
use shogi_core::plain::{AnyPlacement, AnySquare};
use shogi_core::sfen;

/// The names of starts in JKF and in KIF.
pub(super) const PRESETS: [(&str, &str); 16] = [
    ("HIRATE", "平手"),
    ("KY", "香落ち"),
    ("KY_R", "右香落ち"),
    ("KA", "角落ち"),
    ("HI", "飛車落ち"),
    ("HIKY", "飛香落ち"),
    ("2", "二枚落ち"),
    ("3", "三枚落ち"),
    ("4", "四枚落ち"),
    ("5", "五枚落ち"),
    ("5_L", "左五枚落ち"),
    ("6", "六枚落ち"),
    ("7_L", "左七枚落ち"),
    ("7_R", "右七枚落ち"),
    ("8", "八枚落ち"),
    ("10", "十枚落ち"),
];
/// The preset for a start that is given by its board.
pub(super) const OTHER: &str = "OTHER";

/// The start with a name.
pub(super) fn preset(name: &str, vocabulary: &Vocabulary) -> Option<AnyPlacement> {
    let (_, kif) = PRESETS.iter().find(|(preset, _)| *preset == name)?;
    let handicap = vocabulary.handicaps.iter().find(|(known, _)| known == kif);
    let own = || (name == PRESETS[0].0).then_some(vocabulary.start);
    let sfen = handicap.map(|&(_, sfen)| sfen).or_else(own)?;
    Some(sfen::read(sfen, vocabulary.notation).ok()?.0)
}

/// Whether a comment begins with `&`, perhaps after spaces: an additional space distinguishes it from a
/// bookmark.
pub(super) fn begins_as_bookmark(comment: &str) -> bool {
    comment.trim_start_matches(' ').starts_with('&')
}

/// Reads the entries of an object in order.
struct InOrder<T> {
    expected: &'static str,
    values: PhantomData<T>,
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for InOrder<T> {
    type Value = Vec<(String, T)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(entries)
    }
}

/// Names and values in order.
#[derive(Default)]
pub(super) struct Headers(pub(super) Vec<(String, String)>);

impl<'de> Deserialize<'de> for Headers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let entries = InOrder { expected: "an object with texts", values: PhantomData };
        deserializer.deserialize_map(entries).map(Self)
    }
}

impl Serialize for Headers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

#[derive(Serialize, Deserialize)]
pub(super) struct Initial {
    pub(super) preset: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) data: Option<JkfPosition>,
}

/// A position; the board is a list of files from the right, each a list of squares from the top.
#[derive(Serialize, Deserialize)]
pub(super) struct JkfPosition {
    pub(super) color: u8,
    pub(super) board: Vec<Vec<Square>>,
    pub(super) hands: Vec<HandCounts>,
}

#[derive(Serialize, Deserialize, Default)]
pub(super) struct Square {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) color: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<String>,
}

/// The number of pieces of each kind.
#[derive(Default)]
pub(super) struct HandCounts(pub(super) Vec<(String, u8)>);

impl<'de> Deserialize<'de> for HandCounts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let entries = InOrder { expected: "an object with numbers of pieces", values: PhantomData };
        deserializer.deserialize_map(entries).map(Self)
    }
}

impl Serialize for HandCounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(kind, count)| (kind, count)))
    }
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq)]
pub(super) struct Coordinates {
    pub(super) x: u8,
    pub(super) y: u8,
}

impl Coordinates {
    pub(super) const fn of(square: AnySquare) -> Self {
        Self { x: square.file, y: square.rank + 1 }
    }

    /// The square, if it is on the board.
    pub(super) fn square(self, vocabulary: &Vocabulary) -> Option<AnySquare> {
        let on_board = (1..=vocabulary.notation.width).contains(&self.x)
            && (1..=vocabulary.notation.height).contains(&self.y);
        on_board.then(|| AnySquare { file: self.x, rank: self.y - 1 })
    }
}

#[derive(Serialize, Deserialize)]
pub(super) struct Time {
    pub(super) now: Clock,
    #[serde(default)]
    pub(super) total: Clock,
}

#[derive(Serialize, Deserialize, Default, Clone, Copy)]
pub(super) struct Clock {
    #[serde(default)]
    pub(super) h: u32,
    #[serde(default)]
    pub(super) m: u32,
    #[serde(default)]
    pub(super) s: u32,
}

impl Clock {
    pub(super) fn seconds(self) -> Option<u32> {
        let minutes = self.h.checked_mul(60)?.checked_add(self.m)?;
        minutes.checked_mul(60)?.checked_add(self.s)
    }
}
