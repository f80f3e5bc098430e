//! The line engine of the batch verbs: one line in, one JSON object out, in the same order.
//!
//! Lines are answered in parallel. For each line the reader adds a slot to a bounded queue and
//! hands the work to the thread pool; the writer takes the answers in the order of their slots and
//! waits for each to be there. The queue so keeps the order, holds back a reader that is far ahead,
//! and lets every answer out as soon as all before it are there. Output is flushed whenever the writer
//! would have to wait, so a program at the other end of a pipe can send and read line by line.

use std::fmt::Display;
use std::io::{self, BufRead, BufWriter, IsTerminal as _, Read as _, Write};
use std::thread;

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use serde::Serialize;
use shogi_rules::threads::{spawn_scoped, with_jobs};
use shogi_variants::operations::{Answered, Unanswered};

use crate::end::{Outcome, chain_text};
use crate::input::InputLines;
use crate::print::{UNWRITTEN, note};
use crate::queue::{Answers, LineAnswer, queue};

/// The answer for a line with this error.
pub fn unanswered<'a>(line: &'a str, error: &anyhow::Error) -> Unanswered<'a> {
    Unanswered { line, error: chain_text(error) }
}

/// Answers every line of the input with one JSON object on standard output.
///
/// `answer` gives what stands in the object beside `"in"`; its error becomes `"error"`. The
/// outcome is bad if any line was.
pub fn run<T: Serialize>(
    lines: InputLines,
    answer: impl Fn(&str) -> Result<T> + Sync,
) -> Result<Outcome> {
    let json = |line: &str| Ok(serde_json::to_vec(&Answered { line, answer: answer(line)? })?);
    answer_each(lines, &json)
}

fn answer_each(
    lines: InputLines,
    json: &(dyn Fn(&str) -> Result<Vec<u8>> + Sync),
) -> Result<Outcome> {
    let (slots, answers) = queue();
    let notices = lines.notices();
    let mut number = 0;
    thread::scope(|threads| {
        let writer = spawn_scoped(threads, move || write_in_order(&answers));
        let writer = writer.context("cannot start a thread")?;
        let read = with_jobs(|jobs| {
            for_each_line(lines.open(), &mut |line| {
                let Some(slot) = slots.add() else { return false };
                number += 1;
                notices(number, &line);
                jobs.add(move || slot.fill(answer_line(&line, json)));
                true
            })
        });
        drop(slots);
        let written = writer.join().unwrap_or_else(|_| bail!("the writer failed"));
        let all_good = written.context(UNWRITTEN)?;
        read.context("cannot read standard input")?;
        Ok(Outcome::good_if(all_good))
    })
}

/// The lines of an input that has few; an error for one that is no text or too long.
pub fn lines(lines: InputLines) -> Result<Vec<String>> {
    let (mut read, mut outcome) = (Vec::new(), Ok(()));
    let notices = lines.notices();
    for_each_line(lines.open(), &mut |line| {
        notices(read.len() as u64 + 1, &line);
        outcome = text(&line).map(|text| read.push(text.to_owned()));
        outcome.is_ok()
    })
    .context("cannot read standard input")?;
    outcome.map(|()| read)
}

/// Whether answers are written for people: JSON is not wanted, and standard output is a terminal.
pub fn is_read_by_people(json: bool) -> bool {
    !json && io::stdout().is_terminal()
}

/// Answers every line like [`run`], but with text where standard output is a terminal, unless JSON is
/// wanted.
pub fn run_readable<T: Serialize + Display>(
    lines: InputLines,
    json: bool,
    answer: impl Fn(&str) -> Result<T> + Sync,
) -> Result<Outcome> {
    if is_read_by_people(json) {
        print_each(lines, &|line| Ok(answer(line)?.to_string()))
    } else {
        run(lines, answer)
    }
}

