//! The options of the engine and how they are set.

use std::collections::BTreeMap;
use std::fmt;
use std::iter;
use std::path::PathBuf;
use std::time::Duration;

use shogi_eval::nn_bin::SCALE;
use shogi_rules::{Dialect, EnteringKingRule};

use super::Config;
use super::opening::Opening;
use super::variant::EngineVariant;
use crate::evaluation::EVALUATIONS;
use crate::parameters::{Parameter, Parameters};
use crate::player::Settings;
use crate::settings::MAX_LINES;

/// The current options of a session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct EngineOptions {
    /// The variant with its rules ready; `None` after an unknown name, so that no other variant is played in
    /// its place.
    pub(super) variant: Option<EngineVariant>,
    /// The settings, but for the parameters of the search.
    pub(super) settings: Settings,
    /// The parameters of the search that were changed.
    pub(super) changed: ChangedParameters,
    /// The time lost in the transmission of a move.
    pub(super) overhead: Duration,
    /// The engine resigns if the score is this far below zero.
    pub(super) resign: i32,
    /// The rule on entering kings, in variants that have one.
    pub(super) entering_king: EnteringKingRule,
    /// `None` for the variant's own.
    pub(super) dialect: Option<Dialect>,
    /// The name of an evaluation.
    pub(super) evaluation: &'static str,
    /// A file with a network or weights to use instead of the named evaluation.
    pub(super) tables: Option<PathBuf>,
    /// The divisor of the output of an `nn.bin` network.
    pub(super) scale: i32,
    /// A directory with tablebases.
    pub(super) tablebases: Option<PathBuf>,
    /// Whether a side to move that is in check is the defender in `go mate`.
    pub(super) defends_in_check: bool,
    /// Variety in the opening.
    pub(super) opening: Opening,
}

/// The parameters of the search whose value is not the listed default, by name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct ChangedParameters(BTreeMap<&'static str, i32>);

