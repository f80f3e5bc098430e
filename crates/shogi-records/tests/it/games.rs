//! Seeded random games with everything a record can hold.

use shogi_records::{End, Ending, Record, Recorded};
use shogi_rules::Rules;
use shogi_rules::shogi_core::{Move, Position};

use testing::random::Random;

/// How many games of each kind are played.
pub const GAMES: u64 = 200;

/// A random game of at most so many moves from a start; every second capture is made where there
/// is one, so that hands fill and pieces meet.
pub fn play<R: Recorded>(random: &mut Random, start: Position<R>, most: usize) -> Record<R> {
    let mut record = Record::new(start);
    while record.moves().len() < most && !R::is_over(record.last()) {
        let legal = record.last().legal_moves();
        let theirs = record.last().of(!record.last().side());
        let captures: Vec<Move<R>> =
            legal.iter().copied().filter(|mv| theirs.contains(mv.to())).collect();
        let choice = if captures.is_empty() || random.percent(50) { &legal[..] } else { &captures };
        if choice.is_empty() {
            break;
        }
        record.push(random.pick(choice)).unwrap();
    }
    record
}

/// A random game from the variant's start.
pub fn game<R: Recorded>(seed: u64, most: usize) -> Record<R> {
    let start = R::start();
    play(&mut Random::new(seed), start, most)
}

/// The same game with headers, comments, times and an end; what a format cannot hold is left out.
pub fn decorate<R: Rules>(record: &mut Record<R>, random: &mut Random, ends: &[End]) {
    let words = ["良い手", "A, b: c", "", "次の一手＊", "  indented", "*** +-/|"];
    record.headers = vec![
        ("先手".to_owned(), "あや".to_owned()),
        ("後手".to_owned(), "Bo B. (6段)".to_owned()),
        ("棋戦".to_owned(), "第1回 試験: 決勝".to_owned()),
        ("独自".to_owned(), String::new()),
    ];
    let comments = |random: &mut Random| -> Vec<String> {
        let count = if random.percent(20) { 1 + random.below(2) } else { 0 };
        (0..count).map(|_| random.pick(&words).to_owned()).collect()
    };
    record.comments = comments(random);
    let moves: Vec<_> = record.moves().iter().map(|one| one.mv()).collect();
    let mut decorated = Record::new(*record.start());
    (decorated.headers, decorated.comments) = (record.headers.clone(), record.comments.clone());
    for mv in moves {
        let one = decorated.push(mv).unwrap();
        one.comments = comments(random);
        one.seconds = random.percent(70).then(|| random.below(20_000) as u32);
    }
    if random.percent(80) {
        let end = ends[random.below(ends.len())].clone();
        let seconds = random.percent(50).then(|| random.below(600) as u32);
        decorated.end(Ending { comments: comments(random), seconds, ..end.into() });
    }
    *record = decorated;
}

/// Every end but those in words of a record's own.
pub const ENDS: [End; 14] = [
    End::Resignation,
    End::Checkmate,
    End::TimeUp,
    End::Foul,
    End::Default,
    End::Draw,
    End::Impasse,
    End::MoveLimit,
    End::Repetition,
    End::Declaration,
    End::Try,
    End::Interruption,
    End::SealedMove,
    End::NoMate,
];

/// The ends that CSA has a word for.
pub fn ends_of_csa() -> Vec<End> {
    let others = [End::Default, End::Try, End::SealedMove];
    ENDS.into_iter().filter(|end| !others.contains(end)).collect()
}