/// Prints a text for each line, with an empty line between two; errors on standard error.
pub fn print_each(lines: InputLines, answer: &dyn Fn(&str) -> Result<String>) -> Result<Outcome> {
    let mut output = io::stdout().lock();
    let (mut number, mut outcome, mut written) = (0, Outcome::Good, Ok(()));
    let notices = lines.notices();
    for_each_line(lines.open(), &mut |line| {
        number += 1;
        notices(number, &line);
        let gap = if number == 1 { "" } else { "\n" };
        written = match text(&line).and_then(answer) {
            Ok(text) => writeln!(output, "{gap}{text}"),
            Err(error) => {
                outcome = Outcome::Bad;
                note(format_args!("line {number}: {}", chain_text(&error)));
                Ok(())
            }
        };
        written.is_ok()
    })
    .context("cannot read standard input")?;
    written.context(UNWRITTEN)?;
    Ok(outcome)
}

/// The most bytes of a line: a game of a hundred thousand moves has fewer.
pub const MOST_LINE_BYTES: u64 = 1 << 20;
/// The most bytes of a longer line that are passed over.
const MOST_SKIPPED_BYTES: usize = 1 << 28;

/// Gives each line, without its end, until the input ends or `sink` returns false. Of a line of more than
/// [`MOST_LINE_BYTES`] one byte more is given.
fn for_each_line(mut input: impl BufRead, sink: &mut dyn FnMut(Vec<u8>) -> bool) -> io::Result<()> {
    for number in 1_u64.. {
        let mut line = Vec::new();
        let read = (&mut input).take(MOST_LINE_BYTES + 1).read_until(b'\n', &mut line)? as u64;
        if read == 0 {
            break;
        }
        if read > MOST_LINE_BYTES && line.last() != Some(&b'\n') {
            skip_line(&mut input, number)?;
        }
        if line.last() == Some(&b'\n') {
            line.pop();
        }
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        if !sink(line) {
            break;
        }
    }
    Ok(())
}

/// Passes over the rest of a line.
fn skip_line(input: &mut impl BufRead, number: u64) -> io::Result<()> {
    let mut left = MOST_SKIPPED_BYTES;
    loop {
        let mut part = Vec::new();
        let read = input.by_ref().take(MOST_LINE_BYTES).read_until(b'\n', &mut part)?;
        if read == 0 || part.last() == Some(&b'\n') {
            return Ok(());
        }
        left = left.checked_sub(read).ok_or_else(|| {
            let reason = format!("line {number} has more than {MOST_SKIPPED_BYTES} bytes");
            io::Error::new(io::ErrorKind::InvalidData, reason)
        })?;
    }
}

/// The line as text.
fn text(line: &[u8]) -> Result<&str> {
    ensure!(line.len() as u64 <= MOST_LINE_BYTES, "more than {MOST_LINE_BYTES} bytes");
    match std::str::from_utf8(line) {
        Ok(text) if text.trim().is_empty() => Err(anyhow!("empty line")),
        Ok(text) => Ok(text),
        Err(error) => Err(anyhow!("not UTF-8 from byte {}", error.valid_up_to() + 1)),
    }
}

fn answer_line(line: &[u8], json: &dyn Fn(&str) -> Result<Vec<u8>>) -> LineAnswer {
    match text(line).and_then(json) {
        Ok(json) => LineAnswer { json, good: true },
        Err(error) => {
            let line = String::from_utf8_lossy(line);
            // Two strings always make JSON.
            let json = serde_json::to_vec(&unanswered(&line, &error)).unwrap_or_default();
            LineAnswer { json, good: false }
        }
    }
}

/// Writes the answers in the order of their lines; whether all were good.
fn write_in_order(answers: &Answers) -> Result<bool> {
    let mut output = BufWriter::new(io::stdout().lock());
    let mut all_good = true;
    while let Some(answer) = answers.next(&mut || output.flush())? {
        all_good &= answer.good;
        output.write_all(&answer.json)?;
        output.write_all(b"\n")?;
    }
    output.flush()?;
    Ok(all_good)
}
