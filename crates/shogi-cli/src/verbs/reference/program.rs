//! The page about the verbs, from the command line itself.

use std::fmt::Write as _;

use clap::builder::PossibleValue;
use clap::{Arg, Command};
use shogi_variants::Variant;

use super::cell;

const HEAD: &str = "# The program's verbs

Which verbs does `shogi` have, and what does each option do? This page is written by the program (`shogi reference DIR`); the same is
in `shogi VERB --help` and in the manual pages (`shogi manual DIR`). What the answers hold stands in [JSON of answers](json.md).

Batch verbs read one item a line from standard input and answer each with one JSON object a line, in the same order. Exit codes: 0 good, 1
some input was bad or a claim was refuted, 2 usage, 130 interrupted. Progress and remarks go to standard error.
";

/// The page.
pub fn page(mut command: Command) -> String {
    command.build();
    let mut page = HEAD.to_owned();
    games(&mut page);
    let common: Vec<_> = command.get_arguments().filter(|option| option.is_global_set()).collect();
    page.push_str(
        "\n## Common options\n\nEvery verb takes them; a verb lists those that it uses.\n\n",
    );
    table(&mut page, &common);
    for verb in command.get_subcommands() {
        describe(&mut page, verb, "shogi", 2);
    }
    page
}

/// The games, once for all verbs that take one.
fn games(page: &mut String) {
    page.push_str(
        "\n## Games\n\n`<VARIANT>` is the name of a built-in game, or the path of \
         [a file that describes one](../guide/own-variants.md). A verb that takes only some games lists them.\n\n\
         | name | game |\n|---|---|\n",
    );
    for (name, title) in Variant::built_in() {
        // Writing to a string cannot fail.
        let _ = writeln!(page, "| `{name}` | {title} |");
    }
}

/// Whether these values are the names of all built-in games.
fn are_all_games(values: &[PossibleValue]) -> bool {
    values.iter().map(PossibleValue::get_name).eq(Variant::built_in().map(|(name, _)| name))
}

/// A verb and the verbs below it.
fn describe(page: &mut String, verb: &Command, path: &str, level: usize) {
    if verb.get_name() == "help" || verb.is_hide_set() {
        return;
    }
    let path = format!("{path} {}", verb.get_name());
    let about = verb.get_long_about().or_else(|| verb.get_about());
    let about = about.map(ToString::to_string).unwrap_or_default();
    let stop = if about.ends_with('.') { "" } else { "." };
    // Writing to a string cannot fail.
    let _ =
        write!(page, "\n{} `{path}`\n\n{}{stop}\n", "#".repeat(level), about.replace('<', "&lt;"));
    let usage = verb.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ");
    let _ = write!(page, "\n```text\n{usage}\n```\n");
    let (common, own): (Vec<_>, Vec<_>) = verb
        .get_arguments()
        .filter(|option| !option.is_hide_set() && option.get_id() != "help")
        .partition(|option| option.is_global_set());
    if !own.is_empty() {
        page.push('\n');
        table(page, &own);
    }
    let names: Vec<_> = common.iter().map(|option| format!("`{}`", name(option))).collect();
    if !names.is_empty() {
        let _ = write!(page, "\nCommon options: {}.\n", names.join(", "));
    }
    for below in verb.get_subcommands() {
        describe(page, below, &path, level + 1);
    }
}

/// A row for each argument.
fn table(page: &mut String, arguments: &[&Arg]) {
    page.push_str("| argument | meaning |\n|---|---|\n");
    for argument in arguments {
        let help = argument.get_long_help().or_else(|| argument.get_help());
        let mut meaning = cell(&help.map(ToString::to_string).unwrap_or_default());
        let values = argument.get_possible_values();
        let takes_values = argument.get_action().takes_values();
        if takes_values && are_all_games(&values) {
            sentence(&mut meaning, "One of the [games](#games)");
        } else if takes_values && !values.is_empty() {
            let values = values.iter().filter(|value| !value.is_hide_set()).map(|value| {
                let help = value.get_help().map(ToString::to_string);
                let help = help.map_or(String::new(), |help| format!(" ({})", cell(&help)));
                format!("`{}`{help}", value.get_name())
            });
            let values: Vec<_> = values.collect();
            sentence(&mut meaning, &format!("One of {}", values.join(", ")));
        }
        let defaults = argument.get_default_values();
        if takes_values && !defaults.is_empty() {
            let defaults: Vec<_> =
                defaults.iter().map(|value| format!("`{}`", value.to_string_lossy())).collect();
            sentence(&mut meaning, &format!("Default: {}", defaults.join(" ")));
        }
        if !meaning.is_empty() && !meaning.ends_with(['.', ']']) {
            meaning.push('.');
        }
        let name = name(argument).replace('|', "\\|");
        let _ = writeln!(page, "| `{name}` | {meaning} |");
    }
}

/// Adds a sentence.
fn sentence(text: &mut String, more: &str) {
    if !text.is_empty() {
        text.push_str(if text.ends_with(['.', ']']) { " " } else { ". " });
    }
    text.push_str(more);
}

/// An argument as it is written.
fn name(argument: &Arg) -> String {
    let value = argument.get_value_names().map(|names| {
        let names: Vec<_> = names.iter().map(|name| format!("<{name}>")).collect();
        names.join(" ")
    });
    let value = value.filter(|_| argument.get_action().takes_values());
    match (argument.get_long(), value) {
        (Some(long), Some(value)) => format!("--{long} {value}"),
        (Some(long), None) => format!("--{long}"),
        (None, value) => {
            value.unwrap_or_else(|| format!("<{}>", argument.get_id().as_str().to_uppercase()))
        }
    }
}
