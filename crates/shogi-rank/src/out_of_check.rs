//! How many placements leave the king of the player not to move out of check.
//!
//! Sente is to move, so this is about Gote's king. For each of its squares, look outwards: the eight rays from
//! it are disjoint, and whether a slide along a ray gives check depends only on whether something stands
//! between. So a ray is walked from the king on with two numbers, of the ways in which nothing has stood yet
//! and of those in which something has. A piece whose step reaches the king may stand nowhere, one whose slide
//! reaches it only behind another, all others anywhere. Sente's king is a piece like the others, of which there
//! is one. Squares on no ray are walked as rays of one square; there only knights give check.
//!
//! Numbers of ways are polynomials in the numbers of pieces on the board ([`crate::dense_polynomial`]), and the
//! rays are multiplied by starting each where the last one ended. Placements that are their own
//! mirror image are walked on one half of the board, where a piece off the middle file counts
//! twice.
//!
//! Nifu breaks this up, since files cross rays. With two pawns in the set, though, it takes both of
//! them: the ways in which all pawns stand on one file, unpromoted and of one player, are walked
//! for themselves and taken away.

use num_bigint::BigUint;
use shogi_core::{Colour, Direction, Kind, MAX_KINDS, Piece, Role};

use crate::dense_polynomial::{DensePolynomial, Faces, Monomials};
use crate::table::{Table, has, members, one};

/// The most terms times squares times squares of Gote's king that a count may take, all walks
/// together: less than a second.
const MAX_WORK: u64 = 1 << 26;

/// The most bits of the number of all placements. Without Sente's king on the board there can be
/// more ways than with it, but less than 32 times as many: those to fill its square otherwise.
const MAX_BITS: u64 = 120;

/// Placements without nifu and immobile pieces, where these are illegal, in which Gote's king is
/// not attacked.
pub(crate) struct OutOfCheck {
    /// Mirror images counted as two.
    pub(crate) distinct: BigUint,
    /// Those that are their own mirror image.
    pub(crate) self_mirror: BigUint,
}

/// Which placements are counted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Symmetry {
    Any,
    SelfMirror,
}

/// The only pawns that may stand: unpromoted ones of one player on one file.
#[derive(Clone, Copy)]
struct Nifu {
    column: u8,
    owner: Colour,
}

/// How many faces of each kind, colours included, may stand on a square with Gote's king where it
/// is.
struct AllowedFaces {
    /// With nothing between the square and the king.
    open: Faces,
    /// With something between.
    covered: Faces,
}

impl OutOfCheck {
    /// The counts for a rule table with `placements` placements in all.
    ///
    /// There are none where nifu is illegal and the set has more than two pawns, and where numbers
    /// or work are too large.
    pub(crate) fn new(table: &'static Table, placements: &BigUint) -> Option<Self> {
        let pawns: Vec<Kind> =
            table.all_kinds().filter(|&kind| table.spec(kind).role == Role::Pawn).collect();
        let number_of_pawns: u8 = pawns.iter().map(|&kind| table.spec(kind).count).sum();
        let nifu = match number_of_pawns {
            0 | 1 => false,
            _ if table.allows_nifu => false,
            2 => true,
            _ => return None,
        };
        let walks = if nifu { 1 + 2 * u64::from(table.width) } else { 1 };
        let work = Monomials::number(table) * walks * (table.area() * table.area()) as u64;
        if work > MAX_WORK || placements.bits() > MAX_BITS {
            return None;
        }
        let nifu = if nifu { pawns } else { Vec::new() };
        let count = Count { table, terms: Monomials::new(table), nifu };
        Some(Self {
            distinct: count.placements(Symmetry::Any).into(),
            self_mirror: count.placements(Symmetry::SelfMirror).into(),
        })
    }
}

/// A count under way.
struct Count {
    table: &'static Table,
    terms: Monomials,
    /// The kinds whose two pieces together can be nifu; none where no pieces can.
    nifu: Vec<Kind>,
}

