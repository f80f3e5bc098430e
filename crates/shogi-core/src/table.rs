//! The rule table: everything move generation needs to know of a variant.

use core::fmt::Debug;
use core::hash::Hash;

use crate::geometry::Geometry;
pub use crate::kind::{AnyTable, Face, Fits, Kind};
use crate::movement::Movement;
use crate::notation::Dialect;
use crate::placement::Placement;

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
}

impl KindSpec {
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
        let allowed = match self.drops {
            Drops::Front => !promoted,
            Drops::Either => true,
            Drops::Back => promoted,
        };
        allowed && !matches!(self.role, Role::Royal) && (!promoted || self.back.is_some())
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
}

/// The rules of a variant that concern single moves, all constants, so that a generator compiled for the
/// variant decides nothing at run time.
///
/// At most [`MAX_KINDS`] kinds. In hands a player can hold 31 pieces of kind 0, 15 of each of
/// kinds 1 to 6 and 7 of kind 7, so put the pawn first.
///
/// ```
/// use shogi_core::*;
///
/// /// King and pawn on the board of Dobutsu shogi.
/// #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
/// struct PawnGame;
/// impl RuleTable for PawnGame {
///     type Geometry = Board3x4;
///     const KINDS: &'static [KindSpec] =
///         &[KindSpec::pawn('P', 2, Some(Movement::GOLD)), KindSpec::royal('K')];
/// }
/// assert_eq!(Face::all::<PawnGame>().count(), 3);
/// ```
pub trait RuleTable: Copy + Eq + Ord + Hash + Debug + Default + Send + Sync + 'static {
    /// The board.
    type Geometry: Geometry;
    /// The kinds of pieces.
    const KINDS: &'static [KindSpec];
    /// When pieces turn over.
    const PROMOTION: Promotion = Promotion::Optional;
    /// Depth of the promotion zone in ranks, from the far side.
    const ZONE: u8 = 1;
    /// Whether a piece may be dropped with either face up (else only with its front up).
    const DROP_EITHER_FACE: bool = false;
    /// Whether nifu is legal: more unpromoted pawns of one player on a file than
    /// [`PAWNS_ON_A_FILE`](Self::PAWNS_ON_A_FILE). It must be with [`Promotion::EveryMove`] and
    /// [`Promotion::OnCapture`], and where a pawn leaves its file.
    const ALLOWS_NIFU: bool = false;
    /// How many unpromoted pawns a player may have on a file where nifu is illegal, at least 1.
    const PAWNS_ON_A_FILE: u8 = 1;
    /// Whether a pawn drop may give mate.
    const ALLOWS_DROP_PAWN_MATE: bool = false;
    /// Whether a piece may move to where it can never move again.
    const ALLOWS_IMMOBILE: bool = false;
    /// Whether a piece may be dropped where it can never move again.
    const ALLOWS_IMMOBILE_DROPS: bool = Self::ALLOWS_IMMOBILE;
    /// Whether the royal piece must not be left in or moved into attack. Without this rule it can
    /// be captured.
    const ROYAL_SAFETY: bool = true;
    /// How the royal piece decides the game where it can be captured: by its capture and, if this is not 0, by
    /// standing unattacked on one of this many ranks at the far side. `None` if [`is_over`](Self::is_over)
    /// decides in another way, or if the royal piece must be safe.
    const GOAL: Option<u8> = None;
    /// Whether [`is_over`](Self::is_over) can return `true`. If not, a search need not play a move to find out.
    const CAN_BE_OVER: bool = true;
    /// The dialect that is written by default.
    const DIALECT: Dialect = Dialect::Lishogi;
    /// Upper-case letters that stand for a face in the lishogi dialect, where they differ from those of
    /// [`KINDS`](Self::KINDS).
    const LISHOGI_LETTERS: &'static [(char, Face)] = &[];

    /// Whether the table is loaded at run time. Then its board is a [`RuntimeBoard`](crate::RuntimeBoard), the
    /// functions read its tables, and the constants of the same names have no meaning.
    /// [`DROP_EITHER_FACE`](Self::DROP_EITHER_FACE) does not apply: each kind says how it is dropped.
    const RUNTIME: bool = Self::Geometry::RUNTIME;

    /// The kinds of pieces.
    #[inline(always)]
    fn kinds() -> &'static [KindSpec] {
        if const { Self::RUNTIME } { &Self::Geometry::lookup().spec().kinds } else { Self::KINDS }
    }

    /// When pieces turn over.
    #[inline(always)]
    fn promotion() -> Promotion {
        if const { Self::RUNTIME } {
            Self::Geometry::lookup().spec().promotion
        } else {
            Self::PROMOTION
        }
    }

    /// Depth of the promotion zone in ranks, from the far side.
    #[inline(always)]
    fn zone() -> u8 {
        if const { Self::RUNTIME } { Self::Geometry::lookup().spec().zone } else { Self::ZONE }
    }

    /// How many unpromoted pawns a player may have on a file; `None` for any number.
    #[inline(always)]
    fn pawns_on_a_file() -> Option<u8> {
        if const { Self::RUNTIME } {
            Self::Geometry::lookup().spec().pawns_on_a_file
        } else if const { Self::ALLOWS_NIFU } {
            None
        } else {
            Some(Self::PAWNS_ON_A_FILE)
        }
    }

    /// Whether a pawn drop may give mate.
    #[inline(always)]
    fn allows_drop_pawn_mate() -> bool {
        if const { Self::RUNTIME } {
            Self::Geometry::lookup().spec().allows_drop_pawn_mate
        } else {
            Self::ALLOWS_DROP_PAWN_MATE
        }
    }

    /// Whether a piece may move to where it can never move again.
    #[inline(always)]
    fn allows_immobile() -> bool {
        if const { Self::RUNTIME } {
            Self::Geometry::lookup().spec().allows_immobile
        } else {
            Self::ALLOWS_IMMOBILE
        }
    }

    /// Whether a piece may be dropped where it can never move again.
    #[inline(always)]
    fn allows_immobile_drops() -> bool {
        if const { Self::RUNTIME } {
            Self::Geometry::lookup().spec().allows_immobile_drops
        } else {
            Self::ALLOWS_IMMOBILE_DROPS
        }
    }

    /// Whether the royal piece must not be left in or moved into attack.
    #[inline(always)]
    fn royal_safety() -> bool {
        if const { Self::RUNTIME } {
            Self::Geometry::lookup().royal_safety
        } else {
            Self::ROYAL_SAFETY
        }
    }

    /// How the royal piece decides the game where it can be captured.
    #[inline(always)]
    fn goal() -> Option<u8> {
        if const { Self::RUNTIME } { Self::Geometry::lookup().spec().goal } else { Self::GOAL }
    }

    /// Whether [`is_over`](Self::is_over) can return `true`.
    #[inline(always)]
    fn can_be_over() -> bool {
        if const { Self::RUNTIME } {
            Self::Geometry::lookup().can_be_over
        } else {
            Self::CAN_BE_OVER
        }
    }

    /// Whether pieces may be dropped with either face up.
    #[inline(always)]
    fn drops_either_face() -> bool {
        if const { Self::RUNTIME } {
            Self::Geometry::lookup().drops_either_face
        } else {
            Self::DROP_EITHER_FACE
        }
    }

    /// If not 0, the number of ranks at the far side on which a royal piece that must be safe has won. Only tables
    /// loaded at run time have such a goal.
    #[inline(always)]
    fn safe_goal() -> u8 {
        if const { Self::RUNTIME } { Self::Geometry::lookup().spec().safe_goal } else { 0 }
    }

    /// Whether the royal pieces must not face each other along a file or a rank. Only tables loaded at run time
    /// have this rule.
    #[inline(always)]
    fn forbids_facing_kings() -> bool {
        if const { Self::RUNTIME } {
            Self::Geometry::lookup().spec().forbids_facing_kings
        } else {
            false
        }
    }

    /// Whether a player who can capture must. Only tables loaded at run time have this rule.
    #[inline(always)]
    fn must_capture() -> bool {
        if const { Self::RUNTIME } { Self::Geometry::lookup().spec().must_capture } else { false }
    }

    /// Whether some kind of a table loaded at run time has [rules besides its movements](crate::KindRules).
    #[inline(always)]
    fn has_kind_rules() -> bool {
        if const { Self::RUNTIME } { Self::Geometry::lookup().has_extras } else { false }
    }

    /// The dialect that is written by default.
    #[inline(always)]
    fn dialect() -> Dialect {
        if const { Self::RUNTIME } {
            Self::Geometry::lookup().spec().dialect
        } else {
            Self::DIALECT
        }
    }

    /// Upper-case letters that stand for a face in the lishogi dialect.
    #[inline(always)]
    fn lishogi_letters() -> &'static [(char, Face)] {
        if const { Self::RUNTIME } {
            &Self::Geometry::lookup().spec().letters
        } else {
            Self::LISHOGI_LETTERS
        }
    }

    /// The faces in the order in which [`passes_flip`](crate::passes_flip()) compares a position with
    /// its mirror image: kind by kind in the order of the table, fronts before backs, unless published
    /// numbers of positions follow another order. Royal faces may be left out.
    #[inline]
    fn flip_order() -> impl Iterator<Item = Face> {
        Face::all::<Self>()
    }

    /// Whether the game has ended although there may be moves on the board: by the [`GOAL`](Self::GOAL) or the
    /// [`safe_goal`](Self::safe_goal), unless
    /// the rule table overrides this. It is never `true` without [`CAN_BE_OVER`](Self::CAN_BE_OVER). Generation
    /// does not call it; [`perft`](crate::perft()) and unmove generation do.
    #[inline(always)]
    fn is_over(placement: &Placement<Self>) -> bool {
        if const { Self::RUNTIME } {
            return Self::can_be_over() && placement.is_decided();
        }
        !Self::royal_safety() && Self::goal().is_some() && placement.is_decided()
    }
}
