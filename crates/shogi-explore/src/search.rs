//! Searches of the engine, as streams of events.
//!
//! An engine runs on a thread of its own and is spoken to by USI, so that it says what it says to every
//! other program. When its stream is dropped, because the browser has gone or has stopped the search, it
//! is told to quit.

use std::io::{self, BufReader, Cursor, Read, Write};
use std::mem;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::mpsc::{self as std_mpsc, Receiver as StdReceiver, Sender as StdSender};
use std::task::{Context, Poll};
use std::thread;

use futures_core::Stream;
use serde_json::{Map, Value, json};
use shogi_variants::search::usi::{Config, run};
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore, mpsc};

use crate::fault::Fault;
use crate::requests::OfSearch;

/// Events that wait for a slow browser; beyond them the engine waits too.
const WAITING: usize = 256;
/// Memory of the table of one search, in megabytes.
const HASH: u32 = 8;
/// The most moves whose values are searched at once.
const MAX_LINES: u16 = 600;

/// The events of a search in order; dropping it ends the search.
pub(crate) struct Search {
    state: State,
    /// Kept for as long as the stream is open.
    _open: OwnedSemaphorePermit,
}

enum State {
    /// Other searches run, as many as may run at once.
    Waiting {
        engine: Engine,
        turn: Turn,
        told: bool,
    },
    Running {
        events: mpsc::Receiver<Value>,
        /// Closed when this is dropped, which the engine hears.
        _wanted: StdSender<()>,
    },
    Ended,
}

type Turn = Pin<Box<dyn Future<Output = Result<OwnedSemaphorePermit, AcquireError>> + Send>>;

impl Search {
    /// A search of at most so many seconds, which starts when a permit of `running` is free and gives it
    /// back at its end.
    pub(crate) fn new(
        ask: &OfSearch,
        max_seconds: u64,
        open: OwnedSemaphorePermit,
        running: Arc<Semaphore>,
    ) -> Result<Self, Fault> {
        let engine = Engine::new(ask, max_seconds)?;
        let turn = Box::pin(running.acquire_owned());
        Ok(Self { state: State::Waiting { engine, turn, told: false }, _open: open })
    }
}

impl Stream for Search {
    type Item = Value;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Value>> {
        loop {
            match &mut self.state {
                State::Waiting { engine, turn, told } => match turn.as_mut().poll(context) {
                    Poll::Pending if *told => return Poll::Pending,
                    Poll::Pending => {
                        *told = true;
                        return Poll::Ready(Some(json!({ "waiting": true })));
                    }
                    Poll::Ready(permit) => {
                        let started = permit.ok().and_then(|permit| engine.start(permit).ok());
                        self.state = started.unwrap_or(State::Ended);
                    }
                },
                State::Running { events, .. } => {
                    let event = events.poll_recv(context);
                    let last = |event: &Option<Value>| {
                        event.as_ref().is_none_or(|event| event.get("bestmove").is_some())
                    };
                    if matches!(&event, Poll::Ready(event) if last(event)) {
                        self.state = State::Ended;
                    }
                    return event;
                }
                State::Ended => return Poll::Ready(None),
            }
        }
    }
}

/// An engine that is ready to be started.
struct Engine {
    commands: String,
    config: Config,
}

impl Engine {
    fn new(ask: &OfSearch, max_seconds: u64) -> Result<Self, Fault> {
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

    /// Runs the engine on a thread of its own, which gives the permit back.
    fn start(&mut self, permit: OwnedSemaphorePermit) -> io::Result<State> {
        let (wanted, unwanted) = std_mpsc::channel();
        let (sender, events) = mpsc::channel(WAITING);
        let (text, config) = (Cursor::new(mem::take(&mut self.commands)), self.config.clone());
        let engine = move || {
            let input = BufReader::new(Commands { text, unwanted, quit: false });
            // It ends in an error where nobody listens any more.
            let _ = run(input, Lines { line: Vec::new(), events: sender }, &config);
            drop(permit);
        };
        thread::Builder::new().name("search".to_owned()).spawn(engine)?;
        Ok(State::Running { events, _wanted: wanted })
    }
}

/// What an engine is told: some lines, and to quit once it is not wanted any more.
struct Commands {
    text: Cursor<String>,
    unwanted: StdReceiver<()>,
    quit: bool,
}

impl Read for Commands {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.text.read(buffer)?;
        if read > 0 || self.quit {
            return Ok(read);
        }
        // Nothing is ever sent: this waits for the other end to be dropped.
        let _ = self.unwanted.recv();
        self.quit = true;
        self.text = Cursor::new("quit\n".to_owned());
        self.text.read(buffer)
    }
}

/// Takes an engine's lines apart and sends them as events.
struct Lines {
    line: Vec<u8>,
    events: mpsc::Sender<Value>,
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte != b'\n' {
                self.line.push(byte);
                continue;
            }
            let line = mem::take(&mut self.line);
            if let Some(event) = event(&String::from_utf8_lossy(&line)) {
                let sent = self.events.blocking_send(event);
                sent.map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
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
