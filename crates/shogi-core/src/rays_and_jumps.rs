//! Movements that no named pattern describes: rays of any length and jumps.

use core::fmt;

use crate::steps::Direction;

/// Rays by direction and jumps, seen from the owner of a piece: north is forward, as Sente sees the board.
///
/// A step is a ray of length 1; a slide is a ray that ends at the edge or earlier. Neighbours are always
/// rays and squares farther away jumps, so two values that reach the same squares in the same ways are
/// equal. [`Movement::of`](crate::Movement::of) converts it to a movement.
///
/// ```
/// use shogi_core::{Direction, Movement, RaysAndJumps};
/// let knight = RaysAndJumps::NONE.with_jump(2, -1).unwrap().with_jump(2, 1).unwrap();
/// assert_eq!(Movement::of(knight), Movement::KNIGHT);
/// let lance = RaysAndJumps::NONE.with_ray(Direction::North, RaysAndJumps::FAR);
/// assert_eq!(Movement::of(lance), Movement::LANCE);
/// // Tori shogi's pheasant jumps two squares ahead and steps diagonally back.
/// let pheasant = RaysAndJumps::NONE.with_jump(2, 0).unwrap();
/// let pheasant = pheasant.with_step(Direction::SouthEast).with_step(Direction::SouthWest);
/// assert_eq!(pheasant.to_string(), "step BR BL + jump F2");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RaysAndJumps {
    /// How far each ray goes, by the number of its direction.
    rays: [u8; 8],
    /// Jumps as bits: see [`jump_bit`].
    jumps: u128,
}

/// The number of a jump: rows of eleven, from the farthest back and left.
const fn jump_bit(forward: i8, right: i8) -> u32 {
    ((forward + RaysAndJumps::FARTHEST_JUMP) as u32) * 11
        + (right + RaysAndJumps::FARTHEST_JUMP) as u32
}

