//! Networks of random numbers, beside a plain computation from their files and the text of positions.

use std::mem;
use std::sync::LazyLock;

use shogi_core::Position;
use shogi_files::sealed::Flaw;
use shogi_rules::{
    Dobutsu, Game, KyotoShogi, Minishogi, Rules, Shogi, Shogi34, parse_position, to_sfen,
};
use testing::random::Random;

use super::*;
use crate::file::FileReason;

const DESCRIPTION: &str = "random numbers";
/// The first byte after the description.
const TRANSFORMER: usize = 12 + DESCRIPTION.len();
/// The facts about a form: its inputs, and the hashes of the network and of the first layer.
const fn form(set: FeatureSet) -> (usize, [u32; 2]) {
    match set {
        FeatureSet::HalfKp => (81 * 1548, [0x3E5A_A6EE, 0x5D69_D7B8]),
        FeatureSet::Kp => (1548 + 2 * 81, [0x5C64_64A9, 0x3F57_15FF]),
    }
}

/// The first byte of the layers above.
const fn layers(set: FeatureSet) -> usize {
    TRANSFORMER + 4 + 2 * HIDDEN * (1 + form(set).0)
}

/// The bytes of networks without any pattern, in the order of the sets.
static FILES: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| FeatureSet::ALL.map(random_file));

fn file(set: FeatureSet) -> &'static Vec<u8> {
    &FILES[set as usize]
}

fn random_file(set: FeatureSet) -> Vec<u8> {
    let (inputs, [of_network, of_layer]) = form(set);
    let mut state = 1_u64;
    let mut number = |most: i64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as i64 % (2 * most + 1) - most
    };
    let mut file = Vec::new();
    for word in [0x7AF3_2F16, of_network, DESCRIPTION.len() as u32] {
        file.extend(word.to_le_bytes());
    }
    file.extend(DESCRIPTION.as_bytes());
    file.extend(of_layer.to_le_bytes());
    for _ in 0..HIDDEN * (1 + inputs) {
        file.extend((number(40) as i16).to_le_bytes());
    }
    file.extend(0x6333_7156_u32.to_le_bytes());
    for (inputs, outputs, most) in [(512, 32, 30), (32, 32, 60), (32, 1, 127)] {
        (0..outputs).for_each(|_| file.extend((number(3000) as i32).to_le_bytes()));
        file.extend((0..inputs * outputs).map(|_| number(most) as i8 as u8));
    }
    file
}

fn net(set: FeatureSet) -> NnBin<Shogi> {
    NnBin::read(&file(set)[..]).unwrap()
}

/// A piece in the text of a position.
struct SeenPiece {
    letter: char,
    promoted: bool,
    sente: bool,
    /// The number of the square as Sente sees it; none in hand.
    square: Option<usize>,
    /// The number of the piece in a hand, from 0.
    nth: usize,
}

/// The pieces of an SFEN, and whether it is Sente's turn.
fn pieces(sfen: &str) -> (Vec<SeenPiece>, bool) {
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
                    found.push(SeenPiece { letter, promoted, sente, square, nth: 0 });
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
            found.push(SeenPiece { letter, promoted: false, sente, square: None, nth });
        }
        count = 0;
    }
    (found, fields[1] == "b")
}

/// The number of a piece for a player. In hand the numbers begin with 1, with room for one piece more
/// than there is of each kind; on the board with 90, with 81 squares for each player and each kind, kings last.
fn number(piece: &SeenPiece, sente: bool) -> usize {
    let opponent = usize::from(piece.sente != sente);
    let Some(square) = piece.square else {
        let rooms = [19, 5, 5, 5, 5, 3, 3];
        let kind = "PLNSGBR".find(piece.letter).unwrap();
        return 1 + 2 * rooms[..kind].iter().sum::<usize>() + opponent * rooms[kind] + piece.nth;
    };
    let kind = match (piece.letter, piece.promoted) {
        ('K', _) => 9,
        ('B', true) => 6,
        ('R', false) => 7,
        ('R', true) => 8,
        (_, true) => 4,
        (letter, false) => "PLNSGB".find(letter).unwrap(),
    };
    90 + 81 * (2 * kind + opponent) + if sente { square } else { 80 - square }
}

