//! A network of random numbers, beside a plain computation from its file and the text of positions.

use std::sync::LazyLock;

use shogi_core::Position;
use shogi_rules::sealed::Flaw;
use shogi_rules::{Game, Minishogi, Rules, Shogi, parse_position, to_sfen};
use testing::random::Random;

use super::*;
use crate::file::FileReason;

const DESCRIPTION: &str = "random numbers";
/// The first byte after the description.
const TRANSFORMER: usize = 12 + DESCRIPTION.len();
/// The first byte of the layers above.
const LAYERS: usize = TRANSFORMER + 4 + 2 * HIDDEN * (1 + 81 * 1548);

/// The bytes of a network without any pattern.
static FILE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut state = 1_u64;
    let mut number = |most: i64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as i64 % (2 * most + 1) - most
    };
    let mut file = Vec::new();
    for word in [0x7AF3_2F16, 0x3E5A_A6EE, DESCRIPTION.len() as u32] {
        file.extend(word.to_le_bytes());
    }
    file.extend(DESCRIPTION.as_bytes());
    file.extend(0x5D69_D7B8_u32.to_le_bytes());
    for _ in 0..HIDDEN * (1 + 81 * 1548) {
        file.extend((number(40) as i16).to_le_bytes());
    }
    file.extend(0x6333_7156_u32.to_le_bytes());
    for (inputs, outputs, most) in [(512, 32, 30), (32, 32, 60), (32, 1, 127)] {
        (0..outputs).for_each(|_| file.extend((number(3000) as i32).to_le_bytes()));
        file.extend((0..inputs * outputs).map(|_| number(most) as i8 as u8));
    }
    file
});

fn net() -> NnBin<Shogi> {
    NnBin::read(&FILE[..]).unwrap()
}

/// A piece in the text of a position.
struct Seen {
    letter: char,
    promoted: bool,
    sente: bool,
    /// The number of the square as Sente sees it; none in hand.
    square: Option<usize>,
    /// The number of the piece in a hand, from 0.
    nth: usize,
}

/// The pieces of an SFEN, and whether it is Sente's turn.
fn pieces(sfen: &str) -> (Vec<Seen>, bool) {
    let fields: Vec<_> = sfen.split(' ').collect();
    let mut found = Vec::new();
    for (rank, row) in fields[0].split('/').enumerate() {
        let (mut file, mut promoted) = (8, false);
        for symbol in row.chars() {
            match symbol {
                '+' => promoted = true,
                '1'..='9' => file -= symbol as isize - '0' as isize,
                _ => {
                    let (letter, sente) = (symbol.to_ascii_uppercase(), symbol.is_uppercase());
                    let square = Some(file as usize * 9 + rank);
                    found.push(Seen { letter, promoted, sente, square, nth: 0 });
                    (file, promoted) = (file - 1, false);
                }
            }
        }
    }
    let mut count = 0;
    for symbol in fields[2].chars().filter(|&symbol| symbol != '-') {
        if let Some(digit) = symbol.to_digit(10) {
            count = 10 * count + digit as usize;
            continue;
        }
        for nth in 0..count.max(1) {
            let (letter, sente) = (symbol.to_ascii_uppercase(), symbol.is_uppercase());
            found.push(Seen { letter, promoted: false, sente, square: None, nth });
        }
        count = 0;
    }
    (found, fields[1] == "b")
}

/// The number of a piece for a player. In hand the numbers begin with 1, with room for one piece more
/// than there is of each kind; on the board with 90, with 81 squares for each player and each kind.
fn number(piece: &Seen, sente: bool) -> usize {
    let opponent = usize::from(piece.sente != sente);
    let Some(square) = piece.square else {
        let rooms = [19, 5, 5, 5, 5, 3, 3];
        let kind = "PLNSGBR".find(piece.letter).unwrap();
        return 1 + 2 * rooms[..kind].iter().sum::<usize>() + opponent * rooms[kind] + piece.nth;
    };
    let kind = match (piece.letter, piece.promoted) {
        ('B', true) => 6,
        ('R', false) => 7,
        ('R', true) => 8,
        (_, true) => 4,
        (letter, false) => "PLNSGB".find(letter).unwrap(),
    };
    90 + 81 * (2 * kind + opponent) + if sente { square } else { 80 - square }
}

