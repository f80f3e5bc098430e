//! Limits of the server, and whom it answers.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use shogi_explore::Limits;

use crate::common::{self, ask, exchange, own, proof, request, serve, serve_as};

const MOVES: &str = r#"{"variant": "minishogi", "in": "startpos"}"#;

#[test]
fn the_page_and_programs_on_this_machine_are_answered() {
    let port = serve(Limits::default());
    assert_eq!(ask(port, "moves", MOVES).json()["moves"].as_array().unwrap().len(), 14);
    let headers = format!("Host: localhost:{port}\r\nContent-Type: application/json\r\n");
    assert_eq!(request(port, "POST", "/api/moves", &headers, MOVES).status, 200);
}

#[test]
fn pages_of_other_sites_and_names_of_other_hosts_are_not() {
    let port = serve(Limits::default());
    let json = "Content-Type: application/json\r\n";
    let rebound = format!("Host: evil.example:{port}\r\n{json}");
    request(port, "POST", "/api/moves", &rebound, MOVES).fails(403, "foreign");
    request(port, "GET", "/", &rebound, "").fails(403, "foreign");
    let foreign = format!("Host: 127.0.0.1:{port}\r\nOrigin: http://evil.example\r\n{json}");
    request(port, "POST", "/api/moves", &foreign, MOVES).fails(403, "foreign");
    request(port, "GET", "/api/about", &foreign, "").fails(403, "foreign");
    let form = format!("Host: 127.0.0.1:{port}\r\nContent-Type: text/plain\r\n");
    request(port, "POST", "/api/moves", &form, MOVES).fails(400, "malformed");
    let answer = own(port, "GET", "/api/about", "");
    assert_eq!(answer.status, 200);
    assert!(!answer.head.contains("access-control"), "{}", answer.head);
}

#[test]
fn a_server_of_all_addresses_answers_for_the_hosts_named_alone() {
    let port = serve_as(&["0.0.0.0", "shogi.lan"]);
    let json = "Content-Type: application/json\r\n";
    let named = format!("Host: shogi.lan:{port}\r\nOrigin: http://shogi.lan:{port}\r\n{json}");
    assert_eq!(request(port, "POST", "/api/moves", &named, MOVES).status, 200);
    for host in ["127.0.0.1", "localhost", "0.0.0.0", "evil.example"] {
        let other = format!("Host: {host}:{port}\r\n{json}");
        request(port, "POST", "/api/moves", &other, MOVES).fails(403, "foreign");
    }
    let foreign = format!("Host: shogi.lan:{port}\r\nOrigin: http://localhost:{port}\r\n{json}");
    request(port, "POST", "/api/moves", &foreign, MOVES).fails(403, "foreign");
}

#[test]
fn paths_lead_to_the_page_and_the_questions_alone() {
    let port = serve(Limits::default());
    for path in [
        "/Cargo.toml",
        "/../Cargo.toml",
        "/%2e%2e/Cargo.toml",
        "//etc/passwd",
        "/page/index.html",
        "/explore.js/",
        "/api",
        "/api/",
        "/api/files/0",
        "/..%2f..%2fetc%2fpasswd",
        "/index.html",
    ] {
        own(port, "GET", path, "").fails(404, "absent");
    }
    own(port, "GET", "/api/moves", "").fails(405, "method");
    own(port, "POST", "/", "").fails(405, "method");
    ask(port, "perft", MOVES).fails(404, "absent");
}

#[test]
fn a_body_has_its_bound() {
    let port = serve(Limits { body_bytes: 1000, ..Limits::default() });
    ask(port, "moves", &format!("{MOVES}{}", " ".repeat(1000))).fails(413, "too-large");
    assert_eq!(ask(port, "moves", &format!("{MOVES}{}", " ".repeat(900))).status, 200);
    // So has a body whose length is not announced.
    let chunk = format!("400\r\n{}\r\n0\r\n\r\n", " ".repeat(1024));
    let head = format!(
        "POST /api/moves HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n{chunk}"
    );
    exchange(port, head.as_bytes()).fails(413, "too-large");
}

