//! How a face of a piece moves: one step pattern and one slide pattern, or rays and jumps of its own.

use crate::colour::Colour;
use crate::rays_and_jumps::RaysAndJumps;
use crate::steps::{Direction, OFFSETS, PATTERNS};

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

    /// The steps as rays and jumps.
    const fn reach(self) -> RaysAndJumps {
        let mut reach = RaysAndJumps::NONE;
        let mut i = 0;
        while i < OFFSETS.len() {
            if PATTERNS[self as usize] >> i & 1 == 1 {
                let (right, back) = OFFSETS[i];
                if let Some(more) = reach.with_jump(-back as i8, right as i8) {
                    reach = more;
                }
            }
            i += 1;
        }
        reach
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

    /// The slides as rays.
    const fn reach(self) -> RaysAndJumps {
        let directions = self.directions(Colour::Sente);
        let (mut reach, mut i) = (RaysAndJumps::NONE, 0);
        while i < directions.len() {
            reach = reach.with_ray(directions[i], RaysAndJumps::FAR);
            i += 1;
        }
        reach
    }
}

/// Everything one face of a piece can do on the board.
///
/// Most movements combine a named pattern of steps and one of slides. All others are given by their
/// [`RaysAndJumps`] and have neither pattern. [`Movement::reach`] works for every movement.
///
/// ```
/// use shogi_core::{Movement, Slide, Step};
/// // A dragon slides as a rook and steps diagonally.
/// assert_eq!(Movement::DRAGON, Movement::new(Step::Diagonal, Slide::Orthogonal));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Movement {
    /// The single steps, if both steps and slides are named patterns.
    pub step: Step,
    /// The slides, if both steps and slides are named patterns.
    pub slide: Slide,
    /// The whole movement if no pair of patterns describes it; otherwise nothing.
    special: RaysAndJumps,
}

impl Movement {
    /// A pawn, or Dobutsu's chick.
    pub const PAWN: Self = Self::new(Step::Pawn, Slide::None);
    /// A lance.
    pub const LANCE: Self = Self::new(Step::None, Slide::Forward);
    /// A knight.
    pub const KNIGHT: Self = Self::new(Step::Knight, Slide::None);
    /// A silver general.
    pub const SILVER: Self = Self::new(Step::Silver, Slide::None);
    /// A gold general, and every piece promoted to one.
    pub const GOLD: Self = Self::new(Step::Gold, Slide::None);
    /// A bishop.
    pub const BISHOP: Self = Self::new(Step::None, Slide::Diagonal);
    /// A rook.
    pub const ROOK: Self = Self::new(Step::None, Slide::Orthogonal);
    /// A promoted bishop (horse).
    pub const HORSE: Self = Self::new(Step::Orthogonal, Slide::Diagonal);
    /// A promoted rook (dragon).
    pub const DRAGON: Self = Self::new(Step::Diagonal, Slide::Orthogonal);
    /// A king, or Dobutsu's lion.
    pub const KING: Self = Self::new(Step::King, Slide::None);
    /// Dobutsu's giraffe.
    pub const GIRAFFE: Self = Self::new(Step::Orthogonal, Slide::None);
    /// Dobutsu's elephant.
    pub const ELEPHANT: Self = Self::new(Step::Diagonal, Slide::None);

    /// The movement of two named patterns.
    pub const fn new(step: Step, slide: Slide) -> Self {
        Self { step, slide, special: RaysAndJumps::NONE }
    }

    /// The movement with exactly this reach, as named patterns where they exist.
    ///
    /// ```
    /// use shogi_core::{Direction, Movement, RaysAndJumps};
    /// let silver = Movement::SILVER.reach();
    /// assert_eq!(Movement::of(silver), Movement::SILVER);
    /// let shogun = silver.with_ray(Direction::North, 2);
    /// assert_eq!(Movement::of(shogun).reach(), shogun);
    /// ```
    pub const fn of(reach: RaysAndJumps) -> Self {
        // A horse is not named as a king that slides as a bishop: of overlapping patterns the smaller one is
        // named.
        let steps = [
            Step::None,
            Step::Pawn,
            Step::Knight,
            Step::Orthogonal,
            Step::Diagonal,
            Step::Silver,
            Step::Gold,
            Step::King,
        ];
        let slides = [Slide::None, Slide::Forward, Slide::Diagonal, Slide::Orthogonal];
        let mut i = 0;
        while i < steps.len() * slides.len() {
            let named = Self::new(steps[i / slides.len()], slides[i % slides.len()]);
            if named.reach().equals(reach) {
                return named;
            }
            i += 1;
        }
        Self { step: Step::None, slide: Slide::None, special: reach }
    }

    /// Whether no pair of named patterns describes the movement.
    #[inline(always)]
    pub const fn is_special(self) -> bool {
        !self.special.is_empty()
    }

    /// All rays and jumps.
    pub const fn reach(self) -> RaysAndJumps {
        if self.is_special() { self.special } else { self.slide.reach().union(self.step.reach()) }
    }

    /// Whether the piece moves over several empty squares in some direction.
    ///
    /// ```
    /// use shogi_core::Movement;
    /// assert!(Movement::HORSE.slides() && !Movement::KNIGHT.slides());
    /// ```
    pub const fn slides(self) -> bool {
        !matches!(self.slide, Slide::None) || self.special.slides()
    }

    /// Number of farthest ranks on which a piece with this movement has no move: 1 for pawns and lances, 2
    /// for knights, 0 for all other named patterns except pairs of these. For other movements see
    /// [`dead_squares`](crate::RuleTable::dead_squares).
    ///
    /// ```
    /// use shogi_core::{Movement, Slide, Step};
    /// assert_eq!([Movement::LANCE, Movement::KNIGHT, Movement::GOLD].map(Movement::dead_ranks), [1, 2, 0]);
    /// assert_eq!(Movement::new(Step::Knight, Slide::Forward).dead_ranks(), 1);
    /// ```
    pub const fn dead_ranks(self) -> u8 {
        match (self.step, self.slide) {
            (Step::Pawn, Slide::None)
            | (Step::None | Step::Pawn | Step::Knight, Slide::Forward) => 1,
            (Step::Knight, Slide::None) => 2,
            _ => 0,
        }
    }
}
