//! Cores that come apart by L7.

use std::collections::BTreeMap;

use shogi_core::{Board5x5, Colour, Face, Kind, Piece, Placement, Square};
use shogi_reach::Reach;
use shogi_rules::Minishogi;

use crate::class::{Set, Sights, kinds};
use crate::ways::KINDS;

/// By the squares of the promoted pieces and by how many pieces of each kind are left, how many cores there are.
#[derive(Default)]
pub struct Cores {
    /// That come apart.
    pub good: BTreeMap<Set, BTreeMap<[usize; KINDS], u64>>,
    /// That do not.
    pub bad: u64,
}

/// The cores of one pair of kings.
pub fn cores(reach: &Reach<Minishogi>, sights: &Sights, kings: [Square<Board5x5>; 2]) -> Cores {
    let mut bare = Placement::<Minishogi>::EMPTY;
    let mut pieces = Vec::new();
    let king = Kind::all::<Minishogi>().find(|kind| kind.spec::<Minishogi>().letter == 'K');
    for colour in Colour::ALL {
        let Some(king) = king else { continue };
        bare.put(kings[colour.index()], Piece { face: Face::front(king), colour });
        for (number, kind) in kinds().enumerate() {
            if kind.spec::<Minishogi>().back.is_none() {
                continue;
            }
            let face = Face::back(kind);
            for square in sights.blind(colour, face, kings[(!colour).index()]) {
                if !kings.contains(&square) {
                    pieces.push((square, number, Piece { face, colour }));
                }
            }
        }
    }
    let mut cores = Cores::default();
    cores.good.entry(Set::EMPTY).or_default().insert([2; KINDS], 1);
    let mut look = |core: &Placement<Minishogi>, used: &[usize]| {
        if !reach.comes_apart(core) {
            cores.bad += 1;
            return;
        }
        let mut left = [2; KINDS];
        used.iter().for_each(|&kind| left[kind] -= 1);
        *cores.good.entry(core.promoted()).or_default().entry(left).or_insert(0) += 1;
    };
    for (index, &(square, kind, piece)) in pieces.iter().enumerate() {
        let mut one = bare;
        one.put(square, piece);
        look(&one, &[kind]);
        for &(other_square, other_kind, other) in &pieces[index + 1..] {
            if other_square != square {
                let mut two = one;
                two.put(other_square, other);
                look(&two, &[kind, other_kind]);
            }
        }
    }
    cores
}
