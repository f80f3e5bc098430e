//! A session of USI.

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufRead, Read as _, Write};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use shogi_core::clock::Instant;
use shogi_rules::threads::spawn_scoped;

use super::Config;
use super::command::{Command, Go, parse_command, parse_go};
use super::engine::{Engine, Request};
use super::options::EngineOptions;
use super::time::FALLBACK;
use super::variant::EngineVariant;
use crate::limits::Control;

/// The message after `USI_Variant` has named an unknown game.
const NO_GAME: &str = "no game is played, the option USI_Variant named none that is known";

/// The longest line that is read, in bytes.
const LONGEST: u64 = 1 << 20;

/// An event of a session.
pub(super) enum Event {
    /// A line with its time of arrival.
    Line(Vec<u8>, Instant),
    /// A line that is too long to be read.
    TooLong,
    /// The end of the input.
    End,
    /// A search has ended: the engine and the answer.
    Answer(Box<dyn Engine>, String),
}

/// Answers the commands on `input`, until `quit` or the end of the input.
///
/// Input is read on one thread and searches run on another, so that `stop`, `ponderhit`, `isready` and `quit`
/// are answered at once. No input ends the session except `quit`.
///
/// # Errors
///
/// If `output` cannot be written to, or the system refuses a thread.
pub fn run(
    mut input: impl BufRead + Send,
    output: impl Write + Send,
    config: &Config,
) -> io::Result<()> {
    run_on_threads(&mut || next(&mut input), &Mutex::new(output), config)
}

/// Answers the lines of `next`, for any input and output.
fn run_on_threads(
    next: &mut (dyn FnMut() -> Event + Send),
    output: &Output<'_>,
    config: &Config,
) -> io::Result<()> {
    thread::scope(|scope| {
        let session = Session::new(config, output);
        // All searches run on one thread: starting one for each takes some 50 microseconds, too long at the end of a clock.
        let (searches, begun) = mpsc::channel::<HostedSearch<'_>>();
        spawn_scoped(scope, move || begun.into_iter().for_each(|search| search()))?;
        // Started last, since this thread ends only with the input.
        let lines = session.events.clone();
        spawn_scoped(scope, move || send_lines(next, &lines))?;
        session
            .run(&|search| searches.send(search).expect("the search thread ends after the session"))
    })
}

/// Answers the commands on `input` one after the other on this thread, for hosts without threads such as
/// WebAssembly. The next command is read when a search has ended, so `stop` and `quit` cannot end a search, and
/// one without a limit never ends.
///
/// # Errors
///
/// If `output` cannot be written to.
pub fn run_in_order(
    mut input: impl BufRead,
    output: impl Write + Send,
    config: &Config,
) -> io::Result<()> {
    run_on_one_thread(&mut || next(&mut input), &Mutex::new(output), config)
}

/// Like [`run_on_threads`], with one thread for everything.
fn run_on_one_thread(
    next: &mut dyn FnMut() -> Event,
    output: &Output<'_>,
    config: &Config,
) -> io::Result<()> {
    let mut session = Session::new(config, output);
    loop {
        let mut event = next();
        loop {
            if !session.handle(event, &|search| search())? {
                return Ok(());
            }
            // A search sends its answer before it returns.
            let Ok(answer) = session.incoming.try_recv() else { break };
            event = answer;
        }
    }
}

/// The output, which one thread at a time writes to.
type Output<'s> = Mutex<dyn Write + Send + 's>;

/// A search that a session has begun: it sends its reports and returns when it is over or stopped.
pub type HostedSearch<'s> = Box<dyn FnOnce() + Send + 's>;

