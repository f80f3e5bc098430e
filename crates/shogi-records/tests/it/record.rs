//! Records: what is written is read back, in every format, and no text at all makes reading panic.

use crate::games::{ENDS, GAMES, decorate, ends_of_csa, game, play};
use proptest::prelude::*;
use shogi_records::{
    Branch, Encoding, End, Ending, Format, Record, RecordReason, Recorded, WriteError, csa, decode,
    decode_as, encode, jkf, json, ki2, kif, usi,
};
use shogi_rules::shogi_core::{
    Colour, Face, Faults, Move, Piece, Placement, Position, Role, Square,
};
use shogi_rules::{
    Dialect, Dobutsu, KyotoShogi, Minishogi, Rules, Shogi, Shogi34, parse_position, parse_usi,
};
use testing::random::Random;
use testing::sample::{self, Style};
use testing::texts::{edited, hold};

/// The moves alone, for formats that hold no more.
fn moves<R: Recorded>(record: &Record<R>) -> Vec<Move<R>> {
    record.moves().iter().map(|one| one.mv()).collect()
}

/// The record without times, which KI2 does not hold.
pub fn without_times<R: Recorded>(record: &Record<R>) -> Record<R> {
    let mut copy = Record::new(*record.start());
    copy.headers = record.headers.clone();
    copy.comments = record.comments.clone();
    copy.bookmarks = record.bookmarks.clone();
    for line in record.lines() {
        // Lines keep their numbers.
        if let Some(branch) = line.branch() {
            copy.branch(branch);
        }
        for one in line.moves() {
            let copied = copy.push(one.mv()).unwrap();
            copied.comments = one.comments.clone();
            copied.bookmarks = one.bookmarks.clone();
        }
        if let Some(ending) = line.ending() {
            copy.end(Ending { seconds: None, ..ending.clone() });
        }
    }
    copy
}

/// The record with variations at random places, of each other too, some of which only end otherwise.
fn varied<R: Recorded>(mut record: Record<R>, random: &mut Random) -> Record<R> {
    for _ in 0..random.below(8) {
        let line = random.below(record.lines().len());
        let at = random.below(record.lines()[line].moves().len() + 1);
        record.branch(Branch { line, at });
        for _ in 0..random.below(4) {
            let position = *record.lines().last().unwrap().last();
            let legal = position.legal_moves();
            if legal.is_empty() || R::is_over(&position) {
                break;
            }
            let one = record.push(random.pick(&legal)).unwrap();
            one.seconds = random.percent(50).then(|| random.below(600) as u32);
            one.comments = if random.percent(20) { vec!["変化".to_owned()] } else { Vec::new() };
            one.bookmarks = if random.percent(10) { vec!["分岐".to_owned()] } else { Vec::new() };
        }
        let line = record.lines().last().unwrap();
        if line.moves().is_empty() || random.percent(30) {
            record.end(ENDS[random.below(ENDS.len())].clone());
        }
    }
    record
}

macro_rules! varied_round_trips {
    ($($variant:ident: $rules:ty;)*) => {$(
        #[test]
        fn $variant() {
            let mut lines = 0;
            for (seed, record) in records::<$rules>(&ENDS).step_by(2) {
                let record = varied(record, &mut Random::new(seed));
                lines += record.lines().len() - 1;
                round_trip(&record, seed);
            }
            assert!(lines > 300, "{lines}");
        }
    )*};
}
mod variations_are_read_back {
    use super::*;

    varied_round_trips! {
        minishogi: Minishogi;
        kyotoshogi: KyotoShogi;
        shogi: Shogi;
        shogi34: Shogi34;
        dobutsu: Dobutsu;
    }
}

#[test]
fn variations_leave_a_line_where_they_first_differ() {
    let mut record = usi::parse::<Shogi>("startpos moves 7g7f 3c3d 2g2f").unwrap();
    for moves in [&["7g7f", "8c8d", "2g2f"][..], &["7g7f", "8c8d", "6g6f"], &["7g7f", "3c3d"]] {
        record.branch(Branch { line: 0, at: 0 });
        for usi in moves {
            record.push(parse_usi(usi).unwrap()).unwrap();
        }
    }
    // The third is the beginning of the main line and leaves it nowhere.
    let branches: Vec<_> = record.lines().iter().map(|line| line.branch()).collect();
    let at = |line, at| Some(Branch { line, at });
    assert_eq!(branches, [None, at(0, 1), at(1, 1), at(0, 2)]);
    let text = json::write(&record);
    assert_eq!(json::parse::<Shogi>(&text).unwrap().lines().len(), 3, "{text}");
}

