//! Tasks on positions, records and proofs for a host of WebAssembly: `src/module.ts` is the host.
//!
//! Texts and files cross the border in one buffer. The host requests [`room`], writes a task there with its arguments,
//! separated by characters of the number zero, calls [`answer`], and finds as many bytes at [`place`] as that has returned: `+` and
//! the answer, as a text or in JSON, or `-` and what is wrong.
#![cfg_attr(not(target_family = "wasm"), allow(unused))]

#[cfg(feature = "full")]
mod full;
#[cfg(feature = "report")]
mod report;
#[cfg(feature = "rules")]
mod rules;
#[cfg(feature = "solve")]
mod solve;
#[cfg(feature = "tablebase")]
mod tablebase;
#[cfg(any(feature = "full", feature = "report", feature = "solve"))]
mod tasks;

use std::cell::RefCell;
use std::fmt;
use std::str::FromStr;

/// What a task answers, or what is wrong.
type Answer = Result<String, String>;

thread_local! {
    /// What the host has written, then what it may read.
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The arguments of a task, in order.
struct Arguments<'r>(std::str::Split<'r, char>);

impl<'r> Arguments<'r> {
    fn text(&mut self) -> Result<&'r str, String> {
        self.0.next().ok_or_else(|| "an argument is missing".to_owned())
    }

    fn parsed<T: FromStr<Err: fmt::Display>>(&mut self) -> Result<T, String> {
        let text = self.text()?;
        text.parse().map_err(|error: T::Err| {
            let (named, error) = (format!("{text:?}"), error.to_string());
            // Some errors begin with the text.
            if error.starts_with(&named) { error } else { format!("{named}: {error}") }
        })
    }
}

/// Writes an answer in JSON.
fn json(answer: &impl serde::Serialize) -> Answer {
    serde_json::to_string(answer).map_err(|error| error.to_string())
}

/// The text of an error.
fn text(error: impl fmt::Display) -> String {
    error.to_string()
}

#[cfg(all(any(feature = "full", feature = "report", feature = "solve"), target_family = "wasm"))]
#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Milliseconds since some moment.
    safe fn now() -> f64;
}

/// Has the libraries read the host's clock. To be called once, first.
#[cfg(all(any(feature = "full", feature = "report", feature = "solve"), target_family = "wasm"))]
#[unsafe(no_mangle)]
pub extern "C" fn use_clock() {
    shogi_core::clock::set(|| std::time::Duration::from_secs_f64(now() / 1e3));
}

/// Makes room for so many bytes, and says where.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    BUFFER.with_borrow_mut(|buffer| {
        buffer.clear();
        buffer.resize(length, 0);
        buffer.as_mut_ptr()
    })
}

/// Where the answer is.
#[unsafe(no_mangle)]
pub extern "C" fn place() -> *const u8 {
    BUFFER.with_borrow(|buffer| buffer.as_ptr())
}

/// Answers what the host has written; how many bytes the answer has.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    let request = BUFFER.take();
    let answer = match std::str::from_utf8(&request) {
        Ok(request) => answer_text(request),
        Err(error) => Err(error.to_string()),
    };
    leave(answer)
}

fn answer_text(request: &str) -> Answer {
    let (task, arguments) = request.split_once('\0').unwrap_or((request, ""));
    let mut arguments = Arguments(arguments.split('\0'));
    #[cfg(feature = "rules")]
    if let Some(answer) = rules::answer(task, &mut arguments) {
        return answer;
    }
    #[cfg(feature = "full")]
    if let Some(answer) = full::answer(task, &mut arguments) {
        return answer;
    }
    #[cfg(feature = "report")]
    if let Some(answer) = report::answer(task, &mut arguments) {
        return answer;
    }
    #[cfg(feature = "solve")]
    if let Some(answer) = solve::answer(task, &mut arguments) {
        return answer;
    }
    #[cfg(feature = "tablebase")]
    if let Some(answer) = tablebase::answer(task, &mut arguments) {
        return answer;
    }
    Err(format!("there is no task {task:?}"))
}

/// Opens the proof file that the host has written; the answer is its number.
#[cfg(feature = "full")]
#[unsafe(no_mangle)]
pub extern "C" fn open_proof() -> usize {
    leave(full::open(BUFFER.take()))
}

/// Takes bytes that the host has written, which are those of a tablebase's file from a place on, for the next task.
#[cfg(feature = "tablebase")]
#[unsafe(no_mangle)]
pub extern "C" fn supply(table: usize, place: f64) {
    // Places in files are whole numbers below 2^53.
    tablebase::supply(table, place as u64, BUFFER.take());
}

/// Leaves an answer where the host reads it.
fn leave(answer: Answer) -> usize {
    let (mark, text) = match answer {
        Ok(text) => (b'+', text),
        Err(error) => (b'-', error),
    };
    BUFFER.with_borrow_mut(|buffer| {
        buffer.clear();
        buffer.push(mark);
        buffer.extend_from_slice(text.as_bytes());
        buffer.len()
    })
}
