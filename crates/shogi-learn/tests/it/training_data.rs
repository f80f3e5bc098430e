//! The community's training data: bytes as their definition says, what comes back, and what is refused.

use std::ops::ControlFlow;

use shogi_learn::LearnReason;
use shogi_learn::self_play::{Effort, Finish, Played, SelfPlay, play_games};
use shogi_learn::training_data::{DataEntry, DataFormat, EntryError, entries};
use shogi_rules::{Game, Minishogi, Rules, Shogi, Verdict, parse_position};
use shogi_search::{Evaluation, Player};

/// The start with a score of 35, 3c3d played next by Gote, who has lost, at ply 2.
const PSV: &str = "59a451220ceb67227e9653221caf447824c22b119e53221ceb6f223e9651220c\
                   2300150a0200ff00";
const HCPE: &str = "59a449210cd757217e8e4d212caf427814c2ab109e4d212cd75f213e8e49210c\
                    2300150a0100";

fn bytes(hex: &str) -> Vec<u8> {
    let digits = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
    (0..hex.len()).step_by(2).map(digits).collect()
}

fn entry() -> DataEntry<Shogi> {
    let start = Shogi::START.replace(" b ", " w ");
    DataEntry {
        position: parse_position(&start).unwrap(),
        mv: Some("3c3d".parse().unwrap()),
        score: 35,
        result: Some(Verdict::Loss),
        ply: 2,
    }
}

fn games() -> Vec<Played<Shogi>> {
    let settings = SelfPlay { effort: Effort::Nodes(40), ..SelfPlay::default() };
    let player = || Player::new(Evaluation::<Shogi>::standard(), settings.player());
    let mut games = Vec::new();
    let _ = play_games(&Shogi::start(), &settings, 0..6, 1, player, |game| {
        games.push(game);
        ControlFlow::Continue(())
    });
    games
}

fn written(format: DataFormat, entries: &[DataEntry<Shogi>]) -> Vec<u8> {
    let mut file = Vec::new();
    for entry in entries {
        format.write(entry, &mut file).unwrap();
    }
    file
}

/// Entries, and errors as texts.
fn read(format: DataFormat, file: &[u8]) -> Vec<Result<DataEntry<Shogi>, String>> {
    format.read(file).map(|entry| entry.map_err(|error| error.to_string())).collect()
}

#[test]
fn entries_have_the_bytes_of_the_format() {
    assert_eq!(written(DataFormat::Psv, &[entry()]), bytes(PSV));
    assert_eq!(read(DataFormat::Psv, &bytes(PSV)), [Ok(entry())]);
    assert_eq!(written(DataFormat::Hcpe, &[entry()]), bytes(HCPE));
    // There is no place for the number of the move.
    assert_eq!(read(DataFormat::Hcpe, &bytes(HCPE)), [Ok(DataEntry { ply: 0, ..entry() })]);
}

#[test]
fn games_come_back_in_every_format() {
    let mut results = [0; 3];
    for format in DataFormat::ALL {
        let all: Vec<_> = games().iter().flat_map(|game| entries(game, format)).collect();
        let file = written(format, &all);
        assert_eq!(file.len(), all.len() * format.entry_bytes());
        let read: Result<Vec<_>, _> = format.read::<Shogi, _>(&file[..]).collect();
        let read = read.unwrap();
        assert_eq!(read.len(), all.len());
        for (found, mut wanted) in read.iter().zip(all) {
            if format != DataFormat::Psv {
                wanted.ply = 0;
            }
            if !format.has_results() {
                wanted = DataEntry { mv: None, score: 0, result: None, ..wanted };
            }
            assert_eq!(*found, wanted);
            results[wanted.result.map_or(2, |result| usize::from(result != Verdict::Win))] += 1;
        }
        assert_eq!(written(format, &read), file);
    }
    assert!(results.iter().all(|&count| count > 100), "{results:?}");
}

