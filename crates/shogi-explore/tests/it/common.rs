//! A running server, and requests to it as bytes on a socket.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::thread;

use serde_json::Value;
use shogi_explore::{Explorer, Hosts, Limits, Server};

/// A proof of 3x4 shogi.
pub fn proof() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kbr.proof")
}

/// An explorer with that proof.
pub fn explorer() -> Explorer {
    Explorer::open(&[proof()]).unwrap()
}

/// The port of a new server, which runs until the tests end.
pub fn serve(limits: Limits) -> u16 {
    start(Server::bind(0).unwrap(), limits)
}

/// The port of a new server that is reached under these hosts.
pub fn serve_as(hosts: &[&str]) -> u16 {
    start(Server::bind_to(Hosts::named(hosts).unwrap(), 0).unwrap(), Limits::default())
}

fn start(server: Server, limits: Limits) -> u16 {
    let url = server.url();
    let port = url.trim_end_matches('/').rsplit(':').next().unwrap().parse().unwrap();
    thread::spawn(move || server.run(explorer(), limits));
    port
}

/// The answer.
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
    /// The answer where it is no text.
    pub bytes: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("{}", self.body))
    }

    /// Asserts the status and the kind of the fault.
    #[track_caller]
    pub fn fails(&self, status: u16, kind: &str) {
        assert_eq!(self.status, status, "{}", self.body);
        assert_eq!(self.json()["kind"], kind, "{}", self.body);
        assert!(self.json()["error"].as_str().is_some_and(|text| !text.is_empty()));
    }
}

/// Sends bytes and reads until the server closes the connection.
pub fn exchange(port: u16, bytes: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.write_all(bytes).unwrap();
    let mut read = Vec::new();
    // A server that closes early may reset the connection.
    let _ = stream.read_to_end(&mut read);
    let end = read.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap_or(read.len());
    let head = String::from_utf8(read[..end].to_owned()).unwrap();
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
    let bytes = read.get(end + 4..).unwrap_or_default().to_owned();
    let body = String::from_utf8_lossy(&bytes).into_owned();
    Answer { status, head: head.to_lowercase(), body, bytes }
}

/// A request with headers of its own.
pub fn request(port: u16, method: &str, path: &str, headers: &str, body: &str) -> Answer {
    let length = body.len();
    let text = format!(
        "{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
    );
    exchange(port, text.as_bytes())
}

/// A request of the page itself.
pub fn own(port: u16, method: &str, path: &str, body: &str) -> Answer {
    let headers = format!(
        "Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
    );
    request(port, method, path, &headers, body)
}

/// A question of the page.
pub fn ask(port: u16, question: &str, body: &str) -> Answer {
    own(port, "POST", &format!("/api/{question}"), body)
}
