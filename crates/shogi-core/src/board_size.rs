//! The tables of a face on a board whose size is known only at run time.

use alloc::boxed::Box;

use crate::colour::Colour;
use crate::kind_rules::Region;
use crate::lookup::{FaceLookup, one};
use crate::movement::Movement;
use crate::rays_and_jumps::{NEIGHBOURS, RaysAndJumps};
use crate::steps::Direction;
use crate::word::Word;

/// A board's size.
#[derive(Clone, Copy)]
pub(crate) struct BoardSize {
    pub(crate) width: u8,
    pub(crate) height: u8,
}

impl BoardSize {
    /// The square at this distance to the right and up from another.
    pub(crate) fn offset(self, square: usize, (right, up): (i8, i8)) -> Option<usize> {
        let height = usize::from(self.height);
        let column = (square / height).checked_add_signed(right.into())?;
        let rank = (square % height).checked_add_signed(-isize::from(up))?;
        (column < self.width.into() && rank < height).then_some(column * height + rank)
    }

    /// The squares in a direction, from the nearest to the edge.
    pub(crate) fn ray(self, square: usize, direction: Direction) -> impl Iterator<Item = usize> {
        let step = NEIGHBOURS[direction as usize];
        core::iter::successors(self.offset(square, step), move |&here| self.offset(here, step))
    }

    /// Where a piece steps and jumps.
    pub(crate) fn leaps<W: Word>(self, reach: RaysAndJumps, colour: Colour, square: usize) -> W {
        let sign = if colour == Colour::Sente { 1 } else { -1 };
        let mut reached = W::ZERO;
        for (forward, right) in reach.jumps() {
            if let Some(to) = self.offset(square, (sign * right, sign * forward)) {
                reached |= one(to);
            }
        }
        for direction in Direction::ALL.into_iter().filter(|&d| reach.range(d) == 1) {
            if let Some(to) = self.ray(square, direction.seen_by(colour)).next() {
                reached |= one(to);
            }
        }
        reached
    }

    /// Where it slides on an empty board.
    pub(crate) fn slides<W: Word>(self, reach: RaysAndJumps, colour: Colour, square: usize) -> W {
        let mut reached = W::ZERO;
        for direction in Direction::ALL.into_iter().filter(|&d| reach.range(d) > 1) {
            let ray = self.ray(square, direction.seen_by(colour));
            for to in ray.take(reach.range(direction).into()) {
                reached |= one(to);
            }
        }
        reached
    }

    /// The squares of a region for each player.
    pub(crate) fn words<W: Word>(self, region: Option<Region>) -> [W; 2] {
        let area = usize::from(self.width) * usize::from(self.height);
        let region = region.unwrap_or(Region::of_word(u128::MAX >> (128 - area)));
        Colour::ALL.map(|colour| W::truncate(region.seen_by(colour, area)))
    }

    /// The tables of a face that moves so and captures as `captures` says, within a region.
    pub(crate) fn face<W: Word>(
        self,
        movement: Movement,
        captures: Option<Movement>,
        region: Option<Region>,
    ) -> FaceLookup<W> {
        let region = self.words(region);
        let mut face = self.paths(captures.unwrap_or(movement), region);
        face.quiet = captures.map(|_| Box::new(self.paths(movement, region)));
        // A piece that moves nowhere is not stuck: it is meant to stay.
        let ever_moves = |movement: Movement| !movement.reach().is_empty();
        if !ever_moves(movement) && !captures.is_some_and(ever_moves) {
            return face;
        }
        for (at, squares) in region.into_iter().enumerate() {
            let moves = |square: usize| {
                let paths = core::iter::once(&face).chain(face.quiet.as_deref());
                paths.fold(W::ZERO, |all, paths| {
                    all | paths.leaps[at][square] | paths.lines[at][square]
                })
            };
            let area = usize::from(self.width) * usize::from(self.height);
            let is_dead =
                |&square: &usize| squares & one(square) != W::ZERO && moves(square) == W::ZERO;
            let dead = (0..area).filter(is_dead).fold(W::ZERO, |dead, square| dead | one(square));
            face.dead[at] = dead;
        }
        face
    }

    /// Where a movement leads from each square of a region, and from where it leads there.
    fn paths<W: Word>(self, movement: Movement, region: [W; 2]) -> FaceLookup<W> {
        let reach = movement.reach();
        let mut face = FaceLookup { is_slider: movement.slides(), region, ..FaceLookup::EMPTY };
        for colour in Colour::ALL {
            let (at, back) = (colour.index(), !colour);
            for direction in Direction::ALL.into_iter().filter(|&d| reach.range(d) > 1) {
                let seen = direction.seen_by(colour);
                let directions = if seen.ascends() { &mut face.up } else { &mut face.down };
                directions[at] |= 1 << seen as u8;
            }
            let area = usize::from(self.width) * usize::from(self.height);
            let inside = |square: &usize| region[at] & one(*square) != W::ZERO;
            for square in (0..area).filter(inside) {
                face.leaps[at][square] = self.leaps::<W>(reach, colour, square) & region[at];
                face.lines[at][square] = self.slides::<W>(reach, colour, square) & region[at];
                face.leap_sources[at][square] = self.leaps::<W>(reach, back, square) & region[at];
                face.line_sources[at][square] = self.slides::<W>(reach, back, square) & region[at];
            }
        }
        face
    }
}
