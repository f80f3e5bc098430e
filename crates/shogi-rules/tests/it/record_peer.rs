//! Records of standard shogi against an independent reader and writer, shogi-kifu-converter: each
//! reads what the other writes in KIF and CSA as the same moves, and both distinguish pieces by the
//! same words in KI2. (It does not read KI2 as books write it; tools/record_peers.mjs consults tsshogi,
//! which does.)
#![cfg(feature = "record")]

use std::sync::LazyLock;

use crate::games::{GAMES, game, play};
use shogi_kifu_converter::JKF;
use shogi_kifu_converter::converter::{ToCsa, ToKi2, ToKif};
use shogi_kifu_converter::jkf::{Kind, MoveSpecial};
use shogi_kifu_converter::parser::{parse_csa_str, parse_kif_str};
use shogi_rules::record::{End, Ending, Record, Recorded, csa, ki2, kif};
use shogi_rules::shogi_core::Colour;
use shogi_rules::{Shogi, parse_position, to_usi};
use testing::random::Random;
use testing::sample::{self, Style};

/// The moves that the other has read, in USI notation.
fn their_moves(theirs: &JKF) -> Vec<String> {
    let letter = |kind| match kind {
        Kind::FU => 'P',
        Kind::KY => 'L',
        Kind::KE => 'N',
        Kind::GI => 'S',
        Kind::KI => 'G',
        Kind::KA => 'B',
        Kind::HI => 'R',
        other => panic!("{other:?} was dropped"),
    };
    let rank = |y: u8| char::from(b'a' + y - 1);
    let moves = theirs.moves.iter().filter_map(|one| one.move_);
    let usi = moves.map(|one| {
        let to = format!("{}{}", one.to.x, rank(one.to.y));
        match one.from {
            None => format!("{}*{to}", letter(one.piece)),
            Some(from) => {
                let turn = if one.promote == Some(true) { "+" } else { "" };
                format!("{}{}{to}{turn}", from.x, rank(from.y))
            }
        }
    });
    usi.collect()
}

fn our_moves(record: &Record<Shogi>) -> Vec<String> {
    record.moves().iter().map(|one| to_usi(one.mv())).collect()
}

/// The moves of a KI2 text, one by one, without spaces.
fn words(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| line.starts_with(['▲', '△']));
    let text: String = lines.collect::<String>().replace([' ', '　'], "").replace('竜', "龍");
    let mut moves = Vec::new();
    for character in text.chars() {
        if matches!(character, '▲' | '△') {
            moves.push(String::new());
        }
        moves.last_mut().unwrap().push(character);
    }
    moves
}

/// Games from the start, from handicaps and from scattered positions. The other takes Sente to be
/// next in every diagram.
fn records() -> impl Iterator<Item = Record<Shogi>> {
    let known = |name: &&str| !["三枚落ち", "五枚落ち", "左五枚落ち"].contains(name);
    let known = move |name: &&str| known(name) && !name.contains('七') && *name != "右香落ち";
    let handicaps: Vec<_> =
        Shogi::HANDICAPS.iter().filter(|(name, _)| known(name)).map(|(_, sfen)| sfen).collect();
    let handicaps = (0..).zip(handicaps).map(|(seed, sfen)| {
        let start = parse_position::<Shogi>(sfen).unwrap();
        play(&mut Random::new(seed), start, 60)
    });
    let scattered = (0..GAMES / 2).filter_map(|seed| {
        let mut random = Random::new(seed);
        let start = sample::legal::<Shogi>(&mut random, Style::EVEN);
        (start.side() == Colour::Sente).then(|| play(&mut random, start, 40))
    });
    (0..GAMES / 4).map(|seed| game::<Shogi>(seed, 120)).chain(handicaps).chain(scattered).map(timed)
}

/// The game with times and an end that both know.
fn timed(mut record: Record<Shogi>) -> Record<Shogi> {
    let mut timed = Record::new(*record.start());
    for (i, one) in record.moves().iter().enumerate() {
        timed.push(one.mv()).unwrap().seconds = Some(i as u32 * 7 % 100);
    }
    timed.headers = vec![("先手".to_owned(), "あや".to_owned())];
    timed.end(Ending { seconds: Some(1), ..End::Resignation.into() });
    std::mem::swap(&mut record, &mut timed);
    record
}

/// The records, and what the other reads in ours of KIF: its reader takes the longest here.
static READ: LazyLock<Vec<(Record<Shogi>, JKF)>> = LazyLock::new(|| {
    let read = |record| {
        let text = kif::write(&record).unwrap();
        let theirs = parse_kif_str(&text).unwrap_or_else(|error| panic!("{error}:\n{text}"));
        (record, theirs)
    };
    records().map(read).collect()
});

#[test]
fn the_other_reads_our_kif() {
    for (record, theirs) in READ.iter() {
        assert_eq!(their_moves(theirs), our_moves(record), "{}", kif::write(record).unwrap());
        let last = theirs.moves.last().unwrap();
        assert_eq!(last.special, Some(MoveSpecial::SpecialToryo));
        assert_eq!(theirs.header.get("先手").map(String::as_str), Some("あや"));
        for (one, own) in theirs.moves[1..].iter().zip(record.moves()) {
            let now = one.time.unwrap().now;
            assert_eq!(Some(u32::from(now.m) * 60 + u32::from(now.s)), own.seconds);
        }
    }
}

#[test]
fn the_other_reads_our_csa() {
    for (record, _) in READ.iter() {
        let text = csa::write(record).unwrap();
        let theirs = parse_csa_str(&text).unwrap_or_else(|error| panic!("{error}:\n{text}"));
        assert_eq!(their_moves(&theirs), our_moves(record), "{text}");
        let last = theirs.moves.last().unwrap();
        assert_eq!(last.special, Some(MoveSpecial::SpecialToryo));
    }
}

#[test]
fn we_read_the_others_records() {
    for (record, theirs) in READ.iter() {
        let text = theirs.to_kif_owned();
        let again = kif::parse::<Shogi>(&text).unwrap_or_else(|error| panic!("{error}:\n{text}"));
        assert_eq!((again.start(), again.moves()), (record.start(), record.moves()));
        assert_eq!(again.headers, record.headers);
        let text = theirs.to_csa_owned();
        let again = csa::parse::<Shogi>(&text).unwrap_or_else(|error| panic!("{error}:\n{text}"));
        assert_eq!((again.start(), again.moves()), (record.start(), record.moves()));
    }
}

#[test]
fn both_distinguish_pieces_by_the_same_words() {
    for (record, theirs) in READ.iter() {
        let theirs = theirs.to_ki2_owned();
        let ours = ki2::write(record).unwrap();
        for (their, our) in words(&theirs).iter().zip(&words(&ours)) {
            // The other forgets the words before 成 and 不成.
            if !our.ends_with('成') {
                assert_eq!(their, our, "{ours}\n{theirs}");
            }
        }
    }
}
