//! Packed positions and moves: bytes that other programs write, and round trips of random ones.

use std::collections::BTreeSet;

use shogi_files::packed::{PackError, Packing, UnpackError, UnpackReason};
use shogi_rules::shogi_core::{Faults, Position};
use shogi_rules::{Minishogi, Rules, Shogi, parse_position, parse_problem, parse_usi};
use testing::random::Random;
use testing::sample::{Style, legal};

const PACKINGS: [Packing; 2] = [Packing::PackedSfen, Packing::Hcp];

/// Positions as cshogi 1.1.0 packs them: the SFEN, the PackedSfen, the HuffmanCodedPos.
const KNOWN: [(&str, &str, &str); 6] = [
    (
        Shogi::START,
        "58a451220ceb67227e9653221caf447824c22b119e53221ceb6f223e9651220c",
        "58a449210cd757217e8e4d212caf427814c2ab109e4d212cd75f213e8e49210c",
    ),
    // A handicap: two pieces are in the box.
    (
        "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        "59a451220cab44fc2ca744385e89f0488457223ca744385689f858468930bc7e",
        "59a449210c9742fc1c9b42585e85f0288457213c9b42582e85f8382685303c5e",
    ),
    (
        "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 1",
        "8dcb51120c24e11f3c201e808f14342978f8738ae36094ab58c8251806c97a9f",
        "8dcb49110c14e11f3c201e808f12342578f8b5896561529738a823180ac979bf",
    ),
    (
        "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
        "6e010007c00100181c1f00c0000030fc002094711e1f922449922449d65aefbd",
        "6e01000bc00200182c1f00c0000030fc00208c723e3f922449922449ce39efbd",
    ),
    // Everything is in the box.
    (
        "4k4/9/9/9/9/9/9/9/4K4 b - 1",
        "58240000000000000000008024499224499294524aadb5b6d65a7beffd7afd7e",
        "58240000000000000000008024499224499294524a6badd55a6bbdf7fe78bc5e",
    ),
    // Every promoted piece of both players.
    (
        "+L+N+Sgkg+s+n+l/1+R5+B1/+P+P+P+P+P+P+P+P+P/9/9/9/+p+p+p+p+p+p+p+p+p/1+b5+r1/+l+n+sGKG+S+N+L b - 1",
        "58a459a14dfb57a1ffb75ba15daf427b14daabd09e4ba1dddb5fa1bff749a1cd",
        "58a459a28df767a2ffcf5da2adaf447b24da2bd19e55a2ede76fa2bfef51a2cd",
    ),
];

fn bytes(hex: &str) -> [u8; 32] {
    std::array::from_fn(|byte| u8::from_str_radix(&hex[2 * byte..][..2], 16).unwrap())
}

#[test]
fn positions_are_packed_as_by_another_program() {
    for (sfen, packed_sfen, hcp) in KNOWN {
        let position = parse_position::<Shogi>(sfen).unwrap();
        for (packing, hex) in PACKINGS.into_iter().zip([packed_sfen, hcp]) {
            assert_eq!(packing.pack(&position), Ok(bytes(hex)), "{sfen}");
            assert_eq!(packing.unpack(&bytes(hex)), Ok(position), "{sfen}");
        }
    }
}

/// Moves with the numbers that cshogi 1.1.0 gives them.
#[test]
fn moves_have_the_numbers_that_another_program_gives_them() {
    for (usi, packed_sfen, hcp) in [
        ("P*5e", 16552, 10408),
        ("L*5e", 16680, 10536),
        ("N*5e", 16808, 10664),
        ("S*5e", 16936, 10792),
        ("G*1a", 17280, 11136),
        ("B*3c", 17044, 10900),
        ("R*9i", 17232, 11088),
        ("9a8a+", 42047, 25663),
        ("5c1g", 4870, 4870),
        ("5b4a+", 37531, 21147),
    ] {
        let mv = parse_usi::<Shogi>(usi).unwrap();
        for (packing, number) in PACKINGS.into_iter().zip([packed_sfen, hcp]) {
            assert_eq!(packing.pack_move(mv), number, "{usi}");
            assert_eq!(packing.unpack_move(number), Some(mv), "{usi}");
        }
    }
}

#[test]
fn random_positions_and_all_their_moves_are_unpacked_as_they_were() {
    let mut random = Random::new(11);
    let (mut with_box, mut drops) = (0, 0);
    for style in Style::ALL {
        for _ in 0..500 {
            let position: Position<Shogi> = legal(&mut random, style);
            let moves = position.legal_moves();
            for packing in PACKINGS {
                let packed = packing.pack(&position).unwrap();
                assert_eq!(packing.unpack(&packed), Ok(position));
                let numbers: BTreeSet<u16> =
                    moves.iter().map(|&mv| packing.pack_move(mv)).collect();
                assert!(numbers.len() == moves.len() && !numbers.contains(&0));
            }
            let hands = position.hand(shogi_rules::shogi_core::Colour::Sente).is_empty();
            drops += usize::from(!hands);
            with_box += usize::from(position.occupied().len() < 20);
        }
    }
    assert!(with_box > 300 && drops > 1000, "{with_box} {drops}");
}

