//! The command line.

use std::env;

use anyhow::Result;
use clap::error::ErrorKind;
use clap::{Arg, Command, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use shogi_variants::tasks::{ClassifyTask, MovesTask, RankTask, UnmovesTask, UnrankTask};

use crate::common::Common;
use crate::end::{self, Outcome};
use crate::input::RankSource;
use crate::stray;
use crate::verbs;

/// Rules, counting, reachability, solving and play for the shogi family.
///
/// Batch verbs read one item a line from standard input and answer each with one JSON object a line.
/// Exit codes: 0 good, 1 some input was bad or a claim was refuted, 2 usage, 130 interrupted.
#[derive(Parser, Debug)]
#[command(name = "shogi", version, arg_required_else_help = true)]
pub struct Arguments {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand, Debug)]
enum Verb {
    /// Counts the sequences of legal moves of a given length.
    Perft(verbs::perft::Arguments),
    /// Lists the legal moves of positions read from standard input.
    Moves(verbs::lines::Arguments<MovesTask>),
    /// Lists the legal positions one move before positions read from standard input.
    Unmoves(verbs::lines::Arguments<UnmovesTask>),
    /// Draws positions read from standard input.
    Show(verbs::show::Arguments),
    /// Numbers placements read from standard input.
    Rank(verbs::lines::Arguments<RankTask>),
    /// Writes the placements whose numbers are read from standard input.
    Unrank(verbs::lines::Arguments<UnrankTask, RankSource>),
    /// Counts placements exactly.
    Count(verbs::count::Arguments),
    /// Classifies positions read from standard input as reachable in a game or not.
    Classify(verbs::lines::Arguments<ClassifyTask>),
    /// Estimates the number of reachable positions from a sample.
    Estimate(verbs::estimate::Arguments),
    /// Searches positions read from standard input for a mate by checks.
    Mate(verbs::mate::Arguments),
    /// Examines mate problems by the custom of problem books, and composes new ones.
    Tsume(verbs::tsume::Arguments),
    /// Proves the value of a position.
    Solve(verbs::solve::Arguments),
    /// Builds and probes tablebases: the value of every position of a small game.
    Tablebase(verbs::tablebase::Arguments),
    /// Merges the shards of an estimate.
    Merge(verbs::merge::Arguments),
    /// Verifies certificates, proofs, shards, tablebases, checkpoints and evaluations.
    Verify(verbs::verify::Arguments),
    /// Builds and reads files that prove the value of a position.
    Proof(verbs::proof::Arguments),
    /// Learns evaluations, for the player or for proof searches.
    Learn(verbs::learn::Arguments),
    /// Plays a game against you, in the terminal.
    Play(verbs::play::Arguments),
    /// Plays games of the player against itself.
    Selfplay(verbs::selfplay::Arguments),
    /// Lists the terms of the player's evaluation of positions read from standard input.
    Explain(verbs::explain::Arguments),
    /// Searches fixed positions of every variant and prints the nodes, which change with any change of the search.
    Bench(verbs::bench::Arguments),
    /// Runs as a USI engine.
    Usi(verbs::usi::Arguments),
    /// Converts the record of a game from one format to another.
    #[command(override_usage = "shogi convert [OPTIONS] --to <FORMAT> [VARIANT] <FILE>")]
    Convert(verbs::convert::Arguments),
    /// Reads and writes variants as text.
    Variant(verbs::variant_text::Arguments),
    /// Serves a page to explore positions, proofs and tablebases in the browser.
    #[cfg(feature = "explore")]
    Explore(verbs::explore::Arguments),
    /// Serves the values of tablebases over HTTP, in the form of lichess's tablebase server.
    #[cfg(feature = "explore")]
    Serve(verbs::serve::Arguments),
    /// Sets published figures beside those of this program: counts, samples, proofs, mates, a tablebase.
    Selftest(verbs::selftest::Arguments),
    /// Prints a script that completes the program's arguments in a shell.
    Completions(verbs::completions::Arguments),
    /// Writes the program's manual pages.
    Manual(verbs::manual::Arguments),
    /// Writes the pages of the book about the verbs and the engine.
    #[command(hide = true)]
    Reference(verbs::reference::Arguments),
}

