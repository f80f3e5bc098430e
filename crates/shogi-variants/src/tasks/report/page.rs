//! A report as one page of HTML that needs no other file: the board, the tables, and pictures of the games. The same report
//! always gives the same page.

use std::borrow::ToOwned as _;
use std::fmt::Write as _;
use std::format;
use std::string::{String, ToString as _};
use std::vec;

use shogi_rules::Dialect;
use shogi_rules::text::Definition;

use super::super::counted;
use super::{Play, Report, Section};
use crate::{Error, Variant};

const STYLE: &str = "body { font: 16px/1.5 sans-serif; max-width: 54rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid #ddd; overflow-wrap: anywhere }
th { font-weight: normal; color: #555; width: 9rem }
pre { overflow-x: auto; line-height: 1.2 }
svg { max-width: 100%; height: auto }
.winner { font-size: 1.3rem }
@media (prefers-color-scheme: dark) {
  body { color: #ddd; background: #1b1b1b } th { color: #aaa } th, td { border-color: #444 }
  svg { filter: invert(.9) hue-rotate(180deg) }
}";
const WIDTH: f64 = 760.0;
/// The most bars of a picture; more lengths are put together.
const MOST_BARS: u32 = 40;

impl Report {
    /// The report as one page of HTML; `variant` is its game.
    ///
    /// # Errors
    ///
    /// If the start is no placement of this game.
    ///
    /// ```
    /// use shogi_variants::Variant;
    /// use shogi_variants::solve::Budget;
    /// use shogi_variants::tasks::{ReportTask, Session, Task as _};
    /// let task = ReportTask { games: 2, nodes: 10, samples: 10, positions: 0, ..ReportTask::default() };
    /// let report = task.answer(Variant::Minishogi, "startpos", &mut Session::new(Budget::unlimited()))?;
    /// assert!(report.page(Variant::Minishogi)?.starts_with("<!DOCTYPE html>"));
    /// # Ok::<(), shogi_variants::Error>(())
    /// ```
    pub fn page(&self, variant: Variant) -> Result<String, Error> {
        let diagram = variant.rules().diagram(&self.start, Some(Dialect::Lishogi))?;
        let board = diagram.svg();
        let title = escaped(self.title);
        let mut html = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>\n{STYLE}\n</style>\n</head>\n<body>\n<h1>{title}</h1>\n\
             <p class=\"winner\">{}</p>\n{board}\n<p>From <code>{}</code></p>\n",
            headline(self),
            escaped(&self.start)
        );
        for section in self.sections() {
            table(&section, &mut html);
            if let ("Play", Some(play)) = (section.title, self.play.known()) {
                html.push_str(&results(play));
                html.push_str(&lengths(&play.plies));
            }
        }
        html.push_str(&rules(variant));
        if !self.complete {
            html.push_str("<p>The report was broken off: this is what was known by then.</p>\n");
        }
        let settings = &self.settings;
        // Writing to a string does not fail.
        let _ = write!(
            html,
            "<p>Made by <code>shogi variant report {}</code> with seed {}; rules {}.</p>\n</body>\n</html>\n",
            escaped(&self.called),
            settings.seed,
            self.hash
        );
        Ok(html)
    }
}

/// Who wins, in a sentence.
fn headline(report: &Report) -> String {
    let plies = report.value.known().and_then(|solution| solution.plies);
    let within = plies
        .map(|count| format!(" in at most {}", counted(count.into(), "ply", "plies")))
        .unwrap_or_default();
    match report.winner {
        Some("sente") => format!("Sente wins{within}: this is proved."),
        Some("gote") => format!("Gote wins{within}: this is proved."),
        Some(_) => "Nobody wins against the best play: this is proved.".to_owned(),
        None => "Who wins is not proved.".to_owned(),
    }
}

fn table(Section { title, rows }: &Section, html: &mut String) {
    let _ = writeln!(html, "<h2>{title}</h2>\n<table>");
    for (name, said) in rows {
        let _ = writeln!(html, "<tr><th scope=\"row\">{name}</th><td>{}</td></tr>", escaped(said));
    }
    html.push_str("</table>\n");
}

/// The rules in words, and how the pieces move.
fn rules(variant: Variant) -> String {
    // A game that decides more than a text can say has none of this.
    let Some(definition) = variant.to_text().ok().and_then(|text| Definition::parse(&text).ok())
    else {
        return String::new();
    };
    let words = escaped(definition.in_words().trim_end());
    let movements = escaped(definition.movements().trim_end());
    format!("<h2>Rules</h2>\n<pre>{words}\n\n{movements}</pre>\n")
}

/// A picture of who won the games, as one bar.
fn results(play: &Play) -> String {
    let mut svg = picture(56.0, "Results of the games");
    let parts = [
        ("Sente", play.sente_wins, "#1f77b4"),
        ("drawn", play.draws, "#bbb"),
        ("Gote", play.gote_wins, "#d62728"),
    ];
    let mut x = 0.0;
    for (name, games, colour) in parts.into_iter().filter(|(_, games, _)| *games > 0) {
        let width = games as f64 / play.games as f64 * WIDTH;
        let _ = write!(
            svg,
            "<rect x=\"{x:.1}\" y=\"24\" width=\"{width:.1}\" height=\"28\" fill=\"{colour}\"/>\n\
             <text x=\"{:.1}\" y=\"18\">{name} {games}</text>\n",
            x + 2.0
        );
        x += width;
    }
    svg + "</svg>\n"
}

/// A picture of how many games had which length.
fn lengths(plies: &[u32]) -> String {
    let (least, most) =
        (plies.iter().min().copied().unwrap_or(0), plies.iter().max().copied().unwrap_or(0));
    let wide = (most - least + 1).div_ceil(MOST_BARS);
    let mut bars = vec![0_u32; ((most - least) / wide + 1) as usize];
    for length in plies {
        bars[((length - least) / wide) as usize] += 1;
    }
    let highest = bars.iter().max().copied().unwrap_or(1).max(1);
    let (top, bottom) = (24.0, 184.0);
    let mut svg = picture(230.0, "Lengths of the games");
    let step = WIDTH / bars.len() as f64;
    for (number, games) in bars.iter().enumerate() {
        let height = f64::from(*games) / f64::from(highest) * (bottom - top);
        let from = least + number as u32 * wide;
        let until = from + wide - 1;
        let range = if wide == 1 { from.to_string() } else { format!("{from} to {until}") };
        let _ = writeln!(
            svg,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\" fill=\"#1f77b4\">\
             <title>{range} plies: {games}</title></rect>",
            number as f64 * step,
            bottom - height,
            step * 0.9
        );
    }
    let _ = write!(
        svg,
        "<path d=\"M0 {bottom}H{WIDTH}\" stroke=\"#888\"/>\n\
         <text x=\"0\" y=\"16\">games, at most {highest}</text>\n\
         <text x=\"0\" y=\"204\">{least}</text>\n\
         <text x=\"{WIDTH}\" y=\"204\" text-anchor=\"end\">{most}</text>\n\
         <text x=\"{}\" y=\"222\" text-anchor=\"middle\">plies</text>\n</svg>\n",
        WIDTH / 2.0
    );
    svg
}

/// The beginning of a picture.
fn picture(height: f64, label: &str) -> String {
    format!(
        "<svg role=\"img\" aria-label=\"{label}\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\" xmlns=\"http://www.w3.org/2000/svg\" font-family=\"sans-serif\" \
         font-size=\"14\">\n"
    )
}

/// A text inside of HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
