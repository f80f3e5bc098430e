//! The variants on the command line: by name, or as a file.

use std::error;
use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anyhow::{Context as _, Result};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command, Error};
pub use shogi_variants::Variant;

use crate::end::{Usage, chain_text};
use crate::file;

/// The argument that names the game of a verb that takes every one.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct Game {
    /// The game, by name or as a file `*.toml` that describes one of your own.
    #[arg(value_parser = parser())]
    pub variant: Variant,
}

/// The option of the verbs that find in their files which game these are of.
#[derive(clap::Args, Debug)]
pub struct GameFile {
    /// The file `*.toml` with the rules of a game of your own, if the files are of one: a proof holds its rules, no other
    /// file does.
    #[arg(long, value_name = "GAME")]
    game: Option<PathBuf>,
}

/// The game of [`GameFile`], once it is loaded.
static GIVEN: OnceLock<Variant> = OnceLock::new();

impl GameFile {
    /// Loads the game, which files can name from here on, see [`named`].
    ///
    /// # Errors
    ///
    /// [`Usage`] where the file cannot be read, or describes no game.
    pub fn load(&self) -> Result<()> {
        let Some(path) = &self.game else { return Ok(()) };
        let game = load(path).map_err(|error| Usage(chain_text(&error)))?;
        // A built-in game of the same rules has more: evaluations and tables that are compiled in.
        let built_in = Variant::built_in_named(game.name()).ok();
        let same = built_in.filter(|built_in| built_in.rules_hash() == game.rules_hash());
        GIVEN.get_or_init(|| same.unwrap_or(game));
        Ok(())
    }
}

/// Reads the name of a variant, or the file that describes one.
pub fn parser() -> impl TypedValueParser<Value = Variant> {
    VariantParser { need: None }
}

/// A game with the word that named it, for the commands that a report names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CalledGame {
    /// The game.
    pub variant: Variant,
    /// Its name, or the path of its file.
    pub called: String,
}

/// Reads the name of a variant, or the file that describes one, and keeps the word.
pub fn called() -> impl TypedValueParser<Value = CalledGame> {
    CalledGameParser
}

#[derive(Clone)]
struct CalledGameParser;

impl TypedValueParser for CalledGameParser {
    type Value = CalledGame;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        given: &OsStr,
    ) -> Result<CalledGame, Error> {
        let variant = parser().parse_ref(command, arg, given)?;
        Ok(CalledGame { variant, called: given.to_string_lossy().into_owned() })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(names()))
    }
}

/// Reads the name of a variant, or its file, that suits a task; of another one the error says why it does not.
pub fn compiled(
    task: &'static str,
    suits: fn(Variant) -> bool,
    reason: &'static str,
) -> impl TypedValueParser<Value = Variant> {
    VariantParser { need: Some(Need { task, suits, reason }) }
}

/// Reads the name of a variant that evaluations can be learnt for.
pub fn learnable() -> impl TypedValueParser<Value = Variant> {
    const REASON: &str =
        "features and networks have sizes that are compiled in, and its rules are read as text";
    compiled("learning", |variant| Variant::ALL.contains(&variant), REASON)
}

/// Reads the name of a variant whose positions the community packs into training data.
pub fn packed() -> impl TypedValueParser<Value = Variant> {
    const REASON: &str = "its bytes are the board and the pieces of standard shogi";
    compiled("training data", |variant| variant == Variant::Shogi, REASON)
}

/// Reads the name of a variant that has tablebases.
pub fn tabulated() -> impl TypedValueParser<Value = Variant> {
    const REASON: &str = "tablebases number the positions of shogi34, of dobutsu, and of games of your own on at most 32 squares";
    compiled("a tablebase", |variant| variant.tablebases().is_some(), REASON)
}

/// Reads the name of a variant that is built in.
pub fn built_in() -> impl TypedValueParser<Value = Variant> {
    PossibleValuesParser::new(names()).try_map(|name| name.parse::<Variant>())
}

/// The names of the variants that are built in.
fn names() -> impl Iterator<Item = PossibleValue> {
    Variant::built_in().map(|(name, title)| PossibleValue::new(name).help(title))
}