/// The common options that each verb uses. All are accepted everywhere, so that a script can give the same
/// ones to every verb; help shows those that do something.
const USED: &[(&str, &[&str])] = &[
    ("perft", &["json", "threads", "dialect"]),
    ("moves", &["json", "threads", "dialect"]),
    ("unmoves", &["threads", "dialect"]),
    ("show", &["json", "dialect"]),
    ("rank", &["threads"]),
    ("unrank", &["threads", "dialect"]),
    ("count", &["json", "threads"]),
    ("classify", &["threads"]),
    ("estimate", &["json", "threads"]),
    ("mate", &["json", "threads", "dialect"]),
    ("tsume", &["json", "threads", "dialect"]),
    ("tsume check", &["json", "threads", "dialect"]),
    ("tsume generate", &["json", "threads", "dialect"]),
    ("solve", &["json", "dialect"]),
    ("tablebase", &["json", "threads", "dialect"]),
    ("tablebase build", &["json", "threads"]),
    ("tablebase probe", &["threads", "dialect"]),
    ("tablebase stats", &["json", "dialect"]),
    ("tablebase verify", &["json", "threads"]),
    ("merge", &["json"]),
    ("verify", &["json", "threads", "dialect"]),
    ("proof", &["json", "threads", "dialect"]),
    ("proof build", &["json", "dialect"]),
    ("proof work", &["json"]),
    ("proof expand", &["json", "dialect"]),
    ("proof shorten", &["json", "dialect"]),
    ("proof verify", &["json", "dialect"]),
    ("proof stats", &["json", "dialect"]),
    ("proof line", &["json", "dialect"]),
    ("proof link", &["json"]),
    ("proof walk", &["threads", "dialect"]),
    ("learn", &["json", "threads"]),
    ("learn proofs", &["json", "threads"]),
    ("learn fit", &["json"]),
    ("learn match", &["json", "threads"]),
    ("learn convert", &["json"]),
    ("play", &["json", "dialect"]),
    ("selfplay", &["json", "threads", "dialect"]),
    ("explain", &["json", "threads"]),
    ("bench", &["json"]),
    ("usi", &["dialect"]),
    ("convert", &["dialect"]),
    ("variant", &["json", "threads", "dialect"]),
    ("variant check", &["json", "dialect"]),
    ("variant show", &[]),
    ("variant list", &["json"]),
    ("variant report", &["json", "threads", "dialect"]),
    ("variant import", &["json"]),
    #[cfg(feature = "explore")]
    ("explore", &[]),
    #[cfg(feature = "explore")]
    ("serve", &[]),
    ("selftest", &["json", "threads"]),
    ("completions", &[]),
    ("manual", &[]),
    ("reference", &[]),
];

/// The verbs by what they are for, in the order of help.
const GROUPS: &[(&str, &[&str])] = &[
    (
        "Play",
        &[
            "play",
            "usi",
            "selfplay",
            "explain",
            #[cfg(feature = "explore")]
            "explore",
        ],
    ),
    ("Rules and records", &["moves", "unmoves", "perft", "show", "convert", "variant"]),
    ("Count", &["count", "rank", "unrank", "classify", "estimate", "merge"]),
    (
        "Solve",
        &[
            "mate",
            "tsume",
            "solve",
            "proof",
            "tablebase",
            #[cfg(feature = "explore")]
            "serve",
        ],
    ),
    ("Learn", &["learn"]),
    (
        "Files and the program itself",
        &["verify", "selftest", "bench", "completions", "manual", "help"],
    ),
];

/// The verbs in their groups, for help.
fn groups(command: &Command) -> String {
    let about = |name: &str| -> String {
        let verb = command.find_subcommand(name);
        let about = verb.and_then(Command::get_about).map(ToString::to_string);
        about.unwrap_or_else(|| "Prints the help of a verb".to_owned())
    };
    let widest = GROUPS.iter().flat_map(|(_, verbs)| *verbs).map(|name| name.len()).max();
    let width = widest.unwrap_or(0);
    let mut text = String::new();
    for (title, verbs) in GROUPS {
        text.push_str(&format!("{title}:\n"));
        for name in *verbs {
            text.push_str(&format!("  {name:width$}  {}\n", about(name)));
        }
        text.push('\n');
    }
    text
}

