//! `variant`: variants as text.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow};
use serde::Serialize;
use shogi_rules::hash_digits;
use shogi_rules::text::{Definition, ImportError, TextError, TextVariant, Unsayable, import_fairy};

use crate::common::Common;
use crate::end::{Outcome, chain_text};
use crate::variant::{self, Variant};
use crate::{file, print};

/// Arguments of `variant`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(subcommand)]
    verb: VariantVerb,
}

#[derive(clap::Subcommand, Debug)]
enum VariantVerb {
    /// Says in words what a file describes, and draws the start and the moves of each piece.
    Check {
        /// The file, as variants/README.md describes it; - for standard input.
        file: PathBuf,
    },
    /// Writes a game that is built in as such a file.
    Show {
        /// The game.
        #[arg(value_parser = variant::built_in())]
        name: Variant,
    },
    /// Lists the games that are built in.
    List,
    /// Says how large a game is, how it plays and who wins, on one page.
    Report(super::report::Arguments),
    /// Writes one of Fairy-Stockfish's variants as such a file, or names what of it no file can say.
    Import(Import),
}

#[derive(clap::Args, Debug)]
struct Import {
    /// A file like Fairy-Stockfish's variants.ini; - for standard input.
    #[arg(value_name = "FILE.ini")]
    file: PathBuf,
    /// The name of the variant: what stands in brackets before a colon.
    name: String,
    /// File for the text [default: standard output].
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    match &arguments.verb {
        VariantVerb::Check { file } => check(&read(file)?, common),
        VariantVerb::Show { name } => {
            let text = name
                .to_text()
                .with_context(|| format!("{name} decides more than a file can say"))?;
            print::answer(false, &text, text.trim_end())?;
            Ok(Outcome::Good)
        }
        VariantVerb::Report(arguments) => super::report::run(arguments, common),
        VariantVerb::Import(arguments) => import(arguments, common),
        VariantVerb::List => {
            let games: Vec<_> =
                Variant::built_in().map(|(name, title)| ListedGame { name, title }).collect();
            let width = games.iter().map(|game| game.name.len()).max().unwrap_or(0);
            let line = |game: &ListedGame| format!("{:width$}  {}", game.name, game.title);
            let lines: Vec<_> = games.iter().map(line).collect();
            print::answer(common.json, &ListedGames { games }, lines.join("\n"))?;
            Ok(Outcome::Good)
        }
    }
}

/// The games that are built in.
#[derive(Serialize)]
struct ListedGames {
    games: Vec<ListedGame>,
}

#[derive(Serialize)]
struct ListedGame {
    /// Its name in every verb.
    name: &'static str,
    title: &'static str,
}

/// The description of a good file.
#[derive(Serialize)]
struct CheckedText<'a> {
    ok: bool,
    name: &'a str,
    title: &'a str,
    /// BLAKE3 of the rules, by which files name them.
    hash: String,
    rules: Vec<&'a str>,
    start: String,
    movements: String,
}

/// The fault of a bad one.
#[derive(Serialize)]
struct RefusedText {
    ok: bool,
    errors: Vec<PrintedFault>,
}

#[derive(Serialize)]
struct PrintedFault {
    line: usize,
    key: String,
    reason: String,
}

/// The text to be checked.
fn read(path: &Path) -> Result<String> {
    file::read_text(path).map_err(|error| match path.to_str().map(Variant::built_in_named) {
        Some(Ok(game)) => {
            let reason = chain_text(&error);
            anyhow!(
                "{reason}; `shogi variant show {game}` writes the game that is built in as a file"
            )
        }
        _ => error,
    })
}

fn check(text: &str, common: &Common) -> Result<Outcome> {
    let definition = match Definition::parse(text) {
        Ok(definition) => definition,
        Err(error) => {
            print::answer(common.json, &RefusedText::new(&error), error.to_string())?;
            return Ok(Outcome::Bad);
        }
    };
    let variant = Variant::Text(TextVariant::of(definition.clone())?);
    let start = variant.rules().diagram("startpos", common.dialect())?.letters().to_string();
    let (words, movements) = (definition.in_words(), definition.movements());
    let good = CheckedText {
        ok: true,
        name: &definition.rules.name,
        title: &definition.title,
        hash: hash_digits(variant.rules_hash()),
        rules: words.lines().collect(),
        start,
        movements,
    };
    let text = format!("{words}\n{}\n\n{}\nhash {}", good.start, good.movements, good.hash);
    print::answer(common.json, &good, text)?;
    Ok(Outcome::Good)
}

/// Writes a variant of Fairy-Stockfish's as a text.
fn import(arguments: &Import, common: &Common) -> Result<Outcome> {
    let Import { file, name, out } = arguments;
    let ini = file::read_text(file)?;
    let definition = match import_fairy(&ini, name) {
        Ok(definition) => definition,
        Err(ImportError::Unsayable(unsayable)) => {
            let settings: Vec<_> = unsayable.iter().map(UnsaidSetting::new).collect();
            let lines = unsayable.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
            if common.json {
                print::answer(true, &RefusedImport { ok: false, unsayable: settings }, "")?;
            } else {
                print::note(lines);
            }
            return Ok(Outcome::Bad);
        }
        Err(error) => return Err(anyhow!(error).context(file::name(file))),
    };
    let out = out.as_deref().unwrap_or(Path::new("-"));
    file::write_whole(out, definition.to_string().as_bytes())?;
    Ok(Outcome::Good)
}

/// The parts of a variant that no text can say.
#[derive(Serialize)]
struct RefusedImport<'a> {
    ok: bool,
    unsayable: Vec<UnsaidSetting<'a>>,
}

/// One setting of it.
#[derive(Serialize)]
struct UnsaidSetting<'a> {
    /// Its line, if it is one of the file.
    line: Option<usize>,
    setting: &'a str,
    reason: &'a str,
}

impl<'a> UnsaidSetting<'a> {
    fn new(unsayable: &'a Unsayable) -> Self {
        let Unsayable { line, setting, reason } = unsayable;
        Self { line: *line, setting, reason }
    }
}

impl RefusedText {
    fn new(error: &TextError) -> Self {
        let fault = |fault: &shogi_rules::text::TextFault| PrintedFault {
            line: fault.line,
            key: fault.key.clone(),
            reason: fault.reason.to_string(),
        };
        Self { ok: false, errors: error.0.iter().map(fault).collect() }
    }
}
