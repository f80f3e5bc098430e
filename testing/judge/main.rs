//! Judges problems by brute force: what `shogi tsume check` and `shogi tsume generate` claim of them, item by item.
//!
//! Lines of JSON as these two print them, each with its `sfen`, come by standard input. For each that has an objection,
//! or something that is not decided within the limits, a line of JSON is printed; the last line is the summary. The
//! program fails if there is an objection. It is compiled without the search for mates. `tools/tsume_peers.py` runs it on thousands of problems.
//!
//! ```text
//! shogi tsume generate minishogi --plies 3 --count 10 | cargo run --release -p shogi-variants-problem-judge -- minishogi 3
//! ```

mod claim;

use std::env;
use std::io::{self, BufRead as _, Write as _};
use std::process::ExitCode;

use anyhow::{Context as _, Result, ensure};
use serde::Serialize;
use shogi_variants::{RuleSet, Variant, Visitor};
use testing::problem_judge::Judge;

use claim::{Claim, Judged};

const USAGE: &str = "problem_judge VARIANT [DEEPEST [BEYOND [EFFORT]]]";

/// What the command line says.
struct Arguments {
    variant: Variant,
    /// Mates longer than this are not looked for.
    deepest: u32,
    judge: Judge,
}

impl Arguments {
    fn read() -> Result<Self> {
        let arguments: Vec<_> = env::args().skip(1).collect();
        ensure!((1..=4).contains(&arguments.len()), "usage: {USAGE}");
        let number = |index: usize, default: u64| match arguments.get(index) {
            Some(text) => text.parse().with_context(|| format!("{text} is no number")),
            None => Ok(default),
        };
        let judge = Judge { beyond: number(2, 2)? as u32, effort: number(3, 20_000)? };
        Ok(Self { variant: arguments[0].parse()?, deepest: number(1, 5)? as u32, judge })
    }
}

fn say(text: &str) -> Result<()> {
    Ok(writeln!(io::stdout(), "{text}")?)
}

/// What was judged of all problems.
#[derive(Default, Serialize)]
struct Summary {
    problems: usize,
    /// Claimed to be sound.
    sound: usize,
    /// Claimed to have no mate.
    no_mate: usize,
    /// With a mate that is longer than what is looked for.
    too_long: usize,
    /// With one solution, shown to the end: no other check ever mates.
    shown_unique: usize,
    /// Without mate, shown to the end.
    shown_no_mate: usize,
    /// With something that is not decided.
    undecided: usize,
    objections: usize,
}

impl Summary {
    fn add(&mut self, claim: &Claim, judged: &Judged) {
        self.problems += 1;
        self.sound += usize::from(claim.sound);
        self.no_mate += usize::from(claim.plies.is_none());
        self.too_long += usize::from(judged.is_too_long);
        self.shown_unique += usize::from(judged.shown_unique);
        self.shown_no_mate += usize::from(judged.shown_no_mate);
        self.undecided += usize::from(!judged.undecided.is_empty());
        self.objections += usize::from(!judged.objections.is_empty());
    }
}

/// The judge of the problems of a game.
struct Court<'a>(&'a Arguments);

impl Visitor for Court<'_> {
    type Output = Result<Summary>;

    fn visit<R: RuleSet>(self) -> Result<Summary> {
        let &Arguments { deepest, judge, .. } = self.0;
        let mut summary = Summary::default();
        for line in io::stdin().lock().lines() {
            let line = line?;
            let claim: Claim = serde_json::from_str(&line).with_context(|| line.clone())?;
            let judged = claim.judge::<R>(judge, deepest).with_context(|| line.clone())?;
            if judged.has_remarks() {
                say(&serde_json::to_string(&judged)?)?;
            }
            summary.add(&claim, &judged);
        }
        Ok(summary)
    }
}

fn main() -> ExitCode {
    run().unwrap_or_else(|error| {
        // Standard error may be closed.
        let _ = writeln!(io::stderr(), "problem_judge: error: {error:#}");
        ExitCode::FAILURE
    })
}

fn run() -> Result<ExitCode> {
    let arguments = Arguments::read()?;
    let summary = arguments.variant.visit(Court(&arguments))?;
    say(&serde_json::to_string(&summary)?)?;
    Ok(if summary.objections == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
