//! Progress bars on standard error, hidden where that is no terminal.

use std::fmt;
use std::time::Duration;

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressState, ProgressStyle};

/// A bar for `total` things, `done` of which come from an earlier run.
///
/// The bar and its numbers show how much of the whole is done; the rate and the time left are those
/// of this run. A message stands right behind the time left, as much of it as the line has room for.
pub fn count(total: u64, done: u64, things: &str) -> ProgressBar {
    let template = format!(
        "{{bar:10}} {{human_pos}} of {{human_len}} {things}, {{rate}}/s, {{left}} left{{wide_msg}}"
    );
    bar(total, done, &template)
}

/// A bar like [`count`] with another template, which knows the keys `rate` and `left` beside those of
/// indicatif.
pub fn bar(total: u64, done: u64, template: &str) -> ProgressBar {
    let pace = move |state: &ProgressState| Pace {
        done: state.pos().saturating_sub(done),
        left: state.len().unwrap_or_default().saturating_sub(state.pos()),
        elapsed: state.elapsed(),
    };
    let bar = ProgressBar::new(total).with_position(done);
    // An error of the writer is one of the terminal, which hides the bar anyway.
    let styled = ProgressStyle::with_template(template).map(|style| {
        let style =
            style.with_key("rate", move |state: &ProgressState, out: &mut dyn fmt::Write| {
                let _ = out.write_str(&pace(state).rate());
            });
        style.with_key("left", move |state: &ProgressState, out: &mut dyn fmt::Write| {
            let _ = out.write_str(&pace(state).time_left());
        })
    });
    with_style(bar, styled)
}

/// A bar for reading a file, if its size is known.
pub fn reading(size: Option<u64>) -> ProgressBar {
    match size {
        Some(size) => bar(size, 0, "{bar:10} {bytes} of {total_bytes} read, {left} left"),
        None => spinner("{spinner} {bytes} read"),
    }
}

/// A spinner for work of unknown length.
pub fn spinner(template: &str) -> ProgressBar {
    with_style(ProgressBar::new_spinner(), ProgressStyle::with_template(template))
}

/// The bar in a style, or as it is where the style's template is wrong.
fn with_style<E>(bar: ProgressBar, style: Result<ProgressStyle, E>) -> ProgressBar {
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// How fast a run is.
struct Pace {
    /// Things done in this run.
    done: u64,
    /// Things left to do.
    left: u64,
    /// Time since the beginning of this run.
    elapsed: Duration,
}

impl Pace {
    /// Things a second.
    fn rate(&self) -> String {
        let rate = self.per_second();
        if rate < 10.0 { format!("{rate:.1}") } else { HumanCount(rate as u64).to_string() }
    }

    /// The time left at this rate; a question mark as long as it is unknown.
    fn time_left(&self) -> String {
        match Duration::try_from_secs_f64(self.left as f64 / self.per_second()) {
            Ok(left) => format!("{:#}", HumanDuration(left)),
            // Nothing is done, or the time is more than a number holds.
            Err(_) => "?".to_owned(),
        }
    }

    fn per_second(&self) -> f64 {
        self.done as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rate_and_time_left_are_those_of_this_run() {
        let of = |done, left, seconds| {
            let pace = Pace { done, left, elapsed: Duration::from_secs(seconds) };
            (pace.rate(), pace.time_left())
        };
        let texts = |rate: &str, left: &str| (rate.to_owned(), left.to_owned());
        assert_eq!(of(1_000, 1_000, 5), texts("200", "5s"));
        assert_eq!(of(1, 30, 4), texts("0.2", "2m"));
        assert_eq!(of(12_345_678, 0, 1), texts("12,345,678", "0s"));
        assert_eq!(of(0, 1, 7), texts("0.0", "?"));
    }

    #[test]
    fn a_resumed_bar_shows_the_whole() {
        let bar = count(1_000, 900, "games");
        assert_eq!((bar.position(), bar.length()), (900, Some(1_000)));
    }
}
