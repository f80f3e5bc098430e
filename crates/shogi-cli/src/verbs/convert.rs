//! `convert`: records of games from one format to another.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow};
use clap::ValueEnum;
use shogi_rules::record::{Encoding, Format, RecordError, decode, encode};
use shogi_variants::Error;

use crate::common::Common;
use crate::end::Outcome;
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
    /// The record, or - for standard input.
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
    let is_input = arguments.file == Path::new("-");
    let name =
        if is_input { "standard input".into() } else { arguments.file.display().to_string() };
    let bytes = read(is_input, &arguments.file).with_context(|| format!("cannot read {name}"))?;
    let (text, _) = decode(&bytes).with_context(|| name.clone())?;
    let from = arguments.from.map(Format::from).or_else(|| Format::detect(&text));
    let from =
        from.with_context(|| format!("{name}: cannot tell the format; name it with --from"))?;
    let (rules, to) = (arguments.variant.rules(), arguments.to.into());
    let written = rules.convert(&text, from, to, common.dialect_asked_for());
    let mut written = written.map_err(|error| match error {
        Error::Record(RecordError { line, column, reason }) => {
            anyhow!("{name}:{line}:{column}: {reason}")
        }
        error => anyhow!(error),
    })?;
    if !written.ends_with('\n') {
        written.push('\n');
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

fn read(is_input: bool, path: &Path) -> io::Result<Vec<u8>> {
    if !is_input {
        return fs::read(path);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}
