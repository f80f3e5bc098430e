//! How many ways there are to put restricted faces on files, as polynomials.
//!
//! A face is restricted if it may not stand everywhere: an unpromoted pawn where nifu is illegal,
//! and a face that could never move again where that is illegal. Such rules look at one file at a
//! time, so the files can be counted each for itself: a polynomial has a variable for each kind,
//! its exponent the number of restricted faces of that kind, and files side by side are multiplied.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::ops::AddAssign;

use num_bigint::BigUint;
use shogi_core::{Colour, Face, Geometry, Kind, MAX_KINDS, Role, RuleTable};

use crate::constants::Constants;

/// Numbers of pieces by kind.
pub(crate) type Pieces = [u8; MAX_KINDS];

/// For each combination of numbers of restricted faces, in how many ways they stand on some files.
///
/// Terms with more pieces of a kind than the set of `R` has are left out.
#[derive(Clone, Debug)]
pub(crate) struct Polynomial<R> {
    pub(crate) terms: BTreeMap<Pieces, BigUint>,
    rules: PhantomData<R>,
}

impl<R: RuleTable> Polynomial<R> {
    /// No way at all.
    pub(crate) const ZERO: Self = Self { terms: BTreeMap::new(), rules: PhantomData };

    /// One way to put nothing.
    pub(crate) fn one() -> Self {
        let terms = [([0; MAX_KINDS], BigUint::from(1u8))].into();
        Self { terms, rules: PhantomData }
    }

    /// This many files alike.
    pub(crate) fn power(&self, files: u8) -> Self {
        (0..files).fold(Self::one(), |files, _| files.beside(self))
    }

    /// The ways of this many boards together.
    pub(crate) fn times(mut self, factor: usize) -> Self {
        self.terms.values_mut().for_each(|ways| *ways *= factor);
        self
    }

    /// These files and others side by side: the product.
    pub(crate) fn beside(&self, others: &Self) -> Self {
        let mut product = Self::ZERO;
        for (a, ways_a) in &self.terms {
            for (b, ways_b) in &others.terms {
                product.add_term(std::array::from_fn(|k| a[k] + b[k]), ways_a * ways_b);
            }
        }
        product
    }

    fn add_term(&mut self, pieces: Pieces, ways: BigUint) {
        let in_set =
            Kind::all::<R>().all(|k| u32::from(pieces[k.index()]) <= Constants::<R>::count(k));
        if in_set {
            *self.terms.entry(pieces).or_default() += ways;
        }
    }
}

impl<R: RuleTable> AddAssign<Self> for Polynomial<R> {
    fn add_assign(&mut self, other: Self) {
        for (pieces, ways) in other.terms {
            self.add_term(pieces, ways);
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
    pub(crate) fn may_stand<R: RuleTable>(&self, colour: Colour, rank: u8) -> bool {
        let ahead = if colour == Colour::Sente { rank } else { R::Geometry::HEIGHT - 1 - rank };
        ahead >= self.dead_ranks
    }
}

/// The restricted faces of a rule table.
pub(crate) fn restricted<R: RuleTable>() -> Vec<Restricted> {
    Face::all::<R>()
        .filter_map(|face| {
            let is_pawn = face.kind.spec::<R>().role == Role::Pawn && !face.promoted;
            let alone = is_pawn && !R::ALLOWS_NIFU;
            let dead_ranks =
                if R::ALLOWS_IMMOBILE { 0 } else { face.movement::<R>()?.dead_ranks() };
            (alone || dead_ranks > 0).then_some(Restricted { face, alone, dead_ranks })
        })
        .collect()
}

/// The ways to put these faces on one file with kings on some of its ranks.
pub(crate) fn file<R: RuleTable>(faces: &[Restricted], kings: &[u8]) -> Polynomial<R> {
    let height = R::Geometry::HEIGHT;
    // Ways by what stands on the ranks so far: whether each player has a face that may not be
    // followed by another such one, and numbers of pieces.
    let mut states = BTreeMap::from([(([false; 2], [0; MAX_KINDS]), BigUint::from(1u8))]);
    for rank in (0..height).filter(|rank| !kings.contains(rank)) {
        let mut next = states.clone();
        for ((taken, pieces), ways) in states {
            for restricted in faces {
                for colour in Colour::ALL {
                    let second = restricted.alone && taken[colour.index()];
                    if !restricted.may_stand::<R>(colour, rank) || second {
                        continue;
                    }
                    let mut taken: [bool; 2] = taken;
                    taken[colour.index()] |= restricted.alone;
                    let mut pieces: Pieces = pieces;
                    pieces[restricted.face.kind.index()] += 1;
                    *next.entry((taken, pieces)).or_default() += &ways;
                }
            }
        }
        states = next;
    }
    let mut ways = Polynomial::ZERO;
    for ((_, pieces), count) in states {
        ways.add_term(pieces, count);
    }
    ways
}
