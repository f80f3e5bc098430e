//! A session whose host runs the searches.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt;
use std::io::{self, Write};
use std::sync::Mutex;

use shogi_core::clock::Instant;

use super::Config;
use super::command::{Command, parse_command};
use super::session::{Event, HostedSearch, Session, first_word};

/// A session for a host without threads, such as WebAssembly. Where [`run`](super::run) hands a search to
/// its search thread, the host takes it with [`HostedSession::take_search`], runs it, and then calls
/// [`HostedSession::end_search`]. While the search is suspended or runs elsewhere, commands are answered as
/// usual: `isready` at once, and `stop` once the search has returned, which it must do as soon as
/// [`HostedSession::is_stopped`] is `true`.
///
/// ```
/// use std::sync::Mutex;
/// use shogi_rules::Dobutsu;
/// use shogi_search::usi::{Config, EngineVariant, HostedSession};
///
/// const VARIANTS: &[EngineVariant] = &[EngineVariant::of::<Dobutsu>()];
/// let config = Config::new(VARIANTS, VARIANTS[0]);
/// let output = Mutex::new(Vec::new());
/// let mut session = HostedSession::new(&config, &output);
/// session.line("position startpos")?;
/// session.line("go depth 3")?;
/// if let Some(search) = session.take_search() {
///     search();
///     session.end_search()?;
/// }
/// drop(session);
/// let output = String::from_utf8(output.into_inner()?)?;
/// assert!(output.lines().last().is_some_and(|line| line.starts_with("bestmove ")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct HostedSession<'s> {
    session: Session<'s>,
    /// A search that has begun and has not been taken.
    begun: RefCell<Option<HostedSearch<'s>>>,
    /// Lines that wait for the answer of the search before them.
    waiting: VecDeque<String>,
}

impl fmt::Debug for HostedSession<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostedSession").field("waiting", &self.waiting).finish_non_exhaustive()
    }
}

impl<'s> HostedSession<'s> {
    /// A new session that writes to `output`, a line at a time.
    pub fn new(config: &'s Config, output: &'s Mutex<dyn Write + Send + 's>) -> Self {
        let session = Session::new(config, output);
        Self { session, begun: RefCell::new(None), waiting: VecDeque::new() }
    }

    /// Answers a line. A line that cannot be answered during a search, such as `position`, stops the search and
    /// waits for its answer.
    pub fn line(&mut self, line: &str) -> io::Result<()> {
        self.waiting.push_back(line.to_owned());
        self.answer_waiting()
    }

    /// Whether a search has begun that has not been taken.
    pub fn has_begun(&self) -> bool {
        self.begun.borrow().is_some()
    }

    /// Takes the search that has begun; the caller must run it. `None` if it was taken before.
    pub fn take_search(&mut self) -> Option<HostedSearch<'s>> {
        self.begun.take()
    }

    /// Whether the running search must return as soon as it can.
    pub fn is_stopped(&self) -> bool {
        self.session.is_stopped()
    }

    /// Sends the answer of a search that has returned, if it is due, and answers the lines that waited for it.
    /// The last of them may begin another search.
    pub fn end_search(&mut self) -> io::Result<()> {
        let begun = &self.begun;
        self.session.take_answer(&|search| drop(begun.replace(Some(search))))?;
        self.answer_waiting()
    }

    /// Answers waiting lines, up to the first that must keep waiting.
    fn answer_waiting(&mut self) -> io::Result<()> {
        while let Some(line) = self.waiting.pop_front() {
            if self.session.is_searching() && needs_the_engine(&line) {
                self.session.stop()?;
                if self.session.is_searching() {
                    self.waiting.push_front(line);
                    break;
                }
            }
            let event = Event::Line(line.into_bytes(), Instant::now());
            let begun = &self.begun;
            self.session.handle(event, &|search| drop(begun.replace(Some(search))))?;
        }
        Ok(())
    }
}

/// Whether a line can be answered only while no search has the engine. A line that begins with `go` is answered
/// by a search even if a mistake follows.
fn needs_the_engine(line: &str) -> bool {
    match parse_command(line) {
        Ok(Some(command)) => matches!(
            command,
            Command::NewGame | Command::Position(_) | Command::Go(_) | Command::Quit
        ),
        Ok(None) => false,
        Err(_) => first_word(line.as_bytes()) == b"go",
    }
}
