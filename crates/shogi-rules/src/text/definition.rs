//! A variant as its text says it, checked.

use alloc::string::String;
use alloc::vec::Vec;

use shogi_core::Colour;

use super::error::TextError;
use super::motion::Motion;
use super::{check, document, read};
use crate::impasse::ImpasseRule;

/// Most kinds of pieces.
pub(super) const MAX_KINDS: usize = shogi_core::MAX_KINDS;

/// A variant as its text says it: everything that a rule set consists of, checked and complete.
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
/// assert_eq!((definition.width, definition.height), (3, 4));
/// assert_eq!(Definition::parse(&definition.to_string())?, definition);
///
/// let error = Definition::parse(&text.replace("zone", "zonne")).unwrap_err();
/// assert_eq!(error.to_string(), "line 4, promotion.zonne: there is no such key; did you mean \"zone\"?");
/// # Ok::<(), shogi_rules::text::TextError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Definition {
    /// The name that scripts use: small letters, digits, `-` and `_`.
    pub name: String,
    /// The name for people.
    pub title: String,
    /// The number of files.
    pub width: u8,
    /// The number of ranks.
    pub height: u8,
    /// The kinds of pieces, in the order in which SFEN lists hands from the end.
    pub kinds: Vec<KindDefinition>,
    /// The start position in SFEN.
    pub start: String,
    /// When pieces turn over.
    pub promotion: When,
    /// Ranks of the promotion zone; 0 where pieces turn over anywhere or never.
    pub zone: u8,
    /// With which face up pieces are dropped.
    pub drop_face: DropFace,
    /// Most unpromoted pawns of a player on a file; `None` for any number.
    pub pawns_on_a_file: Option<u8>,
    /// Whether a pawn drop may mate.
    pub allows_pawn_mate: bool,
    /// Whether a piece may be dropped where it can never move.
    pub allows_dead_drop: bool,
    /// Whether a piece may be moved to where it can never move again.
    pub allows_dead_move: bool,
    /// Whether a player who has no legal move, and is not in check, draws; else that player has lost.
    pub stalemate_draws: bool,
    /// How many times a position comes up before the game ends.
    pub repetition_times: u8,
    /// The result then.
    pub repetition: Repeated,
    /// Whether a player whose moves were all checks since a position first came up has lost.
    pub perpetual_check_loses: bool,
    /// How points decide a game that no mate will decide.
    pub impasse: Option<ImpasseRule>,
}

/// A kind of piece.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct KindDefinition {
    /// The letter in SFEN, A to Z.
    pub letter: char,
    /// A letter for the back alone in the lishogi dialect.
    pub back_letter: Option<char>,
    /// How many of these pieces there are, both players together.
    pub count: u8,
    /// Whether it is the king.
    pub is_royal: bool,
    /// The front.
    pub front: FaceDefinition,
    /// The back, for pieces that have one.
    pub back: Option<FaceDefinition>,
}

/// A face of a piece.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub struct FaceDefinition {
    /// How it moves.
    pub motion: Motion,
    /// Its name in English.
    pub name: Option<String>,
    /// The kanji on it, one or two.
    pub kanji: Option<String>,
    /// What it is worth, in hundredths of a pawn.
    pub value: Option<u32>,
}

impl KindDefinition {
    /// Whether the front is a pawn to the limits on pawns.
    pub fn is_pawn(&self) -> bool {
        !self.is_royal && self.front.motion.is_pawn()
    }

    /// The face with this side up; the front where there is no back.
    pub fn face(&self, promoted: bool) -> &FaceDefinition {
        self.back.as_ref().filter(|_| promoted).unwrap_or(&self.front)
    }
}

/// When pieces turn over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum When {
    /// As the player likes, by a move that touches the zone.
    Optional,
    /// By every such move.
    Forced,
    /// By every move on the board, back and forth.
    EveryMove,
    /// By every capture, back and forth, and at no other time.
    Capture,
    /// Never.
    Never,
}

impl When {
    /// The words for them.
    pub(super) const WORDS: &'static [&'static str] =
        &["optional", "forced", "every move", "capture", "never"];
    /// All of them, in the order of the words.
    pub(super) const ALL: [Self; 5] =
        [Self::Optional, Self::Forced, Self::EveryMove, Self::Capture, Self::Never];

    /// Whether the zone decides.
    pub(super) const fn has_zone(self) -> bool {
        matches!(self, Self::Optional | Self::Forced)
    }

    /// Whether a turned piece turns back.
    pub(super) const fn turns_back(self) -> bool {
        matches!(self, Self::EveryMove | Self::Capture)
    }
}

/// With which face up a piece is dropped.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum DropFace {
    /// The front.
    Front,
    /// Either.
    Either,
    /// The back, of pieces that have one.
    Back,
}

impl DropFace {
    /// The words for them.
    pub(super) const WORDS: &'static [&'static str] = &["front", "either", "back"];
    /// All of them, in the order of the words.
    pub(super) const ALL: [Self; 3] = [Self::Front, Self::Either, Self::Back];
}

/// The result of a game in which a position has come up too often.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Repeated {
    /// The game does not count, as in standard shogi.
    NoResult,
    /// A draw.
    Draw,
    /// This player wins.
    Wins(Colour),
    /// The player whose move brings it about loses.
    RepeaterLoses,
}

impl Repeated {
    /// The words for them.
    pub(super) const WORDS: &'static [&'static str] =
        &["no result", "draw", "sente wins", "gote wins", "repeater loses"];
    /// All of them, in the order of the words.
    pub(super) const ALL: [Self; 5] = [
        Self::NoResult,
        Self::Draw,
        Self::Wins(Colour::Sente),
        Self::Wins(Colour::Gote),
        Self::RepeaterLoses,
    ];
}

impl Definition {
    /// Reads the text of a variant.
    ///
    /// # Errors
    ///
    /// All that is wrong with it, each with line, key and what to write instead.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        document::read(text, |faults, root| {
            let (definition, places) = read::definition(faults, root)?;
            check::check(&definition, &places, faults);
            Some(definition)
        })
    }
}
