//! The engine: the commands that it gets, and what it answers as events.
//!
//! It is spoken to by USI, so that it says what it says to every other program.

use std::io::{self, Write};
use std::mem;

use serde_json::{Map, Value, json};
use shogi_variants::search::usi::{Config, run_in_order};

use crate::fault::Fault;
use crate::requests::{OfSearch, read};

/// Memory of the table of one search, in megabytes.
const HASH: u32 = 8;
/// The most moves whose values are searched at once.
const MAX_LINES: u16 = 600;
/// The most seconds of a search on the caller's thread.
const MAX_SECONDS: u64 = 600;

/// An engine that is ready to be started.
#[derive(Clone, Debug)]
pub(crate) struct Engine {
    pub(crate) commands: String,
    pub(crate) config: Config,
}

impl Engine {
    pub(crate) fn new(ask: &OfSearch, max_seconds: u64) -> Result<Self, Fault> {
        let refused = |reason| Fault::Refused { line: ask.line.clone(), reason };
        let position = ask.variant.rules().position(&ask.line, None);
        let position = position.map_err(|error| refused(error.to_string()))?;
        let lines = ask.lines.clamp(1, MAX_LINES);
        let seconds = ask.seconds.unwrap_or(max_seconds).clamp(1, max_seconds);
        let commands = format!(
            "setoption name USI_Hash value {HASH}\nsetoption name MultiPV value {lines}\n\
             setoption name NetworkDelay value 0\nisready\nposition sfen {position}\n\
             go movetime {}\n",
            seconds * 1000
        );
        let mut config = ask.variant.engine();
        (config.max_hash, config.max_threads) = (HASH, 1);
        Ok(Self { commands, config })
    }
}

/// Searches a position on this thread: `heard` is called with each event of `GET /api/search`, the last one
/// `bestmove`. The request is an object with its parameters; `seconds` is at most 600, which is the default.
///
/// ```
/// let request = br#"{"variant": "dobutsu", "in": "startpos", "lines": 2, "seconds": 1}"#;
/// let mut events = Vec::new();
/// shogi_explore::search(request, &mut |event| events.push(event))?;
/// assert!(events.last().unwrap()["bestmove"].is_string());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If the request is malformed or its position illegal.
pub fn search(request: &[u8], heard: &mut (dyn FnMut(Value) + Send)) -> Result<(), Fault> {
    let ask: OfSearch = read(request)?;
    let Engine { commands, config } = Engine::new(&ask, MAX_SECONDS)?;
    let lines = EventLines::new(|event| {
        heard(event);
        Ok(())
    });
    run_in_order(commands.as_bytes(), lines, &config).map_err(|_| Fault::Lost)
}

/// Takes an engine's lines apart and sends them as events.
pub(crate) struct EventLines<S> {
    line: Vec<u8>,
    send: S,
}

impl<S> EventLines<S> {
    pub(crate) const fn new(send: S) -> Self {
        Self { line: Vec::new(), send }
    }
}

impl<S: FnMut(Value) -> io::Result<()>> Write for EventLines<S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte != b'\n' {
                self.line.push(byte);
                continue;
            }
            let line = mem::take(&mut self.line);
            if let Some(event) = event(&String::from_utf8_lossy(&line)) {
                (self.send)(event)?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The event for a line of the engine, if it says anything of the search.
fn event(line: &str) -> Option<Value> {
    let mut words = line.split_whitespace();
    match words.next()? {
        "bestmove" => Some(json!({ "bestmove": words.next()? })),
        "info" => {
            let mut object = Map::new();
            while let Some(name) = words.next() {
                let value = match name {
                    "string" => json!(words.by_ref().collect::<Vec<_>>().join(" ")),
                    "pv" => json!(words.by_ref().collect::<Vec<_>>()),
                    "score" => json!({ words.next()?: number(words.next()?) }),
                    "lowerbound" | "upperbound" => json!(true),
                    _ => number(words.next()?),
                };
                object.insert(name.to_owned(), value);
            }
            Some(Value::Object(object))
        }
        _ => None,
    }
}

/// A number, or the word itself.
fn number(word: &str) -> Value {
    word.parse::<i64>().map_or_else(|_| json!(word), |number| json!(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_an_engine_become_events() {
        let line = "info depth 5 multipv 2 score cp -31 upperbound nodes 1200 pv 5d5c 2a3b";
        let expected = json!({
            "depth": 5, "multipv": 2, "score": { "cp": -31 }, "upperbound": true, "nodes": 1200,
            "pv": ["5d5c", "2a3b"],
        });
        assert_eq!(event(line), Some(expected));
        let mate = event("info score mate - pv 5d5c");
        assert_eq!(mate, Some(json!({ "score": { "mate": "-" }, "pv": ["5d5c"] })));
        assert_eq!(event("bestmove 5d5c ponder 2a3b"), Some(json!({ "bestmove": "5d5c" })));
        assert_eq!(event("readyok"), None);
        assert_eq!(event(""), None);
    }
}