#[test]
fn every_number_stands_for_one_move_or_none() {
    for packing in PACKINGS {
        let is_move = |&number: &u16| match packing.unpack_move::<Shogi>(number) {
            Some(mv) => {
                assert_eq!(packing.pack_move(mv), number);
                true
            }
            None => false,
        };
        // From each of 81 squares to each other, promoting or not, and drops of seven kinds.
        assert_eq!((0..=u16::MAX).filter(is_move).count(), 2 * 81 * 80 + 7 * 81);
        assert_eq!(packing.unpack_move::<Minishogi>(60 << 7 | 59), None);
    }
}

#[test]
fn bytes_with_a_bit_changed_are_another_position_or_none() {
    let (mut others, mut refused) = (0, 0);
    for (sfen, ..) in KNOWN {
        let position = parse_position::<Shogi>(sfen).unwrap();
        for packing in PACKINGS {
            let packed = packing.pack(&position).unwrap();
            for bit in 0..256 {
                let mut changed = packed;
                changed[bit / 8] ^= 1 << (bit % 8);
                match packing.unpack::<Shogi>(&changed) {
                    Ok(other) => {
                        assert_ne!(other, position);
                        assert_eq!(packing.unpack(&packing.pack(&other).unwrap()), Ok(other));
                        others += 1;
                    }
                    Err(UnpackError { bit, .. }) => {
                        assert!(bit <= 256);
                        refused += 1;
                    }
                }
            }
        }
    }
    assert!(others > 100 && refused > 1000, "{others} {refused}");
}

#[test]
fn pieces_in_hand_may_come_in_any_order() {
    let packing = Packing::PackedSfen;
    let position = parse_position::<Shogi>(KNOWN[3].0).unwrap();
    let packed = packing.pack(&position).unwrap();
    // Sente's pawn, 000, and lance, 00001, exchanged: they follow the board, which has 15 pieces.
    let hands = 256 - (3 + 5 + 5 + 5 + 5 + 7 + 7) - (17 * 3 + 3 * 5 + 3 * 5);
    let bit = |bytes: &[u8; 32], at: usize| bytes[at / 8] >> (at % 8) & 1;
    let read: Vec<u8> = (hands..hands + 8).map(|at| bit(&packed, at)).collect();
    assert_eq!(read, [0, 0, 0, 1, 0, 0, 0, 0]);
    let mut exchanged = packed;
    for (at, wanted) in (hands..).zip([1, 0, 0, 0, 0, 0, 0, 0]) {
        exchanged[at / 8] &= !(1 << (at % 8));
        exchanged[at / 8] |= wanted << (at % 8);
    }
    assert_ne!(exchanged, packed);
    assert_eq!(packing.unpack(&exchanged), Ok(position));
}

#[test]
fn faults_are_reported_with_their_place() {
    let start = bytes(KNOWN[0].1);
    let reason =
        |bytes: [u8; 32]| Packing::PackedSfen.unpack::<Shogi>(&bytes).unwrap_err().to_string();
    // Both kings on 5i: the second one's bits are 8 to 14.
    let mut both = start;
    both[1] = 44 | both[1] & 0x80;
    assert_eq!(reason(both), "at bit 8: both kings stand on one square");
    // Gote's first lance, bits 15 to 20, is taken for a silver general.
    let mut lance = start;
    lance[2] |= 1 << 1;
    assert!(reason(lance).ends_with("pieces of the kind L in place of 4"), "{}", reason(lance));
    // The side to move is changed in a position where Gote stands in check.
    let check = parse_position::<Shogi>("4k4/4R4/9/9/9/9/9/9/4K4 w - 1").unwrap();
    let mut check = Packing::PackedSfen.pack(&check).unwrap();
    check[0] ^= 1;
    assert_eq!(
        reason(check),
        "at bit 256: illegal position: the player who just moved stands in check"
    );
    let of_minishogi = Packing::Hcp.unpack::<Minishogi>(&start).unwrap_err();
    assert_eq!(of_minishogi.reason, UnpackReason::Variant);

    let problem = parse_problem::<Shogi>("4k4/9/4P4/9/9/9/9/9/9 b G 1").unwrap();
    assert_eq!(Packing::Hcp.pack(&problem), Err(PackError::Illegal(Faults::NO_SENTE_KING)));
}
