//! A rule table as a value, for code that runs once for a rule table.
//!
//! Squares are numbers here and sets of squares words that hold every board. Code that runs for
//! each placement takes the rule table as a type.

use shogi_core::{
    Colour, Direction, Face, Geometry, Kind, KindSpec, MAX_KINDS, Movement, Piece, Role, RuleTable,
    Slide, Step, Word, dead_ranks, unnamed,
};

use crate::constants::Constants;

/// A set of squares: bit i is square number i.
pub(crate) type Squares = u128;

/// A rule table and its board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table {
    pub(crate) kinds: &'static [KindSpec],
    pub(crate) royal: Kind,
    pub(crate) width: u8,
    pub(crate) height: u8,
    pub(crate) allows_nifu: bool,
    allows_immobile: bool,
    drop_either_face: bool,
    /// On how many of the farthest ranks each face can never move again.
    dead: [u8; Face::MAX],
    /// Whether all pieces move by named patterns and the royal one as a king, so that checks can be counted.
    pub(crate) is_named: bool,
    /// One more than the most pieces of any kind.
    pub(crate) shares: usize,
    steps: fn(Step, Colour, u8) -> Squares,
    ray: fn(Direction, u8) -> Squares,
    between: fn(u8, u8) -> Squares,
}

/// By face, on how many of the farthest ranks it can never move again, for named patterns.
const fn dead_of(kinds: &[KindSpec]) -> [u8; Face::MAX] {
    let (mut dead, mut kind) = ([0; Face::MAX], 0);
    while kind < kinds.len() {
        dead[2 * kind] = kinds[kind].front.dead_ranks();
        if let Some(back) = kinds[kind].back {
            dead[2 * kind + 1] = back.dead_ranks();
        }
        kind += 1;
    }
    dead
}

impl Table {
    /// The table of a compiled rule set; [`Constants::table`] keeps it.
    pub(crate) const fn of<R: RuleTable>() -> Self {
        Self {
            kinds: R::KINDS,
            royal: Constants::<R>::ROYAL,
            width: R::Geometry::WIDTH,
            height: R::Geometry::HEIGHT,
            allows_nifu: R::ALLOWS_NIFU,
            allows_immobile: R::ALLOWS_IMMOBILE,
            drop_either_face: R::DROP_EITHER_FACE,
            dead: dead_of(R::KINDS),
            is_named: unnamed(R::KINDS).is_none(),
            shares: most(R::KINDS) as usize + 1,
            steps: |step, colour, square| {
                R::Geometry::step_word(step, colour, usize::from(square)).widen()
            },
            ray: |direction, square| R::Geometry::ray_word(direction, usize::from(square)).widen(),
            between: |a, b| R::Geometry::between_word(usize::from(a), usize::from(b)).widen(),
        }
    }

    /// The table of the loaded rule set that the thread has entered; every thread that uses it must have
    /// entered that rule set.
    pub(crate) fn looked_up<R: RuleTable>() -> Self {
        let royal = Kind::all::<R>().find(|kind| kind.spec::<R>().role == Role::Royal);
        Self {
            kinds: R::kinds(),
            royal: royal.unwrap_or(Kind::new(0)),
            width: R::Geometry::width(),
            height: R::Geometry::height(),
            allows_nifu: R::pawns_on_a_file().is_none(),
            allows_immobile: R::allows_immobile(),
            drop_either_face: R::drops_either_face(),
            dead: std::array::from_fn(|number| {
                let kind = Kind::new((number / 2) as u8);
                let face = Face { kind, promoted: number % 2 == 1 };
                let exists = Face::all::<R>().any(|one| one == face);
                if exists { dead_ranks::<R>(face).unwrap_or_default() } else { 0 }
            }),
            is_named: unnamed(R::kinds()).is_none(),
            shares: most(R::kinds()) as usize + 1,
            ..Self::of::<R>()
        }
    }