/// The rows that a player's pieces add to the bias, which is row 0 of the file.
fn rows(set: FeatureSet, pieces: &[SeenPiece], sente: bool) -> Vec<usize> {
    let king = pieces.iter().find(|piece| piece.letter == 'K' && piece.sente == sente);
    let king = king.unwrap().square.unwrap();
    let king = if sente { king } else { 80 - king };
    let (first, has_kings) = match set {
        FeatureSet::HalfKp => (1 + king * 1548, false),
        FeatureSet::Kp => (1, true),
    };
    let pieces = pieces.iter().filter(|piece| has_kings || piece.letter != 'K');
    pieces.map(|piece| first + number(piece, sente)).collect()
}

/// The network's output as its definition says, from the bytes of the file.
fn naive(set: FeatureSet, sfen: &str) -> i64 {
    let (file, (pieces, turn)) = (file(set), pieces(sfen));
    let weight = |place: usize| {
        let at = TRANSFORMER + 4 + 2 * place;
        i16::from_le_bytes([file[at], file[at + 1]])
    };
    let mut values: Vec<i64> = Vec::new();
    for sente in [turn, !turn] {
        let rows = rows(set, &pieces, sente);
        for unit in 0..256 {
            let start = weight(unit);
            let sum = |sum: i16, row: &usize| sum.wrapping_add(weight(row * 256 + unit));
            values.push(rows.iter().fold(start, sum).clamp(0, 127).into());
        }
    }
    let mut at = layers(set) + 4;
    for outputs in [32, 32, 1] {
        let bias = |output: usize| {
            let at = at + 4 * output;
            i64::from(i32::from_le_bytes(file[at..at + 4].try_into().unwrap()))
        };
        let weight = |output: usize, input: usize| {
            i64::from(file[at + 4 * outputs + output * values.len() + input] as i8)
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
    FeatureSet::ALL.into_iter().for_each(agrees_with_the_definition);
}

fn agrees_with_the_definition(set: FeatureSet) {
    let net = net(set).with_scale(1);
    let mut random = Random::new(5);
    let mut found = Vec::new();
    for _ in 0..4 {
        let mut game = Game::<Shogi>::from_start();
        let (mut state, mut next) = (net.accumulate(game.position()), Accumulators::default());
        while game.outcome().is_none() && game.moves().len() < 150 {
            let before = *game.position();
            // The king moves often, and pieces come to hand.
            let moves = before.legal_moves();
            let mv = random.pick(&moves);
            game.play(mv).unwrap();
            let position = game.position();
            net.update(&mut next, &state, &before, mv, position);
            mem::swap(&mut state, &mut next);
            assert_eq!(state, net.accumulate(position));
            let value = net.output(&state, position);
            assert_eq!(i64::from(value), naive(set, &to_sfen(position)), "{}", to_sfen(position));
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
        let net = net(FeatureSet::HalfKp).with_scale(scale);
        let state = net.accumulate(&position);
        (net.output(&state, &position), net.evaluate(&state, &position))
    };
    let (whole, _) = value(1);
    assert_eq!(value(24), (whole / 24, whole / 24 * 100 / 90));
    assert_eq!(net(FeatureSet::HalfKp).scale(), 16);
}

#[test]
fn a_position_without_a_king_has_a_value() {
    let position: Position<Shogi> = Position::new_allowing(
        shogi_rules::parse_sfen::<Shogi>("4k4/9/4G4/9/9/9/9/9/9 b G 1").unwrap().0,
        shogi_core::Faults::MISSING_KING,
    )
    .unwrap();
    for net in FeatureSet::ALL.map(net) {
        let (state, mut next) = (net.accumulate(&position), Accumulators::default());
        for mv in position.legal_moves() {
            let after = position.play_unchecked(mv);
            net.update(&mut next, &state, &position, mv, &after);
            assert_eq!(next, net.accumulate(&after));
        }
    }
}

#[test]
fn files_are_read_back() {
    for set in FeatureSet::ALL {
        let (mut written, net) = (Vec::new(), net(set));
        net.write(&mut written).unwrap();
        assert!(written == *file(set));
        assert_eq!((net.description(), net.feature_set()), (DESCRIPTION, set));
        assert!(NnBin::<Shogi>::read_of(set, &written[..]).unwrap() == net);
    }
    // With the usual description the file has the published length.
    let length = |set| file(set).len() - DESCRIPTION.len();
    assert_eq!(length(FeatureSet::HalfKp) + 178, 64_217_066);
}

#[test]
fn a_network_of_another_form_than_the_one_named_is_refused() {
    let [half_kp, kp] = ["HalfKP 256x2-32-32", "K-P 256x2-32-32"];
    let forms = [(FeatureSet::HalfKp, half_kp, kp), (FeatureSet::Kp, kp, half_kp)];
    for ((set, wanted, found), (other, ..)) in forms.into_iter().zip(forms.into_iter().rev()) {
        let error = NnBin::<Shogi>::read_of(set, &file(other)[..]).unwrap_err();
        let expected = format!("at byte 8: the network is {found}, but {wanted} is wanted");
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn a_network_of_weights_is_the_one_of_their_file() {
    FeatureSet::ALL.into_iter().for_each(comes_back_from_its_weights);
}

fn comes_back_from_its_weights(set: FeatureSet) {
    let net = net(set);
    let network = &net.network;
    let rows = network.layer.weights();
    let made = |rows: &[i16], last: Dense<LAYER, 1>, description: &str| {
        let (first, second) = (network.first.dense().clone(), network.second.dense().clone());
        let inputs = Inputs::<Shogi>::new(set).unwrap();
        NnBin::new(inputs, rows, first, second, last, description.to_owned())
    };
    assert!(made(&rows, network.last.dense().clone(), DESCRIPTION).unwrap() == net);
    let long = "\u{e9}".repeat(4000);
    let cut = made(&rows, network.last.dense().clone(), &format!("a{long}")).unwrap();
    assert_eq!(cut.description().len(), 4095);
    let few = made(&rows[1..], network.last.dense().clone(), DESCRIPTION).unwrap_err();
    assert!(matches!(few, WeightsError::Count { .. }), "{few}");
    let mut weights = [0; LAYER];
    weights[3] = 128;
    let large = made(&rows, Dense::new(&weights, &[0]).unwrap(), DESCRIPTION).unwrap_err();
    assert!(matches!(large, WeightsError::Range { index: 3, value: 128, max: 127 }), "{large}");
}

#[test]
fn inputs_of_a_fit_are_numbered_by_the_definition() {
    for set in FeatureSet::ALL {
        let inputs = Inputs::<Shogi>::new(set).unwrap();
        assert_eq!((inputs.set(), inputs.counts().all), (set, form(set).0));
        for game in testing::games::games::<Shogi>(3, 3, 80) {
            let (seen, _) = pieces(&to_sfen(game.position()));
            for player in Colour::ALL {
                // Without the bias.
                let mut numbers: Vec<_> =
                    rows(set, &seen, player == Colour::Sente).iter().map(|row| row - 1).collect();
                let mut visited = Vec::new();
                inputs.visit(game.position(), player, |input| visited.push(input));
                numbers.sort_unstable();
                visited.sort_unstable();
                assert_eq!(visited, numbers);
            }
        }
    }
}

#[test]
fn damage_is_reported_with_its_place() {
    FeatureSet::ALL.into_iter().for_each(tells_where_damage_is);
}

fn tells_where_damage_is(set: FeatureSet) {
    let (file, layers) = (file(set), layers(set));
    let read = |file: &[u8]| match NnBin::<Shogi>::read(file).unwrap_err() {
        FileReason::At(error) => error,
        other => panic!("{other} has no place"),
    };
    let damaged = |place: usize| {
        let mut file = file[..place + 4].to_vec();
        file[place] ^= 1;
        read(&file)
    };
    let error = damaged(0);
    assert!(matches!(error.reason, FileReason::Flaw(Flaw::Version { .. })), "{error}");
    for (place, part) in
        [(4, "the network"), (TRANSFORMER, "the first layer"), (layers, "the layers above")]
    {
        let error = damaged(place);
        assert_eq!(error.offset, place as u64 + 4);
        assert!(error.to_string().contains(&format!("the hash of {part} is")), "{error}");
        assert!(error.to_string().contains(set.name()), "{error}");
    }
    let mut long = file[..20].to_vec();
    long[10] = 1;
    assert!(matches!(read(&long).reason, FileReason::Description { found: 65_550, .. }));
    for end in [0, 3, 11, 20, TRANSFORMER + 100, layers - 1, layers + 500, file.len() - 1] {
        let error = read(&file[..end]);
        assert!(matches!(error.reason, FileReason::Flaw(Flaw::Truncated)), "{end}: {error}");
    }
    let mut more = file.clone();
    more.push(0);
    assert!(matches!(read(&more).reason, FileReason::Trailing));
    let other = NnBin::<Minishogi>::read(&file[..]).unwrap_err();
    assert!(matches!(other, FileReason::Other { expected: "minishogi", .. }), "{other}");
}

/// A network of the form K-P with random weights for any board.
fn random_kp<R: Rules>() -> NnBin<R> {
    let inputs = Inputs::<R>::new(FeatureSet::Kp).unwrap();
    let mut random = Random::new(7);
    let mut number = |most: usize| random.below(2 * most + 1) as i16 - most as i16;
    let rows: Vec<i16> = (0..HIDDEN * (1 + inputs.counts().all)).map(|_| number(40)).collect();
    let first: Vec<i16> = (0..2 * HIDDEN * LAYER).map(|_| number(30)).collect();
    let second: Vec<i16> = (0..LAYER * LAYER).map(|_| number(60)).collect();
    let last: Vec<i16> = (0..LAYER).map(|_| number(127)).collect();
    let bias = [500; LAYER];
    let layers = (
        Dense::new(&first, &bias).unwrap(),
        Dense::new(&second, &bias).unwrap(),
        Dense::new(&last, &[0]).unwrap(),
    );
    NnBin::new(inputs, &rows, layers.0, layers.1, layers.2, DESCRIPTION.to_owned()).unwrap()
}

fn is_kept_up_to_date<R: Rules>() {
    let (net, mut values) = (random_kp::<R>().with_scale(1), Vec::new());
    let inputs = net.inputs();
    for game in testing::games::games::<R>(6, 11, 60) {
        let (mut state, mut next) = (net.accumulate(&game.positions()[0]), Accumulators::default());
        for (positions, &mv) in game.positions().windows(2).zip(game.moves()) {
            let (before, after) = (&positions[0], &positions[1]);
            net.update(&mut next, &state, before, mv, after);
            mem::swap(&mut state, &mut next);
            assert_eq!(state, net.accumulate(after), "{}", to_sfen(after));
            values.push(net.output(&state, after));
            // In Dobutsu shogi the last move may capture the lion, which is no input in hand.
            let is_over = Colour::ALL.iter().any(|&player| after.king(player).is_none());
            for player in Colour::ALL.into_iter().filter(|_| !is_over) {
                let mut seen = Vec::new();
                inputs.visit(after, player, |row| seen.push(row));
                let count = seen.len();
                seen.sort_unstable();
                seen.dedup();
                // No two pieces are one input, and none is number 0.
                assert!(seen.len() == count && seen[0] > 0, "{}", to_sfen(after));
                assert!(seen[count - 1] < inputs.counts().all);
            }
        }
    }
    values.sort_unstable();
    values.dedup();
    assert!(values.len() > 20, "{}: {} values", R::NAME, values.len());
    let mut file = Vec::new();
    net.write(&mut file).unwrap();
    assert!(NnBin::<R>::read(&file[..]).unwrap().with_scale(1) == net);
}

#[test]
fn kp_is_kept_up_to_date_on_every_board_and_its_file_comes_back() {
    is_kept_up_to_date::<Minishogi>();
    is_kept_up_to_date::<KyotoShogi>();
    is_kept_up_to_date::<Shogi34>();
    is_kept_up_to_date::<Dobutsu>();
}

/// A player sees the board turned as the other one sees it.
#[test]
fn kp_of_kyoto_shogi_is_the_same_for_both_players_of_the_start() {
    let (net, start) = (random_kp::<KyotoShogi>(), KyotoShogi::start());
    let [sente, gote] = net.accumulate(&start).0;
    assert_eq!(sente, gote);
}

#[test]
fn a_kp_file_of_another_board_is_refused() {
    let mut file = Vec::new();
    random_kp::<KyotoShogi>().write(&mut file).unwrap();
    for error in [
        NnBin::<Minishogi>::read(&file[..]).unwrap_err(),
        NnBin::<Shogi>::read(&file[..]).unwrap_err(),
    ] {
        let error = error.to_string();
        assert!(error.starts_with("at byte 8: the hash of the network is "), "{error}");
        assert!(error.ends_with(" for these rules"), "{error}");
    }
}