#[test]
fn variations_may_be_nested_to_any_depth() {
    let mut record = Record::<Shogi>::from_start();
    let mut random = Random::new(3);
    for _ in 0..1_000 {
        // Each line but the first leaves the one before it behind its first move.
        record.branch(Branch { line: record.lines().len() - 1, at: 1 });
        for _ in 0..2 {
            let position = *record.lines().last().unwrap().last();
            // Pieces that stay on their own two ranks can move for ever.
            let stays = |mv: &Move<Shogi>| {
                let own = if position.side() == Colour::Sente { 7..9 } else { 0..2 };
                own.contains(&mv.to().rank()) && position.piece(mv.to()).is_none()
            };
            let mut legal = position.legal_moves();
            legal.retain(|mv| stays(mv));
            record.push(random.pick(&legal)).unwrap();
        }
    }
    let text = kif::write(&record).unwrap();
    assert_eq!(kif::parse::<Shogi>(&text).as_ref(), Ok(&record));
    assert!(record.lines().len() > 900);
    let error = json::parse::<Shogi>(&json::write(&record)).unwrap_err();
    assert_eq!(error.reason, RecordReason::TooDeep(500));
}

/// Written and read again in the formats of all variants; what each cannot hold aside.
#[track_caller]
fn round_trip<R: Recorded>(record: &Record<R>, seed: u64) {
    let text = kif::write(record).unwrap();
    assert_eq!(kif::parse(&text).as_ref(), Ok(record), "seed {seed}:\n{text}");
    assert_eq!(Format::detect(&text), Some(Format::Kif), "{text}");
    for encoding in [Encoding::Utf8, Encoding::ShiftJis, Encoding::EucJp] {
        let bytes = encode(&text, encoding).unwrap();
        assert_eq!(decode(&bytes), Ok((text.clone(), encoding)));
    }
    for dialect in [Dialect::Lishogi, Dialect::Fairy] {
        let text = json::write_in(record, dialect);
        assert_eq!(json::parse(&text).as_ref(), Ok(record), "seed {seed}:\n{text}");
        assert_eq!(Format::detect(&text), Some(Format::Json));
        let text = usi::write_in(record, dialect);
        let again = usi::parse(&text).unwrap();
        assert_eq!((again.start(), moves(&again)), (record.start(), moves(record)), "{text}");
        assert_eq!(Format::detect(&text), Some(Format::Usi));
    }
    if R::CSA {
        let text = jkf::write(record).unwrap();
        assert_eq!(jkf::parse(&text).as_ref(), Ok(record), "seed {seed}:\n{text}");
        assert_eq!(Format::detect(&text), Some(Format::Jkf));
    }
    match ki2::write(record) {
        Ok(text) => {
            let again = ki2::parse(&text);
            assert_eq!(again, Ok(without_times(record)), "seed {seed}:\n{text}");
        }
        // Only a set with more than two horses or dragons leaves KI2 without words.
        Err(error) => {
            assert!(matches!(error, WriteError::Ambiguous(_)) && R::NAME == "shogi34", "{error}");
        }
    }
}

fn round_trip_csa<R: Recorded>(record: &Record<R>, seed: u64) {
    let text = csa::write(record).unwrap();
    assert_eq!(csa::parse(&text).as_ref(), Ok(record), "seed {seed}:\n{text}");
    assert_eq!(Format::detect(&text), Some(Format::Csa));
}

/// Games from the start and, half as many, from scattered positions.
fn records<R: Recorded>(ends: &[End]) -> impl Iterator<Item = (u64, Record<R>)> {
    (0..GAMES + GAMES / 2).map(move |seed| {
        let mut random = Random::new(seed);
        let mut record = if seed < GAMES {
            game::<R>(seed, 150)
        } else {
            let style = random.pick(&Style::ALL);
            play(&mut random, sample::legal::<R>(&mut Random::new(seed), style), 40)
        };
        decorate(&mut record, &mut random, ends);
        (seed, record)
    })
}

macro_rules! round_trips {
    ($($variant:ident: $rules:ty;)*) => {$(
        #[test]
        fn $variant() {
            for (seed, record) in records::<$rules>(&ENDS) {
                round_trip(&record, seed);
            }
        }
    )*};
}
mod every_format_is_read_back {
    use super::*;

