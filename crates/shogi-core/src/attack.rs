//! Attack sets: steps by table, slides by two rays of line masks.
//!
//! A ray is cut at its first blocker without a table of blockers. In a direction of growing square
//! numbers, `b ^ (b - 1)` for the blockers `b` on the ray has all bits up to and including the
//! lowest; in the other directions a mask shifted to the highest blocker does the same. Without a
//! blocker both give the whole ray. This is fast because it needs one table line for each ray and
//! no branch.

use crate::bitboard::Bitboard;
use crate::colour::Colour;
use crate::geometry::Geometry;
use crate::movement::{Movement, Slide, Step};
use crate::rays_and_jumps::RaysAndJumps;
use crate::special::Special;
use crate::square::Square;
use crate::steps::Direction;
use crate::table::{Face, Role, RuleTable};
use crate::word::Word;

/// Squares a step pattern of `colour` reaches from `square`.
#[inline(always)]
pub fn step_attacks<G: Geometry>(step: Step, colour: Colour, square: Square<G>) -> Bitboard<G> {
    Bitboard::from_table(G::step_word(step, colour, square.index()))
}

/// Squares from `square` in one direction up to and including the first occupied one.
///
/// ```
/// use shogi_core::{Board5x5, Direction, Square, picture, ray_attacks};
/// let occupied = picture!(Board5x5:
///     . . . . .
///     . . . . #
///     . . . . .
///     . # . . #
///     . . . . .
/// );
/// let from = Square::<Board5x5>::new(1, 4).unwrap();
/// assert_eq!(ray_attacks(Direction::NorthEast, from, occupied), picture!(Board5x5:
///     . . . . .
///     . . . . #
///     . . . # .
///     . . # . .
///     . . . . .
/// ));
/// ```
#[inline(always)]
pub fn ray_attacks<G: Geometry>(
    direction: Direction,
    square: Square<G>,
    occupied: Bitboard<G>,
) -> Bitboard<G> {
    let ray = G::ray_word(direction, square.index());
    let blockers = occupied.word() & ray;
    let reached = if direction.ascends() {
        blockers ^ blockers.decrement()
    } else {
        let highest = G::Word::BITS - 1 - (blockers | G::Word::ONE).leading_zeros();
        !G::Word::ZERO << highest
    };
    Bitboard::from_table(ray & reached)
}

/// Squares a slide of `colour` reaches from `square` over the given occupied squares, the first
/// blocker of each ray included.
#[inline(always)]
pub fn slide_attacks<G: Geometry>(
    slide: Slide,
    colour: Colour,
    square: Square<G>,
    occupied: Bitboard<G>,
) -> Bitboard<G> {
    let ray = |direction| ray_attacks(direction, square, occupied);
    match slide {
        Slide::None => Bitboard::EMPTY,
        Slide::Forward => match colour {
            Colour::Sente => ray(Direction::North),
            Colour::Gote => ray(Direction::South),
        },
        Slide::Diagonal => {
            ray(Direction::NorthEast)
                | ray(Direction::SouthEast)
                | ray(Direction::SouthWest)
                | ray(Direction::NorthWest)
        }
        Slide::Orthogonal => {
            ray(Direction::North)
                | ray(Direction::East)
                | ray(Direction::South)
                | ray(Direction::West)
        }
    }
}

/// Squares a slide of `colour` reaches from `square` on an empty board.
#[inline(always)]
pub(crate) fn slide_lines<G: Geometry>(
    slide: Slide,
    colour: Colour,
    square: Square<G>,
) -> Bitboard<G> {
    let forward = if colour == Colour::Sente { Direction::North } else { Direction::South };
    Bitboard::from_table(match slide {
        Slide::None => G::Word::ZERO,
        Slide::Forward => G::ray_word(forward, square.index()),
        Slide::Diagonal => G::line_word(true, square.index()),
        Slide::Orthogonal => G::line_word(false, square.index()),
    })
}

