//! Sessions in order on one thread, and sessions whose searches the host runs.

use std::io::BufReader;
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use shogi_rules::Minishogi;
use shogi_search::usi::{HostedSession, run_in_order};

use super::{Client, Reading, Writing, engine, script};

#[test]
fn a_session_in_order_on_one_thread_gives_the_same_answers() {
    // Values that depend on the speed of the machine are left out.
    let timeless = |line: &str| {
        let mut words: Vec<_> = line.split(' ').collect();
        for name in ["nps", "time"] {
            if let Some(at) = words.iter().position(|&word| word == name) {
                words.drain(at..at + 2);
            }
        }
        words.join(" ")
    };
    let in_order = |input: &str| -> Vec<String> {
        let mut output = Vec::new();
        run_in_order(input.as_bytes(), &mut output, &engine::<Minishogi>()).unwrap();
        std::str::from_utf8(&output).unwrap().lines().map(timeless).collect()
    };
    let set_up = "usi\nsetoption name MultiPV value 3\nisready\nposition startpos moves 5d5c\n";
    for go in ["go depth 5", "go nodes 2000", "go mate 1000"] {
        let input = format!("{set_up}{go}\n");
        let lines = script(&engine::<Minishogi>(), &input);
        let lines: Vec<_> = lines.iter().map(|line| timeless(line)).collect();
        assert_eq!(in_order(&input), lines);
    }
    // The second search waits for the end of the first, where a session on threads would stop it.
    let twice = in_order("position startpos\ngo depth 5\ngo depth 5\n");
    let depths = twice.iter().filter(|line| line.starts_with("info depth 5 ")).count();
    assert!(depths >= 2, "{twice:?}");
    // Its time begins when it is read.
    let started = Instant::now();
    in_order("position startpos\ngo movetime 200\ngo movetime 200\n");
    assert!(started.elapsed() >= Duration::from_millis(350));
}

#[test]
fn a_session_in_order_answers_line_by_line() {
    let (to, input) = mpsc::channel();
    let (output, from) = mpsc::channel();
    let client = Client { to, from };
    thread::scope(|scope| {
        scope.spawn(|| {
            let input = BufReader::new(Reading(input, Vec::new()));
            run_in_order(input, Writing(output, Vec::new()), &engine::<Minishogi>()).unwrap();
        });
        client.say("usi");
        client.hear("usiok");
        client.say("position startpos");
        client.say("go depth 2");
        client.hear("bestmove ");
        client.say("quit");
    });
}

/// Brings the search that a session has begun to its end, on a thread that is not the session's; meanwhile the session
/// hears lines.
fn search_while(session: &mut HostedSession<'_>, lines: &[&str]) {
    let search = session.take_search().unwrap();
    thread::scope(|scope| {
        let searching = scope.spawn(search);
        for line in lines {
            session.line(line).unwrap();
        }
        searching.join().unwrap();
    });
    session.end_search().unwrap();
}

#[test]
fn a_host_that_runs_the_searches_receives_the_answers_of_a_session_on_threads() {
    let set_up = ["usi", "setoption name USI_Hash value 1", "isready", "position startpos"];
    let searches = ["go depth 4", "go nodes 2000", "go mate 1000", "go depth x"];
    let input: Vec<_> = set_up.into_iter().chain(searches).collect();
    let config = engine::<Minishogi>();
    let output = Mutex::new(Vec::new());
    let mut session = HostedSession::new(&config, &output);
    for line in &input {
        session.line(line).unwrap();
        assert_eq!(session.has_begun(), line.starts_with("go"), "{line}");
        if session.has_begun() {
            search_while(&mut session, &[]);
        }
    }
    drop(session);
    let output = String::from_utf8(output.into_inner().unwrap()).unwrap();
    // Values that depend on the time are left out, and so is the last search, which has a limit of time.
    let heard = |lines: &str| -> Vec<String> {
        let lines = lines.lines().filter(|line| !line.starts_with("info depth"));
        lines.map(str::to_owned).take_while(|line| !line.contains("error")).collect()
    };
    let mut in_order = Vec::new();
    run_in_order((input.join("\n") + "\n").as_bytes(), &mut in_order, &config).unwrap();
    assert_eq!(heard(&output), heard(std::str::from_utf8(&in_order).unwrap()));
    assert_eq!(output.lines().filter(|line| line.starts_with("bestmove ")).count(), 3);
}

#[test]
fn a_host_receives_answers_while_its_own_search_runs() {
    let config = engine::<Minishogi>();
    let output = Mutex::new(Vec::new());
    let take = || String::from_utf8(std::mem::take(&mut *output.lock().unwrap())).unwrap();
    let answers = |said: &str| said.lines().filter(|line| !line.starts_with("info")).count();
    let mut session = HostedSession::new(&config, &output);
    session.line("position startpos").unwrap();

    session.line("go infinite").unwrap();
    search_while(&mut session, &["isready", "stop", "stop"]);
    let said = take();
    assert!(said.contains("readyok\n") && said.contains("bestmove "), "{said}");
    assert_eq!(answers(&said), 2);

    // A search on the opponent's time that is over has no answer before `stop`.
    session.line("go ponder depth 1").unwrap();
    search_while(&mut session, &[]);
    assert_eq!(answers(&take()), 0);
    assert!(!session.has_begun() && !session.is_stopped());
    session.line("stop").unwrap();
    assert_eq!(answers(&take()), 1);

    // Limits that come with `ponderhit` begin a search in the place of that one, which has no answer.
    session.line("go ponder").unwrap();
    let search = session.take_search().unwrap();
    session.line("ponderhit nodes 100").unwrap();
    session.line("isready").unwrap();
    assert!(session.is_stopped() && !session.has_begun());
    search();
    session.end_search().unwrap();
    assert!(session.has_begun() && !session.is_stopped());
    search_while(&mut session, &[]);
    let said = take();
    let places = ["readyok\n", "bestmove "].map(|text| said.find(text));
    assert!(places.is_sorted() && places[0].is_some() && answers(&said) == 2, "{said}");

    // Lines that need the engine wait in their order, for an answer first.
    session.line("go infinite").unwrap();
    let search = session.take_search().unwrap();
    for line in ["position startpos moves 1a1b", "go depth 1", "isready"] {
        session.line(line).unwrap();
    }
    assert!(session.is_stopped() && !session.has_begun());
    search();
    session.end_search().unwrap();
    let said = take();
    let places = ["bestmove ", "the position is refused", "readyok"].map(|text| said.find(text));
    assert!(places.is_sorted() && places[0].is_some(), "{said}");
    assert!(session.has_begun() && !session.is_stopped());
    search_while(&mut session, &[]);
    assert!(take().ends_with("bestmove resign\n"));
}
