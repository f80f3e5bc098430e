//! The player for a host of WebAssembly without threads: `engine.js` is the host.
//!
//! The host writes a line where [`room`] says, and calls [`line()`]. If that has begun a search, it calls [`search`], which
//! returns when the search is over, and then [`end_search`]. Whatever the engine says is heard by the host at once.
//!
//! A search reads the host's clock again and again. That is where the host suspends it: `wasm-opt --asyncify` has made
//! the functions between [`search`] and the clock so that they can return and come back to where they were. While a search is
//! suspended, lines are answered as ever; where [`is_stopped`], it has to be resumed until it returns.
#![cfg_attr(not(target_family = "wasm"), allow(unused))]

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use shogi_search::usi::HostedSession;

mod games;

/// One thread is all that there is.
const THREADS: u32 = 1;

#[cfg(target_family = "wasm")]
#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Milliseconds since some moment.
    safe fn now() -> f64;
    /// Hears a line of the engine, which lies in memory for as long as this runs.
    safe fn heard(place: *const u8, length: usize);
}

/// Bytes for the frames of a search that is suspended.
const FRAMES: usize = 4 << 20;

/// The lines of the engine, up to where the last one has come.
struct Lines(Vec<u8>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                #[cfg(target_family = "wasm")]
                heard(self.0.as_ptr(), self.0.len());
                self.0.clear();
            } else {
                self.0.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What the host speaks with.
struct State {
    session: HostedSession<'static>,
    /// The line that the host writes.
    buffer: Vec<u8>,
    /// Where the frames of a suspended search begin and end, then room for them.
    frames: Vec<u64>,
}

static OUTPUT: Mutex<Lines> = Mutex::new(Lines(Vec::new()));
static STATE: Mutex<Option<State>> = Mutex::new(None);

/// Calls a function with the state.
fn with<T>(call: impl FnOnce(&mut State) -> T) -> T {
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    call(state.get_or_insert_with(|| State {
        session: HostedSession::new(games::config(THREADS), &OUTPUT),
        buffer: Vec::new(),
        frames: Vec::new(),
    }))
}

/// Has the engine read the host's clock. To be called once, first.
#[cfg(target_family = "wasm")]
#[unsafe(no_mangle)]
pub extern "C" fn use_clock() {
    shogi_core::clock::set(|| Duration::from_secs_f64(now() / 1e3));
}

/// Makes room for the frames of a suspended search, and says where: an address where they begin, one where they end,
/// and the room, as Asyncify has it.
#[unsafe(no_mangle)]
pub extern "C" fn frames() -> *const u64 {
    with(|state| {
        state.frames = vec![0; 1 + FRAMES / 8];
        let first = state.frames.as_ptr() as u64;
        let (begin, end) = (first + 8, first + 8 + FRAMES as u64);
        state.frames[0] = begin | (end << 32);
        state.frames.as_ptr()
    })
}

/// Makes room for a line of so many bytes, and says where.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    with(|state| {
        state.buffer = vec![0; length];
        state.buffer.as_mut_ptr()
    })
}

/// Answers the line that the host has written; whether a search has begun.
#[unsafe(no_mangle)]
pub extern "C" fn line() -> bool {
    with(|state| {
        let line = String::from_utf8_lossy(&std::mem::take(&mut state.buffer)).into_owned();
        // Lines can always be heard.
        let _ = state.session.line(&line);
        state.session.has_begun()
    })
}

/// Runs the search that has begun.
#[unsafe(no_mangle)]
pub extern "C" fn search() {
    // The state is free again before the search runs, since lines come in while it is suspended.
    if let Some(search) = with(|state| state.session.take_search()) {
        search();
    }
}

/// Whether the search that runs has to return.
#[unsafe(no_mangle)]
pub extern "C" fn is_stopped() -> bool {
    with(|state| state.session.is_stopped())
}

/// Answers after a search has returned; whether another one has begun.
#[unsafe(no_mangle)]
pub extern "C" fn end_search() -> bool {
    with(|state| {
        let _ = state.session.end_search();
        state.session.has_begun()
    })
}
