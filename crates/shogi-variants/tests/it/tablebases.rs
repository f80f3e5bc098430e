//! Players with tablebases.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use shogi_core::{Move, Position};
use shogi_rules::{Dobutsu, Game, Reason, Verdict, to_sfen};
use shogi_search::{
    Action, Control, Evaluation, KnownValues as _, Limits, Player, Score, Settings,
};
use shogi_tablebase::{Builder, PieceSet, Stored, Tablebase, file_name};
use shogi_variants::{
    Tablebases, Variant, core as shogi_core, rules as shogi_rules, search as shogi_search,
    tablebase as shogi_tablebase,
};

type Dobutsuist = Player<Dobutsu, Evaluation<Dobutsu>>;

/// A directory with the tablebase of a set, which is built.
fn directory(set: &str, stored: Stored) -> PathBuf {
    // Tests run side by side, and several have the same set.
    static MADE: AtomicU32 = AtomicU32::new(0);
    let number = MADE.fetch_add(1, Relaxed);
    let name = format!("tablebases-{set}-{stored:?}-{}-{number}", std::process::id());
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&directory).unwrap();
    let set = PieceSet::<Dobutsu>::parse(set).unwrap();
    let mut builder = Builder::new(set, None).unwrap();
    let finished = builder.run(|_| ControlFlow::Continue(())).unwrap().unwrap();
    finished.write(&directory.join(file_name(&set)), stored).unwrap();
    directory
}

fn open(directory: &Path, set: &PieceSet<Dobutsu>) -> Tablebase<Dobutsu> {
    Tablebase::open(&directory.join(file_name(set))).unwrap()
}

fn player(directory: &Path) -> Dobutsuist {
    let settings = Settings { hash_bytes: 1 << 20, mate_probe: false, ..Settings::default() };
    let known = Arc::new(Tablebases::in_directory(directory));
    Player::new(Evaluation::standard(), settings).with_known_values(known)
}

/// A number below `count`, other ones for other seeds.
fn pick(seed: &mut u64, count: usize) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as usize % count
}

/// Who plays against the player.
#[derive(Clone, Copy, Debug)]
enum Defence {
    Random,
    Best,
}

/// Plays a won position out, and asserts that it is won in the plies of the tablebase or fewer.
fn win(
    player: &mut Dobutsuist,
    table: &Tablebase<Dobutsu>,
    start: Position<Dobutsu>,
    defence: Defence,
    seed: &mut u64,
) {
    let plies = table.probe(&start).unwrap().plies.unwrap();
    let mut game = Game::new(start);
    while game.outcome().is_none() {
        let position = game.position();
        let mv = if position.side() == start.side() {
            let choice = player.think(&game, &Limits::depth(1), &Control::new(), |_| {});
            let Action::Play(mv) = choice.action else { panic!("{choice:?}") };
            mv
        } else {
            match defence {
                Defence::Best => table.moves(position).unwrap()[0].0,
                Defence::Random => {
                    let moves = position.legal_moves();
                    moves[pick(seed, moves.len())]
                }
            }
        };
        game.play(mv).unwrap();
    }
    let played = game.moves().len();
    assert_eq!(game.outcome().unwrap().winner(), Some(start.side()), "{start:?}, {defence:?}");
    assert!(played <= plies as usize, "{start:?}: {played} plies for {plies}");
    if matches!(defence, Defence::Best) {
        assert_eq!(played, plies as usize, "{start:?}");
    }
}

#[test]
fn a_player_with_a_tablebase_never_loses_a_won_position() {
    let directory = directory("C1E1G1L2", Stored::Plies);
    let table = open(&directory, &PieceSet::parse("C1E1G1L2").unwrap());
    let mut player = player(&directory);
    let (mut seed, mut played, mut longest) = (1, 0, 0);
    while played < 1_000 {
        let rank = pick(&mut seed, table.index().size() as usize) as u64;
        let placement = table.index().unrank_u64(rank).unwrap();
        let placement = if played % 2 == 0 { placement } else { placement.exchange_colours() };
        let Ok(start) = Position::new(placement) else { continue };
        let value = table.probe(&start).unwrap();
        if value.verdict != Verdict::Win || Game::new(start).outcome().is_some() {
            continue;
        }
        longest = longest.max(value.plies.unwrap());
        let defence = if played % 4 < 2 { Defence::Random } else { Defence::Best };
        win(&mut player, &table, start, defence, &mut seed);
        played += 1;
    }
    assert!(longest > 20, "only short wins");
    fs::remove_dir_all(directory).unwrap();
}