/// Squares a piece of `colour` attacks from `square`: its steps and slides.
///
/// The squares from which a piece of `colour` attacks `square` are the attacks of the *other*
/// colour from it, since every movement is symmetric under the half turn.
#[inline(always)]
pub fn attacks<G: Geometry>(
    movement: Movement,
    colour: Colour,
    square: Square<G>,
    occupied: Bitboard<G>,
) -> Bitboard<G> {
    if movement.is_special() {
        return reach_attacks(movement.reach(), colour, square, occupied);
    }
    step_attacks(movement.step, colour, square)
        | slide_attacks(movement.slide, colour, square, occupied)
}

/// [`attacks`] of a face whose movement is `movement`: where it captures. A rule table loaded at run time looks the
/// set up.
#[inline(always)]
pub fn face_attacks<R: RuleTable>(
    (face, movement): (Face, Movement),
    colour: Colour,
    square: Square<R::Geometry>,
    occupied: Bitboard<R::Geometry>,
) -> Bitboard<R::Geometry> {
    if const { R::RUNTIME } {
        let lookup = R::Geometry::lookup();
        let face = lookup.face(face);
        let reached = lookup.reached(face, colour, square.index(), occupied.word());
        return Bitboard::from_table(reached);
    }
    face_leaps::<R>((face, movement), colour, square)
        | face_slides::<R>((face, movement), colour, square, occupied)
}

/// Where a piece goes from a square: to empty squares, and to those of `enemies`, which it captures. Mostly it does
/// both alike.
#[inline(always)]
pub fn face_moves<R: RuleTable>(
    (face, movement): (Face, Movement),
    colour: Colour,
    square: Square<R::Geometry>,
    occupied: Bitboard<R::Geometry>,
    enemies: Bitboard<R::Geometry>,
) -> Bitboard<R::Geometry> {
    let captures = face_attacks::<R>((face, movement), colour, square, occupied);
    if const { R::RUNTIME } {
        let lookup = R::Geometry::lookup();
        if let Some(quiet) = &lookup.face(face).quiet {
            let reached = lookup.reached(quiet, colour, square.index(), occupied.word());
            return (captures & enemies) | (Bitboard::from_table(reached) - occupied);
        }
    }
    captures
}

/// Squares from which a face of `by` attacks a square: the attacks of the other player's piece from there, unless a
/// rule table loaded at run time has regions.
#[inline(always)]
pub fn face_sources<R: RuleTable>(
    (face, movement): (Face, Movement),
    by: Colour,
    square: Square<R::Geometry>,
    occupied: Bitboard<R::Geometry>,
) -> Bitboard<R::Geometry> {
    if const { R::RUNTIME } {
        let lookup = R::Geometry::lookup();
        let face = lookup.face(face);
        let sources = lookup.sources(face, by, square.index(), occupied.word());
        return Bitboard::from_table(sources);
    }
    face_attacks::<R>((face, movement), !by, square, occupied)
}

/// Squares from which a face of `by` comes to a square that is empty before.
#[inline(always)]
pub(crate) fn quiet_sources<R: RuleTable>(
    (face, movement): (Face, Movement),
    by: Colour,
    square: Square<R::Geometry>,
    occupied: Bitboard<R::Geometry>,
) -> Bitboard<R::Geometry> {
    if const { R::RUNTIME } {
        let lookup = R::Geometry::lookup();
        if let Some(quiet) = &lookup.face(face).quiet {
            let sources = lookup.sources(quiet, by, square.index(), occupied.word());
            return Bitboard::from_table(sources);
        }
    }
    face_sources::<R>((face, movement), by, square, occupied)
}

/// The leaps and the slides among [`face_sources`].
#[inline(always)]
pub(crate) fn leap_and_slide_sources<R: RuleTable>(
    (face, movement): (Face, Movement),
    by: Colour,
    square: Square<R::Geometry>,
    occupied: Bitboard<R::Geometry>,
) -> (Bitboard<R::Geometry>, Bitboard<R::Geometry>) {
    if const { R::RUNTIME } {
        let lookup = R::Geometry::lookup();
        let face = lookup.face(face);
        let leaps = face.leap_sources[by.index()][square.index() & 127];
        let slides = match face.is_slider {
            true => lookup.slide_sources(face, by, square.index(), occupied.word()),
            false => <R::Geometry as Geometry>::Word::ZERO,
        };
        return (Bitboard::from_table(leaps), Bitboard::from_table(slides));
    }
    let leaps = face_leaps::<R>((face, movement), !by, square);
    (leaps, face_slides::<R>((face, movement), !by, square, occupied))
}