/// Hides the common options that a verb and the verbs below it do not use.
fn hide_unused(verb: Command, path: &str, common: &[Arg]) -> Command {
    let below: Vec<_> = verb.get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
    let verb = below.into_iter().fold(verb, |verb, name| {
        let path = format!("{path} {name}");
        verb.mut_subcommand(name, |below| hide_unused(below, path.trim_start(), common))
    });
    match USED.iter().find(|(name, _)| *name == path) {
        None => verb,
        Some((_, used)) => {
            let unused = common.iter().filter(|option| !used.contains(&option.get_id().as_str()));
            verb.args(unused.map(|option| option.clone().hide(true)))
        }
    }
}

impl Arguments {
    /// Reads the arguments that the program was called with; ends the program where they are wrong or
    /// request help.
    pub fn from_command_line() -> Self {
        let matches = Self::command_line().try_get_matches();
        let arguments = matches.and_then(|matches| Self::from_arg_matches(&matches));
        arguments.unwrap_or_else(|error| {
            let words: Vec<_> =
                env::args_os().skip(1).filter_map(|word| word.into_string().ok()).collect();
            let help = Self::help_among(&words);
            end::with_usage(
                &help.unwrap_or_else(|| stray::explained(error, &Self::command(), &words)),
            )
        })
    }

    /// The help of the verb that these words name, if they request it: clap prints it only where it stands before the first
    /// word that a verb refuses.
    fn help_among(words: &[String]) -> Option<clap::Error> {
        let before_operands = || words.iter().take_while(|word| *word != "--");
        let request = before_operands().find(|word| ["--help", "-h"].contains(&word.as_str()))?;
        let command = Self::command();
        let mut verb = &command;
        let mut line = vec![command.get_name()];
        for word in before_operands() {
            if let Some(below) = verb.find_subcommand(word) {
                verb = below;
                line.push(word);
            }
        }
        line.push(request);
        let help = Self::command_line().try_get_matches_from(line).err();
        help.filter(|help| help.kind() == ErrorKind::DisplayHelp)
    }

    fn command_line() -> Command {
        let command = Self::command();
        let groups = groups(&command);
        let command = command.help_template(format!(
            "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}Options:\n{{options}}{{after-help}}"
        ));
        let common: Vec<_> =
            command.get_arguments().filter(|option| option.is_global_set()).cloned().collect();
        hide_unused(command, "", &common)
    }

