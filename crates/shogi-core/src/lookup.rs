//! Tables of a board and a rule table that are loaded at run time.
//!
//! For other rule tables these are compile-time constants: rays, lines and camps of the board, and for each
//! face where it leaps, where it slides on an empty board, where it is dead, and how it turns over. The
//! generator is the same.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use arrayvec::ArrayVec;

use crate::board_size::BoardSize;
use crate::colour::Colour;
use crate::hand::Hand;
use crate::movement::{Movement, Slide, Step};
use crate::notation::Notation;
use crate::spec::{SpecFault, TableSpec};
use crate::steps::Direction;
use crate::table::{Drops, Face, Kind, KindSpec, MAX_KINDS, Role, Turning};
use crate::word::Word;

/// The table of a board without squares.
const NOTHING: &TableSpec = &TableSpec::new(0, 0, Vec::new());

/// One word for each square.
type Squares<W> = [W; 128];

/// A rule table made ready for the generator; `W` has a bit for each square of the board.
///
/// ```
/// use shogi_core::{KindSpec, Lookup, TableSpec};
/// let kings = TableSpec::new(3, 3, vec![KindSpec::royal('K')]);
/// assert_eq!(Lookup::<u64>::leaked(kings)?.spec().area(), 9);
/// let wide = TableSpec::new(9, 9, vec![KindSpec::royal('K')]);
/// assert!(Lookup::<u64>::leaked(wide).is_err());
/// # Ok::<(), Vec<shogi_core::SpecFault>>(())
/// ```
#[derive(Debug)]
pub struct Lookup<W> {
    spec: &'static TableSpec,
    notation: Notation,
    pub(crate) full: W,
    rays: [Squares<W>; 8],
    /// Both diagonals and both orthogonals.
    lines: [Squares<W>; 2],
    camps: [[W; 16]; 2],
    files: Squares<W>,
    between: Vec<Squares<W>>,
    /// The named patterns of steps for each player.
    steps: Vec<[Squares<W>; 2]>,
    /// Indexed by [`Face::index`]; empty for a board without squares.
    faces: Vec<FaceLookup<W>>,
    /// How the faces move.
    movements: [Movement; Face::MAX],
    /// The faces that exist.
    pub(crate) order: ArrayVec<Face, { Face::MAX }>,
    /// The faces that are dropped.
    pub(crate) drops: ArrayVec<DropLookup<W>, { Face::MAX }>,
    /// The faces that slide.
    pub(crate) sliders: ArrayVec<Face, { Face::MAX }>,
    /// For each player and target the squares from which any face captures there by a leap.
    pub(crate) leap_sources: [Squares<W>; 2],
    /// The squares from which any face captures there by a slide on an empty board.
    pub(crate) line_sources: [Squares<W>; 2],
    /// Where some face could never move again.
    pub(crate) dead: [W; 2],
    pub(crate) zones: [W; 2],
    pub(crate) royal: Kind,
    /// Where the royal piece may not step because it could never move again.
    pub(crate) dead_ends_of_king: [W; 2],
    /// Whether the royal piece must not be left in attack.
    pub(crate) royal_safety: bool,
    /// The kinds that are pawns, as a bit mask.
    pub(crate) pawn_kinds: u8,
    /// Whether all pieces reach the same squares with left and right exchanged.
    pub(crate) is_mirror_symmetric: bool,
    /// Whether some piece is dropped with either face up.
    pub(crate) drops_either_face: bool,
    /// Whether a piece leaps to a square in line with it that is no neighbour.
    pub(crate) jumps_along_lines: bool,
    /// Whether a game can end although there are moves on the board.
    pub(crate) can_be_over: bool,
    /// Whether some kind has rules besides its movements.
    pub(crate) has_kind_rules: bool,
    /// Whether some piece may not stand on every square.
    pub(crate) has_regions: bool,
}

/// Facts about the drops of one face.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DropLookup<W> {
    pub(crate) face: Face,
    /// The bits of a hand that count the kind.
    pub(crate) in_hand: u32,
    /// Where it must not be dropped: it could never move again, or the square is outside its region.
    pub(crate) dead: [W; 2],
    /// Whether the rules on drops treat it as a pawn.
    pub(crate) is_pawn: bool,
}

