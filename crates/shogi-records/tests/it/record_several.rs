//! Several games in one text of KIF or KI2: where one ends and the next begins, whether they have moves or not.

use shogi_records::{Format, Record, RecordReason, Recorded, WriteError, kif, usi};
use shogi_rules::{Dobutsu, KyotoShogi, Minishogi, Shogi, Shogi34, parse_position};
use testing::random::Random;
use testing::sample::{self, Style};

use crate::games::{ENDS, GAMES, decorate, play};
use crate::record::without_times;

const FORMATS: [Format; 2] = [Format::Kif, Format::Ki2];

/// Up to four games from the variant's own start, handicaps and scattered positions, half of them without moves, with
/// and without headers, comments and ends.
fn several<R: Recorded>(seed: u64) -> Vec<Record<R>> {
    let mut random = Random::new(seed);
    let count = 1 + random.below(4);
    let mut one = || {
        let start = match random.below(3) {
            0 => R::start(),
            1 if !R::HANDICAPS.is_empty() => {
                let (_, sfen) = random.pick(R::HANDICAPS);
                parse_position(sfen).unwrap()
            }
            _ => {
                let style = random.pick(&Style::ALL);
                sample::legal::<R>(&mut random, style)
            }
        };
        let most = if random.percent(50) { 0 } else { 1 + random.below(30) };
        let mut record = play(&mut random, start, most);
        if random.percent(60) {
            decorate(&mut record, &mut random, &ENDS);
        }
        if random.percent(20) {
            record.bookmarks = vec!["ここ".to_owned()];
        }
        record
    };
    (0..count).map(|_| one()).collect()
}

/// How many games without moves and end stood before others.
fn are_read_back<R: Recorded>() -> usize {
    let mut positions = 0;
    for (seed, format) in (0..2 * GAMES).flat_map(|seed| FORMATS.map(|format| (seed, format))) {
        let mut records = several::<R>(seed);
        let texts: Result<Vec<_>, _> = records.iter().map(|record| format.write(record)).collect();
        let texts = match texts {
            Ok(texts) => texts,
            Err(error) => {
                assert!(matches!(error, WriteError::Ambiguous(_)) && R::NAME == "shogi34");
                continue;
            }
        };
        if format == Format::Ki2 {
            records = records.iter().map(without_times).collect();
        }
        for text in [format.join(&texts), texts.concat()] {
            let again = format.parse_all::<R>(&text);
            assert_eq!(again.as_ref(), Ok(&records), "seed {seed}, {format}:\n{text}");
        }
        let before = &records[..records.len() - 1];
        let is_position = |one: &&Record<R>| one.moves().is_empty() && one.ending().is_none();
        positions += before.iter().filter(is_position).count();
    }
    positions
}

macro_rules! several_games {
    ($($variant:ident: $rules:ty;)*) => {$(
        #[test]
        fn $variant() {
            let positions = are_read_back::<$rules>();
            assert!(positions > 200, "{positions}");
        }
    )*};
}
mod several_games_are_read_back {
    use super::*;

    several_games! {
        minishogi: Minishogi;
        kyotoshogi: KyotoShogi;
        shogi: Shogi;
        shogi34: Shogi34;
        dobutsu: Dobutsu;
    }
}

/// A game's lines before the moves: what the start is called, the board, headers, what stands behind them.
fn parts() -> ([String; 4], Record<Shogi>) {
    let mut record = usi::parse::<Shogi>("sfen 4k4/9/9/9/9/9/9/9/4K4 w R2P 1").unwrap();
    record.headers = vec![("先手".to_owned(), "あや".to_owned())];
    record.comments = vec!["次の一手".to_owned()];
    let text = kif::write(&record).unwrap();
    let (title, rest) = text.split_at(text.find("後手の持駒").unwrap());
    let (board, rest) = rest.split_at(rest.find("先手：").unwrap());
    let (headers, notes) = rest.split_at(rest.find("手数").unwrap());
    ([title, board, headers, notes].map(str::to_owned), record)
}

/// All orders of four things.
fn orders() -> Vec<[usize; 4]> {
    let all = (0..4_usize.pow(4)).map(|n| [n / 64, n / 16 % 4, n / 4 % 4, n % 4]);
    all.filter(|order| (0..4).all(|one| order.contains(&one))).collect()
}

#[test]
fn a_game_has_its_lines_in_any_order() {
    let (parts, record) = parts();
    let mut played = record.clone();
    played.push(shogi_rules::parse_usi("5a5b").unwrap()).unwrap();
    assert_eq!(orders().len(), 24);
    for order in orders() {
        let text: String = order.iter().map(|&part| parts[part].as_str()).collect();
        for format in FORMATS {
            assert_eq!(format.parse_all(&text), Ok(vec![record.clone()]), "{text}");
        }
        let text = text + "   1 ５二玉(51)\n";
        assert_eq!(Format::Kif.parse_all(&text), Ok(vec![played.clone()]), "{text}");
        // Behind moves it is known where the next game begins.
        let twice = text + "手合割：平手\n";
        let expected = vec![played.clone(), Record::from_start()];
        assert_eq!(Format::Kif.parse_all(&twice), Ok(expected), "{twice}");
    }
}

#[test]
fn no_line_goes_to_the_wrong_game() {
    let (parts, record) = parts();
    for order in orders() {
        let text: String = order.iter().map(|&part| parts[part].as_str()).collect();
        for format in FORMATS {
            let read = format.parse_all::<Shogi>(&(text.clone() + "手合割：平手\n"));
            if order.is_sorted() {
                assert_eq!(read, Ok(vec![record.clone(), Record::from_start()]), "{text}");
            } else {
                let error = read.unwrap_err();
                let place = (error.line, error.column);
                assert_eq!(place, (text.lines().count() + 1, 1), "{text}");
                assert_eq!(error.reason, RecordReason::UnclearBeginning, "{text}");
            }
        }
    }
    // The board cannot be that of a game whose start has a name.
    let [title, board, ..] = &parts;
    for text in [format!("手合割：平手\n{board}{title}"), format!("手合割：香落ち\n{board}{title}")]
    {
        let error = Format::Ki2.parse_all::<Shogi>(&text).unwrap_err();
        assert_eq!(error.reason, RecordReason::UnclearBeginning, "{text}");
    }
}
