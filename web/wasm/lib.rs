//! The explorer for a host of WebAssembly: `web/src/module.ts` is the host.
//!
//! Texts and files cross the border in one buffer. The host asks for [`room`], writes there what it asks,
//! calls a function, and finds the answer at [`place`], as long as the function has said. An answer is an
//! object in JSON, as the server gives it: `{"status": 200, "body": ...}`.
#![cfg_attr(not(target_family = "wasm"), allow(unused))]

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use shogi_explore::{Explorer, Fault, FileParts, report_watched, search, solve_watched};

#[cfg(target_family = "wasm")]
#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Milliseconds since some moment.
    safe fn now() -> f64;
    /// Hears an event of a search, a report or a solver, which lies in memory for as long as this runs.
    safe fn heard(place: *const u8, length: usize);
}

struct State {
    explorer: Option<Explorer>,
    /// What the host has written, then what it may read.
    buffer: Vec<u8>,
    /// The proof of the last position that was solved.
    proof: Vec<u8>,
    /// The bytes of files elsewhere, as far as the host has supplied them.
    remotes: Vec<FileParts>,
}

static STATE: Mutex<State> = Mutex::new(State {
    explorer: None,
    buffer: Vec::new(),
    proof: Vec::new(),
    remotes: Vec::new(),
});

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    fn explorer(&mut self) -> Result<&Explorer, Fault> {
        if self.explorer.is_none() {
            self.explorer = Explorer::open::<&str>(&[]).ok();
        }
        self.explorer.as_ref().ok_or(Fault::Lost)
    }

    /// Puts an answer into the buffer and returns its length. Where bytes of files elsewhere are missing, the
    /// answer names them: the host supplies them with all that it has supplied for the question before, and repeats it.
    fn answer(&mut self, answer: Result<Value, Fault>) -> usize {
        let mut missing = Vec::new();
        for (number, parts) in self.remotes.iter().enumerate() {
            parts.clear();
            let ranges = parts.take_missing().into_iter();
            missing.extend(ranges.map(|range| (number, range.start, range.end)));
        }
        let (status, body) = match answer {
            Ok(body) => (200, body),
            Err(fault) => (fault.status(), fault.to_json()),
        };
        let answer = match missing.is_empty() {
            true => json!({ "status": status, "body": body }),
            false => json!({ "missing": missing }),
        };
        self.buffer = answer.to_string().into_bytes();
        self.buffer.len()
    }

    /// Takes the buffer apart: a name of so many bytes, and what follows it.
    fn named(&mut self, length: usize) -> (String, Vec<u8>) {
        let mut name = std::mem::take(&mut self.buffer);
        let rest = name.split_off(length.min(name.len()));
        (String::from_utf8_lossy(&name).into_owned(), rest)
    }
}

/// Has the libraries read the host's clock. To be called once, first.
#[cfg(target_family = "wasm")]
#[unsafe(no_mangle)]
pub extern "C" fn use_clock() {
    shogi_core::clock::set(|| Duration::from_secs_f64(now() / 1e3));
}

/// Makes room for so many bytes and says where.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    let mut state = state();
    state.buffer = vec![0; length];
    state.buffer.as_mut_ptr()
}

/// Where the answer is.
#[unsafe(no_mangle)]
pub extern "C" fn place() -> *const u8 {
    state().buffer.as_ptr()
}

/// The version, the variants and the files.
#[unsafe(no_mangle)]
pub extern "C" fn about() -> usize {
    let mut state = state();
    let about = state.explorer().and_then(|explorer| explorer.about());
    state.answer(about)
}

/// Answers a question, whose name has so many bytes; the request follows it.
#[unsafe(no_mangle)]
pub extern "C" fn ask(name: usize) -> usize {
    let mut state = state();
    let (question, request) = state.named(name);
    let answer = state.explorer().and_then(|explorer| explorer.answer(&question, &request));
    state.answer(answer)
}

/// Opens a file, whose name has so many bytes; its content follows. The answer is that of [`about`].
#[unsafe(no_mangle)]
pub extern "C" fn open(name: usize) -> usize {
    let mut state = state();
    let (name, content) = state.named(name);
    let refused = |reason: String| Fault::Refused { line: name.clone(), reason };
    let about = state.explorer().and_then(|explorer| {
        explorer.add(&name, content).map_err(|error| refused(error.to_string()))?;
        explorer.about()
    });
    state.answer(about)
}

/// Adds a file elsewhere of so many bytes, and says its number.
#[unsafe(no_mangle)]
pub extern "C" fn add_remote(length: f64) -> usize {
    let mut state = state();
    // Lengths of files are whole numbers below 2^53.
    state.remotes.push(FileParts::new(length as u64));
    state.remotes.len() - 1
}

/// Takes the bytes of a file elsewhere from a place on, for the next question.
#[unsafe(no_mangle)]
pub extern "C" fn supply(remote: usize, place: f64) {
    let mut state = state();
    let bytes = std::mem::take(&mut state.buffer);
    if let Some(parts) = state.remotes.get(remote) {
        parts.supply(place as u64, bytes);
    }
}

/// Opens a tablebase elsewhere by the name that the host has written. The answer is that of [`about`].
#[unsafe(no_mangle)]
pub extern "C" fn open_remote(remote: usize) -> usize {
    let mut state = state();
    let (_, name) = state.named(0);
    let name = String::from_utf8_lossy(&name).into_owned();
    let parts = state.remotes.get(remote).cloned().ok_or(Fault::Absent);
    let about = parts.and_then(|parts| {
        let explorer = state.explorer()?;
        let added = explorer.add_remote(&name, parts);
        added.map_err(|error| Fault::Refused { line: name, reason: error.to_string() })?;
        explorer.about()
    });
    state.answer(about)
}

/// Has the host hear an event.
fn tell(event: Value) {
    let event = event.to_string();
    #[cfg(target_family = "wasm")]
    heard(event.as_ptr(), event.len());
}

/// Searches a position and has the host hear every event. Ends by itself only.
#[unsafe(no_mangle)]
pub extern "C" fn run_search() -> usize {
    let (_, request) = state().named(0);
    let found = search(&request, &mut tell);
    state().answer(found.map(|()| Value::Null))
}

/// Reports on a game and has the host hear how far the report is.
#[unsafe(no_mangle)]
pub extern "C" fn run_report() -> usize {
    let (_, request) = state().named(0);
    let report = report_watched(&request, &mut tell);
    state().answer(report)
}

/// Solves a position and has the host hear how far it has come; [`take_proof`] gives the file.
#[unsafe(no_mangle)]
pub extern "C" fn run_solve() -> usize {
    let mut state = state();
    let (_, request) = state.named(0);
    let solved = solve_watched(&request, &mut tell);
    let (answer, proof) = match solved {
        Ok((answer, proof)) => (Ok(answer), proof),
        Err(fault) => (Err(fault), None),
    };
    state.proof = proof.unwrap_or_default();
    state.answer(answer)
}

/// Puts the proof of the last position that was solved in the place of the answer; 0 if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn take_proof() -> usize {
    let mut state = state();
    state.buffer = std::mem::take(&mut state.proof);
    state.buffer.len()
}
