//! Limits of a search, `stop`, and thinking on the opponent's time.

use std::thread;
use std::time::{Duration, Instant};

use shogi_rules::{Minishogi, Shogi};

use super::{engine, script, with_engine};

#[test]
fn limits_that_do_not_bind_the_player_still_end() {
    with_engine(&engine::<Minishogi>(), |client| {
        for (position, go, answer) in [
            ("startpos", "go wtime 60000", "bestmove "),
            ("startpos", "go movestogo 20 btime soon", "bestmove "),
            ("startpos", "go mate soon", "checkmate "),
            ("startpos moves 5d5c", "go btime 60000 wtime soon", "bestmove "),
        ] {
            client.say(&format!("position {position}"));
            client.say(go);
            client.hear(answer);
        }
    });
}

#[test]
fn quit_stops_a_search_and_sends_its_answer() {
    for go in ["go nodes 1000000000", "go infinite", "go ponder btime 1000 wtime 1000"] {
        let lines =
            script(&engine::<Minishogi>(), format!("position startpos\n{go}\nquit\ngo depth 1\n"));
        let answers = lines.iter().filter(|line| line.starts_with("bestmove ")).count();
        assert_eq!(answers, 1, "{lines:?}");
        assert!(lines.last().is_some_and(|line| line.starts_with("bestmove ")), "{lines:?}");
    }
}

#[test]
fn an_endless_search_waits_for_stop() {
    with_engine(&engine::<Minishogi>(), |client| {
        for go in ["go infinite", "go"] {
            client.say("position startpos");
            client.say(go);
            client.hear("info depth 3");
            client.say("isready");
            client.hear("readyok");
            client.say("stop");
            client.last("bestmove ");
        }
        // There is one move only, and then nothing to search: the answer is kept all the same.
        client.say("position sfen 4k/5/4G/5/K4 b R 1");
        client.say("go infinite");
        client.hear("info depth 1");
        assert!(client.is_quiet());
        client.say("stop");
        client.last("bestmove ");
        // A stop too many is no question.
        client.say("stop");
        client.say("ponderhit");
        assert!(client.is_quiet());
    });
}

#[test]
fn pondering_ends_with_ponderhit_or_stop() {
    with_engine(&engine::<Minishogi>(), |client| {
        let ponder = "go ponder btime 100 wtime 100 byoyomi 50";
        client.say("position startpos moves 5d5c 2a3b");
        client.say(ponder);
        thread::sleep(Duration::from_millis(300));
        client.say("isready");
        assert!(client.hear("readyok").iter().all(|line| !line.starts_with("bestmove")));
        let start = Instant::now();
        client.say("ponderhit");
        client.last("bestmove ");
        assert!(start.elapsed() < Duration::from_secs(3), "the clock runs from here");
        client.say(ponder);
        client.say("stop");
        client.last("bestmove ");
        // The next question ends a search that nobody has ended.
        client.say("go infinite");
        client.say("position startpos");
        client.last("bestmove ");
        client.say("go nodes 10");
        client.last("bestmove ");
    });
}

/// As ShogiHome plays: it ponders without limits, which come with the move.
#[test]
fn limits_that_come_with_ponderhit_count_from_there() {
    with_engine(&engine::<Minishogi>(), |client| {
        for moves in ["5d5c 2a3b", "5d5c"] {
            client.say(&format!("position startpos moves {moves}"));
            client.say("go ponder");
            client.hear("info depth 3");
            client.say("ponderhit btime 100 wtime 100 byoyomi 50");
            client.last("bestmove ");
            client.say("isready");
            assert_eq!(client.hear("readyok").len(), 1, "one answer only");
        }
        // Words that are not understood do not keep the search on the opponent's time.
        client.say("go ponder nodes 1000");
        client.say("ponderhit btime soon");
        client.last("bestmove ");
    });
}

#[test]
fn limits_after_an_unknown_word_hold() {
    let input = "position startpos\ngo depth 60 foo nodes 100\n";
    let lines = script(&engine::<Minishogi>(), input);
    let error =
        "info string error: at character 13: \"foo\" stands where a limit of the search should";
    assert_eq!(lines[0], error);
    let nodes = lines.iter().rev().find_map(|line| line.split(" nodes ").nth(1)).unwrap();
    let nodes: u64 = nodes.split(' ').next().unwrap().parse().unwrap();
    assert!(nodes <= 200, "{lines:?}");
}

#[test]
fn stop_is_heard_while_every_thread_thinks() {
    with_engine(&engine::<Shogi>(), |client| {
        client.say("setoption name Threads value 2");
        client.say("setoption name ResignValue value 0");
        client.say("position startpos moves 7g7f");
        client.say("go infinite");
        client.hear("info depth 2");
        client.say("stop");
        client.last("bestmove ");
    });
}