    /// Carries out the verb.
    pub fn run(&self) -> Result<Outcome> {
        let common = &self.common;
        common.start_threads()?;
        match &self.verb {
            Verb::Perft(arguments) => verbs::perft::run(arguments, common),
            Verb::Moves(arguments) => arguments.run_readable(common),
            Verb::Unmoves(arguments) => arguments.run(common),
            Verb::Show(arguments) => verbs::show::run(arguments, common),
            Verb::Rank(arguments) => arguments.run(common),
            Verb::Unrank(arguments) => arguments.run(common),
            Verb::Count(arguments) => verbs::count::run(arguments, common),
            Verb::Classify(arguments) => arguments.run(common),
            Verb::Estimate(arguments) => verbs::estimate::run(arguments, common),
            Verb::Mate(arguments) => verbs::mate::run(arguments, common),
            Verb::Tsume(arguments) => verbs::tsume::run(arguments, common),
            Verb::Solve(arguments) => verbs::solve::run(arguments, common),
            Verb::Tablebase(arguments) => verbs::tablebase::run(arguments, common),
            Verb::Merge(arguments) => verbs::merge::run(arguments, common),
            Verb::Verify(arguments) => verbs::verify::run(arguments, common),
            Verb::Proof(arguments) => verbs::proof::run(arguments, common),
            Verb::Learn(arguments) => verbs::learn::run(arguments, common),
            Verb::Play(arguments) => verbs::play::run(arguments, common),
            Verb::Selfplay(arguments) => verbs::selfplay::run(arguments, common),
            Verb::Explain(arguments) => verbs::explain::run(arguments, common),
            Verb::Bench(arguments) => verbs::bench::run(arguments, common),
            Verb::Usi(arguments) => verbs::usi::run(arguments, common),
            Verb::Convert(arguments) => verbs::convert::run(arguments, common),
            Verb::Variant(arguments) => verbs::variant_text::run(arguments, common),
            #[cfg(feature = "explore")]
            Verb::Explore(arguments) => verbs::explore::run(arguments),
            #[cfg(feature = "explore")]
            Verb::Serve(arguments) => verbs::serve::run(arguments),
            Verb::Selftest(arguments) => verbs::selftest::run(arguments, common),
            Verb::Completions(arguments) => {
                verbs::completions::run(arguments, Self::command_line())
            }
            Verb::Manual(arguments) => verbs::manual::run(arguments, Self::command_line()),
            Verb::Reference(arguments) => verbs::reference::run(arguments, Self::command_line()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The path of each verb and of the verbs below it, with its help.
    fn helps() -> Vec<(String, String)> {
        fn walk(verb: &mut Command, path: &str, helps: &mut Vec<(String, String)>) {
            for below in verb.get_subcommands_mut().filter(|below| below.get_name() != "help") {
                let path = format!("{path} {}", below.get_name()).trim_start().to_owned();
                helps.push((path.clone(), below.render_long_help().to_string()));
                walk(below, &path, helps);
            }
        }
        let mut command = Arguments::command_line();
        command.build();
        let mut helps_found = Vec::new();
        walk(&mut command, "", &mut helps_found);
        helps_found
    }

    #[test]
    fn help_shows_the_common_options_that_a_verb_uses_and_no_other() {
        let helps = helps();
        let paths: Vec<_> = helps.iter().map(|(path, _)| path.as_str()).collect();
        let known: Vec<_> = USED.iter().map(|(path, _)| *path).collect();
        assert_eq!(paths, known);
        for ((path, help), (_, used)) in helps.iter().zip(USED) {
            for option in ["json", "threads", "dialect"] {
                let shown = help.contains(&format!("--{option}"));
                assert_eq!(shown, used.contains(&option), "{path}: {help}");
            }
        }
    }

    #[test]
    fn help_lists_every_verb_in_one_group() {
        let mut command = Arguments::command_line();
        let verbs: Vec<_> = Arguments::command()
            .get_subcommands()
            .filter(|verb| !verb.is_hide_set())
            .map(|verb| verb.get_name().to_owned())
            .collect();
        let grouped: Vec<_> = GROUPS.iter().flat_map(|(_, verbs)| *verbs).copied().collect();
        for verb in &verbs {
            assert_eq!(grouped.iter().filter(|name| *name == verb).count(), 1, "{verb}");
        }
        assert_eq!(grouped.len(), verbs.len() + 1, "and help");
        for help in [command.render_help(), command.render_long_help()] {
            let help = help.to_string();
            assert!(help.contains("\nCount:\n  count"), "{help}");
            assert!(help.contains("--threads") && help.contains("Usage: shogi"), "{help}");
        }
    }

    #[test]
    fn help_shows_the_options_of_a_verb_before_the_common_ones() {
        for (path, help) in helps() {
            let Some(common) = help.find("Common options:") else { continue };
            let own = help.find("Options:").unwrap();
            assert!(own < common && help.find("--json").is_none_or(|at| at > common), "{path}");
        }
    }

    #[test]
    fn help_says_what_every_argument_is() {
        fn walk(verb: &Command, path: &str, seen: &mut usize) {
            for argument in verb.get_arguments() {
                assert!(argument.get_help().is_some(), "{path}: {argument}");
                *seen += 1;
            }
            for below in verb.get_subcommands() {
                walk(below, &format!("{path} {}", below.get_name()), seen);
            }
        }
        let mut seen = 0;
        walk(&Arguments::command(), "shogi", &mut seen);
        assert!(seen > 150, "{seen}");
    }

    #[test]
    fn every_verb_takes_every_common_option() {
        for common in ["--json", "--threads 2", "--dialect fairy"] {
            for line in [format!("shogi rank minishogi {common}"), format!("shogi {common} usi")] {
                let matches = Arguments::command_line().try_get_matches_from(line.split(' '));
                assert!(Arguments::from_arg_matches(&matches.unwrap()).is_ok(), "{line}");
            }
        }
        let line = "shogi rank minishogi --json --threads 2".split(' ');
        let matches = Arguments::command_line().try_get_matches_from(line).unwrap();
        assert!(Arguments::from_arg_matches(&matches).unwrap().common.json);
    }
}