/// Runs a search on another thread or on this one, or leaves it to the host.
type Start<'s, 'c> = dyn Fn(HostedSearch<'s>) + 'c;

/// The next line, or the end of the input.
fn next(input: &mut impl BufRead) -> Event {
    let mut line = Vec::new();
    match input.by_ref().take(LONGEST).read_until(b'\n', &mut line) {
        Ok(0) | Err(_) => Event::End,
        Ok(_) if line.len() as u64 == LONGEST && line.last() != Some(&b'\n') => {
            // An error recurs on the next read and ends the input.
            let _ = input.skip_until(b'\n');
            Event::TooLong
        }
        Ok(_) => Event::Line(line, Instant::now()),
    }
}

/// Sends lines to the session until the input ends or says `quit`.
fn send_lines(next: &mut dyn FnMut() -> Event, events: &Sender<Event>) {
    loop {
        let event = next();
        let last = match &event {
            Event::Line(line, _) => first_word(line) == b"quit",
            Event::End => true,
            Event::TooLong | Event::Answer(..) => false,
        };
        if events.send(event).is_err() || last {
            break;
        }
    }
}

pub(super) fn first_word(line: &[u8]) -> &[u8] {
    line.split(u8::is_ascii_whitespace).find(|word| !word.is_empty()).unwrap_or_default()
}

/// A running search, or one whose answer is not due yet.
struct RunningSearch {
    control: Arc<Control>,
    /// Whether the answer must wait for `stop`.
    infinite: bool,
    /// Whether the answer must wait for `ponderhit`.
    ponder: bool,
    /// The answer, once it is found.
    answer: Option<String>,
    /// The search that replaces this answer once the search has returned.
    next: Option<Go>,
}

/// The state of a session.
pub(super) struct Session<'s> {
    config: &'s Config,
    options: EngineOptions,
    output: &'s Output<'s>,
    /// The engine, unless a search runs.
    engine: Option<Box<dyn Engine>>,
    /// The variant that the engine is for.
    made_for: Option<EngineVariant>,
    search: Option<RunningSearch>,
    events: Sender<Event>,
    incoming: Receiver<Event>,
    /// Events that came in while the session waited for an answer.
    waiting: VecDeque<Event>,
    /// The time of arrival of the current line.
    received: Instant,
}

impl<'s> Session<'s> {
    pub(super) fn new(config: &'s Config, output: &'s Output<'s>) -> Self {
        let (events, incoming) = mpsc::channel();
        Self {
            config,
            options: EngineOptions::new(config),
            output,
            engine: None,
            made_for: None,
            search: None,
            events,
            incoming,
            waiting: VecDeque::new(),
            received: Instant::now(),
        }
    }

