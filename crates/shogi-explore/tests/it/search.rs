//! Searches as server-sent events.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use serde_json::Value;
use shogi_explore::Limits;

use crate::common::{own, serve};

/// Starts a search and reads its head.
fn start(port: u16, query: &str) -> BufReader<TcpStream> {
    start_at(port, "search", query)
}

fn start_at(port: u16, what: &str, query: &str) -> BufReader<TcpStream> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    write!(stream, "GET /api/{what}?{query} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n").unwrap();
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    while line != "\r\n" {
        line.clear();
        reader.read_line(&mut line).unwrap();
    }
    reader
}

/// The events until one that satisfies the condition.
fn until(reader: &mut BufReader<TcpStream>, last: impl Fn(&Value) -> bool) -> Vec<Value> {
    let mut events = Vec::new();
    loop {
        let mut line = String::new();
        assert!(reader.read_line(&mut line).unwrap() > 0, "the stream has ended: {events:?}");
        let Some(json) = line.strip_prefix("data: ") else { continue };
        let event: Value = serde_json::from_str(json).unwrap();
        let ended = last(&event);
        events.push(event);
        if ended {
            return events;
        }
    }
}

/// Starts to solve a position and reads the head of the stream.
fn start_solving(port: u16, query: &str) -> BufReader<TcpStream> {
    start_at(port, "solve", query)
}

/// Starts a report and reads the head of the stream.
fn start_report(port: u16, query: &str) -> BufReader<TcpStream> {
    start_at(port, "report", query)
}

/// A game of two kings on one file, as a text in an address.
const KINGS: &str = "variant=name%3D%22kings%22%0Astart%3D%22k/1/1/K%20b%20-%201%22%0A\
                     pieces.K%3D%7Bfront%3D%22king%22,royal%3Dtrue%7D%0A&in=startpos";

const DOBUTSU: &str = "variant=dobutsu&in=startpos";

#[test]
fn a_search_streams_its_lines_and_ends_with_a_move() {
    let port = serve(Limits::default());
    let mut reader = start(port, &format!("{DOBUTSU}&lines=3&seconds=1"));
    let events = until(&mut reader, |event| event.get("bestmove").is_some());
    let lines: std::collections::BTreeSet<_> =
        events.iter().filter_map(|event| event["multipv"].as_u64()).collect();
    assert_eq!(lines, (1..=3).collect());
    assert!(events.iter().any(|event| event["pv"][0].is_string() && event["nodes"].is_u64()));
    // Nothing comes after the move but the ends of its event, of its chunk and of the body.
    let mut rest = [0; 8];
    reader.read_exact(&mut rest).unwrap();
    assert_eq!(rest, *b"\n\r\n0\r\n\r\n", "{:?}", rest.escape_ascii().to_string());
}

#[test]
fn a_search_ends_when_its_browser_goes() {
    // The next one runs only when the one before has ended.
    let port = serve(Limits { searches: 1, running: 1, ..Limits::default() });
    for _ in 0..3 {
        let mut reader = start(port, DOBUTSU);
        until(&mut reader, |event| event["depth"].as_u64().is_some());
        // There is room for one.
        own(port, "GET", &format!("/api/search?{DOBUTSU}"), "").fails(503, "busy");
        drop(reader);
        // There is room again as soon as the server has heard of it.
        let free = || own(port, "GET", "/api/search?variant=dobutsu&in=x", "").status == 422;
        while !free() {
            thread::sleep(Duration::from_millis(20));
        }
    }
}

#[test]
fn searches_beyond_those_that_may_run_wait_for_their_turn() {
    let port = serve(Limits { running: 1, ..Limits::default() });
    let mut first = start(port, DOBUTSU);
    until(&mut first, |event| event["depth"].is_u64());
    let mut second = start(port, DOBUTSU);
    let events = until(&mut second, |event| event.get("waiting").is_some());
    assert_eq!(events.len(), 1);
    drop(first);
    until(&mut second, |event| event["depth"].is_u64());
}

