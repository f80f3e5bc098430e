//! `convert`: records of games from one format to another.

use std::path::{Path, PathBuf};
use std::slice;

use anyhow::{Context as _, Result, anyhow};
use shogi_records::{Encoding, Format, Notice, RecordError, decode, decode_as};
use shogi_solve::Budget;
use shogi_variants::Error;
use shogi_variants::tasks::{ConvertTask, Session, Task as _};

use crate::choice::{self, Choice};
use crate::common::Common;
use crate::end::{Outcome, Usage};
use crate::variant::{self, GameOrFile, Variant};
use crate::{file, print};

/// Arguments of `convert`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// The game, by name or as a file `*.toml` that describes one of your own [default: found out from the record].
    #[arg(value_name = "VARIANT", value_parser = variant::or_file())]
    first: GameOrFile,
    #[command(flatten)]
    task: ConvertTask,
    /// Encoding of the output [default: by the custom of the extension of --out: shift-jis for .kif, .ki2
    /// and .csa, utf-8 for .kifu, .kifux, .ki2u and all others; utf-8 on standard output]. JSON, JKF and USI
    /// are always in utf-8.
    #[arg(long, value_parser = choice::parser(ENCODINGS))]
    encoding: Option<Encoding>,
    /// Encoding of the record [default: found out: utf-8 if it can be that, else euc-jp, else shift-jis].
    #[arg(long, value_parser = choice::parser(ENCODINGS), value_name = "ENCODING")]
    from_encoding: Option<Encoding>,
    /// File for the output [default: standard output]. Of several games in a format that holds one (KIF,
    /// KI2), each goes to a file of its own, game-1.kif, game-2.kif and so on.
    #[arg(long)]
    out: Option<PathBuf>,
    /// The record, or several (in CSA with / between them, else line by line), or - for standard input.
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
}

impl Arguments {
    /// The game, if it is named, and the file of the record.
    fn game_and_file(&self) -> Result<(Option<Variant>, &Path)> {
        match (&self.first, &self.file) {
            (GameOrFile::Game(variant), Some(file)) => Ok((Some(*variant), file)),
            (GameOrFile::File(file), None) => Ok((None, file)),
            (GameOrFile::Game(variant), None) => {
                Err(Usage(format!("<FILE>, the record of {variant}, is missing")).into())
            }
            (GameOrFile::File(name), Some(_)) => {
                let name = name.display();
                Err(Usage(format!("{name} is no game, and one file is converted at a time")).into())
            }
        }
    }
}

/// The encodings by name.
const ENCODINGS: &[Choice<Encoding>] = &[
    ("utf-8", "", Encoding::Utf8),
    ("shift-jis", "", Encoding::ShiftJis),
    ("euc-jp", "", Encoding::EucJp),
];

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let (variant, path) = arguments.game_and_file()?;
    let name = file::name(path);
    let text = read(arguments, path, &name)?;
    let task = &arguments.task;
    let variant = variant.map_or_else(|| task.game_of(&text, &[]), Ok);
    let mut session = Session { dialect: common.dialect(), ..Session::new(Budget::unlimited()) };
    let converted = variant.and_then(|variant| task.answer(variant, &text, &mut session));
    let converted = converted.map_err(|error| match error {
        Error::UnknownFormat => {
            anyhow!("{name}: the format is not recognised; name it with --from")
        }
        Error::Record(RecordError { line, column, reason }) => {
            anyhow!("{name}:{line}:{column}: {reason}")
        }
        error => anyhow!(error),
    })?;
    write(arguments, &converted.games)?;
    for Notice { line, column, reason, .. } in &converted.notices {
        print::note(format_args!("{name}:{line}:{column}: {reason}"));
    }
    if let Some(sentence) = converted.left_out.sentence(task.to) {
        print::note(sentence);
    }
    Ok(Outcome::Good)
}

/// The text of the record.
fn read(arguments: &Arguments, path: &Path, name: &str) -> Result<String> {
    let bytes = file::read(path, file::MOST_RECORD_BYTES)?;
    let text = match arguments.from_encoding {
        Some(encoding) => decode_as(&bytes, encoding),
        // What is wanted in EUC-JP is likely to come in it; only half-width katakana leave that open.
        None if arguments.encoding == Some(Encoding::EucJp) => {
            decode(&bytes).and_then(|(text, found)| match found {
                Encoding::ShiftJis => decode_as(&bytes, Encoding::EucJp).or(Ok(text)),
                _ => Ok(text),
            })
        }
        None => decode(&bytes).map(|(text, _)| text),
    };
    text.with_context(|| name.to_owned())
}

/// Writes all games to the standard output or to files.
fn write(arguments: &Arguments, games: &[String]) -> Result<()> {
    let to = arguments.task.to;
    let too_many = games.len() > 1 && matches!(to, Format::Kif | Format::Ki2);
    let out = arguments.out.as_deref().unwrap_or(Path::new("-"));
    if too_many && !file::is_stream(out) {
        // None is written before all are known to have an encoding.
        let files: Vec<_> = (1..)
            .zip(games)
            .map(|(number, game)| {
                let one = numbered(out, number);
                let bytes = bytes(arguments, &one, slice::from_ref(game));
                bytes.with_context(|| file::name(&one)).map(|bytes| (one, bytes))
            })
            .collect::<Result<_>>()?;
        return files.iter().try_for_each(|(path, bytes)| file::write_whole(path, bytes));
    }
    file::write_whole(out, &bytes(arguments, out, games)?)?;
    if too_many {
        let (name, count) = (to.name().to_uppercase(), games.len());
        print::note(format_args!(
            "{count} games are written one after another: {name} holds one, --out writes files"
        ));
    }
    Ok(())
}

/// The games as they are stored in a file, or on the standard output.
fn bytes(arguments: &Arguments, out: &Path, games: &[String]) -> Result<Vec<u8>> {
    let to = arguments.task.to;
    let by_custom = || {
        let extension = out.extension().unwrap_or_default();
        Encoding::of_extension(&extension.to_string_lossy())
    };
    let encoding = match to {
        Format::Json | Format::Jkf | Format::Usi => Encoding::Utf8,
        _ => arguments.encoding.unwrap_or_else(by_custom),
    };
    to.to_bytes(&to.join(games), encoding)
        .context("in what would be written; --encoding utf-8 has all characters")
}

/// The file for one of several games.
fn numbered(out: &Path, number: usize) -> PathBuf {
    let mut name = out.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{number}"));
    if let Some(extension) = out.extension() {
        name.push(".");
        name.push(extension);
    }
    out.with_file_name(name)
}