    fn run(mut self, start: &Start<'s, '_>) -> io::Result<()> {
        let ended = loop {
            let event = match self.waiting.pop_front() {
                Some(event) => event,
                // The session holds a sender itself, so the channel is never closed.
                None => self.incoming.recv().unwrap_or(Event::End),
            };
            match self.handle(event, start) {
                Ok(true) => {}
                Ok(false) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        if let Some(search) = &self.search {
            search.control.stop();
        }
        ended
    }

    /// Answers an event and returns whether the session continues.
    pub(super) fn handle(&mut self, event: Event, start: &Start<'s, '_>) -> io::Result<bool> {
        match event {
            Event::TooLong => {
                self.error(format_args!("a line of more than {LONGEST} bytes is not read"))?;
            }
            Event::Answer(engine, answer) => self.end_search(engine, answer, start)?,
            Event::End => {
                let endless = self.search.as_ref().is_some_and(|now| now.infinite || now.ponder);
                if endless {
                    self.finish()?;
                }
                self.wait_for_answer()?;
                return Ok(false);
            }
            Event::Line(line, received) => {
                self.received = received;
                let line = String::from_utf8_lossy(&line);
                // Some programs begin their input with a byte order mark.
                return self.handle_line(line.strip_prefix('\u{feff}').unwrap_or(&line), start);
            }
        }
        Ok(true)
    }

    /// Answers a line and returns whether the session continues.
    fn handle_line(&mut self, line: &str, start: &Start<'s, '_>) -> io::Result<bool> {
        match parse_command(line) {
            Ok(None) => {}
            Ok(Some(Command::Quit)) => {
                self.finish()?;
                return Ok(false);
            }
            Ok(Some(command)) => self.execute(command, start)?,
            Err(error) => {
                self.error(format_args!("{error}"))?;
                match first_word(line.as_bytes()) {
                    b"go" => self.go(understood(line), start)?,
                    b"ponderhit" => self.ponder_hit(parse_go(line).0, start)?,
                    _ => {}
                }
            }
        }
        Ok(true)
    }

    fn execute(&mut self, command: Command, start: &Start<'s, '_>) -> io::Result<()> {
        match command {
            Command::Usi => self.introduce(),
            Command::IsReady => {
                if self.search.is_none() {
                    self.prepare()?;
                }
                self.send(format_args!("readyok"))
            }
            Command::SetOption { name, value } => {
                match self.options.set(self.config, &name, value.as_deref()) {
                    Ok(()) => Ok(()),
                    Err(error) => self.error(format_args!("{error}")),
                }
            }
            Command::NewGame => {
                self.finish()?;
                self.with_engine(|engine| engine.new_game());
                Ok(())
            }
            Command::Position(setup) => {
                self.finish()?;
                let entering_king = self.options.entering_king;
                match self.with_engine(|engine| engine.set_up(&setup, entering_king)) {
                    Some(Ok(())) => Ok(()),
                    Some(Err(error)) => {
                        self.error(format_args!("the position is refused: {error}"))
                    }
                    None => self.error(format_args!("the position is refused: {NO_GAME}")),
                }
            }
            Command::Go(go) => self.go(go, start),
            Command::Stop | Command::GameOver => self.stop(),
            Command::PonderHit(go) => self.ponder_hit(go, start),
            Command::Quit => Ok(()),
        }
    }

    /// Sends the name and the options.
    fn introduce(&self) -> io::Result<()> {
        self.send(format_args!("id name {}", self.config.name))?;
        self.send(format_args!("id author {}", self.config.author))?;
        for line in EngineOptions::describe(self.config) {
            self.send(format_args!("{line}"))?;
        }
        self.send(format_args!("usiok"))
    }

    /// Makes the player; must be called only while no search runs.
    fn prepare(&mut self) -> io::Result<()> {
        let (options, output) = (self.options.clone(), self.output);
        let mut sent = Ok(());
        let prepared = self.with_engine(|engine| {
            engine.prepare(&options, &mut |line| {
                if sent.is_ok() {
                    sent = send(output, format_args!("{line}"));
                }
            });
        });
        if prepared.is_none() { self.error(format_args!("{NO_GAME}")) } else { sent }
    }

    /// Calls a function with the engine of the current variant, within its rules; must be called only while no
    /// search runs. `None` if no variant is set.
    fn with_engine<T>(&mut self, work: impl FnOnce(&mut dyn Engine) -> T) -> Option<T> {
        let variant = self.options.variant?;
        variant.within(move || {
            if self.made_for != Some(variant) || self.engine.is_none() {
                (self.engine, self.made_for) = (variant.engine(), Some(variant));
            }
            let engine: &mut dyn Engine = &mut **self.engine.as_mut()?;
            Some(work(engine))
        })
    }

    /// Starts a search.
    fn go(&mut self, go: Go, start: &Start<'s, '_>) -> io::Result<()> {
        self.finish()?;
        self.with_engine(|_| ());
        let engine = if self.options.variant.is_some() { self.engine.take() } else { None };
        let control = Arc::new(if go.ponder { Control::pondering() } else { Control::new() });
        // A mate is reported when it is found, even without a limit.
        let infinite = go.mate.is_none() && (go.infinite || !go.is_limited());
        let ponder = go.ponder && go.mate.is_none();
        let running = RunningSearch {
            control: Arc::clone(&control),
            infinite,
            ponder,
            answer: None,
            next: None,
        };
        self.search = Some(running);
        let (Some(mut engine), Some(variant)) = (engine, self.options.variant) else {
            return self.play_nothing(go.mate.is_some());
        };
        let (options, max_nodes) = (self.options.clone(), self.config.max_nodes);
        let (events, output, received) = (self.events.clone(), self.output, self.received);
        // The host may run the search later, and on another thread.
        let search = move || {
            let (go, options, control) = (&go, &options, &*control);
            let request = Request { go, received, options, max_nodes, control };
            let answer = engine.go(&request, &mut |line| {
                if send(output, format_args!("{line}")).is_err() {
                    // The output is closed: the answer would be lost.
                    control.stop();
                }
            });
            // Without a session the answer is lost.
            let _ = events.send(Event::Answer(engine, answer));
        };
        start(Box::new(move || variant.within(search)));
        Ok(())
    }

    /// Answers a search without a known game, when the answer is due. No answer would lose on time, and a move
    /// of another game would be a foul.
    fn play_nothing(&mut self, is_mate: bool) -> io::Result<()> {
        self.error(format_args!("{NO_GAME}"))?;
        if let Some(search) = &mut self.search {
            let answer = if is_mate { "checkmate timeout" } else { "bestmove resign" };
            search.answer = Some(answer.to_owned());
        }
        self.answer_if_due()
    }

    /// Continues the search on the player's own time. With limits it restarts, since the table has its
    /// findings.
    fn ponder_hit(&mut self, go: Go, start: &Start<'s, '_>) -> io::Result<()> {
        if let Some(search) = &mut self.search {
            if search.ponder && (go.infinite || go.is_limited()) {
                search.control.stop();
                search.next = Some(go);
            } else {
                search.ponder = false;
                search.control.ponder_hit();
            }
        }
        self.go_on(start)
    }

    /// Takes back the engine of a search that has ended, and sends its answer if it is due.
    fn end_search(
        &mut self,
        engine: Box<dyn Engine>,
        answer: String,
        start: &Start<'s, '_>,
    ) -> io::Result<()> {
        self.take_back(engine, answer);
        self.go_on(start)
    }

    fn take_back(&mut self, engine: Box<dyn Engine>, answer: String) {
        self.engine = Some(engine);
        if let Some(search) = &mut self.search {
            search.answer = Some(answer);
        }
    }

    /// After a search has returned, begins the next one or sends the answer if it is due.
    fn go_on(&mut self, start: &Start<'s, '_>) -> io::Result<()> {
        let is_followed =
            |search: &mut RunningSearch| search.answer.is_some() && search.next.is_some();
        match self.search.take_if(is_followed).and_then(|search| search.next) {
            Some(go) => self.go(go, start),
            None => self.answer_if_due(),
        }
    }

    /// Sends the answer, if there is one and it is due.
    fn answer_if_due(&mut self) -> io::Result<()> {
        let is_due = |search: &mut RunningSearch| {
            search.answer.is_some() && !search.infinite && !search.ponder
        };
        match self.search.take_if(is_due).and_then(|search| search.answer) {
            Some(answer) => self.send(format_args!("{answer}")),
            None => Ok(()),
        }
    }

    /// Whether a search runs, or its answer is not due yet.
    pub(super) fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    /// Whether the running search has been stopped.
    pub(super) fn is_stopped(&self) -> bool {
        self.search.as_ref().is_some_and(|search| search.control.is_stopped())
    }

    /// Takes the answer of a search that has returned, and sends it if it is due.
    pub(super) fn take_answer(&mut self, start: &Start<'s, '_>) -> io::Result<()> {
        match self.incoming.try_recv() {
            Ok(Event::Answer(engine, answer)) => self.end_search(engine, answer, start),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// Stops the running search, if any.
    pub(super) fn stop(&mut self) -> io::Result<()> {
        if let Some(search) = &mut self.search {
            (search.infinite, search.ponder, search.next) = (false, false, None);
            search.control.stop();
        }
        self.answer_if_due()
    }

    /// Stops the running search, if any, and sends its answer.
    fn finish(&mut self) -> io::Result<()> {
        self.stop()?;
        self.wait_for_answer()
    }

    /// Waits for the running search, if any, and sends its answer.
    fn wait_for_answer(&mut self) -> io::Result<()> {
        while self.search.is_some() {
            match self.incoming.recv() {
                Ok(Event::Answer(engine, answer)) => {
                    self.take_back(engine, answer);
                    self.answer_if_due()?;
                }
                Ok(event) => self.waiting.push_back(event),
                Err(_) => break,
            }
        }
        Ok(())
    }

    fn send(&self, line: fmt::Arguments<'_>) -> io::Result<()> {
        send(self.output, line)
    }

    fn error(&self, error: fmt::Arguments<'_>) -> io::Result<()> {
        self.send(format_args!("info string error: {error}"))
    }
}

/// The parts understood of a `go` with a mistake, always with a limit.
fn understood(line: &str) -> Go {
    let (go, _) = parse_go(line);
    if go.infinite || go.is_limited() { go } else { Go { move_time: Some(FALLBACK), ..go } }
}

/// Writes a line and flushes it.
fn send(output: &Output<'_>, line: fmt::Arguments<'_>) -> io::Result<()> {
    // A thread that has panicked while it wrote leaves the writer usable.
    let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
    output.write_fmt(line)?;
    output.write_all(b"\n")?;
    output.flush()
}