#[test]
fn a_head_has_its_bound() {
    let port = serve(Limits::default());
    let long = format!("Host: 127.0.0.1:{port}\r\nX: {}\r\n", "x".repeat(200_000));
    let answer = request(port, "GET", "/", &long, "");
    assert!([0, 400, 431].contains(&answer.status), "{}", answer.status);
}

#[test]
fn a_request_that_does_not_come_to_its_end_is_given_up() {
    let port = serve(Limits { seconds: 1, ..Limits::default() });
    let unfinished = |bytes: &str| {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.write_all(bytes.as_bytes()).unwrap();
        let mut answer = String::new();
        // Until the server closes the connection: with a head it says why.
        let _ = stream.read_to_string(&mut answer);
        answer
    };
    let head = format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX: ");
    assert!(!unfinished(&head).contains("200 OK"));
    let body = format!(
        "POST /api/moves HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{{"
    );
    assert!(unfinished(&body).contains("\"timed-out\""));
}

#[test]
fn questions_wait_for_their_turn_and_no_longer_than_a_while() {
    let port = serve(Limits { questions: 0, seconds: 1, ..Limits::default() });
    ask(port, "moves", MOVES).fails(503, "busy");
}

/// A connection that says nothing.
fn silent(port: u16) -> TcpStream {
    let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    stream
}

/// Waits until a condition holds; a slow machine may take a minute.
#[track_caller]
fn wait_until(condition: impl Fn() -> bool) {
    let begun = Instant::now();
    while !condition() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it does not arise");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_new_client_takes_the_place_of_the_one_that_was_silent_longest() {
    // Nothing but its place is given up: an hour is left for a head.
    let limits = Limits { connections: 2, seconds: 3600, ..Limits::default() };
    let port = serve(limits);
    let first = silent(port);
    let mut second = silent(port);
    let head = |more| format!("HEAD / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{more}\r\n");
    let mut answered = |more| {
        second.write_all(head(more).as_bytes()).unwrap();
        let mut start = [0; 15];
        second.read_exact(&mut start).is_ok() && start == *b"HTTP/1.1 200 OK"
    };
    assert!(answered(""));
    assert_eq!(ask(port, "moves", MOVES).status, 200);
    // The server closes it: nothing is left to be read.
    assert!(!matches!((&first).read(&mut [0]), Ok(1..)), "the first one is closed");
    let mut rest = String::new();
    second.write_all(head("Connection: close\r\n").as_bytes()).unwrap();
    second.read_to_string(&mut rest).unwrap();
    assert_eq!(rest.matches("HTTP/1.1 200 OK").count(), 1, "the second one is open: {rest}");
}

/// Sends requests without reading an answer until the server takes no more.
fn deaf(port: u16) -> TcpStream {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_write_timeout(Some(Duration::from_millis(500))).unwrap();
    let head = format!("GET /explore.js HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n");
    while stream.write_all(head.repeat(100).as_bytes()).is_ok() {}
    stream
}

#[test]
fn a_client_that_does_not_read_is_given_up() {
    let port = serve(Limits { read_seconds: 1, ..Limits::default() });
    let mut stream = deaf(port);
    stream.set_nonblocking(true).unwrap();
    // What is sent to a connection that is no more comes back as an error.
    let is_given_up = || {
        let sent = (&stream).write(b"G");
        sent.is_err_and(|error| error.kind() != ErrorKind::WouldBlock)
    };
    wait_until(is_given_up);
    // All that it was sent before is less than it had requested.
    stream.set_nonblocking(false).unwrap();
    let _ = stream.read_to_end(&mut Vec::new());
    assert_eq!(ask(port, "moves", MOVES).status, 200);
}

#[test]
fn clients_that_do_not_read_keep_nobody_out() {
    // They would be given up after an hour only.
    let port = serve(Limits { connections: 4, read_seconds: 3600, ..Limits::default() });
    let streams: Vec<_> = (0..4).map(|_| deaf(port)).collect();
    for _ in 0..8 {
        assert_eq!(ask(port, "moves", MOVES).status, 200);
    }
    drop(streams);
}