/// Facts about one face. Leaps and slides are those of its captures, which attack.
#[derive(Clone, Debug)]
pub(crate) struct FaceLookup<W> {
    /// Where it steps and jumps, for each player.
    pub(crate) leaps: [Squares<W>; 2],
    /// Where it slides on an empty board.
    pub(crate) lines: [Squares<W>; 2],
    /// For each player and target the squares from which it leaps there.
    pub(crate) leap_sources: [Squares<W>; 2],
    /// The squares from which it slides there on an empty board.
    pub(crate) line_sources: [Squares<W>; 2],
    /// Its moves to empty squares, if it moves otherwise than it captures.
    pub(crate) quiet: Option<Box<FaceLookup<W>>>,
    /// Where it may stand, for each player.
    pub(crate) region: [W; 2],
    /// Where it may be dropped, unless it could never move again there.
    pub(crate) drop_region: [W; 2],
    /// The directions of its slides in which square numbers grow, and the others, as bit masks.
    pub(crate) up: [u8; 2],
    pub(crate) down: [u8; 2],
    /// XORed with the word of promoted pieces, this gives the pieces with this side up.
    pub(crate) inverted: W,
    /// Where it could never move again.
    pub(crate) dead: [W; 2],
    pub(crate) turning: Turning,
    pub(crate) is_pawn_step: bool,
    pub(crate) is_slider: bool,
}

impl<W: Word> FaceLookup<W> {
    pub(crate) const EMPTY: Self = Self {
        leaps: [[W::ZERO; 128]; 2],
        lines: [[W::ZERO; 128]; 2],
        leap_sources: [[W::ZERO; 128]; 2],
        line_sources: [[W::ZERO; 128]; 2],
        quiet: None,
        region: [W::ZERO; 2],
        drop_region: [W::ZERO; 2],
        up: [0; 2],
        down: [0; 2],
        inverted: W::ZERO,
        dead: [W::ZERO; 2],
        turning: Turning::Never,
        is_pawn_step: false,
        is_slider: false,
    };
}

impl<W: Word> Lookup<W> {
    /// A board without squares.
    #[doc(hidden)]
    pub const EMPTY: Self = Self {
        spec: NOTHING,
        notation: Notation::looked_up(NOTHING, &[], &[]),
        full: W::ZERO,
        rays: [[W::ZERO; 128]; 8],
        lines: [[W::ZERO; 128]; 2],
        camps: [[W::ZERO; 16]; 2],
        files: [W::ZERO; 128],
        between: Vec::new(),
        steps: Vec::new(),
        faces: Vec::new(),
        movements: [Movement::new(Step::None, Slide::None); Face::MAX],
        order: ArrayVec::new_const(),
        drops: ArrayVec::new_const(),
        sliders: ArrayVec::new_const(),
        leap_sources: [[W::ZERO; 128]; 2],
        line_sources: [[W::ZERO; 128]; 2],
        dead: [W::ZERO; 2],
        zones: [W::ZERO; 2],
        royal: Kind::new(0),
        dead_ends_of_king: [W::ZERO; 2],
        royal_safety: true,
        pawn_kinds: 0,
        is_mirror_symmetric: true,
        drops_either_face: false,
        jumps_along_lines: false,
        can_be_over: false,
        has_kind_rules: false,
        has_regions: false,
    };

    /// Builds the tables of a rule table. They take some hundred kilobytes and are never freed.
    ///
    /// # Errors
    ///
    /// Everything that makes the value invalid as a rule table, or that the board has more squares than the
    /// word has bits.
    pub fn leaked(spec: TableSpec) -> Result<&'static Self, Vec<SpecFault>> {
        let mut faults = spec.faults();
        if faults.is_empty() && spec.area() > W::BITS as usize {
            faults.push(SpecFault::Board { width: spec.width, height: spec.height });
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        let spec: &'static TableSpec = Box::leak(Box::new(spec));
        let notation = Notation::looked_up(spec, &spec.kinds, &spec.letters);
        let mut lookup = Box::new(Self { spec, notation, ..Self::EMPTY });
        lookup.add_board();
        lookup.add_kinds();
        Ok(Box::leak(lookup))
    }

