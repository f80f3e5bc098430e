//! `go searchmoves`: no move is played but those named.

use std::path::Path;

use shogi_rules::shogi_core::Position;
use shogi_rules::{Dobutsu, Game, KyotoShogi, Minishogi, Rules, Shogi, Verdict, to_usi};
use shogi_search::usi::{Config, EngineVariant};
use shogi_search::{KnownValue, KnownValues};

use crate::usi::{engine, script, with_engine};

/// Mate by a drop of the rook at 5a.
const MATE: &str = "position sfen 4k/5/4G/5/K4 b R 1";

/// The move that is answered.
#[track_caller]
fn best(lines: &[String]) -> &str {
    let answer = lines.last().and_then(|line| line.strip_prefix("bestmove "));
    answer.unwrap_or_else(|| panic!("{lines:?}")).split(' ').next().unwrap()
}

fn errors(lines: &[String]) -> Vec<&str> {
    lines.iter().filter_map(|line| line.strip_prefix("info string error: ")).collect()
}

/// The first moves of all lines that are reported.
fn first_moves(lines: &[String]) -> Vec<&str> {
    let lines = lines.iter().filter_map(|line| line.split_once(" pv "));
    lines.filter_map(|(_, moves)| moves.split(' ').next()).collect()
}

#[test]
fn each_first_move_can_be_the_only_one() {
    fn check<R: Rules>() {
        with_engine(&engine::<R>(), |client| {
            for &mv in &Game::<R>::from_start().position().legal_moves() {
                let mv = to_usi(mv);
                client.say("position startpos");
                client.say(&format!("go searchmoves {mv} nodes 200"));
                let lines = client.hear("bestmove ");
                assert!(errors(&lines).is_empty(), "{lines:?}");
                assert_eq!(best(&lines), mv, "{lines:?}");
                assert!(first_moves(&lines).iter().all(|&first| first == mv), "{lines:?}");
            }
        });
    }
    check::<Minishogi>();
    check::<KyotoShogi>();
    check::<Shogi>();
    check::<Dobutsu>();
}

#[test]
fn any_limit_and_option_may_stand_beside_the_moves() {
    for option in ["MateProbe value false", "Threads value 2", "OpeningPlies value 9"] {
        with_engine(&engine::<Minishogi>(), |client| {
            client.say(&format!("setoption name {option}"));
            for go in [
                "go searchmoves 1e1d 4e4d depth 3",
                "go nodes 500 searchmoves 4e4d 1e1d",
                "go searchmoves 1e1d movetime 20 searchmoves 4e4d",
                "go btime 300 wtime 300 searchmoves 1e1d 4e4d binc 1",
                "go searchmoves 4e4d 1e1d btime 0 wtime 0 byoyomi 30",
            ] {
                client.say("position startpos");
                client.say(go);
                let lines = client.hear("bestmove ");
                let moves = first_moves(&lines);
                let all = [moves, vec![best(&lines)]].concat();
                let named = ["1e1d", "4e4d"];
                assert!(all.iter().all(|mv| named.contains(mv)), "{option}, {go}: {lines:?}");
                assert!(errors(&lines).is_empty(), "{lines:?}");
            }
        });
    }
}

#[test]
fn an_endless_search_of_some_moves_ends_with_stop_or_ponderhit() {
    with_engine(&engine::<Minishogi>(), |client| {
        for (go, end) in [
            ("go searchmoves 1e1d", "stop"),
            ("go infinite searchmoves 1e1d", "stop"),
            ("go ponder searchmoves 1e1d btime 50 wtime 50", "ponderhit"),
        ] {
            client.say("position startpos");
            client.say(go);
            client.hear("info depth 3");
            client.say(end);
            assert_eq!(best(&client.hear("bestmove ")), "1e1d", "{go}");
        }
    });
}

#[test]
fn no_more_lines_are_reported_than_moves_are_named() {
    let input = "setoption name MultiPV value 5\nposition startpos\n\
                 go depth 4 searchmoves 1e1d 4e4d 5d5c 1e1d\n";
    let lines = script(&engine::<Minishogi>(), input);
    let last: Vec<_> =
        lines.iter().filter(|line| line.contains("info depth 4 ")).cloned().collect();
    let mut moves = first_moves(&last);
    moves.sort_unstable();
    assert_eq!(moves, ["1e1d", "4e4d", "5d5c"], "{lines:?}");
    assert!(!lines.iter().any(|line| line.contains(" multipv 4 ")), "{lines:?}");
}

