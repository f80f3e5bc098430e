//! `selftest`: published figures beside those of this program.

mod figures;

use std::fmt;
use std::time::Instant;

use anyhow::{Context as _, Result};
use serde::Serialize;

use crate::bar::count;
use crate::common::Common;
use crate::end::{Interrupted, Outcome};
use crate::interrupt::Interrupt;
use crate::print;
use figures::{DOBUTSU, FIGURES, Published, dobutsu_table};

/// Arguments of `selftest`.
///
/// Counts, samples, proofs and mates are computed anew and set beside published figures. The exit code is 1 if any
/// differs.
#[derive(clap::Args, Debug)]
pub struct Arguments {
    /// Leave out the figures from tablebases, which take most of the time. That of 3x4 shogi with four gold generals
    /// is built in a temporary file unless it lies in the current directory or the cache folder; that of Dobutsu
    /// shogi is looked up if it lies there.
    #[arg(long)]
    quick: bool,
}

/// All figures.
#[derive(Serialize)]
struct SelftestAnswer {
    /// Whether all of them agree.
    ok: bool,
    seconds: f64,
    figures: Vec<Compared>,
}

/// A published figure beside that of this program.
#[derive(Serialize)]
struct Compared {
    what: &'static str,
    source: &'static str,
    published: &'static str,
    here: String,
    agrees: bool,
    seconds: f64,
}

impl Compared {
    fn new(figure: &Published, here: String, seconds: f64) -> Self {
        let &Published { what, source, published, tolerance, .. } = figure;
        Self { what, source, published, agrees: agrees(published, &here, tolerance), here, seconds }
    }
}

/// Whether two figures are the same, or numbers that differ by no more than the tolerance.
fn agrees(published: &str, here: &str, tolerance: Option<f64>) -> bool {
    let Some(tolerance) = tolerance else { return published == here };
    let difference = published.parse::<f64>().ok().zip(here.parse::<f64>().ok());
    difference.is_some_and(|(published, here)| (published - here).abs() <= tolerance)
}

impl fmt::Display for SelftestAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Compared { what, source, published, here, agrees, .. } in &self.figures {
            let verdict = if *agrees { "agrees " } else { "DIFFERS" };
            writeln!(f, "{verdict}  {what}")?;
            writeln!(f, "         here       {here}")?;
            writeln!(f, "         published  {published}  {source}")?;
        }
        let agreeing = self.figures.iter().filter(|figure| figure.agrees).count();
        write!(f, "{agreeing} of {} figures agree, {:.1} s", self.figures.len(), self.seconds)
    }
}

/// Runs the verb.
pub fn run(arguments: &Arguments, common: &Common) -> Result<Outcome> {
    let interrupt = Interrupt::listen()?;
    let started = Instant::now();
    let mut wanted: Vec<_> =
        FIGURES.iter().filter(|figure| !(arguments.quick && figure.is_slow)).collect();
    if !arguments.quick && dobutsu_table()?.is_some() {
        wanted.push(&DOBUTSU);
    }
    let bar = count(wanted.len() as u64, 0, "figures");
    let mut figures = Vec::new();
    for figure in wanted {
        bar.set_message(format!(", {}", figure.what));
        let begun = Instant::now();
        let here = (figure.find)(&interrupt).with_context(|| figure.what);
        if interrupt.is_set() {
            bar.finish_and_clear();
            return Err(Interrupted { advice: "nothing is kept".to_owned() }.into());
        }
        figures.push(Compared::new(figure, here?, begun.elapsed().as_secs_f64()));
        bar.inc(1);
    }
    bar.finish_and_clear();
    let ok = figures.iter().all(|figure| figure.agrees);
    let answer = SelftestAnswer { ok, seconds: started.elapsed().as_secs_f64(), figures };
    print::answer(common.json, &answer, &answer)?;
    Ok(Outcome::good_if(ok))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_agrees_if_it_is_the_same_or_within_the_tolerance() {
        assert!(agrees("loss in 78", "loss in 78", None));
        assert!(!agrees("loss in 78", "loss in 76", None));
        assert!(agrees("0.148492", "0.148600", Some(0.0002)));
        assert!(!agrees("0.148492", "0.148600", Some(0.0001)));
        assert!(!agrees("0.148492", "unknown", Some(0.0001)));
    }

    #[test]
    fn a_figure_that_differs_is_shown_and_makes_the_answer_bad() {
        let figure = &FIGURES[0];
        let of = |here: &str| Compared::new(figure, here.to_owned(), 0.5);
        let figures = vec![of(figure.published), of("7")];
        let answer = SelftestAnswer { ok: figures.iter().all(|f| f.agrees), seconds: 1.0, figures };
        assert!(!answer.ok);
        let text = answer.to_string();
        assert!(
            text.contains("\nDIFFERS") && text.ends_with("1 of 2 figures agree, 1.0 s"),
            "{text}"
        );
    }
}
