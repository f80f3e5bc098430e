//! `show`: pictures of positions.

use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use serde::Serialize;
use shogi_files::sealed::read_bounded;
use shogi_rules::Dialect;
use shogi_variants::operations::RuleTasks;

use crate::common::Common;
use crate::end::Outcome;
use crate::input::{InputLines, PositionSource};
use crate::variant::Game;
use crate::{batch, file, print};

/// Arguments of `show`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    game: Game,
    /// Draw the one position into an SVG file instead.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Draw kanji instead of letters.
    #[arg(long)]
    kanji: bool,
    #[command(flatten)]
    source: PositionSource,
}

#[derive(Serialize)]
struct ShowAnswer {
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
    let rules = arguments.game.variant.rules();
    let lines = arguments.source.lines(arguments.game.variant)?;
    if let Some(path) = &arguments.svg {
        return draw_svg(rules, lines, path.clone(), common);
    }
    let draw = |line: &str| {
        let picture = if arguments.kanji {
            rules.diagram(line, Some(Dialect::Lishogi))?.kanji().to_string()
        } else {
            rules.diagram(line, common.dialect())?.letters().to_string()
        };
        anyhow::Ok(ShowAnswer { picture })
    };
    if common.json {
        batch::run(lines, draw)
    } else {
        batch::print_each(lines, &|line| Ok(draw(line)?.picture))
    }
}

fn draw_svg(
    rules: RuleTasks,
    lines: InputLines,
    path: PathBuf,
    common: &Common,
) -> Result<Outcome> {
    let input = read_bounded(lines.open(), batch::MOST_LINE_BYTES);
    let input = input.map_err(anyhow::Error::from).and_then(|input| Ok(String::from_utf8(input)?));
    let input = input.context("cannot read standard input")?;
    let mut lines = input.lines();
    let line = lines.next().context("there is no position on standard input")?;
    ensure!(lines.next().is_none(), "an SVG file takes one position, not more");
    let drawn = match rules.diagram(line, Some(Dialect::Lishogi)) {
        Ok(diagram) => diagram.svg().to_string(),
        Err(error) if common.json => {
            print::answer(true, &batch::unanswered(line, &error.into()), "")?;
            return Ok(Outcome::Bad);
        }
        Err(error) => return Err(error.into()),
    };
    file::write_whole(&path, drawn.as_bytes())?;
    let text = format!("{} written", path.display());
    let answer = SvgAnswer { line: line.to_owned(), svg: path };
    print::answer_beside([&answer.svg], common.json, &answer, text)?;
    Ok(Outcome::Good)
}
