//! Kinds of pieces and their faces.

use core::fmt::{self, Debug};
use core::hash::Hash;
use core::marker::PhantomData;
use core::ops::Range;

use crate::movement::{Movement, Slide, Step};
use crate::table::{Drops, KindSpec, MAX_KINDS, Role, RuleTable};

/// Stands in place of a rule table in kinds, faces and pieces that belong to no particular one.
///
/// Code for all rule sets together, such as the notations, works with these. They fit every rule table; the receiver must
/// know which one is meant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct AnyTable;

/// Rule tables whose kinds, faces and pieces are accepted as those of `R`: `R` itself and [`AnyTable`].
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
/// A kind has one or two faces: a [`Face`] stands on the board, a kind lies in a hand. The constants of a rule
/// set, such as `Minishogi::GOLD`, carry its type, and positions of other rule sets do not accept them; a kind
/// made from an index alone fits any.
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
    /// If the table has no such kind. For a table loaded at run time the check comes later.
    pub const fn of(index: u8) -> Self {
        assert!(R::RUNTIME || (index as usize) < R::KINDS.len(), "the rule table has no such kind");
        Self(index & 7, PhantomData)
    }
}

impl<R> Kind<R> {
    /// The index, below [`MAX_KINDS`].
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & 7) as usize
    }

    /// The kind without the type of its rule table, as [`Placement::piece`](crate::Placement::piece) and
    /// everything that lists kinds return it; compare with this.
    #[inline(always)]
    pub const fn any(self) -> Kind {
        Kind(self.0, PhantomData)
    }

    /// The rule table's description of this kind.
    ///
    /// # Panics
    ///
    /// If the table has no such kind.
    #[inline(always)]
    pub fn spec<T: RuleTable>(self) -> &'static KindSpec
    where
        R: Fits<T>,
    {
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

/// The letters by which kinds are shown: those of the rule table, if it is known.
pub trait Letters: Copy {
    /// The letter of the kind with an index.
    fn letter(index: usize) -> Option<char>;
}

impl<R: RuleTable> Letters for R {
    fn letter(index: usize) -> Option<char> {
        R::kinds().get(index).map(|spec| spec.letter)
    }
}

impl Letters for AnyTable {
    fn letter(_: usize) -> Option<char> {
        None
    }
}

impl<R: Letters> Debug for Kind<R> {
    /// Writes the letter, such as `Kind(G)`, or the index if no type says of which rule table it is.
    ///
    /// ```
    /// use shogi_rules::Minishogi;
    /// assert_eq!(format!("{:?} {:?}", Minishogi::GOLD, Minishogi::GOLD.any()), "Kind(G) Kind(2)");
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match R::letter(self.index()) {
            Some(letter) => write!(f, "Kind({letter})"),
            None => f.debug_tuple("Kind").field(&self.0).finish(),
        }
    }
}

/// One face of a piece on the board. Like its [`Kind`], it belongs to a rule table.
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

    /// How the face moves; `None` for the back of a kind without one.
    #[inline(always)]
    pub fn movement<T: RuleTable>(self) -> Option<Movement>
    where
        R: Fits<T>,
    {
        let spec = self.kind.spec::<T>();
        if self.promoted { spec.back } else { Some(spec.front) }
    }

    /// Whether the rules let a piece be dropped with this face up.
    #[inline(always)]
    pub fn is_droppable<T: RuleTable>(self) -> bool
    where
        R: Fits<T>,
    {
        let spec = self.kind.spec::<T>();
        let drops = if T::DROP_EITHER_FACE { Drops::Either } else { spec.drops };
        drops.allow(self.promoted)
            && spec.role != Role::Royal
            && (!self.promoted || spec.back.is_some())
    }

    /// The face without the type of its rule table.
    #[inline(always)]
    pub const fn any(self) -> Face {
        Face { kind: self.kind.any(), promoted: self.promoted }
    }
}

impl<R: Letters> Debug for Face<R> {
    /// Writes the letter of the kind, or its index if no type says of which rule table it is, with a plus before the
    /// back: `+S`, `+2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.promoted { "+" } else { "" })?;
        match R::letter(self.kind.index()) {
            Some(letter) => write!(f, "{letter}"),
            None => write!(f, "{}", self.kind.0),
        }
    }
}

impl Face {
    /// The face as one of a rule table.
    #[inline(always)]
    pub(crate) const fn typed<R: RuleTable>(self) -> Face<R> {
        Face { kind: Kind(self.kind.0, PhantomData), promoted: self.promoted }
    }

    /// How many faces a rule table can have.
    pub const MAX: usize = 2 * MAX_KINDS;

    /// The face with this [`Face::index`].
    pub(crate) const fn numbered(number: usize) -> Self {
        Self { kind: Kind::new((number / 2) as u8), promoted: number % 2 == 1 }
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

    /// As [`Face::known_movement`], or no movement if the rule table has no such face.
    #[doc(hidden)]
    pub const fn moving<R: RuleTable>(self) -> Movement {
        match self.known_movement::<R>() {
            Some(movement) => movement,
            None => Movement::new(Step::None, Slide::None),
        }
    }

    /// All faces of a rule table: fronts and backs, kind by kind.
    #[inline(always)]
    pub fn all<R: RuleTable>() -> impl Iterator<Item = Self> {
        let kinds = R::kinds();
        Faces { indices: 0..2 * kinds.len() as u8, kinds }
    }
}

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

    /// The most frequent search of all, without the closures of the default implementation.
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
    /// The numbers of the faces still to be returned, in order.
    indices: Range<u8>,
    kinds: &'static [KindSpec],
}

impl Iterator for Faces {
    type Item = Face;

    #[inline(always)]
    fn next(&mut self) -> Option<Face> {
        loop {
            let index = self.indices.next()?;
            let face = Face { kind: Kind((index / 2) & 7, PhantomData), promoted: index % 2 == 1 };
            if !face.promoted || self.kinds[face.kind.index()].back.is_some() {
                return Some(face);
            }
        }
    }
}
