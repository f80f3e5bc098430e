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
use crate::square::Square;
use crate::steps::Direction;
use crate::table::{Face, RuleTable};
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
    face: (Face, Movement),
    colour: Colour,
    square: Square<R::Geometry>,
    occupied: Bitboard<R::Geometry>,
) -> Bitboard<R::Geometry> {
    R::leaps(face, colour, square) | R::slides(face, colour, square, occupied)
}

/// Where a piece goes from a square: to empty squares, and to those of `enemies`, which it captures. Mostly it does
/// both alike.
#[inline(always)]
pub fn face_moves<R: RuleTable>(
    face: (Face, Movement),
    colour: Colour,
    square: Square<R::Geometry>,
    occupied: Bitboard<R::Geometry>,
    enemies: Bitboard<R::Geometry>,
) -> Bitboard<R::Geometry> {
    let captures = face_attacks::<R>(face, colour, square, occupied);
    match R::quiet_moves(face.0, colour, square, occupied) {
        Some(quiet) => (captures & enemies) | quiet,
        None => captures,
    }
}

/// Squares from which a face of `by` attacks a square: the attacks of the other player's piece from there, unless a
/// rule table loaded at run time has regions.
#[inline(always)]
pub fn face_sources<R: RuleTable>(
    face: (Face, Movement),
    by: Colour,
    square: Square<R::Geometry>,
    occupied: Bitboard<R::Geometry>,
) -> Bitboard<R::Geometry> {
    let [leaps, slides] = R::sources(face, by, square, occupied);
    leaps | slides
}

/// Squares from which a face of `by` comes to a square that is empty before.
#[inline(always)]
pub(crate) fn quiet_sources<R: RuleTable>(
    face: (Face, Movement),
    by: Colour,
    square: Square<R::Geometry>,
    occupied: Bitboard<R::Geometry>,
) -> Bitboard<R::Geometry> {
    R::quiet_sources(face.0, by, square, occupied)
        .unwrap_or_else(|| face_sources::<R>(face, by, square, occupied))
}

/// [`Movement::dead_ranks`] of each face, worked out at compile time.
pub(crate) struct DeadRanks<R>(core::marker::PhantomData<R>);

impl<R: RuleTable> DeadRanks<R> {
    pub(crate) const OF_FACES: [u8; Face::MAX] = {
        let (mut ranks, mut face) = ([0; Face::MAX], 0);
        while face < Face::MAX {
            ranks[face] = Face::numbered(face).moving::<R>().dead_ranks();
            face += 1;
        }
        ranks
    };
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
pub(crate) fn ray_slides<G: Geometry>(
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
