//! Samples with the kings put last.

use std::collections::HashSet;

use shogi_core::*;
use shogi_rank::{Counts, KingSquares, KingsLast, PAIRS_DRAWN, PawnLegal, Ranking};
use shogi_rules::{Minishogi, Shogi};

use crate::tables::{Covers, Golds, Pawns, Rooks, Tall, Wide};

/// The pairs on which Gote's king is not attacked, by trying all.
fn tried<R: RuleTable>(placement: &Placement<R>) -> HashSet<Placement<R>> {
    let mut rest = *placement;
    let mut kings = Vec::new();
    for square in placement.royals() {
        kings.extend(rest.lift(square));
    }
    let face = kings[0].face;
    let empties = || Square::all().filter(|&square| rest.piece(square).is_none());
    let mut found = HashSet::new();
    for sente in empties() {
        for gote in empties().filter(|&gote| gote != sente) {
            let mut with_kings = rest;
            with_kings.put(sente, Piece { face, colour: Colour::Sente });
            with_kings.put(gote, Piece { face, colour: Colour::Gote });
            if !with_kings.in_check(Colour::Gote) {
                found.insert(with_kings);
            }
        }
    }
    found
}

fn agrees_with_trying<R: RuleTable>(placement: &Placement<R>) {
    let squares = KingSquares::of(placement);
    let numbered: HashSet<_> =
        (0..squares.legal()).map(|number| squares.nth(number).unwrap()).collect();
    assert_eq!((numbered.len() as u32, squares.nth(squares.legal())), (squares.legal(), None));
    assert_eq!(numbered, tried(placement), "{placement:?}");
}

/// The mean over all members is the exact number of placements in which Gote's king is not attacked.
fn means_are_exact<R: RuleTable>() {
    let set = PawnLegal::<R>::new().unwrap();
    let mut sum = 0.0;
    for rank in 0..set.size_u64().unwrap() {
        let placement = set.unrank_u64(rank).unwrap();
        let squares = KingSquares::of(&placement);
        let is_half = placement.royals().into_iter().all(|king| king == king.mirror());
        let weight = if is_half { 0.5 } else { 1.0 };
        sum += weight * f64::from(squares.legal()) / f64::from(squares.pairs());
        if rank % 211 == 0 {
            agrees_with_trying(&placement);
        }
    }
    let exact = Counts::new::<R>().unwrap().king_distinct.unwrap().to_string();
    let exact = exact.parse::<f64>().unwrap() / 2.0;
    assert!((sum / exact - 1.0).abs() < 1e-9, "{sum} {exact}");
}

#[test]
fn shares_of_pairs_add_up_to_the_exact_number() {
    means_are_exact::<Pawns>();
    means_are_exact::<Golds>();
    means_are_exact::<Rooks>();
    means_are_exact::<Covers>();
    means_are_exact::<Wide>();
    means_are_exact::<Tall>();
}

#[test]
fn samples_depend_on_seed_and_number_alone() {
    fn holds<R: RuleTable>(samples: u64) {
        let set = PawnLegal::<R>::new().unwrap();
        let all = |seed, range| KingsLast::new(&set, seed).samples(range).collect::<Vec<_>>();
        let whole = all(3, 0..samples);
        let part = all(3, samples / 2..samples);
        let kept = |sample: &shogi_rank::KingsLastSample<R>| (sample.drawn.clone(), sample.lot);
        let tail = whole[whole.len() - part.len()..].iter().map(kept);
        assert!(part.iter().map(kept).eq(tail));
        assert_ne!(kept(&whole[0]), kept(&all(4, 0..1)[0]));
        for sample in &whole {
            assert_eq!(
                sample.drawn.len(),
                if sample.squares.legal() > 0 { PAIRS_DRAWN } else { 0 }
            );
            for drawn in &sample.drawn {
                assert!(!drawn.in_check(Colour::Gote) && drawn.faults().is_empty());
            }
        }
        agrees_with_trying(&whole[0].drawn[0]);
    }
    holds::<Minishogi>(2_000);
    holds::<Shogi>(200);
}