/// The variant that a file is of which does not hold the rules: the one that is [given](GameFile) goes before a built-in
/// one of its name.
pub fn named(name: &str) -> Result<Variant, UnknownGame> {
    match GIVEN.get() {
        Some(given) if given.name() == name => Ok(*given),
        _ => Variant::built_in_named(name).map_err(|_| UnknownGame(name.to_owned())),
    }
}

/// The games that a position may be of which names none: the one that is [given](GameFile), then those that are built in.
pub fn possible() -> impl Iterator<Item = Variant> {
    let built_in = Variant::built_in().filter_map(|(name, _)| Variant::built_in_named(name).ok());
    GIVEN.get().copied().into_iter().chain(built_in)
}

/// Whether this is the game that is [given](GameFile).
pub fn is_given(variant: Variant) -> bool {
    GIVEN.get() == Some(&variant)
}

/// A game that a file names, of which nothing can be checked since its rules are not at hand.
#[derive(Debug)]
pub struct UnknownGame(String);

impl fmt::Display for UnknownGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(name) = self;
        write!(
            f,
            "there is no variant {name:?} among those that are built in, and this file does not hold its rules: \
             give --game the file that does"
        )
    }
}

impl error::Error for UnknownGame {}

/// Reads the file that describes a variant, which then has its name.
pub fn load(path: &Path) -> Result<Variant> {
    let text = file::read_text(path)?;
    Variant::from_text(&text).with_context(|| format!("{} is no variant", file::name(path)))
}

/// The game that stands before a file, or the file itself where the game is left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameOrFile {
    /// The game.
    Game(Variant),
    /// The file.
    File(PathBuf),
}

/// Reads the name of a variant, or of a file: what has another ending than that of files which describe one, or is there.
pub fn or_file() -> impl TypedValueParser<Value = GameOrFile> {
    GameOrFileParser
}

#[derive(Clone)]
struct GameOrFileParser;

impl TypedValueParser for GameOrFileParser {
    type Value = GameOrFile;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        given: &OsStr,
    ) -> Result<GameOrFile, Error> {
        let path = Path::new(given);
        let is_game = given.to_str().is_some_and(|name| Variant::built_in_named(name).is_ok());
        let is_file = match path.extension() {
            Some(extension) => extension != "toml",
            None => file::is_standard(path) || path.is_file(),
        };
        if is_file && !is_game {
            return Ok(GameOrFile::File(path.to_owned()));
        }
        if !is_game && path.extension().is_none() {
            let names: Vec<_> = Variant::built_in().map(|(name, _)| name).collect();
            let (given, names) = (path.display(), names.join(", "));
            let message =
                format!("there is neither a file nor a variant {given}; the variants are {names}");
            return Err(command.clone().error(ErrorKind::ValueValidation, message));
        }
        parser().parse_ref(command, arg, given).map(GameOrFile::Game)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(names()))
    }
}

/// The condition of a task on a variant.
#[derive(Clone)]
struct Need {
    task: &'static str,
    suits: fn(Variant) -> bool,
    /// Why others do not suit it.
    reason: &'static str,
}

#[derive(Clone)]
struct VariantParser {
    need: Option<Need>,
}

impl TypedValueParser for VariantParser {
    type Value = Variant;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        given: &OsStr,
    ) -> Result<Variant, Error> {
        let refusal = |message: String| command.clone().error(ErrorKind::ValueValidation, message);
        let path = Path::new(given);
        let variant = if path.extension().is_some_and(|extension| extension == "toml") {
            load(path).map_err(|error| refusal(format!("{error:#}")))?
        } else {
            built_in().parse_ref(command, arg, given).map_err(|error| match path.is_file() {
                true => refusal(format!(
                    "{} is no game that is built in, and a file that describes one has a name ending in .toml",
                    path.display()
                )),
                false => error,
            })?
        };
        match &self.need {
            Some(Need { task, suits, reason }) if !suits(variant) => {
                Err(refusal(format!("{task} is not available for {variant}: {reason}")))
            }
            _ => Ok(variant),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let Some(Need { suits, .. }) = &self.need else { return Some(Box::new(names())) };
        let suited = Variant::ALL.iter().filter(|variant| suits(**variant));
        Some(Box::new(suited.map(|one| PossibleValue::new(one.name()).help(one.title()))))
    }
}