/// Why an option cannot be set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum OptionError {
    #[error("no option is called {0:?}")]
    Unknown(String),
    #[error("the option {0} needs a value")]
    Missing(&'static str),
    #[error("the option {name} takes {takes}, not {found:?}")]
    Value { name: &'static str, takes: String, found: String },
    #[error(
        "the option {name} takes {takes}, not {found:?}: no game is played until it has one of these values"
    )]
    Variant { name: &'static str, takes: String, found: String },
    #[error("{name} cannot be played: {reason}")]
    Rules { name: &'static str, reason: String },
}

/// The type of an option, with its default.
enum OptionType {
    Check(bool),
    Spin { default: i64, least: i64, most: i64 },
    Combo { default: &'static str, values: Vec<&'static str> },
    Text,
    File,
}

/// The names and the type of an option; `usi` lists the first name.
struct OptionSpec {
    names: Vec<&'static str>,
    kind: OptionType,
}

/// A resignation score below every score.
const NEVER: i64 = 30_000;
/// The options that concern files.
const OF_FILES: [&str; 3] = ["EvalFile", "FV_SCALE", "TablebasePath"];
/// The options that choose an evaluation.
const OF_EVALUATIONS: [&str; 3] = ["Evaluation", "EvalFile", "FV_SCALE"];
/// The default rule on entering kings of shogi: 27 points, with odds.
const ENTERING_KING: (&str, EnteringKingRule) = EnteringKingRule::NAMED[4];

impl EngineOptions {
    pub(super) fn new(config: &Config) -> Self {
        let mut settings = Settings::default();
        settings.hash_bytes = settings.hash_bytes.min((config.max_hash as usize) << 20);
        Self {
            variant: config.first.ready().ok(),
            settings,
            changed: ChangedParameters::default(),
            overhead: Duration::from_millis(10),
            resign: NEVER as i32,
            entering_king: ENTERING_KING.1,
            dialect: config.dialect,
            evaluation: EVALUATIONS[0],
            tables: None,
            scale: SCALE,
            tablebases: None,
            defends_in_check: true,
            opening: Opening { plies: 0, margin: 30, seed: 0 },
        }
    }

    /// All options.
    fn specs(config: &Config) -> Vec<OptionSpec> {
        let spin = |default: i64, least, most| OptionType::Spin {
            default: default.min(most),
            least,
            most,
        };
        let hash = i64::from(config.max_hash).max(1);
        let spec = |names: &[&'static str], kind| OptionSpec { names: names.to_vec(), kind };
        let mut all = vec![
            spec(
                &["USI_Variant", "UCI_Variant"],
                OptionType::Combo { default: config.first.name(), values: config.names() },
            ),
            spec(&["USI_Hash", "Hash"], spin(64, 1, hash)),
            spec(&["USI_Ponder", "Ponder"], OptionType::Check(false)),
            spec(&["Threads", "USI_Threads"], spin(1, 1, config.max_threads.max(1).into())),
            spec(&["MultiPV", "USI_MultiPV"], spin(1, 1, MAX_LINES as i64)),
            spec(&["NetworkDelay", "Move Overhead", "MoveOverhead"], spin(10, 0, 10_000)),
            spec(&["MateProbe"], OptionType::Check(true)),
            // The name that KomoringHeights and the programs for it use.
            spec(&["RootIsAndNodeIfChecked"], OptionType::Check(true)),
            spec(&["ResignValue"], spin(NEVER, 0, NEVER)),
            spec(
                &["EnteringKingRule"],
                OptionType::Combo {
                    default: ENTERING_KING.0,
                    values: EnteringKingRule::NAMED.iter().map(|&(name, _)| name).collect(),
                },
            ),
            spec(
                &["Dialect"],
                OptionType::Combo {
                    default: match config.dialect {
                        None => "variant",
                        Some(Dialect::Lishogi) => "lishogi",
                        Some(Dialect::Fairy) => "fairy",
                    },
                    values: vec!["variant", "lishogi", "fairy"],
                },
            ),
            spec(
                &["Evaluation"],
                OptionType::Combo { default: EVALUATIONS[0], values: EVALUATIONS.to_vec() },
            ),
            spec(&["EvalFile"], OptionType::File),
            spec(&["FV_SCALE"], spin(SCALE.into(), 1, 128)),
            spec(&["TablebasePath"], OptionType::Text),
            spec(&["OpeningPlies"], spin(0, 0, 200)),
            spec(&["OpeningMargin"], spin(30, 0, 1_000)),
            spec(&["OpeningSeed"], spin(0, 0, i64::from(u32::MAX))),
        ];
        let parameters = Parameters::of_game(config.first.name());
        all.extend(Parameter::ALL.iter().map(|parameter| OptionSpec::of(parameter, parameters)));
        if !config.files {
            all.retain(|option| !OF_FILES.contains(&option.names[0]));
        }
        if !config.has_choice() {
            all.retain(|option| !OF_EVALUATIONS.contains(&option.names[0]));
        }
        all
    }

    /// The lines that answer `usi`.
    pub(super) fn describe(config: &Config) -> impl Iterator<Item = String> {
        Self::specs(config).into_iter().map(|option| option.to_string())
    }

    /// Sets an option by any of its names, in whatever case.
    pub(super) fn set(
        &mut self,
        config: &Config,
        name: &str,
        value: Option<&str>,
    ) -> Result<(), OptionError> {
        let is_called =
            |option: &OptionSpec| option.names.iter().any(|known| known.eq_ignore_ascii_case(name));
        let found = Self::specs(config).into_iter().find(is_called);
        let option = found.ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        let name = option.names[0];
        let settings = &mut self.settings;
        match name {
            "USI_Variant" => {
                // An option without a value names no game, like one with an unknown name.
                self.variant = None;
                let value = option.value(value)?;
                self.variant = Some(chosen(config, &option, value)?);
            }
            "USI_Hash" => settings.hash_bytes = (option.number(value)? as usize) << 20,
            "Threads" => settings.threads = option.number(value)? as usize,
            "MultiPV" => settings.lines = option.number(value)? as usize,
            "NetworkDelay" => self.overhead = Duration::from_millis(option.number(value)? as u64),
            "MateProbe" => settings.mate_probe = option.flag(value)?,
            "RootIsAndNodeIfChecked" => self.defends_in_check = option.flag(value)?,
            "ResignValue" => self.resign = option.number(value)? as i32,
            "EnteringKingRule" => {
                let rule = EnteringKingRule::named(option.choice(value)?);
                self.entering_king = rule.unwrap_or(ENTERING_KING.1);
            }
            "Dialect" => {
                self.dialect = match option.choice(value)? {
                    "lishogi" => Some(Dialect::Lishogi),
                    "fairy" => Some(Dialect::Fairy),
                    _ => None,
                };
            }
            "Evaluation" => self.evaluation = option.choice(value)?,
            "EvalFile" => self.tables = path(value),
            "FV_SCALE" => self.scale = option.number(value)? as i32,
            "TablebasePath" => self.tablebases = path(value),
            "OpeningPlies" => self.opening.plies = option.number(value)? as usize,
            "OpeningMargin" => self.opening.margin = option.number(value)? as i32,
            "OpeningSeed" => self.opening.seed = option.number(value)? as u64,
            // `go ponder` decides whether to ponder; the value is only checked.
            "USI_Ponder" => drop(option.flag(value)?),
            _ => {
                let number = option.number(value)? as i32;
                // Interfaces send the listed defaults, which are those of the first game. They
                // stand for the values of the game that is played.
                if option.has_default(number) {
                    self.changed.0.remove(name);
                } else {
                    self.changed.0.insert(name, number);
                }
            }
        }
        Ok(())
    }
}

impl ChangedParameters {
    /// These parameters, with what was changed.
    pub(super) fn applied_to(&self, mut parameters: Parameters) -> Parameters {
        for parameter in Parameter::ALL {
            if let Some(&value) = self.0.get(parameter.name) {
                parameter.set(&mut parameters, value);
            }
        }
        parameters
    }
}

/// The variant with this name, with its rules ready.
fn chosen(config: &Config, option: &OptionSpec, name: &str) -> Result<EngineVariant, OptionError> {
    // The first one may have the name of another, and then takes precedence.
    let mut variants = iter::once(&config.first).chain(config.variants);
    let variant = variants.find(|variant| variant.name().eq_ignore_ascii_case(name));
    let Some(variant) = variant else {
        let takes = format!("one of {}", config.names().join(", "));
        return Err(OptionError::Variant { name: option.names[0], takes, found: name.to_owned() });
    };
    let unready = |reason: String| OptionError::Rules { name: variant.name(), reason };
    variant.ready().map_err(|error| unready(error.to_string()))
}

/// The path that a text option has, if any.
fn path(value: Option<&str>) -> Option<PathBuf> {
    value.filter(|&path| path != "<empty>").map(PathBuf::from)
}

impl OptionSpec {
    /// The option of a parameter whose default is its value among these.
    fn of(parameter: &Parameter, parameters: Parameters) -> Self {
        let [default, least, most] =
            [parameter.of(parameters), parameter.least, parameter.most].map(i64::from);
        Self { names: vec![parameter.name], kind: OptionType::Spin { default, least, most } }
    }

    fn has_default(&self, number: i32) -> bool {
        matches!(self.kind, OptionType::Spin { default, .. } if default == i64::from(number))
    }

    fn value<'v>(&self, value: Option<&'v str>) -> Result<&'v str, OptionError> {
        value.ok_or(OptionError::Missing(self.names[0]))
    }

    fn error(&self, takes: String, found: &str) -> OptionError {
        OptionError::Value { name: self.names[0], takes, found: found.to_owned() }
    }

    fn flag(&self, value: Option<&str>) -> Result<bool, OptionError> {
        let value = self.value(value)?;
        let lower = value.to_ascii_lowercase();
        lower.parse().map_err(|_| self.error("true or false".to_owned(), value))
    }

    fn number(&self, value: Option<&str>) -> Result<i64, OptionError> {
        let value = self.value(value)?;
        let OptionType::Spin { least, most, .. } = self.kind else { return Ok(0) };
        let number = value.parse().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| self.error(format!("a number from {least} to {most}"), value))
    }

    fn choice(&self, value: Option<&str>) -> Result<&'static str, OptionError> {
        let value = self.value(value)?;
        let OptionType::Combo { values, .. } = &self.kind else { return Ok("") };
        let found = values.iter().find(|known| known.eq_ignore_ascii_case(value));
        found.copied().ok_or_else(|| self.error(format!("one of {}", values.join(", ")), value))
    }
}