/// The network's output as its definition says, from the bytes of the file.
fn naive(sfen: &str) -> i64 {
    let (pieces, turn) = pieces(sfen);
    let weight = |place: usize| {
        let at = TRANSFORMER + 4 + 2 * place;
        i16::from_le_bytes([FILE[at], FILE[at + 1]])
    };
    let mut values: Vec<i64> = Vec::new();
    for sente in [turn, !turn] {
        let king = pieces.iter().find(|piece| piece.letter == 'K' && piece.sente == sente);
        let king = king.unwrap().square.unwrap();
        let king = if sente { king } else { 80 - king };
        let others = pieces.iter().filter(|piece| piece.letter != 'K');
        let rows: Vec<_> = others.map(|piece| 1 + king * 1548 + number(piece, sente)).collect();
        for unit in 0..256 {
            let start = weight(unit);
            let sum = |sum: i16, row: &usize| sum.wrapping_add(weight(row * 256 + unit));
            values.push(rows.iter().fold(start, sum).clamp(0, 127).into());
        }
    }
    let mut at = LAYERS + 4;
    for outputs in [32, 32, 1] {
        let bias = |output: usize| {
            let at = at + 4 * output;
            i64::from(i32::from_le_bytes(FILE[at..at + 4].try_into().unwrap()))
        };
        let weight = |output: usize, input: usize| {
            i64::from(FILE[at + 4 * outputs + output * values.len() + input] as i8)
        };
        let sum = |output: usize| {
            let products = values.iter().enumerate().map(|(n, value)| weight(output, n) * value);
            bias(output) + products.sum::<i64>()
        };
        let sums: Vec<i64> = (0..outputs).map(sum).collect();
        at += 4 * outputs + outputs * values.len();
        values = sums;
        if outputs > 1 {
            values.iter_mut().for_each(|sum| *sum = (*sum >> 6).clamp(0, 127));
        }
    }
    values[0]
}

#[test]
fn values_are_those_of_the_definition_and_kept_up_to_date() {
    let net = net().with_scale(1);
    let mut random = Random::new(5);
    let mut found = Vec::new();
    for _ in 0..4 {
        let mut game = Game::<Shogi>::from_start();
        let mut state = net.accumulate(game.position());
        while game.outcome().is_none() && game.moves().len() < 150 {
            let before = *game.position();
            // The king moves often, and pieces come to hand.
            let moves = before.legal_moves();
            let mv = random.pick(&moves);
            game.play(mv).unwrap();
            let position = game.position();
            state = net.after(&state, &before, mv, position);
            assert_eq!(state, net.accumulate(position));
            let value = net.output(&state, position);
            assert_eq!(i64::from(value), naive(&to_sfen(position)), "{}", to_sfen(position));
            found.push(value);
        }
    }
    found.sort_unstable();
    found.dedup();
    assert!(found.len() > 300, "the network says something: {} values", found.len());
}

#[test]
fn the_scale_and_the_pawn_give_hundredths() {
    let position: Position<Shogi> = parse_position(Shogi::START).unwrap();
    let value = |scale| {
        let net = net().with_scale(scale);
        let state = net.accumulate(&position);
        (net.output(&state, &position), net.evaluate(&state, &position))
    };
    let (whole, _) = value(1);
    assert_eq!(value(24), (whole / 24, whole / 24 * 100 / 90));
    assert_eq!(net().scale(), 16);
}

#[test]
fn a_position_without_a_king_has_a_value() {
    let position: Position<Shogi> = Position::new_allowing(
        shogi_rules::parse_sfen::<Shogi>("4k4/9/4G4/9/9/9/9/9/9 b G 1").unwrap().0,
        shogi_core::Faults::MISSING_KING,
    )
    .unwrap();
    let net = net();
    let state = net.accumulate(&position);
    for mv in position.legal_moves() {
        let after = position.play(mv);
        assert_eq!(net.after(&state, &position, mv, &after), net.accumulate(&after));
    }
}

