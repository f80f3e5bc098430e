//! Spaces: sizes, membership, and both orders as bijections.

use crate::tables;

use std::collections::HashSet;

use proptest::prelude::*;
use shogi_core::*;
use shogi_rank::{BigUint, Order, Outside, RankError, Space, parse_rank};
use shogi_rules::{Dobutsu, KyotoShogi, Minishogi, Rules, Shogi, Shogi34, parse_sfen, to_sfen};
use tables::{Golds, Pawns, Wide, enumerate};

const MINISHOGI: u64 = 16_014_219_505_238_849_250;
const SHOGI: &str = "80880932079767835177773204009328769812438521503800714936366945233084532";

fn read(sfen: &str) -> Placement<Minishogi> {
    parse_sfen(sfen).unwrap().0
}

#[test]
fn sizes_of_the_literature() {
    let minishogi = Space::<Minishogi>::new().unwrap();
    assert_eq!(minishogi.size(), BigUint::from(MINISHOGI));
    assert_eq!(minishogi.size_u64(), Some(MINISHOGI));
    assert_eq!((minishogi.king_pairs(), minishogi.hand_classes()), (310, 243));
    let shogi = Space::<Shogi>::new().unwrap();
    assert_eq!(shogi.size().to_string(), SHOGI);
    assert_eq!(shogi.size_u64(), None);
    assert_eq!((shogi.king_pairs(), shogi.hand_classes()), (3276, 106_875));
}

/// Ranking is a bijection between the numbers below the size and the enumerated placements.
fn is_bijection<R: RuleTable>() {
    let space = Space::<R>::new().unwrap();
    let all = enumerate::<R>();
    let mut ranks = HashSet::new();
    for placement in &all {
        match space.rank::<u64>(placement, Order::Native) {
            Ok(rank) => {
                assert!(ranks.insert(rank), "rank {rank} twice");
                assert_eq!(space.unrank(rank, Order::Native).as_ref(), Ok(placement));
            }
            Err(error) => {
                let on_the_right = [Outside::SenteKingOnTheRight, Outside::GoteKingOnTheRight];
                assert!(on_the_right.map(RankError::Outside).contains(&error), "{error}");
                assert_eq!(space.check(&placement.mirror()), Ok(()));
            }
        }
    }
    assert_eq!(Some(ranks.len() as u64), space.size_u64());
    assert!(ranks.into_iter().all(|rank| rank < space.size_u64().unwrap()));
}

#[test]
fn native_ranks_are_a_bijection_with_all_pawn_placements() {
    is_bijection::<Pawns>();
}

#[test]
fn native_ranks_are_a_bijection_with_three_of_a_kind() {
    is_bijection::<Golds>();
}

#[test]
fn native_ranks_are_a_bijection_without_a_middle_file() {
    is_bijection::<Wide>();
}

/// Made by an independent program written from the description of the order in the paper's
/// published code.
#[test]
fn published_ranks() {
    let space = Space::<Minishogi>::new().unwrap();
    for (rank, sfen) in [
        (0, "Kpb2/ksb2/gs3/gr3/pr3 b - 1"),
        (1, "kpb2/Ksb2/gs3/gr3/pr3 b - 1"),
        (100, "Ksb2/gsk2/gr3/pr3/pb3 b - 1"),
        (310, "Kpb2/ksb2/gs3/pr3/gr3 b - 1"),
        (3_954_535_972_540_694_920, "K2r1/pR1g1/+b3+S/B1kp+S/2G2 b - 1"),
        (7_313_113_693_434_478_057, "G1p+Bk/B2S1/1K1g1/2rs1/+r2+p1 b - 1"),
        (13_269_575_748_039_801_085, "+p4/R3g/K+Rk2/2B2/1+p+BsS b G 1"),
        (14_816_278_051_220_332_939, "k4/1+RG+B1/+b+P1GR/1+S3/K2+P1 b S 1"),
        (MINISHOGI - 1, "5/4+R/4+R/2k1G/2K1G b 2B2S2P 1"),
    ] {
        let placement = space.unrank(rank, Order::IshiiTanaka).unwrap();
        assert_eq!(to_sfen(&placement), sfen);
        assert_eq!(space.rank::<u64>(&placement, Order::IshiiTanaka), Ok(rank));
    }
}

#[test]
fn the_native_order_stays_as_it_is() {
    let space = Space::<Minishogi>::new().unwrap();
    let start = read(Minishogi::START);
    let rank = space.rank::<u64>(&start, Order::Native).unwrap();
    assert_eq!(space.unrank(rank, Order::Native), Ok(start));
    let sfens = [0, 1_000_000_007, MINISHOGI / 3, MINISHOGI - 1]
        .map(|rank| to_sfen(&space.unrank(rank, Order::Native).unwrap()));
    assert_eq!(rank, 5_981_363_603_883_092_563);
    let expected = [
        "K2RG/k2RS/3BS/3BP/3GP b - 1",
        "K+b3/k1g+RS/2+r1S/2B1P/G3P b - 1",
        "3rs/1+SR1g/2pbB/1kp2/KG3 b - 1",
        "5/5/5/2k2/2K2 b 2R2B2G2S2P 1",
    ];
    assert_eq!(sfens, expected);
}