    round_trips! {
        minishogi: Minishogi;
        kyotoshogi: KyotoShogi;
        shogi: Shogi;
        shogi34: Shogi34;
        dobutsu: Dobutsu;
    }

    #[test]
    fn csa_of_shogi() {
        for (seed, record) in records::<Shogi>(&ends_of_csa()) {
            round_trip_csa(&record, seed);
        }
    }

    #[test]
    fn csa_of_minishogi() {
        for (seed, record) in records::<Minishogi>(&ends_of_csa()) {
            round_trip_csa(&record, seed);
        }
    }
}

/// Up to four pieces with the same face within one or two squares of a square, on an otherwise empty
/// board; some of them may be dropped.
fn crowd<R: Recorded>(random: &mut Random, face: Face) -> Position<R> {
    let squares: Vec<Square<R::Geometry>> = Square::all().collect();
    let centre = random.pick(&squares);
    let reach = 1 + random.below(2) as u8;
    let near = |square: &Square<R::Geometry>| {
        square.column().abs_diff(centre.column()) <= reach
            && square.rank().abs_diff(centre.rank()) <= reach
    };
    let places: Vec<_> = squares.into_iter().filter(near).collect();
    let mut placement = Placement::<R>::EMPTY;
    let side = random.pick(&Colour::ALL);
    placement.set_side(side);
    for _ in 0..face.kind.spec::<R>().count.min(4) {
        let square = random.pick(&places);
        if placement.piece(square).is_none() && random.percent(90) {
            placement.put(square, Piece { face, colour: side });
        } else {
            placement.hand_mut(side).add(face.kind);
        }
    }
    match Position::new_allowing(placement, Faults::MISSING_KING) {
        Ok(position) => position,
        Err(_) => crowd(random, face),
    }
}

/// Every legal move of crowded and of scattered positions in KI2, each alone, is read back; all
/// the moves that were written.
fn single_moves<R: Recorded>() -> String {
    let faces: Vec<Face> =
        Face::all::<R>().filter(|face| face.kind.spec::<R>().role != Role::Royal).collect();
    let mut written = String::new();
    for seed in 0..20 * GAMES {
        let mut random = Random::new(seed);
        let start = if seed < GAMES {
            let style = random.pick(&Style::ALL);
            sample::legal::<R>(&mut random, style)
        } else {
            let face = random.pick(&faces);
            crowd(&mut random, face)
        };
        for mv in start.legal_moves() {
            // Most drops have no word at all.
            if matches!(mv, Move::Drop { .. }) && random.percent(90) {
                continue;
            }
            let mut record = Record::new(start);
            if record.push(mv).is_err() {
                continue;
            }
            match ki2::write(&record) {
                Ok(text) => {
                    assert_eq!(ki2::parse::<R>(&text).as_ref(), Ok(&record), "{text}");
                    written.extend(text.lines().last());
                    written.push('\n');
                }
                // A set with more than two horses or dragons may leave KI2 without words.
                Err(error) => assert!(
                    matches!(error, WriteError::Ambiguous(_)) && R::NAME == Shogi34::NAME,
                    "{error}"
                ),
            }
        }
    }
    written
}

#[test]
fn every_move_of_shogi_has_its_own_words() {
    let moves = single_moves::<Shogi>();
    for (piece, words) in [
        ("金", "打 左 直 右 上 寄 引 左上 左寄 右上 右寄"),
        ("銀", "打 左 直 右 上 引 左上 左引 右上 右引 右成 左不成 上成 引不成 右上成"),
        ("桂", "打 左 右 左成 右不成"),
        ("角", "打 左 右 上 引 左成 引不成"),
        ("飛", "打 左 右 上 寄 引 寄成 上不成"),
        ("馬", "左 右 上 寄 引"),
        ("龍", "左 右 上 寄 引"),
        ("と", "左 直 右 上 寄 引 左上 左寄 右上 右寄"),
        ("成香", "左 直 右 上 寄 引 左上 左寄 右上 右寄"),
    ] {
        let missing: Vec<_> =
            words.split(' ').filter(|word| !moves.contains(&format!("{piece}{word}\n"))).collect();
        assert!(missing.is_empty(), "{piece}: {missing:?}");
    }
}