#[test]
fn illegal_moves_are_reported_and_left_out() {
    let lines = script(
        &engine::<Minishogi>(),
        "position startpos\ngo searchmoves 1e1d 5d5b 9z resign nodes 100\n",
    );
    let [illegal, unreadable, end] = errors(&lines)[..] else { panic!("{lines:?}") };
    let start = "in searchmoves, move 2, \"5d5b\": illegal move: ";
    assert!(illegal.starts_with(start), "{illegal}");
    assert!(unreadable.starts_with("in searchmoves, move 3, \"9z\": at character 1"));
    assert!(end.starts_with("in searchmoves, move 4, \"resign\": at character 1"), "{end}");
    assert_eq!(best(&lines), "1e1d");
    // Where none is left, all moves are searched, and within the limit.
    for (list, number) in [("", 1), ("5d5b ", 2), ("5d5b 5d5b ", 3)] {
        let input = format!("{MATE}\ngo searchmoves {list}nodes 100\n");
        let lines = script(&engine::<Minishogi>(), input);
        assert_eq!(errors(&lines).len(), number, "{lines:?}");
        let expected = "searchmoves names no legal move, all moves are searched";
        assert_eq!(errors(&lines).last(), Some(&expected));
        assert_eq!(best(&lines), "R*5a");
    }
    // A mistake of another kind does not lift the restriction.
    let lines = script(&engine::<Minishogi>(), "position startpos\ngo searchmoves 1e1d depth x\n");
    assert_eq!((best(&lines), errors(&lines).len()), ("1e1d", 1));
}

#[test]
fn a_mate_is_played_only_by_a_move_named() {
    let answer = |moves: &str| {
        let input = format!("{MATE}\ngo depth 3 searchmoves {moves}\n");
        best(&script(&engine::<Minishogi>(), input)).to_owned()
    };
    assert_eq!(answer("5e5d"), "5e5d");
    assert_eq!(answer("5e5d R*5a"), "R*5a");
    let lines = script(&engine::<Minishogi>(), format!("{MATE}\ngo searchmoves 5e5d mate 1000\n"));
    assert_eq!(errors(&lines).len(), 1, "{lines:?}");
    assert_eq!(lines.last().unwrap(), "checkmate timeout");
}

/// Knows who is mated, and of all else that it is drawn.
struct Mates;

impl KnownValues<Minishogi> for Mates {
    fn in_directory(_: &Path) -> Self {
        Self
    }

    fn value(&self, position: &Position<Minishogi>) -> Option<KnownValue> {
        Some(match position.is_mate() {
            true => KnownValue { verdict: Verdict::Loss, plies: Some(0) },
            false => KnownValue { verdict: Verdict::Draw, plies: None },
        })
    }
}

#[test]
fn a_known_win_is_played_only_by_a_move_named() {
    const KNOWING: &[EngineVariant] = &[EngineVariant::with_tablebases::<Minishogi, Mates>()];
    let config = Config::new(KNOWING, KNOWING[0]);
    let answer = |go: &str| {
        let options =
            "setoption name TablebasePath value .\nsetoption name MateProbe value false\n";
        script(&config, format!("{options}{MATE}\n{go}\n"))
    };
    // Without a search.
    let known = answer("go nodes 100");
    assert!(known[0].starts_with("info depth 0 ") && best(&known) == "R*5a", "{known:?}");
    let known = answer("go searchmoves 5e5d R*5a nodes 100");
    assert!(known[0].starts_with("info depth 0 ") && best(&known) == "R*5a", "{known:?}");
    // The moves named are known to draw.
    let drawn = answer("go searchmoves 5e5d 1c2c nodes 100");
    assert!(["5e5d", "1c2c"].contains(&best(&drawn)), "{drawn:?}");
    let mut reports = drawn.iter().filter(|line| line.starts_with("info depth"));
    assert!(reports.all(|line| line.contains(" score cp 0 ")), "{drawn:?}");
}

#[test]
fn nothing_is_declared_or_resigned_where_moves_are_named() {
    let camp = "position sfen +R+R+B+BK4/PPPPPP3/9/9/9/9/9/9/8k b 4G4S4N4L12P 1";
    let lines = script(&engine::<Shogi>(), format!("{camp}\ngo searchmoves 5a4a depth 1\n"));
    assert_eq!(best(&lines), "5a4a");
    // The only move is mated by the drop of the other gold.
    let lost = "setoption name ResignValue value 20000\nposition sfen 4k/5/4G/5/K4 w G 1\n";
    let lines = script(&engine::<Minishogi>(), format!("{lost}go nodes 100 searchmoves 1a2a\n"));
    assert_eq!(best(&lines), "1a2a");
}
