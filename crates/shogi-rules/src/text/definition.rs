//! A variant as defined by a text, checked.

use alloc::string::String;
use alloc::vec::Vec;

use shogi_core::{Dialect, Drops, Face, Geometry as _, KindSpec, Promotion, Role, TableSpec};

use super::error::TextError;
use super::{check, document, read};
use crate::repetition::RepetitionResult;
use crate::rules::Rules;
use crate::spec::RuleSpec;

/// A variant as defined by a text: its rules, checked and complete, and the names of its pieces.
///
/// ```
/// use shogi_rules::text::Definition;
/// let text = r#"
/// name = "pawngame"
/// start = "1k1/1p1/1P1/1K1 b - 1"
/// promotion.zone = 1
/// [pieces]
/// P = { front = "pawn", back = "gold" }
/// K = { front = "king", royal = true }
/// "#;
/// let definition = Definition::parse(text)?;
/// assert_eq!((definition.rules.table.width, definition.rules.table.height), (3, 4));
/// assert_eq!(Definition::parse(&definition.to_string())?, definition);
///
/// let error = Definition::parse(&text.replace("zone", "zonne")).unwrap_err();
/// assert_eq!(error.to_string(), "line 4, promotion.zonne: there is no such key; did you mean \"zone\"?");
/// # Ok::<(), shogi_rules::text::TextError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Definition {
    /// The name shown to people.
    pub title: String,
    /// The rules.
    pub rules: RuleSpec,
    /// The details of the faces, kind by kind: the front, and the back of pieces that have one.
    pub faces: Vec<[FaceText; 2]>,
}

/// The details of a face other than its movement.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct FaceText {
    /// Its name in English.
    pub name: Option<String>,
    /// The kanji on it, one or two.
    pub kanji: Option<String>,
    /// Its value in hundredths of a pawn.
    pub value: Option<u32>,
}

impl Definition {
    /// Reads the text of a variant.
    ///
    /// # Errors
    ///
    /// All faults, each with its line, its key and a correction.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        document::read(text, |faults, root| {
            let (definition, places) = read::definition(faults, root)?;
            check::check(&definition.rules, &places, faults);
            Some(definition)
        })
    }

    /// A compiled rule set as a definition.
    ///
    /// # Errors
    ///
    /// If the rule set ends games by its own code.
    ///
    /// ```
    /// use shogi_rules::text::Definition;
    /// use shogi_rules::{Dobutsu, Minishogi};
    /// let minishogi = Definition::of::<Minishogi>("Minishogi")?;
    /// assert_eq!(Definition::parse(&minishogi.to_string())?, minishogi);
    /// assert_eq!(Definition::of::<Dobutsu>("Dobutsu shogi")?.rules.table.goal, Some(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of<R: Rules>(title: &str) -> Result<Self, BeyondText> {
        if (R::CAN_BE_OVER || !R::ROYAL_SAFETY) && R::GOAL.is_none() {
            return Err(BeyondText);
        }
        let zone = if has_zone(R::PROMOTION) { R::ZONE } else { 0 };
        let table = TableSpec {
            promotion: R::PROMOTION,
            zone,
            pawns_on_a_file: if R::ALLOWS_NIFU { None } else { Some(R::PAWNS_ON_A_FILE) },
            allows_drop_pawn_mate: R::ALLOWS_DROP_PAWN_MATE,
            allows_immobile: R::ALLOWS_IMMOBILE,
            allows_immobile_drops: R::ALLOWS_IMMOBILE_DROPS,
            goal: if R::ROYAL_SAFETY { None } else { R::GOAL },
            dialect: R::DIALECT,
            letters: R::LISHOGI_LETTERS.to_vec(),
            ..TableSpec::new(
                R::Geometry::WIDTH,
                R::Geometry::HEIGHT,
                kinds(R::KINDS, R::DROP_EITHER_FACE),
            )
        };
        let rules = RuleSpec {
            name: R::NAME.into(),
            start: R::START.into(),
            table,
            repetition: R::REPETITION,
            stalemate: R::STALEMATE,
            impasse: R::IMPASSE,
        };
        let faces = alloc::vec![Default::default(); R::KINDS.len()];
        Ok(Self { title: title.into(), rules, faces })
    }

    /// The details of a face; empty for a face that no piece has.
    ///
    /// ```
    /// use shogi_rules::shogi_core::{Face, Kind};
    /// use shogi_rules::text::{BUILT_IN, Definition};
    /// let tori = Definition::parse(BUILT_IN[4].text).unwrap();
    /// assert_eq!(tori.face(Face::back(Kind::new(0))).name.as_deref(), Some("goose"));
    /// ```
    pub fn face(&self, face: Face) -> &FaceText {
        const NOTHING: &FaceText = &FaceText { name: None, kanji: None, value: None };
        let kind = self.faces.get(face.kind.index());
        kind.map_or(NOTHING, |faces| &faces[usize::from(face.promoted)])
    }
}

/// The kinds of a rule table, each with its own rule on the faces of drops.
fn kinds(kinds: &[KindSpec], either_face_is_dropped: bool) -> Vec<KindSpec> {
    let dropped = |kind: &KindSpec| match kind.back {
        Some(_) if either_face_is_dropped => kind.dropping_either(),
        _ => *kind,
    };
    kinds.iter().map(dropped).collect()
}

/// The error for a compiled rule set that no text can define: it ends games by its own code, not by a
/// [`GOAL`](shogi_core::RuleTable::GOAL).
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a text cannot say by what code of its own the rule set ends games")]
#[non_exhaustive]
pub struct BeyondText;

/// The words for the moves at which pieces turn over.
pub(super) const WHEN: &[&str] = &["optional", "forced", "every move", "capture", "never"];
/// Their meanings.
pub(super) const PROMOTIONS: [Promotion; 5] = [
    Promotion::Optional,
    Promotion::Forced,
    Promotion::EveryMove,
    Promotion::OnCapture,
    Promotion::Never,
];

/// The words for the dialect of letters written by default.
pub(super) const DIALECT: &[&str] = &["lishogi", "fairy"];
/// Their meanings.
pub(super) const DIALECTS: [Dialect; 2] = [Dialect::Lishogi, Dialect::Fairy];

/// The words for the face shown after a drop.
pub(super) const DROPPED: &[&str] = &["front", "either", "back"];
/// Their meanings.
pub(super) const DROPS: [Drops; 3] = [Drops::Front, Drops::Either, Drops::Back];

/// The words for the result of a game in which a position has occurred too often.
pub(super) const REPEATED: &[&str] =
    &["no result", "draw", "sente wins", "gote wins", "repeater loses"];
/// Their meanings.
pub(super) const RESULTS: [RepetitionResult; 5] = [
    RepetitionResult::NoResult,
    RepetitionResult::Draw,
    RepetitionResult::Win(shogi_core::Colour::Sente),
    RepetitionResult::Win(shogi_core::Colour::Gote),
    RepetitionResult::RepeaterLoses,
];

/// Whether the promotion zone decides when pieces turn over.
pub(super) const fn has_zone(promotion: Promotion) -> bool {
    matches!(promotion, Promotion::Optional | Promotion::Forced)
}

/// Whether a kind is royal.
pub(super) fn is_royal(kind: &KindSpec) -> bool {
    kind.role == Role::Royal
}