impl Count {
    fn placements(&self, symmetry: Symmetry) -> u128 {
        let mut sum = 0;
        for king in self.table.squares() {
            // In the mirror a king off the middle file would be a second one.
            if symmetry == Symmetry::Any || self.table.is_middle(king) {
                sum += self.placements_around(king, symmetry);
            }
        }
        sum
    }

    /// The placements with Gote's king on this square.
    fn placements_around(&self, king: u8, symmetry: Symmetry) -> u128 {
        let mut sum = self.terms.placements(&self.walk(king, symmetry, None));
        if self.nifu.is_empty() {
            return sum;
        }
        let width = self.table.width;
        for column in 0..width {
            // Two pawns on a file off the middle would be four with their mirror images.
            if symmetry == Symmetry::SelfMirror && 2 * column + 1 != width {
                continue;
            }
            for owner in Colour::ALL {
                let ways = self.walk(king, symmetry, Some(Nifu { column, owner }));
                sum -= self.terms.placements_without_hands(&ways, &self.nifu);
            }
        }
        sum
    }

    /// The ways to fill the board around Gote's king.
    fn walk(&self, king: u8, symmetry: Symmetry, nifu: Option<Nifu>) -> DensePolynomial {
        let mut ways = self.terms.one();
        for line in self.lines(king) {
            let mut covered = self.terms.zero();
            for square in line {
                let copies = match symmetry {
                    Symmetry::SelfMirror if square > self.table.mirror(square) => continue,
                    Symmetry::SelfMirror if square < self.table.mirror(square) => 2,
                    _ => 1,
                };
                let allowed = self.allowed_faces(square, king, nifu);
                let mut next = covered.clone();
                self.terms.add_with_piece(&mut next, &covered, &allowed.covered, copies);
                self.terms.add_with_piece(&mut next, &ways, &allowed.open, copies);
                covered = next;
            }
            ways.iter_mut().zip(covered).for_each(|(open, covered)| *open += covered);
        }
        ways
    }

    /// All other squares of the board: the rays from this one outwards, then each of the rest
    /// alone.
    fn lines(&self, from: u8) -> Vec<Vec<u8>> {
        let mut rest = self.table.all_squares() & !one(from);
        let mut lines = Vec::new();
        for direction in Direction::ALL {
            let ray = self.table.ray_attacks(direction, from, 0);
            rest &= !ray;
            let mut line: Vec<u8> = members(ray).collect();
            if !direction.ascends() {
                line.reverse();
            }
            lines.push(line);
        }
        lines.extend(members(rest).map(|square| vec![square]));
        lines
    }

    /// The pieces allowed on a square.
    fn allowed_faces(&self, square: u8, king: u8, nifu: Option<Nifu>) -> AllowedFaces {
        let mut allowed = AllowedFaces { open: [0; MAX_KINDS], covered: [0; MAX_KINDS] };
        for (face, movement) in self.table.faces() {
            // A piece attacks the king from where the king, moving alike, would attack the piece.
            let steps = has(self.table.step_attacks(movement.step, Colour::Gote, king), square);
            let slides =
                has(self.table.slide_attacks(movement.slide, Colour::Gote, king, 0), square);
            let kind = face.kind.index();
            for colour in Colour::ALL {
                if self.may_stand(Piece { face, colour }, square, nifu) {
                    let is_sente = colour == Colour::Sente;
                    allowed.open[kind] += u8::from(!(is_sente && (steps || slides)));
                    allowed.covered[kind] += u8::from(!(is_sente && steps));
                }
            }
        }
        allowed
    }

    /// Whether a piece may stand on a square, checks aside.
    fn may_stand(&self, piece: Piece, square: u8, nifu: Option<Nifu>) -> bool {
        let Piece { face, colour } = piece;
        let may_be = match (self.table.spec(face.kind).role, nifu) {
            // Gote's king has its square already.
            (Role::Royal, _) => colour == Colour::Sente,
            (Role::Pawn, Some(Nifu { column, owner })) => {
                !face.promoted && colour == owner && self.table.column(square) == column
            }
            _ => true,
        };
        may_be && !self.table.is_dead(piece, square)
    }
}
