//! Exact counts against the literature, against enumeration and against sampling.

use crate::tables;

use shogi_core::*;
use shogi_rank::{BigUint, Counts, Sampler, Space, by_hand, by_hand_of};
use shogi_rules::{Dobutsu, KyotoShogi, Minishogi, Rules, Shogi, Shogi34, parse_sfen};
use tables::{
    Bishops, Covers, Golds, KnightsAndLances, Lawless, Long, Pawns, Rooks, RooksAndBishops, Tall,
    ThreePawns, Twins, Wide, enumerate, mirror_is_smaller,
};

fn big(text: &str) -> BigUint {
    text.replace('_', "").parse().unwrap()
}

fn float(number: &BigUint) -> f64 {
    number.to_string().parse().unwrap()
}

/// By how many standard deviations a sample has more hits than expected.
fn deviations(hits: f64, samples: f64, p: f64) -> f64 {
    (hits - p * samples) / (samples * p * (1.0 - p)).sqrt()
}

#[test]
fn minishogi() {
    let counts = Counts::new::<Minishogi>().unwrap();
    assert_eq!(counts.candidates, big("16_014_219_505_238_849_250"));
    assert_eq!(counts.distinct, big("30_995_263_558_526_805_000"));
    assert_eq!(counts.pawn_distinct, big("24_917_722_146_793_660_410"));
    assert_eq!(counts.kings_apart_distinct, big("18_967_288_597_804_483_326"));
}

#[test]
fn minishogi_out_of_check() {
    let counts = Counts::new::<Minishogi>().unwrap();
    let [king, distinct] = [counts.king, counts.king_distinct].map(Option::unwrap);
    assert_eq!(king, big("3_444_239_420_851_162_025"));
    assert_eq!(distinct, big("6_888_478_838_177_592_162"));
    assert!(distinct < counts.kings_apart_distinct);
    // Left of 1e8 samples in docs/results/minishogi_reachable.json, and by Ishii & Tanaka.
    for sampled in [21_511_337.0, 21_506_911.0] {
        let deviations = deviations(sampled, 1e8, float(&king) / float(&counts.candidates));
        assert!(deviations.abs() < 4.0, "{deviations} standard deviations");
    }
}

#[test]
fn checks_are_not_counted_for_large_sets() {
    assert_eq!(Counts::new::<Shogi>().unwrap().king, None);
    assert_eq!(Counts::new::<Shogi34>().unwrap().king_distinct, None);
    assert_eq!(Counts::new::<ThreePawns>().unwrap().king, None);
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
    let counts = Counts::new::<KyotoShogi>().unwrap();
    assert_eq!(counts.distinct, big("62_159_201_802_653_400"));
    // Nothing is restricted in this game.
    assert_eq!((counts.pawn, counts.pawn_distinct), (counts.flip, counts.distinct));
}

#[test]
fn shogi() {
    let counts = Counts::new::<Shogi>().unwrap();
    assert_eq!(counts.candidates, Space::<Shogi>::new().unwrap().size());
    assert_eq!(by_hand::<Shogi>().len(), 39);
    // Ishii & Tanaka's run on 9x9: of 5e9 samples this many are left.
    let share = |number: &BigUint| float(number) / float(&counts.candidates);
    for (exact, sampled) in [(&counts.flip, 4_945_063_843.0), (&counts.pawn, 187_220_063.0)] {
        let deviations = deviations(sampled, 5e9, share(exact));
        assert!(deviations.abs() < 4.0, "{deviations} standard deviations");
    }
}

#[test]
fn both_ways_of_counting_agree() {
    fn agree<R: RuleTable>() {
        let distinct: BigUint = by_hand::<R>().into_iter().sum();
        assert_eq!(Counts::new::<R>().unwrap().distinct, distinct);
    }
    agree::<Dobutsu>();
    agree::<KyotoShogi>();
    agree::<Minishogi>();
    agree::<Shogi>();
    agree::<Shogi34>();
}