/// Where a face steps and jumps.
#[inline(always)]
pub fn face_leaps<R: RuleTable>(
    (face, movement): (Face, Movement),
    colour: Colour,
    square: Square<R::Geometry>,
) -> Bitboard<R::Geometry> {
    if const { R::RUNTIME } {
        let leaps = &R::Geometry::lookup().face(face).leaps;
        return Bitboard::from_table(leaps[colour.index()][square.index() & 127]);
    }
    if const { Special::<R>::ANY } && movement.is_special() {
        return Special::<R>::leaps(face, colour, square);
    }
    step_attacks(movement.step, colour, square)
}

/// Where a face slides, the first blocker of each ray included.
#[inline(always)]
pub fn face_slides<R: RuleTable>(
    (face, movement): (Face, Movement),
    colour: Colour,
    square: Square<R::Geometry>,
    occupied: Bitboard<R::Geometry>,
) -> Bitboard<R::Geometry> {
    if const { R::RUNTIME } {
        let lookup = R::Geometry::lookup();
        let face = lookup.face(face);
        if !face.is_slider {
            return Bitboard::EMPTY;
        }
        return Bitboard::from_table(lookup.slide(face, colour, square.index(), occupied.word()));
    }
    if const { Special::<R>::ANY } && movement.is_special() {
        return ray_slides(movement.reach(), 2, colour, square, occupied);
    }
    slide_attacks(movement.slide, colour, square, occupied)
}

/// Where a face slides on an empty board.
#[inline(always)]
pub(crate) fn face_lines<R: RuleTable>(
    (face, movement): (Face, Movement),
    colour: Colour,
    square: Square<R::Geometry>,
) -> Bitboard<R::Geometry> {
    if const { R::RUNTIME } {
        let lines = &R::Geometry::lookup().face(face).lines;
        return Bitboard::from_table(lines[colour.index()][square.index() & 127]);
    }
    if const { Special::<R>::ANY } && movement.is_special() {
        return Special::<R>::lines(face, colour, square);
    }
    slide_lines(movement.slide, colour, square)
}

/// Squares on which the rules of its kind let a player drop a face, unless it could never move again there.
#[inline(always)]
pub(crate) fn drop_region<R: RuleTable>(face: Face, colour: Colour) -> Bitboard<R::Geometry> {
    if const { R::RUNTIME } {
        let allowed = R::Geometry::lookup().face(face).drop_region[colour.index()];
        return Bitboard::from_table(allowed);
    }
    Bitboard::all()
}

/// Squares where a face could never move again.
#[inline(always)]
pub fn dead_squares<R: RuleTable>(face: Face, colour: Colour) -> Bitboard<R::Geometry> {
    if const { R::RUNTIME } {
        return Bitboard::from_table(R::Geometry::lookup().face(face).dead[colour.index()]);
    }
    let movement = face.movement::<R>();
    if const { Special::<R>::ANY } && movement.is_some_and(Movement::is_special) {
        return Special::<R>::dead(face, colour);
    }
    match DeadRanks::<R>::OF_FACES[face.index()] {
        0 => Bitboard::EMPTY,
        ranks => camp(colour, ranks),
    }
}

/// [`Movement::dead_ranks`] of each face, worked out at compile time.
struct DeadRanks<R>(core::marker::PhantomData<R>);

impl<R: RuleTable> DeadRanks<R> {
    const OF_FACES: [u8; Face::MAX] = {
        let (mut ranks, mut face) = ([0; Face::MAX], 0);
        while face < Face::MAX {
            ranks[face] = Face::numbered(face).moving::<R>().dead_ranks();
            face += 1;
        }
        ranks
    };
}

/// Squares where a king could never move again and therefore must not step, if the rules forbid that.
///
/// `face` is the king's.
#[inline(always)]
pub fn dead_ends_of_king<R: RuleTable>(face: Face, colour: Colour) -> Bitboard<R::Geometry> {
    if const { R::RUNTIME } {
        return Bitboard::from_table(R::Geometry::lookup().dead_ends_of_king[colour.index()]);
    }
    // The usual king can leave every square, and its generator has nothing to take away.
    if const { king_has_dead_ends::<R>() } {
        dead_squares::<R>(face, colour)
    } else {
        Bitboard::EMPTY
    }
}