#[test]
fn every_move_of_small_boards_has_its_own_words() {
    single_moves::<Minishogi>();
    single_moves::<KyotoShogi>();
    single_moves::<Shogi34>();
    single_moves::<Dobutsu>();
}

#[test]
fn the_games_use_every_word_of_kif() {
    let mut text = String::new();
    for (_, record) in records::<Shogi>(&ENDS) {
        text += &kif::write(&record).unwrap();
    }
    for word in ["同　", "成(", "打", "成香(", "成桂(", "成銀(", "馬(", "龍(", "と(", "玉("]
    {
        assert!(text.contains(word), "{word}");
    }
}

#[test]
fn handicaps_are_named() {
    for &(name, sfen) in Shogi::HANDICAPS {
        let start = parse_position::<Shogi>(sfen).unwrap();
        let record = play(&mut Random::new(1), start, 6);
        for text in [kif::write(&record).unwrap(), ki2::write(&record).unwrap()] {
            assert!(text.starts_with(&format!("手合割：{name}\n")), "{text}");
        }
        round_trip(&record, 1);
        round_trip_csa(&record, 1);
    }
}

#[test]
fn problems_without_the_attackers_king_are_read() {
    let text = "position sfen 4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1 moves G*5b";
    let record = usi::parse::<Shogi>(text).unwrap();
    assert_eq!(usi::write(&record), text);
    round_trip(&record, 0);
    round_trip_csa(&record, 0);
}

#[test]
fn kings_in_hand_are_read_where_they_are_captured() {
    let start = parse_position::<Dobutsu>("3/1L1/3/3 b L 1").unwrap();
    round_trip(&Record::<Dobutsu>::new(start), 0);
}

#[test]
fn nothing_follows_a_captured_lion() {
    let text = "position sfen l2/L2/3/3 b - 1 moves 3b3a 3a3b";
    let error = usi::parse::<Dobutsu>(text).unwrap_err();
    assert!(matches!(error.reason, RecordReason::Over(_)), "{error}");
    assert_eq!((error.line, error.column), (1, 42));
}

/// One move in KI2, from a position in SFEN.
#[track_caller]
fn in_ki2(sfen: &str, mv: &str) -> String {
    let mut record = Record::<Shogi>::new(parse_position(sfen).unwrap());
    record.push(parse_usi(mv).unwrap()).unwrap();
    let text = ki2::write(&record).unwrap();
    assert_eq!(ki2::parse::<Shogi>(&text).as_ref(), Ok(&record), "{text}");
    text.lines().last().unwrap().to_owned()
}

#[test]
fn pieces_of_one_name_are_distinguished_by_the_shogi_associations_words() {
    // Two golds beside each other; one behind and one beside; three behind.
    let golds = "4k4/9/3G1G3/9/9/9/9/9/4K4 b - 1";
    assert_eq!(in_ki2(golds, "6c5b"), "▲５二金左");
    assert_eq!(in_ki2(golds, "4c5b"), "▲５二金右");
    let golds = "9/4k4/9/9/9/4G4/3G5/9/4K4 b - 1";
    assert_eq!(in_ki2(golds, "5f6f"), "▲６六金寄");
    assert_eq!(in_ki2(golds, "6g6f"), "▲６六金上");
    let golds = "8k/9/9/9/9/9/3GGG3/9/4K4 b - 1";
    assert_eq!(in_ki2(golds, "6g5f"), "▲５六金左");
    assert_eq!(in_ki2(golds, "5g5f"), "▲５六金直");
    assert_eq!(in_ki2(golds, "4g5f"), "▲５六金右");
    // Four silvers around a square.
    let silvers = "8k/9/9/9/3S1S3/9/3S1S3/9/4K4 b - 1";
    assert_eq!(in_ki2(silvers, "6e5f"), "▲５六銀左引");
    assert_eq!(in_ki2(silvers, "4g5f"), "▲５六銀右上");
    // Gote sees the sides the other way.
    let silvers = "4k4/9/3s1s3/9/9/9/9/9/K8 w - 1";
    assert_eq!(in_ki2(silvers, "6c5d"), "△５四銀右");
    // Dragons are distinguished among themselves: 直 is not for them.
    let dragons = "8k/9/9/9/9/9/4+R4/3+R5/K8 b - 1";
    assert_eq!(in_ki2(dragons, "5g5f"), "▲５六龍");
    let dragons = "8k/9/9/9/9/9/4+R4/5+R3/K8 b - 1";
    assert_eq!(in_ki2(dragons, "5g5h"), "▲５八龍引");
    let dragons = "8k/9/9/9/9/9/3+R+R4/9/K8 b - 1";
    assert_eq!(in_ki2(dragons, "5g5f"), "▲５六龍右");
    assert_eq!(in_ki2(dragons, "6g5f"), "▲５六龍左");
    // A drop is marked only where a piece could move, promotion where there is a choice.
    assert_eq!(in_ki2("8k/9/9/9/9/9/4G4/9/K8 b G 1", "G*5f"), "▲５六金打");
    assert_eq!(in_ki2("8k/9/9/9/9/9/4G4/9/K8 b G 1", "G*3f"), "▲３六金");
    assert_eq!(in_ki2("8k/9/9/4S4/9/9/9/9/K8 b - 1", "5d5c"), "▲５三銀不成");
    assert_eq!(in_ki2("8k/9/9/4S4/9/9/9/9/K8 b - 1", "5d5c+"), "▲５三銀成");
}

