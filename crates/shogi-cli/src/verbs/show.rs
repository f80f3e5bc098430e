//! `show`: pictures of positions.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use serde::Serialize;
use shogi_rules::Dialect;
use shogi_variants::operations::AnyRules;

use crate::common::Common;
use crate::end::Outcome;
use crate::variant::{self, Variant};
use crate::{batch, file, picture, print, svg};

/// Arguments of `show`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[arg(value_parser = variant::parser())]
    variant: Variant,
    /// Draw the one position on standard input into an SVG file instead.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Draw with kanji instead of letters.
    #[arg(long)]
    kanji: bool,
}

#[derive(Serialize)]
struct Answer {
    picture: String,
}

#[derive(Serialize)]
struct SvgAnswer {
    #[serde(rename = "in")]
    line: String,
    svg: PathBuf,
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let rules = arguments.variant.rules();
    if let Some(path) = &arguments.svg {
        return draw_svg(rules, path.clone(), common);
    }
    let draw = |line: &str| {
        let picture = if arguments.kanji {
            picture::kanji_board(&rules.diagram(line, Some(Dialect::Lishogi))?)?
        } else {
            picture::letters(&rules.diagram(line, common.dialect_asked_for())?)?
        };
        anyhow::Ok(Answer { picture })
    };
    if common.json { batch::run(draw) } else { print_each(|line| Ok(draw(line)?.picture)) }
}

/// Prints the pictures of all lines, with an empty line between two; errors on standard error.
fn print_each(draw: impl Fn(&str) -> Result<String>) -> Result<Outcome> {
    let mut output = io::stdout().lock();
    let (mut number, mut outcome, mut written) = (0, Outcome::Good, Ok(()));
    batch::for_each_line(io::stdin().lock(), |line| {
        number += 1;
        let gap = if number == 1 { "" } else { "\n" };
        written = match batch::text(&line).and_then(&draw) {
            Ok(drawn) => writeln!(output, "{gap}{drawn}"),
            Err(error) => {
                outcome = Outcome::Bad;
                writeln!(io::stderr(), "line {number}: {error:#}")
            }
        };
        written.is_ok()
    })
    .context("cannot read standard input")?;
    written?;
    Ok(outcome)
}

fn draw_svg(rules: &dyn AnyRules, path: PathBuf, common: &Common) -> Result<Outcome> {
    let input = io::read_to_string(io::stdin()).context("cannot read standard input")?;
    let mut lines = input.lines();
    let line = lines.next().context("there is no position on standard input")?;
    ensure!(lines.next().is_none(), "an SVG file takes one position, not more");
    let drawn = svg::svg(&rules.diagram(line, Some(Dialect::Lishogi))?)?;
    file::write_whole(&path, drawn.as_bytes())?;
    let text = format!("{} written", path.display());
    print::answer(common.json, &SvgAnswer { line: line.to_owned(), svg: path }, text)?;
    Ok(Outcome::Good)
}
