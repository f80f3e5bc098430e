//! Kinds of pieces as a rule table lists them, and when they turn over.

use core::hash::Hash;

use crate::movement::Movement;
#[cfg(doc)]
use crate::table::RuleTable;

/// The most kinds of pieces that a rule table may have.
pub const MAX_KINDS: usize = 8;

/// The part of a kind in the special rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// No special rule.
    Ordinary,
    /// The front is a pawn to nifu and drop-pawn mate, where the table has these rules.
    Pawn,
    /// The king, or Dobutsu's lion: exactly one for each player, never dropped.
    Royal,
}

/// With which face up a piece in hand is dropped.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Drops {
    /// The front.
    Front,
    /// Either; the player chooses.
    Either,
    /// The back only: the piece changes for good when it is captured.
    Back,
}

impl Drops {
    /// Whether the back may be up after a drop, if `promoted`, or else the front.
    pub(crate) const fn allow(self, promoted: bool) -> bool {
        match self {
            Self::Front => !promoted,
            Self::Either => true,
            Self::Back => promoted,
        }
    }
}

/// One kind of piece in a rule table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KindSpec {
    /// The letter of the front in SFEN, upper case.
    pub letter: char,
    /// Number of these pieces in the set, both players together.
    pub count: u8,
    /// Its part in the special rules.
    pub role: Role,
    /// How the front moves.
    pub front: Movement,
    /// How the back moves, for pieces that have one.
    pub back: Option<Movement>,
    /// Which face is up after a drop; with [`RuleTable::DROP_EITHER_FACE`] either may be.
    pub drops: Drops,
}

impl KindSpec {
    /// An ordinary piece.
    pub const fn new(letter: char, count: u8, front: Movement, back: Option<Movement>) -> Self {
        Self { letter, count, role: Role::Ordinary, front, back, drops: Drops::Front }
    }

    /// A pawn.
    pub const fn pawn(letter: char, count: u8, back: Option<Movement>) -> Self {
        Self { role: Role::Pawn, ..Self::new(letter, count, Movement::PAWN, back) }
    }

    /// The pair of kings.
    pub const fn royal(letter: char) -> Self {
        Self { role: Role::Royal, ..Self::new(letter, 2, Movement::KING, None) }
    }

    /// The kind, dropped with either face up.
    #[must_use]
    pub const fn dropping_either(self) -> Self {
        Self { drops: Drops::Either, ..self }
    }

    /// Whether both faces reach the same squares with left and right exchanged.
    ///
    /// ```
    /// use shogi_core::{Direction, KindSpec, Movement, RaysAndJumps};
    /// assert!(KindSpec::royal('K').is_mirror_symmetric());
    /// let left = Movement::of(RaysAndJumps::NONE.with_ray(Direction::NorthWest, 2));
    /// assert!(!KindSpec::new('L', 2, left, None).is_mirror_symmetric());
    /// ```
    pub const fn is_mirror_symmetric(&self) -> bool {
        let front = self.front.reach();
        let back = match self.back {
            Some(back) => back.reach(),
            None => front,
        };
        front.equals(front.mirror()) && back.equals(back.mirror())
    }

    /// Whether it can be dropped with its back up, if `promoted`, or else with its front up.
    ///
    /// ```
    /// use shogi_core::{Drops, KindSpec, Movement};
    /// let piece = KindSpec::new('R', 2, Movement::ROOK, Some(Movement::DRAGON));
    /// assert_eq!([false, true].map(|up| piece.is_droppable(up)), [true, false]);
    /// let changing = KindSpec { drops: Drops::Back, ..piece };
    /// assert_eq!([false, true].map(|up| changing.is_droppable(up)), [false, true]);
    /// assert!(!KindSpec::royal('K').is_droppable(false));
    /// ```
    pub const fn is_droppable(&self, promoted: bool) -> bool {
        self.drops.allow(promoted)
            && !matches!(self.role, Role::Royal)
            && (!promoted || self.back.is_some())
    }
}

/// When a piece with two faces turns over as it moves on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Promotion {
    /// By choice on entering, moving within or leaving the zone, and always where its front could never move
    /// again (unless [`RuleTable::ALLOWS_IMMOBILE`] allows that). Once turned it stays turned.
    Optional,
    /// Always on entering, moving within or leaving the zone. Once turned it stays turned.
    Forced,
    /// At every move, back and forth: Kyoto shogi.
    EveryMove,
    /// When it captures, back and forth, and at no other time: Micro shogi.
    OnCapture,
    /// At no move.
    Never,
}

impl Promotion {
    /// Its name in the text of a rule set.
    ///
    /// ```
    /// assert_eq!(shogi_core::Promotion::EveryMove.name(), "every-move");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Optional => "optional",
            Self::Forced => "forced",
            Self::EveryMove => "every-move",
            Self::OnCapture => "on-capture",
            Self::Never => "never",
        }
    }

    /// Whether a move of a piece with two faces may turn it over, if `turn`, or else keep its face. `in_zone`:
    /// its front is up and the move touches the promotion zone; `captures`: the move takes a piece. That a
    /// piece must turn where it could never move again is another rule.
    ///
    /// ```
    /// use shogi_core::Promotion;
    /// let (optional, forced) = (Promotion::Optional, Promotion::Forced);
    /// assert!(optional.allows(false, true, false) && !forced.allows(false, true, false));
    /// assert!(Promotion::OnCapture.allows(true, false, true));
    /// ```
    pub const fn allows(self, turn: bool, in_zone: bool, captures: bool) -> bool {
        match self {
            Self::Optional => !turn || in_zone,
            Self::Forced => turn == in_zone,
            Self::EveryMove => turn,
            Self::OnCapture => turn == captures,
            Self::Never => !turn,
        }
    }

    /// How a face turns over by this rule.
    pub(crate) const fn turning(self, has_back: bool, promoted: bool) -> Turning {
        match self {
            _ if !has_back => Turning::Never,
            Self::EveryMove => Turning::Always,
            Self::OnCapture => Turning::OnCapture,
            Self::Never => Turning::Never,
            _ if promoted => Turning::Never,
            Self::Optional => Turning::InZone,
            Self::Forced => Turning::InZoneAlways,
        }
    }
}

/// How a face turns over as it moves.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turning {
    /// It does not.
    Never,
    /// By choice in the zone.
    InZone,
    /// Always in the zone, and nowhere else.
    InZoneAlways,
    /// With each move.
    Always,
    /// When it captures.
    OnCapture,
}
