//! The rule table: everything move generation needs to know of a variant.

use core::fmt::{self, Debug};
use core::hash::Hash;
use core::marker::PhantomData;
use core::ops::Range;

use crate::geometry::Geometry;
use crate::movement::{Movement, Slide, Step};
use crate::notation::Dialect;
use crate::placement::Placement;

/// Most kinds of pieces a rule table may have.
pub const MAX_KINDS: usize = 8;

/// In place of a rule table: of kinds, faces and pieces that do not say whose they are.
///
/// Code that is compiled once for all rule sets works with these. They fit every rule table, and whoever takes them
/// has to know which one is meant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct AnyTable;

/// Rule tables whose kinds, faces and pieces are taken for those of `R`: `R` itself, and [`AnyTable`].
///
/// ```compile_fail,E0277
/// use shogi_rules::{Minishogi, Rules, Shogi};
/// // In shogi the kind with this number is the knight.
/// Shogi::start().kind(Minishogi::GOLD);
/// ```
#[diagnostic::on_unimplemented(message = "a piece of `{Self}` is none of `{R}`")]
pub trait Fits<R>: Copy {}

impl<R: RuleTable> Fits<R> for R {}

impl<R: RuleTable> Fits<R> for AnyTable {}

/// A kind of physical piece: an index into [`RuleTable::KINDS`].
///
/// A kind has one or two faces; what stands on the board is a [`Face`], what lies in a hand is a
/// kind. The constants of a rule set, such as `Minishogi::GOLD`, are kinds of its own, which a position of another
/// one does not take; a kind with only an index fits any.
///
/// ```
/// use shogi_core::Kind;
/// use shogi_rules::{Minishogi, Rules};
/// let start = Minishogi::start();
/// assert_eq!(start.kind(Minishogi::GOLD), start.kind(Kind::new(2)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kind<R = AnyTable>(u8, PhantomData<R>);

impl<R: RuleTable> Kind<R> {
    /// The kind of this rule table with this index.
    ///
    /// # Panics
    ///
    /// If the table has no such kind; not at once, if it is not known before the program runs.
    pub const fn of(index: u8) -> Self {
        assert!(R::RUNTIME || (index as usize) < R::KINDS.len(), "the rule table has no such kind");
        Self(index & 7, PhantomData)
    }
}

impl<R> Kind<R> {
    /// Its index, below [`MAX_KINDS`].
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & 7) as usize
    }

    /// The kind without the name of its rule table: what [`Placement::piece`] and all that lists kinds give, and so
    /// what those are compared with.
    #[inline(always)]
    pub const fn any(self) -> Kind {
        Kind(self.0, PhantomData)
    }

    /// What the rule table says of this kind.
    ///
    /// # Panics
    ///
    /// If the table has no such kind.
    #[inline(always)]
    pub fn spec<T: RuleTable>(self) -> &'static KindSpec {
        &T::kinds()[self.0 as usize]
    }
}

impl Kind {
    /// The kind with this index.
    ///
    /// # Panics
    ///
    /// If the index is not below [`MAX_KINDS`].
    #[inline(always)]
    pub const fn new(index: u8) -> Self {
        assert!((index as usize) < MAX_KINDS, "a rule table has at most eight kinds");
        Self(index, PhantomData)
    }

    /// All kinds of a rule table, in order.
    #[inline(always)]
    pub fn all<R: RuleTable>() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        Kinds(0..R::kinds().len() as u8)
    }
}

impl<R> Debug for Kind<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Kind").field(&self.0).finish()
    }
}

/// One face of a piece as it lies on the board, of a rule table as its [`Kind`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Face<R = AnyTable> {
    /// The kind of the physical piece.
    pub kind: Kind<R>,
    /// Whether its back is up: promoted or, in Kyoto shogi, turned over.
    pub promoted: bool,
}

impl<R> Face<R> {
    /// The front of a kind.
    #[inline(always)]
    pub const fn front(kind: Kind<R>) -> Self {
        Self { kind, promoted: false }
    }

    /// The back of a kind.
    #[inline(always)]
    pub const fn back(kind: Kind<R>) -> Self {
        Self { kind, promoted: true }
    }

