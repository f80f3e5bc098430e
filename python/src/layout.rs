//! What stands where in the arrays of a variant: planes of positions, and the numbers of moves.

use shogi_variants::RuleSet;
use shogi_variants::core::{Colour, Face, Geometry, Kind, Move, Piece, Position, Square};
use shogi_variants::rules::write_face;

/// What stands where in the arrays of a variant.
pub struct Layout {
    pub ranks: usize,
    pub files: usize,
    /// All faces of pieces.
    pub faces: Vec<Face>,
    /// The kinds that can be in hand.
    pub held: Vec<Kind>,
    /// The faces that can be dropped.
    pub dropped: Vec<Face>,
    /// The names of the planes.
    pub channels: Vec<String>,
}

impl Layout {
    /// What a rule set has.
    pub fn new<R: RuleSet>() -> Self {
        let kinds = (0..R::kinds().len() as u8).map(Kind::new);
        let both = |kind| [Face::front(kind), Face::back(kind)];
        let faces: Vec<Face> = kinds.clone().flat_map(both).collect();
        let faces: Vec<_> =
            faces.into_iter().filter(|face| face.movement::<R>().is_some()).collect();
        let dropped: Vec<_> =
            faces.iter().copied().filter(|face| face.is_droppable::<R>()).collect();
        let held: Vec<_> = kinds.filter(|&kind| Face::front(kind).is_droppable::<R>()).collect();
        let letters = |face| {
            let mut letters = String::new();
            write_face::<R>(face, Colour::Sente, R::dialect(), &mut letters);
            letters
        };
        let mut channels = Vec::new();
        for owner in ["own", "opposing"] {
            channels.extend(faces.iter().map(|&face| format!("{owner} {}", letters(face))));
        }
        for owner in ["own", "opposing"] {
            let name = |&kind: &Kind| format!("{owner} hand {}", letters(Face::front(kind)));
            channels.extend(held.iter().map(name));
        }
        channels.push("sente".to_owned());
        let (ranks, files) = (R::Geometry::height().into(), R::Geometry::width().into());
        Self { ranks, files, faces, held, dropped, channels }
    }

    /// The number of squares.
    pub const fn area(&self) -> usize {
        self.ranks * self.files
    }

    /// Moves on the board by their squares, each without and with the piece turned over, then drops.
    pub const fn actions(&self) -> usize {
        2 * self.area() * self.area() + self.dropped.len() * self.area()
    }

    /// The number of a square as the player to move sees the board, row by row from the far left.
    fn square<R: RuleSet>(&self, square: Square<R::Geometry>, side: Colour) -> usize {
        let seen = if side == Colour::Gote { square.rotate() } else { square };
        usize::from(seen.rank()) * self.files + usize::from(seen.column())
    }

    /// The number of a move for this player; none for a drop that no rule allows.
    pub fn action<R: RuleSet>(&self, mv: Move<R>, side: Colour) -> Option<usize> {
        let area = self.area();
        match mv {
            Move::Board { from, to, turn } => {
                let (from, to) = (self.square::<R>(from, side), self.square::<R>(to, side));
                Some(2 * (from * area + to) + usize::from(turn))
            }
            Move::Drop { face, to } => {
                let number = self.dropped.iter().position(|&dropped| dropped == face)?;
                Some(2 * area * area + number * area + self.square::<R>(to, side))
            }
        }
    }

    /// The move with a number for this player.
    pub fn mv<R: RuleSet>(&self, action: usize, side: Colour) -> Option<Move<R>> {
        let area = self.area();
        let square = |number: usize| {
            let square = Square::new((number % self.files) as u8, (number / self.files) as u8)?;
            Some(if side == Colour::Gote { square.rotate() } else { square })
        };
        match action.checked_sub(2 * area * area) {
            None => {
                let (from, to) = (square(action / 2 / area)?, square(action / 2 % area)?);
                Some(Move::Board { from, to, turn: action % 2 == 1 })
            }
            Some(drop) => {
                let face = *self.dropped.get(drop / area)?;
                Some(Move::Drop { face, to: square(drop % area)? })
            }
        }
    }

    /// The number of entries of the planes of a position.
    pub const fn entries(&self) -> usize {
        self.channels.len() * self.area()
    }

    /// Writes the planes of a position over zeros.
    pub fn write_planes<R: RuleSet>(&self, position: &Position<R>, planes: &mut [u8]) {
        let (side, area) = (position.side(), self.area());
        for (square, Piece { face, colour }) in position.pieces() {
            let Some(number) = self.faces.iter().position(|&known| known == face) else { continue };
            let plane = if colour == side { number } else { self.faces.len() + number };
            planes[plane * area + self.square::<R>(square, side)] = 1;
        }
        let mut plane = 2 * self.faces.len();
        for owner in [side, !side] {
            for &kind in &self.held {
                planes[plane * area..][..area].fill(position.hand(owner).count(kind));
                plane += 1;
            }
        }
        planes[plane * area..].fill((side == Colour::Sente).into());
    }
}
