//! Letters for faces, in the dialects that variants are written in.

use alloc::string::String;

use crate::colour::Colour;
use crate::geometry::Geometry;
use crate::movement::Movement;
use crate::plain::AnyPlacement;
use crate::spec::TableSpec;
use crate::table::{Face, Fits, Kind, KindSpec, Promotion, RuleTable};

/// A way to write positions and moves, for variants that are written in two ways.
///
/// Both dialects are always read. For Minishogi and standard shogi they are the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Dialect {
    /// As lishogi writes: in Kyoto shogi each face has a letter of its own, in Dobutsu shogi the
    /// pieces have the letters of shogi pieces that move alike.
    Lishogi,
    /// As Fairy-Stockfish and PyChess write: a letter for each piece, `+` before a turned one.
    Fairy,
}

/// The parts of a rule set that notations depend on, as a value.
#[derive(Debug)]
#[doc(hidden)]
pub struct Notation {
    /// The number of files.
    pub width: u8,
    /// The number of ranks.
    pub height: u8,
    kinds: &'static [KindSpec],
    lishogi_letters: &'static [(char, Face)],
    drop_either_face: bool,
    /// When pieces turn over.
    pub promotion: Promotion,
    /// Whether kings cannot be captured.
    pub royal_safety: bool,
}

impl Notation {
    /// The notation of a rule set.
    pub fn of<R: RuleTable>() -> &'static Self {
        R::notation()
    }

    /// The notation of a table loaded at run time.
    pub(crate) const fn looked_up(
        spec: &TableSpec,
        kinds: &'static [KindSpec],
        lishogi_letters: &'static [(char, Face)],
    ) -> Self {
        Self {
            width: spec.width,
            height: spec.height,
            kinds,
            lishogi_letters,
            drop_either_face: false,
            promotion: spec.promotion,
            royal_safety: spec.goal.is_none(),
        }
    }

    /// The notation of a rule set by its constants.
    pub const fn known<R: RuleTable>() -> &'static Self {
        const {
            &Self {
                width: R::Geometry::WIDTH,
                height: R::Geometry::HEIGHT,
                kinds: R::KINDS,
                lishogi_letters: R::LISHOGI_LETTERS,
                drop_either_face: R::DROP_EITHER_FACE,
                promotion: R::PROMOTION,
                royal_safety: R::ROYAL_SAFETY,
            }
        }
    }

    /// An empty board with empty hands, Sente to move.
    pub fn empty(&self) -> AnyPlacement {
        AnyPlacement::empty(self.width, self.height)
    }

    /// All kinds, in order.
    pub fn kinds(&self) -> impl DoubleEndedIterator<Item = Kind> + use<> {
        (0..self.kinds.len() as u8).map(Kind::new)
    }

    /// The rule table's description of a kind.
    pub fn spec(&self, kind: Kind) -> &'static KindSpec {
        &self.kinds[kind.index()]
    }

    /// How a face moves; `None` for the back of a kind without one.
    pub fn movement(&self, face: Face) -> Option<Movement> {
        let spec = self.spec(face.kind);
        if face.promoted { spec.back } else { Some(spec.front) }
    }

    /// Whether a piece may be dropped with this face up.
    pub fn is_droppable(&self, face: Face) -> bool {
        let spec = self.spec(face.kind);
        let spec = if self.drop_either_face { spec.dropping_either() } else { *spec };
        spec.is_droppable(face.promoted)
    }

    /// The face that a letter alone stands for, in either dialect, and its owner.
    pub fn face_of(&self, letter: char) -> Option<(Face, Colour)> {
        let colour = if letter.is_ascii_uppercase() { Colour::Sente } else { Colour::Gote };
        let letter = letter.to_ascii_uppercase();
        let kind = self.kinds().find(|&kind| self.spec(kind).letter == letter);
        let named = || self.lishogi_letters.iter().find(|(name, _)| *name == letter);
        let face = kind.map(Face::front).or_else(|| named().map(|&(_, face)| face));
        face.map(|face| (face, colour))
    }

    /// Writes a face as SFEN does, in the case of its owner; a kind that the table lacks as `?`.
    pub fn write_face(&self, face: Face, colour: Colour, dialect: Dialect, out: &mut String) {
        let lishogi = |face| {
            let found = self.lishogi_letters.iter().find(|&&(_, named)| named == face);
            found.filter(|_| dialect == Dialect::Lishogi).map(|&(letter, _)| letter)
        };
        let letter = lishogi(face).unwrap_or_else(|| {
            if face.promoted {
                out.push('+');
            }
            let letter = || self.kinds.get(face.kind.index()).map_or('?', |spec| spec.letter);
            lishogi(Face::front(face.kind)).unwrap_or_else(letter)
        });
        out.push(if colour == Colour::Sente { letter } else { letter.to_ascii_lowercase() });
    }
}

/// Writes a face as SFEN does, in the case of its owner.
///
/// ```
/// use shogi_rules::shogi_core::{Colour, Face};
/// use shogi_rules::{Dialect, KyotoShogi, write_face};
/// let mut text = String::new();
/// write_face::<KyotoShogi>(Face::back(KyotoShogi::PAWN), Colour::Sente, Dialect::Lishogi, &mut text);
/// write_face::<KyotoShogi>(Face::back(KyotoShogi::PAWN), Colour::Gote, Dialect::Fairy, &mut text);
/// assert_eq!(text, "R+p");
/// ```
pub fn write_face<R: RuleTable>(
    face: Face<impl Fits<R>>,
    colour: Colour,
    dialect: Dialect,
    out: &mut String,
) {
    Notation::of::<R>().write_face(face.any(), colour, dialect, out);
}