#[test]
fn a_name_that_is_no_text_is_no_question() {
    let port = serve(Limits::default());
    for name in ["%ff%fe", "%00", "moves%ff", "%2e%2e"] {
        ask(port, name, MOVES).fails(404, "absent");
    }
}

#[test]
fn only_the_page_starts_searches() {
    let port = serve(Limits::default());
    let search = "/api/search?variant=dobutsu&in=startpos&seconds=1";
    for site in ["cross-site", "same-site"] {
        let link = format!(
            "Host: 127.0.0.1:{port}\r\nSec-Fetch-Site: {site}\r\nSec-Fetch-Mode: navigate\r\n"
        );
        request(port, "GET", search, &link, "").fails(403, "foreign");
        assert_eq!(request(port, "GET", "/", &link, "").status, 200);
    }
    let host = format!("Host: 127.0.0.1:{port}\r\n");
    let origin = format!("Origin: http://127.0.0.1:{port}\r\n");
    for second in [&*origin, "Origin: http://evil.example\r\n"] {
        let twice = format!("{host}{origin}{second}");
        request(port, "GET", search, &twice, "").fails(403, "foreign");
    }
    assert_eq!(own(port, "GET", search, "").status, 200);
}

/// Sends a file as the page does.
fn send(port: u16, name: &str, media_type: &str, bytes: &[u8]) -> common::Answer {
    let head = format!(
        "POST /api/open?name={name} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n\
         Host: 127.0.0.1:{port}\r\nContent-Type: {media_type}\r\n\r\n",
        bytes.len()
    );
    exchange(port, &[head.as_bytes(), bytes].concat())
}

const BYTES: &str = "application/octet-stream";

#[test]
fn a_page_opens_files_within_a_bound() {
    let bytes = std::fs::read(proof()).unwrap();
    let port = serve(Limits { file_bytes: bytes.len() + 10, ..Limits::default() });
    let opened = send(port, "mine.proof", BYTES, &bytes).json();
    assert_eq!(opened["files"].as_array().unwrap().len(), 2);
    assert_eq!(
        (&opened["files"][1]["name"], &opened["files"][0]["root"]),
        (&serde_json::json!("mine.proof"), &opened["files"][1]["root"])
    );
    assert_eq!(ask(port, "check", r#"{"file": 1}"#).json()["ok"], true);
    // There is room for ten bytes more.
    send(port, "more.proof", BYTES, &bytes).fails(413, "too-large");
    let refused = send(port, "page", BYTES, b"<html>");
    assert_eq!((refused.status, &refused.json()["in"]), (422, &serde_json::json!("page")));
    assert_eq!(own(port, "GET", "/api/about", "").json()["files"].as_array().unwrap().len(), 2);
    // Nothing that the pages of other sites may send.
    for other in ["text/plain", "application/json", "multipart/form-data"] {
        send(port, "mine.proof", other, &bytes).fails(400, "malformed");
    }
}

#[test]
fn a_page_has_positions_solved_and_their_proofs_opened() {
    let port = serve(Limits::default());
    let solved = ask(port, "solve", r#"{"variant": "shogi34", "in": "rkr/1p1/1P1/RKR b - 1"}"#);
    assert_eq!(
        (&solved.json()["value"], &solved.json()["file"]),
        (&serde_json::json!("win"), &serde_json::json!(1))
    );
    assert_eq!(ask(port, "check", r#"{"file": 1}"#).json()["ok"], true);
    let unsolved = ask(port, "solve", r#"{"variant": "shogi", "in": "startpos", "nodes": 10}"#);
    assert_eq!(unsolved.json()["value"], "unknown");
    assert!(unsolved.json()["file"].is_null());
    let full = serve(Limits { file_bytes: 10, ..Limits::default() });
    let solved = ask(full, "solve", r#"{"variant": "shogi34", "in": "rkr/1p1/1P1/RKR b - 1"}"#);
    assert!(solved.json()["file"].is_null(), "there is no room for the proof");
}