    /// The number of the face, below [`Face::MAX`]: fronts and backs in turn, kind by kind.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.kind.index() << 1 | self.promoted as usize
    }

    /// The face without the name of its rule table.
    #[inline(always)]
    pub const fn any(self) -> Face {
        Face { kind: self.kind.any(), promoted: self.promoted }
    }
}

impl<R> Debug for Face<R> {
    /// The index of the kind, with a plus before the back: `+2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.promoted { "+" } else { "" }, self.kind.0)
    }
}

impl Face {
    /// How many faces a rule table can have.
    pub const MAX: usize = 2 * MAX_KINDS;

    /// The face with a number: [`Face::index`].
    pub(crate) const fn numbered(number: usize) -> Self {
        Self { kind: Kind::new((number / 2) as u8), promoted: number % 2 == 1 }
    }

    /// How the face moves; `None` for the back of a kind without one.
    #[inline(always)]
    pub fn movement<R: RuleTable>(self) -> Option<Movement> {
        let spec = self.kind.spec::<R>();
        if self.promoted { spec.back } else { Some(spec.front) }
    }

    /// How the face moves by the constants of a rule table; `None` if that has no such face.
    #[doc(hidden)]
    pub const fn known_movement<R: RuleTable>(self) -> Option<Movement> {
        if self.kind.index() >= R::KINDS.len() {
            return None;
        }
        let spec = &R::KINDS[self.kind.index()];
        if self.promoted { spec.back } else { Some(spec.front) }
    }

    /// The same; not at all if the rule table has no such face.
    #[doc(hidden)]
    pub const fn moving<R: RuleTable>(self) -> Movement {
        match self.known_movement::<R>() {
            Some(movement) => movement,
            None => Movement::new(Step::None, Slide::None),
        }
    }

    /// Whether the rules let a piece be dropped with this face up.
    #[inline(always)]
    pub fn is_droppable<R: RuleTable>(self) -> bool {
        let spec = self.kind.spec::<R>();
        if const { R::RUNTIME || !drops_fronts::<R>() } {
            return spec.is_droppable(self.promoted)
                || R::DROP_EITHER_FACE && spec.dropping_either().is_droppable(self.promoted);
        }
        let royal = matches!(spec.role, Role::Royal);
        !royal && (!self.promoted || R::DROP_EITHER_FACE && spec.back.is_some())
    }

    /// All faces of a table that is not known before the program runs, with their movements.
    #[doc(hidden)]
    #[inline(always)]
    pub fn looked_up<R: RuleTable>() -> impl Iterator<Item = (Self, Movement)> {
        let lookup = R::Geometry::lookup();
        lookup.order.iter().map(move |&face| (face, lookup.movement(face)))
    }

    /// All faces of a rule table: fronts and backs, kind by kind.
    #[inline(always)]
    pub fn all<R: RuleTable>() -> impl Iterator<Item = Self> {
        let backs = if const { R::RUNTIME } {
            R::Geometry::lookup().backs
        } else {
            Self::known_backs::<R>()
        };
        Faces { indices: 0..2 * R::kinds().len() as u8, backs }
    }

    /// Which kinds have a back by the constants of the rule table, as a bit mask.
    const fn known_backs<R: RuleTable>() -> u8 {
        let (mut backs, mut kind) = (0, 0);
        while kind < R::KINDS.len() {
            if R::KINDS[kind].back.is_some() {
                backs |= 1 << kind;
            }
            kind += 1;
        }
        backs
    }
}

/// Whether no kind says by itself with which face up it is dropped.
const fn drops_fronts<R: RuleTable>() -> bool {
    let mut kind = 0;
    while kind < R::KINDS.len() {
        if !matches!(R::KINDS[kind].drops, Drops::Front) {
            return false;
        }
        kind += 1;
    }
    true
}

// The iterators do not name the rule table, so that loops over them are compiled once.

/// See [`Kind::all`].
struct Kinds(Range<u8>);

impl Iterator for Kinds {
    type Item = Kind;

    #[inline(always)]
    fn next(&mut self) -> Option<Kind> {
        self.0.next().map(|index| Kind(index & 7, PhantomData))
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }

