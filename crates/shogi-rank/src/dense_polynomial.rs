//! Numbers of ways to put pieces on the board, by how many of each kind, as dense polynomials.
//!
//! A [`Polynomial`](crate::restricted_faces::Polynomial) has few terms with numbers of any size.
//! These are arrays with a place for every term, for sets so small that all their placements
//! together are counted in 128 bits.

use shogi_core::{Kind, MAX_KINDS};

use crate::restricted_faces::Pieces;
use crate::table::Table;

/// The number of faces, colours included, that each kind may show on a square.
pub(crate) type Faces = [u8; MAX_KINDS];

/// For each term of [`Monomials`] the number of ways.
pub(crate) type DensePolynomial = Vec<u128>;

/// The terms: every combination of numbers of pieces of one player's king and the other kinds.
pub(crate) struct Monomials {
    table: &'static Table,
    pieces: Vec<Pieces>,
    /// By how much the number of a term grows with one more piece of a kind.
    strides: [usize; MAX_KINDS],
}

impl Monomials {
    /// How many terms there are.
    pub(crate) fn number(table: &Table) -> u64 {
        table.all_kinds().map(|kind| u64::from(most(table, kind)) + 1).product()
    }

    pub(crate) fn new(table: &'static Table) -> Self {
        let mut pieces = vec![[0; MAX_KINDS]];
        let mut strides = [0; MAX_KINDS];
        for kind in table.all_kinds() {
            strides[kind.index()] = pieces.len();
            let fewer = pieces.clone();
            for number in 1..=most(table, kind) {
                pieces.extend(fewer.iter().map(|&(mut more)| {
                    more[kind.index()] = number;
                    more
                }));
            }
        }
        Self { table, pieces, strides }
    }

    /// No way at all.
    pub(crate) fn zero(&self) -> DensePolynomial {
        vec![0; self.pieces.len()]
    }

    /// One way to put nothing.
    pub(crate) fn one(&self) -> DensePolynomial {
        let mut ways = self.zero();
        ways[0] = 1;
        ways
    }

    /// Adds to `sum` the ways to put one of these faces, so many copies of it, besides the pieces
    /// of `before`.
    pub(crate) fn add_with_piece(
        &self,
        sum: &mut DensePolynomial,
        before: &DensePolynomial,
        faces: &Faces,
        copies: u8,
    ) {
        for (term, (&ways, pieces)) in before.iter().zip(&self.pieces).enumerate() {
            if ways == 0 {
                continue;
            }
            for kind in self.table.all_kinds() {
                let (faces, stands) = (faces[kind.index()], pieces[kind.index()]);
                if faces > 0 && stands + copies <= most(self.table, kind) {
                    let more = term + usize::from(copies) * self.strides[kind.index()];
                    sum[more] += ways * u128::from(faces);
                }
            }
        }
    }

    /// The number of placements: Sente's king is on the board, and the players share what is not.
    pub(crate) fn placements(&self, ways: &DensePolynomial) -> u128 {
        let terms = ways.iter().zip(&self.pieces);
        let with_king = terms.filter(|(_, pieces)| pieces[self.table.royal.index()] == 1);
        let shared = |pieces: &Pieces| {
            let hands = |kind: Kind| self.table.count(kind) + 1 - u32::from(pieces[kind.index()]);
            self.table.kinds().map(|kind| u128::from(hands(kind))).product::<u128>()
        };
        with_king.map(|(&ways, pieces)| ways * shared(pieces)).sum()
    }

    /// The number of placements with all pieces of these kinds on the board.
    pub(crate) fn placements_without_hands(&self, ways: &DensePolynomial, kinds: &[Kind]) -> u128 {
        let all = |pieces: &Pieces| kinds.iter().all(|&k| pieces[k.index()] == most(self.table, k));
        let complete = ways.iter().zip(&self.pieces);
        let complete = complete.map(|(&ways, pieces)| if all(pieces) { ways } else { 0 });
        self.placements(&complete.collect())
    }
}

/// The largest number of pieces of a kind that are placed: all but one of the kings.
fn most(table: &Table, kind: Kind) -> u8 {
    table.spec(kind).count - u8::from(kind == table.royal)
}