/// The steps of the eight directions: squares to the right, squares forward.
pub(crate) const NEIGHBOURS: [(i8, i8); 8] =
    [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// How the directions are written: F forward, B back, L left, R right.
const NAMES: [&str; 8] = ["F", "FR", "R", "BR", "B", "BL", "L", "FL"];

impl RaysAndJumps {
    /// Nowhere.
    pub const NONE: Self = Self { rays: [0; 8], jumps: 0 };
    /// The length of a ray that ends at the edge of the board.
    pub const FAR: u8 = u8::MAX;
    /// The most files and ranks that a jump may cross.
    pub const FARTHEST_JUMP: i8 = 5;

    /// Adds a step in a direction.
    #[must_use]
    pub const fn with_step(self, direction: Direction) -> Self {
        self.with_ray(direction, 1)
    }

    /// Adds a ray of up to `range` squares in a direction, over empty squares; [`RaysAndJumps::FAR`] goes to
    /// the edge. A longer ray in this direction stays.
    #[must_use]
    pub const fn with_ray(mut self, direction: Direction, range: u8) -> Self {
        if self.rays[direction as usize] < range {
            self.rays[direction as usize] = range;
        }
        self
    }

    /// Adds a jump over whatever stands between; a jump to a neighbour is a step. `None` if the jump goes
    /// nowhere or farther than [`RaysAndJumps::FARTHEST_JUMP`].
    ///
    /// ```
    /// use shogi_core::{Direction, RaysAndJumps};
    /// let step = RaysAndJumps::NONE.with_step(Direction::NorthEast);
    /// assert_eq!(RaysAndJumps::NONE.with_jump(1, 1), Some(step));
    /// assert_eq!((RaysAndJumps::NONE.with_jump(0, 0), RaysAndJumps::NONE.with_jump(6, 0)), (None, None));
    /// ```
    #[must_use]
    pub const fn with_jump(mut self, forward: i8, right: i8) -> Option<Self> {
        let most = Self::FARTHEST_JUMP;
        if forward < -most || forward > most || right < -most || right > most {
            return None;
        }
        if let Some(direction) = neighbour(forward, right) {
            return Some(self.with_step(direction));
        }
        if forward == 0 && right == 0 {
            return None;
        }
        self.jumps |= 1 << jump_bit(forward, right);
        Some(self)
    }

    /// The union: everything that either of the two reaches.
    #[must_use]
    pub const fn union(mut self, other: Self) -> Self {
        let mut i = 0;
        while i < Direction::ALL.len() {
            self = self.with_ray(Direction::ALL[i], other.rays[i]);
            i += 1;
        }
        self.jumps |= other.jumps;
        self
    }

    /// How far the ray in a direction goes: 0 without one, 1 for a step, [`RaysAndJumps::FAR`] to the edge.
    #[inline(always)]
    pub const fn range(self, direction: Direction) -> u8 {
        self.rays[direction as usize]
    }

    /// Whether there is a jump by this many squares forward and to the right.
    pub const fn has_jump(self, forward: i8, right: i8) -> bool {
        let most = Self::FARTHEST_JUMP;
        let near = -most <= forward && forward <= most && -most <= right && right <= most;
        near && self.jumps >> jump_bit(forward, right) & 1 == 1
    }

    /// The jumps: squares forward and squares to the right of each.
    #[inline(always)]
    pub fn jumps(self) -> impl Iterator<Item = (i8, i8)> {
        let mut left = self.jumps;
        core::iter::from_fn(move || {
            let bit = left.checked_ilog2()? as i8;
            left ^= 1 << bit;
            Some((bit / 11 - Self::FARTHEST_JUMP, bit % 11 - Self::FARTHEST_JUMP))
        })
    }

    /// Whether it reaches nothing at all.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        u64::from_ne_bytes(self.rays) == 0 && self.jumps == 0
    }

    /// Whether a ray goes farther than a step.
    pub const fn slides(self) -> bool {
        let mut i = 0;
        while i < self.rays.len() {
            if self.rays[i] > 1 {
                return true;
            }
            i += 1;
        }
        false
    }

    /// Whether some jump goes along a file, a rank or a diagonal: then what stands between does not stop it.
    pub(crate) const fn jumps_along_lines(self) -> bool {
        let mut i = 0;
        while i < 121 {
            let (forward, right) = (i / 11 - Self::FARTHEST_JUMP, i % 11 - Self::FARTHEST_JUMP);
            let in_line = forward == 0 || right == 0 || forward.abs() == right.abs();
            if in_line && self.has_jump(forward, right) {
                return true;
            }
            i += 1;
        }
        false
    }

    /// Whether a piece with this movement stays on its file.
    ///
    /// ```
    /// use shogi_core::Movement;
    /// assert!(Movement::LANCE.reach().keeps_its_file() && !Movement::KNIGHT.reach().keeps_its_file());
    /// ```
    pub const fn keeps_its_file(self) -> bool {
        let mut i = 0;
        while i < self.rays.len() {
            if NEIGHBOURS[i].0 != 0 && self.rays[i] > 0 {
                return false;
            }
            i += 1;
        }
        let (mut along, mut forward) = (0, -Self::FARTHEST_JUMP);
        while forward <= Self::FARTHEST_JUMP {
            along |= 1 << jump_bit(forward, 0);
            forward += 1;
        }
        self.jumps & !along == 0
    }

    /// With left and right exchanged.
    ///
    /// ```
    /// use shogi_core::{Direction, RaysAndJumps};
    /// let left = RaysAndJumps::NONE.with_ray(Direction::NorthWest, 2).with_jump(2, -1).unwrap();
    /// let right = RaysAndJumps::NONE.with_ray(Direction::NorthEast, 2).with_jump(2, 1).unwrap();
    /// assert_eq!((left.mirror(), left.mirror().mirror()), (right, left));
    /// ```
    #[must_use]
    pub const fn mirror(self) -> Self {
        let mut mirrored = Self::NONE;
        let mut i = 0;
        while i < self.rays.len() {
            mirrored.rays[i] = self.rays[(8 - i) % 8];
            i += 1;
        }
        let mut i = 0;
        while i < 121 {
            let (forward, right) = (i / 11 - Self::FARTHEST_JUMP, i % 11 - Self::FARTHEST_JUMP);
            if self.has_jump(forward, right) {
                mirrored.jumps |= 1 << jump_bit(forward, -right);
            }
            i += 1;
        }
        mirrored
    }

    /// Whether two are equal, for constants.
    pub(crate) const fn equals(self, other: Self) -> bool {
        u64::from_ne_bytes(self.rays) == u64::from_ne_bytes(other.rays) && self.jumps == other.jumps
    }
}

/// The direction of a neighbour.
const fn neighbour(forward: i8, right: i8) -> Option<Direction> {
    let mut i = 0;
    while i < NEIGHBOURS.len() {
        if NEIGHBOURS[i].0 == right && NEIGHBOURS[i].1 == forward {
            return Some(Direction::ALL[i]);
        }
        i += 1;
    }
    None
}

impl fmt::Display for RaysAndJumps {
    /// Steps, slides and jumps in the words of rule tables as text: `step F + slide BR BL up to 2`;
    /// `none` for nothing.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for range in 1..=Self::FAR {
            if !self.rays.contains(&range) {
                continue;
            }
            f.write_str(separator)?;
            f.write_str(if range == 1 { "step" } else { "slide" })?;
            for (name, _) in NAMES.iter().zip(self.rays).filter(|&(_, ray)| ray == range) {
                write!(f, " {name}")?;
            }
            if range != 1 && range != Self::FAR {
                write!(f, " up to {range}")?;
            }
            separator = " + ";
        }
        if self.jumps != 0 {
            write!(f, "{separator}jump")?;
        }
        for (forward, right) in self.jumps() {
            f.write_str(" ")?;
            for (way, [plus, minus]) in [(forward, ["F", "B"]), (right, ["R", "L"])] {
                if way != 0 {
                    write!(f, "{}{}", if way > 0 { plus } else { minus }, way.unsigned_abs())?;
                }
            }
        }
        if self.is_empty() { f.write_str("none") } else { Ok(()) }
    }
}

impl fmt::Debug for RaysAndJumps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
