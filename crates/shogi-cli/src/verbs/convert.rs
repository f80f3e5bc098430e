//! `convert`: records of games from one format to another.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context as _, Result, anyhow};
use shogi_rules::record::{Encoding, Format, RecordError, decode, encode};
use shogi_variants::Error;

use crate::choice::{self, Choice};
use crate::common::Common;
use crate::end::Outcome;
use crate::file;
use crate::variant::{self, Variant};

/// Arguments of `convert`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[arg(value_parser = variant::parser())]
    variant: Variant,
    /// Format of the record [default: recognised from the record].
    #[arg(long, value_parser = choice::parser(FORMATS), value_name = "FORMAT")]
    from: Option<Format>,
    /// Format of the output.
    #[arg(long, value_parser = choice::parser(FORMATS), value_name = "FORMAT")]
    to: Format,
    /// Encoding of the output; the input may be in either.
    #[arg(long, value_parser = choice::parser(ENCODINGS), default_value = "utf-8")]
    encoding: Encoding,
    /// The record, or several in JSON line by line, or - for standard input.
    file: PathBuf,
}

/// The formats by name.
const FORMATS: &[Choice<Format>] = &[
    ("kif", "Most Japanese programs", Format::Kif),
    ("ki2", "Books and newspapers", Format::Ki2),
    ("csa", "Computer tournaments, of shogi and minishogi", Format::Csa),
    ("json", "One object with everything", Format::Json),
    ("usi", "The position command of USI: start and moves", Format::Usi),
];

/// The encodings by name.
const ENCODINGS: &[Choice<Encoding>] =
    &[("utf-8", "", Encoding::Utf8), ("shift-jis", "", Encoding::ShiftJis)];

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let name = file::name(&arguments.file);
    let bytes = file::read(&arguments.file, file::MOST_RECORD_BYTES)?;
    let (text, _) = decode(&bytes).with_context(|| name.clone())?;
    let from = arguments.from.or_else(|| Format::detect(&text));
    let from =
        from.with_context(|| format!("{name}: cannot tell the format; name it with --from"))?;
    let (rules, to) = (arguments.variant.rules(), arguments.to);
    let mut written = String::new();
    for (before, record) in records(&text, from) {
        // Records of several lines are kept apart by an empty one.
        if before > 0 && !matches!(to, Format::Json | Format::Usi) {
            written.push('\n');
        }
        let converted = rules.convert(record, from, to, common.dialect_asked_for());
        written += &converted.map_err(|error| match error {
            Error::Record(RecordError { line, column, reason }) => {
                anyhow!("{name}:{}:{column}: {reason}", before + line)
            }
            error => anyhow!(error),
        })?;
        if !written.ends_with('\n') {
            written.push('\n');
        }
    }
    let bytes = encode(&written, arguments.encoding).context("in what would be written")?;
    let mut output = io::stdout().lock();
    output.write_all(&bytes)?;
    output.flush()?;
    Ok(Outcome::Good)
}

/// The records in a text, each with the number of lines before it: where every line of JSON is an object
/// of its own, as `selfplay` writes them, each line is a record.
fn records(text: &str, format: Format) -> Vec<(usize, &str)> {
    let lines = || text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let is_object = |line: &str| line.trim().starts_with('{') && line.trim().ends_with('}');
    if format == Format::Json && lines().all(|(_, line)| is_object(line)) {
        lines().collect()
    } else {
        vec![(0, text)]
    }
}