/// Wins of the whole game that come up in random games.
#[test]
#[ignore = "long, needs the directory of dobutsu.tablebase in SHOGI_TABLEBASES"]
fn the_player_of_dobutsu_never_loses_a_won_position() {
    let Some(directory) = env::var_os("SHOGI_TABLEBASES").map(PathBuf::from) else {
        eprintln!("skipped: SHOGI_TABLEBASES names no directory");
        return;
    };
    let table = open(&directory, &PieceSet::full());
    let mut player = player(&directory);
    let (mut seed, mut played, mut longest) = (1, 0, 0);
    while played < 1_000 {
        let mut game = Game::<Dobutsu>::from_start();
        for _ in 0..5 + pick(&mut seed, 40) {
            let moves = game.position().legal_moves();
            if game.play(moves[pick(&mut seed, moves.len())]).unwrap().is_some() {
                break;
            }
        }
        let start = *game.position();
        if game.outcome().is_some() || table.probe(&start).unwrap().verdict != Verdict::Win {
            continue;
        }
        longest = longest.max(table.probe(&start).unwrap().plies.unwrap());
        let defence = if played % 2 == 0 { Defence::Random } else { Defence::Best };
        win(&mut player, &table, start, defence, &mut seed);
        played += 1;
    }
    println!("{played} wins of at most {longest} plies");
    assert!(longest > 40, "only short wins");
}

#[test]
fn an_engine_is_told_where_its_tablebases_are() {
    let directory = directory("E1G1L2", Stored::Plies);
    let table = open(&directory, &PieceSet::parse("E1G1L2").unwrap());
    let position = find(&table, |_, moves| {
        moves
            .first()
            .is_some_and(|(_, value)| value.verdict == Verdict::Win && value.plies > Some(15))
    });
    let plies = table.probe(&position).unwrap().plies.unwrap();
    let input = format!(
        "setoption name TablebasePath value {}\nposition sfen {}\ngo depth 1\n",
        directory.display(),
        to_sfen(&position)
    );
    let mut output = Vec::new();
    shogi_search::usi::run(input.as_bytes(), &mut output, &Variant::Dobutsu.engine()).unwrap();
    let output = String::from_utf8(output).unwrap();
    assert!(output.contains(&format!("score mate {plies} ")), "{output}");
    fs::remove_dir_all(directory).unwrap();
}

#[test]
fn an_engine_says_what_tablebase_is_missing_or_damaged() {
    let directory = directory("E1G1L2", Stored::Plies);
    let damaged = directory.join("dobutsu.tablebase");
    fs::write(&damaged, "no tablebase").unwrap();
    for (folder, reason) in [(&directory, "tablebase"), (&directory.join("none"), "No such file")] {
        let input = format!("setoption name TablebasePath value {}\nisready\n", folder.display());
        let mut output = Vec::new();
        shogi_search::usi::run(input.as_bytes(), &mut output, &Variant::Dobutsu.engine()).unwrap();
        let output = String::from_utf8(output).unwrap();
        let file = folder.join("dobutsu.tablebase");
        let notice = output.lines().find(|line| line.contains(&*file.to_string_lossy())).unwrap();
        assert!(
            notice.starts_with("info string the player plays without a tablebase: "),
            "{notice}"
        );
        assert!(notice.contains(reason), "{notice}");
        assert!(output.ends_with("readyok\n"), "{output}");
    }
    fs::remove_dir_all(directory).unwrap();
}

/// The output of an engine of a variant for a script, with its tablebases in a directory.
fn conversation(variant: Variant, directory: &Path, script: &str) -> String {
    let directory = directory.display();
    let input = format!("setoption name TablebasePath value {directory}\n{script}");
    let mut output = Vec::new();
    shogi_search::usi::run(input.as_bytes(), &mut output, &variant.engine()).unwrap();
    String::from_utf8(output).unwrap()
}

