//! Exact counts against the literature, against enumeration and against sampling.

mod tables;

use shogi_core::*;
use shogi_rank::{BigUint, Counts, Sampler, Space, by_hand};
use shogi_rules::{Dobutsu, KyotoShogi, Minishogi, Shogi, Shogi34};
use tables::{Golds, Pawns, Wide, enumerate, mirror_is_smaller};

fn big(text: &str) -> BigUint {
    text.replace('_', "").parse().unwrap()
}

#[test]
fn minishogi() {
    let counts = Counts::new::<Minishogi>();
    assert_eq!(counts.candidates, big("16_014_219_505_238_849_250"));
    assert_eq!(counts.distinct, big("30_995_263_558_526_805_000"));
    assert_eq!(counts.pawn_distinct, big("24_917_722_146_793_660_410"));
    assert_eq!(counts.kings_apart_distinct, big("18_967_288_597_804_483_326"));
}

#[test]
fn kyoto_by_hand() {
    let expected = [
        "48_585_426_075_648_000",
        "12_146_356_518_912_000",
        "1_339_671_674_880_000",
        "84_349_698_048_000",
        "3_313_271_808_000",
        "83_239_833_600",
        "1_311_552_000",
        "11_923_200",
        "48_600",
    ];
    assert_eq!(by_hand::<KyotoShogi>(), expected.map(big));
    let counts = Counts::new::<KyotoShogi>();
    assert_eq!(counts.distinct, big("62_159_201_802_653_400"));
    // Nothing is restricted in this game.
    assert_eq!((counts.pawn, counts.pawn_distinct), (counts.flip, counts.distinct));
}

#[test]
fn shogi() {
    let counts = Counts::new::<Shogi>();
    assert_eq!(counts.candidates, Space::<Shogi>::new().size());
    assert_eq!(by_hand::<Shogi>().len(), 39);
    // Ishii & Tanaka's run on 9x9: of 5e9 samples this many are left.
    let share = |number: &BigUint| -> f64 {
        number.to_string().parse::<f64>().unwrap()
            / counts.candidates.to_string().parse::<f64>().unwrap()
    };
    for (exact, sampled) in [(&counts.flip, 4_945_063_843.0), (&counts.pawn, 187_220_063.0)] {
        let p = share(exact);
        let deviations = (sampled - p * 5e9) / (5e9 * p * (1.0 - p)).sqrt();
        assert!(deviations.abs() < 4.0, "{deviations} standard deviations");
    }
}

#[test]
fn both_ways_of_counting_agree() {
    fn agree<R: RuleTable>() {
        let distinct: BigUint = by_hand::<R>().into_iter().sum();
        assert_eq!(Counts::new::<R>().distinct, distinct);
    }
    agree::<Dobutsu>();
    agree::<KyotoShogi>();
    agree::<Minishogi>();
    agree::<Shogi>();
    agree::<Shogi34>();
}

/// All counts of a small game, by looking at every placement.
fn agrees_with_enumeration<R: RuleTable>() {
    let counts = Counts::new::<R>();
    let all = enumerate::<R>();
    let space = Space::<R>::new();
    let legal = |p: &Placement<R>| !p.has_nifu() && !p.has_immobile();
    let apart = |p: &Placement<R>| {
        let kings = Colour::ALL.map(|colour| p.king(colour).unwrap());
        let files = kings[0].column().abs_diff(kings[1].column());
        files.max(kings[0].rank().abs_diff(kings[1].rank())) > 1
    };
    let count = |condition: &dyn Fn(&Placement<R>) -> bool| {
        BigUint::from(all.iter().filter(|p| condition(p)).count())
    };
    assert_eq!(counts.distinct, count(&|_| true));
    assert_eq!(counts.self_mirror, count(&|p| *p == p.mirror()));
    assert_eq!(counts.candidates, count(&|p| space.check(p).is_ok()));
    assert_eq!(counts.flip, count(&|p| !mirror_is_smaller(p)));
    assert_eq!(counts.pawn, count(&|p| !mirror_is_smaller(p) && legal(p)));
    assert_eq!(counts.pawn_distinct, count(&|p| legal(p)));
    assert_eq!(counts.kings_apart_distinct, count(&|p| legal(p) && apart(p)));
    let in_hand = |p: &Placement<R>| {
        let hands = Colour::ALL.map(|colour| p.hand(colour));
        Kind::all::<R>()
            .map(|k| hands.map(|h| usize::from(h.count(k))).iter().sum::<usize>())
            .sum::<usize>()
    };
    for (number, expected) in by_hand::<R>().into_iter().enumerate() {
        assert_eq!(expected, count(&|p| in_hand(p) == number), "{number} in hand");
    }
}

#[test]
fn pawns_by_enumeration() {
    agrees_with_enumeration::<Pawns>();
}

#[test]
fn golds_by_enumeration() {
    agrees_with_enumeration::<Golds>();
}

#[test]
fn an_even_board_by_enumeration() {
    agrees_with_enumeration::<Wide>();
}

/// The exact shares against a sample, as far as they can be told from placements alone.
#[test]
fn minishogi_by_sampling() {
    const SAMPLES: u64 = 400_000;
    let counts = Counts::new::<Minishogi>();
    let space = Space::<Minishogi>::new();
    let (mut flip, mut pawn) = (0u64, 0u64);
    for placement in Sampler::new(&space, 5).placements(0..SAMPLES) {
        // With one king off the middle file the member is the representative by definition.
        let kings = Colour::ALL.map(|colour| placement.king(colour).unwrap());
        let in_the_middle = kings.iter().all(|king| king.column() == 2);
        if !in_the_middle || !mirror_is_smaller(&placement) {
            flip += 1;
            pawn += u64::from(!placement.has_nifu() && !placement.has_immobile());
        }
    }
    for (sampled, exact) in [(flip, counts.flip), (pawn, counts.pawn)] {
        let [exact, size] = [exact, space.size()].map(|n| n.to_string().parse::<f64>().unwrap());
        let (p, n) = (exact / size, SAMPLES as f64);
        let deviations = (sampled as f64 - n * p) / (n * p * (1.0 - p)).sqrt();
        assert!(deviations.abs() < 4.5, "{deviations} standard deviations");
    }
}
