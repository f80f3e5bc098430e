//! Tables of the faces that move by no named pattern, computed at compile time.

use core::marker::PhantomData;

use crate::bitboard::Bitboard;
use crate::colour::Colour;
use crate::geometry::Geometry;
use crate::rays_and_jumps::{NEIGHBOURS, RaysAndJumps};
use crate::square::Square;
use crate::table::{Face, RuleTable};
use crate::word::Word;

/// For each face and player a set of squares for each square.
type Tables = [[[u128; 128]; 2]; Face::MAX];

/// The faces of a rule table that move by no named pattern.
pub(crate) struct Special<R>(PhantomData<R>);

impl<R: RuleTable> Special<R> {
    /// Whether there are any.
    pub(crate) const ANY: bool = {
        let (mut any, mut face) = (false, 0);
        while face < Face::MAX {
            any = any || Self::is_special(face);
            face += 1;
        }
        any
    };

    /// Whether one of them jumps to a square in line with it that is no neighbour.
    pub(crate) const JUMPS_ALONG_LINES: bool = {
        let (mut any, mut face) = (false, 0);
        while face < Face::MAX {
            any = any || Self::reach(face).jumps_along_lines();
            face += 1;
        }
        any
    };

    const LEAPS: Tables = Self::tables(true);
    const LINES: Tables = Self::tables(false);

    /// Where they could never move again.
    const DEAD: [[u128; 2]; Face::MAX] = {
        let mut dead = [[0; 2]; Face::MAX];
        let mut i = 0;
        while i < 2 * Face::MAX * R::Geometry::AREA {
            let (face, colour) = (i / R::Geometry::AREA / 2, i / R::Geometry::AREA % 2);
            let square = i % R::Geometry::AREA;
            if Self::LEAPS_AT[face][colour][square] | Self::LINES_AT[face][colour][square] == 0 {
                dead[face][colour] |= 1 << square;
            }
            i += 1;
        }
        dead
    };

    /// Where a face steps and jumps.
    #[inline(always)]
    pub(crate) fn leaps(
        face: Face,
        colour: Colour,
        square: Square<R::Geometry>,
    ) -> Bitboard<R::Geometry> {
        narrow(Self::LEAPS_AT[face.index()][colour.index()][square.index() & 127])
    }

    /// Where it slides on an empty board.
    #[inline(always)]
    pub(crate) fn lines(
        face: Face,
        colour: Colour,
        square: Square<R::Geometry>,
    ) -> Bitboard<R::Geometry> {
        narrow(Self::LINES_AT[face.index()][colour.index()][square.index() & 127])
    }

    /// Where it could never move again.
    #[inline(always)]
    pub(crate) fn dead(face: Face, colour: Colour) -> Bitboard<R::Geometry> {
        narrow(Self::DEAD[face.index()][colour.index()])
    }

    const LEAPS_AT: &'static Tables = &Self::LEAPS;
    const LINES_AT: &'static Tables = &Self::LINES;

    /// The movement of face number `face` if no named pattern describes it; otherwise nothing.
    const fn reach(face: usize) -> RaysAndJumps {
        match Face::numbered(face).known_movement::<R>() {
            Some(movement) if movement.is_special() => movement.reach(),
            _ => RaysAndJumps::NONE,
        }
    }

    const fn is_special(face: usize) -> bool {
        !Self::reach(face).is_empty()
    }

    /// Leaps or lines of all of them.
    const fn tables(leaps: bool) -> Tables {
        let mut tables = [[[0; 128]; 2]; Face::MAX];
        let mut face = 0;
        while face < Face::MAX {
            let reach = Self::reach(face);
            let mut i = 0;
            while i < 2 * R::Geometry::AREA && !reach.is_empty() {
                let (colour, square) = (i / R::Geometry::AREA, i % R::Geometry::AREA);
                let sign = if colour == 0 { 1 } else { -1 };
                tables[face][colour][square] = if leaps {
                    Self::leaps_from(reach, sign, square)
                } else {
                    Self::lines_from(reach, sign, square)
                };
                i += 1;
            }
            face += 1;
        }
        tables
    }

    const fn leaps_from(reach: RaysAndJumps, sign: i8, square: usize) -> u128 {
        let mut reached = Self::rays_from(reach, 1, 1, sign, square);
        let mut i = 0;
        while i < 121 {
            let (forward, right) =
                (i / 11 - RaysAndJumps::FARTHEST_JUMP, i % 11 - RaysAndJumps::FARTHEST_JUMP);
            if reach.has_jump(forward, right)
                && let Some(to) = Self::offset(square, sign * right, sign * forward)
            {
                reached |= 1 << to;
            }
            i += 1;
        }
        reached
    }

    const fn lines_from(reach: RaysAndJumps, sign: i8, square: usize) -> u128 {
        Self::rays_from(reach, 2, RaysAndJumps::FAR, sign, square)
    }

    /// Squares on the rays whose range lies between these two.
    const fn rays_from(reach: RaysAndJumps, least: u8, most: u8, sign: i8, square: usize) -> u128 {
        let (mut reached, mut i) = (0, 0);
        while i < NEIGHBOURS.len() {
            let range = reach.range(crate::Direction::ALL[i]);
            let (right, up) = (sign * NEIGHBOURS[i].0, sign * NEIGHBOURS[i].1);
            let (mut here, mut gone) = (square, 0);
            while least <= range && range <= most && gone < range {
                match Self::offset(here, right, up) {
                    Some(to) => here = to,
                    None => break,
                }
                reached |= 1 << here;
                gone += 1;
            }
            i += 1;
        }
        reached
    }

    /// The square at this distance to the right and up from another.
    const fn offset(square: usize, right: i8, up: i8) -> Option<usize> {
        let height = R::Geometry::HEIGHT as usize;
        let column = (square / height) as isize + right as isize;
        let rank = (square % height) as isize - up as isize;
        let inside = column >= 0
            && column < R::Geometry::WIDTH as isize
            && rank >= 0
            && rank < height as isize;
        if inside { Some(column as usize * height + rank as usize) } else { None }
    }
}

/// The set with these squares.
#[inline(always)]
fn narrow<G: Geometry>(word: u128) -> Bitboard<G> {
    Bitboard::from_table(G::Word::truncate(word))
}
