//! Moves in 16 bits.

use shogi_core::{Face, Kind, Move, RuleTable, Square};

use super::{Packing, is_standard, number, square_of};

/// The kinds in the order of their numbers in drops.
const DROPPED: [u8; 7] = [0, 1, 2, 3, 5, 6, 4];

/// The value that a drop of the first of these kinds has in place of an origin square.
const fn first_drop(packing: Packing) -> u16 {
    match packing {
        Packing::PackedSfen => 1,
        Packing::Hcp => 81,
    }
}

/// The bits that mark a promotion and a drop.
const fn flags(packing: Packing) -> (u16, u16) {
    match packing {
        Packing::PackedSfen => (1 << 15, 1 << 14),
        Packing::Hcp => (1 << 14, 0),
    }
}

impl Packing {
    /// A move in 16 bits: its target square in the lowest seven, its origin or the dropped piece in the next
    /// seven, then whether it is a drop (not in [`Packing::Hcp`]) and whether it promotes. No move has the
    /// number 0. For games other than standard shogi the number has no meaning.
    pub fn pack_move<R: RuleTable>(self, mv: Move<R>) -> u16 {
        let (promotes, drops) = flags(self);
        let (from, flags) = match mv {
            Move::Board { from, turn, .. } => {
                (number(from).into(), if turn { promotes } else { 0 })
            }
            Move::Drop { face, .. } => {
                let place = DROPPED.iter().position(|&kind| usize::from(kind) == face.kind.index());
                (first_drop(self) + place.unwrap_or(0) as u16, drops)
            }
        };
        u16::from(number(mv.to())) | from << 7 | flags
    }

    /// The move with this number, legal or not; `None` for a number that no move has, such as 0, and for games
    /// other than standard shogi.
    pub fn unpack_move<R: RuleTable>(self, packed: u16) -> Option<Move<R>> {
        if !is_standard::<R>() {
            return None;
        }
        let to = square_of((packed & 127) as u8)?;
        let (from, flags) = (packed >> 7 & 127, packed & (3 << 14));
        let (promotes, drops) = self::flags(self);
        let is_drop = if drops == 0 { from >= first_drop(self) } else { flags & drops != 0 };
        if is_drop {
            let place = from.checked_sub(first_drop(self))?;
            let kind = Kind::new(*DROPPED.get(usize::from(place))?);
            return (flags == drops).then_some(Move::Drop { face: Face::front(kind), to });
        }
        let from: Square<R::Geometry> = square_of(from as u8)?;
        let known = flags == 0 || flags == promotes;
        (known && from != to).then_some(Move::Board { from, to, turn: flags != 0 })
    }
}