impl fmt::Display for OptionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.names[0])?;
        match &self.kind {
            OptionType::Check(default) => write!(f, "check default {default}"),
            OptionType::Spin { default, least, most } => {
                write!(f, "spin default {default} min {least} max {most}")
            }
            OptionType::Combo { default, values } => {
                write!(f, "combo default {default} var {default}")?;
                // Some programs take the first value for the default.
                let mut others = values.iter().filter(|value| *value != default);
                others.try_for_each(|value| write!(f, " var {value}"))
            }
            OptionType::Text => f.write_str("string default <empty>"),
            OptionType::File => f.write_str("filename default <empty>"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config() -> Config {
        const VARIANTS: &[EngineVariant] =
            &[EngineVariant::named("kyotoshogi"), EngineVariant::named("shogi")];
        Config::new(VARIANTS, VARIANTS[1])
    }

    #[test]
    fn every_option_can_be_set_to_its_default() {
        let config = config();
        for option in EngineOptions::specs(&config) {
            let default = match option.kind {
                OptionType::Check(default) => default.to_string(),
                OptionType::Spin { default, .. } => default.to_string(),
                OptionType::Combo { default, .. } => default.to_owned(),
                OptionType::Text | OptionType::File => "<empty>".to_owned(),
            };
            assert!(option.to_string().contains(&default));
            for name in &option.names {
                let mut options = EngineOptions::new(&config);
                options.set(&config, &name.to_uppercase(), Some(&default)).unwrap();
                assert_eq!(options, EngineOptions::new(&config), "{name}");
            }
        }
    }

    #[test]
    fn values_may_be_in_any_case() {
        let config = config();
        let mut options = EngineOptions::new(&config);
        for (name, value) in
            [("MateProbe", "FALSE"), ("USI_Ponder", "True"), ("Evaluation", "MATERIAL")]
        {
            options.set(&config, name, Some(value)).unwrap();
        }
        assert!(!options.settings.mate_probe && options.evaluation == "material");
    }

    #[test]
    fn without_files_no_option_names_one() {
        let (with, mut without) = (config(), config());
        without.files = false;
        let names = |config: &Config| -> Vec<_> {
            EngineOptions::specs(config).iter().map(|option| option.names[0]).collect()
        };
        let left_out: Vec<_> =
            names(&with).into_iter().filter(|name| !names(&without).contains(name)).collect();
        assert_eq!(left_out, OF_FILES);
        let error = EngineOptions::new(&without).set(&without, "EvalFile", Some("nn.bin"));
        assert_eq!(error, Err(OptionError::Unknown("EvalFile".to_owned())));
    }

    #[test]
    fn a_list_begins_with_its_default() {
        let lines: Vec<_> = EngineOptions::describe(&config()).collect();
        let variant = "option name USI_Variant type combo default shogi var shogi var kyotoshogi";
        assert_eq!(lines[0], variant);
        for line in lines.iter().filter(|line| line.contains(" combo ")) {
            let words: Vec<_> = line.split(' ').collect();
            let default = words.iter().position(|&word| word == "default").unwrap();
            assert_eq!(words[default + 1], words[default + 3], "{line}");
        }
    }

    #[test]
    fn parameters_are_options() {
        let (config, mut options) = (config(), EngineOptions::new(&config()));
        options.set(&config, "aspirationwindow", Some("45")).unwrap();
        assert!(options.set(&config, "AspirationWindow", Some("0")).is_err());
        for game in ["shogi", "minishogi"] {
            let parameters = Parameters::of_game(game);
            let expected = Parameters { aspiration_window: 45, ..parameters };
            assert_eq!(options.changed.applied_to(parameters), expected);
        }
    }

    #[test]
    fn the_listed_default_of_a_parameter_stands_for_the_value_of_the_game() {
        let (config, mut options) = (config(), EngineOptions::new(&config()));
        let parameters = Parameters::of_game("minishogi");
        for parameter in Parameter::ALL {
            options.set(&config, parameter.name, Some(&parameter.most.to_string())).unwrap();
            let listed = parameter.of(Parameters::of_game(config.first.name()));
            options.set(&config, parameter.name, Some(&listed.to_string())).unwrap();
        }
        assert_eq!(options.changed.applied_to(parameters), parameters);
    }

    #[test]
    fn values_out_of_range_change_nothing() {
        let config = config();
        let mut options = EngineOptions::new(&config);
        for (name, value) in [
            ("Absent", Some("1")),
            ("Hash", None),
            ("Hash", Some("0")),
            ("Hash", Some("99999999999999999999999999")),
            ("Hash", Some("-1")),
            ("Threads", Some("1000000")),
            ("Ponder", Some("maybe")),
        ] {
            assert!(options.set(&config, name, value).is_err(), "{name}");
        }
        assert_eq!(options, EngineOptions::new(&config));
        options.set(&config, "move overhead", Some("50")).unwrap();
        options.set(&config, "uci_variant", Some("KyotoShogi")).unwrap();
        let name = options.variant.map(EngineVariant::name);
        assert_eq!((options.overhead.as_millis(), name), (50, Some("kyotoshogi")));
    }

    #[test]
    fn a_name_that_no_variant_has_leaves_no_variant_until_another_is_named() {
        let config = config();
        let mut options = EngineOptions::new(&config);
        for unknown in [Some("chess"), Some(""), Some("shogi 9x9"), None] {
            options.set(&config, "USI_Variant", Some("shogi")).unwrap();
            assert!(options.set(&config, "USI_Variant", unknown).is_err(), "{unknown:?}");
            assert_eq!(options.variant, None, "{unknown:?}");
        }
        options.set(&config, "USI_Variant", Some("shogi")).unwrap();
        assert_eq!(options, EngineOptions::new(&config));
    }
}