/// Where the set of pieces depends on the start, nothing is known of it before the position.
#[test]
fn an_engine_complains_of_the_tablebase_of_its_position() {
    let name = format!("tablebases-of-starts-{}", std::process::id());
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&directory).unwrap();
    let talk = |script: &str| conversation(Variant::Shogi34, &directory, script);
    let gold = "position sfen kgg/1p1/1P1/GGK b - 1\n";
    let complaint = "info string the player plays without a tablebase: ";
    let empty = format!("{complaint}{}: there is none of shogi34", directory.display());
    assert!(talk("isready\n").contains(&empty));
    fs::write(directory.join("shogi34-BS.tablebase"), "no tablebase").unwrap();
    assert_eq!(talk("isready\n"), "readyok\n");
    // The complaint comes with the position, once.
    for script in
        [format!("isready\n{gold}go depth 1\ngo depth 1\n"), format!("{gold}isready\ngo depth 1\n")]
    {
        let said = talk(&script);
        let complaints: Vec<_> = said.lines().filter(|line| line.starts_with(complaint)).collect();
        assert_eq!(complaints.len(), 1, "{said}");
        assert!(complaints[0].contains("shogi34-GG.tablebase"), "{said}");
    }
    let bishop = talk("position sfen ksb/1p1/1P1/BSK b - 1\ngo depth 1\n");
    assert!(bishop.contains("shogi34-BS.tablebase") && bishop.contains(complaint), "{bishop}");
    fs::remove_dir_all(directory).unwrap();
}

#[test]
fn a_damaged_or_truncated_tablebase_is_reported_when_it_is_asked() {
    let directory = directory("E1G1L2", Stored::Plies);
    let set = PieceSet::<Dobutsu>::parse("E1G1L2").unwrap();
    let path = directory.join(file_name(&set));
    let table = open(&directory, &set);
    // An end in one move is known without the table.
    let position = find(&table, |_, moves| {
        let best = moves.first().map(|(_, value)| value);
        best.is_some_and(|best| best.verdict == Verdict::Win && best.plies > Some(15))
    });
    let script = format!("position sfen {}\nisready\ngo depth 2\ngo depth 2\n", to_sfen(&position));
    assert!(!conversation(Variant::Dobutsu, &directory, &script).contains("error"));
    let whole = fs::read(&path).unwrap();
    let mut changed = whole.clone();
    // The blocks are all behind the first half of the file.
    changed[whole.len() / 2..].iter_mut().for_each(|byte| *byte ^= 0x55);
    for (bytes, reason) in
        [(&changed[..], "a checksum does not match"), (&whole[..whole.len() / 2], "")]
    {
        fs::write(&path, bytes).unwrap();
        let said = conversation(Variant::Dobutsu, &directory, &script);
        let about: Vec<_> =
            said.lines().filter(|line| line.contains(&*path.to_string_lossy())).collect();
        assert!(!about.is_empty(), "{said}");
        assert!(
            about.iter().all(|line| line.starts_with("info string ") && line.contains(reason)),
            "{said}"
        );
        let distinct: BTreeSet<_> = about.iter().collect();
        assert_eq!(distinct.len(), about.len(), "{said}");
        assert_eq!(said.matches("bestmove ").count(), 2, "{said}");
    }
    fs::remove_dir_all(directory).unwrap();
}

/// A position with a value that holds a condition, and its legal moves with their values.
fn find(
    table: &Tablebase<Dobutsu>,
    condition: impl Fn(&Position<Dobutsu>, &[(Move<Dobutsu>, shogi_tablebase::Value)]) -> bool,
) -> Position<Dobutsu> {
    let position = |rank| Position::new(table.index().unrank_u64(rank)?).ok();
    let mut positions = (0..table.index().size()).step_by(37).filter_map(position);
    positions.find(|position| condition(position, &table.moves(position).unwrap())).unwrap()
}

#[test]
fn a_draw_is_kept_and_a_verdict_without_plies_too() {
    let set = PieceSet::parse("E1G1L2").unwrap();
    let plies = directory("E1G1L2", Stored::Plies);
    let verdicts = directory("E1G1L2", Stored::Verdict);
    let table = open(&plies, &set);
    for (directory, verdict) in [(&plies, Verdict::Draw), (&verdicts, Verdict::Win)] {
        // All moves but one throw the value away.
        let position = find(&table, |_, moves| {
            moves.len() > 4 && moves[0].1.verdict == verdict && moves[1].1.verdict != verdict
        });
        let choice = player(directory).think(
            &Game::new(position),
            &Limits::depth(2),
            &Control::new(),
            |_| {},
        );
        assert_eq!(choice.action, Action::Play(table.moves(&position).unwrap()[0].0));
    }
    fs::remove_dir_all(plies).unwrap();
    fs::remove_dir_all(verdicts).unwrap();
}