#[test]
fn files_come_back() {
    let mut written = Vec::new();
    let net = net();
    net.write(&mut written).unwrap();
    assert!(written == *FILE);
    assert_eq!(net.description(), DESCRIPTION);
    // With the description that is usual the file has the length that is published.
    assert_eq!(FILE.len() - DESCRIPTION.len() + 178, 64_217_066);
}

#[test]
fn a_network_of_weights_is_the_one_of_their_file() {
    let net = net();
    let network = &net.network;
    let rows = std::iter::once(&network.bias).chain(&network.rows);
    let rows: Vec<i16> = rows.flat_map(|row| row.0).collect();
    let made = |rows: &[i16], last: Dense<LAYER, 1>, description: &str| {
        let (first, second) = (network.first.clone(), network.second.clone());
        NnBin::<Shogi>::new(rows, first, second, last, description.to_owned())
    };
    assert!(made(&rows, network.last.clone(), DESCRIPTION).unwrap() == net);
    let long = "\u{e9}".repeat(4000);
    let cut = made(&rows, network.last.clone(), &format!("a{long}")).unwrap();
    assert_eq!(cut.description().len(), 4095);
    let few = made(&rows[1..], network.last.clone(), DESCRIPTION).unwrap_err();
    assert!(matches!(few, WeightsError::Count { .. }), "{few}");
    let mut weights = [0; LAYER];
    weights[3] = 128;
    let large = made(&rows, Dense::new(&weights, &[0]).unwrap(), DESCRIPTION).unwrap_err();
    assert!(matches!(large, WeightsError::Range { index: 3, value: 128, max: 127 }), "{large}");
}

/// What is fitted to adds up the rows that the network does.
#[test]
fn inputs_are_the_rows_of_the_sums() {
    let net = net();
    let inputs = Inputs::<Shogi>::new().unwrap();
    for game in testing::games::games::<Shogi>(3, 3, 80) {
        let position = game.position();
        let sums = net.accumulate(position);
        for player in Colour::ALL {
            let mut sum = net.network.bias;
            inputs.visit(position, player, |row| sum.add(&net.network.rows[row]));
            assert_eq!(sum, sums.0[player.index()]);
        }
    }
}

#[test]
fn damage_is_told_with_its_place() {
    let read = |file: &[u8]| match NnBin::<Shogi>::read(file).unwrap_err() {
        FileReason::At(error) => error,
        other => panic!("{other} has no place"),
    };
    let damaged = |place: usize| {
        let mut file = FILE[..place + 4].to_vec();
        file[place] ^= 1;
        read(&file)
    };
    let error = damaged(0);
    assert!(matches!(error.reason, FileReason::Flaw(Flaw::Version { .. })), "{error}");
    for (place, part) in
        [(4, "the network"), (TRANSFORMER, "the first layer"), (LAYERS, "the layers above")]
    {
        let error = damaged(place);
        assert_eq!(error.offset, place as u64 + 4);
        assert!(error.to_string().contains(&format!("the hash of {part} is")), "{error}");
    }
    let mut long = FILE[..20].to_vec();
    long[10] = 1;
    assert!(matches!(read(&long).reason, FileReason::Description { found: 65_550, .. }));
    for end in [0, 3, 11, 20, TRANSFORMER + 100, LAYERS - 1, LAYERS + 500, FILE.len() - 1] {
        let error = read(&FILE[..end]);
        assert!(matches!(error.reason, FileReason::Flaw(Flaw::Truncated)), "{end}: {error}");
    }
    let mut more = FILE.clone();
    more.push(0);
    assert!(matches!(read(&more).reason, FileReason::Trailing));
    let other = NnBin::<Minishogi>::read(&FILE[..]).unwrap_err();
    assert!(matches!(other, FileReason::Other { expected: "minishogi", .. }), "{other}");
}
