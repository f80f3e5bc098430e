//! `convert`: records of games from one format to another.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context as _, Result, anyhow};
use clap::ValueEnum;
use shogi_rules::record::{Encoding, Format, RecordError, decode, encode};
use shogi_variants::Error;

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
    #[arg(long, value_enum, value_name = "FORMAT")]
    from: Option<FormatName>,
    /// Format of the output.
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: FormatName,
    /// Encoding of the output; the input may be in either.
    #[arg(long, value_enum, default_value_t = EncodingName::Utf8)]
    encoding: EncodingName,
    /// The record, or several in JSON line by line, or - for standard input.
    file: PathBuf,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
#[value(rename_all = "lower")]
enum FormatName {
    /// Most Japanese programs.
    Kif,
    /// Books and newspapers.
    Ki2,
    /// Computer tournaments, of shogi and minishogi.
    Csa,
    /// One object with everything.
    Json,
    /// The position command of USI: start and moves.
    Usi,
}

impl From<FormatName> for Format {
    fn from(name: FormatName) -> Self {
        match name {
            FormatName::Kif => Self::Kif,
            FormatName::Ki2 => Self::Ki2,
            FormatName::Csa => Self::Csa,
            FormatName::Json => Self::Json,
            FormatName::Usi => Self::Usi,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum EncodingName {
    #[value(name = "utf-8")]
    Utf8,
    ShiftJis,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let name = if file::is_standard(&arguments.file) {
        "standard input".to_owned()
    } else {
        arguments.file.display().to_string()
    };
    let bytes = file::read(&arguments.file)?;
    let (text, _) = decode(&bytes).with_context(|| name.clone())?;
    let from = arguments.from.map(Format::from).or_else(|| Format::detect(&text));
    let from =
        from.with_context(|| format!("{name}: cannot tell the format; name it with --from"))?;
    let (rules, to) = (arguments.variant.rules(), arguments.to.into());
    let mut written = String::new();
    for (before, record) in records(&text, from) {
        // Records of several lines are kept apart by an empty one.
        if before > 0 && !matches!(arguments.to, FormatName::Json | FormatName::Usi) {
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
    let encoding = match arguments.encoding {
        EncodingName::Utf8 => Encoding::Utf8,
        EncodingName::ShiftJis => Encoding::ShiftJis,
    };
    let bytes = encode(&written, encoding).context("in what would be written")?;
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