    /// The most frequent of all searches, without the closures that the default makes of each.
    #[inline]
    fn find<P: FnMut(&Kind) -> bool>(&mut self, mut is_wanted: P) -> Option<Kind> {
        loop {
            let kind = self.next()?;
            if is_wanted(&kind) {
                return Some(kind);
            }
        }
    }
}

impl DoubleEndedIterator for Kinds {
    #[inline(always)]
    fn next_back(&mut self) -> Option<Kind> {
        self.0.next_back().map(|index| Kind(index & 7, PhantomData))
    }
}

impl ExactSizeIterator for Kinds {}

/// See [`Face::all`].
struct Faces {
    /// The numbers of faces not given yet, in order.
    indices: Range<u8>,
    backs: u8,
}

impl Iterator for Faces {
    type Item = Face;

    #[inline(always)]
    fn next(&mut self) -> Option<Face> {
        loop {
            let index = self.indices.next()?;
            let face = Face { kind: Kind((index / 2) & 7, PhantomData), promoted: index % 2 == 1 };
            if !face.promoted || self.backs >> face.kind.0 & 1 == 1 {
                return Some(face);
            }
        }
    }
}

/// What a kind is for the special rules.
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
    /// Either, as the player likes.
    Either,
    /// The back only: the piece changes for good when it is captured.
    Back,
}

/// One kind of piece in a rule table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KindSpec {
    /// The letter of the front in SFEN, upper case.
    pub letter: char,
    /// How many of these pieces are in the set, both players together.
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

    /// Whether it can be dropped with its front or, if `promoted`, with its back up.
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
    /// As it likes, on entering, moving within or leaving the zone; it must where its front could
    /// never move again (unless [`RuleTable::ALLOWS_IMMOBILE`] allows that). Once turned it stays so.
    Optional,
    /// Always, on entering, moving within or leaving the zone. Once turned it stays so.
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

    /// Whether a piece with two faces may turn over, or may not, by a move; `in_zone` says whether its front is up
    /// and the move touches the promotion zone, `captures` whether the move takes a piece. That a piece must turn
    /// where it could never move again is another rule.
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

/// A variant's rules as far as single moves go, all constants, so that a generator compiled for
/// the variant has nothing left to decide at run time.
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
    /// How many ranks at the far side are the promotion zone.
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
    /// standing on one of so many ranks at the far side without being attacked there. `None` where
    /// [`is_over`](Self::is_over) says it in another way, or where the royal piece must be safe.
    const GOAL: Option<u8> = None;
    /// Whether [`is_over`](Self::is_over) can hold. Where it cannot, a search need not play a move to find out.
    const CAN_BE_OVER: bool = true;
    /// The dialect that is written by default.
    const DIALECT: Dialect = Dialect::Lishogi;
    /// Upper-case letters that stand for a face in the lishogi dialect, where they differ from those of
    /// [`KINDS`](Self::KINDS).
    const LISHOGI_LETTERS: &'static [(char, Face)] = &[];

    /// Whether the table is not known before the program runs: its board is a
    /// [`RuntimeBoard`](crate::RuntimeBoard) then, the functions answer from what that looks up, and the
    /// constants of the same names say nothing. [`DROP_EITHER_FACE`](Self::DROP_EITHER_FACE) does not hold: each
    /// kind says how it is dropped.
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

    /// How many ranks at the far side are the promotion zone.
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

    /// Whether [`is_over`](Self::is_over) can hold.
    #[inline(always)]
    fn can_be_over() -> bool {
        if const { Self::RUNTIME } { !Self::royal_safety() } else { Self::CAN_BE_OVER }
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

    /// Whether the game has ended although there may be moves on the board: by the [`GOAL`](Self::GOAL), unless
    /// the rule table says otherwise; it never has without [`CAN_BE_OVER`](Self::CAN_BE_OVER). Generation does not
    /// call it; [`perft`](crate::perft()) and unmove generation do.
    #[inline(always)]
    fn is_over(placement: &Placement<Self>) -> bool {
        !Self::royal_safety() && Self::goal().is_some() && placement.is_decided()
    }
}