#[test]
fn pieces_of_a_position() {
    fn whole_set<R: Rules>() {
        let start = parse_sfen::<R>(R::START).unwrap().0;
        assert_eq!(by_hand_of(&start), by_hand::<R>());
    }
    whole_set::<Dobutsu>();
    whole_set::<KyotoShogi>();
    whole_set::<Minishogi>();
    whole_set::<Shogi>();
    // Two pawns, on the board or in a hand: the set of `Pawns` with its kings elsewhere.
    for sfen in ["3/1p1/1P1/k1K b - 1", "k1K/3/3/3 b 2P 1", "k1K/3/+p2/3 w p 1"] {
        let position = parse_sfen::<Shogi34>(sfen).unwrap().0;
        assert_eq!(by_hand_of(&position), by_hand::<Pawns>(), "{sfen}");
    }
}

#[test]
fn dobutsu() {
    let counts = Counts::new::<Dobutsu>().unwrap();
    assert_eq!(counts.distinct, big("1_567_925_964"));
    // Nothing is restricted, and lions may be attacked: all of it is candidates.
    assert_eq!((counts.pawn, counts.pawn_distinct), (counts.flip, counts.distinct));
}

/// All counts of a small game, by looking at every placement.
fn agrees_with_enumeration<R: RuleTable>() {
    let counts = Counts::new::<R>().unwrap();
    let all = enumerate::<R>();
    let space = Space::<R>::new().unwrap();
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
    let safe = |p: &Placement<R>| legal(p) && !p.in_check(Colour::Gote);
    assert_eq!(counts.king, Some(count(&|p| !mirror_is_smaller(p) && safe(p))));
    assert_eq!(counts.king_distinct, Some(count(&|p| safe(p))));
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
fn even_boards_by_enumeration() {
    agrees_with_enumeration::<Wide>();
    agrees_with_enumeration::<Tall>();
}

#[test]
fn sliders_by_enumeration() {
    agrees_with_enumeration::<Rooks>();
    agrees_with_enumeration::<Bishops>();
    agrees_with_enumeration::<Covers>();
    agrees_with_enumeration::<Long>();
}

#[test]
fn unusual_pawns_by_enumeration() {
    agrees_with_enumeration::<Twins>();
    agrees_with_enumeration::<Lawless>();
}

/// The exact shares against a sample.
fn agrees_with_sampling<R: RuleTable>() {
    const SAMPLES: u64 = 400_000;
    let counts = Counts::new::<R>().unwrap();
    let space = Space::<R>::new().unwrap();
    let (mut flip, mut pawn, mut king) = (0u32, 0u32, 0u32);
    for placement in Sampler::new(&space, 5).placements(0..SAMPLES) {
        // With one king off the middle file the member is the representative by definition.
        let kings = Colour::ALL.map(|colour| placement.king(colour).unwrap());
        let in_the_middle = kings.iter().all(|&king| king == king.mirror());
        if !in_the_middle || !mirror_is_smaller(&placement) {
            let legal = !placement.has_nifu() && !placement.has_immobile();
            flip += 1;
            pawn += u32::from(legal);
            king += u32::from(legal && !placement.in_check(Colour::Gote));
        }
    }
    let expected = [Some(counts.flip), Some(counts.pawn), counts.king];
    for (sampled, exact) in [flip, pawn, king].into_iter().zip(expected) {
        let share = float(&exact.unwrap()) / float(&space.size());
        let deviations = deviations(sampled.into(), SAMPLES as f64, share);
        assert!(deviations.abs() < 4.5, "{deviations} standard deviations");
    }
}

#[test]
fn shares_by_sampling() {
    agrees_with_sampling::<Dobutsu>();
    agrees_with_sampling::<KyotoShogi>();
    agrees_with_sampling::<Minishogi>();
    agrees_with_sampling::<RooksAndBishops>();
    agrees_with_sampling::<KnightsAndLances>();
}
