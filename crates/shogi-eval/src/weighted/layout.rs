//! The places of weights; each kind of observation has its own numbers.

use std::marker::PhantomData;
use std::ops::Range;

use shogi_core::{Face, Geometry, Kind, MAX_KINDS, RuleTable};

/// The places of weights, of values and of dangers to a king.
#[derive(Clone, Copy, Debug)]
pub struct Layout<R>(PhantomData<R>);

/// Groups of weights of values.
pub(super) const GROUPS: usize = 10;
/// Pieces of a kind in a hand that are distinguished: the first, the second, ...
pub(super) const IN_HAND: usize = 8;
/// Pieces of a kind in a hand that are distinguished as dangers; further ones add none.
pub(super) const THREATENING: usize = 3;
/// Distances to a king that are distinguished: its own square, one step to three steps, and more.
pub(super) const DISTANCES: usize = 5;
/// Numbers of flights that are distinguished.
pub(super) const FLIGHTS: usize = 5;

impl<R: RuleTable> Layout<R> {
    pub(super) const WIDTH: usize = R::Geometry::WIDTH as usize;
    pub(super) const HEIGHT: usize = R::Geometry::HEIGHT as usize;
    /// Columns apart, whichever is left, by ranks from a king to a piece.
    pub(super) const DISPLACEMENTS: usize = Self::WIDTH * (2 * Self::HEIGHT - 1);
    /// Squares that a piece attacks, from none to all four directions and four steps.
    pub(super) const MOBILITIES: usize = Self::WIDTH + Self::HEIGHT + 3;

    /// A piece on the board, by its face.
    pub const PIECE: usize = 0;
    /// A piece in hand, by kind and number.
    pub const HAND: usize = Self::PIECE + Face::MAX;
    /// A piece by its face and where its own king is.
    pub const OWN_KING: usize = Self::HAND + MAX_KINDS * IN_HAND;
    /// A piece by its face and where the other king is.
    pub const OTHER_KING: usize = Self::OWN_KING + Face::MAX * Self::DISPLACEMENTS;
    /// A piece by its face and how many squares it attacks that its own side does not occupy.
    pub const MOBILITY: usize = Self::OTHER_KING + Face::MAX * Self::DISPLACEMENTS;
    /// A piece that is attacked and not protected, by whether its owner is to move and by its face.
    pub const UNPROTECTED: usize = Self::MOBILITY + Face::MAX * Self::MOBILITIES;
    /// Likewise, a piece that is protected but attacked by a cheaper one.
    pub(super) const THREATENED: usize = Self::UNPROTECTED + 2 * Face::MAX;
    /// A square attacked at least once, twice or three times, by how far it is from the own and from the other king.
    pub(super) const CONTROL: usize = Self::THREATENED + 2 * Face::MAX;
    /// A piece that may not move out of a line to its king, by its face.
    pub(super) const PINNED: usize = Self::CONTROL + 2 * 3 * DISTANCES;
    /// Files on which a pawn in hand can be dropped, by their number.
    pub(super) const FILES: usize = Self::PINNED + Face::MAX;
    /// The right to move.
    pub const TURN: usize = Self::FILES + Self::WIDTH + 1;
    /// All weights of values.
    pub const VALUES: usize = Self::TURN + 1;

    /// The groups of weights of values, by subject.
    pub const GROUPS: [(&'static str, Range<usize>); GROUPS] = [
        ("pieces", Self::PIECE..Self::HAND),
        ("hands", Self::HAND..Self::OWN_KING),
        ("places from own king", Self::OWN_KING..Self::OTHER_KING),
        ("places from other king", Self::OTHER_KING..Self::MOBILITY),
        ("mobility", Self::MOBILITY..Self::UNPROTECTED),
        ("threats", Self::UNPROTECTED..Self::CONTROL),
        ("control", Self::CONTROL..Self::PINNED),
        ("pins", Self::PINNED..Self::FILES),
        ("files for a pawn", Self::FILES..Self::TURN),
        ("right to move", Self::TURN..Self::VALUES),
    ];

    /// A square of the zone (the king's and those around it) that is attacked, by how often up to three
    /// times and by how often pieces other than the king protect it up to twice.
    pub(super) const ZONE: usize = 0;
    /// An empty square of the zone that only the king may protect: not attacked, and attacked.
    pub(super) const OPEN: usize = Self::ZONE + 9;
    /// A square two steps away that is attacked, by whether more than once and whether it is protected.
    pub(super) const OUTER: usize = Self::OPEN + 2;
    /// A piece that attacks a square of the zone, by its face.
    pub const ATTACKER: usize = Self::OUTER + 4;
    /// A piece in the other hand, by kind and number.
    pub const HELD: usize = Self::ATTACKER + Face::MAX;
    /// Squares on which a piece in the other hand gives check and nothing captures it, by kind and number.
    pub(super) const CHECKS: usize = Self::HELD + MAX_KINDS * THREATENING;
    /// Squares that the king can go to, by their number.
    pub(super) const FLIGHT: usize = Self::CHECKS + MAX_KINDS * THREATENING;
    /// The opponent is to move.
    pub(super) const ATTACKER_TO_MOVE: usize = Self::FLIGHT + FLIGHTS;
    /// In every position.
    pub(super) const ALWAYS: usize = Self::ATTACKER_TO_MOVE + 1;
    /// All weights of danger.
    pub const DANGERS: usize = Self::ALWAYS + 1;

    /// The places of a piece's weights: of the face, of where it is from the own and from the other king, and of its
    /// mobility.
    pub fn of_face(face: Face) -> [Range<usize>; 4] {
        let [piece, own_king, other_king, mobility] = Self::starts(face);
        [
            piece..piece + 1,
            own_king..own_king + Self::DISPLACEMENTS,
            other_king..other_king + Self::DISPLACEMENTS,
            mobility..mobility + Self::MOBILITIES,
        ]
    }

    /// The first place of each.
    pub(super) const fn starts(face: Face) -> [usize; 4] {
        let face = face.index();
        [
            Self::PIECE + face,
            Self::OWN_KING + face * Self::DISPLACEMENTS,
            Self::OTHER_KING + face * Self::DISPLACEMENTS,
            Self::MOBILITY + face * Self::MOBILITIES,
        ]
    }

    /// The places of the weights of a kind in hand.
    pub fn of_hand(kind: Kind) -> Range<usize> {
        let start = Self::HAND + kind.index() * IN_HAND;
        start..start + IN_HAND
    }
}