#[test]
fn more_than_two_horses_may_be_beyond_ki2() {
    let in_ki2 = |sfen: &str, mv: &str| {
        let text = format!("sfen {sfen} moves {mv}");
        ki2::write(&usi::parse::<Shogi34>(&text).unwrap())
    };
    // Of three behind the target the middle one is straight behind it.
    let behind = in_ki2("3/3/+B+B+B/1K1 b - 1", "2c2b").unwrap();
    assert!(behind.ends_with("▲２二馬直\n"), "{behind}");
    // There is no word for straight ahead of it.
    assert_eq!(in_ki2("+B+B+B/3/3/2K b - 1", "2a2b"), Err(WriteError::Ambiguous(1)));
}

#[test]
fn parts_left_out_are_counted() {
    let left_out = |record: &Record<Shogi>, format: Format| {
        format.write(record).unwrap();
        format.left_out(record).sentence(format)
    };
    let mut record = Record::<Shogi>::from_start();
    for key in ["", "a：b", "1手", "手合割", "先手の持駒", "まで", "#", "変化", "a\nb", " a"]
    {
        record.headers = vec![(key.to_owned(), String::new())];
        let sentence = "1 header is not written: KIF cannot hold that".to_owned();
        assert_eq!(left_out(&record, Format::Kif), Some(sentence), "{key}");
    }
    record.headers = vec![("棋戦".to_owned(), "a\nb".to_owned())];
    let sentence = "1 header is not written: CSA cannot hold that".to_owned();
    assert_eq!(left_out(&record, Format::Csa), Some(sentence));
    let mut record = Record::<Shogi>::from_start();
    record.end(End::Default);
    let sentence = "1 end is not written: CSA cannot hold that".to_owned();
    assert_eq!(left_out(&record, Format::Csa), Some(sentence));
    assert_eq!(left_out(&record, Format::Kif), None);
    let record = Record::<KyotoShogi>::from_start();
    assert_eq!(csa::write(&record), Err(WriteError::NotForVariant(Format::Csa)));
    assert_eq!(jkf::write(&record), Err(WriteError::NotForVariant(Format::Jkf)));
}

#[test]
fn a_header_is_written_only_if_it_is_read_back() {
    let record = usi::parse::<Shogi>("position startpos moves 7g7f 3c3d").unwrap();
    let parts = [
        "a",
        " ",
        "1",
        "１",
        "先手",
        "の持駒",
        "番",
        "手合割",
        "▲",
        "まで",
        "#",
        "*",
        "|",
        "+",
        "-",
        "V2",
        "P1",
        "N+",
        "'",
        "$",
        "%",
        "position ",
        "sfen ",
        "startpos",
        "{",
        "\r",
        "七",
    ];
    let keys = parts.iter().flat_map(|a| parts.iter().map(move |b| format!("{a}{b}")));
    let (mut written, mut refused) = (0, 0);
    for key in parts.iter().map(|&part| part.to_owned()).chain(keys) {
        let headers = vec![(key.clone(), "b".to_owned())];
        let mut record = record.clone();
        record.headers = headers;
        for format in [Format::Kif, Format::Ki2, Format::Csa] {
            let text = format.write(&record).unwrap();
            assert_eq!(Format::detect(&text), Some(format), "{key:?}\n{text}");
            let again = format.parse::<Shogi>(&text).unwrap();
            if format.left_out(&record).is_nothing() {
                assert_eq!(again.headers, record.headers, "{text}");
                written += 1;
            } else {
                assert!(again.headers.is_empty(), "{text}");
                refused += 1;
            }
        }
    }
    assert!(written > 500 && refused > 500, "{written} {refused}");
}

