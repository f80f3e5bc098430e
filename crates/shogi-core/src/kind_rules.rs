//! Rules of single kinds beyond how they move: how they capture, and where they may stand.

use alloc::string::String;
use core::fmt::Write as _;

use crate::colour::Colour;
use crate::movement::Movement;

/// Rules of one kind in a table loaded at run time, in addition to its [`KindSpec`](crate::KindSpec).
///
/// The default adds nothing: the piece captures as it moves, and may stand and be dropped on every square.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct KindRules {
    /// How the front and the back capture; `None` if they capture as they move. The movement in the
    /// [`KindSpec`](crate::KindSpec) then leads to empty squares only.
    pub captures: [Option<Movement>; 2],
    /// The squares on which the piece may stand, whichever face is up; `None` for all.
    pub region: Option<Region>,
    /// The squares on which it may be dropped, besides what `region` says; `None` for all.
    pub drop_region: Option<Region>,
}

impl KindRules {
    /// Whether they add nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether they are the same with left and right exchanged, on a board of this size.
    pub(crate) fn is_mirror_symmetric(&self, width: u8, height: u8) -> bool {
        let movement = |movement: &Movement| {
            let reach = movement.reach();
            reach.equals(reach.mirror())
        };
        let region = |region: &Region| *region == region.mirror(width, height);
        self.captures.iter().flatten().all(movement)
            && self.region.iter().chain(&self.drop_region).all(region)
    }
}

/// A set of squares of a board whose size is known from elsewhere, as Sente sees it; Gote has the set turned by
/// 180 degrees.
///
/// ```
/// use shogi_core::Region;
/// let palace = Region::parse("*d 2c", 3, 4)?;
/// assert_eq!(palace.to_text(3, 4), "*d 2c");
/// assert_eq!(Region::parse("2c 3d 2d 1d", 3, 4)?, palace);
/// assert_eq!(Region::parse("*e", 3, 4), Err("*e".into()));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Region(u128);

impl Region {
    /// The set whose bit i is set for [square number i](crate::Square::index).
    pub const fn of_word(word: u128) -> Self {
        Self(word)
    }

    /// The set as a word: bit i is square number i.
    pub const fn word(self) -> u128 {
        self.0
    }

    /// The set that a player has on a board of `area` squares.
    pub(crate) const fn seen_by(self, colour: Colour, area: usize) -> u128 {
        match colour {
            Colour::Sente => self.0,
            Colour::Gote => self.0.reverse_bits() >> (128 - area),
        }
    }

    /// With left and right exchanged.
    fn mirror(self, width: u8, height: u8) -> Self {
        let (width, height) = (usize::from(width), usize::from(height));
        let ranks_of = |column: usize| self.0 >> (column * height) & ((1 << height) - 1);
        let mirrored = (0..width)
            .fold(0, |set, column| set | ranks_of(column) << ((width - 1 - column) * height));
        Self(mirrored)
    }

    /// Reads squares in USI notation, `*` in place of the file for a whole rank and of the rank for a whole file:
    /// `5e 4e`, `*a *b`, `5*`.
    ///
    /// # Errors
    ///
    /// The first word that is not one of these on a board of this size.
    pub fn parse(text: &str, width: u8, height: u8) -> Result<Self, String> {
        let mut squares = 0;
        for word in text.split_whitespace() {
            let found = Self::parse_word(word, width, height).ok_or_else(|| String::from(word))?;
            squares |= found;
        }
        Ok(Self(squares))
    }

    fn parse_word(word: &str, width: u8, height: u8) -> Option<u128> {
        let rank = word.chars().next_back().filter(char::is_ascii)?;
        let file = &word[..word.len() - 1];
        let columns = match file {
            "*" => 0..width,
            _ if file.starts_with(|c: char| c.is_ascii_digit()) => {
                let column = width.checked_sub(file.parse().ok()?)?;
                column..(column < width).then_some(column + 1)?
            }
            _ => return None,
        };
        let ranks = match rank {
            '*' => 0..height,
            'a'..='o' if (rank as u8) - b'a' < height => {
                (rank as u8) - b'a'..(rank as u8) - b'a' + 1
            }
            _ => return None,
        };
        let one =
            |column, rank| 1 << (usize::from(column) * usize::from(height) + usize::from(rank));
        Some(columns.fold(0, |set: u128, column| {
            ranks.clone().fold(set, |set, rank| set | one(column, rank))
        }))
    }

    /// The words that [`Region::parse`] reads: whole ranks, then single squares.
    pub fn to_text(self, width: u8, height: u8) -> String {
        let mut text = String::new();
        let has = |column: u8, rank: u8| {
            self.0 >> (usize::from(column) * usize::from(height) + usize::from(rank)) & 1 == 1
        };
        let is_whole = |rank| (0..width).all(|column| has(column, rank));
        let letter = |rank: u8| char::from(b'a' + rank);
        let mut separator = "";
        for rank in (0..height).filter(|&rank| is_whole(rank)) {
            // Writing to a string does not fail.
            let _ = write!(text, "{separator}*{}", letter(rank));
            separator = " ";
        }
        for rank in (0..height).filter(|&rank| !is_whole(rank)) {
            for column in (0..width).filter(|&column| has(column, rank)) {
                let _ = write!(text, "{separator}{}{}", width - column, letter(rank));
                separator = " ";
            }
        }
        text
    }
}