    /// Whether it is of the same rule set as another one that was read at run time.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        std::ptr::eq(self.kinds, other.kinds)
    }

    /// Number of squares.
    pub(crate) const fn area(&self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Number of squares left by the two kings.
    #[inline(always)]
    pub(crate) const fn left_by_kings(&self) -> usize {
        self.area() - 2
    }

    /// All kinds, in order.
    pub(crate) fn all_kinds(&self) -> impl DoubleEndedIterator<Item = Kind> + use<> {
        (0..self.kinds.len() as u8).map(Kind::new)
    }

    /// The kinds other than the royal one, in order.
    pub(crate) fn kinds(&self) -> impl DoubleEndedIterator<Item = Kind> + use<> {
        let royal = self.royal;
        self.all_kinds().filter(move |&kind| kind != royal)
    }

    /// The description of a kind.
    #[inline(always)]
    pub(crate) const fn spec(&self, kind: Kind) -> &'static KindSpec {
        &self.kinds[kind.index()]
    }

    /// How many pieces of a kind the set has.
    #[inline(always)]
    pub(crate) const fn count(&self, kind: Kind) -> u32 {
        self.spec(kind).count as u32
    }

    /// Whether the set has so many pieces of each kind.
    pub(crate) fn has_pieces(&self, pieces: &[u8; MAX_KINDS]) -> bool {
        self.kinds.iter().zip(pieces).all(|(spec, &number)| number <= spec.count)
    }

    /// The binary logarithm of the number of ways in which a piece can lie on its square: either
    /// owner, either face if there are two.
    #[inline(always)]
    pub(crate) const fn face_bits(&self, kind: Kind) -> u32 {
        if self.spec(kind).back.is_some() { 2 } else { 1 }
    }

    /// All faces with their movements: fronts and backs, kind by kind.
    pub(crate) fn faces(&self) -> impl Iterator<Item = (Face, Movement)> + Clone {
        (0..2 * self.kinds.len() as u8).filter_map(|number| {
            let face = Face { kind: Kind::new(number / 2), promoted: number % 2 == 1 };
            Some((face, self.movement(face)?))
        })
    }

    /// How a face moves; `None` for a back that the kind does not have.
    pub(crate) fn movement(&self, face: Face) -> Option<Movement> {
        let spec = self.spec(face.kind);
        if face.promoted { spec.back } else { Some(spec.front) }
    }

    /// Whether a face is an unpromoted pawn.
    pub(crate) fn is_pawn(&self, face: Face) -> bool {
        !face.promoted && self.spec(face.kind).role == Role::Pawn
    }

    /// Whether the rules let a piece be dropped with this face up.
    pub(crate) fn is_droppable(&self, face: Face) -> bool {
        let has_back = self.spec(face.kind).back.is_some();
        face.kind != self.royal && (!face.promoted || self.drop_either_face && has_back)
    }

    /// On how many of the farthest ranks a face must not stand.
    pub(crate) fn dead_ranks(&self, face: Face) -> u8 {
        if self.allows_immobile { 0 } else { self.dead[face.index()] }
    }

    /// Whether a piece stands where it can never move again, and that is illegal.
    pub(crate) fn is_dead(&self, Piece { face, colour }: Piece, square: u8) -> bool {
        self.ranks_ahead(colour, self.rank(square)) < self.dead_ranks(face)
    }

    /// Where a player's unpromoted pawns may stand.
    pub(crate) fn pawn_squares(&self, colour: Colour) -> Squares {
        let pawns = self.faces().filter(|&(face, _)| self.is_pawn(face));
        let may_stand = |square: &u8| {
            pawns.clone().any(|(face, _)| !self.is_dead(Piece { face, colour }, *square))
        };
        set_of(self.squares().filter(may_stand))
    }

    /// How many ranks there are ahead of a player's piece on a rank, counted from the top.
    pub(crate) const fn ranks_ahead(&self, colour: Colour, rank: u8) -> u8 {
        match colour {
            Colour::Sente => rank,
            Colour::Gote => self.height - 1 - rank,
        }
    }

    /// The numbers of all squares.
    pub(crate) const fn squares(&self) -> std::ops::Range<u8> {
        0..self.width * self.height
    }

    /// The set of all squares.
    pub(crate) const fn all_squares(&self) -> Squares {
        Squares::MAX >> (128 - self.area())
    }

    /// The column of a square from the left, from 0.
    pub(crate) const fn column(&self, square: u8) -> u8 {
        square / self.height
    }

    /// The rank of a square from the top, from 0.
    pub(crate) const fn rank(&self, square: u8) -> u8 {
        square % self.height
    }

    /// The mirror image of a square, left and right exchanged.
    pub(crate) const fn mirror(&self, square: u8) -> u8 {
        (self.width - 1 - self.column(square)) * self.height + self.rank(square)
    }

    /// All squares of the file of a square.
    pub(crate) fn file_of(&self, square: u8) -> Squares {
        let file = self.squares().filter(|&other| self.column(other) == self.column(square));
        set_of(file)
    }

    /// Whether every piece in hand can have been captured on any square: with some face it may stand
    /// everywhere, whatever else there is.
    pub(crate) fn restores_anywhere(&self) -> bool {
        let is_free =
            |face| self.dead_ranks(face) == 0 && (self.allows_nifu || !self.is_pawn(face));
        self.kinds().all(|kind| self.faces().any(|(face, _)| face.kind == kind && is_free(face)))
    }

    /// Whether a square is on the middle file: its own mirror image.
    pub(crate) const fn is_middle(&self, square: u8) -> bool {
        2 * self.column(square) + 1 == self.width
    }

    /// Whether a square is on the right half.
    pub(crate) const fn is_right(&self, square: u8) -> bool {
        2 * self.column(square) + 1 > self.width
    }

    /// How many king pairs there are, mirror images folded as in a [`Space`](crate::Space).
    pub(crate) const fn king_pairs(&self) -> u64 {
        let (left, middle) = (self.left_half(), self.middle_file());
        left * (self.area() as u64 - 1) + middle * (left + middle).saturating_sub(1)
    }

    /// The number of squares on the left half.
    pub(crate) const fn left_half(&self) -> u64 {
        self.height as u64 * (self.width / 2) as u64
    }

    /// The number of squares on the middle file.
    pub(crate) const fn middle_file(&self) -> u64 {
        self.height as u64 * (self.width % 2) as u64
    }

    /// Squares that a player's step pattern reaches.
    pub(crate) fn step_attacks(&self, step: Step, colour: Colour, square: u8) -> Squares {
        (self.steps)(step, colour, square)
    }

    /// Squares that a player's slide reaches over the given occupied squares, the first blocker of
    /// each ray included.
    pub(crate) fn slide_attacks(
        &self,
        slide: Slide,
        colour: Colour,
        square: u8,
        occupied: Squares,
    ) -> Squares {
        let directions = slide.directions(colour);
        directions.iter().fold(0, |all, &ray| all | self.ray_attacks(ray, square, occupied))
    }

    /// Squares in one direction up to and including the first occupied one.
    pub(crate) fn ray_attacks(
        &self,
        direction: Direction,
        square: u8,
        occupied: Squares,
    ) -> Squares {
        let ray = (self.ray)(direction, square);
        let blockers = occupied & ray;
        let reached = if direction.ascends() {
            blockers ^ blockers.wrapping_sub(1)
        } else {
            Squares::MAX << (127 - (blockers | 1).leading_zeros())
        };
        ray & reached
    }

    /// Squares strictly between two squares on a common line; none otherwise.
    pub(crate) fn between(&self, a: u8, b: u8) -> Squares {
        (self.between)(a, b)
    }
}

/// The most pieces of any kind.
const fn most(kinds: &[KindSpec]) -> u8 {
    let (mut most, mut k) = (0, 0);
    while k < kinds.len() {
        if kinds[k].count > most {
            most = kinds[k].count;
        }
        k += 1;
    }
    most
}

/// The set of one square.
#[inline(always)]
pub(crate) const fn one(square: u8) -> Squares {
    1 << square
}

/// The set of some squares.
pub(crate) fn set_of(squares: impl Iterator<Item = u8>) -> Squares {
    squares.fold(0, |set, square| set | one(square))
}

/// Whether a square is a member of a set.
#[inline(always)]
pub(crate) const fn has(squares: Squares, square: u8) -> bool {
    squares >> square & 1 == 1
}

/// The members of a set, in order.
#[inline(always)]
pub(crate) fn members<W: Word>(mut squares: W) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        if squares == W::ZERO {
            return None;
        }
        let first = squares.trailing_zeros() as u8;
        squares &= squares.decrement();
        Some(first)
    })
}