#[test]
fn a_search_of_no_position_is_refused() {
    let port = serve(Limits::default());
    let refused = own(port, "GET", "/api/search?variant=dobutsu&in=x", "");
    assert_eq!(refused.status, 422);
    assert_eq!(refused.json()["in"], "x");
    own(port, "GET", "/api/search?variant=chess&in=startpos", "").fails(400, "malformed");
    own(port, "GET", "/api/search", "").fails(400, "malformed");
}

#[test]
fn a_game_that_has_ended_is_answered_at_once() {
    let port = serve(Limits::default());
    let mut reader = start(port, "variant=dobutsu&in=L1l/3/3/3%20b%20-%201");
    let events = until(&mut reader, |event| event.get("bestmove").is_some());
    assert_eq!(events.last().unwrap()["bestmove"], "win");
}

#[test]
fn a_position_that_is_solved_streams_how_far_the_search_has_come_and_its_proof_is_opened() {
    let port = serve(Limits::default());
    let query = "variant=shogi34&in=rbk/2p/P2/KBR%20b%20-%201";
    let events = until(&mut start_solving(port, query), |event| event.get("solved").is_some());
    let solved = &events.last().unwrap()["solved"];
    assert_eq!((&solved["value"], &solved["certified"]), (&"win".into(), &true.into()));
    let about = own(port, "GET", "/api/about", "").json();
    let file = usize::try_from(solved["file"].as_u64().unwrap()).unwrap();
    assert_eq!(about["files"][file]["root"], "rbk/2p/P2/KBR b - 1");
}

#[test]
fn a_long_search_for_a_value_reports_its_numbers_and_ends_in_its_time() {
    let port = serve(Limits::default());
    let query = "variant=minishogi&in=startpos&seconds=2";
    let events = until(&mut start_solving(port, query), |event| event.get("solved").is_some());
    let (last, reports) = events.split_last().unwrap();
    assert_eq!(
        (&last["solved"]["value"], &last["solved"]["ended"]),
        (&"unknown".into(), &"time".into())
    );
    assert!(!reports.is_empty());
    for report in reports {
        for key in ["nodes", "seconds", "proof", "disproof"] {
            assert!(report[key].as_f64().is_some_and(|number| number > 0.0), "{report}");
        }
    }
}

#[test]
fn a_position_that_cannot_be_solved_says_why_as_an_event() {
    let port = serve(Limits::default());
    let events = until(&mut start_solving(port, "variant=minishogi&in=x"), |event| {
        event.get("failed").is_some()
    });
    assert_eq!(events.last().unwrap()["failed"]["in"], "x");
    assert_eq!(own(port, "GET", "/api/solve?variant=chess&in=x", "").status, 400);
}

#[test]
fn a_report_streams_how_far_it_is_and_ends_with_its_page() {
    let port = serve(Limits::default());
    let is_last = |event: &Value| event.get("reported").is_some();
    let events = until(&mut start_report(port, KINGS), is_last);
    let games = events.iter().rev().find(|event| event["things"] == "games");
    assert_eq!(games.map(|event| &event["done"]), Some(&100.into()), "{events:?}");
    let reported = &events.last().unwrap()["reported"];
    assert_eq!(reported["report"]["winner"], "sente");
    let page = reported["page"].as_str().unwrap();
    assert!(page.contains("Sente wins in at most 1 ply") && page.contains("kings.toml"), "{page}");
    assert_eq!(own(port, "GET", "/api/report?variant=chess&in=startpos", "").status, 400);
    let failed =
        until(&mut start_report(port, "variant=micro&in=x"), |event| event.get("failed").is_some());
    assert_eq!(failed.last().unwrap()["failed"]["in"], "x");
}

#[test]
fn a_report_ends_when_its_browser_goes() {
    // The next one runs only when the one before has ended.
    let port = serve(Limits { running: 1, ..Limits::default() });
    let mut reader = start_report(port, "variant=minishogi&in=startpos");
    until(&mut reader, |event| event.get("things").is_some());
    drop(reader);
    until(&mut start_report(port, KINGS), |event| event.get("reported").is_some());
}
