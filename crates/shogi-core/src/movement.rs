//! How a face of a piece moves: one step pattern and one slide pattern.

use crate::colour::Colour;
use crate::steps::Direction;

/// The squares a piece reaches in one step, seen from its owner (forward is up).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[non_exhaustive]
pub enum Step {
    /// No step at all (pure sliders).
    None = 0,
    /// One square straight ahead.
    Pawn,
    /// The two jumps two ranks ahead and one file aside.
    Knight,
    /// The three squares ahead and the two diagonal ones behind.
    Silver,
    /// The three squares ahead, both sides and straight behind.
    Gold,
    /// All eight neighbours.
    King,
    /// The four orthogonal neighbours.
    Orthogonal,
    /// The four diagonal neighbours.
    Diagonal,
}

impl Step {
    /// Its name in the text of a rule set.
    ///
    /// ```
    /// assert_eq!(shogi_core::Step::Orthogonal.name(), "orthogonal");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Pawn => "pawn",
            Self::Knight => "knight",
            Self::Silver => "silver",
            Self::Gold => "gold",
            Self::King => "king",
            Self::Orthogonal => "orthogonal",
            Self::Diagonal => "diagonal",
        }
    }
}

/// The directions in which a piece slides over empty squares, seen from its owner.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[non_exhaustive]
pub enum Slide {
    /// No slide (pure steppers).
    None = 0,
    /// Straight ahead: the lance.
    Forward,
    /// The four diagonals: the bishop.
    Diagonal,
    /// The four orthogonals: the rook.
    Orthogonal,
}

impl Slide {
    /// Its name in the text of a rule set.
    ///
    /// ```
    /// assert_eq!(shogi_core::Slide::Forward.name(), "forward");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Forward => "forward",
            Self::Diagonal => "diagonal",
            Self::Orthogonal => "orthogonal",
        }
    }

    /// The directions of its rays for a player.
    ///
    /// ```
    /// use shogi_core::{Colour, Direction, Slide};
    /// assert_eq!(Slide::Forward.directions(Colour::Gote), [Direction::South]);
    /// ```
    pub const fn directions(self, colour: Colour) -> &'static [Direction] {
        match (self, colour) {
            (Self::None, _) => &[],
            (Self::Forward, Colour::Sente) => &[Direction::North],
            (Self::Forward, Colour::Gote) => &[Direction::South],
            (Self::Diagonal, _) => &[
                Direction::NorthEast,
                Direction::SouthEast,
                Direction::SouthWest,
                Direction::NorthWest,
            ],
            (Self::Orthogonal, _) => {
                &[Direction::North, Direction::East, Direction::South, Direction::West]
            }
        }
    }
}

/// Everything one face of a piece can do on the board.
///
/// ```
/// use shogi_core::{Movement, Slide, Step};
/// // A dragon slides as a rook and steps diagonally.
/// assert_eq!(Movement::DRAGON, Movement { step: Step::Diagonal, slide: Slide::Orthogonal });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Movement {
    /// The single steps.
    pub step: Step,
    /// The slides.
    pub slide: Slide,
}

impl Movement {
    /// A pawn, or Dobutsu's chick.
    pub const PAWN: Self = Self { step: Step::Pawn, slide: Slide::None };
    /// A lance.
    pub const LANCE: Self = Self { step: Step::None, slide: Slide::Forward };
    /// A knight.
    pub const KNIGHT: Self = Self { step: Step::Knight, slide: Slide::None };
    /// A silver general.
    pub const SILVER: Self = Self { step: Step::Silver, slide: Slide::None };
    /// A gold general, and every piece promoted to one.
    pub const GOLD: Self = Self { step: Step::Gold, slide: Slide::None };
    /// A bishop.
    pub const BISHOP: Self = Self { step: Step::None, slide: Slide::Diagonal };
    /// A rook.
    pub const ROOK: Self = Self { step: Step::None, slide: Slide::Orthogonal };
    /// A promoted bishop (horse).
    pub const HORSE: Self = Self { step: Step::Orthogonal, slide: Slide::Diagonal };
    /// A promoted rook (dragon).
    pub const DRAGON: Self = Self { step: Step::Diagonal, slide: Slide::Orthogonal };
    /// A king, or Dobutsu's lion.
    pub const KING: Self = Self { step: Step::King, slide: Slide::None };
    /// Dobutsu's giraffe.
    pub const GIRAFFE: Self = Self { step: Step::Orthogonal, slide: Slide::None };
    /// Dobutsu's elephant.
    pub const ELEPHANT: Self = Self { step: Step::Diagonal, slide: Slide::None };

    /// How many of the farthest ranks leave a piece that moves so without any move: 1 for pawns
    /// and lances, 2 for knights, 0 for all others.
    ///
    /// ```
    /// use shogi_core::Movement;
    /// assert_eq!([Movement::LANCE, Movement::KNIGHT, Movement::GOLD].map(Movement::dead_ranks), [1, 2, 0]);
    /// ```
    pub const fn dead_ranks(self) -> u8 {
        match (self.step, self.slide) {
            (Step::Pawn | Step::None, Slide::Forward) | (Step::Pawn, Slide::None) => 1,
            (Step::Knight, Slide::None) => 2,
            _ => 0,
        }
    }
}
