//! How many ways there are to put restricted faces on files, as polynomials.
//!
//! A face is restricted if it may not stand everywhere: an unpromoted pawn where nifu is illegal,
//! and a face that could never move again where that is illegal. Such rules concern one file at a
//! time, so each file is counted by itself: a polynomial has a variable for each kind, whose
//! exponent is the number of restricted faces of that kind, and files side by side are multiplied.

use num_bigint::BigUint;
use shogi_core::{Colour, Face, MAX_KINDS};

use crate::table::Table;

/// Numbers of pieces by kind.
pub(crate) type Pieces = [u8; MAX_KINDS];

/// For each combination of numbers of restricted faces, in how many ways they stand on some files.
///
/// Terms with more pieces of a kind than the set has are left out.
#[derive(Clone, Debug)]
pub(crate) struct Polynomial {
    /// In ascending order of the numbers.
    pub(crate) terms: Vec<(Pieces, BigUint)>,
    table: &'static Table,
}

impl Polynomial {
    /// No way at all.
    pub(crate) const fn zero(table: &'static Table) -> Self {
        Self { terms: Vec::new(), table }
    }

    /// One way to put nothing.
    fn one(table: &'static Table) -> Self {
        Self { terms: vec![([0; MAX_KINDS], BigUint::from(1u8))], table }
    }

    /// This many files alike.
    pub(crate) fn power(&self, files: u8) -> Self {
        (0..files).fold(Self::one(self.table), |files, _| files.beside(self))
    }

    /// The ways of this many boards together.
    pub(crate) fn times(mut self, factor: usize) -> Self {
        for (_, ways) in &mut self.terms {
            *ways *= factor;
        }
        self
    }

    /// These files and others side by side: the product.
    pub(crate) fn beside(&self, others: &Self) -> Self {
        let mut product = Self::zero(self.table);
        for (a, ways_a) in &self.terms {
            for (b, ways_b) in &others.terms {
                product.add_term(std::array::from_fn(|k| a[k] + b[k]), &(ways_a * ways_b));
            }
        }
        product
    }

    /// These ways or others.
    pub(crate) fn add(&mut self, other: &Self) {
        for (pieces, ways) in &other.terms {
            self.add_term(*pieces, ways);
        }
    }

    fn add_term(&mut self, pieces: Pieces, ways: &BigUint) {
        if self.table.has_pieces(&pieces) {
            match self.terms.binary_search_by(|(present, _)| present.cmp(&pieces)) {
                Ok(term) => self.terms[term].1 += ways,
                Err(place) => self.terms.insert(place, (pieces, ways.clone())),
            }
        }
    }
}

/// A face that may not stand everywhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Restricted {
    pub(crate) face: Face,
    /// Whether a player may have only one such face on a file.
    pub(crate) alone: bool,
    /// On how many of the farthest ranks it may not stand.
    dead_ranks: u8,
}

impl Restricted {
    /// Whether a player may have this face on a rank, counted from the top.
    pub(crate) fn may_stand(&self, table: &Table, colour: Colour, rank: u8) -> bool {
        table.ranks_ahead(colour, rank) >= self.dead_ranks
    }
}

/// The restricted faces of a rule table.
pub(crate) fn restricted(table: &Table) -> Vec<Restricted> {
    let faces = table.faces().filter_map(|(face, _)| {
        let alone = table.is_pawn(face) && !table.allows_nifu;
        let dead_ranks = table.dead_ranks(face);
        (alone || dead_ranks > 0).then_some(Restricted { face, alone, dead_ranks })
    });
    faces.collect()
}

/// The ways to put these faces on one file with kings on some of its ranks.
pub(crate) fn file(table: &'static Table, faces: &[Restricted], kings: &[u8]) -> Polynomial {
    // By which players have a face already that may not be followed by another such one, a bit for
    // each: the ways to fill the ranks so far.
    let none = || Polynomial::zero(table);
    let mut states = [Polynomial::one(table), none(), none(), none()];
    for rank in (0..table.height).filter(|rank| !kings.contains(rank)) {
        let before = states.clone();
        for restricted in faces {
            for colour in Colour::ALL.into_iter().filter(|&c| restricted.may_stand(table, c, rank))
            {
                let bit = if restricted.alone { 1 << colour.index() } else { 0 };
                for (taken, ways) in before.iter().enumerate().filter(|(taken, _)| taken & bit == 0)
                {
                    for &(mut pieces, ref ways) in &ways.terms {
                        pieces[restricted.face.kind.index()] += 1;
                        states[taken | bit].add_term(pieces, ways);
                    }
                }
            }
        }
    }
    let mut ways = none();
    for state in &states {
        ways.add(state);
    }
    ways
}