    /// The rule table.
    #[inline(always)]
    pub const fn spec(&self) -> &'static TableSpec {
        self.spec
    }

    /// The notation's view of the rule table.
    pub(crate) const fn notation(&self) -> &Notation {
        &self.notation
    }

    /// The tables that depend on the board alone.
    fn add_board(&mut self) {
        let board = BoardSize { width: self.spec.width, height: self.spec.height };
        let area = self.spec.area();
        self.full = W::truncate(u128::MAX >> (128 - area));
        self.between = vec![[W::ZERO; 128]; area];
        self.steps = vec![[[W::ZERO; 128]; 2]; STEPS.len()];
        for square in 0..area {
            for direction in Direction::ALL {
                let mut passed = W::ZERO;
                for to in board.ray(square, direction) {
                    self.between[square][to] = passed;
                    passed |= one(to);
                }
                self.rays[direction as usize][square] = passed;
                self.lines[usize::from(direction.is_diagonal())][square] |= passed;
            }
            let (column, rank) =
                (square / usize::from(board.height), square % usize::from(board.height));
            for other in 0..area {
                if other / usize::from(board.height) == column {
                    self.files[square] |= one(other);
                }
            }
            for ranks in 0..16 {
                if rank < ranks {
                    self.camps[0][ranks] |= one(square);
                }
                if usize::from(board.height) - 1 - rank < ranks {
                    self.camps[1][ranks] |= one(square);
                }
            }
            for (table, step) in self.steps.iter_mut().zip(STEPS) {
                let reach = Movement::new(step, Slide::None).reach();
                for colour in Colour::ALL {
                    table[colour.index()][square] = board.leaps(reach, colour, square);
                }
            }
        }
    }

    /// The tables that depend on the pieces.
    fn add_kinds(&mut self) {
        let board = BoardSize { width: self.spec.width, height: self.spec.height };
        self.royal_safety = self.spec.goal.is_none();
        self.can_be_over = !self.royal_safety || self.spec.safe_goal > 0;
        self.faces = vec![FaceLookup::EMPTY; Face::MAX];
        for (index, spec) in self.spec.kinds.iter().enumerate() {
            let kind = Kind::new(index as u8);
            let extra = self.spec.extra(kind);
            self.has_kind_rules |= !extra.is_empty();
            self.has_regions |= extra.region.is_some();
            self.is_mirror_symmetric &= extra.is_mirror_symmetric(board.width, board.height);
            self.is_mirror_symmetric &= spec.is_mirror_symmetric();
            self.drops_either_face |= spec.drops == Drops::Either;
            match spec.role {
                Role::Royal => self.royal = kind,
                Role::Pawn => self.pawn_kinds |= 1 << index,
                Role::Ordinary => {}
            }
            self.add_face(board, spec, Face::front(kind), spec.front);
            if let Some(movement) = spec.back {
                self.add_face(board, spec, Face::back(kind), movement);
            }
        }
        if !self.spec.allows_immobile {
            self.dead_ends_of_king = self.face(Face::front(self.royal)).dead;
        }
        self.zones = [0, 1].map(|player| self.camps[player][usize::from(self.spec.zone)]);
        for face in &self.faces {
            for colour in 0..2 {
                self.dead[colour] |= face.dead[colour];
                for square in 0..self.spec.area() {
                    self.leap_sources[colour][square] |= face.leap_sources[colour][square];
                    self.line_sources[colour][square] |= face.line_sources[colour][square];
                }
            }
        }
    }

    /// The tables of a face that moves so.
    fn add_face(&mut self, board: BoardSize, spec: &KindSpec, face: Face, movement: Movement) {
        let extra = self.spec.extra(face.kind);
        let captures = extra.captures[usize::from(face.promoted)];
        let mut looked_up: FaceLookup<W> = board.face(movement, captures, extra.region);
        let (region, drop_region) = (looked_up.region, board.words::<W>(extra.drop_region));
        looked_up.drop_region = [0, 1].map(|player| region[player] & drop_region[player]);
        looked_up.inverted = if face.promoted { W::ZERO } else { !W::ZERO };
        looked_up.turning = self.spec.promotion.turning(spec.back.is_some(), face.promoted);
        let moves_as_a_pawn = movement == Movement::PAWN && !face.promoted;
        looked_up.is_pawn_step = moves_as_a_pawn && captures.is_none() && extra.region.is_none();
        let attack = captures.unwrap_or(movement).reach();
        self.jumps_along_lines |= attack.jumps_along_lines();
        self.order.push(face);
        if spec.is_droppable(face.promoted) {
            let allowed = self.spec.allows_immobile_drops;
            let dead = if allowed { [W::ZERO; 2] } else { looked_up.dead };
            let region = looked_up.drop_region;
            self.drops.push(DropLookup {
                face,
                in_hand: Hand::full_of(face.kind).bits(),
                dead: [0, 1].map(|player| dead[player] | self.full & !region[player]),
                is_pawn: spec.role == Role::Pawn && !face.promoted,
            });
        }
        if looked_up.is_slider {
            self.sliders.push(face);
        }
        self.movements[face.index()] = movement;
        self.faces[face.index()] = looked_up;
    }

    /// How a face moves.
    #[inline(always)]
    pub(crate) fn movement(&self, face: Face) -> Movement {
        self.movements[face.index() & (Face::MAX - 1)]
    }

    /// Facts about a face that exists.
    #[inline(always)]
    pub(crate) fn face(&self, face: Face) -> &FaceLookup<W> {
        &self.faces[face.index()]
    }

    /// Where a face slides.
    #[inline(always)]
    pub(crate) fn slide(
        &self,
        face: &FaceLookup<W>,
        colour: Colour,
        square: usize,
        occupied: W,
    ) -> W {
        self.rays(face, colour, square, occupied) & face.lines[colour.index()][square & 127]
    }

    /// The squares from which a face of `by` slides to a square.
    #[inline(always)]
    pub(crate) fn slide_sources(
        &self,
        face: &FaceLookup<W>,
        by: Colour,
        square: usize,
        occupied: W,
    ) -> W {
        self.rays(face, !by, square, occupied) & face.line_sources[by.index()][square & 127]
    }

    /// Where a face comes from a square: captures, or moves to empty squares if the face is of those.
    #[inline(always)]
    pub(crate) fn reached(
        &self,
        face: &FaceLookup<W>,
        colour: Colour,
        square: usize,
        occupied: W,
    ) -> W {
        let leaps = face.leaps[colour.index()][square & 127];
        if face.is_slider { leaps | self.slide(face, colour, square, occupied) } else { leaps }
    }

    /// The squares from which a face of `by` comes to a square: likewise.
    #[inline(always)]
    pub(crate) fn sources(
        &self,
        face: &FaceLookup<W>,
        by: Colour,
        square: usize,
        occupied: W,
    ) -> W {
        let leaps = face.leap_sources[by.index()][square & 127];
        if face.is_slider { leaps | self.slide_sources(face, by, square, occupied) } else { leaps }
    }

    /// The rays in the directions of a face's slides up to the first occupied squares.
    #[inline(always)]
    fn rays(&self, face: &FaceLookup<W>, colour: Colour, square: usize, occupied: W) -> W {
        let mut reached = W::ZERO;
        let mut up = face.up[colour.index()];
        while up != 0 {
            let ray = self.rays[up.trailing_zeros() as usize & 7][square & 127];
            let blockers = occupied & ray;
            reached |= ray & (blockers ^ blockers.decrement());
            up &= up - 1;
        }
        let mut down = face.down[colour.index()];
        while down != 0 {
            let ray = self.rays[down.trailing_zeros() as usize & 7][square & 127];
            let highest = W::BITS - 1 - (occupied & ray | W::ONE).leading_zeros();
            reached |= ray & (!W::ZERO << highest);
            down &= down - 1;
        }
        reached
    }

    /// See [`Geometry::step_word`](crate::Geometry::step_word).
    #[inline(always)]
    pub(crate) fn step(&self, step: Step, colour: Colour, square: usize) -> W {
        self.steps.get(step as usize).map_or(W::ZERO, |table| table[colour.index()][square & 127])
    }

    /// See [`Geometry::ray_word`](crate::Geometry::ray_word).
    #[inline(always)]
    pub(crate) fn ray(&self, direction: Direction, square: usize) -> W {
        self.rays[direction as usize][square & 127]
    }

    /// See [`Geometry::line_word`](crate::Geometry::line_word).
    #[inline(always)]
    pub(crate) fn line(&self, diagonal: bool, square: usize) -> W {
        self.lines[usize::from(diagonal)][square & 127]
    }

    /// See [`Geometry::between_word`](crate::Geometry::between_word).
    #[inline(always)]
    pub(crate) fn between(&self, a: usize, b: usize) -> W {
        self.between.get(a).map_or(W::ZERO, |squares| squares[b & 127])
    }

    /// See [`Geometry::camp_word`](crate::Geometry::camp_word).
    #[inline(always)]
    pub(crate) fn camp(&self, colour: Colour, ranks: usize) -> W {
        self.camps[colour.index()][ranks]
    }

    /// The file of a square.
    #[inline(always)]
    pub(crate) fn file(&self, square: usize) -> W {
        self.files[square & 127]
    }
}

/// All named patterns of steps, in order of their numbers.
const STEPS: [Step; 8] = [
    Step::None,
    Step::Pawn,
    Step::Knight,
    Step::Silver,
    Step::Gold,
    Step::King,
    Step::Orthogonal,
    Step::Diagonal,
];

const _: () = assert!(MAX_KINDS <= 8);

/// The word of one square.
pub(crate) fn one<W: Word>(square: usize) -> W {
    W::ONE << square as u32
}