proptest! {
    #[test]
    fn minishogi_round_trips(rank in 0..MINISHOGI) {
        let space = Space::<Minishogi>::new().unwrap();
        for order in Order::ALL {
            let placement = space.unrank(rank, order).unwrap();
            prop_assert_eq!(space.check(&placement), Ok(()));
            prop_assert_eq!(space.rank::<u64>(&placement, order), Ok(rank));
            prop_assert_eq!(space.rank::<BigUint>(&placement, order), Ok(rank.into()));
            prop_assert_eq!(space.unrank(BigUint::from(rank), order).unwrap(), placement);
            prop_assert!(!placement.has_too_many_pieces());
        }
    }

    #[test]
    fn kyoto_round_trips(part in 0..u64::MAX) {
        let space = Space::<KyotoShogi>::new().unwrap();
        let size = space.size_u64().unwrap();
        let rank = part % size;
        let placement = space.unrank(rank, Order::Native).unwrap();
        prop_assert_eq!(space.rank::<u64>(&placement, Order::Native), Ok(rank));
        prop_assert_eq!(
            space.unrank(rank, Order::IshiiTanaka),
            Err(RankError::NoSuchOrder)
        );
    }
}

/// Ranks made of these words round-trip.
fn round_trips<R: RuleTable>(words: &[u32]) {
    let space = Space::<R>::new().unwrap();
    for rank in [BigUint::from_slice(words) % space.size(), BigUint::from(words[0]) % space.size()]
    {
        let placement = space.unrank(rank.clone(), Order::Native).unwrap();
        assert_eq!(space.rank::<BigUint>(&placement, Order::Native), Ok(rank));
        assert!(!placement.has_too_many_pieces());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn every_variant_round_trips(words in proptest::collection::vec(any::<u32>(), 8)) {
        round_trips::<Dobutsu>(&words);
        round_trips::<KyotoShogi>(&words);
        round_trips::<Shogi>(&words);
        round_trips::<Shogi34>(&words);
    }
}

#[test]
fn ranks_end_at_the_size() {
    let space = Space::<Minishogi>::new().unwrap();
    let size = space.size();
    for order in Order::ALL {
        assert!(space.unrank(MINISHOGI - 1, order).is_ok());
        for rank in [size.clone(), BigUint::from(u64::MAX), &size << 100] {
            let error = space.unrank(rank.clone(), order).unwrap_err();
            assert_eq!(error, RankError::OutOfRange { rank, size: size.clone() });
            assert!(error.to_string().contains("16014219505238849250"), "{error}");
        }
    }
    let wide = Space::<Shogi>::new().unwrap();
    let last = wide.size() - 1u8;
    assert_eq!(
        wide.rank::<BigUint>(&wide.unrank(last.clone(), Order::Native).unwrap(), Order::Native),
        Ok(last.clone())
    );
    let at_last = wide.unrank(last.clone(), Order::Native).unwrap();
    assert_eq!(wide.rank::<u64>(&at_last, Order::Native), Err(RankError::TooWide(last)));
    assert!(matches!(wide.unrank(wide.size(), Order::Native), Err(RankError::OutOfRange { .. })));
    assert_eq!(wide.unrank(0u64, Order::IshiiTanaka), Err(RankError::NoSuchOrder));
}

#[test]
fn outsiders_get_the_reason() {
    use Outside::*;
    let space = Space::<Minishogi>::new().unwrap();
    let (letter, expected) = ('R', 2);
    for (sfen, reason) in [
        ("rbsgk/4p/5/P4/KGSBR w - 1", GoteToMove),
        ("rbsg1/4p/5/P4/KGSBR b - 1", KingMissing(Colour::Gote)),
        ("rbsgk/4p/5/P4/1GSBR b - 1", KingMissing(Colour::Sente)),
        ("rbsgk/4p/5/P3K/KGSBR b - 1", TwoKings(Colour::Sente)),
        ("kgsbr/p4/5/4P/RBSGK b - 1", SenteKingOnTheRight),
        ("rbsgk/4p/5/P1K2/1GSBR b - 1", GoteKingOnTheRight),
        ("rbsgk/4p/5/P4/KGSB1 b - 1", Missing { letter, found: 1, expected }),
        ("rbsgk/4p/5/P4/KGSBR b R 1", TooMany { letter, found: 3, expected }),
    ] {
        for order in Order::ALL {
            assert_eq!(space.rank::<u64>(&read(sfen), order), Err(reason.into()), "{sfen}");
            assert_eq!(space.rank::<BigUint>(&read(sfen), order), Err(reason.into()), "{sfen}");
        }
    }
}

#[test]
fn impossible_placements_are_distinguished() {
    let space = Space::<Minishogi>::new().unwrap();
    let start = read(Minishogi::START);
    let gold = Square::new(1, 4).unwrap();
    let mut turned_gold = start;
    turned_gold.lift(gold);
    turned_gold.put(gold, Piece { face: Face::back(Minishogi::GOLD), colour: Colour::Sente });
    assert_eq!(space.check(&turned_gold), Err(Outside::NoBack('G')));
    let mut stacked = start;
    stacked.put(gold, Piece { face: Face::front(Minishogi::PAWN), colour: Colour::Sente });
    assert_eq!(space.check(&stacked), Err(Outside::Inconsistent));
    let mut shared = start;
    shared.put(gold, Piece { face: Face::front(Minishogi::GOLD), colour: Colour::Gote });
    assert_eq!(space.check(&shared), Err(Outside::Inconsistent));
}

#[test]
fn texts_of_ranks_and_orders() {
    assert_eq!(parse_rank("007"), Ok(BigUint::from(7u8)));
    for (text, position) in [("", 0), ("-1", 0), ("12 ", 2), ("1٣", 1), ("0x1", 1)] {
        assert_eq!(parse_rank(text).unwrap_err().position, position, "{text:?}");
    }
    assert!(parse_rank(&"9".repeat(100_000)).is_err());
    for order in Order::ALL {
        assert_eq!(order.to_string().parse(), Ok(order));
    }
    assert!("lexicographic".parse::<Order>().is_err());
}