/// The lines of a text, which may end with LF, CR or both.
fn lines(text: &str) -> Vec<String> {
    text.replace("\r\n", "\n").replace('\r', "\n").lines().map(str::to_owned).collect()
}

/// Reads the text in every format; an error points into it or behind its end.
fn read_anything<R: Recorded>(text: &str) -> Result<(), TestCaseError> {
    let lines = lines(text);
    for format in Format::ALL {
        match format.parse::<R>(text) {
            Ok(record) => {
                // What was read can be written, unless it holds what the format cannot.
                if let Ok(text) = format.write(&record) {
                    prop_assert_eq!(
                        format.parse::<R>(&text).map(|r| moves(&r)),
                        Ok(moves(&record))
                    );
                }
            }
            Err(error) => {
                prop_assert!(
                    (1..=lines.len() + 1).contains(&error.line),
                    "{} in {:?}",
                    error,
                    text
                );
                let length = lines.get(error.line - 1).map_or(0, |l| l.chars().count());
                prop_assert!((1..=length + 2).contains(&error.column), "{} in {:?}", error, text);
            }
        }
    }
    Ok(())
}

/// Characters that mean something in one of the formats.
const ALPHABET: &str = "0123456789+-*/()[]{}:,.%'\"|$#&TPVNIFUKA \n\u{3000}\
    １２３４５６７８９一二三四五六七八九十歩香桂銀金角飛玉と杏圭全馬龍成不打同右左上引寄直ひにきぞらv・：▲△手合割先後下番持駒変化まで";

/// The written form of a game in some format.
fn written<R: Recorded>() -> impl Strategy<Value = String> {
    let formats = prop::sample::select(Format::ALL.to_vec());
    (0..u64::from(u16::MAX), formats).prop_map(|(seed, format)| {
        let mut record = game::<R>(seed, 20);
        decorate(&mut record, &mut Random::new(seed), &ends_of_csa());
        format.write(&record).or_else(|_| kif::write(&record)).unwrap()
    })
}

fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1_000) }
}

macro_rules! laws {
    ($($variant:ident: $rules:ty;)*) => {$(mod $variant {
        use super::*;

        #[test]
        fn any_text_is_read() {
            hold(config(), any::<String>(), read_anything::<$rules>);
        }

        #[test]
        fn any_text_of_our_letters_is_read() {
            let letters = prop::sample::select(ALPHABET.chars().collect::<Vec<_>>());
            let texts = prop::collection::vec(letters, 0..80).prop_map(String::from_iter);
            hold(config(), texts, read_anything::<$rules>);
        }

        #[test]
        fn mistyped_records_are_read() {
            hold(config(), edited(written::<$rules>(), ALPHABET, 4), read_anything::<$rules>);
        }
    })*};
}
laws! {
    minishogi: Minishogi;
    kyotoshogi: KyotoShogi;
    shogi: Shogi;
    shogi34: Shogi34;
    dobutsu: Dobutsu;
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_bytes_are_decoded(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
        if let Ok((text, encoding)) = decode(&bytes) {
            // Shift-JIS has several codes for some characters, so only the text comes back, and it
            // has none for those that Unicode leaves for private use. With other codes a text of a
            // few characters may be EUC-JP as well, so the encoding is named.
            if let Ok(again) = encode(&text, encoding) {
                prop_assert_eq!(decode_as(&again, encoding).unwrap(), text);
            }
        }
    }

    #[test]
    fn any_text_is_encoded(text in any::<String>()) {
        match encode(&text, Encoding::ShiftJis) {
            Ok(bytes) => prop_assert!(decode(&bytes).is_ok()),
            Err(error) => {
                let line = text.split('\n').nth(error.line - 1).unwrap();
                prop_assert_eq!(line.chars().nth(error.column - 1), Some(error.character));
            }
        }
    }
}

#[test]
fn positions_replay_the_game() {
    let record = game::<Shogi>(7, 60);
    let mut expected: Position<Shogi> = *record.start();
    for (position, one) in record.positions() {
        assert_eq!(position, expected);
        expected = expected.play_unchecked(one.mv());
    }
    assert_eq!(*record.last(), expected);
}
