//! The rule table: everything move generation needs to know of a variant.

use core::fmt::Debug;
use core::hash::Hash;
use core::iter;
use core::ops::ControlFlow;

use crate::attack::{DeadRanks, camp, ray_slides, slide_attacks, step_attacks};
use crate::bitboard::Bitboard;
use crate::colour::Colour;
use crate::geometry::Geometry;
pub use crate::kind::{AnyTable, Face, Fits, Kind};
pub use crate::kind_spec::{Drops, KindSpec, MAX_KINDS, Promotion, Role, Turning};
use crate::movement::Movement;
use crate::moves::Batch;
use crate::notation::{Dialect, Notation};
use crate::placement::{Groups, Placement};
use crate::spec::TableSpec;
use crate::special::Special;
use crate::square::Square;

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

    /// Whether the table is [loaded at run time](crate::LookupSource). Then its constants have no meaning, and the
    /// functions read its tables. [`DROP_EITHER_FACE`](Self::DROP_EITHER_FACE) does not apply: each kind says how it
    /// is dropped.
    const RUNTIME: bool = false;

    /// The kinds of pieces.
    #[inline(always)]
    fn kinds() -> &'static [KindSpec] {
        Self::KINDS
    }

    /// When pieces turn over.
    #[inline(always)]
    fn promotion() -> Promotion {
        Self::PROMOTION
    }

    /// Depth of the promotion zone in ranks, from the far side.
    #[inline(always)]
    fn zone() -> u8 {
        Self::ZONE
    }

    /// How many unpromoted pawns a player may have on a file; `None` for any number.
    #[inline(always)]
    fn pawns_on_a_file() -> Option<u8> {
        if Self::ALLOWS_NIFU { None } else { Some(Self::PAWNS_ON_A_FILE) }
    }

    /// Whether a pawn drop may give mate.
    #[inline(always)]
    fn allows_drop_pawn_mate() -> bool {
        Self::ALLOWS_DROP_PAWN_MATE
    }

    /// Whether a piece may move to where it can never move again.
    #[inline(always)]
    fn allows_immobile() -> bool {
        Self::ALLOWS_IMMOBILE
    }

    /// Whether a piece may be dropped where it can never move again.
    #[inline(always)]
    fn allows_immobile_drops() -> bool {
        Self::ALLOWS_IMMOBILE_DROPS
    }

    /// Whether the royal piece must not be left in or moved into attack.
    #[inline(always)]
    fn royal_safety() -> bool {
        Self::ROYAL_SAFETY
    }

    /// How the royal piece decides the game where it can be captured.
    #[inline(always)]
    fn goal() -> Option<u8> {
        Self::GOAL
    }

    /// Whether [`is_over`](Self::is_over) can return `true`.
    #[inline(always)]
    fn can_be_over() -> bool {
        Self::CAN_BE_OVER
    }

    /// Whether pieces may be dropped with either face up.
    #[inline(always)]
    fn drops_either_face() -> bool {
        Self::DROP_EITHER_FACE
    }

    /// If not 0, the number of ranks at the far side on which a royal piece that must be safe has won. Only tables
    /// loaded at run time have such a goal.
    #[inline(always)]
    fn safe_goal() -> u8 {
        0
    }

    /// Whether the royal pieces must not face each other along a file or a rank. Only tables loaded at run time
    /// have this rule.
    #[inline(always)]
    fn forbids_facing_kings() -> bool {
        false
    }

    /// Whether a player who can capture must. Only tables loaded at run time have this rule.
    #[inline(always)]
    fn must_capture() -> bool {
        false
    }

    /// Whether some kind of a table loaded at run time has [rules besides its movements](crate::KindRules).
    #[inline(always)]
    fn has_kind_rules() -> bool {
        false
    }

    /// The dialect that is written by default.
    #[inline(always)]
    fn dialect() -> Dialect {
        Self::DIALECT
    }

    /// Upper-case letters that stand for a face in the lishogi dialect.
    #[inline(always)]
    fn lishogi_letters() -> &'static [(char, Face)] {
        Self::LISHOGI_LETTERS
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
        !Self::royal_safety() && Self::goal().is_some() && placement.is_decided()
    }

    /// The table as a value, if it was loaded at run time.
    #[inline(always)]
    fn spec() -> Option<&'static TableSpec> {
        None
    }

    /// Runs the first task, which may need the constants, or for a table loaded at run time the second. The other one
    /// is not compiled.
    ///
    /// ```
    /// use shogi_core::{Geometry as _, RuleTable};
    /// fn area<R: RuleTable>() -> usize {
    ///     R::compiled_or_loaded(|| const { R::Geometry::AREA }, R::Geometry::area)
    /// }
    /// assert_eq!(area::<shogi_rules::Minishogi>(), 25);
    /// ```
    #[inline(always)]
    fn compiled_or_loaded<T>(compiled: impl FnOnce() -> T, _: impl FnOnce() -> T) -> T {
        compiled()
    }

    /// Whether the rules treat left and right alike: every piece reaches the same squares in the mirror. Named
    /// patterns do. Only then is the mirror image of a position worth the same, and the mirror image of a legal
    /// move legal.
    ///
    /// ```
    /// use shogi_core::RuleTable as _;
    /// use shogi_rules::KyotoShogi;
    /// assert!(KyotoShogi::is_mirror_symmetric());
    /// ```
    #[inline(always)]
    fn is_mirror_symmetric() -> bool {
        const { Groups::<Self>::ARE_MIRROR_SYMMETRIC }
    }

    // What follows from the rules, worked out from the constants at compile time. A table loaded at run time looks
    // it up.

    /// The table as notations see it.
    #[doc(hidden)]
    fn notation() -> &'static Notation {
        Notation::known::<Self>()
    }

    /// The faces and their movements, if they are known only at run time.
    #[doc(hidden)]
    #[inline(always)]
    fn looked_up_faces() -> impl Iterator<Item = (Face, Movement)> {
        iter::empty()
    }

    /// The royal kind.
    #[doc(hidden)]
    #[inline(always)]
    fn royal() -> Option<Kind> {
        const { Groups::<Self>::ROYAL }
    }

    /// The kinds that are pawns, as a bit mask.
    #[doc(hidden)]
    #[inline(always)]
    fn pawn_kinds() -> u8 {
        Groups::<Self>::PAWNS
    }

    /// Whether a face is a front that steps straight ahead and does nothing else.
    #[doc(hidden)]
    #[inline(always)]
    fn steps_ahead((face, movement): (Face, Movement)) -> bool {
        movement == Movement::PAWN && !face.promoted
    }

    /// How a face turns over as it moves.
    #[doc(hidden)]
    #[inline(always)]
    fn turning(face: Face) -> Turning {
        let has_back = face.kind.spec::<Self>().back.is_some();
        Self::PROMOTION.turning(has_back, face.promoted)
    }

    /// The promotion zone of a player.
    #[doc(hidden)]
    #[inline(always)]
    fn zone_squares(colour: Colour) -> Bitboard<Self::Geometry> {
        camp(colour, Self::ZONE)
    }

    /// Where a face steps and jumps to capture.
    #[doc(hidden)]
    #[inline(always)]
    fn leaps(
        (face, movement): (Face, Movement),
        colour: Colour,
        square: Square<Self::Geometry>,
    ) -> Bitboard<Self::Geometry> {
        if const { Special::<Self>::ANY } && movement.is_special() {
            return Special::<Self>::leaps(face, colour, square);
        }
        step_attacks(movement.step, colour, square)
    }

    /// Where a face slides, the first blocker of each ray included.
    #[doc(hidden)]
    #[inline(always)]
    fn slides(
        (_, movement): (Face, Movement),
        colour: Colour,
        square: Square<Self::Geometry>,
        occupied: Bitboard<Self::Geometry>,
    ) -> Bitboard<Self::Geometry> {
        if const { Special::<Self>::ANY } && movement.is_special() {
            return ray_slides(movement.reach(), 2, colour, square, occupied);
        }
        slide_attacks(movement.slide, colour, square, occupied)
    }

    /// The squares from which a face of `by` leaps to a square, and those from which it slides there.
    #[doc(hidden)]
    #[inline(always)]
    fn sources(
        face: (Face, Movement),
        by: Colour,
        square: Square<Self::Geometry>,
        occupied: Bitboard<Self::Geometry>,
    ) -> [Bitboard<Self::Geometry>; 2] {
        // Every movement is symmetric under the half turn.
        [Self::leaps(face, !by, square), Self::slides(face, !by, square, occupied)]
    }

    /// Where a face moves without a capture, if it captures otherwise.
    #[doc(hidden)]
    #[inline(always)]
    fn quiet_moves(
        _: Face,
        _: Colour,
        _: Square<Self::Geometry>,
        _: Bitboard<Self::Geometry>,
    ) -> Option<Bitboard<Self::Geometry>> {
        None
    }

    /// The squares from which a face moves to a square without a capture, if it captures otherwise.
    #[doc(hidden)]
    #[inline(always)]
    fn quiet_sources(
        _: Face,
        _: Colour,
        _: Square<Self::Geometry>,
        _: Bitboard<Self::Geometry>,
    ) -> Option<Bitboard<Self::Geometry>> {
        None
    }

    /// Whether the rules of its kind let a player drop a face on a square, if it can move again there.
    #[doc(hidden)]
    #[inline(always)]
    fn allows_drop(_: Face, _: Colour, _: Square<Self::Geometry>) -> bool {
        true
    }

    /// Whether a piece stands outside the squares that its kind may stand on.
    #[doc(hidden)]
    #[inline(always)]
    fn has_outsider(_: &Placement<Self>) -> bool {
        false
    }

    /// Squares where a face could never move again.
    #[inline(always)]
    fn dead_squares(face: Face, colour: Colour) -> Bitboard<Self::Geometry> {
        let movement = face.movement::<Self>();
        if const { Special::<Self>::ANY } && movement.is_some_and(Movement::is_special) {
            return Special::<Self>::dead(face, colour);
        }
        match DeadRanks::<Self>::OF_FACES[face.index()] {
            0 => Bitboard::EMPTY,
            ranks => camp(colour, ranks),
        }
    }

    /// Squares where a king could never move again and therefore must not step, if the rules forbid that.
    #[inline(always)]
    fn dead_ends_of_king(colour: Colour) -> Bitboard<Self::Geometry> {
        match Self::royal() {
            Some(king) if !Self::ALLOWS_IMMOBILE => Self::dead_squares(Face::front(king), colour),
            _ => Bitboard::EMPTY,
        }
    }

    /// All squares where a piece of some face could never move again; the set may contain others.
    #[inline(always)]
    fn anywhere_dead(colour: Colour) -> Bitboard<Self::Geometry> {
        let mut dead = camp(colour, 2);
        if const { Special::<Self>::ANY } {
            for face in Face::all::<Self>() {
                dead |= Self::dead_squares(face, colour);
            }
        }
        dead
    }

    /// Whether a piece jumps to a square in line with it that is no neighbour.
    #[doc(hidden)]
    #[inline(always)]
    fn jumps_along_lines() -> bool {
        const { Special::<Self>::JUMPS_ALONG_LINES }
    }

    /// The pieces of `by` that step or jump to a square to capture.
    #[doc(hidden)]
    #[inline(always)]
    fn leapers(
        placement: &Placement<Self>,
        target: Square<Self::Geometry>,
        by: Colour,
    ) -> Bitboard<Self::Geometry> {
        placement.known_leapers(target, by)
    }

    /// The pieces of `by` that slide to a square on an otherwise empty board.
    #[doc(hidden)]
    #[inline(always)]
    fn snipers(
        placement: &Placement<Self>,
        target: Square<Self::Geometry>,
        by: Colour,
    ) -> Bitboard<Self::Geometry> {
        placement.known_snipers(target, by)
    }

    /// The squares where the king can go without being attacked there.
    #[doc(hidden)]
    #[inline(always)]
    fn king_targets(
        placement: &Placement<Self>,
        king: Square<Self::Geometry>,
    ) -> Bitboard<Self::Geometry> {
        placement.known_king_targets(king, |squares| squares)
    }

    /// Passes the drops on the given empty squares to `sink`; the hand is not empty.
    #[doc(hidden)]
    #[inline(always)]
    fn generate_drops<B>(
        placement: &Placement<Self>,
        targets: Bitboard<Self::Geometry>,
        sink: &mut impl FnMut(Batch<Self>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        placement.generate_known_drops(targets, sink)
    }
}
