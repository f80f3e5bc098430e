//! Searches of the engine, as streams of events.
//!
//! An engine runs on a thread of its own and is spoken to by USI, so that it says what it says to every
//! other program. When its stream is dropped, because the browser has gone or has stopped the search, it
//! receives `quit`.

use std::io::{self, BufReader, Cursor, Read};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::mpsc::{self as std_mpsc, Receiver as StdReceiver, Sender as StdSender};
use std::task::{Context, Poll};

use futures_core::Stream;
use serde_json::{Value, json};
use shogi_rules::threads::spawn;
use shogi_variants::search::usi::run;
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore, mpsc};

use crate::engine::{Engine, EventLines};
use crate::fault::Fault;
use crate::requests::OfSearch;

/// Events that wait for a slow browser; beyond them the engine waits too.
const WAITING: usize = 256;

/// The events of a search in order; dropping it ends the search.
pub(crate) struct Search {
    state: SearchState,
    /// Kept for as long as the stream is open.
    _open: OwnedSemaphorePermit,
}

enum SearchState {
    /// Other searches run, as many as may run at once.
    Waiting {
        engine: Engine,
        turn: Turn,
        announced: bool,
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
        Ok(Self { state: SearchState::Waiting { engine, turn, announced: false }, _open: open })
    }
}

impl Stream for Search {
    type Item = Value;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Value>> {
        loop {
            match &mut self.state {
                SearchState::Waiting { engine, turn, announced } => {
                    match turn.as_mut().poll(context) {
                        Poll::Pending if *announced => return Poll::Pending,
                        Poll::Pending => {
                            *announced = true;
                            return Poll::Ready(Some(json!({ "waiting": true })));
                        }
                        Poll::Ready(permit) => {
                            let started = permit.ok().and_then(|permit| start(engine, permit).ok());
                            self.state = started.unwrap_or(SearchState::Ended);
                        }
                    }
                }
                SearchState::Running { events, .. } => {
                    let event = events.poll_recv(context);
                    let last = |event: &Option<Value>| {
                        event.as_ref().is_none_or(|event| event.get("bestmove").is_some())
                    };
                    if matches!(&event, Poll::Ready(event) if last(event)) {
                        self.state = SearchState::Ended;
                    }
                    return event;
                }
                SearchState::Ended => return Poll::Ready(None),
            }
        }
    }
}

/// Runs the engine on a thread of its own, which gives the permit back.
fn start(engine: &mut Engine, permit: OwnedSemaphorePermit) -> io::Result<SearchState> {
    let (wanted, unwanted) = std_mpsc::channel();
    let (sender, events) = mpsc::channel(WAITING);
    let Engine { commands, config } = engine.clone();
    let engine = move || {
        let text = Cursor::new(commands);
        let input = BufReader::new(Commands { text, unwanted, quit: false });
        let send = |event| {
            sender.blocking_send(event).map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))
        };
        // It ends in an error where nobody listens any more.
        let _ = run(input, EventLines::new(send), &config);
        drop(permit);
    };
    spawn("search", engine)?;
    Ok(SearchState::Running { events, _wanted: wanted })
}

/// The input of an engine: some lines, and `quit` once it is not wanted any more.
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