/// Whether the rules keep the king off some square because it could never move again there.
const fn king_has_dead_ends<R: RuleTable>() -> bool {
    let mut kind = 0;
    while kind < R::KINDS.len() {
        let spec = &R::KINDS[kind];
        let may_be_stuck = spec.front.is_special() || spec.front.dead_ranks() > 0;
        if matches!(spec.role, Role::Royal) && may_be_stuck {
            return !R::ALLOWS_IMMOBILE;
        }
        kind += 1;
    }
    false
}

/// All squares where a piece of some face could never move again; the set may contain others.
#[inline(always)]
pub fn anywhere_dead<R: RuleTable>(colour: Colour) -> Bitboard<R::Geometry> {
    if const { R::RUNTIME } {
        return Bitboard::from_table(R::Geometry::lookup().dead[colour.index()]);
    }
    let mut dead = camp(colour, 2);
    if const { Special::<R>::ANY } {
        for face in Face::all::<R>() {
            dead |= dead_squares::<R>(face, colour);
        }
    }
    dead
}

/// Squares that rays and jumps of `colour` reach from `square`.
pub(crate) fn reach_attacks<G: Geometry>(
    reach: RaysAndJumps,
    colour: Colour,
    square: Square<G>,
    occupied: Bitboard<G>,
) -> Bitboard<G> {
    jump_attacks(reach, colour, square) | ray_slides(reach, 1, colour, square, occupied)
}

/// Squares that the jumps reach.
fn jump_attacks<G: Geometry>(
    reach: RaysAndJumps,
    colour: Colour,
    square: Square<G>,
) -> Bitboard<G> {
    let mut reached = Bitboard::EMPTY;
    for (forward, right) in reach.jumps() {
        let (up, right) = match colour {
            Colour::Sente => (forward, right),
            Colour::Gote => (-forward, -right),
        };
        let column = square.column().checked_add_signed(right);
        let rank = square.rank().checked_add_signed(-up);
        if let Some(to) = column.zip(rank).and_then(|(column, rank)| Square::new(column, rank)) {
            reached.insert(to);
        }
    }
    reached
}

/// Squares that the rays of at least this range reach, the first blocker of each included.
fn ray_slides<G: Geometry>(
    reach: RaysAndJumps,
    least: u8,
    colour: Colour,
    square: Square<G>,
    occupied: Bitboard<G>,
) -> Bitboard<G> {
    let mut reached = Bitboard::EMPTY;
    for direction in Direction::ALL {
        let range = reach.range(direction);
        if range >= least {
            let direction = direction.seen_by(colour);
            reached |= ray_attacks(direction, square, occupied) - beyond(direction, range, square);
        }
    }
    reached
}

/// Squares on a ray that lie farther away than `range`.
fn beyond<G: Geometry>(direction: Direction, range: u8, square: Square<G>) -> Bitboard<G> {
    let mut beyond = G::ray_word(direction, square.index());
    for _ in 0..range {
        if beyond == G::Word::ZERO {
            break;
        }
        beyond &= if direction.ascends() {
            beyond.decrement()
        } else {
            !(G::Word::ONE << (G::Word::BITS - 1 - beyond.leading_zeros()))
        };
    }
    Bitboard::from_table(beyond)
}

/// Squares strictly between two squares on a common file, rank or diagonal; none otherwise.
#[inline(always)]
pub fn between<G: Geometry>(a: Square<G>, b: Square<G>) -> Bitboard<G> {
    Bitboard::from_table(G::between_word(a.index(), b.index()))
}

/// The `ranks` ranks farthest from the given player's own side (at most 15).
///
/// # Panics
///
/// If `ranks` exceeds 15.
#[inline(always)]
pub fn camp<G: Geometry>(colour: Colour, ranks: u8) -> Bitboard<G> {
    Bitboard::from_table(G::camp_word(colour, ranks as usize))
}
