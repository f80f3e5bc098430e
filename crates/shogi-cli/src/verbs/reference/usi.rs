//! The page about the engine: its options, from what it answers to `usi`, and what the protocol leaves open.

use std::fmt::Write as _;

use anyhow::Result;
use shogi_search::{Parameter, usi};
use shogi_variants::Variant;

use super::cell;
use super::protocol::PROTOCOL;

const HEAD: &str = "# The USI engine

Which options does the engine have, and what does it do where the protocol leaves it open? How it is set up in other programs stands in
[with graphical programs, servers and bots](../guide/guis.md). This page is written by the program: `shogi reference DIR`.

`shogi-usi` is the engine for programs that start engines without arguments. It begins with shogi, `shogi-usi --variant V` and `shogi usi --variant V`
with another game. Names and values of options may be in any case. The list of values of an option begins with its default, since some programs
know no other.
";

/// The options but for the search's numbers: the other names that are taken, and what each is for.
const MEANINGS: &[(&str, &str, &str)] = &[
    (
        "USI_Variant",
        "UCI_Variant",
        "The game; it may change between games. Where it names none that is known, nothing is played.",
    ),
    (
        "USI_Hash",
        "Hash",
        "Megabytes of the table; the search for mates has 4 MB of its own. Where the system refuses the memory, that \
         is an error, and 1 MiB and one thread are used.",
    ),
    ("USI_Ponder", "Ponder", "Accepted; the engine ponders when `go ponder` requests it."),
    ("Threads", "USI_Threads", "With one thread and a limit of nodes every search is the same."),
    ("MultiPV", "USI_MultiPV", "Lines reported, the best first."),
    (
        "NetworkDelay",
        "Move Overhead, MoveOverhead",
        "Milliseconds that a move loses on its way, kept back of every time. With 10 only 1/32 of a fixed time for \
         the move, from 2 to 10 ms.",
    ),
    ("MateProbe", "", "Whether a search for mates by checks comes first."),
    (
        "RootIsAndNodeIfChecked",
        "",
        "Whether a side to move that is in check is the defender in `go mate`. If not, it is the attacker.",
    ),
    ("ResignValue", "", "Resigns where the score is this far below zero; 30000: never."),
    ("EnteringKingRule", "", "When an entered king wins, in shogi, from the next `position` on."),
    ("Dialect", "", "The notation that is written; both are read."),
    (
        "Evaluation",
        "",
        "The evaluation; the variant's standard one where it has none of this name.",
    ),
    ("EvalFile", "", "A network or weights made by `shogi learn`, or an `nn.bin`."),
    ("FV_SCALE", "", "What the output of an `nn.bin` is divided by."),
    (
        "TablebasePath",
        "",
        "A folder with tablebases under their usual names; `isready` and `go` report what is missing or damaged.",
    ),
    (
        "OpeningPlies",
        "",
        "So many first plies are drawn among moves nearly as good as the best; 0 always plays the best.",
    ),
    ("OpeningMargin", "", "How much worse than the best these may be, in hundredths of a pawn."),
    ("OpeningSeed", "", "What is drawn; with 0 other moves each time."),
];

/// The page.
pub fn page() -> Result<String> {
    let mut answer = Vec::new();
    usi::run("usi\nquit\n".as_bytes(), &mut answer, &Variant::Shogi.engine())?;
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let options: Vec<_> =
        answer.lines().filter_map(|line| line.strip_prefix("option name ")).map(split).collect();
    let mut page = HEAD.to_owned();
    page.push_str("\n## Options\n\n| option | also as | values | default | meaning |\n|---|---|---|---|---|\n");
    let is_number = |name: &str| Parameter::ALL.iter().any(|parameter| parameter.name == name);
    for (name, values, default) in options.iter().filter(|(name, ..)| !is_number(name)) {
        let known = MEANINGS.iter().find(|(known, ..)| known == name);
        let (also, meaning) = known.map_or(("", ""), |&(_, also, meaning)| (also, meaning));
        // Writing to a string cannot fail.
        let _ = writeln!(page, "| `{name}` | {also} | {values} | {default} | {} |", cell(meaning));
    }
    page.push_str(
        "\n## Numbers of the search\n\nBy how much the search prunes, reduces and extends; the fields of \
         `shogi_search::Parameters` say what each means.\n`tools/spsa.py` [tunes them](../notes/player.md#tuning), and each \
         changes the signature of `shogi bench`. The defaults are those of shogi. In a game with values of its own, \
         and with a network in the format\n`nn.bin`, the default stands for them; `shogi-usi --variant minishogi` lists those of Minishogi.\n\n| option | values | default |\n|---|---|---|\n",
    );
    for (name, values, default) in options.iter().filter(|(name, ..)| is_number(name)) {
        let _ = writeln!(page, "| `{name}` | {values} | {default} |");
    }
    page.push_str(PROTOCOL);
    Ok(page)
}

/// The name, values and default of an option in the answer to `usi`.
fn split(line: &str) -> (String, String, String) {
    let (name, rest) = line.split_once(" type ").unwrap_or((line, ""));
    let mut words = rest.split(' ');
    let kind = words.next().unwrap_or_default();
    let (mut default, mut bounds, mut names) = (String::new(), Vec::new(), Vec::new());
    while let Some(word) = words.next() {
        let Some(value) = words.next() else { break };
        match word {
            "default" => default = value.to_owned(),
            "var" => names.push(format!("`{value}`")),
            _ => bounds.push(value.to_owned()),
        }
    }
    let values = match kind {
        "spin" => bounds.join(" to "),
        "combo" => names.join(", "),
        "check" => "`true`, `false`".to_owned(),
        "filename" => "a file".to_owned(),
        _ => "a text".to_owned(),
    };
    let default = if default == "<empty>" { String::new() } else { format!("`{default}`") };
    (name.to_owned(), values, default)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_has_a_meaning_and_every_meaning_an_option() {
        let page = page().unwrap();
        for (name, ..) in MEANINGS {
            assert_eq!(page.matches(&format!("\n| `{name}` |")).count(), 1, "{name}");
        }
        let without = page.lines().filter(|line| line.starts_with("| `") && line.ends_with("|  |"));
        assert_eq!(without.collect::<Vec<_>>(), Vec::<&str>::new());
    }

    #[test]
    fn options_are_split_into_values_and_default() {
        let split = |line| {
            let (name, values, default) = split(line);
            [name, values, default].join("; ")
        };
        assert_eq!(split("Threads type spin default 1 min 1 max 256"), "Threads; 1 to 256; `1`");
        assert_eq!(split("A type combo default b var b var c"), "A; `b`, `c`; `b`");
        assert_eq!(split("EvalFile type filename default <empty>"), "EvalFile; a file; ");
    }
}