/// Against random replies.
#[test]
fn a_drawn_position_is_kept_and_played_for_a_win() {
    let set = PieceSet::parse("E1G1L2").unwrap();
    let directory = directory("E1G1L2", Stored::Plies);
    let table = open(&directory, &set);
    let mut player = player(&directory);
    let (mut seed, mut results) = (3, [0; 3]);
    let plies = |game: &Game<Dobutsu>| game.moves().len();
    while results.iter().sum::<usize>() < 200 {
        let rank = pick(&mut seed, table.index().size() as usize) as u64;
        let Ok(start) = Position::new(table.index().unrank_u64(rank).unwrap()) else { continue };
        let mut game = Game::new(start);
        let drawn =
            |position: &Position<Dobutsu>| table.probe(position).unwrap().verdict == Verdict::Draw;
        if game.outcome().is_some() || !drawn(&start) {
            continue;
        }
        player.clear();
        while game.outcome().is_none() && plies(&game) < 60 {
            let position = *game.position();
            let moves = position.legal_moves();
            let mv = if position.side() == start.side() {
                let is_drawn = drawn(&position);
                let choice = player.think(&game, &Limits::depth(4), &Control::new(), |found| {
                    assert!(!is_drawn || found.score == Score::Value(0), "{found:?}");
                });
                assert_eq!(choice.score == Score::Value(0), is_drawn, "{choice:?}");
                let Action::Play(mv) = choice.action else { panic!("{choice:?}") };
                mv
            } else {
                moves[pick(&mut seed, moves.len())]
            };
            game.play(mv).unwrap();
        }
        let winner = game.outcome().and_then(|end| end.winner());
        results[winner.map_or(1, |winner| if winner == start.side() { 0 } else { 2 })] += 1;
    }
    let [won, _, lost] = results;
    assert_eq!(lost, 0);
    assert!(won > 150, "{results:?}");
    fs::remove_dir_all(directory).unwrap();
}

/// Where positions came up before, a win is searched by its known values, since the line of the
/// tablebase may lead through a third repetition.
#[test]
fn a_win_is_found_after_repetitions_too() {
    let directory = directory("E1G1L2", Stored::Plies);
    let table = open(&directory, &PieceSet::parse("E1G1L2").unwrap());
    // There and back again, which leaves a win of more than three plies.
    let there_and_back = |position: &Position<Dobutsu>| {
        let quiet = |position: &Position<Dobutsu>, from, to| {
            let back = Move::Board { from: to, to: from, turn: false };
            position.legal_moves().contains(&back)
        };
        position.legal_moves().into_iter().find_map(|first| {
            let Move::Board { from, to, .. } = first else { return None };
            let next = position.play_unchecked(first);
            next.legal_moves().into_iter().find_map(|second| {
                let Move::Board { from: out, to: here, .. } = second else { return None };
                let third = next.play_unchecked(second);
                if Game::new(third).outcome().is_some() || !quiet(&third, from, to) {
                    return None;
                }
                let back = Move::Board { from: to, to: from, turn: false };
                let fourth = third.play_unchecked(back);
                let last = Move::Board { from: here, to: out, turn: false };
                let again = Game::new(fourth).outcome().is_none() && quiet(&fourth, out, here);
                (again && fourth.play_unchecked(last) == *position)
                    .then_some([first, second, back, last])
            })
        })
    };
    let position = find(&table, |position, moves| {
        moves.first().is_some_and(|(_, value)| {
            value.verdict == Verdict::Win && value.plies > Some(5) && value.plies < Some(30)
        }) && there_and_back(position).is_some()
    });
    let mut game = Game::new(position);
    for mv in there_and_back(&position).unwrap() {
        assert_eq!(game.play(mv).unwrap(), None);
    }
    assert_eq!(game.repetitions(), 2);
    let mut player = player(&directory);
    while game.outcome().is_none() {
        let choice = player.think(&game, &Limits::depth(2), &Control::new(), |_| {});
        assert!(matches!(choice.score, Score::WinIn(_) | Score::LossIn(_)), "{choice:?}");
        let Action::Play(mv) = choice.action else { panic!("{choice:?}") };
        game.play(mv).unwrap();
    }
    assert_eq!(game.outcome().unwrap().winner(), Some(position.side()));
    assert_ne!(game.outcome().unwrap().reason, Reason::Repetition);
    fs::remove_dir_all(directory).unwrap();
}
