//! Searches of the engine and of the solver, and reports, as streams of events.
//!
//! Each runs on a thread of its own. An engine is spoken to by USI, so that it says what it says to every other program. When
//! a stream is dropped, because the browser has gone or has stopped the search, the engine receives `quit` and the solver
//! is stopped.

use std::io::{self, BufReader, Cursor, Read};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self as std_mpsc, Receiver as StdReceiver, Sender as StdSender};
use std::task::{Context, Poll};

use futures_core::Stream;
use serde_json::{Value, json};
use shogi_rules::threads::spawn;
use shogi_variants::search::usi::run;
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore, mpsc};

use crate::engine::{Engine, EventLines};
use crate::fault::Fault;
use crate::proving::solve_until;
use crate::reporting::report_until;
use crate::requests::{OfSearch, OfWatched};

/// Events that wait for a slow browser; beyond them the engine waits too.
const WAITING: usize = 256;

/// The keys that a last event has.
const LAST: [&str; 4] = ["bestmove", "solved", "reported", "failed"];

/// The events of a search in order; dropping it ends the search.
pub(crate) struct Search {
    state: SearchState,
    /// Kept for as long as the stream is open.
    _open: OwnedSemaphorePermit,
}

enum SearchState {
    /// Other searches run, as many as may run at once.
    Waiting {
        /// The work of the thread; taken when it starts.
        work: Option<Work>,
        turn: Turn,
        announced: bool,
    },
    Running {
        events: mpsc::Receiver<Value>,
        /// Dropped with this, which the work hears.
        _wanted: Wanted,
    },
    Ended,
}

/// The work of a search on its thread: it sends events until it has ended or is not wanted any more.
pub(crate) type Work = Box<dyn FnOnce(&mpsc::Sender<Value>, Unwanted) + Send>;

/// The signal for a search that nobody waits for it any more.
pub(crate) struct Unwanted {
    /// Set then.
    pub(crate) flag: Arc<AtomicBool>,
    /// Closed then.
    gone: StdReceiver<()>,
}

/// The other end, which is dropped when nobody waits.
struct Wanted {
    flag: Arc<AtomicBool>,
    _end: StdSender<()>,
}

impl Drop for Wanted {
    fn drop(&mut self) {
        self.flag.store(true, Ordering::Relaxed);
    }
}

type Turn = Pin<Box<dyn Future<Output = Result<OwnedSemaphorePermit, AcquireError>> + Send>>;

impl Search {
    /// A search that starts when a permit of `running` is free and gives it back at its end.
    pub(crate) fn new(work: Work, open: OwnedSemaphorePermit, running: Arc<Semaphore>) -> Self {
        let turn = Box::pin(running.acquire_owned());
        let state = SearchState::Waiting { work: Some(work), turn, announced: false };
        Self { state, _open: open }
    }
}

impl Stream for Search {
    type Item = Value;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Value>> {
        loop {
            match &mut self.state {
                SearchState::Waiting { work, turn, announced } => {
                    match turn.as_mut().poll(context) {
                        Poll::Pending if *announced => return Poll::Pending,
                        Poll::Pending => {
                            *announced = true;
                            return Poll::Ready(Some(json!({ "waiting": true })));
                        }
                        Poll::Ready(permit) => {
                            let ready = permit.ok().zip(work.take());
                            let started = ready.map(|(permit, work)| start(work, permit));
                            self.state = started.and_then(Result::ok).unwrap_or(SearchState::Ended);
                        }
                    }
                }
                SearchState::Running { events, .. } => {
                    let event = events.poll_recv(context);
                    let is_last = |event: &Value| LAST.iter().any(|key| event.get(key).is_some());
                    let last = |event: &Option<Value>| event.as_ref().is_none_or(is_last);
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

/// Runs the work on a thread of its own, which gives the permit back.
fn start(work: Work, permit: OwnedSemaphorePermit) -> io::Result<SearchState> {
    let (end, gone) = std_mpsc::channel();
    let (sender, events) = mpsc::channel(WAITING);
    let flag = Arc::new(AtomicBool::new(false));
    let unwanted = Unwanted { flag: Arc::clone(&flag), gone };
    spawn("search", move || {
        work(&sender, unwanted);
        drop(permit);
    })?;
    Ok(SearchState::Running { events, _wanted: Wanted { flag, _end: end } })
}

/// The work of the engine, for at most so many seconds.
pub(crate) fn engine(ask: &OfSearch, max_seconds: u64) -> Result<Work, Fault> {
    let Engine { commands, config } = Engine::new(ask, max_seconds)?;
    Ok(Box::new(move |events, unwanted| {
        let text = Cursor::new(commands);
        let input = BufReader::new(Commands { text, unwanted: unwanted.gone, quit: false });
        let send = |event| {
            events.blocking_send(event).map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))
        };
        // It ends in an error where nobody listens any more.
        let _ = run(input, EventLines::new(send), &config);
    }))
}

/// The work of the solver, for at most so many seconds. The last event has the answer as `solved`, which `keep` makes of
/// what was found, or as `failed` why there is none.
pub(crate) fn solver(
    ask: OfWatched,
    max_seconds: u64,
    keep: impl FnOnce(Value, Option<Vec<u8>>) -> Value + Send + 'static,
) -> Work {
    ending_in("solved", move |stop, heard| {
        solve_until(&ask, max_seconds, stop, heard).map(|(answer, proof)| keep(answer, proof))
    })
}

/// The work of a report, for at most so many seconds. The last event has it as `reported`, or as `failed` why there is none.
pub(crate) fn reporter(ask: OfWatched, max_seconds: u64) -> Work {
    ending_in("reported", move |stop, heard| report_until(&ask, max_seconds, stop, heard))
}

/// Work whose last event has the answer under this key.
fn ending_in(
    key: &'static str,
    work: impl FnOnce(&AtomicBool, &mut dyn FnMut(Value)) -> Result<Value, Fault> + Send + 'static,
) -> Work {
    Box::new(move |events, unwanted| {
        // Where nobody listens any more, the flag ends the search.
        let send = |event| drop(events.blocking_send(event));
        let last = match work(&unwanted.flag, &mut { send }) {
            Ok(answer) => json!({ key: answer }),
            Err(fault) => json!({ "failed": fault.to_json() }),
        };
        send(last);
    })
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
