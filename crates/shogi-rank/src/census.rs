//! Counting whole placements: restricted faces file by file, everything else by binomials.

use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use shogi_core::{Kind, MAX_KINDS};

use crate::combinations::binomial;
use crate::restricted_faces::{Pieces, Polynomial, Restricted, file};
use crate::table::Table;

/// Which pairs of squares the kings may stand on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kings {
    /// Any two squares.
    Anywhere,
    /// Two squares that are not neighbours.
    Apart,
}

/// The empty squares that are left: pairs of mirror images that are filled together, and squares
/// filled alone. A board that need not be symmetric has no pairs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Room {
    pairs: usize,
    singles: usize,
}

/// Counts the placements in which restricted faces stand where they may.
pub(crate) struct Census {
    table: &'static Table,
    faces: Vec<Restricted>,
    /// In how many ways the kinds from the n-th on fill a room: n, pieces left, room.
    filled: FxHashMap<(usize, Pieces, Room), BigUint>,
    /// A file without kings.
    no_king: Polynomial,
}

impl Census {
    /// A census with these faces restricted; with none, of all placements.
    pub(crate) fn new(table: &'static Table, faces: Vec<Restricted>) -> Self {
        let no_king = file(table, &faces, &[]);
        Self { table, faces, filled: FxHashMap::default(), no_king }
    }

    /// Placements, mirror images counted as two.
    pub(crate) fn distinct(&mut self, kings: Kings) -> BigUint {
        let (table, width) = (self.table, self.table.width);
        let others = |kings: u8| self.no_king.power(width.saturating_sub(kings));
        let lone: Vec<_> =
            (0..table.height).map(|rank| file(table, &self.faces, &[rank])).collect();
        let apart = |a: u8, b: u8| kings == Kings::Anywhere || a.abs_diff(b) > 1;
        let (mut near, mut far) = (Polynomial::zero(table), Polynomial::zero(table));
        for (a, with_a) in (0..).zip(&lone) {
            for (b, with_b) in (0..).zip(&lone) {
                if apart(a, b) {
                    near.add(&with_a.beside(with_b));
                }
                far.add(&with_a.beside(with_b));
            }
        }
        let neighbours = 2 * (usize::from(width) - 1);
        let strangers = usize::from(width) * (usize::from(width) - 1) - neighbours;
        let mut files = near.times(neighbours).beside(&others(2));
        files.add(&far.times(strangers).beside(&others(2)));
        let together = self.file_with_both(apart).times(usize::from(width));
        files.add(&together.beside(&others(1)));
        self.complete(files)
    }

    /// Placements with both kings on the middle file, mirror images counted as two; none without
    /// such a file.
    pub(crate) fn kings_in_the_middle(&mut self) -> BigUint {
        if self.table.width.is_multiple_of(2) {
            return BigUint::ZERO;
        }
        let others = self.no_king.power(self.table.width - 1);
        self.complete(self.file_with_both(|_, _| true).beside(&others))
    }

    /// The placements in which the restricted faces stand in one of these ways.
    fn complete(&mut self, files: Polynomial) -> BigUint {
        let left = self.table.left_by_kings();
        let room = |used| Room { pairs: 0, singles: left - used };
        let terms = files.terms.into_iter();
        terms.map(|(used, ways)| ways * self.fill(0, self.rest(used), room(total(used)))).sum()
    }

    /// Placements that are their own mirror image.
    pub(crate) fn self_mirror(&mut self) -> BigUint {
        let (half, height) = (self.table.width / 2, self.table.height);
        if self.table.width.is_multiple_of(2) {
            return BigUint::ZERO;
        }
        let middle = self.file_with_both(|_, _| true);
        let pairs = usize::from(half) * usize::from(height);
        let mut sum = BigUint::ZERO;
        for (paired, paired_ways) in self.no_king.power(half).terms {
            for (single, single_ways) in &middle.terms {
                let used = std::array::from_fn(|k| 2 * paired[k] + single[k]);
                if self.table.has_pieces(&used) {
                    let singles = usize::from(height) - 2 - total(*single);
                    let room = Room { pairs: pairs - total(paired), singles };
                    sum += &paired_ways * single_ways * self.fill(0, self.rest(used), room);
                }
            }
        }
        sum
    }

    /// A file with both kings, on any ranks that `allowed` accepts.
    fn file_with_both(&self, allowed: impl Fn(u8, u8) -> bool) -> Polynomial {
        let ranks = 0..self.table.height;
        let mut sum = Polynomial::zero(self.table);
        for a in ranks.clone() {
            for b in ranks.clone().filter(|&b| a != b && allowed(a, b)) {
                sum.add(&file(self.table, &self.faces, &[a, b]));
            }
        }
        sum
    }

    /// In how many ways the kinds from the n-th on, so many pieces of each, lie in hands or stand
    /// in the room with unrestricted faces up.
    fn fill(&mut self, n: usize, mut left: Pieces, room: Room) -> BigUint {
        let Some(kind) = self.table.kinds().nth(n) else {
            return BigUint::from(1u8);
        };
        if let Some(ways) = self.filled.get(&(n, left, room)) {
            return ways.clone();
        }
        let pieces = usize::from(std::mem::take(&mut left[kind.index()]));
        let faces = self.free_faces(kind);
        let mut sum = BigUint::ZERO;
        for pairs in 0..=room.pairs.min(pieces / 2) {
            for singles in 0..=room.singles.min(pieces - 2 * pairs) {
                let in_hand = pieces - 2 * pairs - singles;
                let chosen = binomial(room.pairs, pairs) * binomial(room.singles, singles);
                let turned = BigUint::from(faces).pow((pairs + singles) as u32);
                let smaller = Room { pairs: room.pairs - pairs, singles: room.singles - singles };
                sum += turned * chosen * (in_hand + 1) * self.fill(n + 1, left, smaller);
            }
        }
        left[kind.index()] = pieces as u8;
        self.filled.insert((n, left, room), sum.clone());
        sum
    }

    /// The number of unrestricted faces of a kind, each with either owner.
    fn free_faces(&self, kind: Kind) -> u32 {
        let faces = self.table.faces().filter(|(face, _)| face.kind == kind);
        let free = faces.filter(|(face, _)| self.faces.iter().all(|r| r.face != *face)).count();
        2 * free as u32
    }

    /// The pieces of the set besides these and the kings.
    fn rest(&self, used: Pieces) -> Pieces {
        let mut rest = [0; MAX_KINDS];
        for kind in self.table.kinds() {
            rest[kind.index()] = self.table.spec(kind).count - used[kind.index()];
        }
        rest
    }
}

/// The number of pieces of all kinds together.
fn total(pieces: Pieces) -> usize {
    pieces.into_iter().map(usize::from).sum()
}