#[test]
fn scores_are_written_in_the_units_of_the_format() {
    // Hundredths of a pawn, then a win in 5 plies, a loss in 10, and a win by repetition.
    let scores = [100, -35, 29_995, -29_990, 25_000];
    let mut game = Game::<Shogi>::from_start();
    for mv in ["7g7f", "3c3d", "2g2f", "8c8d", "2f2e"] {
        game.play(mv.parse().unwrap()).unwrap();
    }
    let played = Played::new(game, 0, scores.to_vec(), Finish::Resignation).unwrap();
    let written = |format| entries(&played, format).map(|entry| entry.score).collect::<Vec<_>>();
    assert_eq!(written(DataFormat::Hcpe), scores);
    assert_eq!(written(DataFormat::Psv), [90, -31, 31_995, -31_990, 25_000]);
    for format in [DataFormat::Psv, DataFormat::Hcpe] {
        let judged: Vec<bool> =
            entries(&played, format).map(|entry| entry.judged().is_some()).collect();
        // Nothing is learnt from where the end was seen.
        assert_eq!(judged, [true, true, false, false, false]);
    }
}

#[test]
fn an_entry_that_is_wrong_is_refused_with_its_place_and_the_next_one_follows() {
    let format = DataFormat::Psv;
    let wrong = |byte: usize, value: u8| {
        let mut changed = bytes(PSV);
        changed[byte] = value;
        let file = [bytes(PSV), changed, bytes(PSV)].concat();
        let read = read(format, &file);
        assert_eq!((&read[0], &read[2], read.len()), (&Ok(entry()), &Ok(entry()), 3));
        read[1].clone().unwrap_err()
    };
    // 3c3c, a square that is none, and 3c3e.
    assert_eq!(wrong(34, 20), "at byte 74: no legal move has the number 2580");
    assert_eq!(wrong(34, 100), "at byte 74: no legal move has the number 2660");
    assert_eq!(wrong(34, 22), "at byte 74: no legal move has the number 2582");
    assert_eq!(wrong(38, 2), "at byte 78: no result has the number 2");
    assert_eq!(
        wrong(0, 0xff),
        "at byte 40: in the position, at bit 1: the board has no square 127"
    );
    let mut draw = bytes(HCPE);
    draw[36] = 3;
    let error = DataFormat::Hcpe.read::<Shogi, _>(&draw[..]).next().unwrap().unwrap_err();
    assert!(matches!((error.offset, error.reason), (36, LearnReason::Result(3))));
}

#[test]
fn a_file_that_is_cut_or_of_another_game_is_refused() {
    let file = [bytes(PSV), bytes(PSV)].concat();
    for cut in 1..40 {
        let read = read(DataFormat::Psv, &file[..40 + cut]);
        let message = format!("at byte {}: the file ends here, but it is not complete", 40 + cut);
        assert_eq!(read, [Ok(entry()), Err(message)]);
    }
    assert_eq!(read(DataFormat::Psv, b""), []);
    let other = DataFormat::Psv.read::<Minishogi, _>(&file[..]).next().unwrap();
    assert!(other.unwrap_err().to_string().contains("of standard shogi"));
}

#[test]
fn missing_parts_of_a_record_are_not_invented() {
    let unjudged = DataEntry { result: None, ..entry() };
    let refused = DataFormat::Hcpe.write(&unjudged, &mut Vec::new());
    assert!(matches!(refused, Err(EntryError::NoResult("hcpe"))));
    assert!(unjudged.judged().is_none());
    // Without a move and without a score an entry can be written, and is read as such.
    let bare = DataEntry { mv: None, score: 0, ply: 0, ..entry() };
    assert_eq!(read(DataFormat::Psv, &written(DataFormat::Psv, &[bare])), [Ok(bare)]);
    assert!(bare.judged().is_some());
    let decided = DataEntry { score: -31_990, ..entry() };
    assert!(decided.judged().is_none());
}
