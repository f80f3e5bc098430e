//! `count`: exact numbers of placements.

use std::fmt::{self, Write};
use std::iter;

use anyhow::Result;
use serde::Serialize;
use shogi_rank::{BigUint, Checks};
use shogi_variants::operations::CheckClasses;

use crate::choice::{self, Choice};
use crate::common::Common;
use crate::end::Outcome;
use crate::print;
use crate::start::Start;
use crate::variant::Game;

/// Arguments of `count`.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    game: Game,
    /// Whether a position and its mirror image count as two or as one.
    #[arg(long, value_parser = choice::parser(MIRRORS), default_value = "folded")]
    mirror: Mirror,
    #[command(flatten)]
    start: Start,
    /// Divide what is left after the king stage by the checks on the player to move, mirror images
    /// always distinct.
    #[arg(long)]
    strata: bool,
}

/// How a position and its mirror image are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mirror {
    Distinct,
    Folded,
}

const MIRRORS: &[Choice<Mirror>] = &[
    ("distinct", "As two", Mirror::Distinct),
    (
        "folded",
        "As one, from the flip stage on; the candidates are folded by their kings alone",
        Mirror::Folded,
    ),
];

/// Exact numbers as decimal strings, since they do not fit the numbers of every JSON reader.
#[derive(Serialize)]
struct CountAnswer {
    candidates: String,
    /// Left after the flip stage, which drops nothing where mirror images are distinct.
    flip: String,
    /// Left after the pawn stage.
    pawn: String,
    /// Left after the king stage, where that number is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    king: Option<String>,
    /// Those of `pawn` whose kings are no neighbours, counted with mirror images distinct only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pawn_kings_apart: Option<String>,
    /// Placements that are their own mirror image.
    self_mirror: String,
    /// The classes of what is left after the king stage, where they are wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    strata: Option<Strata>,
    #[serde(flatten)]
    all: All,
}

/// All placements, mirror images always distinct.
#[derive(Serialize)]
struct All {
    /// By the number of pieces in hand.
    by_hand: Vec<String>,
    /// Their sum.
    total: String,
}

impl From<Vec<BigUint>> for All {
    fn from(by_hand: Vec<BigUint>) -> Self {
        let total = by_hand.iter().sum::<BigUint>().to_string();
        Self { by_hand: by_hand.iter().map(BigUint::to_string).collect(), total }
    }
}

/// Classes by the checks on the player to move.
#[derive(Serialize)]
struct Strata {
    /// Those to which no move can have led.
    excluded: String,
    classes: Vec<Class>,
}

#[derive(Serialize)]
struct Class {
    checks: String,
    size: String,
}

impl From<CheckClasses> for Strata {
    fn from(classes: CheckClasses) -> Self {
        let class = |(checks, size): (Checks, u128)| Class {
            checks: checks.to_string(),
            size: size.to_string(),
        };
        Self {
            excluded: classes.excluded.to_string(),
            classes: classes.classes.into_iter().map(class).collect(),
        }
    }
}

impl Strata {
    /// A line for each class.
    fn text(&self) -> String {
        let classes = self.classes.iter().map(|Class { checks, size }| (checks.as_str(), size));
        iter::once(("excluded", &self.excluded)).chain(classes).fold(
            "\n\nafter king, mirrors distinct, by the checks on the player to move\n".to_owned(),
            |text, (checks, size)| format!("{text}\n  {checks:<42} {size:>20}"),
        )
    }
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let ranking = arguments.game.variant.ranking();
    if arguments.start.is_named() {
        // The stages are those of the variant's own set.
        let all = All::from(ranking.by_hand_of(&arguments.start.sfen(arguments.game.variant)?)?);
        let rows = [("all, mirrors distinct", Some(&all.total))];
        print::answer(common.json, &all, text(&rows, &all)?)?;
        return Ok(Outcome::Good);
    }
    let counts = ranking.counts()?;
    let [candidates, flip, pawn] = match arguments.mirror {
        Mirror::Folded => [&counts.candidates, &counts.flip, &counts.pawn],
        Mirror::Distinct => [&counts.distinct, &counts.distinct, &counts.pawn_distinct],
    }
    .map(BigUint::to_string);
    let king = match arguments.mirror {
        Mirror::Folded => &counts.king,
        Mirror::Distinct => &counts.king_distinct,
    };
    let apart = counts.kings_apart_distinct.to_string();
    let strata = if arguments.strata { Some(Strata::from(ranking.classes()?)) } else { None };
    let answer = CountAnswer {
        candidates,
        flip,
        pawn,
        king: king.as_ref().map(BigUint::to_string),
        pawn_kings_apart: (arguments.mirror == Mirror::Distinct).then_some(apart),
        self_mirror: counts.self_mirror.to_string(),
        strata,
        all: ranking.by_hand().into(),
    };
    let rows = [
        ("candidates", Some(&answer.candidates)),
        ("after flip", Some(&answer.flip)),
        ("after pawn", Some(&answer.pawn)),
        ("after king", answer.king.as_ref()),
        ("with kings not adjacent", answer.pawn_kings_apart.as_ref()),
        ("own mirror image", Some(&answer.self_mirror)),
        ("all, mirrors distinct", Some(&answer.all.total)),
    ];
    let strata = answer.strata.as_ref().map(Strata::text).unwrap_or_default();
    print::answer(common.json, &answer, text(&rows, &answer.all)? + &strata)?;
    Ok(Outcome::Good)
}

fn text(rows: &[(&str, Option<&String>)], all: &All) -> Result<String, fmt::Error> {
    let width = rows.iter().filter_map(|(_, number)| Some(number.as_ref()?.len())).max();
    let width = width.unwrap_or_default();
    let mut text = String::new();
    for (name, number) in rows {
        if let Some(number) = number {
            writeln!(text, "{name:<24} {number:>width$}")?;
        }
    }
    // A board may be too small for all pieces of the set, so that no placement has few in hand.
    let counted = all.by_hand.iter().enumerate().filter(|(_, number)| *number != "0");
    for (in_hand, number) in counted {
        write!(text, "\n  {:<22} {number:>width$}", format!("{in_hand} in hand"))?;
    }
    Ok(text)
}
